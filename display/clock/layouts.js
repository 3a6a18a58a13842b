/** Which layout a wall shows: what its address asks for, what the director holds, else what suits the moment. */

export const LAYOUTS = ["big", "director", "break", "seating", "final"];

/** `?layout=big` holds one on this screen alone. */
export const asked = (search) => LAYOUTS.find((one) => one === new URLSearchParams(search).get("layout")) ?? null;

export function layoutOf({ held, look, level, field }) {
  if (held) return held;
  if (LAYOUTS.includes(look.shows)) return look.shows;
  if (field?.over) return "final";
  if (field?.event && !field.started && field.players.some((one) => one.table)) return "seating";
  if (level?.is_break) return "break";
  return LAYOUTS.includes(look.running) ? look.running : "director";
}

/** One word for what the wall is in: its colours follow. */
export function stateOf({ level, left, running, field, known }) {
  if (!known) return "waiting";
  if (field?.over) return "over";
  if (field?.event && !field.started) return "before";
  if (level.is_break && running) return "break";
  if (!running) return "paused";
  return left <= 60_000 ? "last-minute" : "running";
}
