/** The tables of the room: tiles up to two dozen, small cells beyond. Only a table that changed is drawn again. */
import { $, draw, h, many, minutes, say } from "../shared/dom.js";
import { BY_HAND, STREETS } from "../shared/words.js";
import { openSeat, playsByHand, tilesNow } from "./by_hand.js";
import { busy } from "./command.js";
import { clockNow } from "./frame.js";
import { tablePath } from "./keys.js";
import { drawList } from "./list.js";
import { doing, playersAt, stateOf } from "./table_states.js";

const TILES = 24; // more tables than this are small cells
const TILES_AGAIN = 22; // and they are tiles again only when so few are left, so that a room near the limit stays as it is
const A_SCREEN = 250; // so many cells one screen of 1920 by 1080 holds; two hold 500
const TICK_MS = 1_000;
const LAYOUTS = { "": "By size", tiles: "Tiles", cells: "Cells", plan: "Floor plan" };
const plan = JSON.parse($("#tables").dataset.plan ?? "{}"); // table -> row, column
const numbers = new Intl.Collator("en", { numeric: true }); // made once: to sort 500 tables takes 0.07 ms so, and 2 ms with one for each comparison
const phone = matchMedia("(max-width: 699px)");
const elsewhere = () => phone.matches && $("#items") && location.hash !== "#tables"; // a phone shows the queue

export function roomOfTables() {
  const nodes = new Map(); // table -> its tile or cell
  let cells = [];
  let heardAt = 0;
  let small = null; // whether tables are cells
  let resting = false; // it is a break
  let chosen = chosenLayout();

  /** The size follows the room, but never while somebody is in the middle of something. */
  function isSmall() {
    if (small !== null && busy()) return small;
    if (chosen) return chosen !== "tiles";
    return cells.length > (small ? TILES_AGAIN : TILES);
  }

  function hear(room, { age }) {
    heardAt = performance.now() - age;
    cells = room.cells.sort((one, other) => numbers.compare(one.table, other.table));
    say($("#rulebook"), `Rulebook ${room.rulebook}`);
    $("#waiting").hidden = cells.length > 0;
    show();
  }

  function show() {
    if (elsewhere()) return;
    small = isSmall();
    resting = Boolean(clockNow()?.level.is_break);
    const station = $("#station");
    const order = small && chosen === "plan" ? "plan" : "number";
    if (station.dataset.size !== (small ? "cells" : "tiles") || station.dataset.order !== order) {
      station.dataset.size = small ? "cells" : "tiles";
      station.dataset.order = order;
      nodes.clear();
      $("#tables").replaceChildren();
    }
    const shown = ofThisScreen(cells);
    const drawn = small && phone.matches ? [] : shown; // a phone has the list of a large room, and a field for the number
    place(drawn);
    for (const cell of drawn) {
      if (small) drawCell(nodes.get(cell.table), cell);
      else if (cell.state === "by_hand") drawByHand(nodes.get(cell.table), cell);
      else drawTile(nodes.get(cell.table), cell, resting);
    }
    if (order === "plan") stand(drawn, nodes);
    sum(shown);
    drawHalves(cells);
    drawLayouts();
    $("#to-table").hidden = !(small && phone.matches);
    $("#list-section").hidden = !small;
    if (small) drawList(shown);
    tick();
  }

  function drawLayouts() {
    const offered = Object.entries(LAYOUTS).filter(([name]) => name !== "plan" || Object.keys(plan).length);
    draw($("#layout"), [chosen, offered], () =>
      offered.map(([name, words]) => {
        const button = h("button", { type: "button", "aria-pressed": `${name === chosen}` }, words);
        button.addEventListener("click", () => {
          chooseLayout((chosen = name));
          small = null; // what it was before does not count
          show();
          $(`[aria-pressed="true"]`, $("#layout")).focus();
        });
        return button;
      }),
    );
  }

  /** A node for every table, in the order of their numbers; those that are there stay. */
  function place(shown) {
    const list = $("#tables");
    const wanted = new Map(shown.map((cell) => [cell.table, cell.state === "by_hand" && !small]));
    for (const [table, node] of nodes) {
      if (wanted.has(table) && wanted.get(table) === (node.dataset.byHand === "yes")) continue;
      node.remove();
      nodes.delete(table);
    }
    shown.forEach(({ table, state }, at) => {
      const byHand = state === "by_hand";
      if (!nodes.has(table)) nodes.set(table, h("li", { "data-by-hand": byHand && !small ? "yes" : null }, byHand && !small ? h("div.tile") : h("a", { href: tablePath(table) })));
      if (list.children[at] !== nodes.get(table)) list.insertBefore(nodes.get(table), list.children[at] ?? null);
    });
  }

  function sum(shown) {
    const troubled = shown.filter((cell) => stateOf(cell).worry).length;
    const players = shown.reduce((all, cell) => all + (cell.state === "closed" ? 0 : playersAt(cell)), 0);
    say($("#tables-sum"), `${many(shown.length, "table")}, ${many(players, "player")}, ${troubled} with something to look at`);
  }

  /** Seconds on tiles only: small cells have no live text. */
  function tick() {
    const passed = performance.now() - heardAt;
    for (const cell of small ? [] : cells) {
      const node = nodes.get(cell.table);
      const acting = node && $(".acting", node);
      const known = document.body.dataset.link !== "lost"; // nobody knows whose turn it is by now
      if (acting && cell.to_act && known) say(acting, `Seat ${cell.to_act} to act, ${minutes(cell.to_act_ms + passed)}`);
      const heard = node && $(".heard", node);
      if (heard) say(heard, `Nothing heard for ${minutes(cell.heard_ms_ago + passed)}`);
    }
  }
  const again = () => cells.length && show();
  setInterval(() => (elsewhere() || (isSmall() === small && resting === Boolean(clockNow()?.level.is_break)) ? tick() : again()), TICK_MS);
  addEventListener("hashchange", again);
  phone.addEventListener("change", again);
  $("#to-table").addEventListener("submit", (event) => {
    event.preventDefault();
    const no = $("#table-no").value.trim();
    const found = cells.find(({ table }) => table === no || Number(table) === Number(no));
    if (found) location.href = tablePath(found.table);
    else say($("#table-no-fault"), `There is no table ${no}.`);
  });
  return { hear, again };
}

/** Each where it stands in the room; those without a place in rows behind the others. */
function stand(shown, nodes) {
  const columns = Math.max(1, ...Object.values(plan).map(([, column]) => column));
  const rows = Math.max(0, ...Object.values(plan).map(([row]) => row));
  $("#tables").style.setProperty("--columns", columns);
  let others = 0;
  for (const { table } of shown) {
    const [row, column] = plan[table] ?? [rows + 1 + Math.floor(others / columns), 1 + (others++ % columns)];
    Object.assign(nodes.get(table).style, { gridRow: `${row}`, gridColumn: `${column}` });
  }
}

function chosenLayout() {
  try {
    const kept = localStorage.getItem("layout") ?? "";
    return kept in LAYOUTS ? kept : "";
  } catch {
    return ""; // a frame of another site has no storage
  }
}

function chooseLayout(name) {
  try {
    localStorage.setItem("layout", name);
  } catch {
    // as above
  }
}

/** `#251-500`: what of a large room this screen shows, so that a second one shows the rest. */
function ofThisScreen(cells) {
  const [, from, to] = location.hash.match(/^#(\d+)-(\d+)$/) ?? [];
  return from ? cells.slice(from - 1, to) : cells;
}

function drawHalves(cells) {
  const parts = Array.from({ length: Math.ceil(cells.length / A_SCREEN) }, (_, no) => [no * A_SCREEN + 1, Math.min(cells.length, (no + 1) * A_SCREEN)]);
  $("#halves").hidden = parts.length < 2;
  draw($("#halves"), [parts, location.hash], () =>
    [["", "All"], ...parts.map(([from, to]) => [`#${from}-${to}`, `${cells[from - 1].table} to ${cells[to - 1].table}`])].map(([hash, words]) =>
      h("a", { href: hash || "#tables", "aria-current": (hash ? location.hash === hash : !/^#\d/.test(location.hash)) && "true" }, words),
    ),
  );
}

/* --------------------------------------------------------------------------------------------- one table */

function drawCell(node, cell) {
  const { kind, words } = stateOf(cell);
  const players = playersAt(cell);
  const old = cell.link === "live" ? "" : ".old";
  draw(node, [cell.table, players, kind, old], () =>
    h(`a${old}`, { href: cell.state === "by_hand" ? "/station/seats" : tablePath(cell.table), "data-state": kind, "aria-label": `Table ${cell.table}, ${many(players, "player")}, ${words}` }, h("b", {}, cell.table), h("span.few", {}, `${players}`), h("i.sign", { "data-state": kind })),
  );
}

function drawTile(node, cell, resting) {
  const { kind, words, worry } = stateOf(cell);
  const { table, link, hand, street, seats, button, to_act: acts, chips_agree: agree, taken_by: by, trouble, state, by_hand: byHand } = cell;
  const link_ = $("a", node);
  link_.dataset.state = kind;
  link_.classList.toggle("old", link !== "live");
  draw(link_, [table, link, hand, street, seats, button, acts, agree, by, trouble, state, byHand, resting], () => [
    h("span.top", {}, h("b", {}, h("span.visually-hidden", {}, "Table "), table), h("i.sign", { "data-state": kind }), h("span.street", {}, state === "playing" ? (STREETS[street] ?? "") : doing(cell, resting))),
    h("span.dots", { role: "img", "aria-label": many(playersAt(cell), "player") }, dots(seats, acts, button)),
    link === "live" ? h("span.acting", {}, state === "playing" ? "Nobody is to act" : "") : h("span.heard", {}, "Nothing heard"),
    h("span.foot", {}, h("span", {}, hand ? `Hand ${hand}` : "No hand yet"), sumTick(agree)),
    byHand ? h("span.by-hand", {}, BY_HAND) : null,
    worry || by ? h("span.worry", {}, by ? `${words}; ${by} comes` : words) : null,
  ]);
}

/** A table that reports nothing: who sits there; a press on a name opens what can be done with the player. */
function drawByHand(node, cell) {
  const { kind, words, worry } = stateOf(cell);
  const table = tilesNow()?.tables.find((one) => one.table === cell.table);
  const tile = $(".tile", node);
  tile.dataset.state = kind;
  draw(tile, [cell.table, table?.seats ?? cell.seats, worry && words, cell.taken_by, playsByHand()], () => [
    h("span.top", {}, h("b", {}, h("span.visually-hidden", {}, "Table "), cell.table), h("span.street", {}, many(playersAt(cell), "player"))),
    h("ol.names", {}, (table?.seats ?? []).map((seat) => h("li", {}, seatButton(seat)))),
    worry || cell.taken_by ? h("span.worry", {}, cell.taken_by ? `${words}; ${cell.taken_by} comes` : words) : null,
  ]);
}

function seatButton({ seat, player, name, away }) {
  const inside = [h("span.no", {}, `${seat}`), h("span", {}, name), away ? h("span.soft", {}, "away") : null];
  if (!playsByHand()) return h("div.seat", {}, inside);
  const node = h("button.seat", { type: "button", "aria-label": `Seat ${seat}, ${name}${away ? ", away" : ""}. Out, or what else` }, inside);
  node.addEventListener("click", () => openSeat(player));
  return node;
}

function dots(seats, acts, button) {
  const last = Math.max(9, ...seats);
  return Array.from({ length: last }, (_, at) => h("i", { "data-seat": seats.includes(at + 1) ? "taken" : "free", "data-acts": acts === at + 1 && "yes", "data-button": button === at + 1 && "yes" }));
}

function sumTick(agree) {
  if (agree === null) return h("span.sum", {}, "chips not known");
  return h("span.sum", { "data-agree": agree ? "yes" : "no" }, agree ? "chips agree" : "chips do not agree");
}
