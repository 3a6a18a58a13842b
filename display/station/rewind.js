/** Undo and rewind: a fact of the hand is taken back with what is behind it, or another one takes its place. The
 * station says what that does before it can be done. */
import { $, chips, draw, h, say } from "../shared/dom.js";
import { press } from "../shared/press.js";
import { timeOfDay } from "../shared/time.js";
import { pressed, tell } from "./command.js";

const ASK_MS = 300; // behind the last letter

/** `open(seq)` asks about the fact with that number, without one about the last. Null on a viewer's page. */
export function goingBack(table) {
  const form = $("#rewind-form");
  if (!form) return null;
  let view = null;
  let facts = [];
  let fact = null; // the one that is asked about
  let seen = null; // the view when the person looked
  let asked = 0; // the question whose answer may be shown
  let waiting = 0;

  function open(seq = facts.findLast((one) => one.can_go_back)?.seq) {
    fact = facts.find((one) => one.seq === seq && one.can_go_back);
    if (!fact) return tell("Nothing in this hand can be taken back", true);
    form.reset();
    say($("#rewind-heading"), `Table ${table}: take back or replace?`);
    say($("#rewind-fact"), `${timeOfDay(Date.parse(fact.wall))} ${fact.text} (${fact.source})`);
    const here = view.seats.filter((one) => one.in_hand || one.folded);
    form.elements.seat.replaceChildren(...here.map((one) => h("option", { value: one.seat, selected: one.seat === fact.seat }, `${one.seat} ${one.name}`)));
    form.elements.action.value = fact.action ?? "fold";
    form.elements.to.value = fact.amount ? chips(fact.amount) : "";
    $("#rewind-award").replaceChildren($("#rewind-award legend"), ...here.map((one) => h("label", {}, h("input", { type: "checkbox", name: "winner", value: one.seat }), h("span", {}, `${one.seat} ${one.name}`))));
    $("#rewind-ways").hidden = !["action", "award"].includes(fact.kind);
    look();
    $("#rewind").showModal();
    $("#rewind-heading").focus();
  }

  /** What is shown is of now. */
  function look() {
    seen = view;
    moved();
    choose();
  }

  function choose() {
    const instead = form.elements.way.value === "instead";
    $("#rewind-act").hidden = !instead || fact.kind !== "action";
    $("#rewind-award").hidden = !instead || fact.kind !== "award";
    $("#rewind-to").hidden = !["bet", "raise"].includes(form.elements.action.value);
    say($("#rewind-do"), instead ? "Replace" : "Take back");
    ask();
  }

  function wanted() {
    const arguments_ = { table, seq: fact.seq, if_epoch: seen.epoch, if_seq: seen.as_of };
    if (form.elements.way.value !== "instead") return arguments_;
    if (fact.kind === "award") {
      const winners = [...form.querySelectorAll("[name=winner]:checked")].map((one) => Number(one.value));
      return { ...arguments_, instead: { type: "award_pots", winners } };
    }
    const to = Number(form.elements.to.value.replace(/\D/g, "")) || null;
    const action = form.elements.action.value;
    return { ...arguments_, instead: { type: "act", seat: Number(form.elements.seat.value), action, to: $("#rewind-to").hidden ? null : to } };
  }

  /** Asks the station what it would do; nothing can be pressed before it has said so. */
  async function ask() {
    const question = ++asked;
    $("#rewind-do").disabled = true;
    show([]);
    try {
      const does = await press("/director", { command: "preview_rewind", arguments: wanted() }, (words) => question === asked && show([], words));
      if (question !== asked) return;
      show(does.split("\n"));
      $("#rewind-do").disabled = false;
    } catch (error) {
      if (question === asked) show([], [error.message, error.rule].filter(Boolean).join(" · "));
    }
  }

  function show(does, fault = "") {
    draw($("#rewind-does"), does, () => does.map((line) => h("li", {}, line)));
    say($("#rewind-fault"), fault);
  }

  /** Play has gone on since the person looked: the table would refuse. */
  function moved() {
    const at = (one) => JSON.stringify([one.epoch, one.hand, one.street, one.legal?.seat, one.pot, one.board]);
    const changed = at(view) !== at(seen);
    say($("#rewind-now"), changed ? `The table has gone on meanwhile: ${view.last}` : "");
    $("#rewind-moved").hidden = !changed;
  }

  form.addEventListener("input", (event) => {
    if (event.target.name !== "to") return choose();
    $("#rewind-do").disabled = true;
    clearTimeout(waiting);
    waiting = setTimeout(ask, ASK_MS);
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if ($("#rewind-do").disabled) return;
    $("#rewind-do").disabled = true;
    try {
      tell(await pressed("rewind", wanted()));
      $("#rewind").close();
    } catch (error) {
      show([], [error.message, error.rule].filter(Boolean).join(" · "));
    }
  });
  $("#rewind-again").addEventListener("click", () => {
    if (facts.some((one) => one.seq === fact.seq && one.can_go_back)) return look();
    $("#rewind").close();
    tell("That is of an earlier hand now, or is taken back already", true);
  });
  $("#rewind-close").addEventListener("click", () => $("#rewind").close());

  return {
    open,
    see(now) {
      view = now;
      if ($("#rewind").open) moved();
    },
    hear(now) {
      facts = now;
      $("#undo").disabled = !facts.some((one) => one.can_go_back);
    },
  };
}
