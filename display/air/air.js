/** What is on air of a table: the whole picture, or one element of it. It draws what the relay shows, and nothing
 * when that may be out of date.
 *
 * `?show=board,pot` names parts, `?layout=nine|six|heads-up` where the plates stand, `?bg=green` a ground to key out
 * (a word or six hex digits), `?stack=bb` stacks in big blinds. */
import { card, slot } from "../shared/cards.js";
import { $, chips, draw, h, minutes, say, suitsChoice } from "../shared/dom.js";
import { follow } from "../shared/stream.js";
import { ante, blinds } from "../shared/time.js";

const GONE_MS = 2_500; // a stream that drops for a moment does not blink on air
const STALE_MS = 15 * 60_000; // no table plays a hand for as long
const LOOK_MS = 250;
const LISTS = ["hand", "equity", "chips"]; // each says what plates say: only where it is asked for
const WHOLE = ["seats", "board", "pot", "level", "release"];
const LAYOUTS = { nine: 5, six: 3, "heads-up": 1 }; // plates on the left
const HIGHEST_OF_SIX = 6;

const asked = new URLSearchParams(location.search);
const element = document.body.dataset.element;
const shows = new Set(element ? [element] : (asked.get("show")?.split(",") ?? WHOLE));
const onPlates = (part) => !element && (!asked.has("show") || shows.has(part));

let seen = null;
let shownAt = null;
let lostAt = null;
let cardsAt = null;

suitsChoice();
ground(asked.get("bg"));
for (const part of document.querySelectorAll("[data-part]")) part.classList.toggle("off", !shows.has(part.dataset.part));
follow(
  {
    [`overlay/${document.body.dataset.table}`]: (view, { age }) => {
      shownAt = performance.now() - age;
      cardsAt = view.cards_in_ms === null || view.cards_in_ms === undefined ? null : shownAt + view.cards_in_ms;
      seen = view;
      show(view);
      look();
    },
  },
  (up) => {
    lostAt = up ? null : (lostAt ?? performance.now());
    look();
  },
);
setInterval(look, LOOK_MS);

function ground(name) {
  if (!name) return;
  const colour = /^[0-9a-f]{6}$/i.test(name) ? `#${name}` : name;
  if (CSS.supports("color", colour)) document.documentElement.style.background = document.body.style.background = colour;
}

function look() {
  const now = performance.now();
  const lost = lostAt !== null && now - lostAt > GONE_MS;
  $("#air").hidden = !seen?.seats.length || lost || now - shownAt > STALE_MS;
  const left = cardsAt === null ? 0 : cardsAt - now;
  say($("#release"), left > 0 ? `Cards in ${minutes(left)}` : "");
  $("#release").hidden = left <= 0;
}

function show(view) {
  draw($("#board"), view.board, () => [0, 1, 2, 3, 4].map((i) => (view.board[i] ? card(view.board[i]) : slot())));
  say($("#pot"), chips(view.pot));
  const names = Object.fromEntries(view.seats.map((one) => [one.seat, nameOf(one)]));
  draw($("#pots"), [view.pots, names], () => view.pots.map((pot, no) => h("li", {}, [h("span", {}, no ? `Side ${no}` : "Main"), h("b", {}, chips(pot.amount)), h("em", {}, pot.seats.map((seat) => names[seat]).join(" · "))])));
  $("#pots").hidden = !view.pots.length;
  const level = view.level ? [blinds(view.level, chips), ante(view.level, chips)].filter(Boolean).join("\n") : "";
  say($("#level"), level);
  $("#level").hidden = !level;
  plates(view);
  for (const name of LISTS) draw($(`#${name}`), [view.seats, view.level], () => lists[name](view));
}

const lists = {
  hand: (view) => view.seats.filter((one) => one.makes && one.in_hand).map((one) => line(nameOf(one), one.makes)),
  equity: (view) => view.seats.filter((one) => one.share !== null && one.share !== undefined).sort((one, other) => other.share - one.share).map((one) => line(nameOf(one), percent(one.share))),
  chips: (view) => view.seats.filter((one) => !isOut(one)).sort((one, other) => other.stack - one.stack).map((one) => line(nameOf(one), stack(one.stack, view))),
};

const line = (name, value) => h("li", {}, h("span", {}, name), h("b", {}, value));
const nameOf = (one) => one.player || `Seat ${one.seat}`;
const percent = (share) => `${Math.round(share / 10)} %`;
const isOut = (one) => !one.stack && !one.in_hand && !one.won;

function stack(amount, view) {
  const big = view.level?.big_blind;
  if (asked.get("stack") !== "bb" || !big) return chips(amount);
  return `${(amount / big).toFixed(amount < 100 * big ? 1 : 0)} BB`;
}

/** A seat keeps its place as long as the layout stays. */
function plates(view) {
  const highest = Math.max(0, ...view.seats.map((one) => one.seat));
  const layout = asked.get("layout") in LAYOUTS ? asked.get("layout") : highest > HIGHEST_OF_SIX ? "nine" : "six";
  const headsUp = layout === "heads-up";
  const there = headsUp ? lastTwo(view.seats) : view.seats;
  $("#air").dataset.layout = layout;
  draw($("#seats"), [view, layout], () => there.map((one, no) => plate(one, view, headsUp ? [1, no] : placeOf(one.seat, LAYOUTS[layout]))));
}

/** The two who are left, or, where more are, the two who still play this hand. */
function lastTwo(seats) {
  const left = seats.filter((one) => !isOut(one));
  return (left.length > 2 ? left.filter((one) => one.in_hand) : left).slice(0, 2);
}

/** Row and side: the first half on the left from the top, the others on the right from the bottom. */
function placeOf(seat, left) {
  return seat <= left ? [seat, 0] : [Math.max(2 * left + 1 - seat, 1), 1];
}

function plate(one, view, [row, right]) {
  const did = isOut(one) ? "Out" : one.won ? `+${stack(one.won, view)}` : one.all_in ? "All-in" : one.folded ? "" : one.last;
  const blind = one.seat === view.button ? "D" : one.seat === view.small_blind ? "SB" : one.seat === view.big_blind ? "BB" : "";
  const node = h("li.seat", { "data-seat": one.seat }, [
    h("p.name", {}, nameOf(one)),
    h("p.chips", {}, h("span.stack", {}, stack(one.stack, view)), did ? h("span.did", {}, did) : null),
    one.cards.length ? h("div.hole", {}, one.cards.map(card)) : null,
    h("div.marks", {}, [
      h("p.facts", {}, [
        blind ? h("span.disc", {}, blind) : null,
        one.bet ? h("span.bet", {}, stack(one.bet, view)) : null,
        onPlates("equity") && one.share !== null && one.share !== undefined ? h("span.share", {}, percent(one.share)) : null,
      ]),
      onPlates("hand") && one.makes && one.in_hand ? h("span.makes", {}, one.makes) : null,
    ]),
  ]);
  node.style.setProperty("--row", row);
  const marks = { right, folded: one.folded, in: one.in_hand, turn: one.seat === view.to_act, "all-in": one.all_in, won: one.won > 0, out: isOut(one), away: one.away };
  for (const [name, on] of Object.entries(marks)) node.classList.toggle(name, Boolean(on));
  return node;
}
