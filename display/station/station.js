/** Queue and tables: the director's first page. A room of one table is that table's page. */
import { $ } from "../shared/dom.js";
import { hearTiles } from "./by_hand.js";
import { busy } from "./command.js";
import { alsoFind } from "./find.js";
import { frame } from "./frame.js";
import { tablePath } from "./keys.js";
import { withNames } from "./names.js";
import { queue } from "./queue.js";
import { directorRulings } from "./rulings.js";
import { roomOfTables } from "./tables.js";

const ask = (channel) => fetch(`/api/${channel}`).then((answer) => (answer.ok ? answer.json() : null)).catch(() => null);
const stateOf = (table) => Promise.all([ask(`table/${table}`), ask(`names/${table}`)]).then(([state, names]) => withNames(state, names));
const rulings = directorRulings(stateOf);
const items = $("#items") && queue({ rule: rulings && ((table) => rulings.rule(table)) });
const tables = roomOfTables();
let calling = []; // tables that call the floor
if (rulings) alsoFind(() => rulings.toRaise(calling));

let open = true; // an event, as far as is known
let played = true; // a hand at any table
let waits = false; // anything in the queue
let tablesOnly = false;

/** With no event and nothing played the way in stands in place of an empty queue and idle tables; above them, where
 * something waits, as a phone that asks to be let in. */
function showWayIn() {
  $("#no-event")?.toggleAttribute("hidden", open);
  const wayIn = !open && !played && !tablesOnly && Boolean($("#way-in"));
  $("#way-in")?.toggleAttribute("hidden", !wayIn);
  $("#way-in")?.classList.toggle("above", waits);
  $("#station").hidden = wayIn && !waits;
}
$("#tables-only")?.addEventListener("click", () => {
  tablesOnly = true;
  showWayIn();
});

let alone = ""; // the only table of the room
const toItsPage = () => alone && !location.hash && !busy() && location.replace(tablePath(alone));
setInterval(toItsPage, 1_000);

frame(
  {
    room: (room, about) => {
      played = room.cells.some((cell) => cell.hand > 0);
      showWayIn();
      alone = items && room.cells.length === 1 && room.cells[0].state !== "by_hand" ? room.cells[0].table : "";
      toItsPage();
      tables.hear(room, about);
    },
    ...(items && { queue: (queue, about) => {
      items.hear(queue, about);
      waits = queue.items.length > 0;
      showWayIn();
      rulings?.hearQueue(queue);
      calling = queue.items.filter((item) => item.kind === "floor_call").map((item) => item.table);
    }, night: (night) => {
      open = night.open;
      showWayIn();
    } }),
    ...(items && { tiles: (heard) => {
      hearTiles(heard);
      tables.again();
    } }),
    ...(rulings && { rulings: rulings.hear }),
  },
  items?.keys,
);

/** On a phone one of both fills the screen: the queue, or the tables. */
function view() {
  const asked = location.hash.slice(1);
  const now = items && asked !== "tables" ? "queue" : "tables";
  $("#station").dataset.view = now;
  for (const link of document.querySelectorAll(".phone-bar [data-view]")) {
    if (link.dataset.view === now) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}
addEventListener("hashchange", view);
view();
