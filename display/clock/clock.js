/** The wall clock. It counts without messages; a message corrects it. */
import { $, chips, minutes, money, say } from "../shared/dom.js";
import { follow } from "../shared/stream.js";
import { StationTime, ante, blinds, project } from "../shared/time.js";

const ALONE_MS = 2_600; // beats come once a second, and within three it is said that they do not
const TICK_MS = 200;

const station = new StationTime();
let state = null;
let heard = performance.now();

/** A message also carries the time; its age shows how long the source has been silent. */
function hear(message, age) {
  const now = performance.now();
  station.hear(message.boot, message.at, now, age);
  return now - age;
}

follow({
  beat: (beat, { age }) => (heard = hear(beat, age)),
  clock: (message, { age }) => {
    state = message;
    hear(message, age);
    show();
  },
});

function show() {
  const now = performance.now();
  const alone = now - heard;
  $("#alone").hidden = alone < ALONE_MS;
  say($("#alone"), `offline ${minutes(alone)}`);
  if (!state) return;

  const { level, next, place, left, running } = project(state, station.at(now));
  const lastMinute = running && left <= 60_000;
  $("#clock").dataset.state = running ? (lastMinute ? "last-minute" : "running") : "paused";
  $("#paused").hidden = running && !state.note; // a wall clock on its own runs on, and says so
  say($("#paused"), state.note || "Paused");
  const away = level.colour_up ? `: chips of ${level.colour_up} leave play` : "";
  say($("#level"), level.is_break ? `Break${away}` : `Level ${level.no}`);
  const text = minutes(left);
  say($("#left"), text);
  $("#left").classList.toggle("long", text.length > 5);
  $("#progress").style.transform = `scaleX(${Math.min(1, left / (level.minutes * 60_000))})`;
  say($("#blinds"), blinds(level, chips));
  say($("#ante"), ante(level, chips));
  showComing(place);
  showFacts(level, next);
}

/** The schedule behind the next entry, with the length of each. */
function showComing(place) {
  const length = (one) => (one.minutes < 1 ? `${Math.round(one.minutes * 60)} s` : `${Math.round(one.minutes)} min`);
  const coming = (state.levels ?? []).slice(place + 1).map((one) => `${blinds(one, chips)} (${length(one)})`);
  $("#coming").hidden = !coming.length;
  say($("#coming"), coming.length ? `To come: ${coming.join(", ")}` : "");
}

function showFacts(level, next) {
  say($("#next"), next ? blinds(next, chips) : "last level");
  say($("#players"), state.entrants ? `${state.players_left} of ${state.entrants}` : `${state.players_left}`);
  const inBlinds = level.big_blind ? ` (${Math.round(state.average_stack / level.big_blind)} BB)` : "";
  say($("#average"), chips(state.average_stack) + inBlinds);
  const places = (state.payouts ?? []).map((pays, at) => `${at + 1}: ${money(pays)}`);
  const posted = [state.buy_in ? `Buy-in ${money(state.buy_in)}` : "", places.length ? `Prizes ${places.join(", ")}` : ""].filter(Boolean).join(" · ");
  $("#posted").hidden = !posted;
  say($("#posted"), posted);
}

setInterval(show, TICK_MS);
