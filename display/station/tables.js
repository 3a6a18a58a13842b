/** The tables of the room: tiles up to two dozen, small cells beyond. Only a table that changed is drawn again. */
import { $, draw, h, minutes, say } from "../shared/dom.js";
import { STREETS } from "../shared/words.js";
import { tablePath } from "./keys.js";
import { drawList } from "./list.js";
import { doing, playersAt, stateOf } from "./table_states.js";

const TILES = 24; // more tables than this are small cells
const A_SCREEN = 250; // so many cells one screen of 1920 by 1080 holds; two hold 500
const TICK_MS = 1_000;

export function roomOfTables() {
  const nodes = new Map(); // table -> its tile or cell
  let cells = [];
  let heardAt = 0;

  function hear(room, { age }) {
    heardAt = performance.now() - age;
    cells = [...room.cells].sort((one, other) => one.table.localeCompare(other.table, "en", { numeric: true }));
    say($("#rulebook"), `Rulebook ${room.rulebook}`);
    $("#waiting").hidden = cells.length > 0;
    show();
  }

  function show() {
    const small = cells.length > TILES;
    const station = $("#station");
    if (station.dataset.size !== (small ? "cells" : "tiles")) {
      station.dataset.size = small ? "cells" : "tiles";
      nodes.clear();
      $("#tables").replaceChildren();
    }
    const shown = ofThisScreen(cells);
    place(shown);
    for (const cell of shown) (small ? drawCell : drawTile)(nodes.get(cell.table), cell);
    sum(shown);
    drawHalves(cells);
    $("#list-section").hidden = !small;
    if (small) drawList(shown);
    tick();
  }

  /** A node for every table, in the order of their numbers; those that are there stay. */
  function place(shown) {
    const list = $("#tables");
    const wanted = new Set(shown.map((cell) => cell.table));
    for (const [table, node] of nodes) {
      if (wanted.has(table)) continue;
      node.remove();
      nodes.delete(table);
    }
    shown.forEach(({ table }, at) => {
      if (!nodes.has(table)) nodes.set(table, h("li", {}, h("a", { href: tablePath(table) })));
      if (list.children[at] !== nodes.get(table)) list.insertBefore(nodes.get(table), list.children[at] ?? null);
    });
  }

  function sum(shown) {
    const troubled = shown.filter((cell) => stateOf(cell).worry).length;
    const players = shown.reduce((all, cell) => all + playersAt(cell), 0);
    say($("#tables-sum"), `${shown.length} ${shown.length === 1 ? "table" : "tables"}, ${players} players, ${troubled} with something to look at`);
  }

  /** Seconds on tiles only: small cells have no live text. */
  function tick() {
    const passed = performance.now() - heardAt;
    for (const cell of cells.length > TILES ? [] : cells) {
      const node = nodes.get(cell.table);
      const acting = node && $(".acting", node);
      if (acting && cell.to_act) say(acting, `Seat ${cell.to_act} to act, ${minutes(cell.to_act_ms + passed)}`);
      const heard = node && $(".heard", node);
      if (heard) say(heard, `Nothing heard for ${minutes(cell.heard_ms_ago + passed)}`);
    }
  }
  setInterval(tick, TICK_MS);
  addEventListener("hashchange", () => cells.length && show());
  return { hear };
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
    h(`a${old}`, { href: tablePath(cell.table), "data-state": kind, "aria-label": `Table ${cell.table}, ${players} players, ${words}` }, h("b", {}, cell.table), h("span.few", {}, `${players}`), h("i.sign", { "data-state": kind })),
  );
}

function drawTile(node, cell) {
  const { kind, words, worry } = stateOf(cell);
  const { table, link, hand, street, seats, button, to_act: acts, chips_agree: agree, taken_by: by, trouble, state } = cell;
  const link_ = $("a", node);
  link_.dataset.state = kind;
  link_.classList.toggle("old", link !== "live");
  draw(link_, [table, link, hand, street, seats, button, acts, agree, by, trouble, state], () => [
    h("span.top", {}, h("b", {}, h("span.visually-hidden", {}, "Table "), table), h("i.sign", { "data-state": kind }), h("span.street", {}, state === "playing" ? (STREETS[street] ?? "") : doing(cell))),
    h("span.dots", { role: "img", "aria-label": `${playersAt(cell)} players` }, dots(seats, acts, button)),
    link === "live" ? h("span.acting", {}, state === "playing" ? "Nobody is to act" : "") : h("span.heard", {}, "Nothing heard"),
    h("span.foot", {}, h("span", {}, hand ? `Hand ${hand}` : "No hand yet"), sumTick(agree)),
    worry || by ? h("span.worry", {}, by ? `${words}; ${by} comes` : words) : null,
  ]);
}

function dots(seats, acts, button) {
  const last = Math.max(9, ...seats);
  return Array.from({ length: last }, (_, at) => h("i", { "data-seat": seats.includes(at + 1) ? "taken" : "free", "data-acts": acts === at + 1 && "yes", "data-button": button === at + 1 && "yes" }));
}

function sumTick(agree) {
  if (agree === null) return h("span.sum", {}, "chips not known");
  return h("span.sum", { "data-agree": agree ? "yes" : "no" }, agree ? "chips agree" : "chips do not agree");
}
