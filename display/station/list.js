/** Beside the cells of a large room: its tables sorted by trouble, shortness or age. */
import { $, draw, h, many, minutes, say } from "../shared/dom.js";
import { tablePath } from "./keys.js";
import { playersAt, stateOf } from "./table_states.js";

const ROWS = 60;
const AGAIN_MS = 1_000; // ages change all the time: the list is sorted once a second
// Of the same trouble comes first what nobody comes for.
const SORTS = {
  trouble: { words: "Trouble", by: (cell) => stateOf(cell).rank + (cell.taken_by ? 0.5 : 0), says: (cell) => stateOf(cell).words },
  shortness: { words: "Shortness", by: (cell) => playersAt(cell) || Infinity, says: (cell) => many(playersAt(cell), "player") },
  age: { words: "Age", by: (cell) => -waited(cell), says: (cell) => minutes(waited(cell)) },
};
const rows = [];
let sort = "trouble";
let cells = [];
let due = 0;

/** How long nothing has happened there: the seat to act has thought so long, or nothing was heard. */
const waited = (cell) => Math.max(cell.to_act_ms ?? 0, cell.link === "live" ? 0 : cell.heard_ms_ago);

/** Draws the list, at once or when a second has passed since the last time. */
export function drawList(now) {
  cells = now;
  due ||= setTimeout(show, rows.length ? AGAIN_MS : 0);
}

function show() {
  clearTimeout(due);
  due = 0;
  draw($("#sort"), sort, () =>
    Object.entries(SORTS).map(([name, { words }]) => {
      const button = h("button", { type: "button", "aria-pressed": `${name === sort}` }, words);
      button.addEventListener("click", () => {
        sort = name;
        show();
        $(`[aria-pressed="true"]`, $("#sort")).focus();
      });
      return button;
    }),
  );
  const { by, says } = SORTS[sort];
  const sorted = cells.map((cell) => [by(cell), cell]).sort(([one], [other]) => one - other).slice(0, ROWS);
  while (rows.length > sorted.length) rows.pop().remove();
  sorted.forEach(([, cell], at) => {
    if (!rows[at]) rows[at] = $("#list").appendChild(h("li", {}, h("a", {}, h("i.sign"), h("b"), h("span"))));
    const [link, sign, name, words] = [$("a", rows[at]), $("i", rows[at]), $("b", rows[at]), $("span", rows[at])];
    const path = tablePath(cell.table);
    if (link.getAttribute("href") !== path) link.setAttribute("href", path);
    if (sign.dataset.state !== stateOf(cell).kind) sign.dataset.state = stateOf(cell).kind;
    say(name, `Table ${cell.table}`);
    say(words, cell.taken_by ? `${says(cell)}; ${cell.taken_by} comes` : says(cell));
  });
}
