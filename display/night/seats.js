/** The plan of the tables: draw, moves and their stages, balance, a table that breaks, reserved seats. */
import { $, chips, draw, h, many, say } from "../shared/dom.js";
import { clockTime } from "../shared/time.js";
import { act, at, button, law, namesOf, night, nothing, number, onSubmit, plain, presses, row, undoButton } from "./night.js";
import { hearTiles, openSeat, playsByHand } from "../station/by_hand.js";
import { replacing } from "./replace.js";
import { allElse, tableElse } from "./tables_else.js";

let state = null;
let shownTable = ""; // whose dialog is open
let onTheWay = null; // the move whose rack is asked for
let moving = null; // the player whom the dialog moves
let taken = null; // the free seat that the dialog fills
let asked = new URLSearchParams(location.search).get("player"); // whom another page wants to move
let balances = new URLSearchParams(location.search).get("balance"); // the table from which the queue wants a move

night("book field stacks seats tiles", (shown) => {
  state = shown;
  hearTiles(shown);
  draw($("#decide"), [shown.proposals], () => proposals(shown.proposals));
  draw($("#moves"), [shown.moves, shown.moved], () => [...shown.moves.map(moveRow), ...shown.moved.map(movedRow)]);
  $("#moves-section").hidden = shown.moves.length + shown.moved.length === 0;
  draw($("#tables-do"), [shown.started, shown.tables.flatMap((table) => table.seats).length], () => [!shown.started && drawButton(), !shown.started && buttonsOfAll()]);
  draw($("#plan"), [shown.tables, shown.started, shown.field], () => shown.tables.filter((table) => table.open || table.seats.length).map(tableOf));
  const form = $("#keep-apart");
  if (form) for (const name of ["one", "other"]) draw(form.elements[name], shown.field, () => shown.field.map(option));
  const names = namesOf(shown);
  draw($("#apart"), [shown.apart, names, shown.tables.some(({ seats }) => seats.length)], () => shown.apart.map((pair) => apartRow(pair, names)));
  draw($("#apart-last"), [lastApart(), names], () => lastApart().map(([one, other]) => button(`As last time: ${names[one]} and ${names[other]}`, "keep_apart", { one, other })));
  allElse({}, shown);
  if (shownTable) openTable(shownTable);
  if (asked) openAsked();
});

function apartRow({ players, kept }, names) {
  const drawn = state.tables.some(({ seats }) => seats.length);
  const open = state.tables.filter((table) => table.open).length;
  const met = open > 1 ? "at one table" : "at one table: there is no other";
  const said = kept ? (drawn ? "at different tables" : "") : drawn ? met : "cannot be kept apart: there are too few tables";
  return row([players.map((player) => names[player] ?? player).join(" and "), said && h("span.soft", {}, `, ${said}`)].filter(Boolean));
}

/** Who was kept apart at the last event, and is here again. */
function lastApart() {
  const here = new Set(state.field.map((one) => one.player));
  const has = new Set(state.apart.map(({ players }) => [...players].sort().join()));
  return (state.last?.apart ?? []).filter((pair) => pair.every((player) => here.has(player)) && !has.has([...pair].sort().join()));
}

const option = (one) => h("option", { value: one.player }, one.name);

/** A player whom the page of players sent here. */
function openAsked() {
  const seat = state.tables.flatMap((table) => table.seats.map((one) => ({ ...one, table: table.table }))).find((one) => one.player === asked);
  asked = null;
  if (seat && presses) openMove(seat);
}

// ---------------------------------------------------------------- what is proposed, and who is on the way

/** A move is sent with its seat, as the queue sends what it asked: by then another one may be proposed. */
function proposals({ moves, break: broken, buttons }) {
  const rows = [
    broken && row([`Table ${broken.table} breaks at ${broken.left} players `, law(broken)], breakButton(broken.table, "primary")),
    ...moves.map((move) => move.choose ? chooseRow(move) : row([h("b", {}, move.name), ` from ${at(move.start)} to ${at(move.to)}. ${move.why} `, law(move)], button("Move", "confirm_move", { player: move.player, item: `balance-${move.player}`, question: move.question }, { about: move.name, kind: "primary" }))),
    ...buttons.map((table) => row(`Table ${table}: so many are new that the button is drawn again`, button("Draw the button", "set_button", { table }, { about: `table ${table}` }))),
  ].filter(Boolean);
  return rows.length ? rows : nothing("The tables are balanced.");
}

/** By hand nobody knows who is due for the big blind: the director chooses, and the question says where to. */
function chooseRow(move) {
  const there = state.tables.find(({ table }) => table === move.start.table)?.seats ?? [];
  const select = h("select", { "aria-label": `Who moves from table ${move.start.table}` }, there.map((one) => h("option", { value: one.player }, `${one.name}, seat ${one.seat}`)));
  const wanted = () => ({ player: select.value, to: move.to, why: move.why });
  const words = [`One player from table ${move.start.table} to ${at(move.to)}: ${move.why}. By most books the next big blind moves. `, law(move)];
  const node = row(words, presses ? select : null, button("Move", "confirm_move", wanted, { about: `table ${move.start.table} to table ${move.to.table}`, kind: "primary", foresee: true }));
  if (balances === move.start.table) {
    balances = "";
    setTimeout(() => select.focus());
  }
  return node;
}

const STAGES = { confirmed: "told; gets up after the hand", in_transit: "on the way" };

function moveRow(move) {
  const rack = move.rack === null ? "" : ` with ${chips(move.rack)}`;
  const words = [h("b", {}, move.name), ` from ${at(move.start)} to ${at(move.to)}: ${STAGES[move.stage] ?? plain(move.stage)}${rack}. ${move.why} `, move.overtaken ? "No longer needed. " : "", law(move)];
  const got = presses && h("button", { type: "button", "aria-label": `${move.stage === "confirmed" ? "Got up" : "Sits"}: ${move.name}` }, move.stage === "confirmed" ? "Got up" : "Sits");
  if (got) got.addEventListener("click", () => openRack(move));
  return row(words, move.stage === "confirmed" && button("Withdraw", "withdraw_move", { move: move.move }, { about: move.name }), got, ...mending(move));
}

/** Who has arrived: for the case that it was the wrong one. */
function movedRow(move) {
  const when = clockTime(move.at, state.zone);
  return row([h("b", {}, move.name), ` went from ${at(move.start)} to ${at(move.to)}, ${when}. `, h("span.soft", {}, move.why)], ...mending(move));
}

function mending(move) {
  if (!presses) return [];
  const other = h("button", { type: "button", "aria-label": `Another one instead: ${move.name}` }, "Another one instead");
  other.addEventListener("click", () => openInstead(move));
  return [undoButton({ no: move.record, text: move.name, by: "" }, "Send back"), other];
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
  const dealt = state.by_hand && state.started ? null : (table.facts?.button ?? table.button); // by hand it goes round unseen
  const nodes = [...table.seats.map((one) => [one.seat, seatOf({ ...one, table: table.table }, one.seat === dealt, table.facts?.stacks[one.seat] ?? (state.by_hand ? state.field.find(({ player }) => player === one.player)?.stack : undefined) ?? undefined)]), ...table.free.map((seat) => [seat, freeSeat(table, seat)])];
  return h(
    "li",
    {},
    h("div.head-row", {}, h("h3", {}, h("a", { href: `/station/table/${table.table}` }, `Table ${table.table}`)), h("span.soft", {}, `${many(table.seats.length, "player")}${table.open ? "" : ", closed"}`)),
    h("ol", {}, nodes.sort(([one], [other]) => one - other).map(([, node]) => h("li", {}, node))),
    h("div.choices", {}, !state.started && table.seats.length > 0 && table.button === null && button("Draw the button", "set_button", { table: table.table }, { about: `table ${table.table}` }), state.started && table.open && table.seats.length > 0 && breakButton(table.table), presses && moreButton(table)),
  );
}

function moreButton({ table }) {
  const node = h("button", { type: "button", "aria-label": `More: table ${table}` }, "More");
  node.addEventListener("click", () => {
    openTable(table);
    $("#table").showModal();
  });
  return node;
}

function seatOf(one, hasButton, stack) {
  const said = one.vacated ? "out of chips" : one.there || !state.started ? (stack === undefined ? "" : chips(stack)) : "not there yet";
  const inside = [h("span.no", {}, `${one.seat}`), h("span", {}, one.name, hasButton ? h("b.button-of", { title: "Button" }, " D") : null), h("span.soft", {}, said)];
  if (!presses) return h("div.seat", {}, inside);
  const node = h("button.seat", { type: "button", "aria-label": `Seat ${one.seat}, ${one.name}${hasButton ? ", button" : ""}${said ? `, ${said}` : ""}. ${state.by_hand ? "Out, or what else" : "Move"}` }, inside);
  node.addEventListener("click", () => (playsByHand() && openSeat(one.player)) || openMove(one));
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

function openTable(name) {
  const table = state.tables.find((one) => one.table === name);
  if (!table) return;
  shownTable = name;
  say($("#table-heading"), `Table ${name}`);
  tableElse(table, state);
}
$("#table").addEventListener("close", () => (shownTable = ""));

function openRack(move) {
  onTheWay = move;
  const up = move.stage === "confirmed";
  const stack = move.rack ?? state.field.find((one) => one.player === move.player)?.stack;
  say($("#rack-heading"), up ? `${move.name} has got up from ${at(move.start)}` : `${move.name} sits at ${at(move.to)}`);
  say($("#rack-do"), up ? "Got up" : "Sits");
  $("#rack-form").elements.rack.value = stack === null || stack === undefined ? "" : chips(stack);
  $("#rack").showModal();
}
onSubmit("#rack-form", (given) => [onTheWay.stage === "confirmed" ? "report_left" : "report_seated", { move: onTheWay.move, rack: number(given.get("rack")) }]);

const replace = replacing();
function openInstead(move) {
  const there = state.tables.find(({ table }) => table === move.start.table)?.seats ?? [];
  const options = there.filter(({ player }) => player !== move.player).map((one) => [one.player, `${one.name}, seat ${one.seat}`]);
  say($("#instead-heading"), `Another one than ${move.name} to ${at(move.to)}`);
  replace(move.record, options, (player) => [["confirm_move", { player, to: move.to, why: `instead of ${move.name}` }]]);
}

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
  $("#place-stack").hidden = !state.settings.unsold_stacks?.value;
  $("#take").showModal();
}

/** Whom the player of the dialog would meet and is to be kept apart from. */
function sayApart() {
  const to = JSON.parse($("#move-form").elements.to.value || "null");
  const kept = state.apart.filter(({ players }) => players.includes(moving.player)).flatMap(({ players }) => players);
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
onSubmit("#keep-apart", (given) => ["keep_apart", { one: given.get("one"), other: given.get("other") }], { foresee: true });
$("#place-stack").addEventListener("click", async () => {
  if (await act("place_stack", { at: taken }, $("#take-form"))) $("#take").close();
});
$("#reserve").addEventListener("click", async () => {
  const form = $("#take-form");
  if (await act("reserve_seat", { player: form.elements.player.value, at: taken }, form)) $("#take").close();
});
