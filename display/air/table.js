/** What is on air of a table beside the plates: board, pots, level, and lists of what plates say. */
import { card, slot } from "../shared/cards.js";
import { $, draw, h, minutes, say } from "../shared/dom.js";
import { drain, flip } from "./motion.js";
import { isOut, nameOf } from "./plates.js";
import { ante, blinds, number, percent, stack, tenthsOf, text } from "./words.js";

const SLOTS = 5;
const LONG = 9; // letters of an amount
const PERCENT = (thousandths) => (thousandths === null || thousandths === undefined ? "–" : `${Math.round(thousandths / 10)}`);

let board = [];

export function drawBoard(view) {
  const node = $("#board");
  while (node.children.length < SLOTS) node.append(slot());
  for (let i = 0; i < SLOTS; i += 1) {
    if (board[i] === view.board[i]) continue;
    const next = view.board[i] ? card(view.board[i]) : slot();
    node.children[i].replaceWith(next);
    if (view.board[i]) flip(next);
  }
  board = [...view.board];
}

export function drawPots(view) {
  const shown = (amount) => stack(amount, tenthsOf(amount, view.level));
  draw($("#pot"), [view.pot, view.level, text.pot, shown(view.pot)], () => [h("span", {}, text.pot), h("b", {}, shown(view.pot))]);
  for (const id of ["#pot", "#pots"]) $(id).classList.toggle("long", shown(view.pot).length > LONG);
  const names = Object.fromEntries(view.seats.map((one) => [one.seat, nameOf(one)]));
  draw($("#pots"), [view.pots, names, shown(view.pot)], () =>
    view.pots.map((pot, no) =>
      h("li", { title: pot.seats.map((seat) => names[seat]).join(" · ") }, h("span", {}, no ? text.side(no) : text.main), h("b", {}, shown(pot.amount))),
    ),
  );
}

export function drawLevel(view) {
  const node = $("#level");
  const level = view.level;
  draw(node, level, () => (level ? [h("b", {}, blinds(level)), ante(level) ? h("span", {}, ante(level)) : null] : []));
}

/** The lists, each with its heading; what has no line is empty and not shown. */
export const LISTS = {
  hand: (view) => [text.hand, view.seats.filter((one) => one.makes && one.in_hand).map((one) => row(nameOf(one), text.makes(one.makes)))],
  equity: (view) => [text.equity, known(view).map((one) => row(nameOf(one), percent(one.share)))],
  outs: (view) => [
    text.outsOf,
    known(view)
      .filter((one) => one.outs?.length)
      .map((one) => h("li.row.with-cards", {}, h("span", {}, nameOf(one)), h("b", {}, number(one.outs.length)), h("div.little", {}, one.outs.map(card)))),
  ],
  chips: (view) => [
    text.chips,
    view.seats
      .filter((one) => !isOut(one))
      .sort((one, other) => other.stack - one.stack)
      .map((one) => row(nameOf(one), one.all_in && !one.stack ? text.allIn : stack(one.stack, one.stack_bb ?? tenthsOf(one.stack, view.level)))),
  ],
  stats: (view) => {
    const told = view.seats.filter((one) => one.stats && !isOut(one));
    const heading = h("li.row.numbers.heading", {}, h("span", {}, ""), text.statNames.map((name) => h("b", {}, name)));
    const lines = told.map(({ stats, ...one }) =>
      h("li.row.numbers", {}, h("span", {}, nameOf(one)), [
        h("b", {}, number(stats.hands)),
        ...[stats.vpip, stats.pfr, stats.three_bet].map((share) => h("b", {}, PERCENT(share))),
        h("b", {}, stats.aggression === null || stats.aggression === undefined ? "–" : (stats.aggression / 100).toFixed(1)),
        h("b", {}, PERCENT(stats.wtsd)),
      ]),
    );
    return [text.stats, told.length ? [heading, ...lines] : []];
  },
};

const known = (view) => view.seats.filter((one) => one.share !== null && one.share !== undefined).sort((one, other) => other.share - one.share);

const row = (name, value) => h("li.row", {}, h("span", { dir: "auto" }, name), h("b", {}, value));

/** A heading and its lines; nothing where there is none. */
export const panelOf = (heading, lines) => (lines.length ? [h("h2", {}, heading), h("ol", {}, lines)] : []);

let running = null;

/** The clock that was called on a player, `left` ms of which are left. */
export function drawShotClock(view, left) {
  const node = $("#shot-clock");
  const clock = view?.shot_clock;
  if (!clock) {
    node.replaceChildren();
    running = null;
    return;
  }
  if (running !== clock) {
    const who = view.seats.find((one) => one.seat === clock.seat);
    const time = h("i.time");
    node.replaceChildren(h("h2", {}, text.clockOn(who ? nameOf(who) : text.seat(clock.seat))), h("b.left"), time);
    drain(time, left, clock.of_ms);
    running = clock;
  }
  say($(".left", node), minutes(left));
}
