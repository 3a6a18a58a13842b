/** What is done rarely with the money: prizes as the house sets them, prizes that go elsewhere, bounty games. */
import { money } from "../shared/dom.js";
import { folded } from "./desk.js";
import { elseForm, REASON } from "./else_form.js";
import { cents, filled } from "./night.js";

const text = (given, name) => (given.get(name) ?? "").trim();
const lines = (given, name) => text(given, name).split("\n").map((line) => line.trim()).filter(Boolean);
function called(name, { field }) {
  const found = field.filter((one) => one.player === name || folded(one.name) === folded(name));
  return found.length === 1 ? found[0].player : name; // the station says that it knows nobody of this name
}
const nameOf = (player, { field }) => field.find((one) => one.player === player)?.name ?? player;
const hunted = ({ settings }) => settings.bounties?.value === "two_targets";
const owing = ({ money: sums }) => Object.keys(sums.owed).filter((player) => sums.owed[player] > (sums.paid[player] ?? 0));

const OF_MONEY = {
  set_payouts: {
    words: "Set what the places pay",
    fits: () => true,
    fields: (_, { money: sums }) => [
      { name: "payouts", words: "Per cent of the purse, the first place first", required: true, value: sums.purse ? sums.payouts.map((pays) => Number(((pays / sums.purse) * 100).toFixed(2))).join(" ") : "" },
      { ...REASON, required: false },
    ],
    make: (given) => ["set_payouts", filled({ payouts: text(given, "payouts").split(/[\s;%]+/).filter(Boolean).map(Number), why: text(given, "why") })],
  },
  pay_prize: {
    words: "Pay a prize to somebody else",
    fits: (_, state) => owing(state).length,
    fields: (_, state) => [
      { name: "player", words: "Prize of", options: owing(state).map((player) => [player, `${nameOf(player, state)}, ${money(state.money.owed[player] - (state.money.paid[player] ?? 0))}`]) },
      { name: "to", words: "Paid to", required: true },
    ],
    make: (given) => ["pay_prize", { player: given.get("player"), to: text(given, "to") }],
  },
  name_targets: {
    words: "Name the two bounty targets",
    fits: (_, state) => hunted(state) && !Object.keys(state.money.bounties.targets).length,
    fields: () => [
      { name: "standing", words: "Standing of the season, the best first", lines: true },
      { name: "last_places", words: "The last event, its winner first", lines: true },
      { name: "carried_a", words: "Carried over to game A", numeric: true },
      { name: "carried_b", words: "Carried over to game B", numeric: true },
    ],
    make: (given, _, state) => {
      const players = (name) => lines(given, name).map((line) => called(line, state));
      return ["name_targets", { standing: players("standing"), last_places: players("last_places"), carried_a: cents(given.get("carried_a")) ?? 0, carried_b: cents(given.get("carried_b")) ?? 0 }];
    },
  },
  award_best_hand: {
    words: "Say who has the best hand of the night",
    fits: (_, { best_hand: best }) => best.pool > 0 && !best.won && best.unread.length,
    fields: () => [
      { name: "players", words: "Who has it; several share it", lines: true, required: true },
      { ...REASON, words: "Who saw it" },
    ],
    make: (given, _, state) => ["award_best_hand", { players: lines(given, "players").map((line) => called(line, state)), anyway: text(given, "why") }],
  },
  decide_bounty: {
    words: "Whose the money of a bounty game is",
    fits: (_, { money: sums }) => Object.keys(sums.bounties.open).length,
    fields: (_, state) => {
      const [game] = Object.keys(state.money.bounties.open);
      const may = [...new Set([...(state.money.bounties.hunters[game] ?? []), state.money.bounties.targets[game]])];
      return [
        { name: "game", words: "Game", options: Object.keys(state.money.bounties.open).map((one) => [one, one]) },
        { name: "shares", words: "An amount behind each name", lines: true, value: may.map((player) => `${nameOf(player, state)}: `).join("\n") },
        { name: "over", words: "Carried over to the next event", numeric: true },
        REASON,
      ];
    },
    make: (given, _, state) => {
      const shares = lines(given, "shares").map((line) => line.split(":").map((part) => part.trim())).filter(([, amount]) => amount);
      return ["decide_bounty", { game: given.get("game"), shares: shares.map(([name, amount]) => ({ player: called(name, state), amount: cents(amount) })), over: cents(given.get("over")) ?? 0, why: text(given, "why") }];
    },
  },
};

/** The form for the money of the event. */
export const moneyElse = elseForm("#money-else", OF_MONEY);
