/** The plates of the seats: name, stack, what lies in front, what was done last, the cards. Nothing in them is cut. */
import { BACK, card, named } from "../shared/cards.js";
import { $, chips, draw, h } from "../shared/dom.js";
import { said, t } from "../shared/language.js";
import { ems, fitLine, inTwoLines } from "./fit.js";
import { unread } from "./picker.js";
import { inRows, sizeFor } from "./places.js";

const CHIP_EMS = 1.35; // a drawn pile with the gap behind it
const DISC_EMS = 1.5;
const MOST_CHIPS = 5;
let places = 0; // never shrinks while the page lives, so that seats stay where they are

/** Draw every seat of `view`; `pressed`: seats are buttons. */
export function showSeats(view, pressed) {
  places = Math.max(places, sizeFor(view.seats.map((one) => one.seat)));
  const list = $("#seats");
  while (list.children.length < places) list.append(h("li", {}, h(pressed ? "button.seat" : "div.seat"), h("span.tabled")));
  for (let no = 1; no <= places; no += 1) {
    const one = view.seats.find((seat) => seat.seat === no) ?? null;
    const item = list.children[no - 1];
    const [node, tabled] = item.children;
    place(item, no);
    const faces = faceUp(one);
    node.dataset.seat = no;
    node.className = `seat ${seatClasses(one, view, faces).join(" ")}`;
    item.dataset.cards = faces.length ? "faces" : one?.cards.length ? "backs" : "none";
    if (pressed) node.setAttribute("aria-label", one ? spoken(one, view) : t("Seat {seat}, empty", { seat: no }));
    const bigBlind = view.level?.big_blind ?? 1;
    draw(node, [no, one, view.button === no, state(one, view), bigBlind], () => (one ? plate(one, view, bigBlind) : [`${no}`]));
    const camera = view.devices.camera;
    draw(tabled, [faces, camera], () => faces.map((text, at) => (text === BACK ? unread(at + 1, no, view, pressed) : card(text))));
  }
}

/** The cards of a tabled hand, `BACK` for those that nobody has read. */
function faceUp(one) {
  if (!one) return [];
  return one.tabled ? one.cards : one.cards.filter((text) => text !== BACK);
}

function place(item, no) {
  const { x, y, rows } = inRows(no, places);
  const spot = { "--rx": x, "--ry": y, "--rows": rows };
  for (const [name, value] of Object.entries(spot)) item.style.setProperty(name, value.toFixed(4));
}

function seatClasses(one, { legal }, faces) {
  if (!one) return ["empty"];
  const facts = {
    "to-act": legal?.seat === one.seat,
    out: !one.in_hand || one.folded,
    "all-in": one.all_in,
    won: one.won > 0,
    shows: faces.length > 0,
  };
  return Object.keys(facts).filter((name) => facts[name]);
}

function plate(one, view, bigBlind) {
  const disc = view.button === one.seat;
  const number = h(disc ? "b.disc" : "b", {}, `${one.seat}`);
  const lead = ems(`${one.seat} `, 700) + (disc ? DISC_EMS : 0);
  const lines = inTwoLines(one.player, lead);
  const name = h(lines.length > 1 ? "span.name.two" : "span.name", {}, lines.map((line, no) => h("span.line", {}, no ? null : number, no ? null : " ", line)));
  name.style.setProperty("--em", Math.max(lead + ems(lines[0]), ems(lines[1] ?? "")).toFixed(2));
  const stack = h("span.stack", {}, chips(one.stack));
  fitLine(stack, chips(one.stack), 700);
  const words = state(one, view);
  const last = h(one.bet ? "span.last.bet" : "span.last", {}, one.bet ? pile(h("i.chips", { "aria-hidden": "true" }), one.bet, bigBlind) : null, words);
  fitLine(last, words, 700, one.bet ? CHIP_EMS : 0);
  const backs = !one.tabled && one.cards.includes(BACK) ? h("span.hole", {}, one.cards.map(() => card(BACK))) : null;
  // Spaces between words, so that the seat's spoken name holds what is seen.
  return [name, " ", h("span.low", {}, stack, " ", last), backs];
}

/** Let `node`, an `i.chips`, show a pile: the more big blinds, the higher it is. */
export function pile(node, amount, bigBlind) {
  const high = 1 + Math.floor(Math.log2(Math.max(1, amount / Math.max(1, bigBlind))) / 1.5);
  node.style.setProperty("--n", String(Math.min(MOST_CHIPS, high)));
  return node;
}

function spoken(one, view) {
  const faces = faceUp(one).map((text) => (text === BACK ? t("a card not read") : named(text)));
  const button = view.button === one.seat ? t("button") : "";
  return [t("Seat {seat}", { seat: one.seat }), one.player, chips(one.stack), state(one, view), button, ...faces].filter(Boolean).join(", ");
}

/** What lies in front of the seat with how it came there, or what the seat did or is. */
function state(one, view) {
  if (!one) return "";
  if (one.won) return `+${chips(one.won)}`;
  if (one.bet) return [chips(one.bet), how(one, view)].filter(Boolean).join(" ");
  if (one.away) return t("away");
  if (one.all_in) return t("all-in");
  return faceUp(one).length ? "" : said(one.last);
}

function how(one, { small_blind: small, big_blind: big, street }) {
  if (one.away) return t("away");
  if (one.all_in) return t("all-in");
  if (one.last) return said(one.last.split(" ")[0]);
  if (street !== "preflop") return "";
  return { [small]: t("SB"), [big]: t("BB") }[one.seat] ?? "";
}
