/** The broadcast overlay: draws what the relay released; nothing when that may be out of date. */
import { card, slot } from "../shared/cards.js";
import { $, chips, draw, h, say, suitsChoice } from "../shared/dom.js";
import { follow } from "../shared/stream.js";
import { ante, blinds } from "../shared/time.js";

const GONE_MS = 2_500; // a stream that drops for a moment does not blink on air
const STALE_MS = 15 * 60_000; // no table plays a hand for as long

let shownAt = null;
let lostAt = null;

suitsChoice();
follow(
  {
    [`overlay/${document.body.dataset.table}`]: (view, { age }) => {
      shownAt = performance.now() - age;
      show(view);
      hideWhenStale();
    },
  },
  (up) => {
    lostAt = up ? null : (lostAt ?? performance.now());
    hideWhenStale();
  },
);
setInterval(hideWhenStale, 250);

function hideWhenStale() {
  const now = performance.now();
  const lost = lostAt !== null && now - lostAt > GONE_MS;
  $("#overlay").hidden = shownAt === null || lost || now - shownAt > STALE_MS;
}

function show(view) {
  draw($("#board"), view.board, () => [0, 1, 2, 3, 4].map((i) => (view.board[i] ? card(view.board[i]) : slot())));
  say($("#pot"), chips(view.pot));
  const names = Object.fromEntries(view.seats.map((one) => [one.seat, one.player || `Seat ${one.seat}`]));
  draw($("#pots"), [view.pots, names], () => view.pots.map((pot, no) => h("li", {}, [h("span", {}, no ? `Side ${no}` : "Main"), h("b", {}, chips(pot.amount)), h("em", {}, pot.seats.map((seat) => names[seat]).join(" · "))])));
  $("#pots").hidden = !view.pots.length;
  const level = view.level ? [blinds(view.level, chips), ante(view.level, chips)].filter(Boolean).join("\n") : "";
  say($("#level"), level);
  $("#level").hidden = !level;
  draw($("#seats"), view.seats, () => view.seats.map(seat));
}

function seat(one) {
  const node = h("li.seat", {}, [
    one.cards.length ? h("div.hole", {}, one.cards.map(card)) : null,
    h("p.name", {}, one.player || `Seat ${one.seat}`),
    h("p.stack", { "data-won": one.won ? chips(one.won) : null }, chips(one.stack)),
  ]);
  node.classList.toggle("folded", one.folded);
  node.classList.toggle("in", !one.folded);
  node.classList.toggle("won", one.won > 0);
  return node;
}
