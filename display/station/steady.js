/** A list that does not move under the hand: its order stands while a pointer is on it, and what has just moved takes
 * no press, so that a press does what was meant or nothing. */

const RESTS_MS = 2_000; // a mouse that lies still this long only lies there
const LIFTED_MS = 300; // after a finger has left: a second tap of it is on its way
const MOVED_MS = 500; // nobody sees and decides faster

const moving = new WeakMap(); // node -> its timer: a row that rests takes presses while others go on moving

/** `nodes` take no press for a moment: what stands there now is not what the finger was meant for. */
export function guard(nodes) {
  for (const node of nodes) {
    node.classList.add("just-moved");
    clearTimeout(moving.get(node));
    moving.set(node, setTimeout(() => node.classList.remove("just-moved"), MOVED_MS));
  }
}

/** `changed()` is called when the list may move again. */
export function steady(list, changed) {
  let down = false;
  let restsAt = 0;
  let tops = new Map(); // row -> where it stood

  list.addEventListener("pointerdown", () => (down = true));
  for (const type of ["pointerup", "pointercancel"]) {
    addEventListener(type, () => {
      if (!down) return;
      setTimeout(() => {
        down = false;
        changed();
      }, LIFTED_MS);
    });
  }
  list.addEventListener("pointermove", ({ pointerType }) => {
    if (pointerType === "mouse") restsAt = performance.now() + RESTS_MS;
  });
  list.addEventListener("pointerleave", () => {
    restsAt = 0;
    if (!down) changed();
  });

  return {
    /** A finger is on it: nothing changes. */
    touched: () => down,
    /** A pointer is on it: rows neither come nor go. */
    held: () => down || performance.now() < restsAt,
    /** After drawing: what stands elsewhere than before, or came before something else, has moved. */
    drawn(...beside) {
      const now = new Map([...list.children].map((row) => [row, row.offsetTop]));
      const moved = [...now.keys()].filter((row) => (tops.has(row) ? tops.get(row) !== now.get(row) : tops.has(row.nextElementSibling)));
      if (moved.length || tops.size > now.size) guard([...moved, ...beside]);
      tops = now;
    },
  };
}
