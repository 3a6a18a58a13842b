/** An empty venue: five steps from rulebook to cards in the air. Each says what it has and what it wants. */
import { $, chips, draw, say } from "../shared/dom.js";
import { clockNow } from "../station/frame.js";
import { button, filled, night, number, onSubmit } from "./night.js";

night("field seats", (state) => {
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
  draw($("#start-do"), now, () => (now === "start" ? [button("Cards in the air", "start", {}, { kind: "primary" })] : []));
});

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
  const without = state.tables.filter((table) => table.open && table.seats.length && table.button === null);
  return [
    button("Draw seats", "draw_seats", {}, { kind: state.tables.some((table) => table.seats.length) ? "" : "primary" }),
    ...without.map(({ table }) => button(`Draw the button of table ${table}`, "set_button", { table })),
  ];
}

const list = (text) => (text.trim() ? text.split(/[\s,;]+/).filter(Boolean).map(Number) : null);

onSubmit("#open", (given) => {
  const house = filled({
    starting_stack: number(given.get("starting_stack")),
    seats_per_table: number(given.get("seats_per_table")),
    buy_in: number(given.get("buy_in")),
    payouts: list(given.get("payouts")),
  });
  return ["open", filled({ name: given.get("name").trim(), rulebook: given.get("rulebook"), house })];
});
