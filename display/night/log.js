/** The night's log, the newest first. An undo says what it takes back before it does. */
import { $, draw, h } from "../shared/dom.js";
import { night, nothing, undoButton } from "./night.js";

let state = null;
const time = (wall) => new Date(wall).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

function show() {
  if (!state) return;
  const words = $("#words").value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = state.log.filter((record) => words.every((word) => `${record.no} ${record.text} ${record.by}`.toLowerCase().includes(word)));
  draw($("#log"), found, () => (found.length ? found.map(logRow) : nothing("Nothing of that kind among the newest records.")));
}

function logRow(record) {
  const said = h(record.undone ? "span.undone" : "span", {}, `${record.no}. ${time(record.at)} ${record.text} `, h("em", {}, record.by));
  return h("li", {}, said, record.can_undo ? undoButton(record) : null);
}

night("log", (shown) => {
  state = shown;
  show();
});
$("#words").addEventListener("input", show);
$("#filter").addEventListener("submit", (event) => event.preventDefault());
