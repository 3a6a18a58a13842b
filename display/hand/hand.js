/** A released hand, step by step. The hand lies in the page itself, so that it works from a plain folder, too. */
"use strict";

const line = JSON.parse(document.getElementById("line").textContent);
const hand = JSON.parse(line).page.hand;
const STEP_MS = 1600;

const $ = (id) => document.getElementById(id);
const chips = (amount) => new Intl.NumberFormat("en").format(amount);
const released = Object.fromEntries(hand.seats.map((one) => [one.seat, one.cards])); // of a seat that folded, where they are
const names = Object.fromEntries(hand.seats.map((one) => [one.seat, one.player || `Seat ${one.seat}`]));

function h(tag, classes, ...children) {
  const node = document.createElement(tag);
  if (classes) node.className = classes;
  node.append(...children.flat().filter((child) => child !== null && child !== ""));
  return node;
}

// ------------------------------------------------------------------------------------------------ cards

const SHAPES = {
  s: "M16 2C12 8 4 13 4 20a6 6 0 0 0 10 4.5C14 27 13 29 11 30h10c-2-1-3-3-3-5.5A6 6 0 0 0 28 20C28 13 20 8 16 2Z",
  h: "M16 29C8 22 3 17 3 10.5A6.5 6.5 0 0 1 16 8a6.5 6.5 0 0 1 13 2.5C29 17 24 22 16 29Z",
  d: "M16 1.5 27 16 16 30.5 5 16Z",
  c: "M16 2a6.5 6.5 0 0 0-5.5 10A6.5 6.5 0 1 0 14 23.5C14 27 13 29 11 30h10c-2-1-3-3-3-6.5A6.5 6.5 0 1 0 21.5 12 6.5 6.5 0 0 0 16 2Z",
};
const SUITS = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
const RANKS = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten" };

function card(text) {
  const face = h("span", text === "??" ? "card back" : "card");
  face.setAttribute("role", "img");
  const [rank, suit] = text;
  face.setAttribute("aria-label", text === "??" ? "card face down" : `${RANKS[rank] ?? rank} of ${SUITS[suit]}`);
  if (text === "??") return face;
  face.dataset.suit = suit;
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 32 32");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", SHAPES[suit]);
  svg.append(path);
  face.append(h("b", "", rank === "T" ? "10" : rank), svg);
  return face;
}

function slot() {
  const place = h("span", "card slot");
  place.setAttribute("aria-hidden", "true");
  return place;
}

// ------------------------------------------------------------------------------------------------ replay

const steps = hand.steps.length ? hand.steps : [onlyItsEnd()];
let at = 0;
let timer = null;

/** Where its acts do not fit each other there are no steps: what is public of its end. */
function onlyItsEnd() {
  const seats = hand.seats.map((one) => ({ seat: one.seat, stack: one.left, cards: one.cards, won: one.won, folded: one.folded }));
  return { ms: 0, text: "The end of the hand; its acts were not seen whole", street: "done", board: hand.board, pot: hand.pot, to_act: null, pots: [], seats };
}

function show(no) {
  at = Math.min(Math.max(no, 0), steps.length - 1);
  const step = steps[at];
  $("text").textContent = named(step.text);
  $("board").replaceChildren(...[0, 1, 2, 3, 4].map((i) => (step.board[i] ? card(step.board[i]) : slot())));
  $("pot").textContent = chips(step.pot);
  $("pots").textContent = step.pots.map((pot, i) => `${i ? `side ${i}` : "main"} ${chips(pot.amount)}`).join(" · ");
  $("seats").replaceChildren(...step.seats.map((one) => plate(one, step)));
  $("at").value = at;
  $("at").setAttribute("aria-valuetext", `step ${at + 1} of ${steps.length}: ${step.text}`);
  $("count").textContent = `${at + 1} / ${steps.length}`;
  for (const id of ["first", "back"]) $(id).disabled = at === 0;
  for (const id of ["next", "last"]) $(id).disabled = at === steps.length - 1;
}

/** *Seat 4: raise 1,200*, *Main pot 800: seat 4 wins 800* with the player's name. */
const named = (text) => text.replace(/(?:^Seat|\bseat) (\d+)(?=:| )/g, (whole, seat) => (names[seat] ? `${names[seat]} (seat ${seat})` : whole));

function plate(one, step) {
  const marks = [one.seat === hand.button ? "D" : "", one.seat === hand.small_blind ? "SB" : "", one.seat === hand.big_blind ? "BB" : ""].filter(Boolean);
  const did = one.won ? `+${chips(one.won)}` : one.folded ? "folded" : one.all_in ? "all-in" : one.last ?? "";
  const classes = ["seat", one.folded && "folded", one.seat === step.to_act && "turn", one.won && "won"].filter(Boolean).join(" ");
  return h(
    "li",
    classes,
    h("p", "name", h("b", "", names[one.seat] ?? `Seat ${one.seat}`), ...marks.map((mark) => h("span", "disc", mark))),
    h("div", "cards", (one.cards ?? (one.folded ? released[one.seat] : [])).map(card)),
    h("p", "stack", chips(one.stack), one.bet ? h("span", "bet", `bet ${chips(one.bet)}`) : "", h("span", "did", did)),
    one.share !== undefined || one.makes ? h("p", "makes", one.share !== undefined ? h("b", "", `${Math.round(one.share / 10)}\u00a0%`) : "", one.makes ?? "") : "",
  );
}

function play(on) {
  clearTimeout(timer);
  timer = null;
  if (on && at === steps.length - 1) show(0);
  if (on) timer = setTimeout(step, STEP_MS / Number($("speed").value));
  $("play").textContent = on ? "Stop" : "Play";
}

function step() {
  show(at + 1);
  play(at < steps.length - 1);
}

function to(no) {
  play(false);
  show(no);
}

$("at").max = steps.length - 1;
$("first").addEventListener("click", () => to(0));
$("back").addEventListener("click", () => to(at - 1));
$("next").addEventListener("click", () => to(at + 1));
$("last").addEventListener("click", () => to(steps.length - 1));
$("play").addEventListener("click", () => play(timer === null));
$("at").addEventListener("input", () => to(Number($("at").value)));
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("textarea, input:not([type=range]), select")) return;
  const keys = { ArrowLeft: () => to(at - 1), ArrowRight: () => to(at + 1), Home: () => to(0), End: () => to(steps.length - 1) };
  const does = event.key === " " && !event.target.closest("button, a") ? () => play(timer === null) : keys[event.key];
  if (!does) return;
  event.preventDefault();
  does();
});

// ------------------------------------------------------------------------------------------------ around it

const wall = (text) => (text ? `${text.slice(0, 10)} ${text.slice(11, 16)} UTC` : "");
const ante = hand.level.ante || hand.level.big_blind_ante;
$("about").textContent = [wall(hand.began), `${chips(hand.level.small_blind)}/${chips(hand.level.big_blind)}${ante ? `, ante ${chips(ante)}` : ""}`, hand.venue].filter(Boolean).join(" · ");
$("link").value = location.href.replace(/#.*/s, "");
$("copy").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText($("link").value); // on https pages only
    $("copy").textContent = "Copied";
  } catch {
    $("link").select();
    $("copy").textContent = document.execCommand("copy") ? "Copied" : "Copy it from the field";
  }
});

const CARDS_OF = (count) => `${count} ${count === 1 ? "card" : "cards"}`;

function verify() {
  const key = feltwireHands.keyIn($("key").value);
  if (!key) {
    say(false, "That is no key: it has 64 characters, 0 to 9 and a to f.", []);
    return;
  }
  let result;
  try {
    result = feltwireHands.verifyHand(line, key);
  } catch {
    say(false, "Not verified: a part of the hand cannot be read.", []); // no relay signed it so
    return;
  }
  const { ok, checks, bare } = result;
  const wrong = checks.filter((one) => !one.ok);
  const rest = bare ? ` Of ${CARDS_OF(bare)} the table's promise is not public; the relay signed them.` : "";
  const good = `Verified: ${checks.length} checks hold, ${CARDS_OF(hand.cards.length)} as they were dealt, by this key.${rest}`;
  say(ok, ok ? good : `Not verified: ${wrong.length} of ${checks.length} checks do not hold.`, ok ? checks : [...wrong, ...checks.filter((one) => one.ok)]);
}

function say(ok, words, checks) {
  $("verdict").textContent = words;
  $("verdict").dataset.ok = ok;
  $("details").hidden = !checks.length;
  $("details").open = !ok;
  $("checks").replaceChildren(...checks.map((one) => h("li", one.ok ? "ok" : "wrong", `${one.ok ? "✓" : "✗"} ${one.what}`, one.why ? `: ${one.why}` : "")));
}

$("check").addEventListener("click", verify);
const given = new URLSearchParams(location.hash.slice(1)).get("key");
if (given) {
  $("key").value = given;
  verify();
}
try {
  if (localStorage.getItem("suits") === "4") document.documentElement.dataset.suits = "4";
} catch {
  // a page of a folder may have no storage
}
show(0);
