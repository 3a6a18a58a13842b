/** The dealer screen: what is public at one table, and what the dealer may press. */
import { BACK, card, slot } from "../shared/cards.js";
import { $, chips, draw, h, minutes, say, suitsChoice } from "../shared/dom.js";
import { said, t } from "../shared/language.js";
import { follow } from "../shared/stream.js";
import { ante, blinds } from "../shared/time.js";
import { STREETS, lamps } from "../shared/words.js";
import { calledClock, hearClocks, showClocks } from "./clocks.js";
import { fitBox, fitLine } from "./fit.js";
import { keypad } from "./keypad.js";
import { picker, unread } from "./picker.js";
import { rulings } from "./ruling.js";
import { pile, showSeats } from "./seats.js";

const table = document.body.dataset.table;
const pad = keypad(table, { rule: () => floor?.open(), ruleWord: () => floor?.word() ?? "Rule", about: (seat) => floor?.about(seat) });
const floor = rulings(table, { seat: () => pad?.seat() ?? null, number: () => pad?.number() ?? null, clear: () => pad?.clear(), failed: (words) => pad?.failed(words), inDoubt: (words) => pad?.inDoubt(words) });
const deck = picker(table, { failed: (words) => pad?.failed(words), inDoubt: (words) => pad?.inDoubt(words) });
const LONG_WORDS = 60; // a question of more letters is set smaller
const MOST_NAMED = 5; // seats of a side pot
const TICK_MS = 250;
let turn = ""; // whose it is, in which hand
let turnSince = 0;
let told = { notices: [], health: [], beside: "", refused: false }; // below the felt
let shownView = null;

suitsChoice($("#suits"));
const clocks = (message, { age }) => {
  hearClocks(message, age);
  tick();
};
follow(
  { [`table/${table}`]: show, [`clock/${table}`]: clocks, clock: clocks, ...(pad && { [`health/${table}`]: showHealth }) },
  (up) => ($("#link").hidden = up),
);

function show(view, { age }) {
  shownView = view;
  say($("#hand"), handWords(view));
  say($("#street"), streetWords(view));
  showLevel(view);
  draw($("#lamps"), [view.devices, view.by_hand], () => lamps(view));
  draw($("#board"), [view.board, view.devices.camera], () => [0, 1, 2, 3, 4].map((i) => boardCard(view, i)));
  showPots(view);
  showSeats(view, Boolean(pad));
  showTurn(view, age);
  showTold({ notices: view.notices });
  pad?.show(view);
  floor?.show(view);
  deck?.show(view);
  showBanner(view);
  $("main").dataset.asOf = view.as_of; // all of it is drawn
}

/** A hand that the director numbered below 1 has no number here. */
function handWords({ hand, street }) {
  if (hand > 0) return t("Hand {no}", { no: hand });
  return street === "done" ? t("No hand yet") : t("Hand in play");
}

function boardCard(view, i) {
  const text = view.board[i];
  if (!text) return slot();
  return text === BACK ? unread(i + 1, null, view, Boolean(pad)) : card(text);
}

function streetWords({ street, small_blind: small, hand }) {
  const dead = street === "preflop" && hand && small === null;
  const words = STREETS[street];
  return dead ? `${words} · ${t("no small blind (dead)")}` : words;
}

function showPots({ pot, pots, contenders, level }) {
  say($("#pot"), chips(pot));
  fitLine($("#pot"), chips(pot), 750);
  $(".pot").hidden = !pot;
  pile($("#pot-chips"), pot, level?.big_blind ?? 1);
  const sides = pots.length > 1 ? pots : [];
  draw($("#pots"), [sides, contenders], () => sides.map((amount, no) => h("li", {}, potWords(amount, no, sides.length, contenders?.[no]))));
}

/** `Main 9,300: 2, 5` */
function potWords(amount, no, count, seats = []) {
  const name = !no ? t("Main") : count > 2 ? t("Side {no}", { no }) : t("Side");
  const who = seats.length > MOST_NAMED ? t("{n} players", { n: seats.length }) : seats.join(", ");
  return `${name} ${chips(amount)}${who ? `: ${who}` : ""}`;
}

/** Of the devices only what the dealer can mend or should know. */
function showHealth({ facts }) {
  showTold({ health: facts.filter((one) => one.at_the_table && one.colour !== "green" && one.what !== "contact") });
}

function showTold(news) {
  told = { ...told, ...news };
  const { notices, health, beside, refused } = told;
  const mend = health.slice(0, 1).map((one) => t("The {device}: {words}", { device: said(one.device), words: `${said(one.words)} ${said(one.do)}` }));
  const room = 2 - mend.length - (beside ? 1 : 0);
  const lines = [...mend, ...(room > 0 ? notices.slice(-room).map((one) => said(one.text)) : [])];
  const now = beside ? [h(`li.beside${refused ? ".refused" : ""}`, {}, beside)] : []; // a small screen shows the last line
  draw($("#notices"), [lines, beside, refused], () => [...lines.map((text) => h("li", {}, text)), ...now]);
  fitBox($("#notices"));
}

function showLevel({ level, next_hand_level: next }) {
  const parts = level ? [t("Level {no}", { no: level.no }), blinds(level, chips), ante(level, chips)] : [];
  if (level && next && next.no !== level.no) parts.push(t("next hand {blinds}", { blinds: blinds(next, chips) }));
  const shown = parts.filter(Boolean);
  fitLine($("#level"), shown.join(" · "), 650);
  draw($("#level"), shown, () => shown.flatMap((part, no) => [no ? " · " : null, h("span", {}, part)]));
}

function showBanner({ question, last, seats, legal, no_hand: noHand, outcome, waiting, typed }) {
  // Without seats this machine is fenced: only its text is shown.
  $("#banner").classList.toggle("asks", Boolean(question) || !seats.length);
  $("#banner").dataset.outcome = outcome ?? "";
  const standing = said(question ? question.text : noHand && !legal ? noHand : last);
  // A question covers nothing: what was done, what waits and what is typed stand below the felt.
  const keypad = typed && t("Typed: {keys}", { keys: said(typed) });
  const beside = [standing === said(last) ? "" : said(last), said(waiting), keypad].filter(Boolean).join(" · ");
  showTold({ beside, refused: outcome === "refused" });
  if ($("#banner").classList.contains("failed")) return;
  say($("#says"), standing);
  $("#says").classList.toggle("long", standing.length > LONG_WORDS);
}

/** How long the player whose turn it is has thought, or what is left of the clock that was called. */
function tick() {
  showClocks();
  const clock = calledClock();
  const thought = turn ? minutes(Math.floor((performance.now() - turnSince) / 1000) * 1000) : "";
  say($("#thinking"), clock ? minutes(clock.left) : thought);
  $("#thinking").classList.toggle("called", Boolean(clock));
  for (const node of document.querySelectorAll("#seats .seat")) {
    const on = clock?.seat === Number(node.dataset.seat);
    node.classList.toggle("called", on);
    if (on) node.style.setProperty("--left", (clock.left / clock.of).toFixed(3));
  }
  if (shownView) showWho(shownView, clock);
}
setInterval(tick, TICK_MS);

function showWho({ legal, seats, street }, clock) {
  const player = legal ? (seats.find((one) => one.seat === legal.seat)?.player ?? "") : STREETS[street];
  sayIn($("#who-name"), clock ? said(clock.words) : player);
}

/** What is done next: in one line that is never empty, with what is known beside it below. */
function showTurn({ legal, hand, street, question, seats, next_step: step }, age) {
  const now = legal ? `${hand} ${street} ${legal.seat}` : "";
  if (now !== turn) turnSince = performance.now() - age;
  turn = now;
  const [next, ...beside] = (said(step) || (legal ? t("Seat {seat} to act", { seat: legal.seat }) : STREETS[street])).split(". ");
  sayIn($("#next"), next);
  const asks = question && question.kind !== "ruling";
  sayIn($("#raise"), legal && !asks ? raiseWords(legal, seats) : beside.join(". "));
  tick();
}

/** The big blind with an option raises, although nothing is to be called. */
function raiseWords({ min_to: least }, seats) {
  if (least === null) return t("Betting is closed to this seat");
  return seats.some(({ bet }) => bet) ? t("Minimum raise to {chips}", { chips: least }) : t("Minimum bet {chips}", { chips: least });
}

/** Text of the box of what is next, which is made to fit when it changes. */
function sayIn(node, text) {
  if (node.textContent === text) return;
  node.textContent = text;
  fitBox($("#turn"));
}
const fitted = () => [$("#turn"), $("#banner"), $("#notices")].forEach(fitBox);
addEventListener("resize", fitted);
new MutationObserver(() => fitBox($("#banner"))).observe($("#banner"), { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ["hidden", "class"] });
