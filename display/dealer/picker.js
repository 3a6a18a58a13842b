/** Naming a card that lies face up and that no device has read: it is pressed, then picked out of the deck. */
import { BACK, card, named } from "../shared/cards.js";
import { $, h, say } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { press } from "../shared/press.js";

const CARD = 40;
const RANKS = "23456789TJQKA";
const SUITS = "cdhs";
const SHOWN = "shcd"; // the suits from the top
const PLACE = 100;

/** Null on a screen that only shows. `show(view)` takes a new view; `failed(words)` and `inDoubt(words)` as in the keypad. */
export function picker(table, { failed, inDoubt }) {
  const dialog = $("#picker");
  if (!dialog) return null;
  let about = null; // { seat, place }
  let view = null;

  const number = (text) => RANKS.indexOf(text[0]) * SUITS.length + SUITS.indexOf(text[1]) + 1;
  for (const suit of SHOWN) {
    const row = h("div.suit", { role: "group", "aria-label": named(`A${suit}`).split(" ").pop() });
    for (const rank of [...RANKS].reverse()) {
      const text = rank + suit;
      const button = h("button", { "aria-label": named(text), "data-card": text }, card(text));
      button.addEventListener("click", () => pick(text));
      row.append(button);
    }
    $("#deck").append(row);
  }
  $("#picker-close").addEventListener("click", () => dialog.close());
  document.addEventListener("click", (event) => {
    const node = event.target.closest?.("button.unread");
    if (node) open({ seat: node.dataset.seat ? Number(node.dataset.seat) : null, place: Number(node.dataset.place) });
  });

  function open(wanted) {
    about = wanted;
    const { seat, place } = about;
    say($("#picker-about"), seat === null ? t("Card {place} of the board", { place }) : t("Card {place} of seat {seat}", { place, seat }));
    const known = new Set([...view.board, ...view.seats.flatMap((one) => one.cards)]);
    for (const button of dialog.querySelectorAll("[data-card]")) button.disabled = known.has(button.dataset.card);
    if (!dialog.open) dialog.show();
  }

  async function pick(text) {
    const { seat, place } = about;
    try {
      const words = await press(`/table/${encodeURIComponent(table)}/touch`, { key: CARD, seat, amount: place * PLACE + number(text) }, inDoubt);
      if (words) failed(words); // it was in doubt
    } catch (error) {
      failed(error.message);
      dialog.close();
    }
  }

  return {
    /** Once the card is known the next one beside it is asked for, and behind the last one nothing more. */
    show(shown) {
      view = shown;
      if (!dialog.open) return;
      const cards = lying(view, about.seat);
      const next = cards[about.place - 1] === BACK ? about.place : cards.indexOf(BACK) + 1;
      if (next) open({ ...about, place: next });
      else dialog.close();
    },
  };
}

/** The cards that lie face up on the board, or in front of a seat; `BACK` for those that are not read. */
function lying(view, seat) {
  if (seat === null) return view.board;
  const one = view.seats.find((other) => other.seat === seat);
  return one?.tabled ? one.cards : [];
}

/** A card that lies face up unread: a button where a person may name it, because no camera reads there. */
export function unread(place, seat, { devices }, presses) {
  const where = seat === null ? t("Card {place} of the board", { place }) : t("Card {place} of seat {seat}", { place, seat });
  if (!presses || devices.camera === "ok") return h("span.card.unread", { role: "img", "aria-label": t("{card}, not read", { card: where }) }, "?");
  const name = seat === null ? t("Name card {place} of the board", { place }) : t("Name card {place} of seat {seat}", { place, seat });
  return h("button.card.unread", { "aria-label": name, "data-place": place, "data-seat": seat }, "?");
}
