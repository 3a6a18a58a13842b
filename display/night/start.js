/** An empty venue: five steps from rulebook to cards in the air. Each says what it has and what it wants. Later: another
 * book or setting, and the end of the event. The form of an event: `event_form.js`. */
import { $, chips, draw, h, many, say } from "../shared/dom.js";
import { press } from "../shared/press.js";
import { missing } from "../station/director.js";
import { clockNow } from "../station/frame.js";
import { eventForm } from "./event_form.js";
import { flights } from "./event_flights.js";
import { regulars } from "./event_regulars.js";
import { act, button, fault, night, onSubmit, presses, row } from "./night.js";

let shown = null;
let cells = []; // of the room: which tables are heard
let kept = null; // templates, the club's chips, the last events

night("book field seats stacks chips", (state) => show((shown = state)), {}, {
  clock: () => shown && show(shown),
  room: (room) => ((cells = room.cells), shown && show(shown)),
  kept: (now) => ((kept = now), shown && show(shown)),
});

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
  drawLast(state);
  eventForm(state, kept);
  regulars(state, kept);
  flights(state, kept);
  draw($("#heard"), [state.open, unheard(state)], () => unheard(state).map((table) => row(`Table ${table} has not been heard yet. It can be played with nobody pressing.`)));
  draw($("#draw-do"), [now, state.tables], () => (state.open && !state.started ? drawing(state) : []));
  draw($("#start-do"), [now, steps[now]?.words, state.started], () => (now ? starting(now, steps) : []));
  drawEnd(state);
}

/** The event as the last one was opened. */
function drawLast(state) {
  const last = state.open ? null : state.last;
  if (!$("#as-last")) return;
  draw($("#as-last"), last, () => (last ? [button(`As last time: ${last.open.name}, ${last.open.rulebook}`, "open", last.open, { kind: "primary" })] : []));
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
