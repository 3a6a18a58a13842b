/** What every page of the station has: one stream, the link's state, the clock, keys and find. */
import { $, chips, minutes, say } from "../shared/dom.js";
import { follow } from "../shared/stream.js";
import { StationTime, ante, blinds, project } from "../shared/time.js";
import { directorControls } from "./director.js";
import { find } from "./find.js";
import { listKeys, shortcuts } from "./keys.js";

const SILENT_MS = 3_000; // the station beats every second
const LOOK_MS = 250;

const time = new StationTime();
let clock = null;
let linked = true; // the stream, as the browser knows it
let heardAt = performance.now(); // when the station last beat

const controls = directorControls();

/**
 * Follows the page's channels and those of the frame in one stream; called once by each page.
 * `handlers[channel](snapshot, { age })` as in `follow`. `keys` are the page's own: `{ j: { does, act } }`.
 */
export function frame(handlers = {}, keys = {}) {
  const beat = (at, { age }) => {
    heardAt = performance.now() - age;
    time.hear(at.boot, at.at, performance.now(), age);
    showLink();
  };
  const hear = (state, { age }) => {
    clock = state;
    if (clock) time.hear(clock.boot, clock.at, performance.now(), age);
    showClock();
  };
  follow({ ...handlers, beat: both(beat, handlers.beat), clock: both(hear, handlers.clock) }, (up) => {
    linked = up;
    showLink();
  });
  setInterval(() => {
    showLink();
    showClock();
  }, LOOK_MS);
  if ($("#find")) shortcuts({ "/": { does: "Find a player, table, rule or action", act: find } });
  if ($('.pages a[href="/station/log"]')) shortcuts({ u: { does: "Undo the last, after a question", act: () => (location.href = "/station/log?do=Undo") } });
  shortcuts(keys);
  for (const [name, act] of [["find", find], ["more", () => $("#more").showModal()]]) {
    for (const button of document.querySelectorAll(`[data-${name}]`)) button.addEventListener("click", act);
  }
}

const both = (one, other) => (snapshot, about) => {
  one(snapshot, about);
  other?.(snapshot, about);
};

/** What the clock shows now: `{ clock, level, next, place, left, running }`; null before the first word of it. */
export const clockNow = () => clock && { clock, ...project(clock, time.at(performance.now())) };

/** Everything shown is from `heardAt`; while that is old the page says so and is grey, lamps included. */
function showLink() {
  const quiet = performance.now() - heardAt;
  const lost = !linked || quiet > SILENT_MS;
  document.body.dataset.link = lost ? "lost" : "up";
  say($("#link"), lost ? "Nothing heard from the station. What you see is old; the clock counts on by itself." : "");
  say($("#quiet"), lost ? minutes(quiet) : "");
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
  controls?.show(now);
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
