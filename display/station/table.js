/** One table: its felt, stacks, what happened, devices, what is to decide there. */
import { $, chips, draw, h, minutes, say } from "../shared/dom.js";
import { timeOfDay } from "../shared/time.js";
import { BY_HAND, healthLine, lamps } from "../shared/words.js";
import { camera } from "./camera.js";
import { clip } from "./clip.js";
import { command } from "./command.js";
import { chipsOf, drawFelt, sayTurn } from "./felt.js";
import { alsoFind } from "./find.js";
import { frame } from "./frame.js";
import { withNames } from "./names.js";
import { queue } from "./queue.js";
import { goingBack } from "./rewind.js";
import { directorHands } from "./resume.js";
import { ruleLink } from "./rule.js";
import { directorRulings } from "./rulings.js";

const LINKS = { stale: "Nothing heard for", silent: "Silent for" };

const table = document.body.dataset.table;
let said = null; // as the table says it
let names = {};
let view = null; // with the names of the players
let cell = null;
let heardAt = 0;
let facts = [];
let presses = [];

const rulings = directorRulings(async () => view, showRulings);
if (rulings) alsoFind(() => rulings.toRaise([table]));
const hands = directorHands();
const back = goingBack(table);
const eye = camera(table);
const film = clip(table);
const items = queue({ rule: rulings && ((where) => rulings.rule(where)), only: table });

frame(
  {
    [`table/${table}`]: (now) => {
      said = now;
      show();
    },
    [`names/${table}`]: (now) => {
      names = now;
      if (said) show();
    },
    room: hearRoom,
    queue: (now, about) => {
      items.hear(now, about);
      rulings?.hearQueue(now);
    },
    ...(rulings && { rulings: rulings.hear, [`history/${table}`]: showHistory, [`presses/${table}`]: showPresses, [`health/${table}`]: showHealth }),
    ...(eye && { [`picture/${table}`]: eye.hear }),
    ...(film && { [`clip/${table}`]: film.hear }),
  },
  { ...items.keys, r: { does: "Rule at this table", act: () => $("#make-ruling")?.click() } },
);
setInterval(showHeard, 500);

$("#make-ruling")?.addEventListener("click", () => rulings.rule(table));
$("#take-back")?.addEventListener("click", () => rulings.takeBack(table));
$("#stacks").addEventListener("click", ({ target }) => {
  const seat = target.closest("[data-count]")?.dataset.count;
  if (seat) command("ask_count", { table, seat: Number(seat) });
});
$("#undo")?.addEventListener("click", () => back.open());
$("#set-hand")?.addEventListener("click", () => hands.open(table));

function hearRoom(room, { age }) {
  cell = room.cells.find((one) => one.table === table) ?? null;
  heardAt = performance.now() - age - (cell?.heard_ms_ago ?? 0);
  items.alone(room.cells.length === 1);
  showHeard();
}

function show() {
  view = withNames(said, names);
  if ($("#make-ruling")) $("#make-ruling").disabled = $("#set-hand").disabled = false;
  hands?.hear([{ table, state: view }], age);
  back?.see(view);
  sayTurn(view);
  drawFelt(view);
  draw($("#lamps"), [view.devices, view.by_hand], () => lamps(view));
  say($("#health-none"), view.by_hand ? `${BY_HAND}: it has no keypad, shoe or camera.` : "Nothing has been said of them yet.");
  $(".cameras").hidden = view.by_hand;
  drawStacks();
  say($("#sum"), `${chips(chipsOf(view))} chips at the table${cell?.chips_agree === false ? ": not as many as it should have" : ""}.`);
}

function drawStacks() {
  if (view) draw($("#stacks"), [view.seats, view.legal?.seat, view.notices, facts], () => view.seats.map(stackRow));
}

/** Of when the state shown is: the table's last event, and how long nothing has been heard of it. */
function age() {
  const last = facts.findLast((fact) => fact.wall);
  const since = cell && cell.link !== "live" ? `nothing heard for ${minutes(performance.now() - heardAt)}` : "";
  return [last && `as of ${timeOfDay(Date.parse(last.wall))}, ${last.text}`, since].filter(Boolean).join("; ");
}

function stackRow(one) {
  const asks = $("#make-ruling") ? h("button", { type: "button", "data-count": `${one.seat}`, "aria-label": `Ask for a count of seat ${one.seat}` }, "Ask") : null;
  const cells = [h("th", { scope: "row" }, `${one.seat}`), h("td", {}, one.name), h("td.n", {}, `${chips(one.stack)} `, one.bet ? h("em", {}, `+ ${chips(one.bet)}`) : null)];
  return h("tr", { class: view.legal?.seat === one.seat ? "acts" : null }, cells, h("td", {}, one.away ? "away" : one.last), h("td.counted", {}, counted(one), asks));
}

/** When the stack was counted last; where the director has asked, what came of it. */
function counted({ seat, counted_after: hand }) {
  const asked = view.notices.findLast((one) => one.kind === "count_asked" && one.seat === seat);
  const count = asked && facts.findLast((one) => one.kind === "table" && one.seat === seat && one.amount !== null && one.seq > asked.seq);
  if (asked && !count) return "asked";
  return count ? count.text.replace(/^Seat \d+ counted: /, "") : hand ? `hand ${hand}` : "";
}

/** How the devices are: what is to be done first, then what is well, one line a device. */
function showHealth({ facts: known }) {
  const [red, yellow, green] = ["red", "yellow", "green"].map((colour) => known.filter((one) => one.colour === colour));
  const well = [...new Set(green.map((one) => one.device))].map((device) => ({
    device,
    colour: "green",
    words: green.filter((one) => one.device === device).map((one) => one.words).join(" "),
  }));
  $("#health-none").hidden = known.length > 0 && !view?.by_hand;
  draw($("#health"), known, () => [...red, ...yellow, ...well].map(healthLine));
}

/** A table that is not heard is grey, its lamps too: nothing of it is known to be so now. */
function showHeard() {
  const old = cell !== null && cell.link !== "live";
  $("#one").classList.toggle("old", old);
  say($("#heard"), old ? `${LINKS[cell.link] ?? "Nothing heard for"} ${minutes(performance.now() - heardAt)}; what you see is from then` : "");
}

function showRulings() {
  const { ruling, given } = rulings.of(table);
  say($("#make-ruling"), ruling ? "Rule" : "Ruling");
  $("#make-ruling").classList.toggle("wanted", Boolean(ruling));
  $("#take-back").hidden = !given;
}

/* ------------------------------------------------------------------------------------------- what happened */

$("#log")?.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-back]");
  if (button) back.open(Number(button.dataset.back));
});

/** Every recorded fact, the newest first, with who or what said it; what was taken back stays readable. */
function showHistory(history) {
  facts = history.facts;
  back.hear(facts);
  drawPresses();
  drawStacks();
  draw($("#log"), facts, () => [...facts].reverse().map(factLine));
}

function factLine(fact) {
  const { kind, text, source, hand, wall, inferred, by, rule, taken_back: gone } = fact;
  const from = by ? `${source}, by ${by}` : source;
  return h(
    "li",
    { "data-kind": kind },
    h("time", {}, new Date(wall).toLocaleTimeString("en-GB")),
    h("span", {}, gone ? h("s", {}, text) : text, rule ? [" ", ruleLink(rule)] : null),
    h("span.source", { "data-inferred": inferred ? "yes" : null }, hand ? `Hand ${hand}: ${from}` : from, gone ? `; taken back by ${gone}` : ""),
    fact.can_go_back ? h("button", { type: "button", "data-back": `${fact.seq}`, "aria-label": `Take back ${text}, or replace it` }, "Take back") : null,
  );
}

/* ---------------------------------------------------------------------------------------------- last presses */

function showPresses(last) {
  presses = last.presses;
  drawPresses();
}

function drawPresses() {
  draw($("#presses"), [presses, facts], () => [...presses].reverse().map(pressLine));
}

/** What a press led to is found among the facts; those that are older than they go back are not told again. */
function pressLine({ wall, device, keys, by, facts: led }) {
  const known = led.map((seq) => facts.find((fact) => fact.seq === seq)).filter(Boolean);
  const told = known.flatMap(({ text, taken_back: gone }) => ["; ", gone ? h("s", {}, text) : text]).slice(1);
  const none = led.length ? "recorded" : "nothing came of it at once";
  return h(
    "li",
    {},
    h("time", {}, new Date(wall).toLocaleTimeString("en-GB")),
    h("span", {}, h("b", {}, keys), by ? ` (${device}, ${by})` : ` (${device})`),
    h("span.source", {}, told.length ? told : none),
  );
}
