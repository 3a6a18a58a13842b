/** An empty venue: five steps from rulebook to cards in the air. Each says what it has and what it wants. Later: another
 * book or setting, and the end of the event. */
import { $, chips, draw, h, many, say } from "../shared/dom.js";
import { press } from "../shared/press.js";
import { previewQuietly } from "../station/command.js";
import { missing } from "../station/director.js";
import { clockNow } from "../station/frame.js";
import { ruleLink } from "../station/rule.js";
import { act, button, fault, filled, keepTyped, night, number, onSubmit, presses, row } from "./night.js";

let shown = null;
let cells = []; // of the room: which tables are heard

keepTyped();
night("book field seats", (state) => show((shown = state)), {}, { clock: () => shown && show(shown), room: (room) => ((cells = room.cells), shown && show(shown)) });

function show(state) {
  const steps = state.open ? stepsOf(state) : unopened;
  const now = Object.keys(steps).find((name) => !steps[name].done);
  for (const [name, { done, words }] of Object.entries(steps)) {
    const node = $(`[data-step="${name}"]`);
    node.dataset.state = done ? "done" : name === now ? "now" : "later";
    if (name === now) node.setAttribute("aria-current", "step");
    else node.removeAttribute("aria-current");
    say($("[data-said]", node), `${done ? "Done. " : ""}${words}`);
  }
  if ($("#open")) $("#open").hidden = state.open;
  drawLast(state);
  drawRules(state);
  draw($("#heard"), [state.open, unheard(state)], () => unheard(state).map((table) => row(`Table ${table} has not been heard yet. It can be played with nobody pressing.`)));
  draw($("#draw-do"), [now, state.tables], () => (state.open && !state.started ? drawing(state) : []));
  draw($("#start-do"), [now, steps[now]?.words, state.started], () => (now ? starting(now, steps) : []));
  drawEnd(state);
}

/** The event as the last one was opened. */
function drawLast(state) {
  const last = state.open ? null : state.last;
  if (!$("#as-last")) return;
  $("#as-last").hidden = !last;
  draw($("#as-last"), last, () => (last ? [button(`As last time: ${last.open.name}, ${last.open.rulebook}`, "open", last.open, { kind: "primary" }), " or anew:"] : []));
}

/** What would be missing when cards are in the air; it can be begun all the same where the station takes it. */
function starting(now, steps) {
  if (now === "start") return [button("Cards in the air", "start", {}, { kind: "primary", sure: () => missing(shown) })];
  const title = $(`[data-step="${now}"] h2`).textContent;
  return [h("button.primary", { type: "button", disabled: true, "aria-describedby": "start-wants" }, "Cards in the air"), h("span.soft", { id: "start-wants" }, `Missing: ${title.toLowerCase()}. ${steps[now].words}`)];
}

const unopened = {
  open: { done: false, words: "Tables and what is left empty come from the station's configuration." },
  schedule: { done: false, words: "Comes with the event." },
  players: { done: false, words: "Nobody yet." },
  seats: { done: false, words: "Once somebody has entered." },
  start: { done: false, words: "Once everybody has a seat and each table its button." },
};

function stepsOf(state) {
  const entered = state.field.filter((one) => one.status === "playing");
  const unpaid = state.field.filter((one) => one.status === "registered").map((one) => one.name);
  const unseated = entered.filter((one) => !one.table).map((one) => one.name);
  const tables = state.tables.filter((table) => table.open && table.seats.length);
  const without = tables.filter((table) => table.button === null).map((table) => table.table);
  const levels = (clockNow()?.clock.levels ?? []).filter((level) => !level.is_break);
  const first = levels[0];
  const seated = entered.length - unseated.length;
  return {
    open: { done: true, words: `${state.name}, under ${state.rulebook}.` },
    schedule: { done: levels.length > 0, words: first ? `${levels.length} levels from ${chips(first.small_blind)} / ${chips(first.big_blind)}.` : "No levels yet." },
    players: { done: entered.length > 1, words: `${entered.length} entered.${unpaid.length ? ` Registered and not paid: ${some(unpaid)}.` : ""}` },
    seats: {
      done: seated > 1 && without.length === 0,
      words: `${seated} seated at ${many(tables.length, "table")}.${unseated.length ? ` Without a seat: ${some(unseated)}.` : ""}${without.length ? ` No button yet: table ${without.join(", ")}.` : ""}`,
    },
    start: { done: Boolean(state.started), words: state.started ? "The clock runs." : "The clock starts, and tables deal." },
  };
}

const some = (names) => (names.length > 6 ? `${names.slice(0, 5).join(", ")} and ${names.length - 5} others` : names.join(", "));

/** Tables of the event that never said anything. */
const unheard = (state) => (state.open ? state.tables.filter(({ table }) => cells.some((cell) => cell.table === table && cell.link !== "live" && !cell.epoch)).map(({ table }) => table) : []);

function drawing(state) {
  const seated = state.tables.flatMap((table) => table.seats).length;
  const without = state.tables.filter((table) => table.open && table.seats.length && table.button === null);
  return [
    seated ? button("Draw seats again", "draw_seats", {}, { sure: `${seated} seats are drawn. A new draw changes them all, and seat slips that were printed are wrong then.` }) : button("Draw seats", "draw_seats", {}, { kind: "primary" }),
    without.length > 1 && buttonsOf(without),
    ...without.map(({ table }) => button(`Draw the button of table ${table}`, "set_button", { table })),
  ];
}

function buttonsOf(tables) {
  if (!presses) return null;
  const node = h("button", { type: "button" }, "Draw the buttons");
  node.addEventListener("click", async () => {
    for (const { table } of tables) if (!(await act("set_button", { table }))) return;
  });
  return node;
}

// ---------------------------------------------------------------- another book, other settings

/** What the house has set over the book, and every setting that there is. */
function drawRules(state) {
  const form = $("#change-rules");
  if (!form) return;
  $("#rules-of").hidden = !state.open;
  if (!state.open) return;
  const all = Object.entries(state.settings);
  const house = all.filter(([, one]) => one.house);
  draw($("#house"), [house, state.rulebook], () => house.map(([name, one]) => row([one.says], button("The book's again", "change_rules", { house: { [name]: null } }, { about: plainName(name), foresee: true }))));
  draw(form.elements.setting, all.map(([name]) => name), () => [h("option", { value: "" }, "none"), ...all.map(([name]) => h("option", { value: name }, plainName(name)))]);
  saySetting();
}

const plainName = (name) => name.replaceAll("_", " ");
/** A value as it is typed: `yes`, `50, 30, 20`, `8x25, 8x100`; lists within lists as JSON. */
const asTyped = (value) => (value === true ? "yes" : value === false ? "no" : !Array.isArray(value) ? `${value}` : value.some(Array.isArray) ? JSON.stringify(value) : value.join(", "));

function saySetting() {
  const { setting, value } = $("#change-rules").elements;
  const one = shown?.settings?.[setting.value];
  draw($("#setting-says"), one ?? "", () => (one ? [one.says, one.rule && !one.house ? [" ", ruleLink(one.rule)] : null].flat() : []));
  value.placeholder = one && "value" in one ? asTyped(one.value) : "";
}
$("#change-rules")?.elements.setting.addEventListener("change", saySetting);

function typedValue(text) {
  const words = text.trim();
  if (/^(yes|no)$/i.test(words)) return /^yes$/i.test(words);
  if (/^[[{]/.test(words)) {
    try {
      return JSON.parse(words);
    } catch {
      return words;
    }
  }
  if (/^[\d.,\s]+$/.test(words) && /,\s/.test(words)) return list(words);
  const figure = number(words);
  return words && !Number.isNaN(figure) ? figure : words.replaceAll(" ", "_");
}

onSubmit(
  "#change-rules",
  (given) => {
    const setting = given.get("setting");
    const house = setting ? { [setting]: given.get("value").trim() ? typedValue(given.get("value")) : null } : null;
    return ["change_rules", filled({ rulebook: given.get("rulebook"), house, why: given.get("why").trim() })];
  },
  { foresee: true },
);

// ---------------------------------------------------------------- the end

function drawEnd(state) {
  if (!$("#end-section")) return;
  $("#end-section").hidden = !state.open;
  $("#cancel-event").hidden = Boolean(state.finished) || Boolean(state.control?.cancelled);
  if (state.open) draw($("#end-do"), "", () => [button("Close the event", "close_event", {}, { sure: "Its records are kept in a file of their own, and the next event can be opened." })]);
}
onSubmit("#cancel-event", (given) => ["cancel_event", { why: given.get("why").trim() }], { foresee: true });

$("#my-name")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    await press("/people", { do: "name", name: event.target.elements.name.value });
    location.reload();
  } catch (error) {
    fault(event.target, error);
  }
});

const list = (text) => (text.trim() ? text.split(/[\s,;]+/).filter(Boolean).map(Number) : null);

// ---------------------------------------------------------------- what was typed wrong

const whole = (from, to, words) => (text) => {
  const value = number(text);
  return text.trim() && !(Number.isInteger(value) && value >= from && value <= to) ? words : "";
};
/** `8x25, 8x100` as pairs of value and number; null where something is none. */
function chipsOf(text) {
  const parts = text.split(/[,;]/).filter((part) => part.trim());
  const pairs = parts.map((part) => /^\s*(\d+)\s*[x×*]\s*(\d+)\s*$/i.exec(part)).map((found) => found && [Number(found[2]), Number(found[1])]);
  return pairs.includes(null) ? null : pairs;
}

const unreadable = (text) => text.split(/[,;]/).filter((part) => part.trim() && chipsOf(part) === null).map((part) => part.trim());

const CHECKS = {
  name: (text) => (text.trim() ? "" : "The event wants a name."),
  starting_stack: whole(1, 10_000_000, "A whole number of chips, 1 or more; empty: the book's."),
  seats_per_table: whole(2, 11, "A whole number from 2 to 11."),
  buy_in: (text) => (text.trim() && !(number(text) >= 0) ? "An amount in figures, such as 20; empty: none." : ""),
  starting_chips: (text) => {
    const pairs = chipsOf(text);
    if (!pairs) return `How many of which value, such as 8x25, 8x100; not ${unreadable(text).join(", ")}.`;
    const values = pairs.map(([value]) => value);
    if (new Set(values).size < values.length) return "A value stands there twice.";
    if (pairs.some((pair) => pair.includes(0))) return "A value or a number is 0.";
    const worth = pairs.reduce((all, [value, count]) => all + value * count, 0);
    const stack = number($("#open").elements.starting_stack.value);
    return pairs.length && stack && worth !== stack ? `They make ${chips(worth)}, not ${chips(stack)}: ${chips(Math.abs(stack - worth))} ${worth < stack ? "are missing" : "too many"}.` : "";
  },
  payouts: (text) => {
    const shares = list(text);
    if (!shares) return "";
    if (shares.some((share) => !(share > 0))) return "Numbers above 0, such as 50, 30, 20.";
    const sum = shares.reduce((all, one) => all + one, 0);
    return Math.abs(sum - 100) < 0.001 ? "" : `They add up to ${sum} per cent; they must add up to 100.`;
  },
};

/** What is wrong with a field stands under it as soon as it is left. */
function check(field) {
  const words = CHECKS[field.name]?.(field.value) ?? "";
  const label = field.closest("label");
  if (label.nextElementSibling?.matches(".fault")) label.nextElementSibling.remove();
  if (words) label.after(h("p.fault", { id: `wrong-${field.name}` }, `${label.firstChild.textContent.trim()}: ${words}`));
  for (const [name, value] of [["aria-invalid", "true"], ["aria-describedby", `wrong-${field.name}`]]) {
    if (words) field.setAttribute(name, value);
    else field.removeAttribute(name);
  }
  return words;
}

const openForm = $("#open");
// Words that appear while the mouse is down would move the button away from under it: they wait until it is up.
let down = false;
openForm?.addEventListener("pointerdown", () => {
  down = true;
  addEventListener("pointerup", () => setTimeout(() => (down = false)), { once: true });
});
openForm?.addEventListener("change", ({ target }) => {
  const those = target.name === "starting_stack" ? [target, openForm.elements.starting_chips] : [target];
  if (!down) those.forEach(check);
  else addEventListener("pointerup", () => setTimeout(() => those.forEach(check)), { once: true });
});
// Before it is sent: everything that is wrong, each line leading to its field.
openForm?.addEventListener("submit", (event) => {
  const wrong = [...openForm.elements].filter((field) => field.name && check(field));
  draw($("#open-wrong"), wrong.map((field) => [field.name, field.value]), () => wrong.map(wrongLine));
  if (!wrong.length) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  wrong[0].focus();
});

function wrongLine(field) {
  const link = h("a", { href: `#wrong-${field.name}` }, `${field.closest("label").firstChild.textContent.trim()}: ${CHECKS[field.name](field.value)}`);
  link.addEventListener("click", (event) => {
    event.preventDefault();
    field.focus();
  });
  return h("li", {}, link);
}

/** What a stack is made of, for a full table. */
function sayPieces() {
  const { starting_chips: typed, seats_per_table: seats } = openForm.elements;
  const pairs = chipsOf(typed.value) ?? [];
  const players = number(seats.value) || 9;
  const pieces = pairs.reduce((all, [, count]) => all + count, 0);
  const worth = pairs.reduce((all, [value, count]) => all + value * count, 0);
  say($("#open-pieces"), pieces ? `A stack of ${chips(worth)} is ${pieces} chips. ${players} players need ${pairs.map(([value, count]) => `${count * players} of ${chips(value)}`).join(", ")}.` : "");
}
openForm?.addEventListener("input", sayPieces);

/** What the book itself says against it stands at the field that it names, as soon as the field is left. */
openForm?.addEventListener("change", async () => {
  if ([...openForm.elements].some((field) => field.name && CHECKS[field.name]?.(field.value))) return;
  try {
    await previewQuietly(...opening(new FormData(openForm)));
  } catch (error) {
    const field = [...openForm.elements].find((one) => one.name && error.message.includes(one.name));
    if (field) point(field, error);
  }
});

function point(field, error) {
  const label = field.closest("label");
  if (label.nextElementSibling?.matches(".fault")) label.nextElementSibling.remove();
  label.after(h("p.fault", { id: `wrong-${field.name}` }, error.message, error.rule ? [" ", ruleLink(error.rule)] : null));
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", `wrong-${field.name}`);
}

function opening(given) {
  const house = filled({
    starting_stack: number(given.get("starting_stack")),
    seats_per_table: number(given.get("seats_per_table")),
    buy_in: number(given.get("buy_in")),
    payouts: list(given.get("payouts")),
    starting_chips: given.get("starting_chips").trim() ? chipsOf(given.get("starting_chips")) : null,
  });
  return ["open", filled({ name: given.get("name").trim(), rulebook: given.get("rulebook"), house })];
}
onSubmit("#open", opening);
