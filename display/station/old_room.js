/** The room as a station sends it that has no cells and no queue yet: what the pages draw, made of its tiles. */
import { minutes } from "../shared/dom.js";

export function cellsOf({ cells, tiles }) {
  return cells ?? tiles.map(cell);
}

function cell({ table, online, seen_ms_ago: heard, state }) {
  const link = online ? "live" : "silent"; // a table that is well may have nothing to say
  const facts = { table, link, heard_ms_ago: heard, to_act_ms: 0, level: 0, chips_agree: null, taken_by: "" };
  if (!state) return { ...facts, state: "empty", hand: 0, street: "", seats: [], button: null, to_act: null, trouble: "" };
  const playing = state.street !== "done" && state.hand > 0;
  const { hand, street, button, legal, floor } = state;
  return { ...facts, state: playing ? "playing" : "between_hands", hand, street, button, seats: state.seats.map((one) => one.seat), to_act: legal?.seat ?? null, trouble: floor ? "now" : "" };
}

/** Items from tiles, alerts and claims; `rulings` is the channel of that name, or null. */
export function itemsOf({ tiles, alerts, claims }, rulings) {
  const item = (id, kind, severity, facts) => ({ id, kind, severity, table: "", seat: null, player: "", do: "", rule: "", ms_ago: 0, decides: "", taken_by: "", taken_ms_ago: 0, primary: null, can_be_done: false, ...facts });
  const calls = tiles.filter(({ state }) => state?.floor).map(({ table }) => item(`floor-${table}`, "floor_call", "now", { table, fact: `Table ${table} calls the floor` }));
  const open = (rulings?.tables ?? []).filter(({ ruling }) => ruling).map(({ table, ruling }) => item(`ruling-${table}-${ruling.question}`, "ruling", "now", { table, seat: ruling.seat, fact: ruling.text, decides: ruling.by }));
  const machines = claims.map(({ table, ledger, key, mark, text, heard_ms_ago: ago }) =>
    item(`claim-${ledger}`, "claim", "now", {
      table,
      fact: text,
      primary: {
        label: "Hand over",
        command: "hand_over",
        arguments: { table, ledger, key },
        confirm: `Hand table ${table} over to machine ${mark}? The machine in charge was heard ${minutes(ago)} ago; nothing it says counts from then on. A hand in progress ends unobserved: the dealer counts the stacks.`,
      },
    }),
  );
  return { items: [...calls, ...open, ...machines, ...alerts.map((text) => item(`alert-${text}`, "other", "soon", { fact: text }))], decided: [] };
}
