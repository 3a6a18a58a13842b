/** Queue and tables: the director's first page. A room of one table is that table's page. */
import { $ } from "../shared/dom.js";
import { busy } from "./command.js";
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

let alone = ""; // the only table of the room
const toItsPage = () => alone && !location.hash && !busy() && location.replace(tablePath(alone));
setInterval(toItsPage, 1_000);

frame(
  {
    room: (room, about) => {
      alone = items && room.cells.length === 1 ? room.cells[0].table : "";
      toItsPage();
      tables.hear(room, about);
    },
    ...(items && { queue: items.hear, night: ({ open }) => ($("#no-event").hidden = open) }),
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
