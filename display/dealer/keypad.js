/** The keypad on the screen. A number is typed or a seat touched, then a key takes it: one press an action. */
import { $, chips, draw, h, say } from "../shared/dom.js";
import { plural, t } from "../shared/language.js";
import { press } from "../shared/press.js";

const MOST_DIGITS = 9;
const SHOWN_MS = 250; // how long a key shows that its press arrived
const FAILED_MS = 5_000;
const STREET = 20; // yes to what the screen asks
const MOST_WINNERS = 3; // beside the question; of more the seat is touched
const UNDO = 32; // with the number 0: bring back what was taken back last
const HIGHEST_NUMBER = 99; // of a seat in a message
const IN_USE = "dialog[open], #incidents:not([hidden])"; // no key behind it is meant
const NUMBER_MS = 5_000; // a number, or a seat that was touched, is for a key that follows within this time
// A button names its effect. A ruling is made in its own dialog.
const answers = () => ({
  board_unread: t("It is out"),
  missed_actions: t("All did"),
  missed_before: t("They did"),
  tabled: t("Face up"),
  result_only: t("Won"),
});

// A keyboard beside the screen: its number row, and a letter for each key that is often pressed.
const LETTERS = { f: "Fold", c: "Check / Call", b: "Bet / Raise", r: "Bet / Raise", a: "All-in", s: "Street", u: "Undo", n: "New hand", t: "Tabled", m: "Muck", w: "Award", p: "Pot pushed", l: "Split", o: "Away / back", k: "Count" };

/** The pad, or null on a screen that only shows. `rule()` opens the ruling that is asked for, which `ruleWord()` names; `about(seat)` hears of each seat that is touched; `show(view)` takes a new view. */
export function keypad(table, { rule, ruleWord, about }) {
  if (!$(".pad")) return null;
  let digits = "";
  let seat = null;
  let view = null;
  let undone = false; // the last key was UNDO
  let forgetting = 0;
  const more = $("#more");

  const entry = () => {
    clearTimeout(forgetting);
    if (digits || seat !== null) forgetting = setTimeout(forget, NUMBER_MS);
    const redoes = undone && !digits && seat === null;
    say($("#clear"), redoes ? t("Redo") : t("Clear"));
    $("#clear").classList.toggle("redo", redoes);
    const parts = [seat === null ? "" : t("Seat {seat}", { seat }), digits ? chips(Number(digits)) : ""].filter(Boolean);
    say($("#entry"), parts.join(", ") || t("Type an amount, or touch a seat"));
    $("#entry").classList.toggle("none", !parts.length);
    for (const node of document.querySelectorAll("#seats .seat")) {
      node.setAttribute("aria-pressed", String(Number(node.dataset.seat) === seat));
    }
    nameStreet();
  };
  // With a seat it says that the action is there: everybody before it folded, or checked.
  const nameStreet = () => {
    const ahead = seat !== null && view?.legal && !view.question && view.legal.seat !== seat;
    say($(`.pad [data-key="${STREET}"]`), ahead ? t("Action on {seat}", { seat }) : t("Street"));
  };
  const clear = () => {
    digits = "";
    seat = null;
    entry();
  };
  const forget = () => {
    if (document.querySelector(IN_USE)) forgetting = setTimeout(forget, NUMBER_MS); // it is being used
    else clear();
  };

  for (const button of document.querySelectorAll("[data-digit]")) {
    button.addEventListener("click", () => {
      digits = (digits + button.dataset.digit).replace(/^0+/, "").slice(0, MOST_DIGITS);
      entry();
    });
  }
  $("#clear").addEventListener("click", (event) => {
    if (event.currentTarget.classList.contains("redo")) send(table, $("#clear"), { key: UNDO, amount: 0 });
    else clear();
  });
  $("#seats").addEventListener("click", (event) => {
    const touched = Number(event.target.closest(".seat")?.dataset.seat);
    if (!touched) return;
    seat = touched === seat ? null : touched;
    entry();
    about(seat);
  });
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, select, textarea") || document.querySelector(IN_USE);
    if (typing || event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    if (event.key === "." && digits) {
      seat = Number(digits);
      digits = "";
      entry();
      return;
    }
    const button = typed(event.key);
    if (!button || button.hidden) return;
    event.preventDefault();
    if (more.contains(button)) button.disabled = false; // as the dialog left it
    button.click();
  });
  $("#rule").setAttribute("aria-keyshortcuts", "/");
  for (const [letter, words] of Object.entries(LETTERS)) named(words)?.setAttribute("aria-keyshortcuts", letter);
  for (const button of document.querySelectorAll("[data-key]")) {
    button.addEventListener("click", () => {
      const { key, takes, number } = button.dataset;
      const touch = number ? { key: Number(key), seat: seat ?? (digits ? Number(digits) : null), amount: Number(number) } : taken(Number(key), takes, digits, seat);
      more.close();
      undone = touch.key === UNDO;
      clear();
      send(table, button, touch);
    });
  }
  $("#open-more").addEventListener("click", () => {
    const about = [seat === null ? "" : t("Seat {seat}", { seat }), digits ? chips(Number(digits)) : counted(view, seat)].filter(Boolean).join(", ");
    say($("#more-about"), about || t("Touch a seat first; type the amount of a count"));
    // A key that stands in the pad elsewhere can be pressed without a seat as there: the table says what it lacks.
    for (const button of more.querySelectorAll("[data-key]:not(.phone)")) button.disabled = !complete(button.dataset.takes, digits, seat);
    more.show();
  });
  $("#more-close").addEventListener("click", () => more.close());
  $("#answer").addEventListener("click", () => {
    if (!view?.question) return;
    if (view.question.kind === "ruling") {
      rule();
      return;
    }
    const { key, question } = view.question;
    const takes = key === STREET ? "nothing" : $(`[data-key="${key}"]`)?.dataset.takes;
    const touch = { ...taken(key, takes ?? "nothing", digits, seat), question };
    undone = false;
    if (takes === "seat") clear();
    else entry();
    send(table, $("#answer"), touch);
  });
  /** Who wins is answered by the seat: a button for each that can, and none that still needs one. */
  const showAnswers = (question) => {
    const [kind, ...seats] = question?.kind.split("-") ?? [];
    const who = kind === "award" && seats.length <= MOST_WINNERS ? seats.map(Number) : [];
    $("#answer").hidden = !question || kind === "award";
    $("#winners").hidden = !who.length;
    draw($("#winners"), [who, question?.question], () => who.map((no) => winner(no, question)));
    if (question) say($("#answer"), kind === "ruling" ? ruleWord() : answerWords(question));
  };
  const winner = (no, { key, question }) => {
    const button = h("button.primary", {}, t("Seat {seat}", { seat: no }));
    button.addEventListener("click", () => {
      clear();
      send(table, button, { key, seat: no, question });
    });
    return button;
  };
  entry();
  $(".pad").inert = false; // until now nobody would have heard a press

  return {
    seat: () => seat,
    number: () => (digits ? Number(digits) : null),
    clear,
    failed: fail,
    inDoubt,
    show(shown) {
      view = shown;
      showAnswers(view.question);
      $(".floor").setAttribute("aria-pressed", String(view.floor));
      $("main.dealer").dataset.keys = keysOf(view);
      $("#practise").hidden = view.street !== "done" || view.hands_played > 0; // an evening has begun
      for (const wish of more.querySelectorAll(".wish")) wish.hidden = view.devices.bus !== "ok"; // no desk hears it
      nameStreet();
    },
  };
}

/** Which keys a phone shows: those of the betting, of the showdown, or between two hands. The others are behind *More*. */
function keysOf({ legal, street, shows }) {
  if (legal) return "acting";
  if (street === "done") return "between";
  return street === "showdown" || shows.length ? "showdown" : "acting";
}

/** The button that a key of the keyboard stands for. */
function typed(key) {
  if (/^[0-9]$/.test(key)) return $(`[data-digit="${key}"]`);
  if (key === "Enter") return $("#winners").hidden ? $("#answer") : named("Award");
  if (key === "/") return $("#rule");
  if (key === "Escape" || key === "Backspace") return $("#clear").classList.contains("redo") ? null : $("#clear");
  return key === "y" ? $("#clear.redo") : named(LETTERS[key.toLowerCase()]);
}

const named = (words) => [...document.querySelectorAll("[data-key]")].find((button) => button.dataset.words === words) ?? null;

function answerWords({ key, kind }) {
  const words = key === STREET ? answers()[kind.split("-")[0]] : $(`[data-key="${key}"]`)?.textContent;
  return words ?? t("Yes");
}

/** What a key means with the number and seat before it: keys that name a player take a bare number as the seat. */
function taken(key, takes, digits, seat) {
  const number = digits ? Number(digits) : null;
  if (takes === "nothing" || (takes === "number" && number === null)) return { key };
  if (takes === "amount" || takes === "both" || takes === "number") return { key, seat, amount: number };
  if (seat === null && number > HIGHEST_NUMBER) return { key, seat, amount: number }; // the table says that it is no seat
  return { key, seat: seat ?? number };
}

/** How old the last count of a seat's stack is; empty when it is fresh or the seat is empty. */
function counted(view, seat) {
  const one = view?.seats.find((other) => other.seat === seat);
  const ago = one ? view.hand - one.counted_after : 0;
  return ago > 0 ? plural("{chips}, counted {n} hand ago", "{chips}, counted {n} hands ago", ago, { chips: one.stack }) : "";
}

/** Whether a key has all its arguments. */
function complete(takes, digits, seat) {
  if (takes === "nothing") return true;
  return takes === "both" ? seat !== null && digits !== "" : seat !== null || digits !== "";
}

let recovering = 0;

async function send(table, button, touch) {
  const banner = $("#banner");
  try {
    const words = await press(`/table/${encodeURIComponent(table)}/touch`, touch, inDoubt);
    if (words) fail(words); // it was in doubt
    else banner.classList.remove("failed");
    button.classList.add("sent");
    setTimeout(() => button.classList.remove("sent"), SHOWN_MS);
  } catch (error) {
    fail(error.message);
  }
}

function fail(words) {
  inDoubt(words);
  recovering = setTimeout(() => $("#banner").classList.remove("failed"), FAILED_MS);
}

/** Text about a press, shown until its outcome is known. */
function inDoubt(words) {
  clearTimeout(recovering);
  $("#banner").classList.add("failed");
  say($("#says"), words);
}
