/** The clock's controls, and the schedule editor: drag, add, remove, change any entry, save all at once. */
import { $, chips, draw, h, minutes, say } from "../shared/dom.js";
import { textOf } from "../shared/foreign.js";
import { clockTime } from "../shared/time.js";
import { confirm } from "../station/confirm.js";
import { missing } from "../station/director.js";
import { clockNow } from "../station/frame.js";
import { ruleLink } from "../station/rule.js";
import { act, arrive, button, clear, filled, night, nothing, number, onSubmit, presses, row } from "./night.js";

const FIELDS = { small_blind: "Small blind", big_blind: "Big blind", ante: "Ante", big_blind_ante: "Big blind ante", minutes: "Minutes" };
const OF_BREAK = new Set(["minutes"]);
const BIG_BLINDS_AT_THE_END = 20; // when all chips are so few big blinds, the event is likely to end

let state = null;
let saved = []; // the schedule as the station has it
let draft = null; // as it is being changed; null while it is not
let dragged = null;
let shape = 0; // which order of the entries is drawn while they are changed
let where = ""; // what was moved, and where it is now

night(
  "book seats",
  (shown) => {
    state = shown;
    drawControls();
    drawRounds();
    drawDelegate();
    show();
    const { players, stack } = $("#suggest")?.elements ?? {};
    if (players && !players.value) players.value = shown.registered || "";
    if (stack && !stack.value) stack.value = shown.starting_stack || "";
  },
  {},
  {
    clock: (clock) => {
      if (!clock) return;
      if (JSON.stringify(saved) !== JSON.stringify(clock.levels)) merge(clock.levels);
      drawControls();
      arrive();
      show();
    },
  },
);

setInterval(() => state && show(), 1_000); // levels begin by themselves

function drawControls() {
  const now = clockNow();
  if (!presses || !state || !now) return;
  const round = state.control.hand_for_hand !== null;
  say($("#no-hand"), state.control.no_hand);
  say($("#room-time"), `By the room's clock it is ${clockTime(Date.now(), state.zone || "UTC")}.`); // times of day are the station's
  $("#pause-why").hidden = Boolean(state.finished);
  const place = now.place;
  const entry = place < 0 ? {} : { entry: place }; // time is not added to a level that begins meanwhile
  draw($("#clock-do"), [state.started, state.finished, now.running, round, now.level, place], () => [
    !state.started && button("Cards in the air", "start", {}, { kind: "primary", sure: () => missing(state) }),
    !state.finished && (state.started || now.running) && button(now.running ? "Pause" : "Resume", now.running ? "pause" : "resume"),
    button("5 minutes more", "add_time", { by_ms: 300_000, ...entry }),
    button("1 minute more", "add_time", { by_ms: 60_000, ...entry }),
    button("1 minute less", "add_time", { by_ms: -60_000, ...entry }, { sure: () => (clockNow().left > 60_000 ? "" : `${nameOf(clockNow().level)} ends at once.`) }),
    button("Next level", "next_level", {}, { sure: "Hands in play keep their level." }),
    button("Level before", "previous_level", {}, { sure: "It begins again with its whole time." }),
    state.started && button(round ? "End hand for hand" : "Hand for hand", "set_hand_for_hand", { on: !round }),
    now.level.is_break && button("End the break", "end_break"),
    now.level.is_break && button("End the break, all agree", "end_break", { agreed: true }),
  ]);
}

/** Hand for hand: which tables have played the hand of the round, and which the others wait for. */
function drawRounds() {
  if (!$("#rounds")) return;
  const hands = state.control.hand_for_hand;
  $("#rounds").hidden = hands === null;
  const open = state.tables.filter((table) => table.open && table.seats.length);
  const rounds = hands === null ? [] : open.map(({ table, facts }) => [table, !facts || facts.in_hand || facts.hand < (hands[table] ?? 0), facts?.hand ?? 0]);
  draw($("#round-tables"), rounds, () => rounds.map(([table, plays, hand]) => row(`Table ${table}: ${plays ? "plays" : `has finished hand ${hand}`}`)));
  draw($("#round-do"), hands === null, () => [button("Begin the next round", "begin_round"), button("Charge a hand", "charge_hand")]);
  const { minutes } = $("#round-minutes").elements;
  if (document.activeElement !== minutes) minutes.value = state.settings.hand_for_hand_minutes?.value ?? 0;
}

function drawDelegate() {
  if (!$("#delegate")) return;
  $("#left-to").hidden = state.settings.clock_may_be_delegated?.value === false;
  const tables = state.tables.filter((table) => table.open).map(({ table }) => table);
  draw($("#delegate").elements.table, [tables, state.control.clock_table], () => [["", "no table"], ...tables.map((table) => [table, `table ${table}`])].map(([value, words]) => h("option", { value, selected: value === state.control.clock_table }, words)));
}

// ---------------------------------------------------------------- the schedule

const nameOf = (level) => (level.is_break ? "The break" : `Level ${level.no}`);
const levels = () => draft ?? saved;

function show() {
  const place = placeNow();
  draw($("#entries"), [shape, saved, place], () => (levels().length ? levels().map((level, entry) => entryOf(level, entry, place)) : nothing("No schedule yet.")));
  mark();
}

/** What follows from a field alone; the rows stay, and with them the focus and the button under the mouse. */
function mark() {
  for (const [entry, node] of [...$("#entries").children].entries()) if ($(".odd", node)) say($(".odd", node), entry < placeNow() ? "" : oddOf(entry));
  saveable();
  sayEnd();
  drawOddOfAll();
}

function saveable() {
  say($("#drafting"), draft ? `${where} Changed, not saved yet.`.trim() : presses ? "Nothing is changed." : "");
  for (const id of ["#save", "#drop-changes"]) if ($(id)) $(id).disabled = !draft;
}

/** Somebody else has changed the schedule: what is being changed here stays, the rest is theirs. */
function merge(theirs) {
  const before = saved;
  saved = theirs;
  if (!draft) return;
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  if (before.length !== theirs.length || draft.length !== before.length) {
    where = "Somebody else has changed the schedule meanwhile: saving puts yours in place of theirs.";
  } else {
    const both = theirs.map((level, at) => [level, at]).filter(([level, at]) => !same(level, before[at]) && !same(draft[at], before[at]) && !same(draft[at], level));
    draft = draft.map((level, at) => (same(level, before[at]) ? theirs[at] : level));
    where = both.length ? `Somebody else has changed ${both.map(([level, at]) => `${called(level, at).toLowerCase()} to ${level.is_break ? `${level.minutes} minutes` : `${level.small_blind} / ${level.big_blind}, ${level.minutes} minutes`}`).join("; ")} meanwhile.` : "";
    if (draft.every((level, at) => same(level, theirs[at]))) draft = null;
  }
  shape += 1;
}

/** When the event is likely to end with these levels, as the station computes it. */
function endOf(all) {
  const now = clockNow();
  if (!now || !all.length) return null;
  const from = state?.started ? Math.min(placeNow(), all.length - 1) : 0;
  const played = state?.started && saved[from] ? saved[from].minutes * 60_000 - now.left : 0;
  const inPlay = now.clock.average_stack * now.clock.players_left || (state?.registered ?? 0) * (state?.starting_stack ?? 0);
  let at = Math.max(Date.now(), (!state?.started && state?.starts) || 0) - played;
  for (const level of all.slice(Math.max(0, from))) {
    at += level.minutes * 60_000;
    if (!level.is_break && inPlay > 0 && inPlay <= BIG_BLINDS_AT_THE_END * level.big_blind) break;
  }
  return at;
}

function sayEnd() {
  const [is, was] = [endOf(levels()), endOf(saved)].map((wall) => wall && clockTime(Math.round(wall / 60_000) * 60_000, state?.zone));
  say($("#ends"), !is || state?.finished ? "" : draft && is !== was ? `Ends at about ${is}, not at ${was}` : `Ends at about ${is}`);
}

/** What the book wants of the whole schedule and it has not. */
function drawOddOfAll() {
  const first = state?.settings?.first_break_after_level;
  const sold = state?.settings?.rebuy_below_at_break;
  const all = levels();
  const level = all.findIndex((one) => !one.is_break && one.no === first?.value);
  const missing = sold && first && level >= 0 && !all[level + 1]?.is_break;
  draw($("#odd-all"), [missing, first?.value], () => (missing ? [`No break after level ${first.value}: rebuys are sold in it. `, ruleLink(sold.rule)] : []));
}

const placeNow = () => (state?.started ? (clockNow()?.place ?? -1) : -1);

const called = (level, entry) => (level.is_break ? `Break ${levels().slice(0, entry + 1).filter((one) => one.is_break).length}` : `Level ${level.no}`);

/** What was played stays as it was; the entry that runs stays where it is. */
function entryOf(level, entry, place) {
  const name = called(level, entry);
  const [past, runs] = [entry < place, entry === place];
  const node = h("li", { "data-now": runs, "data-past": past, "aria-current": runs ? "step" : null });
  const fields = Object.entries(FIELDS)
    .filter(([field]) => !level.is_break || OF_BREAK.has(field))
    .map(([field, words]) => fieldOf(level, entry, field, `${words}, ${name}`, past));
  const what = level.is_break ? h("span.of-break.soft", {}, [level.what, level.colour_up ? `colour up ${chips(level.colour_up)}` : ""].filter(Boolean).join(", ")) : null;
  const fixed = past || runs;
  node.append(presses && !fixed ? gripOf(node, entry, name) : h("span"), h("b.name", {}, name), ...(what ? [what] : []), ...fields);
  if (presses && fixed) node.append(h("span.move.soft", {}, past ? "played" : "runs"));
  else if (presses) node.append(h("span.move", {}, mover("Earlier", "↑", entry, -1, name, place), mover("Later", "↓", entry, 1, name, place), remover(entry, name)));
  node.append(h("p.odd", { role: "status" }));
  return node;
}

/** What is mostly a slip: a small blind above the big one, blinds below those of the level before, or that the chips of a
 * stack cannot make. */
function oddOf(entry) {
  const level = levels()[entry];
  const before = levels().slice(0, entry).findLast((one) => !one.is_break);
  if (!level || level.is_break) return "";
  const small = smallestChip();
  const blinds = ["small_blind", "big_blind"];
  const cannot = small ? blinds.find((field) => level[field] % small) : null;
  const less = before ? blinds.find((field) => level[field] < before[field]) : null;
  return [
    level.small_blind > level.big_blind && `The small blind ${chips(level.small_blind)} is above the big blind ${chips(level.big_blind)}.`,
    less && `${FIELDS[less]} ${chips(level[less])} is less than level ${before.no}'s ${chips(before[less])}.`,
    cannot && `${FIELDS[cannot]} ${chips(level[cannot])} cannot be made of chips of ${chips(small)}.`,
  ]
    .filter(Boolean)
    .join(" ");
}

/** The smallest chip of a stack, where the house has said which there are. */
const smallestChip = () => (state?.settings?.starting_chips?.value ?? []).reduce((least, [value]) => (least ? Math.min(least, value) : value), 0);

function fieldOf(level, entry, field, words, past) {
  if (!presses || past) return h("span", {}, `${level[field]}`);
  const input = h("input", { name: `${field}-${entry}`, value: `${level[field]}`, inputmode: "decimal", required: true, "aria-label": words });
  const take = () => {
    const value = number(input.value);
    if (value === null || Number.isNaN(value) || value < 0) return false;
    where = "";
    draft ??= structuredClone(saved);
    draft[entry][field] = value;
    return true;
  };
  input.addEventListener("input", () => take() && saveable()); // what is odd about it is said when it is whole
  input.addEventListener("change", () => {
    const taken = take();
    if (taken) input.removeAttribute("aria-invalid");
    else input.setAttribute("aria-invalid", "true");
    if (taken) mark();
  });
  return h("label", {}, h("span", { "aria-hidden": "true" }, FIELDS[field]), input);
}

/** `edit(levels)` on a copy; levels are numbered anew, breaks carry no number of their own. */
function change(edit) {
  where = "";
  shape += 1;
  draft = structuredClone(levels());
  edit(draft);
  let no = 0;
  for (const level of draft) level.no = level.is_break ? no : ++no;
  show();
}

function gripOf(node, entry, name) {
  const grip = h("span.grip", { draggable: "true", title: `Drag ${name}`, "aria-hidden": "true" }, "⠿");
  grip.addEventListener("dragstart", (event) => {
    dragged = entry;
    event.dataTransfer.setData("text/plain", `${entry}`);
    event.dataTransfer.setDragImage(node, 10, 10);
  });
  node.addEventListener("dragover", (event) => {
    if (dragged === null) return;
    event.preventDefault();
    node.dataset.over = "";
  });
  node.addEventListener("dragleave", () => delete node.dataset.over);
  node.addEventListener("drop", (event) => {
    event.preventDefault();
    delete node.dataset.over;
    if (dragged !== null && dragged !== entry && entry > placeNow()) moved(dragged, entry);
    dragged = null;
  });
  return grip;
}

function moved(from, to) {
  change((all) => all.splice(to, 0, ...all.splice(from, 1)));
  const before = levels()[to - 1];
  where = `${called(levels()[to], to)}, now ${before ? `after ${called(before, to - 1).toLowerCase()}` : "the first"}.`;
  show();
}

function mover(words, sign, entry, by, name, place) {
  const node = h("button", { type: "button", "aria-label": `${words}: ${name}`, disabled: !levels()[entry + by] || entry + by <= place }, sign);
  node.addEventListener("click", () => {
    moved(entry, entry + by);
    $("#entries").children[entry + by]?.querySelector(`[aria-label^="${words}"]`)?.focus();
  });
  return node;
}

function remover(entry, name) {
  const node = h("button", { type: "button", "aria-label": `Remove: ${name}` }, "×");
  node.addEventListener("click", () => change((all) => all.splice(entry, 1)));
  return node;
}

$("#add-level")?.addEventListener("click", () => {
  const last = levels().findLast((one) => !one.is_break) ?? { small_blind: 25, big_blind: 50, ante: 0, big_blind_ante: 0, minutes: 20 };
  change((all) => all.push({ ...last, no: 0, is_break: false, what: "", colour_up: 0, small_blind: last.small_blind * 2, big_blind: last.big_blind * 2, big_blind_ante: last.big_blind_ante * 2, ante: last.ante * 2 }));
});
$("#add-break")?.addEventListener("click", () =>
  change((all) => all.push({ no: 0, small_blind: 0, big_blind: 0, ante: 0, big_blind_ante: 0, minutes: 10, is_break: true, what: "", colour_up: 0 })),
);
$("#drop-changes")?.addEventListener("click", () => {
  draft = null;
  shape += 1;
  show();
});
$("#entries-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const wrong = $("[aria-invalid]", event.target);
  if (wrong) return wrong.focus();
  clear(event.target);
  if (!draft) return;
  const odd = levels().map((_, at) => (at < placeNow() ? "" : oddOf(at))).filter(Boolean);
  const text = [onTheRunning(), ...odd].filter(Boolean).join("\n");
  if (text) confirm({ heading: "Save the schedule?", text, yes: "Save", act: save });
  else save();
});

async function save() {
  if (await act("edit_schedule", { levels: draft }, $("#entries-form"))) draft = null;
  mark();
}

/** What the saved schedule does to the entry that runs. */
function onTheRunning() {
  const [place, now] = [placeNow(), clockNow()];
  const [before, after] = [saved[place], draft[place]];
  if (!before || JSON.stringify(before) === JSON.stringify(after)) return "";
  const name = nameOf(before);
  if (!after) return `${name} runs now and is not in the schedule any more.`;
  const played = before.minutes * 60_000 - now.left;
  const left = after.minutes * 60_000 - played;
  const time = left > 0 ? `${name} has ${minutes(now.left)} left; then ${minutes(left)}.` : `${minutes(played)} of ${name.toLowerCase()} are played already: it ends at once.`;
  const others = Object.keys(FIELDS).some((field) => field !== "minutes" && before[field] !== after[field]);
  return [before.minutes !== after.minutes && time, others && "Other blinds hold from the next hand on."].filter(Boolean).join("\n");
}

// ---------------------------------------------------------------- forms

onSubmit("#break", (given) => ["take_break", filled({ minutes: number(given.get("minutes")), what: given.get("what").trim(), at: given.get("at") })]);
onSubmit("#pause-why", (given) => ["pause", { why: given.get("why").trim() }]);
onSubmit("#round-minutes", (given) => ["change_rules", { house: { hand_for_hand_minutes: number(given.get("minutes")) || null } }]);
onSubmit("#delegate", (given) => ["delegate_clock", { table: given.get("table") }]);
onSubmit(
  "#by-book",
  (given) => ["book_schedule", filled({ count: number(given.get("count")), blinds: blindsOf(given.get("blinds")), starts: given.get("starts"), doubling: given.has("doubling") })],
  { foresee: true },
);

/** `25/50, 75/150/10` as levels. */
function blindsOf(text) {
  const given = text.split(/[,;]/).map((part) => part.trim().split("/").map(Number)).filter(([small]) => small);
  return given.length ? given.map(([small_blind, big_blind = 2 * small_blind, ante = 0], at) => ({ no: at + 1, small_blind, big_blind, ante })) : null;
}

$("#load")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const text = await textOf(new FormData(form).get("file"));
  if (await act("load_schedule", { text }, form)) form.reset();
});
onSubmit("#suggest", (given) => ["suggest_schedule", filled({ ...Object.fromEntries([...given].map(([name, text]) => [name, number(text)])), rulebook: state.rulebook })], {
  foresee: () => Boolean(state.started),
});
