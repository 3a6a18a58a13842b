/** The keys of the station. They do nothing while somebody types or a dialog is open; none of them pauses. */
import { $, h, say } from "../shared/dom.js";
import { tell } from "./command.js";

const KEYS = { "g 42": "Go to table 42", y: "Yes, where the page asks", "1 2 …": "The ruling of that number, on its sheet", "?": "This list" };
const TYPED_MS = 1_500; // how long `g 4` waits for another digit

const pressed = new Map(); // key -> what it does
let going = null; // the digits after `g`
let waiting = 0;

/** `{ j: { does: "The next item", act } }` */
export function shortcuts(keys) {
  for (const [key, { does, act }] of Object.entries(keys)) {
    KEYS[key] = does;
    pressed.set(key, act);
  }
}

export function listKeys() {
  pressed.set("?", () => {
    $("#keys-list").replaceChildren(...Object.entries(KEYS).map(([key, does]) => h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, does))));
    $("#keys").showModal();
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target.closest?.("input, select, textarea, dialog[open]") || $("dialog[open]")) return;
    if (goes(event.key)) return;
    const act = pressed.get(event.key);
    if (!act || (event.key === "Enter" && event.target.closest?.("a, button, summary"))) return;
    event.preventDefault();
    act();
  });
}

/** Whether the key belongs to `g 42`: Enter goes at once, otherwise when no further digit comes. What was typed so far
 * stands on the page; any other key ends it. */
function goes(key) {
  if (going === null) {
    if (key === "g") restart("");
    return key === "g";
  }
  clearTimeout(waiting);
  if (/^\d$/.test(key)) restart(going + key);
  else if (key === "Enter" && going) go();
  else if (key !== " ") stop();
  return key === "Enter" || key === " " || /^\d$/.test(key);
}

function restart(digits) {
  going = digits;
  say($("#going"), digits ? `Table ${digits}: Enter, or wait` : "Table …");
  waiting = setTimeout(() => (going ? go() : stop()), TYPED_MS);
}

function stop() {
  going = null;
  say($("#going"), "");
}

/** Where there is no such table this page stays. */
async function go() {
  clearTimeout(waiting);
  const path = tablePath(going);
  const table = decodeURIComponent(path.split("/").at(-1));
  stop();
  const room = await fetch("/api/room").then((answer) => (answer.ok ? answer.json() : null)).catch(() => null);
  if (room && !room.cells.some((cell) => cell.table === table)) tell(`There is no table ${table}.`, true);
  else location.href = path;
}

/** `/station/table/07`: tables are named with two digits at least. */
export const tablePath = (table) => `/station/table/${encodeURIComponent(String(table).padStart(2, "0"))}`;
