/** Kinds of event: what each sets, as it is typed. An empty text leaves it to the book. */

const NONE = { rebuys: "0", add_on: "no", re_entries: "0", bounties: "", bounty_price: "" };

export const KINDS = {
  "": { rebuys: "", add_on: "", re_entries: "", bounties: "", bounty_price: "" },
  freezeout: NONE,
  rebuy: { ...NONE, rebuys: "any", add_on: "yes" },
  "re-entry": { ...NONE, re_entries: "1" },
  bounty: { ...NONE, bounties: "chip per player" },
  satellite: NONE,
  flight: { re_entries: "1", rebuys: "0", add_on: "no" },
};

/** The kind that settings make. */
export function kindOf(typed) {
  if (typed.flight_of) return "flight";
  if (typed.satellite_seat || typed.seat_prizes) return "satellite";
  if (typed.bounties) return "bounty";
  if (typed.rebuys && typed.rebuys !== "0") return "rebuy";
  if (typed.re_entries && typed.re_entries !== "0") return "re-entry";
  return typed.rebuys === "0" ? "freezeout" : "";
}
