/** The tournament's clock in the header, and the clock that was called on a player. Both count on without messages. */
import { $, minutes, say } from "../shared/dom.js";
import { said, t } from "../shared/language.js";
import { project } from "../shared/time.js";

let blinds = null;
let called = null;
let heard = 0;

/** A snapshot of `clock/<table>` (`TableClocks`), at the station of `clock` (`ClockState`). */
export function hearClocks(message, age) {
  heard = performance.now() - age;
  blinds = "level" in message ? message : message.blinds;
  called = message.called ?? null;
  showClocks();
}

/** What is left of the clock that was called: `{ seat, left, of, words }`, null where none runs. */
export function calledClock() {
  if (!called) return null;
  return { seat: called.seat, left: Math.max(0, called.left_ms - (performance.now() - heard)), of: called.of_ms, words: called.words };
}

/** The time that is left of the level or the break. */
export function showClocks() {
  const node = $("#time");
  node.hidden = !blinds;
  if (!blinds) return;
  const { level, left, running } = project({ ...blinds, at: 0 }, performance.now() - heard);
  const state = !running ? "paused" : level.is_break ? "break" : left <= 60_000 ? "last-minute" : "running";
  node.dataset.state = state;
  const words = [level.is_break ? said(level.what) || t("Break") : "", running ? "" : t("Paused"), minutes(left)];
  say(node, words.filter(Boolean).join(" "));
}
