/** Payouts, a deal with its shares, what is owed, the cash box. */
import { $, chips, draw, h, many, money, say } from "../shared/dom.js";
import { ruleLink } from "../station/rule.js";
import { moneyElse } from "./money_else.js";
import { button, cents, namesOf, night, nothing, onSubmit, presses, row } from "./night.js";

let state = null;
let stale = ""; // why the shares that are filled in do not hold
let sharedBy = ""; // the stacks by which the shares were filled in
let way = ""; // by which the shares were filled in
let unit = null; // cents: what shares are whole multiples of; null: as the house pays prizes

night("book field stacks prizes", (shown) => {
  state = shown;
  const sums = shown.money;
  draw($("#sums"), [sums, Boolean(shown.finished)], () => [
    sum("Taken in", sums.taken_in),
    sum("Purse", sums.purse),
    sums.championship ? sum("Championship", sums.championship) : null,
    shown.finished ? null : sum("Still to play for", sums.left),
    sum("In the cash box", sums.cash_expected),
    sums.cash_counted === null ? null : sum("Counted", sums.cash_counted, sums.cash_counted !== sums.cash_expected),
    sums.until_the_money ? h("div", {}, h("dt", {}, "Until the money"), h("dd", {}, `${sums.until_the_money} to go`)) : null,
  ]);
  draw($("#owed"), [sums, shown.best_hand, shown.field], owedRows);
  const paid = paidRows();
  draw($("#paid"), [sums.paid, sums.owed, shown.field], () => paid);
  $("#paid-section").hidden = !paid.length;
  const bounties = bountyRows();
  draw($("#bounties"), [sums.bounties, shown.field], () => bounties);
  $("#bounty-section").hidden = !bounties.length;
  draw($("#places"), sums.payouts, () => (sums.payouts.length ? sums.payouts.map((pays, at) => row([h("b", {}, `${at + 1}.`), ` ${money(pays)}`])) : nothing(noPrizes())));
  say($("#rounding"), sums.rounding);
  if (presses) {
    $("#deal-section").hidden = Boolean(shown.finished);
    drawDeal();
    moneyElse({}, shown);
  }
});

function noPrizes() {
  const price = state.settings.buy_in;
  if (price?.value === 0) return ["There is no money in this event: ", price.rule ? ruleLink(price.rule) : "no entry fee", "."];
  return state.money.taken_in ? "The book does not say what the places pay: set it below." : "No prizes yet: nobody has paid.";
}

const sum = (words, amount, wrong = false) => h(wrong ? "div.wrong" : "div", {}, h("dt", {}, words), h("dd", {}, money(amount)));

function owedRows() {
  const { money: sums, best_hand: best } = state;
  const names = namesOf(state);
  const owed = Object.entries(sums.owed).filter(([player, amount]) => amount > (sums.paid[player] ?? 0));
  const rows = [
    ...Object.entries(sums.owed_for_rebuys).map(([player, amount]) => row(`${names[player]} owes ${money(amount)} for a rebuy that was announced.`, button("Paid", "buy", { player, kind: "rebuy" }, { about: names[player] }))),
    best.pool > 0 && row([`Best hand of the night, ${money(best.pool)}: ${best.hands.map(handOf).join(", ") || "none was shown"}.`, unreadOf(best)].filter(Boolean), !best.won && best.hands.length + best.unread.length > 0 && button("Pay the best hand", "award_best_hand")),
    ...owed.map(([player, amount]) => {
      const left = money(amount - (sums.paid[player] ?? 0));
      const place = state.field.find((one) => one.player === player)?.place;
      const to = sums.seat_prizes[player];
      return row([h("b", {}, names[player]), ` ${place ? `place ${place}, ` : ""}${left}${to ? `, paid to ${to}` : ""}`], button("Pay", "pay_prize", { player }, { about: `${names[player]} ${left}`, kind: "primary" }), h("a", { href: `/receipts?player=${player}` }, "Receipt"));
    }),
  ].filter(Boolean);
  return rows.length ? rows : nothing("Nobody is owed anything.");
}

const handOf = ({ name, cards }) => `${name} ${cards.join(" ")}`;

/** Hands that may be the best: a card of each was not read. */
function unreadOf({ unread, won }) {
  if (won || !unread.length) return null;
  const each = unread.slice(0, 3).map((hand) => `${handOf(hand)} on ${hand.board.join(" ")}, table ${hand.table} hand ${hand.hand}`);
  return h("span.warn", {}, ` Not every card was read of ${each.join("; ")}${unread.length > 3 ? ` and ${unread.length - 3} more` : ""}: each may be the best.`);
}

/** Who has been paid, and who has more than is owed: places were exchanged since, a bust was taken back. */
function paidRows() {
  const { paid, owed } = state.money;
  const names = namesOf(state);
  return Object.entries(paid).filter(([, amount]) => amount).map(([player, amount]) => {
    const over = amount - (owed[player] ?? 0);
    return row(
      [h("b", {}, names[player]), ` ${money(amount)}`, over > 0 ? h("span.warn", {}, ` ${money(over)} too much: it is to be taken back`) : null].filter(Boolean),
      over > 0 && button("Given back", "take_back_prize", { player }, { about: `${names[player]} ${money(over)}`, kind: "primary" }),
    );
  });
}

function bountyRows() {
  const { targets, hunters, carried, chips, open, won_by: won, decided } = state.money.bounties;
  const price = state.money.bounty_price;
  const names = namesOf(state);
  const games = Object.entries(targets).map(([game, target]) => {
    const hunt = hunters[game] ?? [];
    const amount = hunt.length * price + (carried[game] ?? 0);
    const ends = open[game] ? ` ${names[open[game].player]} ${open[game].why}: decide below whose it is.` : decided.includes(game) ? ` Won: ${Object.entries(won[game] ?? {}).map(([player, cents]) => `${names[player]} ${money(cents)}`).join(", ") || "carried over"}.` : "";
    return row([h("b", {}, `Game ${game}: ${names[target]}`), ` ${money(amount)}, hunted by ${hunt.map((player) => names[player]).join(", ") || "nobody yet"}.${ends}`]);
  });
  const held = Object.entries(chips).map(([player, count]) => {
    const out = state.field.find((one) => one.player === player)?.place !== null;
    return row([h("b", {}, names[player]), ` ${many(count, "bounty chip")}${price ? `, ${money(count * price)}` : ""}`], out && button("Cash", "cash_bounty_chips", { player }, { about: names[player] }));
  });
  return [...games, ...held];
}

// ---------------------------------------------------------------- a deal

const WAYS = { "chip model": "ICM", "by chips": "Chip-chop" };
const UNITS = { 1: "To the cent", 100: "In ones", 500: "In fives" };
const playing = () => state.field.filter((one) => one.status === "playing");

function drawDeal() {
  const ways = state.money.deals;
  draw($("#ways"), [ways, way], () =>
    Object.keys(ways).map((name) => {
      const node = h("button", { type: "button", "aria-pressed": `${name === way}` }, WAYS[name] ?? name);
      node.addEventListener("click", () => fill(name));
      return node;
    }),
  );
  const shown = unit ?? state.money.unit;
  draw($("#units"), [ways, shown, way], () =>
    Object.entries(Object.keys(ways).length ? UNITS : {}).map(([cents, words]) => {
      const node = h("button", { type: "button", "aria-pressed": `${Number(cents) === shown}` }, words);
      node.addEventListener("click", () => {
        unit = Number(cents);
        if (way) fill(way);
        else drawDeal();
      });
      return node;
    }),
  );
  sayLaw();
  sayStacks();
  draw($("#shares"), playing().map((one) => one.player), () => playing().map((one) => h("div.share", {}, h("label", {}, one.name, h("input", { name: one.player, inputmode: "decimal", required: true })), h("label.box", {}, h("input", { type: "checkbox", name: `agreed-${one.player}`, "aria-label": `${one.name} agreed` }), "agreed"))));
  check();
}

/** What the book has on deals, and that nothing may be left to play for. */
function sayLaw() {
  const said = ["prize_deals", "deal_leaves_stake"].map((name) => state.settings[name]).filter((one) => one?.rule);
  draw($("#deal-law"), said, () => (said.length ? said.flatMap((one) => [`${one.says} `, ruleLink(one.rule), " "]) : "The book is silent on deals."));
}

/** The stacks by which shares are proposed, and how old their counts are. */
function sayStacks() {
  const stacks = state.money.deal_stacks;
  const names = namesOf(state);
  const few = stacks.length > 1 && Object.keys(state.money.deals).length;
  const age = ({ counted, hand }) => (counted === null ? "not counted" : counted >= hand ? "counted" : `counted ${many(hand - counted, "hand")} ago`);
  const old = stacks.some(({ counted, hand }) => counted === null || counted < hand);
  draw($("#deal-stacks"), few ? [stacks, names] : "", () => (few ? ["Stacks: ", stacks.map((one) => `${names[one.player]} ${chips(one.stack)}, ${age(one)}`).join("; "), ". ", old ? h("a", { href: "/station/chips" }, "Count them first") : null].filter(Boolean) : []));
  const by = JSON.stringify(stacks.map(({ player, stack }) => [player, stack]));
  if (!sharedBy || sharedBy === by) return;
  sharedBy = by;
  for (const box of $("#deal").querySelectorAll("[type=checkbox]")) box.checked = false;
  stale = "The stacks have changed since the shares were filled in. Fill them in again; nobody has agreed to these.";
}

function fill(name) {
  way = name;
  stale = "";
  sharedBy = JSON.stringify(state.money.deal_stacks.map(({ player, stack }) => [player, stack]));
  for (const [player, amount] of Object.entries(inUnits(state.money.deals[name]))) $("#deal").elements[player].value = money(amount);
  drawDeal();
}

/** Each share rounded down to a whole unit; what is left of all of them goes, a unit each, to the largest remainders. */
function inUnits(shares) {
  const whole = unit ?? state.money.unit;
  const down = Object.fromEntries(Object.entries(shares).map(([player, amount]) => [player, amount - (amount % whole)]));
  const most = Object.keys(shares).sort((one, other) => (shares[other] % whole) - (shares[one] % whole));
  const sum = (amounts) => Object.values(amounts).reduce((all, one) => all + one, 0);
  const over = Math.floor((sum(shares) - sum(down)) / whole);
  for (const player of most.slice(0, over)) down[player] += whole;
  return down;
}

const shares = () => playing().map((one) => ({ player: one.player, amount: cents($("#deal").elements[one.player]?.value) ?? 0 }));

function check() {
  const given = shares().reduce((all, one) => all + one.amount, 0);
  const left = state.money.left - given;
  const shared = left < 0 ? `${money(-left)} more than there is.` : `${money(given)} shared; ${money(left)} stays to be played for.`;
  say($("#deal-sum"), [stale, Number.isNaN(given) ? "One of the amounts is none: write 118.80." : shared].filter(Boolean).join(" "));
  const without = playing().filter((one) => !agreed(one));
  $("#deal").elements.all.checked = without.length === 0;
  $("#deal-do").disabled = without.length > 0 || Boolean(stale);
  say($("#deal-wants"), without.length ? `Not agreed: ${without.map((one) => one.name).join(", ")}.` : "");
}

const agreed = (one) => $("#deal").elements[`agreed-${one.player}`]?.checked;

$("#deal")?.addEventListener("input", ({ target }) => {
  if (target.name === "all") for (const one of playing()) $("#deal").elements[`agreed-${one.player}`].checked = target.checked;
  if (target.inputMode === "decimal") stale = ""; // the amounts are those that people typed
  check();
});
onSubmit("#deal", () => ["make_deal", { shares: shares(), consent: playing().filter(agreed).map((one) => one.player), method: WAYS[way] ?? way }], { foresee: true });
onSubmit("#cash", (given) => ["count_cash", { amount: cents(given.get("amount")) }]);
