/** The plates of a table, each seat in its place all event. A plate is drawn once and then changed where it differs. */
import { BACK, card } from "../shared/cards.js";
import { h, say } from "../shared/dom.js";
import { appear, drain, flip, sweep } from "./motion.js";
import { chosen, isOn, LAYOUTS } from "./options.js";
import { flag, percent, stack, tenthsOf, text } from "./words.js";

const LEFT = { nine: 5, six: 3, "heads-up": 1, vertical: 5 }; // plates on the left
const HIGHEST_OF_SIX = 6;
const PHOTOS = "/photo/"; // of this server, and of no other

export const nameOf = (one) => one.player || text.seat(one.seat);

/** Without chips, and no hand of its own goes on. */
export const isOut = (one) => one.busted || (!one.stack && !one.in_hand && !one.won && !one.all_in);

/** The layout in force: `six` where no seat is above 6, else `nine`, unless one was chosen that has a place for every
 * seat. */
export function layoutOf(view) {
  const wanted = chosen("layout");
  const isSmall = view !== null && highestOf(view) <= HIGHEST_OF_SIX;
  if (LAYOUTS.includes(wanted) && (wanted !== "six" || isSmall || view === null)) return wanted;
  return isSmall ? "six" : "nine";
}

const highestOf = (view) => Math.max(0, ...view.seats.map((one) => one.seat));

export class Plates {
  #root;
  #plates = new Map(); // seat -> Plate

  constructor(root) {
    this.#root = root;
  }

  /** `out`: places and prizes of who is out of the tournament, by name; `clockLeft`: what is left of a called clock
   * now, in ms. */
  draw(view, layout, out, clockLeft) {
    const headsUp = layout === "heads-up";
    const there = headsUp ? lastTwo(view.seats) : view.seats.filter((one) => looksIn(one, view, layout));
    const numbers = new Set(there.map((one) => one.seat));
    for (const [seat, plate] of this.#plates) {
      if (numbers.has(seat)) continue;
      plate.node.remove();
      this.#plates.delete(seat);
    }
    const left = layout === "vertical" && highestOf(view) <= HIGHEST_OF_SIX ? LEFT.six : LEFT[layout];
    this.#root.style.setProperty("--rows", left);
    there.forEach((one, index) => {
      if (!this.#plates.has(one.seat)) this.#add(one.seat);
      const [row, right] = headsUp ? [1, index] : placeOf(one.seat, left);
      this.#plates.get(one.seat).draw(one, view, { row, right, out: out.get(one.player), clockLeft });
    });
  }

  /** Where a seat's chips lie, for chips that fly; before anything is drawn. */
  betBox(seat) {
    return this.#plates.get(seat)?.betBox();
  }

  box(seat) {
    return this.#plates.get(seat)?.node.getBoundingClientRect();
  }

  #add(seat) {
    const plate = new Plate(seat);
    const next = [...this.#plates.keys()].filter((other) => other > seat).sort((a, b) => a - b)[0];
    this.#root.insertBefore(plate.node, next ? this.#plates.get(next).node : null);
    this.#plates.set(seat, plate);
    appear(plate.node);
  }
}

/** A player who is out looks in until the next hand; on a telephone's picture only who still plays the hand does. */
function looksIn(one, view, layout) {
  const over = view.street === "done";
  if (isOut(one)) return over;
  return layout !== "vertical" || one.in_hand || (over && Boolean(one.won));
}

/** The two who are left, or, where more are, the two who still play this hand. */
function lastTwo(seats) {
  const left = seats.filter((one) => !isOut(one));
  const two = left.length > 2 ? left.filter((one) => one.in_hand) : left;
  return (two.length < 2 ? seats.filter((one) => one.in_hand || one.won || !isOut(one)) : two).slice(0, 2);
}

/** Row and side: the first half on the left from the top, the others on the right from the bottom. */
function placeOf(seat, left) {
  return seat <= left ? [seat, 0] : [Math.max(2 * left + 1 - seat, 1), 1];
}

class Plate {
  #cards = [];
  #won = 0;
  #clock = null;
  #name = null;
  #missing = ""; // a photo that is not there

  constructor(seat) {
    const part = (name, selector) => (this[name] = h(selector));
    this.node = h("li.seat", { "data-seat": seat }, [
      h("div.plate", {}, [
        part("disc", "span.disc"),
        (this.photo = h("img.photo", { alt: "", hidden: true })),
        h("div.who", {}, [
          h("p.name", {}, part("flag", "span.flag"), part("player", "span.player")),
          h("p.chips", {}, part("stack", "span.stack")),
        ]),
        part("hole", "div.hole"),
        part("sweep", "i.sweep"),
        part("time", "i.time"),
      ]),
      h("p.strip", {}, part("did", "span.did"), part("makes", "span.makes")),
      h("div.marks", {}, part("share", "span.share"), part("bet", "span.bet")),
    ]);
    this.photo.addEventListener("error", () => {
      this.#missing = this.photo.getAttribute("src");
      this.photo.hidden = true;
    });
  }

  betBox() {
    return this.bet.hidden ? null : this.bet.getBoundingClientRect();
  }

  draw(one, view, { row, right, out, clockLeft }) {
    const acting = one.seat === view.to_act;
    const gone = isOut(one);
    const share = isOn("equity") && one.share !== null && one.share !== undefined;
    this.node.style.setProperty("--place", row);
    const marks = { right, folded: one.folded, in: one.in_hand, turn: acting, "all-in": one.all_in, won: one.won > 0, out: gone, away: one.away, ahead: share && one.ahead };
    for (const [name, on] of Object.entries(marks)) this.node.classList.toggle(name, Boolean(on));
    const allIn = one.all_in && !one.stack && !one.won;
    put(this.stack, gone ? "" : allIn ? text.allIn : stack(one.stack, one.stack_bb ?? tenthsOf(one.stack, view.level)));
    this.stack.classList.toggle("words", allIn);
    const position = positionOf(one, view);
    put(this.disc, position);
    this.disc.dataset.position = position;
    put(this.share, share ? percent(one.share) : "");
    put(this.bet, one.bet ? stack(one.bet, one.bet_bb ?? tenthsOf(one.bet, view.level)) : "");
    const [kind, did] = gone ? ["out", outText(out)] : actOf(one, view, acting);
    put(this.did, did);
    this.did.dataset.act = kind;
    put(this.makes, wordsOf(one));
    this.#holeCards(isMucked(one) ? [] : one.cards);
    this.#who(one);
    this.#shotClock(view.shot_clock, one.seat, clockLeft);
    if (one.won && !this.#won) sweep(this.sweep);
    this.#won = one.won;
  }

  #who(one) {
    const photo = one.photo ? PHOTOS + encodeURIComponent(one.photo) : "";
    if (this.photo.getAttribute("src") !== (photo || null)) photo ? this.photo.setAttribute("src", photo) : this.photo.removeAttribute("src");
    this.photo.hidden = !photo || this.#missing === photo;
    put(this.flag, photo ? "" : flag(one.country));
    const key = [nameOf(one), this.flag.textContent, photo, this.#cards.length, document.documentElement.dataset.layout, document.fonts.status].join();
    if (key === this.#name) return;
    this.#name = key;
    fit(this.player, nameOf(one));
  }

  /** Cards that stay are left alone, so that only what is new moves. */
  #holeCards(cards) {
    this.hole.hidden = !cards.length;
    cards.forEach((one, index) => {
      if (this.#cards[index] === one) return;
      const node = card(one);
      const old = this.hole.children[index];
      old ? old.replaceWith(node) : this.hole.append(node);
      flip(node);
    });
    while (this.hole.children.length > cards.length) this.hole.lastChild.remove();
    this.#cards = [...cards];
  }

  #shotClock(clock, seat, left) {
    const mine = isOn("shot-clock") && clock?.seat === seat ? clock : null;
    this.time.hidden = !mine;
    if (mine && mine !== this.#clock) drain(this.time, left, mine.of_ms);
    this.#clock = mine;
  }
}

/** Text, or nothing there. */
function put(node, words) {
  say(node, words);
  node.hidden = !words;
}

const WITH_INITIALS = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;

/** A name that is too long is shown as its initial and last word; what is too long then ends in dots. */
function fit(node, name) {
  node.dir = "auto";
  say(node, name);
  const words = name.split(" ").filter(Boolean);
  if (words.length < 2 || !WITH_INITIALS.test(name) || node.scrollWidth <= node.clientWidth) return;
  say(node, `${[...name][0]}. ${words.at(-1)}`);
}

/** Cards that went back to the dealer, and that nobody may see. */
const isMucked = (one) => one.folded && one.cards.every((text) => text === BACK);

function positionOf(one, view) {
  const blind = one.seat === view.button ? "BTN" : one.seat === view.small_blind ? "SB" : one.seat === view.big_blind ? "BB" : "";
  return one.position || blind;
}

const outText = (out) => (out ? text.outIn(text.place(out.place)) : text.out);

/** What a seat did, or must do: the kind of it and the words. */
function actOf(one, view, acting) {
  const amount = one.amount ? stack(one.amount, one.amount_bb ?? tenthsOf(one.amount, view.level)) : "";
  if (one.won) return ["won", text.wins(stack(one.won, tenthsOf(one.won, view.level)))];
  if (one.all_in) return ["all-in", one.stack ? text.allIn : amount ? saidOf(one.action, amount) : ""];
  if (one.folded) return ["fold", text.fold];
  if (acting) {
    const owes = one.to_call || view.to_call || 0;
    return ["turn", owes ? text.toCall(stack(owes, tenthsOf(owes, view.level))) : text.toAct];
  }
  if (one.action) return [one.action, saidOf(one.action, amount)];
  if (one.away && !one.in_hand) return ["away", text.away];
  return ["", one.last];
}
/** An action in words; a fold and a check have no amount. */
const saidOf = (action, amount) => {
  const said = text[action] ?? "";
  return typeof said === "function" ? said(amount).trim() : said;
};

/** The hand in words, and how many cards would save it. */
function wordsOf(one) {
  if (one.folded) return "";
  const words = isOn("hand") && one.makes ? text.makes(one.makes) : "";
  const outs = isOn("outs") && one.outs?.length && !one.ahead ? text.outs(one.outs.length) : "";
  return [words, outs].filter(Boolean).join(" · ");
}
