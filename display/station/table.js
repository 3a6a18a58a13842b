/** One table: its felt, stacks, what happened, devices, what is to decide there. */
import { $, chips, draw, h, minutes, say } from "../shared/dom.js";
import { lamps } from "../shared/words.js";
import { chipsOf, drawFelt, sayTurn } from "./felt.js";
import { frame } from "./frame.js";
import { queue } from "./queue.js";
import { directorHands } from "./resume.js";
import { ruleLink } from "./rule.js";
import { directorRulings } from "./rulings.js";

const KEPT = 80; // lines of what happened
const LINKS = { stale: "Nothing heard for", silent: "Silent for" };

const table = document.body.dataset.table;
const lines = []; // {at, text, rule}, the newest first
let view = null;
let cell = null;
let heardAt = 0;
let logged = { as_of: 0, notice: 0 };

const rulings = directorRulings(async () => view, showRulings);
const hands = directorHands();
const items = queue({ rule: rulings && ((where) => rulings.rule(where)), only: table });

frame(
  {
    [`table/${table}`]: (now) => {
      view = now;
      show();
    },
    room: hearRoom,
    queue: (now, about) => items.hear(now, about),
    ...(rulings && { rulings: rulings.hear }),
  },
  { ...items.keys, r: { does: "Rule at this table", act: () => $("#rule")?.click() } },
);
setInterval(showHeard, 500);

$("#rule")?.addEventListener("click", () => rulings.rule(table));
$("#take-back")?.addEventListener("click", () => rulings.takeBack(table));
$("#set-hand")?.addEventListener("click", () => hands.open(table));

function hearRoom(room, { age }) {
  cell = room.cells.find((one) => one.table === table) ?? null;
  heardAt = performance.now() - age - (cell?.heard_ms_ago ?? 0);
  items.alone(room.cells.length === 1);
  showHeard();
}

function show() {
  if ($("#rule")) $("#rule").disabled = $("#set-hand").disabled = false;
  hands?.hear([{ table, state: view }]);
  sayTurn(view);
  drawFelt(view);
  draw($("#lamps"), view.devices, () => lamps(view.devices));
  draw($("#stacks"), [view.seats, view.legal?.seat], () => view.seats.map(stackRow));
  say($("#sum"), `${chips(chipsOf(view))} chips at the table${cell?.chips_agree === false ? ": not as many as it should have" : ""}.`);
  log();
}

function stackRow(one) {
  const counted = one.counted_after ? `hand ${one.counted_after}` : "";
  const cells = [h("th", { scope: "row" }, `${one.seat}`), h("td", {}, one.player), h("td.n", {}, chips(one.stack)), h("td.n", {}, one.bet ? chips(one.bet) : "")];
  return h("tr", { class: view.legal?.seat === one.seat ? "acts" : null }, cells, h("td", {}, one.away ? "away" : one.last), h("td", {}, counted));
}

/** A table that is not heard is grey, its lamps too: nothing of it is known to be so now. */
function showHeard() {
  const old = cell !== null && cell.link !== "live";
  $("#one").classList.toggle("old", old);
  say($("#heard"), old ? `${LINKS[cell.link] ?? "Nothing heard for"} ${minutes(performance.now() - heardAt)}; what you see is from then` : "");
}

function showRulings() {
  const { ruling, given } = rulings.of(table);
  say($("#rule"), ruling ? "Rule" : "Ruling");
  $("#rule").classList.toggle("wanted", Boolean(ruling));
  $("#take-back").hidden = !given;
  if (given && !lines.some((line) => line.given === given.text)) add({ text: `Ruled by ${given.ruler || given.by}: ${given.text}`, rule: given.rule, given: given.text });
}

/* ------------------------------------------------------------------------------------------- what happened */

function log() {
  for (const notice of view.notices.filter((one) => one.seq > logged.notice)) add({ text: notice.text, rule: notice.rule, kind: "notice" });
  if (view.as_of > logged.as_of && view.last && view.last !== lines.find((line) => !line.kind && !line.given)?.text) add({ text: view.last, hand: view.hand });
  logged = { as_of: view.as_of, notice: Math.max(logged.notice, ...view.notices.map((one) => one.seq)) };
}

function add(line) {
  lines.unshift({ at: new Date().toLocaleTimeString("en-GB"), ...line });
  lines.length = Math.min(lines.length, KEPT);
  draw($("#log"), lines, () => lines.map((one) => h("li", { "data-kind": one.kind ?? (one.given && "ruling") }, h("time", {}, one.at), h("span", {}, one.text, one.rule ? [" ", ruleLink(one.rule)] : null))));
}
