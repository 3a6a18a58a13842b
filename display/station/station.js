/** Queue and tables: the director's first page. A room of one table is that table's page. */
import { $ } from "../shared/dom.js";
import { frame } from "./frame.js";
import { tablePath } from "./keys.js";
import { cellsOf, itemsOf } from "./old_room.js";
import { queue } from "./queue.js";
import { directorRulings } from "./rulings.js";
import { roomOfTables } from "./tables.js";

const stateOf = (table) => fetch(`/api/table/${table}`).then((answer) => (answer.ok ? answer.json() : null)).catch(() => null);
const rulings = directorRulings(stateOf);
const items = $("#items") && queue({ rule: rulings && ((table) => rulings.rule(table)) });
const tables = roomOfTables();

let room = null;
let open = null; // what the channel `rulings` has

frame(
  {
    room: (now, about) => {
      room = now;
      const cells = cellsOf(now);
      if (items && cells.length === 1 && !location.hash) location.replace(tablePath(cells[0].table));
      tables.hear({ ...now, cells }, about);
      if (!now.cells) items?.hear(itemsOf(now, open), about);
    },
    ...(items && { queue: items.hear }),
    ...(rulings && {
      rulings: (now, about) => {
        open = now;
        rulings.hear(now);
        if (room && !room.cells) items?.hear(itemsOf(room, open), about);
      },
    }),
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
