/** What is done rarely with a table, and with the seats of all. */
import { folded } from "./desk.js";
import { elseForm } from "./else_form.js";
import { filled } from "./night.js";

const DECKS = [["rotation", "Played long enough"], ["damaged_card", "A card is damaged"], ["player", "A player asked"], ["new_dealer", "A new dealer"]];
const cards = (given) => given.get("cards").trim().split(/[\s,]+/).filter(Boolean);
const text = (given, name) => (given.get(name) ?? "").trim();
const by = (settings, name) => settings[name]?.value;

const OF_TABLE = {
  set_button: {
    words: "Draw the button with cards",
    fits: ({ seats }) => seats.length > 0,
    fields: ({ seats }) => [{ name: "cards", words: `A card each for seats ${seats.map(({ seat }) => seat).join(", ")}`, required: true }],
    make: (given, { table, seats }) => ["set_button", { table, cards: cards(given), seats: seats.map(({ seat }) => seat) }],
  },
  set_dealer: {
    words: "Who deals",
    fits: ({ seats }) => seats.length > 0,
    fields: ({ seats }) => [{ name: "seat", words: "Dealer", options: [["", "Nobody who plays"], ...seats.map(({ seat, name }) => [seat, `Seat ${seat}, ${name}`])] }],
    make: (given, { table }) => ["set_dealer", filled({ table, seat: Number(given.get("seat")) || null })],
  },
  change_deck: {
    words: "Another deck",
    fits: () => true,
    fields: () => [{ name: "reason", words: "Why", options: DECKS }],
    make: (given, { table }) => ["change_deck", { table, reason: given.get("reason") }],
  },
  open_dispute: {
    words: "A dispute, which waits for the director",
    fits: ({ open }, { started }) => open && started,
    fields: () => [{ name: "why", words: "About what" }],
    make: (given, { table }) => ["open_dispute", filled({ table, why: text(given, "why") })],
  },
  deal_for_move: {
    words: "Cards say who moves",
    fits: ({ seats }, { started, settings }) => started && seats.length > 0 && by(settings, "balance_by_cards"),
    fields: () => [{ name: "cards", words: "A card each, from the dealer's left", required: true }],
    make: (given, { table }) => ["deal_for_move", { tables: [table], cards: cards(given) }],
  },
  sell_stack: {
    words: "An unsold stack is bought",
    fits: ({ table }, { field }) => field.some((one) => one.unsold && one.table === table) && field.some((one) => one.status === "registered"),
    fields: ({ table }, { field }) => [
      { name: "stack", words: "Stack", options: field.filter((one) => one.unsold && one.table === table).map((one) => [one.player, `seat ${one.seat}`]) },
      { name: "player", words: "Who buys it", options: field.filter((one) => one.status === "registered").map((one) => [one.player, one.name]) },
    ],
    make: (given) => ["sell_stack", { stack: given.get("stack"), player: given.get("player") }],
  },
};

const playing = ({ field }) => field.filter((one) => one.status === "playing");
const openTables = ({ tables }) => tables.filter(({ open }) => open).map(({ table }) => table);

/** The player of a line that begins with a name or an id. */
function whose(line, { field }) {
  const name = line.trim();
  const found = field.filter((one) => one.player === name || folded(one.name) === folded(name));
  return found.length === 1 ? found[0].player : name; // the station says that it knows nobody of this name
}
/** The lines of what was typed, each the words before the colon and behind it. */
const lines = (given, name) => text(given, name).split("\n").filter((line) => line.trim()).map((line) => line.split(/:|\t/).map((part) => part.trim()));

const OF_ALL = {
  draw_seats: {
    words: "Draw seats on certain tables, with dealers",
    fits: (_, { started }) => !started,
    fields: (_, state) => [
      { name: "tables", words: "Tables", value: openTables(state).join(" ") },
      { name: "dealers", words: "Who draws the aces, a name for each table, with commas" },
    ],
    make: (given, _, state) => ["draw_seats", filled({ tables: text(given, "tables").split(/[\s,]+/).filter(Boolean), ...named("dealers", text(given, "dealers").split(",").filter((one) => one.trim()).map((one) => whose(one, state))) })],
  },
  seat_cards: {
    words: "Seats by the cards that players drew",
    fits: (_, state) => !state.started && playing(state).length,
    fields: (_, state) => [{ name: "drawn", words: "A card behind each name", lines: true, required: true, value: playing(state).map((one) => `${one.name}: `).join("\n") }],
    make: (given, _, state) => ["draw_seats", { drawn: lines(given, "drawn").map(([name, card = ""]) => ({ player: whose(name, state), card })) }],
  },
  assign_seats: {
    words: "Seats by hand",
    fits: (_, state) => !state.started && playing(state).length,
    fields: (_, state) => [{ name: "seats", words: "Table and seat behind each name", lines: true, required: true, value: playing(state).map((one) => `${one.name}: ${one.table ? `${one.table} ${one.seat}` : ""}`).join("\n") }],
    make: (given, _, state) => ["assign_seats", { seats: lines(given, "seats").map(([name, at = ""]) => ({ player: whose(name, state), at: { table: at.split(/\s+/)[0], seat: Number(at.split(/\s+/)[1]) } })) }],
  },
  seat_by_standing: {
    words: "Seats by the season's standing",
    fits: (_, state) => !state.started && by(state.settings, "final_event_seating") && playing(state).length,
    fields: (_, state) => [{ name: "players", words: "The best first", lines: true, required: true, value: playing(state).map((one) => one.name).join("\n") }],
    make: (given, _, state) => ["seat_by_standing", { players: lines(given, "players").map(([name]) => whose(name, state)) }],
  },
  deal_for_move: {
    words: "Cards say which table gives a player",
    fits: (_, { started, settings }) => started && by(settings, "balance_by_cards"),
    fields: (_, state) => [{ name: "tables", words: "Tables", required: true, value: openTables(state).join(" ") }, { name: "cards", words: "A card for each of them", required: true }],
    make: (given) => ["deal_for_move", { tables: text(given, "tables").split(/[\s,]+/).filter(Boolean), cards: cards(given) }],
  },
};
const named = (name, list) => (list.length ? { [name]: list } : {});

/** The dialog shows this table. */
export const tableElse = elseForm("#table-else", OF_TABLE);
/** The form for the seats of all. */
export const allElse = elseForm("#all-else", OF_ALL);
