/** The plan of the tables: draw, moves and their stages, balance, a table that breaks, reserved seats. */
import { $, chips, draw, h, say } from "../shared/dom.js";
import { act, at, button, law, namesOf, night, nothing, onSubmit, plain, presses, row } from "./night.js";

let state = null;
let moving = null; // the player whom the dialog moves
let taken = null; // the free seat that the dialog fills
let asked = new URLSearchParams(location.search).get("player"); // whom another page wants to move

night("field stacks seats", (shown) => {
  state = shown;
  draw($("#decide"), [shown.proposals], () => proposals(shown.proposals));
  draw($("#moves"), shown.moves, () => shown.moves.map(moveRow));
  $("#moves-section").hidden = shown.moves.length === 0;
  draw($("#tables-do"), [shown.started, shown.tables.flatMap((table) => table.seats).length], () => [!shown.started && drawButton(), !shown.started && buttonsOfAll()]);
  draw($("#plan"), [shown.tables, shown.started, shown.field], () => shown.tables.filter((table) => table.open || table.seats.length).map(tableOf));
  const form = $("#keep-apart");
  if (form) for (const name of ["one", "other"]) draw(form.elements[name], shown.field, () => shown.field.map(option));
  const names = namesOf(shown);
  draw($("#apart"), [shown.apart, names], () => shown.apart.map((pair) => row(pair.map((player) => names[player] ?? player).join(" and "))));
  if (asked) openAsked();
});

const option = (one) => h("option", { value: one.player }, one.name);

/** A player whom the page of players sent here. */
function openAsked() {
  const seat = state.tables.flatMap((table) => table.seats.map((one) => ({ ...one, table: table.table }))).find((one) => one.player === asked);
  asked = null;
  if (seat && presses) openMove(seat);
}

// ---------------------------------------------------------------- what is proposed, and who is on the way

function proposals({ moves, break: broken, buttons }) {
  const rows = [
    broken && row([`Table ${broken.table} breaks at ${broken.left} players `, law(broken)], breakButton(broken.table, "primary")),
    ...moves.map((move) => row([h("b", {}, move.name), ` from ${at(move.start)} to ${at(move.to)}. ${move.why} `, law(move)], button("Move", "confirm_move", { player: move.player }, { about: move.name, kind: "primary" }))),
    ...buttons.map((table) => row(`Table ${table}: so many are new that the button is drawn again`, button("Draw the button", "set_button", { table }, { about: `table ${table}` }))),
  ].filter(Boolean);
  return rows.length ? rows : nothing("The tables are balanced.");
}

const STAGES = { confirmed: "told; gets up after the hand", in_transit: "on the way" };

function moveRow(move) {
  const rack = move.rack === null ? "" : ` with ${chips(move.rack)}`;
  const words = [h("b", {}, move.name), ` from ${at(move.start)} to ${at(move.to)}: ${STAGES[move.stage] ?? plain(move.stage)}${rack}. ${move.why} `, move.overtaken ? "No longer needed. " : "", law(move)];
  return row(words, move.stage === "confirmed" && button("Withdraw", "withdraw_move", { move: move.move }, { about: move.name }));
}

// ---------------------------------------------------------------- the plan

/** Drawing again changes every seat, also those on slips that were handed out: it asks. */
function drawButton() {
  const seated = state.tables.flatMap((table) => table.seats).length;
  return button("Draw seats", "draw_seats", {}, { kind: seated ? "" : "primary", sure: seated ? `${seated} seats are drawn. A new draw changes them all, and seat slips that were printed are wrong then.` : "" });
}

/** The question says who goes where: by some books the players of the table alone, by others everybody. */
function breakButton(table, kind = "") {
  return button("Break", "break_table", { table }, { about: `table ${table}`, kind, foresee: true });
}

/** Before the start: the first button of each table that has none. */
function buttonsOfAll() {
  const without = () => state.tables.filter((table) => table.open && table.seats.length && table.button === null);
  if (!presses) return null;
  const node = h("button", { type: "button" }, "Draw the buttons");
  node.addEventListener("click", async () => {
    for (const { table } of without()) if (!(await act("set_button", { table }))) return;
  });
  return node;
}

function tableOf(table) {
  const dealt = table.facts?.button ?? table.button;
  const nodes = [...table.seats.map((one) => [one.seat, seatOf({ ...one, table: table.table }, one.seat === dealt, table.facts?.stacks[one.seat])]), ...table.free.map((seat) => [seat, freeSeat(table, seat)])];
  return h(
    "li",
    {},
    h("div.head-row", {}, h("h3", {}, h("a", { href: `/station/table/${table.table}` }, `Table ${table.table}`)), h("span.soft", {}, `${table.seats.length} players${table.open ? "" : ", closed"}`)),
    h("ol", {}, nodes.sort(([one], [other]) => one - other).map(([, node]) => h("li", {}, node))),
    h("div.choices", {}, !state.started && table.seats.length > 0 && table.button === null && button("Draw the button", "set_button", { table: table.table }, { about: `table ${table.table}` }), state.started && table.open && table.seats.length > 0 && breakButton(table.table)),
  );
}

function seatOf(one, hasButton, stack) {
  const said = one.vacated ? "out of chips" : one.there || !state.started ? (stack === undefined ? "" : chips(stack)) : "not there yet";
  const inside = [h("span.no", {}, `${one.seat}`), h("span", {}, one.name, hasButton ? h("b.button-of", { title: "Button" }, " D") : null), h("span.soft", {}, said)];
  if (!presses) return h("div.seat", {}, inside);
  const node = h("button.seat", { type: "button", "aria-label": `Seat ${one.seat}, ${one.name}${hasButton ? ", button" : ""}${said ? `, ${said}` : ""}. Move` }, inside);
  node.addEventListener("click", () => openMove(one));
  return node;
}

function freeSeat(table, seat) {
  const player = table.reserved[seat];
  const name = player && (state.field.find((one) => one.player === player)?.name ?? player);
  const words = name ? `reserved: ${name}` : "free";
  const inside = [h("span.no", {}, `${seat}`), h("span", {}, words)];
  if (!presses || !table.open) return h("div.seat", { "data-free": "" }, inside);
  const node = h("button.seat", { type: "button", "data-free": "", "aria-label": `Table ${table.table} seat ${seat}, ${words}. Seat a player` }, inside);
  node.addEventListener("click", () => openTake({ table: table.table, seat }));
  return node;
}

// ---------------------------------------------------------------- dialogs

function openMove(one) {
  moving = one;
  say($("#move-heading"), `Move ${one.name} from ${at(one)}`);
  const free = state.tables.filter((table) => table.open).flatMap((table) => table.free.map((seat) => ({ table: table.table, seat })));
  // To a seat of another table first: that is what a move is for.
  free.sort((a, b) => (a.table === one.table) - (b.table === one.table));
  $("#move-form").elements.to.replaceChildren(...free.map((seat) => h("option", { value: JSON.stringify(seat) }, at(seat))));
  sayApart();
  $("#move").showModal();
  $("#move .primary").focus();
}

function openTake(seat) {
  taken = seat;
  say($("#take-heading"), `Seat a player at ${at(seat)}`);
  const waiting = state.field.filter((one) => (one.status === "playing" || one.status === "registered") && !one.table);
  const seated = state.field.filter((one) => one.status === "playing" && one.table && state.started);
  $("#take-form").elements.player.replaceChildren(...[...waiting, ...seated].map(option));
  $("#take").showModal();
}

/** Whom the player of the dialog would meet and is to be kept apart from. */
function sayApart() {
  const to = JSON.parse($("#move-form").elements.to.value || "null");
  const kept = state.apart.filter((pair) => pair.includes(moving.player)).flat();
  const there = state.tables.find(({ table }) => table === to?.table)?.seats ?? [];
  const met = there.filter(({ player }) => player !== moving.player && kept.includes(player)).map(({ name }) => name);
  say($("#move-says"), met.length ? `${met.join(" and ")} sits there: they are to be kept apart.` : "");
}
$("#move-form").elements.to.addEventListener("input", sayApart);

onSubmit("#move-form", (given) => ["confirm_move", { player: moving.player, to: JSON.parse(given.get("to")), why: given.get("why") }]);
onSubmit("#take-form", (given) => {
  const player = given.get("player");
  const seated = state.field.find((one) => one.player === player)?.table;
  return seated ? ["confirm_move", { player, to: taken, why: "the director's" }] : ["seat_player", { player, at: taken }];
});
onSubmit("#keep-apart", (given) => ["keep_apart", { one: given.get("one"), other: given.get("other") }]);
$("#reserve").addEventListener("click", async () => {
  const form = $("#take-form");
  if (await act("reserve_seat", { player: form.elements.player.value, at: taken }, form)) $("#take").close();
});
