/** The director's page: calls and alerts first, then the clock, then a tile for each table in a fixed order. */
import { card } from "../shared/cards.js";
import { $, chips, draw, h, minutes, say } from "../shared/dom.js";
import { STREETS, lamps } from "../shared/words.js";
import { claimRow } from "./director.js";
import { frame } from "./frame.js";
import { directorHands } from "./resume.js";
import { directorRulings } from "./rulings.js";

let tiles = [];
const rulings = directorRulings(() => drawTiles());
const hands = directorHands();

frame({ room: showRoom });

function showRoom(room) {
  say($("#rulebook"), `Rulebook ${room.rulebook}`);
  $("#waiting").hidden = room.tiles.length > 0;
  const calls = room.tiles.filter((tile) => tile.state?.floor).map((tile) => tile.table);
  const claims = room.claims.map(({ heard_ms_ago: _, ...claim }) => claim); // which machines, not since when
  draw($("#alerts"), [calls, room.alerts, claims], () => [
    ...calls.map((table) => h("li.floor", {}, `Table ${table} calls the floor`)),
    ...room.claims.map((claim) => claimRow(claim)),
    ...room.alerts.map((alert) => h("li", {}, alert)),
  ]);
  tiles = room.tiles;
  rulings?.hear(tiles);
  hands?.hear(tiles);
  drawTiles();
}

function drawTiles() {
  const list = $("#tiles");
  while (list.children.length > tiles.length) list.lastChild.remove();
  tiles.forEach((tile, i) => {
    const node = list.children[i] ?? list.appendChild(h("li.tile", {}, h("div.facts"), h("div.act")));
    node.classList.toggle("floor", Boolean(tile.state?.floor));
    node.classList.toggle("away", !tile.online);
    draw($(".facts", node), tile, () => tileParts(tile));
    // Apart from the facts, which change with every event: a button must not be replaced while it is pressed.
    draw($(".act", node), [Boolean(tile.state), rulings?.facts(tile.table)], () => rulings?.parts(tile, hands?.button(tile)) ?? []);
  });
}

function tileParts(tile) {
  const { state } = tile;
  const street = tile.online ? STREETS[state?.street] ?? "No hand yet" : "Offline";
  const top = h("div.top", {}, [
    h("h2.number", {}, h("span.visually-hidden", {}, "Table "), tile.table),
    h("p.hand", {}, state ? `Hand ${state.hand}` : "No hand yet"),
    h("p.street", {}, street),
  ]);
  if (!state) return [top, h("p.last", {}, "Nothing reported yet"), h("div.foot", {}, wire(tile))];
  return [
    top,
    h("div.board", { "aria-label": "Board" }, state.board.map(card)),
    h("dl.middle", {}, h("div", {}, h("dt", {}, "Pot"), h("dd", {}, chips(state.pot))), turn(state)),
    h("p.last", {}, state.last),
    h("div.foot", {}, h("ul.lamps", { "aria-label": "Devices" }, lamps(state.devices)), wire(tile)),
  ];
}

function turn(state) {
  if (state.question) return h("div.turn.question", {}, h("dt", {}, "Asked"), h("dd", {}, state.question.text));
  if (!state.legal) return null;
  const seat = state.seats.find((one) => one.seat === state.legal.seat);
  return h("div.turn", {}, h("dt", {}, "To act"), h("dd", {}, `${state.legal.seat} ${seat?.player ?? ""}`));
}

function wire(tile) {
  const behind = tile.state ? Math.max(0, tile.state.as_of - tile.acked) : 0;
  const ago = tile.seen_ms_ago < 2_000 ? "heard now" : `heard ${minutes(tile.seen_ms_ago)} ago`;
  return h("p.wire", {}, [
    tile.online ? h("span", {}, "online") : h("span.offline", {}, "offline"),
    behind ? h("span.behind", {}, `${behind} ${behind === 1 ? "event" : "events"} behind`) : h("span", {}, "all acknowledged"),
    h("span", {}, ago),
  ]);
}
