/** What every page of the station has: one stream, the link's state, the clock, keys and find. */
import { $, chips, minutes, say } from "../shared/dom.js";
import { follow } from "../shared/stream.js";
import { StationTime, ante, blinds, project, timeOfDay } from "../shared/time.js";
import { directorControls } from "./director.js";
import { find } from "./find.js";
import { undoLast } from "./undo.js";
import { listKeys, shortcuts } from "./keys.js";

const SILENT_MS = 2_600; // the station beats every second, and within three it is said that it does not
const LOOK_MS = 250;
const ASLEEP_MS = 2_000; // a device that slept finds its clock ahead of this page's time

const time = new StationTime();
let clock = null;
let night = null; // the event, where the person at this page may see it
let linked = true; // the stream, as the browser knows it
let heardAt = performance.now(); // when the station last beat
let heardTime = timeOfDay(); // the same, as the clock of this device had it
let woken = false; // the page was out of sight, or the device asleep: what it shows is of before

const controls = directorControls();

/**
 * Follows the page's channels and those of the frame in one stream; called once by each page.
 * `handlers[channel](snapshot, { age })` as in `follow`. `keys` are the page's own: `{ j: { does, act } }`.
 */
export function frame(handlers = {}, keys = {}) {
  const beat = (at, { age }) => {
    heardAt = performance.now() - age;
    heardTime = timeOfDay(Date.now() - age);
    woken = document.hidden;
    time.hear(at.boot, at.at, performance.now(), age);
    showLink();
  };
  const hear = (state, { age }) => {
    clock = state;
    if (clock) time.hear(clock.boot, clock.at, performance.now(), age);
    showClock();
  };
  const hearNight = (event) => {
    night = event;
    showClock();
  };
  const ofEvent = $("#find") && { night: both(hearNight, handlers.night) };
  const ofQueue = $("#queue-count") && (handlers.queue || matchMedia("(max-width: 699px)").matches) && { queue: both(countQueue, handlers.queue) };
  follow({ ...handlers, ...ofEvent, ...ofQueue, beat: both(beat, handlers.beat), clock: both(hear, handlers.clock) }, (up) => {
    linked = up;
    showLink();
  });
  setInterval(() => {
    watchSleep();
    showLink();
    showClock();
  }, LOOK_MS);
  // Grey when it goes out of sight, so that no frame after it comes back shows what is old in colour.
  document.addEventListener("visibilitychange", wake);
  addEventListener("pageshow", (event) => event.persisted && wake());
  addEventListener("beforeprint", () => $("#printed") && say($("#printed"), `As of ${heardTime}${document.body.dataset.link === "lost" ? ", nothing heard since" : ""}.`));
  if ($("#find")) shortcuts({ "/": { does: "Find a player, table, rule or action", act: find } });
  if ($("[data-undo]")) shortcuts({ u: { does: "Undo your last, after a question", act: undoLast } });
  shortcuts(keys);
  for (const [name, act] of [["find", find], ["undo", undoLast], ["more", () => $("#more").showModal()]]) {
    for (const button of document.querySelectorAll(`[data-${name}]`)) button.addEventListener("click", act);
  }
}

const both = (one, other) => (snapshot, about) => {
  one(snapshot, about);
  other?.(snapshot, about);
};

/** What the clock shows now: `{ clock, level, next, place, left, running }`; null before the first word of it. */
export const clockNow = () => clock && { clock, ...project(clock, time.at(performance.now())) };

/** How many wait for somebody, on each page of a phone; what is only to know does not count. */
function countQueue({ items }) {
  const waiting = items.filter((item) => item.severity !== "know").length;
  $("#queue-count").hidden = waiting === 0;
  say($("#queue-count"), `${waiting}`);
}

/** Everything shown is from `heardAt`; while that is old the page says so and is grey, lamps included. */
function showLink() {
  const quiet = performance.now() - heardAt;
  const lost = !linked || woken || quiet > SILENT_MS;
  document.body.dataset.link = lost ? "lost" : "up";
  const none = navigator.onLine ? "Nothing heard from the station" : "This device has no line: nothing heard from the station";
  if (!lost && $("#link").textContent) say($("#heard-again"), "The station is heard again.");
  say($("#link"), lost ? `${none} since ${heardTime}. What you see is old; the clock counts on by itself.` : "");
  say($("#quiet"), lost ? minutes(quiet) : "");
  if (lost) say($("#heard-again"), "");
}

/** Grey at once; the next beat says that it is current again. The words come with the next look, if still needed. */
function wake() {
  woken = true;
  document.body.dataset.link = "lost";
}

let drift = Date.now() - performance.now();
function watchSleep() {
  const now = Date.now() - performance.now();
  if (now - drift > ASLEEP_MS) {
    heardAt -= now - drift;
    wake();
  }
  drift = now;
}

function showClock() {
  const now = clockNow();
  if (!now) return;
  const { level, next, left, running } = now;
  $("#strip").dataset.state = running ? "running" : "paused";
  say($("#left"), minutes(left));
  say($("#level"), (level.is_break ? "Break" : `Level ${level.no}`) + (running ? "" : ", paused"));
  say($("#blinds"), [blinds(level, chips), ante(level, chips)].filter(Boolean).join(", "));
  say($("#next"), next ? blinds(next, chips) : "last level");
  say($("#players-left"), clock.entrants ? `${clock.players_left} of ${clock.entrants}` : `${clock.players_left}`);
  say($("#average"), chips(clock.average_stack));
  controls?.show(now, night);
}

for (const button of document.querySelectorAll("dialog [data-close]")) button.addEventListener("click", () => button.closest("dialog").close());

// A space bar scrolls or slips, and an Enter that is held would answer the next question too: only a fresh Enter, a
// click and a touch press buttons.
for (const type of ["keydown", "keyup"]) {
  document.addEventListener(type, (event) => {
    if ((event.key === " " || (event.key === "Enter" && event.repeat)) && event.target.closest?.("button")) event.preventDefault();
  });
}
listKeys();
