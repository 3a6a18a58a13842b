/** Find: players, tables, rules and actions, from every page. What is known is asked for when it opens. */
import { $, h, say } from "../shared/dom.js";
import { actions, breaks, ofPlayer, pathOf, penalties } from "./found.js";
import { tablePath } from "./keys.js";

const MOST = 12; // results shown
let ready = Promise.resolve(); // once `known` is
let known = []; // [words, where it leads or what it does, kind]

export function find() {
  $("#find-words").value = "";
  $("#more").close(); // where a phone has the button
  $("#find").showModal();
  show();
  ready = everything().then((all) => {
    known = all;
    show();
  });
}

/** Tables and players of this moment; a snapshot that may not be read or is not there yet is left out. */
async function everything() {
  const ask = (channel) => fetch(`/api/${channel}`).then((answer) => (answer.ok ? answer.json() : null)).catch(() => null);
  const [room, event, book] = await Promise.all([ask("room"), ask("field"), ask("book")]);
  const reasons = (book?.reasons ?? []).map((reason) => reason.name);
  const field = event?.field ?? [];
  const players = field.map((one) => (one.table ? [`${one.name}, table ${one.table} seat ${one.seat}`, tablePath(one.table), "Player"] : [`${one.name}, ${one.status ?? "playing"}`, pathOf(one), "Player"]));
  const tables = (room?.cells ?? []).map(({ table }) => [`Table ${table}`, tablePath(table), "Table"]);
  const breaking = (room?.cells ?? []).map(({ table }) => breaks(table));
  const doing = $("#toggle") ? [...actions(), ...field.flatMap(ofPlayer), ...field.flatMap((one) => penalties(one, reasons)), ...breaking] : actions();
  return [...players, ...tables, ...doing.map(([words, does]) => [words, does, "Action"])];
}

function show() {
  const typed = $("#find-words").value.trim();
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = known.filter(([text]) => words.every((word) => text.toLowerCase().includes(word)));
  const begins = ([text]) => (typed && text.toLowerCase().startsWith(typed.toLowerCase()) ? 0 : 1);
  const found = fits.sort((one, other) => begins(one) - begins(other)).slice(0, MOST);
  if (typed) found.push([`Rules about “${typed}”`, `/rules?q=${encodeURIComponent(typed)}`, "Rule"]);
  $("#find-found").replaceChildren(...found.map(([text, path, kind]) => h("li", {}, entry(text, path, kind))));
  say($("#find-none"), typed && found.length === 1 ? "No player, table or action of that name." : "");
}

/** A link; a button for what is done at once. */
function entry(text, does, kind) {
  if (typeof does === "string") return h("a", { href: does }, text, h("small", {}, kind));
  const button = h("button", { type: "button" }, text, h("small", {}, kind));
  button.addEventListener("click", () => {
    $("#find").close();
    does();
  });
  return button;
}

$("#find-words")?.addEventListener("input", show);
// Enter opens the first; the arrows lead through them.
$("#find")?.addEventListener("keydown", (event) => {
  const links = [...$("#find-found").querySelectorAll("a, button")];
  const at = links.indexOf(document.activeElement);
  if (event.key === "Enter" && at < 0 && event.target.id === "find-words") ready.then(() => $("#find-found").querySelector("a, button")?.click());
  else if (event.key === "ArrowDown") links[Math.min(at + 1, links.length - 1)]?.focus();
  else if (event.key === "ArrowUp") (links[at - 1] ?? $("#find-words")).focus();
  else return;
  event.preventDefault();
});
