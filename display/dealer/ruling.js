/** Rulings on the table's own screen: the open one in a place of its own, and what a person may raise, in the place of the keys. */
import { $, draw, h, say } from "../shared/dom.js";
import { said as spoken, t } from "../shared/language.js";
import { press } from "../shared/press.js";
import { follow } from "../shared/stream.js";

const STREET = 20;
const FLOOR = 33;
const COUNT = 37;
const SILENT = /^(.*) \(the book is silent; [^:)]*: ([^)]*)\)$/; // whose practice it is: beside the words to press
const UNCHANGED = "no chips move"; // says less than the answer's own words
const ONE_OF = /(\d) or (\d), COUNT$/; // what is asked is one of two numbers
const TYPED_MS = 150; // a word is looked for when no letter follows at once

/**
 * `seat()` is the seat touched last, `number()` what is typed, `clear()` forgets both; `failed(words)` says what went wrong,
 * `inDoubt(words)` until more is known. Null on a screen that only shows.
 */
export function rulings(table, { seat, number, clear, failed, inDoubt }) {
  const open = $("#ruling");
  if (!open) return null;
  const list = listOf(table, { seat, number, clear, failed, send });
  let asked = 0; // the question that was put aside with "Later"
  let shown = null;
  const reason = $("#reason").closest("li");
  const amount = $("#ruling-amount");

  async function send(touch) {
    try {
      const words = await press(`/table/${encodeURIComponent(table)}/touch`, touch, inDoubt);
      if (words) failed(words); // it was in doubt
    } catch (error) {
      failed(error.message);
    }
  }
  // It stays until the table says that it is ruled on: a press that came too soon to have read it is refused.
  const choose = (no) => {
    clear();
    send({ key: STREET, amount: no, question: shown.question, reason: reason.firstChild.value });
  };
  const put = (there) => {
    open.hidden = !there;
    $("#answer").classList.toggle("shown", there); // its button is in front already
  };

  $("#ruling-nothing").addEventListener("click", () => choose(0));
  $("#ruling-later").addEventListener("click", () => {
    asked = shown?.question ?? 0;
    put(false);
  });
  $("#rule").addEventListener("click", (event) => {
    if (!shown) {
      list.open(!event.detail);
      return;
    }
    asked = 0;
    put(true);
  });
  amount.addEventListener("click", () => count(number()));
  $("#predicted").addEventListener("click", () => send({ key: STREET }));

  function count(no) {
    if (no === null) failed(t("Type the amount first: chips, or the other seat"));
    else send({ key: COUNT, amount: no });
    clear();
  }

  // A stream of its own: the table goes to everybody, an open incident to who may rule on it.
  follow({ [`ruling/${table}`]: ({ ruling }) => showIncident(ruling) });

  function showIncident(ruling) {
    shown = ruling;
    if (!ruling) {
      put(false);
      return;
    }
    const directors = ruling.by === "director";
    say($("#answer"), word());
    say($("#ruling-title"), titled(ruling));
    const waits = ruling.holds ? `${spoken(ruling.holds)}.` : t("The hand goes on.");
    say($("#ruling-words"), directors ? t("The director makes this ruling. The game goes on.") : waits);
    say($("#ruling-deadline"), directors ? "" : t("To be ruled {deadline}.", { deadline: spoken(ruling.deadline) }));
    draw($("#seen"), ruling.seen, () => ruling.seen.map((line) => h("li", {}, spoken(line))));
    const asks = directors ? [] : [...new Set(ruling.options.filter((one) => one.asks).map((one) => one.asks))];
    draw($("#asks"), asks, () => [...asks.flatMap(question), asks.some((line) => !ONE_OF.test(line)) && amount]);
    draw($("#options"), ruling, () => (directors ? [] : [...ruling.options.map(option), reason]));
    $("#ruling-nothing").hidden = directors;
    draw($("#history"), ruling.history, () => ruling.history.map((line) => h("li", {}, spoken(line))));
    if (!open.hidden || asked === ruling.question) return;
    list.close();
    put(true);
  }

  /** What is asked before an option can be chosen; where it is one of two, with a button for each. */
  function question(line) {
    const [, ...numbers] = ONE_OF.exec(line) ?? [];
    return [
      h("span", {}, spoken(numbers.length ? line.replace(ONE_OF, "").trim() : line)),
      ...numbers.map((no) => {
        const button = h("button", { "data-count": no }, no);
        button.addEventListener("click", () => count(Number(no)));
        return button;
      }),
    ];
  }

  return {
    /** Enter, or the banner's button: with a number that is an answer's it is given, else the answers are shown. */
    open() {
      if (!shown) return;
      const no = number();
      if (no !== null && shown.by !== "director" && no <= shown.options.length) {
        answer(no);
        return;
      }
      asked = 0;
      put(true);
    },
    about: list.about,
    find: () => $("#rule").click(),
    word,
    show({ predicted, question: asks }) {
      say($("#predicted"), spoken(predicted));
      $("#predicted").hidden = !predicted || Boolean(asks);
    },
  };

  /** What the button of the banner does: a ruling of the director is not the table's to make. */
  function word() {
    return shown?.by === "director" ? t("Look") : t("Rule");
  }

  /** An answer that asks for a number takes what is typed: then its button says what it does. */
  function answer(no) {
    const one = shown.options[no - 1];
    if (!one?.asks) choose(no);
    else if (number() === null) failed(spoken(one.asks));
    else count(number());
  }

  function option({ no, text, rule, asks, effect }) {
    const [, words = text, practice] = SILENT.exec(text) ?? [];
    const does = effect === UNCHANGED ? "" : effect;
    const small = [effect === UNCHANGED && spoken(effect), practice ? t("not in this book: {practice}", { practice }) : rule].filter(Boolean).join("; ");
    const button = h("button", { "data-no": no }, h("b", {}, `${no} `), does && h("b.does", {}, spoken(does)), h("span", {}, spoken(words)), " ", h("small", {}, small));
    button.addEventListener("click", () => answer(no));
    return h("li", {}, button);
  }
}

/** `String bet, seat 3`; `What did the player say? Seat 3` */
function named({ text: english, seat }) {
  const text = spoken(english);
  if (seat === null) return text;
  return text.endsWith("?") ? `${text} ${t("Seat {seat}", { seat })}` : t("{incident}, seat {seat}", { incident: text, seat });
}

/** `Stop: String bet, seat 3` */
function titled({ text, seat, by }) {
  const about = named({ text, seat });
  return by === "director" ? about : t("Stop: {incident}", { incident: about });
}

/** What a person may raise: what is likely now, what the words name, or everything; in the place of the keys, so that the seats stay in reach. */
function listOf(table, { seat, number, clear, failed, send }) {
  const list = $("#incidents");
  const find = $("#find");
  const all = $("#incidents-all");
  let waits = null; // an incident that needs a seat
  let about = null;
  let asks = 0;
  let typing = 0;

  const close = () => {
    list.hidden = true;
    $(".side").classList.remove("finding");
    waits = null;
  };
  const raise = ({ no, text, seat: whose, needs_seat: needed }) => {
    if (needed && whose === null) {
      waits = { no, text };
      say($("#incidents-about"), t("{incident}: touch the seat.", { incident: text }));
      return;
    }
    close();
    clear();
    send({ key: FLOOR, seat: whose, amount: no });
  };
  const hint = () => say($("#incidents-about"), about === null ? t("About a player? Touch the seat.") : t("About seat {seat}. Another: touch it.", { seat: about }));

  async function ask() {
    const mine = (asks += 1);
    try {
      const said = JSON.parse(await press(`/table/${encodeURIComponent(table)}/rulings`, { seat: about, words: find.value.trim().slice(0, 200) }));
      if (mine !== asks || list.hidden) return; // another answer has been asked for since
      const { choices } = said;
      draw($("#likely"), choices, () => (choices.length ? choices.map(item) : h("li.none", {}, t("Nothing has that name. All: every incident."))));
    } catch (error) {
      failed(error.message);
    }
  }
  function item(one) {
    const cannot = Boolean(one.why) && !(one.needs_seat && one.seat === null);
    const button = h("button", { "data-raise": one.no, disabled: cannot }, h("b", {}, `${one.no} ${named(one)}`), h("small", {}, spoken(one.why && cannot ? one.why : one.effect)));
    button.addEventListener("click", () => raise({ ...one, text: spoken(one.text) }));
    return h("li", {}, button);
  }
  const everything = (there) => {
    $("#every").hidden = !there;
    $("#likely").hidden = there;
    all.setAttribute("aria-pressed", String(there));
  };

  find.addEventListener("input", () => {
    everything(false);
    clearTimeout(typing);
    typing = setTimeout(ask, TYPED_MS);
  });
  find.addEventListener("keydown", async (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    clearTimeout(typing);
    await ask();
    $("#likely button:enabled")?.click();
  });
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") close();
  });
  all.addEventListener("click", () => everything($("#every").hidden));
  $("#incidents-close").addEventListener("click", close);
  for (const button of list.querySelectorAll("[data-incident]")) {
    const { incident, needsSeat, title } = button.dataset;
    button.addEventListener("click", () => raise({ no: Number(incident), text: title, seat: about, needs_seat: needsSeat === "yes" }));
  }

  return {
    close,
    open(byKeyboard) {
      about = seat() ?? number();
      find.value = "";
      everything(false);
      $("#likely").replaceChildren();
      draw($("#likely"), [], () => []);
      list.hidden = false;
      $(".side").classList.add("finding");
      hint();
      if (byKeyboard) find.focus();
      ask();
    },
    /** A seat was touched: it is about that one. */
    about(no) {
      if (list.hidden) return;
      about = no;
      hint();
      if (waits && no !== null) raise({ ...waits, seat: no, needs_seat: true });
      else ask();
    },
  };
}
