/** The registration desk: what was taken, and a list of players that is checked before it is registered. */
import { $, money, say } from "../shared/dom.js";
import { textOf } from "../shared/foreign.js";
import { pressed } from "../station/command.js";

/** For finding: `novák` and `Novak  ` are found by the same letters. Who is whom the station says. */
export const folded = (text) => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll(/\s+/g, " ").trim();

/** How many are in, what they paid, and who took it. */
export function sayTakings({ field, places, money: sums }) {
  const { limit } = places;
  const entries = field.reduce((all, one) => all + one.entries, 0);
  const people = Object.entries(sums.tills).map(([by, cents]) => `${by.split(" (")[0] || "the station"} ${money(cents)}`);
  const taken = sums.taken_in ? `: ${money(sums.taken_in)}` : "";
  const tills = people.length ? ` Taken by ${people.join(", ")}.` : "";
  say($("#takings"), entries ? `${entries} ${entries === 1 ? "entry" : "entries"}${limit ? ` of ${limit}` : ""}${taken}.${tills}` : "");
}

/** The list is checked as soon as it is there, and after every change; only the button registers. */
export function watchImport() {
  const form = $("#import");
  if (!form) return;
  const { list, text } = form.elements;
  let faults = 0;
  let asked = 0;

  async function check() {
    const question = ++asked;
    if (!text.value.trim()) return say($("#import-said"), "");
    try {
      const said = await pressed("import_players", { text: text.value, check: true });
      if (question !== asked) return;
      faults = said.split("\n").length - 1;
      say($("#import-said"), said);
      say($("#import-do"), faults ? "Register the good lines" : "Register the list");
    } catch (error) {
      if (question === asked) say($("#import-said"), error.message);
    }
  }

  list.addEventListener("change", async () => {
    if (!list.files[0]) return;
    text.value = await textOf(list.files[0]);
    check();
  });
  text.addEventListener("change", check);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    asked += 1;
    try {
      const said = await pressed("import_players", { text: text.value, part: faults > 0 });
      form.reset();
      say($("#import-said"), said);
    } catch (error) {
      say($("#import-said"), error.message);
    }
  });
}
