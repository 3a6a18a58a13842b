/** The clock's controls, and the schedule editor: drag, add, remove, change any entry, save all at once. */
import { $, chips, draw, h, minutes, say } from "../shared/dom.js";
import { confirm } from "../station/confirm.js";
import { clockNow } from "../station/frame.js";
import { act, arrive, button, clear, filled, night, nothing, number, onSubmit, presses } from "./night.js";

const FIELDS = { small_blind: "Small blind", big_blind: "Big blind", ante: "Ante", big_blind_ante: "Big blind ante", minutes: "Minutes" };
const OF_BREAK = new Set(["minutes"]);

let state = null;
let saved = []; // the schedule as the station has it
let draft = null; // as it is being changed; null while it is not
let dragged = null;
let shape = 0; // which order of the entries is drawn while they are changed
let where = ""; // what was moved, and where it is now

night(
  "",
  (shown) => {
    state = shown;
    drawControls();
    show();
    say($("#ends"), shown.ends ? `Ends at about ${new Date(shown.ends).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })}` : "");
    const { players, stack } = $("#suggest")?.elements ?? {};
    if (players && !players.value) players.value = shown.registered || "";
    if (stack && !stack.value) stack.value = shown.starting_stack || "";
  },
  {},
  {
    clock: (clock) => {
      if (!clock) return;
      saved = clock.levels;
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
  const place = now.place;
  const entry = place < 0 ? {} : { entry: place }; // time is not added to a level that begins meanwhile
  draw($("#clock-do"), [state.started, now.running, round, now.level, place], () => [
    !state.started && button("Cards in the air", "start", {}, { kind: "primary" }),
    button(now.running ? "Pause" : "Resume", now.running ? "pause" : "resume"),
    button("5 minutes more", "add_time", { by_ms: 300_000, ...entry }),
    button("1 minute more", "add_time", { by_ms: 60_000, ...entry }),
    button("1 minute less", "add_time", { by_ms: -60_000, ...entry }, { sure: () => (clockNow().left > 60_000 ? "" : `${nameOf(clockNow().level)} ends at once.`) }),
    button("Next level", "next_level", {}, { sure: "Hands in play keep their level." }),
    button("Level before", "previous_level", {}, { sure: "It begins again with its whole time." }),
    state.started && button(round ? "End hand for hand" : "Hand for hand", "set_hand_for_hand", { on: !round }),
    now.level.is_break && button("End the break", "end_break"),
  ]);
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
  say($("#drafting"), draft ? `${where} Changed, not saved yet.`.trim() : "");
  for (const id of ["#save", "#drop-changes"]) if ($(id)) $(id).disabled = !draft;
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

/** Blinds that are less than those of the level before, which is mostly a slip. */
function oddOf(entry) {
  const level = levels()[entry];
  const before = levels().slice(0, entry).findLast((one) => !one.is_break);
  if (!level || level.is_break || !before) return "";
  const less = ["small_blind", "big_blind"].find((field) => level[field] < before[field]);
  return less ? `${FIELDS[less]} ${chips(level[less])} is less than level ${before.no}'s ${chips(before[less])}.` : "";
}

function fieldOf(level, entry, field, words, past) {
  if (!presses || past) return h("span", {}, `${level[field]}`);
  const input = h("input", { name: `${field}-${entry}`, value: `${level[field]}`, inputmode: "decimal", required: true, "aria-label": words });
  input.addEventListener("change", () => {
    const value = number(input.value);
    const wrong = value === null || Number.isNaN(value) || value < 0;
    if (wrong) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
    if (wrong) return;
    where = "";
    draft ??= structuredClone(saved);
    draft[entry][field] = value;
    mark();
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
  const text = onTheRunning();
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

onSubmit("#break", (given) => ["take_break", filled({ minutes: number(given.get("minutes")), what: given.get("what").trim() })]);
onSubmit("#suggest", (given) => ["suggest_schedule", filled({ ...Object.fromEntries([...given].map(([name, text]) => [name, number(text)])), rulebook: state.rulebook })], {
  foresee: () => Boolean(state.started),
});
