/** An empty venue: five steps from rulebook to cards in the air. Each says what it has and what it wants. */
import { $, chips, draw, h, say } from "../shared/dom.js";
import { clockNow } from "../station/frame.js";
import { button, filled, night, number, onSubmit } from "./night.js";

let shown = null;

night("field seats", (state) => show((shown = state)), {}, { clock: () => shown && show(shown) });

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
  draw($("#draw-do"), [now, state.tables], () => (state.open && !state.started ? drawing(state) : []));
  draw($("#start-do"), [now, steps[now]?.words], () => (now ? starting(now, steps) : []));
}

/** Greyed until nothing is missing, with what is missing beside it. */
function starting(now, steps) {
  if (now === "start") return [button("Cards in the air", "start", {}, { kind: "primary" })];
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
  const unpaid = state.field.filter((one) => one.status === "registered").length;
  const seated = entered.filter((one) => one.table);
  const tables = state.tables.filter((table) => table.open && table.seats.length);
  const without = tables.filter((table) => table.button === null).map((table) => table.table);
  const levels = (clockNow()?.clock.levels ?? []).filter((level) => !level.is_break);
  const first = levels[0];
  return {
    open: { done: true, words: `${state.name}, under ${state.rulebook}.` },
    schedule: { done: levels.length > 0, words: first ? `${levels.length} levels from ${chips(first.small_blind)} / ${chips(first.big_blind)}.` : "No levels yet." },
    players: { done: entered.length > 1, words: `${entered.length} entered${unpaid ? `, ${unpaid} registered and not paid` : ""}.` },
    seats: {
      done: entered.length > 1 && seated.length === entered.length && without.length === 0,
      words: seated.length < entered.length ? `${entered.length - seated.length} without a seat.` : without.length ? `No button yet: table ${without.join(", ")}.` : `${seated.length} seated at ${tables.length} tables.`,
    },
    start: { done: Boolean(state.started), words: state.started ? "The clock runs." : "The clock starts, and tables deal." },
  };
}

function drawing(state) {
  const seated = state.tables.flatMap((table) => table.seats).length;
  const without = state.tables.filter((table) => table.open && table.seats.length && table.button === null);
  return [
    seated ? button("Draw seats again", "draw_seats", {}, { sure: `${seated} seats are drawn. A new draw changes them all, and seat slips that were printed are wrong then.` }) : button("Draw seats", "draw_seats", {}, { kind: "primary" }),
    ...without.map(({ table }) => button(`Draw the button of table ${table}`, "set_button", { table })),
  ];
}

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

const CHECKS = {
  name: (text) => (text.trim() ? "" : "The event wants a name."),
  starting_stack: whole(1, 10_000_000, "A whole number of chips, 1 or more; empty: the book's."),
  seats_per_table: whole(2, 11, "A whole number from 2 to 11."),
  buy_in: (text) => (text.trim() && !(number(text) >= 0) ? "An amount in figures, such as 20; empty: none." : ""),
  starting_chips: (text) => {
    const pairs = chipsOf(text);
    if (!pairs) return "How many of which value, such as 8x25, 8x100.";
    const values = pairs.map(([value]) => value);
    if (new Set(values).size < values.length) return "A value stands there twice.";
    if (pairs.some((pair) => pair.includes(0))) return "A value or a number is 0.";
    const worth = pairs.reduce((all, [value, count]) => all + value * count, 0);
    const stack = number($("#open").elements.starting_stack.value);
    return pairs.length && stack && worth !== stack ? `They make ${chips(worth)}, not ${chips(stack)}.` : "";
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
  if (!down) check(target);
  else addEventListener("pointerup", () => setTimeout(() => check(target)), { once: true });
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

onSubmit("#open", (given) => {
  const house = filled({
    starting_stack: number(given.get("starting_stack")),
    seats_per_table: number(given.get("seats_per_table")),
    buy_in: number(given.get("buy_in")),
    payouts: list(given.get("payouts")),
    starting_chips: given.get("starting_chips").trim() ? chipsOf(given.get("starting_chips")) : null,
  });
  return ["open", filled({ name: given.get("name").trim(), rulebook: given.get("rulebook"), house })];
});
