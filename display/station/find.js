/** Find: players, tables, rules and actions, from every page. What is known is asked for when it opens. */
import { $, draw, h, say } from "../shared/dom.js";
import { actions, breaks, ofPlayer, pathOf, penalties } from "./found.js";
import { tablePath } from "./keys.js";
import { openRule } from "./rule.js";

const MOST = 12; // results shown
const MOST_RULES = 4;
const PAUSE_MS = 100; // without a further letter
const STANDS = { own: "Rule", practice: "Usual practice", other: "Rule of another book" };
let rules = { about: "", found: [] };
let asking = 0;
let ready = Promise.resolve(); // once `known` is
let whole = Promise.resolve(); // once it has what is asked of a table, too
let known = []; // [words, where it leads or what it does, kind]
let found = []; // of these, what fits
let ofPage = async () => []; // [words, what it does] that this page alone has

export const alsoFind = (offered) => (ofPage = offered);

export function find() {
  $("#find-words").value = "";
  $("#more").close(); // where a phone has the button
  $("#find").showModal();
  show();
  ready = everything().then((all) => {
    known = all;
    show();
  });
  whole = Promise.all([ofPage(), ready]).then(([more]) => {
    known = [...known, ...more.map(([words, does]) => [words, does, "Ruling"])];
    show();
  });
}

/** Tables and players of this moment; a snapshot that may not be read or is not there yet is left out. */
async function everything() {
  const ask = (channel) => fetch(`/api/${channel}`).then((answer) => (answer.ok ? answer.json() : null)).catch(() => null);
  const [room, event, book] = await Promise.all([ask("room"), ask("field"), ask("book")]);
  const reasons = (book?.reasons ?? []).map((reason) => reason.name);
  const field = event?.field ?? [];
  const byHand = (room?.cells ?? []).some((cell) => cell.state === "by_hand");
  const pageOf = (table) => (byHand ? "/station/seats" : tablePath(table));
  const players = field.map((one) => (one.table ? [`${one.name}, table ${one.table} seat ${one.seat}`, byHand ? pathOf(one) : tablePath(one.table), "Player"] : [`${one.name}, ${one.status ?? "playing"}`, pathOf(one), "Player"]));
  const tables = (room?.cells ?? []).map(({ table }) => [`Table ${table}`, pageOf(table), "Table"]);
  const breaking = (room?.cells ?? []).map(({ table }) => breaks(table));
  const doing = $("#toggle") ? [...actions(), ...field.flatMap((one) => ofPlayer(one, byHand)), ...field.flatMap((one) => penalties(one, reasons)), ...breaking] : actions();
  return [...players, ...tables, ...doing.map(([words, does]) => [words, does, "Action"])];
}

/** `novák` and `NOVAK` are `novak`. */
const folded = (text) => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** How well a text fits: it begins with what was typed, each word of it begins one of its words, it has them somewhere. */
function fits(text, typed, words) {
  const folded_ = folded(text);
  if (!words.every((word) => folded_.includes(word))) return 0;
  if (folded_.startsWith(typed)) return 3;
  return words.every((word) => folded_.split(/[^\p{L}\p{N}]+/u).some((one) => one.startsWith(word))) ? 2 : 1;
}

function show() {
  const typed = folded($("#find-words").value.trim());
  const words = typed.split(/\s+/).filter(Boolean);
  const ranked = known.map((one) => [fits(one[0], typed, words), one]).filter(([fit]) => fit);
  found = ranked.sort(([one], [other]) => other - one).slice(0, MOST).map(([, one]) => one);
  const ruled = typed && rules.about === typed ? rules.found : [];
  const all = [...found, ...ruled.map((rule) => [`${rule.id}: ${rule.statement}`, () => openRule(rule.id), STANDS[rule.stands]])];
  if (typed) all.push([`Rules about “${typed}”`, `/rules?q=${encodeURIComponent(typed)}`, "Rules"]);
  draw($("#find-found"), all.map(([text, , kind]) => [text, kind]), () => all.map(([text, path, kind]) => h("li", {}, entry(text, path, kind))));
  say($("#find-none"), typed && !found.length ? `No player, table or action of that name${ruled.length ? "." : "; no rule either."}` : "");
}

/** The rules are asked of the server, which knows the words that people use. */
async function askRules() {
  const typed = folded($("#find-words").value.trim());
  if (typed.length < 3) return;
  const found = await fetch(`/api/rules?q=${encodeURIComponent(typed)}`).then((answer) => (answer.ok ? answer.json() : [])).catch(() => []);
  if (typed !== folded($("#find-words").value.trim())) return; // other words have been typed since
  rules = { about: typed, found: found.slice(0, MOST_RULES) };
  show();
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

$("#find-words")?.addEventListener("input", () => {
  show();
  clearTimeout(asking);
  asking = setTimeout(askRules, PAUSE_MS);
});
// Enter opens the first; the arrows lead through them.
$("#find")?.addEventListener("keydown", (event) => {
  const links = [...$("#find-found").querySelectorAll("a, button")];
  const at = links.indexOf(document.activeElement);
  if (event.key === "Enter" && at < 0 && event.target.id === "find-words") ready.then(() => found.length || whole).then(() => $("#find-found").querySelector("a, button")?.click());
  else if (event.key === "ArrowDown") links[Math.min(at + 1, links.length - 1)]?.focus();
  else if (event.key === "ArrowUp") (links[at - 1] ?? $("#find-words")).focus();
  else return;
  event.preventDefault();
});
