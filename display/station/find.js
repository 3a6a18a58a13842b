/** Find: players, tables, rules and actions, from every page. What is known is asked for when it opens. */
import { $, h, say } from "../shared/dom.js";
import { tablePath } from "./keys.js";

const MOST = 12; // results shown
const ACTIONS = [
  ["Register a player", "/station/players#register"],
  ["Seat a player", "/station/seats"],
  ["Move a player", "/station/seats"],
  ["Break a table", "/station/seats"],
  ["Balance tables", "/station/seats"],
  ["Rebuy or add-on", "/station/players"],
  ["Bust, undo a bust", "/station/players"],
  ["Colour up", "/station/chips"],
  ["Count the chips", "/station/chips"],
  ["Payouts and deal", "/station/prizes"],
  ["Give a penalty", "/station/penalties"],
  ["Standings", "/station/league"],
  ["Levels, breaks, pause, add time", "/station/clock"],
  ["Undo", "/station/log"],
];

let known = []; // [words, path, kind]

export async function find() {
  $("#find-words").value = "";
  $("#more").close(); // where a phone has the button
  $("#find").showModal();
  show();
  known = await everything();
  show();
}

/** Tables and players of this moment; a snapshot that may not be read or is not there yet is left out. */
async function everything() {
  const ask = (channel) => fetch(`/api/${channel}`).then((answer) => (answer.ok ? answer.json() : null)).catch(() => null);
  const [room, event] = await Promise.all([ask("room"), ask("field")]);
  const players = (event?.field ?? []).map(({ name, table, seat, status = "playing" }) =>
    table ? [`${name}, table ${table} seat ${seat}`, tablePath(table), "Player"] : [`${name}, ${status}`, "/station/players", "Player"],
  );
  const tables = (room?.cells ?? []).map(({ table }) => [`Table ${table}`, tablePath(table), "Table"]);
  const actions = ACTIONS.filter(([, path]) => $(`.pages a[href="${path.split("#")[0]}"]`)); // on the pages that there are
  return [...players, ...tables, ...actions.map(([words, path]) => [words, path, "Action"])];
}

function show() {
  const typed = $("#find-words").value.trim();
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const found = known.filter(([text]) => words.every((word) => text.toLowerCase().includes(word))).slice(0, MOST);
  if (typed) found.push([`Rules about “${typed}”`, `/rules?q=${encodeURIComponent(typed)}`, "Rule"]);
  $("#find-found").replaceChildren(...found.map(([text, path, kind]) => h("li", {}, h("a", { href: path }, text, h("small", {}, kind)))));
  say($("#find-none"), typed && found.length === 1 ? "No player, table or action of that name." : "");
}

$("#find-words")?.addEventListener("input", show);
// Enter opens the first; the arrows lead through them.
$("#find")?.addEventListener("keydown", (event) => {
  const links = [...$("#find-found").querySelectorAll("a")];
  const at = links.indexOf(document.activeElement);
  if (event.key === "Enter" && at < 0 && event.target.id === "find-words") links[0]?.click();
  else if (event.key === "ArrowDown") links[Math.min(at + 1, links.length - 1)]?.focus();
  else if (event.key === "ArrowUp") (links[at - 1] ?? $("#find-words")).focus();
  else return;
  event.preventDefault();
});
