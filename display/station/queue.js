/** The exception queue: what is to decide, worst first, who comes, what was decided. */
import { $, draw, h, many, minutes, say } from "../shared/dom.js";
import { command, mayPress, tell } from "./command.js";
import { confirm, overtake } from "./confirm.js";
import { tablePath } from "./keys.js";
import { linked, ruleLink } from "./rule.js";
import { guard, steady } from "./steady.js";

const TICK_MS = 1_000;
const ROWS = 100; // the worst: nobody reads more, and a hall whose line is cut has five hundred
const LED_MS = 500; // nothing is pressed by a key that was meant for the item before
const SEVERITIES = { stop: "Play stands", now: "Somebody waits", soon: "Soon", know: "To know" };
const KINDS = {
  floor_call: "Floor call",
  ruling: "Ruling",
  dispute: "Dispute",
  bust: "Out of chips",
  move: "Move",
  absence: "Absence",
  penalty: "Penalty",
  chips: "Chips",
  count: "Count",
  imbalance: "Balance",
  break_table: "Break a table",
  device: "Device",
  silent: "Silent",
  no_answer: "No answer",
  claim: "Machine",
  admission: "Phone",
  phone: "Player's phone",
  disk: "Disk",
  deck: "Deck",
  hand_for_hand: "Hand for hand",
  late: "Old level",
  places: "Places",
  money: "Money",
  seat: "Seat",
  not_shown: "Not shown",
};
const RULED = new Set(["floor_call", "ruling"]); // opened as a guided ruling on this page
const ENDED = "This has ended meanwhile.";
const CHANGED = "This has changed meanwhile. Cancel, and look again.";
const DECIDES = { table: "The table decides", director: "You decide" };

/** `rule(table)` opens the guided ruling; `only` is the table whose items the page shows, of all others nothing. */
export function queue({ rule, only = "" }) {
  const nodes = new Map(); // id -> its row
  const rows = new WeakMap(); // row -> its item
  let shown = null; // the newest snapshot
  let heardAt = 0;
  let alone = false;
  let told = new Set(); // ids that were said to a screen reader
  let held = []; // ids of the last snapshot
  const known = new Map(); // sheet -> the ids there were when it opened
  let ledAt = -Infinity; // when the focus was led from an item that ended
  let asked = null; // what was asked last: the item, its question
  const place = steady($("#items"), show);
  const all = () => !only || alone;

  function hear(snapshot, { age }) {
    shown = snapshot;
    heardAt = performance.now() - age;
    show();
  }

  function show() {
    if (!shown) return;
    const found = shown.items.filter((item) => all() || item.table === only);
    const items = found.slice(0, ROWS); // the worst come first
    say($("#items-more"), found.length > ROWS ? `${many(found.length - ROWS, "more item")} not shown` : "");
    announce(items);
    sheets(items);
    question(found);
    if (place.touched()) return;
    if (!place.held()) arrange(items);
    for (const [id, node] of nodes) {
      const item = items.find((one) => one.id === id);
      if (item) rows.set(node, item);
      drawRow(node, rows.get(node), !item);
    }
    const fresh = items.filter((item) => !nodes.has(item.id)).length;
    say($("#items-fresh"), fresh ? `${fresh} new` : "");
    $("#items-none").hidden = nodes.size > 0;
    place.drawn($("#decided"));
    drawDecided();
    tick();
  }

  /** The rows as the items are; the focus of one that ended goes to the next. */
  function arrange(items) {
    const list = $("#items");
    for (const [id, node] of nodes) {
      if (items.some((item) => item.id === id)) continue;
      if (node.contains(document.activeElement)) {
        (node.nextElementSibling ?? node.previousElementSibling ?? $("#page")).focus();
        ledAt = performance.now();
      }
      node.remove();
      nodes.delete(id);
    }
    items.forEach((item, at) => {
      if (!nodes.has(item.id)) nodes.set(item.id, row());
      const node = nodes.get(item.id);
      if (list.children[at] !== node) list.insertBefore(node, list.children[at] ?? null);
    });
  }

  function drawRow(node, item, ended) {
    node.dataset.severity = item.severity;
    node.classList.toggle("ended", ended);
    draw($(".facts", node), [item.kind, item.severity, item.table, item.seat, item.player, item.fact, item.do, item.rule, item.decides], () => facts(item));
    const list = $(".choices", node);
    const focused = [...list.children].indexOf(document.activeElement);
    draw(list, [item.primary, item.also, item.taken_by, item.can_be_done, item.kind, item.fact, ended], () => choices(item, node));
    if (ended) for (const one of list.children) one.disabled = true;
    if (focused >= 0 && !list.contains(document.activeElement)) (list.children[focused] ?? node).focus();
  }

  const row = () => h("li.item", { tabindex: "-1" }, h("div.facts"), h("p.when", {}, h("time.age"), h("span.taken")), h("div.choices"));

  function choices(item, node) {
    const mine = item.taken_by && item.taken_by.split(" (")[0] === document.body.dataset.caller;
    const barred = [item.primary, ...(item.also ?? [])].some((one) => one?.command && !mayPress(one.command));
    return [
      primary(item, node),
      ...(item.also ?? []).map((one) => one.open ? link(one, item) : bar(button(one.label, item, () => settle(node, one)), one, item)),
      button(mine ? "Not me after all" : item.taken_by ? "I take it over" : "I'm on it", item, () => press(node, mine ? "leave_item" : "take_item", { item: item.id })),
      item.can_be_done ? button("Done", item, () => press(node, "done_item", { item: item.id })) : null,
      barred && h("p.soft", { id: `barred-${item.id}` }, "Greyed: the tournament director decides this."),
    ];
  }

  function primary(item, node) {
    const wanted = item.primary;
    if (item.table && rule && RULED.has(item.kind)) return button(wanted?.label ?? "Rule", item, () => rule(item.table), "primary");
    if (!wanted) return null;
    if (wanted.open) return link(wanted, item, ".primary");
    return bar(button(wanted.label, item, () => settle(node, wanted), "primary"), wanted, item);
  }

  function link({ open, label }, item, kind = "") {
    return h(`a.button${kind}`, { href: open, "aria-label": `${label}: ${item.fact}` }, label);
  }

  /** What the person at this page may not press is greyed. */
  function bar(node, { command: name }, item) {
    if (mayPress(name)) return node;
    node.disabled = true;
    node.dataset.barred = "yes";
    node.setAttribute("aria-describedby", `barred-${item.id}`);
    return node;
  }

  /** The press of a button that settles the item; asked first where it says so. The station compares what was asked
   * with what it would ask by then. */
  function settle(node, wanted) {
    if (!wanted.confirm) return press(node, wanted.command, wanted.arguments ?? {});
    const item = rows.get(node).id;
    // Asked is what is true now: the row may be of a moment ago, because nothing changes under a finger.
    const { label, command: name, arguments: given, confirm: text } = choicesOf(item).find((one) => one.command === wanted.command && one.label === wanted.label) ?? wanted;
    asked = { item, name, text };
    confirm({ heading: `${label}?`, text, yes: label, act: () => press(node, name, { ...given, item, question: text }), about: item });
  }

  /** What the newest snapshot offers for an item, of what is asked first. */
  function choicesOf(id) {
    const item = shown.items.find((one) => one.id === id);
    return [item?.primary, ...(item?.also ?? [])].filter((one) => one?.confirm);
  }

  /** An open question about an item that has ended, or that would ask another thing by now, takes no yes. */
  function question(items) {
    if (!asked) return;
    const item = items.find((one) => one.id === asked.item);
    const same = choicesOf(asked.item).some((one) => one.command === asked.name && timeless(one.confirm) === timeless(asked.text));
    overtake(asked.item, same ? "" : item ? CHANGED : ENDED);
  }

  function button(words, item, act, kind = "") {
    const node = h("button", { type: "button", class: kind || null, "aria-label": `${words}: ${item.fact}` }, words);
    node.addEventListener("click", act);
    return node;
  }

  /** While the outcome of a press is not known, the item takes no other. */
  async function press(node, name, parameters) {
    const buttons = node.querySelectorAll("button");
    const inside = node.contains(document.activeElement);
    for (const one of buttons) one.disabled = true;
    await command(name, parameters);
    for (const one of buttons) one.disabled = node.classList.contains("ended") || one.dataset.barred === "yes";
    guard([node]); // a second tap counts as the first
    if (inside && document.activeElement === document.body) node.focus();
  }

  function drawDecided() {
    const decided = all() ? shown.decided : [];
    draw($("#decided"), decided.map(({ ms_ago: _, ...one }) => one), () =>
      decided.map((one) => {
        const node = h("li", {}, h("b", {}, one.outcome), ` ${one.fact}`, one.by ? h("small", {}, `by ${one.by}`) : null);
        if (one.can_reopen) node.append(" ", button("Open again", one, () => press(node, "reopen_item", { item: one.id })));
        return node;
      }),
    );
  }

  /** A screen reader hears of what stops play or makes somebody wait, once. */
  function announce(items) {
    const urgent = items.filter((item) => item.severity === "stop" || item.severity === "now");
    const fresh = urgent.filter((item) => !told.has(item.id));
    told = new Set(urgent.map((item) => item.id));
    if (fresh.length) say($("#queue-news"), fresh.map((item) => `${KINDS[item.kind] ?? ""}: ${item.fact}`).join(". "));
  }

  /** How many came while a sheet is open, on the sheet. */
  function sheets(items) {
    for (const dialog of document.querySelectorAll("dialog.sheet")) {
      if (!dialog.open) known.delete(dialog);
      else if (!known.has(dialog)) known.set(dialog, new Set(held));
      const more = dialog.open ? items.filter((item) => !known.get(dialog).has(item.id)).length : 0;
      say($(".more-wait", dialog), more ? `${more} more` : "");
    }
    held = items.map((item) => item.id);
  }

  function tick() {
    const passed = performance.now() - heardAt;
    for (const node of nodes.values()) {
      const item = rows.get(node);
      say($(".age", node), minutes(item.ms_ago + passed));
      say($(".taken", node), node.classList.contains("ended") ? "Ended" : item.taken_by ? `${item.taken_by} comes, ${minutes(item.taken_ms_ago + passed)}` : "");
    }
  }
  setInterval(() => (place.held() ? tick() : show()), TICK_MS);

  /* ------------------------------------------------------------------------------------------------ keys */

  const here = () => (performance.now() - ledAt > LED_MS ? document.activeElement?.closest?.(".item") : null);
  function step(by) {
    const list = [...$("#items").children];
    const at = list.indexOf(document.activeElement?.closest?.(".item"));
    list[Math.max(0, Math.min(list.length - 1, at < 0 ? 0 : at + by))]?.focus();
  }
  function coming() {
    const node = here();
    if (!node) tell("Choose an item first: j and k lead through them", true);
    else press(node, "take_item", { item: rows.get(node).id });
  }

  return {
    hear,
    /** The only table of the room: its page shows everything. */
    alone(now) {
      if (now !== alone) show((alone = now));
    },
    keys: {
      j: { does: "The next item", act: () => step(1) },
      k: { does: "The item before", act: () => step(-1) },
      Enter: { does: "Open the item, or its first button", act: () => here()?.querySelector(".choices > :not(:disabled)")?.click() },
      c: { does: "I'm on it", act: coming },
    },
  };
}

/** Without a time that runs: it makes no other question. */
const timeless = (said) => said.replace(/\d+ s ago/, "");

function facts(item) {
  const where = [item.table && `Table ${item.table}`, item.seat && `seat ${item.seat}`].filter(Boolean).join(", ");
  return [
    h(
      "p.head",
      {},
      h("span.kind", {}, KINDS[item.kind] ?? "Other", h("span.visually-hidden", {}, `, ${SEVERITIES[item.severity]}`)),
      where && (item.table ? h("a", { href: tablePath(item.table) }, where) : h("span", {}, where)),
      DECIDES[item.decides] && h("span.decides", {}, DECIDES[item.decides]),
    ),
    h("p.fact", {}, linked(item.fact)),
    item.do || item.rule ? h("p.do", {}, linked(item.do), item.rule ? [" ", ruleLink(item.rule)] : null) : null,
  ];
}
