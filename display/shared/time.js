import { t } from "./language.js";

/** The station's boot time as this browser estimates it, and the tournament clock projected to any instant. */

const KEPT = 64; // beats of about a minute: long enough for a quick one, short enough to follow drift

/**
 * A message stamped `at` and heard at `local` says: the station's time is at least `at` now. It has been under way
 * for an unknown time, never a negative one, so the largest difference seen comes from the quickest message
 * and is the best estimate.
 */
export class StationTime {
  #boot = null;
  #offsets = [];

  hear(boot, at, local, age = 0) {
    if (boot !== this.#boot) {
      this.#boot = boot;
      this.#offsets = [];
    }
    this.#offsets.push(at + age - local);
    if (this.#offsets.length > KEPT) this.#offsets.shift();
  }

  /** The station's boot time at `local`, null before the first message. */
  at(local) {
    return this.#offsets.length ? local + Math.max(...this.#offsets) : null;
  }

  /** When it is `at` at the station, as this page counts its own time; null before the first message. */
  local(at) {
    return this.#offsets.length ? at - Math.max(...this.#offsets) : null;
  }
}

/** `21:14:03`, as the clock of this device has it. */
export function timeOfDay(ms = Date.now()) {
  const at = new Date(ms);
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, "0")).join(":");
}

/** `21:14` of a wall time, by the clocks of the station's `zone`; without one, of this device. */
export function clockTime(wall, zone) {
  const time = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  return new Date(wall).toLocaleTimeString([], zone ? { ...time, timeZone: zone } : time);
}

/** Where in the schedule the level in play is, from 0; -1 when the schedule does not tell. Breaks look alike, so the
 * level that follows decides between them. */
export function placeOf({ level, next_level: next, levels, entry = null }) {
  if (entry !== null) return entry;
  const same = (one, other) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
  const alike = levels.flatMap((one, i) => (same(one, level) ? [i] : []));
  const followed = alike.filter((i) => same(levels[i + 1], next));
  return [followed, alike].find((found) => found.length === 1)?.[0] ?? -1;
}

/** What the clock shows at `now` (station boot time): it begins the levels of the schedule by itself. */
export function project(state, now) {
  const passed = state.running ? Math.max(0, now - state.at) : 0;
  let { level, next_level: next, left_ms: left } = state;
  left -= passed;
  let place = placeOf(state);
  while (left <= 0 && place >= 0 && place + 1 < state.levels.length) {
    place += 1;
    level = state.levels[place];
    next = state.levels[place + 1] ?? null;
    left += level.minutes * 60_000;
  }
  return { level, next, place, left: Math.max(0, left), running: state.running };
}

/** `500 / 1,000` */
export function blinds(level, chips) {
  return level.is_break ? (level.what ? t("Break: {what}", { what: level.what }) : t("Break")) : `${chips(level.small_blind)} / ${chips(level.big_blind)}`;
}

/** `BB ante 1,000`, `Ante 100`, or nothing */
export function ante(level, chips) {
  if (level.is_break) return "";
  if (level.big_blind_ante) return t("BB ante {chips}", { chips: level.big_blind_ante });
  return level.ante ? t("Ante {chips}", { chips: level.ante }) : "";
}
