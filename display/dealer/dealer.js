/** The dealer screen: what is public at one table, and what the dealer may press. */
import { BACK, card, slot } from "../shared/cards.js";
import { $, chips, draw, h, minutes, say, suitsChoice } from "../shared/dom.js";
import { follow } from "../shared/stream.js";
import { ante, blinds } from "../shared/time.js";
import { STREETS, lamps } from "../shared/words.js";
import { keypad } from "./keypad.js";
import { inRows, sizeFor } from "./places.js";
import { rulings } from "./ruling.js";

const table = document.body.dataset.table;
const pad = keypad(table, { rule: () => floor?.open(), ruleWord: () => floor?.word() ?? "Rule" });
const floor = rulings(table, { seat: () => pad?.seat() ?? null, number: () => pad?.number() ?? null, failed: (words) => pad?.failed(words), inDoubt: (words) => pad?.inDoubt(words) });
const LONG_WORDS = 75; // a question of more letters is set smaller, and so is an amount of more digits
const LONG_AMOUNT = 1_000_000;
let turn = ""; // whose it is, in which hand
let turnSince = 0;
let told = { notices: [], health: [] }; // below the felt
let places = 0; // never shrinks while the page lives, so that seats stay where they are

suitsChoice($("#suits"));
follow({ [`table/${table}`]: show, ...(pad && { [`health/${table}`]: showHealth }) }, (up) => ($("#link").hidden = up));

function show(view, { age }) {
  say($("#hand"), view.hand ? `Hand ${view.hand}` : "No hand yet");
  say($("#street"), STREETS[view.street]);
  say($("#level"), levelWords(view));
  draw($("#lamps"), [view.devices, view.by_hand], () => lamps(view));
  draw($("#board"), view.board, () => [0, 1, 2, 3, 4].map((i) => (view.board[i] ? card(view.board[i]) : slot())));
  say($("#pot"), chips(view.pot));
  $("#pot").classList.toggle("long", isLong(view.pot));
  const sides = view.pots.length > 1 ? view.pots : [];
  draw($("#pots"), sides, () => sides.map((pot, no) => h("li", {}, `${no ? `Side ${no}` : "Main"} ${chips(pot)}`)));
  showSeats(view);
  showTurn(view, age);
  showTold({ notices: view.notices });
  pad?.show(view);
  floor?.show(view);
  showBanner(view);
}

/** Of the devices only what the dealer can mend or should know. */
function showHealth({ facts }) {
  showTold({ health: facts.filter((one) => one.at_the_table && one.colour !== "green" && one.what !== "contact") });
}

function showTold(news) {
  told = { ...told, ...news };
  const { notices, health } = told;
  const mend = health.slice(0, 1).map((one) => `The ${one.device}: ${one.words} ${one.do}`);
  const lines = [...mend, ...notices.slice(mend.length - 2).map((one) => one.text)];
  draw($("#notices"), lines, () => lines.map((text) => h("li", {}, text)));
}

function levelWords({ level, next_hand_level: next }) {
  if (!level) return "";
  const now = `Level ${level.no}: ${[blinds(level, chips), ante(level, chips)].filter(Boolean).join(", ")}`;
  return next && next.no !== level.no ? `${now}; next hand ${blinds(next, chips)}` : now;
}

function showBanner({ question, last, seats, legal, no_hand: noHand }) {
  // Without seats this machine is fenced: only its text is shown.
  $("#banner").classList.toggle("asks", Boolean(question) || !seats.length);
  if ($("#banner").classList.contains("failed")) return;
  const words = question ? question.text : noHand && !legal ? noHand : last;
  say($("#says"), words);
  $("#says").classList.toggle("long", words.length > LONG_WORDS);
}

/** How long the player whose turn it is has thought. */
function showThinking() {
  say($("#thinking"), turn ? minutes(Math.floor((performance.now() - turnSince) / 1000) * 1000) : "");
}
setInterval(showThinking, 1_000);

/** Who is to turn up a hand: behind an all-in all at once, at the showdown one after the other. */
function shown(shows, street) {
  if (shows.length < 2) return "";
  if (street !== "showdown") return `All-in: seats ${shows.join(", ")} turn up their hands`;
  return `Shows first: seat ${shows[0]}, then ${shows.slice(1).join(", ")}`;
}

function showTurn({ legal, seats, street, pot, hand, shows }, age) {
  const now = legal ? `${hand} ${street} ${legal.seat}` : "";
  if (now !== turn) turnSince = performance.now() - age;
  turn = now;
  showThinking();
  if (!legal) {
    say($("#who"), STREETS[street]);
    say($("#who-name"), "");
    say($("#call"), street === "done" ? `Hand ${hand + 1} next` : `Pot ${chips(pot)}`);
    say($("#raise"), shown(shows, street));
    return;
  }
  say($("#who"), `Seat ${legal.seat} to act`);
  say($("#who-name"), seats.find((one) => one.seat === legal.seat)?.player ?? "");
  say($("#call"), legal.call ? `${chips(legal.call)} to call` : "May check");
  const word = legal.call ? "raise" : "bet";
  say($("#raise"), legal.min_to === null ? "Betting is closed to this seat" : `Minimum ${word} ${legal.call ? "to " : ""}${chips(legal.min_to)}`);
}

function showSeats(view) {
  places = Math.max(places, sizeFor(view.seats.map((one) => one.seat)));
  const list = $("#seats");
  while (list.children.length < places) list.append(h("li", {}, h(pad ? "button.seat" : "div.seat"), h("span.bet"), h("span.tabled"), h("span.disc")));
  for (let no = 1; no <= places; no += 1) {
    const one = view.seats.find((seat) => seat.seat === no) ?? null;
    const [node, bet, tabled, disc] = list.children[no - 1].children;
    place(list.children[no - 1], no);
    node.dataset.seat = no;
    node.className = `seat ${seatClasses(one, view).join(" ")}`;
    if (pad) node.setAttribute("aria-label", one ? spoken(one) : `Seat ${no}, empty`);
    draw(node, [no, one], () => (one ? seatParts(one) : [`${no}`]));
    bet.hidden = !one?.bet;
    say(bet, one?.bet ? chips(one.bet) : "");
    const faces = one?.cards.filter((text) => text !== BACK) ?? [];
    draw(tabled, faces, () => faces.map(card)); // in front of the seat, where they lie
    disc.hidden = view.button !== no;
    say(disc, view.button === no ? "D" : "");
  }
}

function place(item, no) {
  const { x, y, inward, rows } = inRows(no, places);
  const spot = { "--rx": x, "--ry": y, "--ix": inward, "--rows": rows };
  for (const [name, value] of Object.entries(spot)) item.style.setProperty(name, value.toFixed(4));
}

function seatClasses(one, { legal }) {
  if (!one) return ["empty"];
  const facts = {
    "to-act": legal?.seat === one.seat,
    out: !one.in_hand || one.folded,
    "all-in": one.all_in,
    won: one.won > 0,
    bets: one.bet > 0,
    long: isLong(one.stack) || isLong(one.bet),
  };
  return Object.keys(facts).filter((name) => facts[name]);
}

function seatParts(one) {
  return [
    h("span.name", {}, h("b", {}, `${one.seat}`), " ", one.player),
    " ", // between words, so that the seat's spoken name holds what is seen
    h("span", {}, h("span.stack", {}, chips(one.stack)), " ", h("span.last", {}, seatSays(one))),
    one.cards.includes(BACK) ? h("span.hole", {}, one.cards.map(() => card(BACK))) : null,
  ];
}

const isLong = (amount) => amount >= LONG_AMOUNT;

const spoken = (one) => [`Seat ${one.seat}`, one.player, chips(one.stack), seatSays(one)].filter(Boolean).join(", ");

function seatSays(one) {
  if (one.won) return `+${chips(one.won)}`;
  if (one.away) return "away";
  if (one.all_in) return "all-in";
  return one.last;
}
