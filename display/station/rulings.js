/** Guided rulings by the director: an incident is raised at a table, the table shows the evidence and the options,
 * and one press rules. A ruling of the director's own can be taken back. */
import { $, draw, h, say } from "../shared/dom.js";
import { press } from "../shared/press.js";
import { timeOfDay } from "../shared/time.js";
import { command, tell } from "./command.js";
import { confirm } from "./confirm.js";
import { ofOut } from "./found.js";
import { ruleLink, ruleText } from "./rule.js";

const MOST_CALLS = 4; // tables whose incidents find offers

/** Out of chips and out of the hand: there is nothing left to rule on. */
const busted = (seat) => !seat.in_hand && !seat.stack && !seat.bet && !seat.won;

/**
 * `hear` takes the channel `rulings`, `hearQueue` the queue, which knows who decided; `of(table)` is its `{ruling, given}`; `rule(table)` opens what is to be ruled, or
 * asks what happened, `toRaise(tables)` promises what find offers there. `stateOf(table)` promises the newest `TableView` of a table. Null on a viewer's page.
 */
export function directorRulings(stateOf, changed = () => {}) {
  if (!$("#ruling")) return null;
  const rulings = new Map(); // table -> {ruling, given}
  let raising = null; // the table at which an incident is being chosen
  let about = null; // the seat that it is about
  let assumed = false; // nobody has chosen that seat: it acted last
  let shown = null; // {table, question, ruling} in the ruling dialog
  let awaited = null; // the table that was just asked: its incident opens by itself
  let unfit = {}; // incident -> why the table would refuse it about that seat
  let looks = 0; // the question whose answer may be shown
  let decided = []; // what ended lately, and by whom
  let closed = ""; // when the incident of the sheet ended

  function hear({ tables }) {
    rulings.clear();
    for (const one of tables) rulings.set(one.table, one);
    if (awaited && rulings.get(awaited)?.ruling) open(awaited);
    refresh();
    changed();
  }

  function hearQueue(queue) {
    ({ decided } = queue);
    refresh();
  }

  // The table's state when the director decided: the table refuses where play has gone on since.
  async function seen(table) {
    const state = await stateOf(table);
    return { if_epoch: state?.epoch ?? null, if_seq: state?.as_of ?? null };
  }

  /* ------------------------------------------------------------------------------------ raising an incident */

  async function raise(table) {
    const state = await stateOf(table);
    if (!state) return tell(`Table ${table} has reported nothing yet: there is nothing to rule on`, true);
    raising = table;
    about = null;
    assumed = true;
    say($("#raise-heading"), `What happened at table ${table}?`);
    $("#raise-find").value = $("#raise-amount").value = "";
    drawSeats(state.seats, []);
    look($("#raise-third"), ({ out, acted }) => {
      drawSeats(state.seats, out, acted);
      if (assumed && acted) choose(acted, { assume: true });
    });
    if (!$("#raise").open) $("#raise").showModal();
    $("#raise-find").focus();
  }

  /** Asks the station who is out there, what the table would refuse about the chosen seat, and whether the person
   * at this page plays in the hand; without an answer nothing is greyed, and the table says so after the press. */
  async function look(third, then = () => {}) {
    const question = ++looks;
    unfit = {};
    narrow();
    const facts = await factsOf(raising, about);
    if (!facts || question !== looks) return;
    unfit = facts.unfit;
    third.hidden = !facts.third;
    third.replaceChildren(facts.third, ...(facts.third_rule ? [" ", ruleLink(facts.third_rule)] : []));
    then(facts);
    narrow();
  }

  const factsOf = (table, seat) => press("/director", { command: "ruling_facts", arguments: { table, seat } }).then(JSON.parse).catch(() => null);

  function drawSeats(seats, out, acted = null) {
    const choice = (seat, words, why = "", greyed = false) => {
      const radio = h("input", { type: "radio", name: "about", value: seat ?? "", checked: seat === about, disabled: greyed });
      radio.addEventListener("change", () => choose(seat));
      return h("label", {}, radio, h("span", {}, words, why && h("small", {}, why)));
    };
    const gone = (one) => out.find(({ seat, player }) => seat === one.seat && (player === one.player || !one.stack));
    const there = (one) => {
      const left = busted(one) ? gone(one) : null;
      const why = left ? left.words : busted(one) ? "out of chips" : one.seat === acted ? "acted last" : one.folded ? "folded" : "";
      return [one.seat, choice(one.seat, `${one.seat} ${one.name}`, why, busted(one) && !left?.pending), left];
    };
    const empty = out.filter(({ seat }) => !seats.some((one) => one.seat === seat));
    const rows = [...seats.map(there), ...empty.map((left) => [left.seat, choice(left.seat, `${left.seat} ${left.name}`, left.words, true), left])];
    rows.sort(([one], [other]) => one - other);
    const each = rows.flatMap(([, node, left]) => (left && !left.pending ? [node, h("a", { href: ofOut(left) }, `Undo the bust of ${left.name}`)] : [node]));
    $("#raise-seats").replaceChildren($("#raise-seats legend"), choice(null, "No one"), ...each);
  }

  function narrow() {
    const [, seat, words] = /^(\d+)\s+(\D.*)$/.exec($("#raise-find").value.trim()) ?? [];
    if (seat && Number(seat) !== about && document.querySelector(`#raise-seats input[value="${seat}"]:enabled`)) return choose(Number(seat));
    const wanted = (words ?? $("#raise-find").value.trim()).toLowerCase();
    let any = false;
    let greyed = false;
    for (const section of document.querySelectorAll("#raise-incidents section")) {
      let some = false;
      for (const button of section.querySelectorAll("button")) {
        const why = unfit[button.dataset.incident] ?? "";
        button.hidden = !button.firstChild.textContent.toLowerCase().includes(wanted);
        button.disabled = Boolean(why) || (about === null && button.dataset.needsSeat === "yes");
        say($("small", button), why);
        some ||= !button.hidden;
        greyed ||= button.disabled && !why && !button.hidden;
      }
      section.hidden = !some;
      any ||= some;
    }
    $("#raise-none").hidden = any;
    say($("#raise-why"), greyed ? "Greyed: these are about one player. Choose the player first." : "");
  }

  /** It is about seat 4: that was chosen, or `4 string bet` typed. */
  function choose(seat, { assume = false } = {}) {
    about = seat;
    assumed = assume;
    document.querySelector(`#raise-seats input[value="${seat ?? ""}"]`).checked = true;
    look($("#raise-third"));
  }

  $("#raise-find").addEventListener("input", narrow);
  // Enter opens the first that is left, as it does in find.
  $("#raise-find").addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault(); // it would press the button that gets the focus back, too
    [...document.querySelectorAll("#raise-incidents button:enabled")].find((one) => one.checkVisibility())?.click();
  });
  $("#raise-close").addEventListener("click", () => $("#raise").close());
  for (const button of document.querySelectorAll("#raise-incidents button")) {
    button.addEventListener("click", () => {
      const typed = $("#raise-amount").value.replace(/\D/g, "");
      $("#raise").close();
      ask(raising, button, assumed && button.dataset.needsSeat !== "yes" ? null : about, typed ? Number(typed) : null);
    });
  }

  /** The table is asked about the incident of a button; its answer opens by itself. */
  async function ask(table, { dataset: { incident } }, seat, amount = null) {
    awaited = table;
    if (!(await command("rule", { table, incident, seat, amount, ...(await seen(table)) }))) awaited = null;
  }

  /** What find offers at these tables, as `[words, what it does]`: each incident, about one player with the one who
   * acted last first. */
  async function toRaise(tables) {
    const waiting = tables.filter((table) => !rulings.get(table)?.ruling).slice(0, MOST_CALLS);
    return (await Promise.all(waiting.map(toRaiseAt))).flat();
  }

  async function toRaiseAt(table) {
    const [state, facts] = await Promise.all([stateOf(table), factsOf(table, null)]);
    if (!state || !facts) return [];
    const there = state.seats.filter((one) => !busted(one)).sort((one) => (one.seat === facts.acted ? -1 : 0));
    return [...document.querySelectorAll("#raise-incidents button")].flatMap((button) => {
      const title = button.firstChild.textContent.trim().replace(/^\d+ /, "");
      const who = button.dataset.needsSeat === "yes" ? there : [null];
      return who.map((one) => [
        `${title}: table ${table}${one ? ` seat ${one.seat} ${one.name}${one.seat === facts.acted ? ", acted last" : ""}` : ""}`,
        () => ask(table, button, one?.seat ?? null),
      ]);
    });
  }

  /* --------------------------------------------------------------------------------------------- ruling */

  function open(table) {
    awaited = null;
    const { ruling } = rulings.get(table);
    if (shown?.question !== ruling.question || shown.table !== table) $("#ruling-reason").value = $("#ruling-note").value = "";
    shown = { table, question: ruling.question, ruling, names: new Map() };
    nameSeats(shown);
    raising = table;
    about = ruling.seat;
    look($("#ruling-third"));
    closed = "";
    say($("#ruling-over"), "");
    drawRuling(table, ruling);
    if (!$("#ruling").open) $("#ruling").showModal();
    $("#ruling-heading").focus(); // a slip of Enter rules nothing
  }

  /** Who sits where, as soon as the station has said it. */
  async function nameSeats(about) {
    const state = await stateOf(about.table);
    if (!state || shown !== about) return;
    about.names = new Map(state.seats.map((one) => [one.seat, one.name]));
    drawRuling(about.table, about.ruling);
  }

  function drawRuling(table, ruling) {
    const who = ruling.seat ? `, seat ${ruling.seat} ${shown.names.get(ruling.seat) ?? ""}`.trimEnd() : "";
    say($("#ruling-heading"), `Table ${table}: ${ruling.text}${who}`);
    const decides = ruling.by === "director" ? " You decide." : ruling.by === "table" ? " The table may decide too." : "";
    say($("#ruling-until"), `To be ruled ${ruling.deadline}. The game goes on.${decides}`);
    draw($("#ruling-seen"), ruling.seen, () => ruling.seen.map((line) => h("li", {}, line)));
    draw($("#ruling-options"), [table, ruling], () => ruling.options.map((one, index) => option(table, ruling, one, index + 1)));
    draw($("#ruling-history"), ruling.history, () => ruling.history.map((line) => h("li", {}, line)));
  }

  function option(table, ruling, { option, text, rule }, no) {
    const button = h("button", { type: "button" }, h("kbd", { "aria-hidden": "true" }, no), h("b", {}, text), no === 1 && h("span.default", {}, "the default"));
    button.addEventListener("click", () => decide(table, ruling, option));
    return h("li", {}, button, h("p.law", {}, ruleLink(rule), " ", ruleText(rule)));
  }

  /** On an incident that has ended nobody rules by a slip. */
  function decide(table, ruling, option) {
    if (!closed) return send(table, ruling, option, { question: ruling.question });
    confirm({ heading: `Rule once more: ${ruling.text}?`, text: $("#ruling-over").textContent, yes: "Rule once more", act: () => send(table, ruling, option) });
  }

  async function send(table, ruling, option, open = {}) {
    $("#ruling").close();
    const ruler = $("#ruling-ruler").value.trim();
    remember(ruler);
    command("rule", {
      table,
      incident: ruling.incident,
      option,
      seat: ruling.seat,
      ruler,
      reason: $("#ruling-reason").value,
      note: $("#ruling-note").value.trim(),
      ...open,
      ...(await seen(table)),
    });
  }

  // The number of an option rules, where nobody types.
  $("#ruling").addEventListener("keydown", (event) => {
    if (event.repeat || event.target.closest("input, select")) return;
    $(`#ruling-options > li:nth-child(${Number(event.key) || 0}) button`)?.click();
  });
  $("#ruling-later").addEventListener("click", () => $("#ruling").close());
  $("#ruling-dismiss").addEventListener("click", () => (closed ? $("#ruling").close() : decide(shown.table, shown.ruling, "dismiss")));

  /** The sheet follows its incident. It stays as it is under the thumb when that ends, and says so; what is pressed then
   * is about that incident, never about another one in its place. */
  function refresh() {
    if (!$("#ruling").open || !shown) return;
    const { ruling: now, given } = rulings.get(shown.table) ?? {};
    if (now?.question === shown.question) {
      shown.ruling = now;
      drawRuling(shown.table, now);
      closed = "";
    } else closed ||= timeOfDay();
    const { by } = decided.find((one) => one.id === `ruling-${shown.table}-${shown.question}`) ?? {};
    const who = by && !by.startsWith("table ") ? `${by} has decided this` : `Table ${shown.table} has closed this`;
    const what = by && given?.incident === shown.ruling.incident && given.seat === shown.ruling.seat ? ` ${given.text}.` : "";
    const other = now ? " Another incident is open there now." : "";
    say($("#ruling-over"), closed ? `${who}, ${closed}.${what}${other} Close it here, or rule all the same.` : "");
  }

  function remember(ruler) {
    try {
      localStorage.setItem("ruler", ruler);
    } catch {
      // a frame of another site has no storage
    }
  }
  try {
    $("#ruling-ruler").value = localStorage.getItem("ruler") ?? "";
  } catch {
    // as above
  }

  return {
    hear,
    hearQueue,
    of: (table) => rulings.get(table) ?? {},
    rule: (table) => (rulings.get(table)?.ruling ? open(table) : raise(table)),
    toRaise,
    async takeBack(table) {
      const { given } = rulings.get(table);
      const now = await seen(table);
      confirm({
        heading: `Take back the ruling at table ${table}?`,
        text: `${given.text} (${given.rule}). The hand is again as it was before the ruling.`,
        yes: "Take it back",
        act: () => command("take_back_ruling", { table, ruler: $("#ruling-ruler").value.trim(), ...now }),
      });
    },
  };
}
