/** Rulings on the table's own screen: the open incident with its options, and the list from which a person raises one. */
import { $, draw, h, say } from "../shared/dom.js";
import { press } from "../shared/press.js";
import { follow } from "../shared/stream.js";

const STREET = 20;
const FLOOR = 33;
const COUNT = 37;
const SILENT = /^(.*) \((the book is silent; [^)]*)\)$/; // whose practice it is: beside the words to press

/** `seat()` is the seat touched last, `number()` what is typed; `failed(words)` says what went wrong, `inDoubt(words)` until more is known. Null on a screen that only shows. */
export function rulings(table, { seat, number, failed, inDoubt }) {
  const open = $("#ruling");
  if (!open) return null;
  const incidents = $("#incidents");
  let asked = 0; // the question that was put aside with "Later"
  let shown = null;

  const send = async (touch) => {
    try {
      const words = await press(`/table/${encodeURIComponent(table)}/touch`, touch, inDoubt);
      if (words) failed(words); // it was in doubt
      asked = 0;
    } catch (error) {
      failed(error.message);
    }
  };
  const choose = (no) => {
    open.close();
    send({ key: STREET, amount: no, question: shown.question, reason: $("#reason").value });
  };

  $("#ruling-later").addEventListener("click", () => {
    asked = shown?.question ?? 0;
    open.close();
  });
  $("#rule").addEventListener("click", () => {
    if (shown) {
      asked = 0;
      open.show();
      return;
    }
    const about = seat();
    say($("#incidents-seat"), about === null ? "Touch a seat first where it is about a player." : `Seat ${about}`);
    for (const button of incidents.querySelectorAll("[data-incident]")) button.disabled = about === null && button.dataset.needsSeat === "yes";
    incidents.show();
  });
  $("#ruling-amount").addEventListener("click", () => {
    if (number() === null) failed("Type the amount first: chips, or the other seat");
    else send({ key: COUNT, amount: number() });
  });
  $("#incidents-close").addEventListener("click", () => incidents.close());
  for (const button of incidents.querySelectorAll("[data-incident]")) {
    button.addEventListener("click", () => {
      incidents.close();
      send({ key: FLOOR, seat: seat(), amount: Number(button.dataset.incident) });
    });
  }
  $("#predicted").addEventListener("click", () => send({ key: STREET }));

  // A stream of its own: the table goes to everybody, an open incident to who may rule on it.
  follow({ [`ruling/${table}`]: ({ ruling }) => showIncident(ruling) });

  function showIncident(ruling) {
    shown = ruling;
    if (!ruling) {
      if (open.open) open.close();
      return;
    }
    const about = ruling.text.endsWith("?") ? ` Seat ${ruling.seat}` : `: seat ${ruling.seat}`;
    say($("#ruling-title"), ruling.seat ? `${ruling.text}${about}` : ruling.text);
    const directors = ruling.by === "director";
    say($("#answer"), word());
    say($("#ruling-words"), directors ? "The director makes this ruling. The game goes on." : `To be ruled ${ruling.deadline}. The game goes on.`);
    draw($("#seen"), ruling.seen, () => ruling.seen.map((line) => h("li", {}, line)));
    const asks = directors ? [] : ruling.options.filter((one) => one.asks).map((one) => one.asks);
    say($("#asks"), [...new Set(asks)].join(" "));
    draw($("#options"), ruling, () => (directors ? [] : [...ruling.options.map(option), nothing()]));
    draw($("#history"), ruling.history, () => ruling.history.map((line) => h("li", {}, line)));
    for (const choice of open.querySelectorAll(".choice")) choice.hidden = directors;
    if (open.open || asked === ruling.question) return;
    open.show();
    open.focus(); // not its first option: nothing is chosen yet
  }

  return {
    open() {
      asked = 0;
      if (shown) open.show();
    },
    word,
    show({ predicted, question }) {
      say($("#predicted"), predicted);
      $("#predicted").hidden = !predicted || Boolean(question);
    },
  };

  /** What the button of the banner does: a ruling of the director is not the table's to make. */
  function word() {
    return shown?.by === "director" ? "Look" : "Rule";
  }

  function option({ no, text, rule }) {
    const [, words, practice] = SILENT.exec(text) ?? [];
    const button = h("button", {}, h("b", {}, `${no}. ${words ?? text}`), h("small", {}, practice ?? rule));
    button.addEventListener("click", () => choose(no));
    return h("li", {}, button);
  }

  function nothing() {
    const button = h("button", {}, "Nothing to rule");
    button.addEventListener("click", () => choose(0));
    return h("li", {}, button);
  }
}
