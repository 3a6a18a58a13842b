/** Payouts, a deal with its shares, what is owed, the cash box. */
import { $, draw, h, money, say } from "../shared/dom.js";
import { button, cents, namesOf, night, nothing, onSubmit, presses, row } from "./night.js";

let state = null;
let way = ""; // by which the shares were filled in
let unit = null; // cents: what shares are whole multiples of; null: as the house pays prizes

night("field prizes", (shown) => {
  state = shown;
  const sums = shown.money;
  draw($("#sums"), sums, () => [
    sum("Taken in", sums.taken_in),
    sum("Purse", sums.purse),
    sums.championship ? sum("Championship", sums.championship) : null,
    sum("Still to play for", sums.left),
    sum("In the cash box", sums.cash_expected),
    sums.cash_counted === null ? null : sum("Counted", sums.cash_counted, sums.cash_counted !== sums.cash_expected),
    sums.until_the_money ? h("div", {}, h("dt", {}, "Until the money"), h("dd", {}, `${sums.until_the_money} to go`)) : null,
  ]);
  draw($("#owed"), [sums, shown.best_hand, shown.field], owedRows);
  draw($("#places"), sums.payouts, () => (sums.payouts.length ? sums.payouts.map((pays, at) => row([h("b", {}, `${at + 1}.`), ` ${money(pays)}`])) : nothing("No prizes yet: nobody has paid, or the house pays none.")));
  say($("#rounding"), sums.rounding);
  if (presses) drawDeal();
});

const sum = (words, amount, wrong = false) => h(wrong ? "div.wrong" : "div", {}, h("dt", {}, words), h("dd", {}, money(amount)));

function owedRows() {
  const { money: sums, best_hand: best } = state;
  const names = namesOf(state);
  const owed = Object.entries(sums.owed).filter(([player, amount]) => amount > (sums.paid[player] ?? 0));
  const rows = [
    ...Object.entries(sums.owed_for_rebuys).map(([player, amount]) => row(`${names[player]} owes ${money(amount)} for a rebuy that was announced.`, button("Paid", "buy", { player, kind: "rebuy" }, { about: names[player] }))),
    best.pool > 0 && row(`Best hand of the night, ${money(best.pool)}: ${best.hands.map((hand) => `${hand.name} ${hand.cards.join(" ")}`).join(", ") || "none was shown"}.`, !best.won && best.hands.length > 0 && button("Pay the best hand", "award_best_hand")),
    ...owed.map(([player, amount]) => {
      const left = money(amount - (sums.paid[player] ?? 0));
      const place = state.field.find((one) => one.player === player)?.place;
      const to = sums.seat_prizes[player];
      return row([h("b", {}, names[player]), ` ${place ? `place ${place}, ` : ""}${left}${to ? `, paid to ${to}` : ""}`], button("Pay", "pay_prize", { player }, { about: `${names[player]} ${left}`, kind: "primary" }), h("a", { href: `/receipts?player=${player}` }, "Receipt"));
    }),
  ].filter(Boolean);
  return rows.length ? rows : nothing("Nobody is owed anything.");
}

// ---------------------------------------------------------------- a deal

const WAYS = { "chip model": "ICM", "by chips": "Chip-chop" };
const UNITS = { 1: "To the cent", 100: "Whole dollars", 500: "Fives" };
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
  draw($("#shares"), playing().map((one) => one.player), () => playing().map((one) => h("div.share", {}, h("label", {}, one.name, h("input", { name: one.player, inputmode: "decimal", required: true })), h("label.box", {}, h("input", { type: "checkbox", name: `agreed-${one.player}`, "aria-label": `${one.name} agreed` }), "agreed"))));
  check();
}

function fill(name) {
  way = name;
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
  say($("#deal-sum"), left < 0 ? `${money(-left)} more than there is.` : `${money(given)} shared; ${money(left)} stays to be played for.`);
  const without = playing().filter((one) => !agreed(one));
  $("#deal").elements.all.checked = without.length === 0;
  $("#deal-do").disabled = without.length > 0;
  say($("#deal-wants"), without.length ? `Not agreed: ${without.map((one) => one.name).join(", ")}.` : "");
}

const agreed = (one) => $("#deal").elements[`agreed-${one.player}`]?.checked;

$("#deal")?.addEventListener("input", ({ target }) => {
  if (target.name === "all") for (const one of playing()) $("#deal").elements[`agreed-${one.player}`].checked = target.checked;
  check();
});
onSubmit("#deal", () => ["make_deal", { shares: shares(), consent: playing().filter(agreed).map((one) => one.player), method: WAYS[way] ?? way }], { foresee: true });
onSubmit("#cash", (given) => ["count_cash", { amount: cents(given.get("amount")) }]);
