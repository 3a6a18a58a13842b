/** What is done with a player beside the buttons of the sheet. */
import { elseForm, REASON } from "./else_form.js";
import { cents, filled, number } from "./night.js";

const SHOWN = [["", "as the club has it"], ["name", "The name"], ["initials", "Initials"], ["number", "A number"]];
const CHIPS = { name: "chips", words: "Chips", numeric: true, required: true };
const kept = (given, ...names) => filled(Object.fromEntries(names.map((name) => [name, (given.get(name) ?? "").trim()])));
const bustOf = ({ player }, { busts }) => busts.find((bust) => bust.out.some((out) => out.player === player));

const DOINGS = {
  enter: {
    words: "Enter with other chips, or for another price",
    fits: ({ status }) => status === "registered" || status === "waiting" || status === "out",
    fields: () => [{ name: "chips", words: "Chips", numeric: true }, { name: "paid", words: "Pays", numeric: true }, { name: "big_blind", words: "Big blind that counts, if two are in play", numeric: true }, { name: "exception", words: "Why, if the book allows fewer chips" }],
    make: (given, { player }) => ["enter", filled({ player, chips: number(given.get("chips")), paid: cents(given.get("paid")), big_blind: number(given.get("big_blind")), exception: given.get("exception").trim() })],
  },
  give_entry: {
    words: "The entry is another person's",
    fits: ({ status }) => status === "registered" || status === "playing",
    fields: (_, { known }) => [{ name: "name", words: "Whose it is", required: true, list: Object.values(known) }, { ...REASON, required: false }],
    make: (given, { player }, { known }) => {
      const name = given.get("name").trim();
      const same = name in known ? [name] : Object.keys(known).filter((id) => known[id] === name);
      const other = same.length === 1 ? same[0] : "";
      return ["give_entry", filled({ player, ...(other ? { other } : { name }), why: given.get("why").trim() })];
    },
    unforeseen: true,
    sure: (given, one) => `Seat, payment and chips of ${one.name} become those of ${given.get("name").trim()}. ${one.name} was never in; the slip is void.`,
  },
  announce_rebuy: { words: "Announces a rebuy, and plays behind", fits: ({ status }, { started }) => started && (status === "playing" || status === "busted"), fields: () => [], make: (_, { player }) => ["announce_rebuy", { player }] },
  move_cash: {
    words: "Money beside the entry: paid twice, given back",
    fits: ({ status }) => status !== "cancelled",
    fields: () => [{ name: "amount", words: "Amount; below 0: back to the player", numeric: true, required: true }, REASON],
    make: (given, { player }) => ["move_cash", { player, amount: cents(given.get("amount")), why: given.get("why").trim() }],
  },
  give_chips: {
    words: "Chips from the bank, or to it",
    fits: ({ status }, { started }) => started && status === "playing",
    fields: () => [{ ...CHIPS, words: "Chips; below 0: fewer" }, REASON],
    make: (given, { player }) => ["give_chips", { player, chips: number(given.get("chips")), why: given.get("why").trim() }],
  },
  report_bust: {
    words: "Out of chips, and nobody keyed it",
    fits: ({ status, table }, { started, by_hand: byHand }) => started && !byHand && status === "playing" && table,
    fields: (one, state) => [{ name: "start", words: "Stack at the start of the hand", numeric: true, required: true, value: one.stack ?? "" }, { name: "by", words: "Who won it", options: neighbours(one, state) }],
    make: (given, one, state) => ["report_bust", { table: one.table, hand: handOf(one, state), out: [{ player: one.player, start_stack: number(given.get("start")), by: given.get("by") ? [given.get("by")] : [] }] }],
  },
  forfeit: {
    words: "The stack leaves play, and the player",
    fits: ({ status }, { started }) => started && status === "playing",
    fields: (one, { by_hand: byHand }) => [{ ...CHIPS, required: !byHand, value: one.stack ?? "" }, REASON],
    make: (given, { player }) => ["forfeit", { player, chips: number(given.get("chips")) ?? 0, why: given.get("why").trim() }],
  },
  disqualify: {
    words: "Disqualify: the stack leaves play",
    fits: ({ status }, { started }) => started && (status === "playing" || status === "busted"),
    fields: (one) => [{ ...CHIPS, value: one.stack ?? 0 }, REASON],
    make: (given, { player }) => ["forfeit", { player, chips: number(given.get("chips")), why: given.get("why").trim(), disqualified: true }],
  },
  still_in: {
    words: "Still in: not out of that hand",
    fits: (one, state) => Boolean(bustOf(one, state)),
    fields: (one, state) => [{ ...CHIPS, words: "Chips that come back, such as half of a split pot", required: false }, { name: "giver", words: "Out of the stack of", options: [["", "who won them"], ...state.field.filter((other) => other.status === "playing").map((other) => [other.player, other.name])] }, REASON],
    make: (given, one, state) => ["drop_bust", filled({ bust: bustOf(one, state).bust, player: one.player, chips: number(given.get("chips")), giver: given.get("giver"), why: given.get("why").trim() })],
  },
  reinstate: {
    words: "In again with chips",
    fits: ({ status }) => status === "out",
    fields: (_, state) => [CHIPS, { name: "giver", words: "Out of the stack of", options: [["", "who won them"], ...state.field.filter((one) => one.status === "playing").map((one) => [one.player, one.name])] }, REASON],
    make: (given, { player }) => ["reinstate", filled({ player, chips: number(given.get("chips")), giver: given.get("giver"), why: given.get("why").trim() })],
  },
  correct_places: {
    words: "Has the place of another player",
    fits: ({ place }) => place !== null,
    fields: (one, { field }) => [{ name: "other", words: "Changes places with", required: true, options: field.filter((other) => other.place !== null && other.player !== one.player).sort((a, b) => Math.abs(a.place - one.place) - Math.abs(b.place - one.place)).map((other) => [other.player, `${other.name}, place ${other.place}`]) }, REASON],
    make: (given, one, { field }) => {
      const other = field.find(({ player }) => player === given.get("other"));
      const players = one.place > other.place ? [one.player, other.player] : [other.player, one.player];
      return ["correct_places", { players, why: given.get("why").trim() }];
    },
  },
  keep_apart: {
    words: "Keep apart from another player",
    fits: ({ status }) => status === "registered" || status === "playing",
    fields: (one, { field }) => [{ name: "other", words: "From", required: true, options: field.filter((other) => other.player !== one.player).map((other) => [other.player, other.name]) }],
    make: (given, { player }) => ["keep_apart", { one: player, other: given.get("other") }],
  },
  enter_bounty: {
    words: "Enters a bounty game",
    fits: ({ status }, { settings }) => settings.bounties?.value === "two_targets" && (status === "registered" || status === "playing"),
    fields: () => [{ name: "game", words: "Game", required: true, options: [["A", "A"], ["B", "B"]] }],
    make: (given, { player }) => ["enter_bounty", { player, game: given.get("game") }],
  },
  cash_bounty_chips: { words: "Cash the bounty chips", fits: (_, { settings }) => settings.bounties?.value === "chip_per_player", fields: () => [], make: (_, { player }) => ["cash_bounty_chips", { player }] },
  pass_over: { words: "Was offered the place and is not there", fits: ({ offered }) => offered, fields: () => [], make: (_, { player }) => ["pass_over", { player }] },
  confirm_member: { words: "The number of the membership has come", fits: ({ applied, member }) => applied && !member, fields: () => [], make: (_, { player }) => ["confirm_member", { player }] },
  refuse_entry: { words: "May not play in this event", fits: ({ status }) => status === "registered" || status === "waiting", fields: () => [REASON], make: (given, { player }) => ["refuse_entry", { player, ...kept(given, "why") }] },
  bar: {
    words: "Suspended at the last event",
    fits: ({ status }) => status === "registered" || status === "waiting",
    fields: () => [REASON, { name: "rule", words: "Rule, if another than the rulebook's" }],
    make: (given, { player }) => ["bar", { player, ...kept(given, "why", "rule") }],
  },
  lift_suspension: { words: "Not suspended for the next date after all", fits: ({ suspended }) => suspended, fields: () => [REASON], make: (given, { player }) => ["lift_suspension", { player, ...kept(given, "why") }] },
  correct_name: {
    words: "Another spelling of the name",
    fits: () => true,
    fields: ({ player, name }, { known }) => [{ name: "name", words: "Name", required: true, value: known[player] ?? name }],
    make: (given, { player }) => ["correct_name", { player, name: given.get("name").trim() }],
    unforeseen: true,
  },
  show_as: {
    words: "What the public reads",
    fits: () => true,
    fields: ({ shows }) => [{ name: "shown", words: "On walls, phones, on air and on the public page", options: SHOWN, value: shows ?? "" }],
    make: (given, { player }) => ["show_as", { player, shown: given.get("shown") }],
    unforeseen: true,
  },
  forget_player: {
    words: "Delete the name",
    fits: () => true,
    fields: () => [],
    make: (_, { player }) => ["forget_player", { player }],
    unforeseen: true,
    sure: (_, one) => `The name of ${one.name} is deleted here and for later events; the records keep ${one.player}, an id that nobody else gets.`,
  },
};

const neighbours = (one, { field }) => [["", "not known"], ...field.filter((other) => other.table === one.table && other.player !== one.player).map((other) => [other.player, other.name])];
/** The hand at the table that is over, so that the bust has its place among those that tables report. */
const handOf = (one, { tables }) => tables?.find(({ table }) => table === one.table)?.facts?.hand ?? 0;

/** The sheet shows this player: what may be chosen, and with `chosen` that one. */
export const whatElse = elseForm("#what-else", DOINGS);
