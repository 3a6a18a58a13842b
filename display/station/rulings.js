/** Guided rulings by the director: an incident is raised at a table, the table shows the evidence and the options,
 * and one press rules. A ruling of the director's own can be taken back. */
import { $, draw, h, say } from "../shared/dom.js";
import { follow } from "../shared/stream.js";
import { command, tell } from "./command.js";
import { confirm } from "./confirm.js";

/** `parts(tile, beside)` are a tile's lines about rulings, with another button `beside` them; `hear(tiles)` takes the newest ones. Null on a viewer's page.
 * `changed()` is called when a tile must be drawn again. */
export function directorRulings(changed) {
  if (!$("#ruling")) return null;
  const rulings = new Map(); // table -> {ruling, given}
  const states = new Map(); // table -> its state as the page shows it
  let raising = null; // the table at which an incident is being chosen
  let about = null; // the seat that it is about
  let shown = null; // {table, question} in the ruling dialog
  let awaited = null; // the table that was just asked: its incident opens by itself

  // A stream of its own: when the director's session is over, the room is still shown.
  follow({
    rulings: ({ tables }) => {
      rulings.clear();
      for (const one of tables) rulings.set(one.table, one);
      if (awaited && rulings.get(awaited)?.ruling) open(awaited);
      refresh();
      changed();
    },
  });

  // The table's state when the director decided: the table refuses where play has gone on since.
  const seen = (table) => ({ if_epoch: states.get(table)?.epoch ?? null, if_seq: states.get(table)?.as_of ?? null });

  /* ------------------------------------------------------------------------------------ raising an incident */

  function raise(table) {
    raising = table;
    about = null;
    say($("#raise-heading"), `What happened at table ${table}?`);
    $("#raise-find").value = $("#raise-amount").value = "";
    drawSeats(states.get(table)?.seats ?? []);
    narrow();
    $("#raise").showModal();
    $("#raise-find").focus();
  }

  function drawSeats(seats) {
    const choice = (seat, words) => {
      const radio = h("input", { type: "radio", name: "about", value: seat ?? "", checked: seat === null });
      radio.addEventListener("change", () => {
        about = seat;
        narrow();
      });
      return h("label", {}, radio, h("span", {}, words));
    };
    const legend = $("#raise-seats legend");
    $("#raise-seats").replaceChildren(legend, choice(null, "No one"), ...seats.map((one) => choice(one.seat, `${one.seat} ${one.player}`)));
  }

  function narrow() {
    const wanted = $("#raise-find").value.trim().toLowerCase();
    let any = false;
    for (const section of document.querySelectorAll("#raise-incidents section")) {
      let some = false;
      for (const button of section.querySelectorAll("button")) {
        button.hidden = !button.textContent.toLowerCase().includes(wanted);
        button.disabled = about === null && button.dataset.needsSeat === "yes";
        button.title = button.disabled ? "Say who it is about first" : "";
        some ||= !button.hidden;
      }
      section.hidden = !some;
      any ||= some;
    }
    $("#raise-none").hidden = any;
  }

  $("#raise-find").addEventListener("input", narrow);
  $("#raise-close").addEventListener("click", () => $("#raise").close());
  for (const button of document.querySelectorAll("#raise-incidents button")) {
    button.addEventListener("click", async () => {
      const typed = $("#raise-amount").value.replace(/\D/g, "");
      const asked = { table: raising, matter: button.dataset.incident, seat: about, amount: typed ? Number(typed) : null };
      $("#raise").close();
      awaited = raising;
      if (!(await command("rule", { ...asked, ...seen(raising) }))) awaited = null;
    });
  }

  /* --------------------------------------------------------------------------------------------- ruling */

  function open(table) {
    awaited = null;
    const { ruling } = rulings.get(table);
    if (shown?.question !== ruling.question || shown.table !== table) $("#ruling-reason").value = $("#ruling-note").value = "";
    shown = { table, question: ruling.question };
    drawRuling(table, ruling);
    if (!$("#ruling").open) $("#ruling").showModal();
    $("#ruling-heading").focus(); // a slip of Enter rules nothing
  }

  function drawRuling(table, ruling) {
    const who = ruling.seat ? `, seat ${ruling.seat}` : "";
    say($("#ruling-heading"), `Table ${table}: ${ruling.text}${who}`);
    say($("#ruling-until"), `To be ruled ${ruling.deadline}. The game goes on.`);
    draw($("#ruling-seen"), ruling.seen, () => ruling.seen.map((line) => h("li", {}, line)));
    draw($("#ruling-ways"), [table, ruling], () => ruling.ways.map((one, place) => way(table, ruling, one, place === 0)));
    draw($("#ruling-history"), ruling.history, () => ruling.history.map((line) => h("li", {}, line)));
  }

  function way(table, ruling, { way, text, rule }, first) {
    const button = h("button", {}, h("b", {}, text), h("small", {}, rule), first && h("span.default", {}, "the book's default"));
    button.addEventListener("click", () => decide(table, ruling, way));
    return h("li", {}, button);
  }

  function decide(table, ruling, way) {
    $("#ruling").close();
    const ruler = $("#ruling-ruler").value.trim();
    remember(ruler);
    command("rule", {
      table,
      matter: ruling.matter,
      way,
      seat: ruling.seat,
      ruler,
      reason: $("#ruling-reason").value,
      note: $("#ruling-note").value.trim(),
      ...seen(table),
    });
  }

  $("#ruling-later").addEventListener("click", () => $("#ruling").close());
  $("#ruling-dismiss").addEventListener("click", () => decide(shown.table, rulings.get(shown.table).ruling, "dismiss"));

  /** The dialog follows its incident; another one in its place must not be ruled on by the same press. */
  function refresh() {
    if (!$("#ruling").open || !shown) return;
    const now = rulings.get(shown.table)?.ruling;
    if (now?.question === shown.question) {
      drawRuling(shown.table, now);
      return;
    }
    $("#ruling").close();
    tell(now ? `Table ${shown.table} has another incident open now.` : `Table ${shown.table}: the incident is closed.`);
  }

  function remember(ruler) {
    try {
      localStorage.setItem("ruler", ruler);
    } catch {
      // a frame of another site has no storage
    }
  }
  try {
    $("#ruling-ruler").value = localStorage.getItem("ruler") ?? "";
  } catch {
    // as above
  }

  /* ---------------------------------------------------------------------------------------------- tiles */

  function takeBack(table, given) {
    confirm({
      heading: `Take back the ruling at table ${table}?`,
      text: `${given.text} (${given.rule}). The hand is again as it was before the ruling.`,
      yes: "Take it back",
      act: () => command("take_back_ruling", { table, ruler: $("#ruling-ruler").value.trim(), ...seen(table) }),
    });
  }

  return {
    hear(tiles) {
      for (const { table, state } of tiles) states.set(table, state);
    },
    facts: (table) => rulings.get(table) ?? null,
    parts({ table, state }, beside = null) {
      if (!state) return null;
      const { ruling, given } = rulings.get(table) ?? {};
      const act = h("button", { "aria-label": `Ruling at table ${table}` }, ruling ? "Rule" : "Ruling");
      act.addEventListener("click", () => (ruling ? open(table) : raise(table)));
      const back = given && h("button", { "aria-label": `Take back the ruling at table ${table}` }, "Take back");
      back?.addEventListener("click", () => takeBack(table, given));
      const words = ruling ? `To rule: ${ruling.text}${ruling.seat ? `, seat ${ruling.seat}` : ""}` : given ? `Ruled: ${given.text}` : "";
      return h("div.rulings", { "data-open": ruling && "true" }, h("p", {}, words), beside, back, act);
    },
  };
}
