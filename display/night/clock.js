/** The clock's controls, and the schedule editor: drag, add, remove, change any entry, save all at once. */
import { $, chips, draw, h, say } from "../shared/dom.js";
import { clockNow } from "../station/frame.js";
import { act, arrive, button, clear, filled, night, nothing, number, onSubmit, presses } from "./night.js";

const FIELDS = { small_blind: "Small blind", big_blind: "Big blind", ante: "Ante", big_blind_ante: "Big blind ante", minutes: "Minutes" };
const OF_BREAK = new Set(["minutes"]);

let state = null;
let saved = []; // the schedule as the station has it
let draft = null; // as it is being changed; null while it is not
let dragged = null;

night(
  "",
  (shown) => {
    state = shown;
    drawControls();
    say($("#ends"), shown.ends ? `Ends at about ${new Date(shown.ends).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}` : "");
    const { players, stack } = $("#suggest")?.elements ?? {};
    if (players && !players.value) players.value = shown.registered || "";
    if (stack && !stack.value) stack.value = shown.starting_stack || "";
  },
  {},
  {
    clock: (clock) => {
      if (!clock) return;
      saved = clock.levels;
      drawControls();
      arrive();
      show();
    },
  },
);

function drawControls() {
  const now = clockNow();
  if (!presses || !state || !now) return;
  const round = state.control.hand_for_hand !== null;
  say($("#no-hand"), state.control.no_hand);
  draw($("#clock-do"), [state.started, now.running, round, now.level], () => [
    !state.started && button("Cards in the air", "start", {}, { kind: "primary" }),
    button(now.running ? "Pause" : "Resume", now.running ? "pause" : "resume"),
    button("5 minutes more", "add_time", { by_ms: 300_000 }),
    button("1 minute more", "add_time", { by_ms: 60_000 }),
    button("1 minute less", "add_time", { by_ms: -60_000 }),
    button("Next level", "next_level", {}, { sure: "Hands in play keep their level." }),
    button("Level before", "previous_level", {}, { sure: "It begins again with its whole time." }),
    state.started && button(round ? "End hand for hand" : "Hand for hand", "set_hand_for_hand", { on: !round }),
    now.level.is_break && button("End the break", "end_break"),
  ]);
}

// ---------------------------------------------------------------- the schedule

const levels = () => draft ?? saved;

function show() {
  const place = clockNow()?.place ?? -1;
  draw($("#entries"), [levels(), place, Boolean(draft)], () => (levels().length ? levels().map((level, entry) => entryOf(level, entry, place)) : nothing("No schedule yet.")));
  say($("#drafting"), draft ? "Changed, not saved yet." : "");
  for (const id of ["#save", "#drop-changes"]) if ($(id)) $(id).disabled = !draft;
}

function entryOf(level, entry, place) {
  const name = level.is_break ? `Break ${levels().slice(0, entry + 1).filter((one) => one.is_break).length}` : `Level ${level.no}`;
  const node = h("li", { "data-now": !draft && entry === place, "data-past": !draft && entry < place, "aria-current": !draft && entry === place ? "step" : null });
  const fields = Object.entries(FIELDS)
    .filter(([field]) => !level.is_break || OF_BREAK.has(field))
    .map(([field, words]) => fieldOf(level, entry, field, `${words}, ${name}`));
  const what = level.is_break ? h("span.of-break.soft", {}, [level.what, level.colour_up ? `colour up ${chips(level.colour_up)}` : ""].filter(Boolean).join(", ")) : null;
  node.append(presses ? gripOf(node, entry, name) : h("span"), h("b.name", {}, name), ...(what ? [what] : []), ...fields);
  if (presses) node.append(h("span.move", {}, mover("Earlier", "↑", entry, -1, name), mover("Later", "↓", entry, 1, name), remover(entry, name)));
  return node;
}

function fieldOf(level, entry, field, words) {
  if (!presses) return h("span", {}, `${level[field]}`);
  const input = h("input", { name: `${field}-${entry}`, value: `${level[field]}`, inputmode: "decimal", required: true, "aria-label": words });
  input.addEventListener("change", () => {
    const value = number(input.value);
    const wrong = value === null || Number.isNaN(value) || value < 0;
    if (wrong) input.setAttribute("aria-invalid", "true");
    else change((all) => (all[entry] = { ...all[entry], [field]: value }));
  });
  return h("label", {}, h("span", { "aria-hidden": "true" }, FIELDS[field]), input);
}

/** `edit(levels)` on a copy; levels are numbered anew, breaks carry no number of their own. */
function change(edit) {
  draft = structuredClone(levels());
  edit(draft);
  let no = 0;
  for (const level of draft) level.no = level.is_break ? no : ++no;
  show();
}

function gripOf(node, entry, name) {
  const grip = h("span.grip", { draggable: "true", title: `Drag ${name}`, "aria-hidden": "true" }, "⠿");
  grip.addEventListener("dragstart", (event) => {
    dragged = entry;
    event.dataTransfer.setData("text/plain", `${entry}`);
    event.dataTransfer.setDragImage(node, 10, 10);
  });
  node.addEventListener("dragover", (event) => {
    if (dragged === null) return;
    event.preventDefault();
    node.dataset.over = "";
  });
  node.addEventListener("dragleave", () => delete node.dataset.over);
  node.addEventListener("drop", (event) => {
    event.preventDefault();
    delete node.dataset.over;
    if (dragged !== null && dragged !== entry) moved(dragged, entry);
    dragged = null;
  });
  return grip;
}

const moved = (from, to) => change((all) => all.splice(to, 0, ...all.splice(from, 1)));

function mover(words, sign, entry, by, name) {
  const node = h("button", { type: "button", "aria-label": `${words}: ${name}`, disabled: !levels()[entry + by] }, sign);
  node.addEventListener("click", () => {
    moved(entry, entry + by);
    $("#entries").children[entry + by]?.querySelector(`[aria-label^="${words}"]`)?.focus();
  });
  return node;
}

function remover(entry, name) {
  const node = h("button", { type: "button", "aria-label": `Remove: ${name}` }, "×");
  node.addEventListener("click", () => change((all) => all.splice(entry, 1)));
  return node;
}

$("#add-level")?.addEventListener("click", () => {
  const last = levels().findLast((one) => !one.is_break) ?? { small_blind: 25, big_blind: 50, ante: 0, big_blind_ante: 0, minutes: 20 };
  change((all) => all.push({ ...last, no: 0, is_break: false, what: "", colour_up: 0, small_blind: last.small_blind * 2, big_blind: last.big_blind * 2, big_blind_ante: last.big_blind_ante * 2, ante: last.ante * 2 }));
});
$("#add-break")?.addEventListener("click", () =>
  change((all) => all.push({ no: 0, small_blind: 0, big_blind: 0, ante: 0, big_blind_ante: 0, minutes: 10, is_break: true, what: "", colour_up: 0 })),
);
$("#drop-changes")?.addEventListener("click", () => {
  draft = null;
  show();
});
$("#entries-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  clear(form);
  if (!draft) return;
  if (await act("edit_schedule", { levels: draft }, form)) draft = null;
  show();
});

// ---------------------------------------------------------------- forms

onSubmit("#break", (given) => ["take_break", filled({ minutes: number(given.get("minutes")), what: given.get("what").trim() })]);
onSubmit("#suggest", (given) => ["suggest_schedule", filled({ ...Object.fromEntries([...given].map(([name, text]) => [name, number(text)])), rulebook: state.rulebook })]);
