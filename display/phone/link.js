/** The stream of this phone. A phone sleeps, and its network comes and goes: the stream is opened again with a growing
 * wait, at once when the phone wakes or is in a network again, and the page says how old it is. */
import { StationTime } from "../shared/time.js";

const BEAT_MS = 10_000; // the station says something at least so often
const OLD_MS = 2.4 * BEAT_MS; // of two beats one may be lost
const FIRST_MS = 1_000;
const LONGEST_MS = 45_000;
const APART_MS = 3_000; // a clock of this phone that was set, or the station's machine that was started again

/** `handlers[name](value)` for each event; `onOld(since)` with the wall time of the last word once there is none, and
 * null when there is one again. Answers with `open(player)`, which begins anew for a player, and `now()`, the station's
 * time in ms as this phone reckons it. Times here are of `Date`: others stand still while a phone sleeps. */
export function link(handlers, onOld) {
  let station = new StationTime();
  let source = null;
  let whose = "";
  let heard = Date.now();
  let wait = FIRST_MS;
  let timer = null;
  let old = false;

  function hear() {
    heard = Date.now();
    wait = FIRST_MS;
    if (old) onOld(null);
    old = false;
  }

  function open() {
    clearTimeout(timer);
    source?.close();
    source = new EventSource(`/me/events${whose ? `?player=${encodeURIComponent(whose)}` : ""}`);
    source.addEventListener("now", (event) => {
      const { server, ms } = JSON.parse(event.data);
      const reckoned = station.at(Date.now());
      if (reckoned !== null && Math.abs(reckoned - ms) > APART_MS) station = new StationTime();
      station.hear(server, ms, Date.now());
      hear();
    });
    source.addEventListener("error", again);
    source.addEventListener("full", () => {
      handlers.full?.();
      wait = LONGEST_MS;
      again();
    });
    for (const [name, handle] of Object.entries(handlers)) {
      if (name === "full") continue;
      source.addEventListener(name, (event) => {
        hear();
        handle(JSON.parse(event.data));
      });
    }
  }

  function again() {
    source?.close();
    source = null;
    clearTimeout(timer);
    timer = setTimeout(open, wait * (0.5 + Math.random())); // phones of one hall do not come back at one moment
    wait = Math.min(LONGEST_MS, wait * 2);
  }

  function wake() {
    if (document.hidden) return;
    if (!source || Date.now() - heard > BEAT_MS * 1.2) {
      wait = FIRST_MS;
      open();
    }
    look();
  }

  function look() {
    const silent = Date.now() - heard > OLD_MS;
    if (silent && !old) {
      old = true;
      onOld(heard);
      if (source) again();
    } else if (silent && source) again();
  }

  document.addEventListener("visibilitychange", wake);
  addEventListener("online", wake);
  addEventListener("pageshow", wake);
  addEventListener("offline", () => {
    old = true;
    onOld(heard);
  });
  setInterval(look, 1_000);
  return {
    now: () => station.at(Date.now()),
    open: (player) => {
      whose = player;
      wait = FIRST_MS;
      open();
    },
  };
}
