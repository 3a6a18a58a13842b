/** The felt of one table as the director sees it: seats in their places, board, pots, whose turn it is. */
import { card, slot } from "../shared/cards.js";
import { $, chips, draw, h, say } from "../shared/dom.js";
import { STREETS } from "../shared/words.js";
import { inRows, sizeFor } from "../dealer/places.js";

const BOARD = 5;

/** Draws `view` into `#felt` and `#middle`; only seats that changed are drawn again. */
export function drawFelt(view) {
  const places = sizeFor(view.seats.map((one) => one.seat));
  draw($("#middle"), [view.board, view.pots, view.pot, view.street, view.hand, view.contenders], () => middle(view));
  for (const node of [...$("#felt").querySelectorAll(".seat")]) if (!view.seats.some((one) => `${one.seat}` === node.dataset.seat)) node.remove();
  for (const one of view.seats) {
    const node = $(`.seat[data-seat="${one.seat}"]`, $("#felt")) ?? $("#felt").appendChild(h("li.seat", { "data-seat": one.seat }));
    const { x, y, rows } = inRows(one.seat, places);
    $("#felt").parentElement.style.setProperty("--rows", rows);
    node.style.setProperty("--x", x);
    node.style.setProperty("--y", y);
    const acts = view.legal?.seat === one.seat;
    const marks = [view.button === one.seat && "button", view.small_blind === one.seat && "SB", view.big_blind === one.seat && "BB"].filter(Boolean);
    node.classList.toggle("acts", acts);
    node.classList.toggle("out", !one.in_hand);
    draw(node, [one, acts, marks], () => seat(one, acts, marks));
  }
}

function seat(one, acts, marks) {
  const state = one.away ? "away" : one.folded ? "folded" : one.all_in ? "all-in" : "";
  return [
    h("p.who", {}, h("b", {}, `${one.seat}`), h("span.name", {}, one.name), marks.map((mark) => (mark === "button" ? h("i.disc", { title: "Button" }, "D") : h("i", {}, mark)))),
    h("p.stack", {}, chips(one.stack), one.bet ? h("em", {}, `+ ${chips(one.bet)}`) : null),
    one.cards.length && !one.cards.includes("??") ? h("p.cards", {}, one.cards.map(card)) : h("p.last", {}, acts ? "to act" : one.won ? `won ${chips(one.won)}` : [state, one.last].filter(Boolean)[0] ?? ""),
  ];
}

function middle(view) {
  const pots = view.pots.length > 1 ? view.pots.map((amount, no) => `${no ? `side ${no}` : "main"} ${chips(amount)}`).join(", ") : "";
  const cards = [...view.board.map(card), ...Array.from({ length: Math.max(0, BOARD - view.board.length) }, slot)];
  return [
    h("p.now", {}, `Hand ${view.hand}, ${(STREETS[view.street] ?? view.street).toLowerCase()}`),
    h("div.board", { role: "group", "aria-label": view.board.length ? "Board" : "Board, empty" }, cards),
    h("p.pot", {}, h("b", {}, chips(view.pot)), pots && h("span", {}, pots)),
  ];
}

/** Whose turn it is and what to call, in a sentence. */
export function turnWords(view) {
  if (view.question) return `Asked at the table: ${view.question.text}`;
  if (!view.legal) return view.no_hand || "Nobody is to act";
  const one = view.seats.find((each) => each.seat === view.legal.seat);
  const call = view.legal.can_check ? "may check" : `${chips(view.legal.call)} to call`;
  return `Seat ${view.legal.seat}${one?.name ? `, ${one.name}` : ""}: ${call}`;
}

/** Adds up what the table shows: stacks, and all in the middle and in front. */
export const chipsOf = (view) => view.seats.reduce((all, one) => all + one.stack, 0) + view.pot;

export const sayTurn = (view) => say($("#turn"), turnWords(view));
