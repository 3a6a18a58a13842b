/** Chips: the account, counts and corrections, what does not add up, the colour-up of a table. */
import { $, chips, draw, h, say } from "../shared/dom.js";
import { previewQuietly } from "../station/command.js";
import { act, button, night, nothing, number, onSubmit, plain, presses, row, seenNow } from "./night.js";

let state = null;
const query = new URLSearchParams(location.search);
let asked = query.get("table"); // whose seats are to be counted
const SUMS = { issued: "Given out", removed: "Removed", on_tables: "On tables", in_pots: "In pots", in_transit: "On the way", on_order: "Not yet at the tables", missing: "Missing" };

const BY_HAND_SUMS = { issued: "Given out", removed: "Removed", on_tables: "In play" }; // where they are nobody says

night("chips seats", (shown) => {
  state = shown;
  const account = shown.chips;
  const sums = shown.by_hand ? BY_HAND_SUMS : SUMS;
  draw($("#sums"), [account, sums], () => Object.entries(sums).map(([name, words]) => h(name === "missing" && account[name] ? "div.wrong" : "div", {}, h("dt", {}, words), h("dd", {}, chips(account[name])))));
  say($("#given"), account.given.length ? `In play: ${account.given.map(({ what, count, chips: sum }) => `${count} ${what} ${chips(sum)}`).join(", ")}.` : "");
  $("#items-section").hidden = account.items.length === 0;
  const differ = [...account.items].sort((one, other) => Math.abs(other.counted - other.expected) - Math.abs(one.counted - one.expected));
  draw($("#differs"), differ, () => differ.map(differRow));
  draw($("#to-count"), account.to_count, () => (account.to_count.length ? account.to_count.map(toCountRow) : nothing("Nothing is asked for.")));
  say($("#set"), setOf(account.set));
  if (!presses) return;
  drawByHand(shown);
  const open = shown.tables.filter((table) => table.seats.length);
  for (const form of [$("#count"), $("#colour-up")]) {
    const { table: choice } = form.elements;
    draw(choice, open.map(({ table }) => table), () => open.map(({ table }) => h("option", { selected: table === choice.value }, table)));
  }
  if (asked && open.some(({ table }) => table === asked)) $("#count").elements.table.value = asked;
  if (asked) $("#counts").scrollIntoView({ block: "center" });
  asked = null;
  drawCounts();
  for (const [id, is] of [["#cards-label", account.race.cards], ["#nightly-label", account.race.nightly]]) $(id).hidden = !is;
  suggestNext();
});

/** Whether tables report the event, and the switch; of stacks that were not counted the station says so. */
function drawByHand({ by_hand: byHand }) {
  $("#colour-section").hidden = byHand;
  say($("#by-hand-is"), byHand ? "No table reports this event: you say who is out, and nobody is asked to count. Before tables report it, count every stack here." : "The tables report this event.");
  draw($("#by-hand-switch"), byHand, () => (byHand ? button("Let the tables report", "play_by_hand", { on: false }, { foresee: true }) : button("Play by hand", "play_by_hand", { on: true }, { foresee: true })));
}

function differRow(item) {
  const who = `${item.name}, table ${item.table} seat ${item.seat}`;
  const by = item.counted - item.expected;
  const words = `${who}: counted ${chips(item.counted)}, by the records ${chips(item.expected)}, ${chips(Math.abs(by))} ${by > 0 ? "more" : "less"}; ${item.hands}.`;
  return row(words, button("Correct", "correct_stack", { player: item.player, stack: item.counted }, { about: who, foresee: true }));
}

function toCountRow(one) {
  const node = h("button", { type: "button", "aria-label": `Count: table ${one.table}` }, "Count");
  node.addEventListener("click", () => {
    $("#count").elements.table.value = one.table;
    drawCounts();
    $("#counts input")?.focus();
  });
  return row(`Table ${one.table}, ${plain(one.why)}: seat${one.seats.length > 1 ? "s" : ""} ${one.seats.join(", ")}`, presses && node);
}

function setOf(set) {
  if (!set) return "The house has not said which chips make a stack.";
  const stack = set.stack.map(([value, count]) => `${count} of ${chips(value)}`).join(", ");
  return `A stack of ${chips(set.worth)}: ${stack}, ${set.pieces} chips.${set.carries === null ? "" : ` The set is for ${set.carries} players.`}`;
}

const seatsOf = (name) => state.tables.find((table) => table.table === name)?.seats.filter((one) => !one.vacated) ?? [];
const stackOf = (name, seat) => state.tables.find((table) => table.table === name)?.facts?.stacks[seat] ?? null;

// ---------------------------------------------------------------- counts

const counting = () => seatsOf($("#count").elements.table.value);
const drawn = new Map(); // player -> what the page showed when something was typed

/** A field for each seat; what is left empty was not counted. */
function drawCounts() {
  const form = $("#count");
  const table = form.elements.table.value;
  draw($("#counts"), [table, counting().map(({ player }) => player)], () => counting().map((one) => h("label.short", {}, `${one.seat} ${one.name}`, h("input", { name: `stack-${one.seat}`, inputmode: "numeric" }), h("small", {}))));
  for (const one of counting()) {
    const field = form.elements[`stack-${one.seat}`];
    const stack = stackOf(table, one.seat);
    field.placeholder = stack === null ? "" : chips(stack);
    const typed = number(field.value);
    const by = typed === null || stack === null ? 0 : typed - stack;
    say($("small", field.parentElement), by ? `${chips(Math.abs(by))} ${by > 0 ? "more" : "less"} than by the records` : "");
  }
  const typed = counting().filter((one) => number(form.elements[`stack-${one.seat}`].value) !== null);
  say($("#count-do"), typed.length > 1 ? "Record the counts" : "Record the count");
  const facts = state.tables.find((one) => one.table === table)?.facts;
  say($("#count-says"), facts?.in_hand ? `Table ${table} is in hand ${facts.hand}: what lies in front belongs to the pot.` : "Fields that are left empty were not counted.");
}

$("#count")?.addEventListener("input", ({ target }) => {
  const seat = target.name?.match(/^stack-(\d+)$/)?.[1];
  const one = seat && counting().find((held) => held.seat === Number(seat));
  if (one && !drawn.has(one.player)) drawn.set(one.player, { stack: stackOf($("#count").elements.table.value, one.seat), seen: seenNow() });
  drawCounts();
});
$("#count")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const typed = counting().map((one) => [one, form.elements[`stack-${one.seat}`]]).filter(([, field]) => number(field.value) !== null);
  if (!typed.length) return $("#counts input")?.focus();
  for (const [one, field] of typed) {
    const { stack = null, seen } = drawn.get(one.player) ?? {};
    drawn.delete(one.player);
    const wanted = { player: one.player, stack: number(field.value), ...(stack !== null && { seen_stack: stack }) };
    if (!(await act("count_stack", wanted, form, seen))) return;
    field.value = "";
  }
  drawCounts();
});

// ---------------------------------------------------------------- colour-up

/** A field for each seat. */
function drawOdd() {
  const form = $("#colour-up");
  const seats = seatsOf(form.elements.table.value);
  draw($("#odd"), [form.elements.table.value, seats.map(({ player, seat }) => [player, seat])], () => seats.map((one) => h("label.short", {}, `${one.seat} ${one.name}`, h("input", { name: `odd-${one.seat}`, inputmode: "numeric", value: "0", required: true }))));
}

/** The next colour-up: the table that still has the smallest chips, and what they become, where the set is known. An
 * order that a table has not carried out yet counts. */
function suggest(tables) {
  const { table, old, new: into } = $("#colour-up").elements;
  const values = (state.chips.set?.stack ?? []).map(([value]) => value).sort((one, other) => one - other);
  const smallest = (one) => one.coloured_to || one.smallest_chip || values[0];
  const next = tables.filter(smallest).sort((one, other) => smallest(one) - smallest(other))[0];
  if (!next || old.value || into.value) return;
  table.value = next.table;
  old.value = smallest(next);
  into.value = values.find((value) => value > smallest(next)) ?? "";
}

function suggestNext() {
  const open = state.tables.filter((table) => table.seats.length);
  suggest(query.has("colour") ? open.filter(({ table }) => table === query.get("colour")) : open);
  drawOdd();
  foresee();
}

$("#colour-up")?.elements.table.addEventListener("input", drawOdd);
function colourUp(given) {
  const table = given.get("table");
  const odd = seatsOf(table).map((one) => ({ seat: one.seat, stack: number(given.get(`odd-${one.seat}`)) ?? 0 }));
  const cards = (given.get("cards") ?? "").trim().split(/[\s,]+/).filter(Boolean);
  const more = { ...(cards.length && { cards }), ...(given.has("nightly") && { nightly: true }) };
  return ["colour_up", { table, old: number(given.get("old")), new: number(given.get("new")), odd: odd.filter((one) => one.stack), ...more }];
}
onSubmit("#colour-up", colourUp, {
  then: () => {
    foreseen = "";
    query.delete("colour");
    suggestNext();
  },
});

let foreseen = ""; // the colour-up whose outcome stands below the form

/** What the colour-up that is filled in would do stands there before it is pressed. */
async function foresee() {
  const wanted = colourUp(new FormData($("#colour-up")));
  const { old, new: into } = wanted[1];
  if (!old || !into || foreseen === JSON.stringify(wanted)) return;
  foreseen = JSON.stringify(wanted);
  const said = await previewQuietly(...wanted).catch((error) => error.message);
  if (foreseen === JSON.stringify(wanted)) say($("#colour-says"), said.replaceAll("\n", " "));
}
$("#colour-up")?.addEventListener("change", foresee);
