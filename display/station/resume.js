/** *Resume from here*, within a hand: the director enters the state of a table, and play goes on from there.
 * The form is filled with what the page knows of the table; an impossible value is marked beside its field. */
import { $, chips, draw, h, say } from "../shared/dom.js";
import { pressWithPin } from "../shared/pin.js";
import { ante, blinds } from "../shared/time.js";
import { STREETS } from "../shared/words.js";
import { tell } from "./command.js";
import { confirm } from "./confirm.js";

const WAYS = { in: "in", out: "folded", away: "not dealt" };
const PLACES = ["to_act", "button", "small_blind", "big_blind"];

/** `open(table)` opens the form; `hear(tiles)` takes the newest states. Null on a viewer's page. */
export function directorHands() {
  const form = $("#resume-form");
  if (!form) return null;
  const states = new Map(); // table -> its state as the page shows it
  let table = null;
  let from = null; // the state that the form was filled from
  let sides = 0;
  let old = () => "";

  /* ---------------------------------------------------------------------------------------- filling in */

  function open(name) {
    table = name;
    fill();
    $("#resume").showModal();
    $("#resume-heading").focus();
  }

  function fill() {
    from = states.get(table);
    const level = from.level ?? from.next_hand_level;
    const playing = from.hand > 0 && from.street !== "done";
    say($("#resume-heading"), `Table ${table}: how does the hand stand?`);
    say($("#resume-level"), level ? `Level ${level.no}: ${[blinds(level, chips), ante(level, chips)].filter(Boolean).join(", ")}` : "No level is known at this table yet");
    say($("#resume-age"), old() ? `Every field begins with what was known last: ${old()}. Stacks are computed since they were counted.` : "");
    form.reset();
    form.elements.hand.value = playing ? from.hand : from.hand + 1;
    form.elements.street.value = playing ? from.street : "preflop";
    form.elements.board.value = from.board.map((card) => (card === "??" ? "?" : card)).join(" ");
    $("#resume-seats").replaceChildren($("#resume-seats legend"), ...from.seats.map((one) => seatRow(one, playing)));
    for (const name of PLACES) fillPlaces(form.elements[name], name);
    form.elements.to_act.value = from.legal?.seat ?? "";
    for (const name of PLACES.slice(1)) form.elements[name].value = from[name] ?? "";
    sides = 0;
    $("#resume-sides").replaceChildren();
    if (playing) from.pots.slice(1).forEach((amount) => addSide(chips(amount)));
    form.elements.pot.value = chips(playing ? (from.pots[0] ?? 0) : 0);
    blame({});
    count();
    moved();
  }

  function seatRow(one, playing) {
    const dealt = playing ? one.in_hand || one.folded : one.stack > 0 && !one.away;
    const now = !dealt ? "away" : playing && !one.folded ? "in" : "out";
    const ways = Object.entries(WAYS).map(([way, words]) => h("option", { value: way, selected: way === now }, words));
    const amount = (name, label, value) => h("input", { name: `${name}-${one.seat}`, value, inputmode: "numeric", autocomplete: "off", "aria-label": `${label} of seat ${one.seat}` });
    return h(
      "div.seat-row",
      {},
      h("span.who", {}, h("b", {}, `${one.seat}`), one.name, h("small", {}, one.counted_after ? `counted hand ${one.counted_after}` : "not counted yet")),
      h("select", { name: `way-${one.seat}`, "aria-label": `Seat ${one.seat}` }, ways),
      amount("stack", "Stack", chips(one.stack)),
      amount("bet", "Bet", chips(one.bet)),
    );
  }

  function fillPlaces(select, name) {
    const none = name === "to_act" ? "Nobody: all-in, or the showdown" : name === "small_blind" ? "None" : null;
    select.replaceChildren(
      ...(none ? [h("option", { value: "" }, none)] : []),
      ...from.seats.map((one) => h("option", { value: one.seat }, `Seat ${one.seat}, ${one.name}`)),
    );
  }

  function addSide(amount = "") {
    sides += 1;
    const who = from.seats.filter((one) => one.in_hand && !one.folded && !one.all_in).map((one) => one.seat);
    $("#resume-sides").append(
      h(
        "div.fields",
        { "data-side": `${sides}` },
        h("label", {}, `Side pot ${sides}`, h("input", { name: `side-${sides}`, value: amount, inputmode: "numeric", autocomplete: "off" })),
        h("label", {}, "Seats that can win it", h("input", { name: `side-seats-${sides}`, value: who.join(" "), inputmode: "numeric", autocomplete: "off" })),
      ),
    );
  }

  /* ------------------------------------------------------------------------------------------ reading */

  const field = (name) => form.elements[name].value.trim();
  const number = (name) => Number(field(name).replace(/\D/g, "") || 0);
  const place = (name) => (field(name) ? Number(field(name)) : null);
  const dealtIn = () => from.seats.filter((one) => field(`way-${one.seat}`) !== "away");

  function hand() {
    const live = from.seats.filter((one) => field(`way-${one.seat}`) === "in").map((one) => one.seat);
    const side = Array.from({ length: sides }, (_, i) => ({ amount: number(`side-${i + 1}`), seats: (field(`side-seats-${i + 1}`).match(/\d+/g) ?? []).map(Number) }));
    const main = number("pot");
    return {
      hand: number("hand"),
      button: place("button"),
      small_blind: place("small_blind"),
      big_blind: place("big_blind"),
      level: from.level ?? from.next_hand_level,
      street: field("street"),
      board: cards(field("board")),
      seats: dealtIn().map(({ seat, player }) => ({ seat, player, stack: number(`stack-${seat}`), bet: number(`bet-${seat}`), live: live.includes(seat) })),
      pots: [...(main || side.length ? [{ amount: main, seats: live }] : []), ...side.filter((pot) => pot.amount)],
      to_act: place("to_act"),
      last_raise: number("last_raise") || null,
    };
  }

  /** The sum of all chips, which shows a mistyped number. */
  function count() {
    const { seats, pots } = hand();
    const sat = from.seats.filter((one) => !seats.some(({ seat }) => seat === one.seat));
    const sum = (amounts) => amounts.reduce((all, amount) => all + amount, 0);
    const now = sum([...seats.flatMap((one) => [one.stack, one.bet]), ...sat.map((one) => one.stack), ...pots.map((pot) => pot.amount)]);
    const before = sum(from.seats.map((one) => one.stack)) + from.pot;
    const off = now - before;
    say($("#resume-sum"), `${chips(now)} chips at the table${off ? `: ${chips(Math.abs(off))} ${off > 0 ? "more" : "fewer"} than the table had` : ", as the table had"}.`);
    $("#resume-sum").classList.toggle("off", off !== 0);
  }

  /* ---------------------------------------------------------------------------------------- telling it */

  /** Shows a fault beside its field, or at the foot of the form. */
  function blame({ about = "", words = "", rule = "" }) {
    let found = false;
    for (const node of form.querySelectorAll("[data-about]")) {
      const here = Boolean(words) && node.dataset.about === about;
      node.classList.toggle("wrong", here);
      const said = $(".fault", node);
      say(said, here ? [words, rule].filter(Boolean).join(" · ") : "");
      if (here) said.scrollIntoView({ block: "center" });
      found ||= here;
    }
    say($("#resume-fault"), words && !found ? [words, rule].filter(Boolean).join(" · ") : "");
  }

  async function send(wanted) {
    const { epoch, as_of: seq } = from;
    try {
      tell((await pressWithPin("/director", { command: "set_hand", arguments: { table, hand: wanted, if_epoch: epoch, if_seq: seq } }, (words) => blame({ words }))) || "Done");
      $("#resume").close();
    } catch (error) {
      blame({ about: error.about, words: error.message, rule: error.rule });
    }
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const wanted = hand();
    blame({});
    if (!wanted.level) {
      blame({ about: "level", words: "The table has no level yet: start the clock, or let the table hear it" });
      return;
    }
    confirm({
      heading: `Table ${table} goes on from here?`,
      text: `Hand ${wanted.hand}, ${STREETS[wanted.street].toLowerCase()}${wanted.to_act ? `, seat ${wanted.to_act} to act` : ""}. What the table has of the hand is replaced, and what came before counts as not observed.`,
      yes: "Go on from here",
      act: () => send(wanted),
    });
  });
  form.addEventListener("input", count);
  $("#resume-add").addEventListener("click", () => {
    addSide();
    count();
  });
  $("#resume-again").addEventListener("click", fill);
  $("#resume-close").addEventListener("click", () => $("#resume").close());

  /** Play has gone on since the form was filled: the table would refuse what is in it. */
  function moved() {
    const now = states.get(table);
    const facts = (one) => JSON.stringify([one.epoch, one.hand, one.street, one.legal?.seat, one.pot, one.board]);
    const changed = Boolean(from && now) && facts(now) !== facts(from);
    say($("#resume-now"), changed ? `The table has gone on meanwhile: ${now.last}` : "");
    $("#resume-moved").hidden = !changed;
  }

  return {
    /** `age` says of when the state is. */
    hear(tiles, age = () => "") {
      old = age;
      for (const { table: name, state } of tiles) states.set(name, state);
      if ($("#resume").open) moved();
    },
    open,
  };
}

/** `Qh 9s 4c`, `qh9s4c`, `10h`, and `?` for a card that nobody can read. */
function cards(text) {
  const tokens = text.replace(/10/g, "T").match(/\?+|[^\s,?][^\s,?]?/g) ?? [];
  return tokens.map((one) => (one.startsWith("?") ? "??" : one[0].toUpperCase() + one.slice(1).toLowerCase()));
}
