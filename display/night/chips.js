/** Chips: the account, counts asked for, what does not add up, the colour-up of a table. */
import { $, chips, draw, h, say } from "../shared/dom.js";
import { preview } from "../station/command.js";
import { night, nothing, number, onSubmit, plain, presses, row } from "./night.js";

let state = null;
const SUMS = { issued: "Given out", removed: "Removed", on_tables: "On tables", in_pots: "In pots", in_transit: "On the way", on_order: "On order", missing: "Missing" };

night("chips seats", (shown) => {
  state = shown;
  const account = shown.chips;
  draw($("#sums"), account, () => Object.entries(SUMS).map(([name, words]) => h(name === "missing" && account[name] ? "div.wrong" : "div", {}, h("dt", {}, words), h("dd", {}, chips(account[name])))));
  $("#items-section").hidden = account.items.length === 0;
  draw($("#differs"), account.items, () => account.items.map((item) => row(`${item.name}, table ${item.table} seat ${item.seat}: counted ${chips(item.counted)}, by the records ${chips(item.expected)}; ${item.hands}. Count again.`)));
  draw($("#to-count"), account.to_count, () => (account.to_count.length ? account.to_count.map((one) => row(`Table ${one.table}, ${plain(one.why)}: seat ${one.seats.join(", ")}`)) : nothing("Nothing is asked for.")));
  say($("#set"), setOf(account.set));
  if (!presses) return;
  const seated = shown.tables.flatMap(({ table, seats }) => seats.map((one) => ({ ...one, table })));
  draw($("#count").elements.player, seated, () => seated.map((one) => h("option", { value: one.player }, `${one.name}, table ${one.table} seat ${one.seat}`)));
  const open = shown.tables.filter((table) => table.seats.length);
  draw($("#colour-up").elements.table, open.map((table) => table.table), () => open.map(({ table }) => h("option", {}, table)));
  suggest(open);
  drawOdd();
  foresee();
});

function setOf(set) {
  if (!set) return "The house has not said which chips make a stack.";
  const stack = set.stack.map(([value, count]) => `${count} of ${chips(value)}`).join(", ");
  return `A stack of ${chips(set.worth)}: ${stack}, ${set.pieces} chips.${set.carries === null ? "" : ` The set is for ${set.carries} players.`}`;
}

// ---------------------------------------------------------------- colour-up

const seatsOf = (name) => state.tables.find((table) => table.table === name)?.seats.filter((one) => !one.vacated) ?? [];

/** A field for each seat, and what the break in the schedule says leaves play. */
function drawOdd() {
  const form = $("#colour-up");
  const seats = seatsOf(form.elements.table.value);
  draw($("#odd"), [form.elements.table.value, seats], () => seats.map((one) => h("label.short", {}, `${one.seat} ${one.name}`, h("input", { name: `odd-${one.seat}`, inputmode: "numeric", value: "0", required: true }))));
}

/** The next colour-up: the table that still has the smallest chips, and what they become, where the set is known. */
function suggest(tables) {
  const { table, old, new: into } = $("#colour-up").elements;
  const values = (state.chips.set?.stack ?? []).map(([value]) => value).sort((one, other) => one - other);
  const smallest = (one) => one.smallest_chip || values[0];
  const next = tables.filter(smallest).sort((one, other) => smallest(one) - smallest(other))[0];
  if (!next || old.value || into.value) return;
  table.value = next.table;
  old.value = smallest(next);
  into.value = values.find((value) => value > smallest(next)) ?? "";
}

$("#colour-up")?.elements.table.addEventListener("input", drawOdd);
/** Odd chips are fewer than make one of the new ones: more are said at their field. */
$("#colour-up")?.addEventListener("input", ({ currentTarget: { elements } }) => {
  const most = Math.ceil(number(elements.new.value) / number(elements.old.value)) - 1;
  for (const field of elements) {
    if (!field.name?.startsWith("odd-")) continue;
    const wrong = most >= 1 && number(field.value) > most;
    field.setCustomValidity(wrong ? `${most} at most: ${most + 1} chips of ${elements.old.value} are ${elements.new.value} and are changed first.` : "");
  }
});
function colourUp(given) {
  const table = given.get("table");
  const odd = seatsOf(table).map((one) => ({ seat: one.seat, stack: number(given.get(`odd-${one.seat}`)) ?? 0 }));
  return ["colour_up", { table, old: number(given.get("old")), new: number(given.get("new")), odd: odd.filter((one) => one.stack) }];
}
onSubmit("#colour-up", colourUp);

let foreseen = ""; // the colour-up whose outcome stands below the form

/** What the colour-up that is filled in would do stands there before it is pressed. */
async function foresee() {
  const wanted = colourUp(new FormData($("#colour-up")));
  const { old, new: into } = wanted[1];
  if (!old || !into || foreseen === JSON.stringify(wanted)) return;
  foreseen = JSON.stringify(wanted);
  const said = await preview(...wanted).catch((error) => error.message);
  if (foreseen === JSON.stringify(wanted)) say($("#colour-says"), said.replaceAll("\n", " "));
}
$("#colour-up")?.addEventListener("change", foresee);

let counted = null; // the stack that the page showed when the count was begun
$("#count")?.addEventListener("input", () => (counted ??= stackOf($("#count").elements.player.value)));
onSubmit("#count", (given) => {
  const known = counted === null ? {} : { seen_stack: counted };
  counted = null;
  return ["count_stack", { player: given.get("player"), stack: number(given.get("stack")), ...known }];
});

/** As the table has it; null where the table has not said it. */
function stackOf(player) {
  const table = state.tables.find(({ seats }) => seats.some((one) => one.player === player));
  return table?.facts?.stacks[table.seats.find((one) => one.player === player).seat] ?? null;
}
