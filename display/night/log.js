/** The night's log, the newest first: the newest records as they come, the older ones once they are asked for. An undo
 * says what it takes back before it does. */
import { $, draw, h, say } from "../shared/dom.js";
import { clockTime } from "../shared/time.js";
import { night, nothing, redoButton, undoButton } from "./night.js";

const MOST = 300; // rows drawn
let newest = [];
let older = []; // as far as they were asked for
let asked = false;
let zone = "";
const time = (wall) => clockTime(wall, zone);

function show() {
  const words = $("#filter-words").value.toLowerCase().split(/\s+/).filter(Boolean);
  const first = newest.at(-1)?.no ?? 0;
  const all = [...newest, ...older.filter(({ no }) => no < first)];
  const found = all.filter((record) => words.every((word) => `${record.no} ${time(record.at)} ${record.text} ${record.by}`.toLowerCase().includes(word)));
  draw($("#log"), found.slice(0, MOST), () => (found.length ? found.slice(0, MOST).map(logRow) : nothing("Nothing of that kind.")));
  const missing = Math.max(0, first - 1) - (all.length - newest.length);
  $("#older").hidden = !missing || asked;
  say($("#log-more"), found.length > MOST ? `${found.length - MOST} more: filter by a name, a table, a time.` : "");
}

function logRow(record) {
  const said = h(record.undone ? "span.undone" : "span", {}, `${record.no}. ${time(record.at)} ${record.text} `, h("em", {}, record.by));
  return h("li", {}, said, record.can_undo ? undoButton(record) : record.can_redo ? redoButton(record) : null);
}

/** All records, from the sheet of the log. */
async function askOlder() {
  asked = true;
  const sheet = await fetch("/api/tournament/log.json").then((answer) => (answer.ok ? answer.json() : null)).catch(() => null);
  asked = sheet !== null;
  const read = (line) => ({ ...line, no: Number(line.no), at: Date.parse(line.at), can_undo: !line.undone && line.event !== "undone" });
  older = (sheet ?? []).map(read).reverse();
  show();
}

night("log", (shown) => {
  zone = shown.zone;
  newest = shown.log;
  if (asked) askOlder();
  show();
});
$("#filter-words").addEventListener("input", () => {
  if (!asked) askOlder();
  show();
});
$("#older").addEventListener("click", askOlder);
$("#filter").addEventListener("submit", (event) => event.preventDefault());
