/** What is on air of a table and its tournament: the whole picture, or one element of it. It draws what the relay
 * shows, and nothing when that may be out of date.
 *
 * The address: docs/air.md. What moves: motion.js. */
import { $, draw, minutes, say, suitsChoice } from "../shared/dom.js";
import { follow } from "../shared/stream.js";
import { conventions } from "./conventions.js";
import { drawEvent, drawLowerThird, drawTicker, drawTimes, runTicker } from "./event.js";
import { begin, fly, setShown } from "./motion.js";
import { chosen, FEED, FOUR_SUITS, FPS, ground, IS_PREVIEW, isOn, state } from "./options.js";
import { layoutOf, Plates } from "./plates.js";
import { drawBoard, drawLevel, drawPots, drawShotClock, LISTS, panelOf } from "./table.js";
import { LANGUAGE, text } from "./words.js";

const GONE_MS = 2_500; // a stream that drops for a moment does not blink on air
const STALE_MS = 15 * 60_000; // no table plays a hand for as long
const LOOK_MS = 250;
const ON_PLATES = ["hand", "equity", "outs", "shot-clock"]; // lists of their own where there are no plates
const OF_TABLE = new Set(["seats", "board", "pot", "level", "release", "shot-clock", ...Object.keys(LISTS)]);
const ROOT = document.documentElement;
const AIR = $("#air");
const PARTS = [...document.querySelectorAll("[data-part]")];

let view = null;
let event = null;
let shownAt = null; // of `view`
let eventAt = null;
let lostAt = null;
let before = null; // the view that was drawn last
let lowerThird = null;
let ticker = [];
let waiting = 0;

const plates = new Plates($("#seats"));
ROOT.lang = LANGUAGE;
suitsChoice();
if (FOUR_SUITS) ROOT.dataset.suits = "4";
ground();

const [table, tournament, programme] = IS_PREVIEW ? [`preview/${FEED}`, "preview", "staged"] : [`overlay/${FEED}`, "event", "programme"];
follow(
  {
    [table]: (next, { age }) => {
      [view, shownAt] = [next, performance.now() - age];
      news();
    },
    [tournament]: (next, { age }) => {
      [event, eventAt] = [next, performance.now() - age];
      news();
    },
    [programme]: (next) => {
      state.programme = next;
      if (next.cut) look(); // before anything else
      news();
    },
  },
  (up) => {
    lostAt = up ? null : (lostAt ?? performance.now());
    look();
  },
);
setInterval(look, LOOK_MS);
document.fonts.ready.then(show); // names are measured again

document.addEventListener("air:play", () => [(state.playing = true), news()]);
document.addEventListener("air:stop", () => [(state.playing = false), news()]);
document.addEventListener("air:update", ({ detail }) => {
  state.own = { ...state.own, ...detail, elements: { ...state.own.elements, ...detail.elements } };
  news();
});

/** Draw once a frame of the stream at most, where the address says how many it has. */
function news() {
  if (!FPS) return show();
  waiting ||= setTimeout(() => ((waiting = 0), show()), 1_000 / FPS);
}

const isThere = () => Boolean(view?.seats.length) && performance.now() - shownAt <= STALE_MS;
const shotClockLeft = () => Math.max(0, (view?.shot_clock?.left_ms ?? 0) - (performance.now() - shownAt));

function levelLeft() {
  if (!event?.level) return 0;
  return Math.max(0, event.left_ms - (event.running ? performance.now() - eventAt : 0));
}

function show() {
  const there = isThere();
  const layout = layoutOf(there ? view : null);
  ROOT.dataset.skin = chosen("skin");
  ROOT.dataset.layout = layout;
  if (there) drawTable(layout);
  else before = null;
  drawEvent(event);
  lowerThird = state.own.lower_third ?? state.programme.lower_third ?? null;
  ticker = state.own.ticker ?? state.programme.ticker ?? [];
  drawLowerThird(lowerThird);
  drawTicker(ticker);
  look();
  if (!AIR.hidden || !state.playing) begin();
}

function drawTable(layout) {
  const flights = flightsTo(view);
  drawBoard(view);
  drawPots(view);
  drawLevel(view);
  if (isShown("seats")) {
    AIR.hidden = Boolean(state.programme.cut);
    setShown($("#seats"), true); // names are measured
    const out = new Map((event?.out ?? []).map((one) => [one.player, one]));
    plates.draw(view, layout, out, shotClockLeft());
  }
  for (const [name, list] of Object.entries(LISTS)) {
    if (isShown(name)) draw($(`#${name}`), [view.seats, view.level, chosen("stack")], () => panelOf(...list(view)));
  }
  for (const flight of flights) flight();
  before = view;
}

/** Bets that went into the pot since the last picture, and the pot that went to a winner: from where they lay. */
function flightsTo(next) {
  if (!before || before === next || before.table !== next.table || before.hand !== next.hand || !isOn("seats") || !isOn("pot")) return [];
  const pot = $("#pot").getBoundingClientRect();
  const now = new Map(next.seats.map((one) => [one.seat, one]));
  const flights = [];
  for (const one of before.seats) {
    const later = now.get(one.seat);
    if (one.bet && later && !later.bet && !later.won) {
      const from = plates.betBox(one.seat);
      flights.push(() => fly(from, pot));
    }
    if (later?.won && !one.won) {
      const to = plates.box(one.seat);
      flights.push(() => fly(pot, to));
    }
  }
  return flights;
}

/** An element that plates show is a list where there are no plates. */
const isShown = (name) => state.playing && isOn(name) && !(ON_PLATES.includes(name) && isOn("seats"));

function hasContent(part, there) {
  const name = part.dataset.part;
  if (name === "lower-third") return Boolean(lowerThird?.title);
  if (name === "ticker") return ticker.some(Boolean);
  return part.hasChildNodes() && (there || !OF_TABLE.has(name));
}

/** What is shown of it all, at this moment. What nothing is known of any more goes at once. */
function look() {
  const now = performance.now();
  const lost = lostAt !== null && now - lostAt > GONE_MS;
  if (lost || state.programme.cut) {
    AIR.hidden = true;
    return;
  }
  const there = isThere();
  const cardsIn = there && view.cards_in_ms ? view.cards_in_ms - (now - shownAt) : 0;
  say($("#release"), cardsIn > 0 ? text.cardsIn(minutes(cardsIn)) : "");
  if (isShown("shot-clock")) drawShotClock(there ? view : null, shotClockLeft());
  drawTimes(levelLeft());
  for (const part of PARTS) setShown(part, isShown(part.dataset.part) && hasContent(part, there), !there && OF_TABLE.has(part.dataset.part));
  setShown($("#pots"), there && isShown("pot") && view.pots.length > 1, !there);
  for (const [name, id] of Object.entries({ ticker: "#ticker", leaders: "#leaderboard", clock: "#clock" })) {
    document.body.classList.toggle(`with-${name}`, $(id).dataset.on === "yes");
  }
  document.body.classList.toggle("without-seats", $("#seats").hidden);
  $(".bar").classList.toggle("empty", ["board", "pot", "level"].every((name) => $(`#${name}`).hidden));
  AIR.hidden = PARTS.every((part) => part.hidden);
  runTicker();
}

conventions(); // the last line: its first event draws
