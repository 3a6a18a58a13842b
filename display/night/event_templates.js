/** Templates by name, and events as they were: what fills in the form. */
import { $, draw, h } from "../shared/dom.js";
import { act, button } from "./night.js";

let known = null;
let chosen = "";
let naming = null; // what is done with the name that is asked for

/** `fillIn(wanted, template)` fills the form; `asTemplate()` gives what a template keeps of it, or null. */
export function drawTemplates(kept, fillIn, asTemplate) {
  known = { kept, fillIn, asTemplate };
  const names = kept.templates.map((one) => one.name);
  draw($("#from-template"), names, () => [h("option", { value: "" }, names.length ? "choose …" : "none kept yet"), ...names.map((name) => h("option", { value: name }, name))]);
  draw($("#from-played"), kept.played, () => [h("option", { value: "" }, kept.played.length ? "choose …" : "none yet"), ...kept.played.map((one, no) => h("option", { value: no }, `${one.name}, ${dayOf(one.day)}`))]);
  $("#from").hidden = !names.length && !kept.played.length;
  if (!names.includes(chosen)) chosen = "";
  drawDo();
}

/** `Fri 27 Nov 2026` of `2026-11-27`. */
function dayOf(day) {
  const [year, month, date] = day.split("-").map(Number);
  if (!date) return day || "no date";
  return new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short", year: "numeric", timeZone: "UTC" }).format(Date.UTC(year, month - 1, date));
}

function drawDo() {
  draw($("#template-do"), chosen, () => {
    if (!chosen) return [];
    const rename = h("button", { type: "button" }, "Rename");
    rename.addEventListener("click", () => askName(`Another name for ${chosen}`, chosen, (to) => act("rename_template", { name: chosen, to })));
    return [rename, button("Delete the template", "delete_template", { name: chosen }, { sure: `${chosen} is deleted. Events that were opened with it stay as they are.` })];
  });
}

function askName(heading, value, then) {
  const form = $("#template-form");
  naming = then;
  $("#template-heading").textContent = heading;
  form.elements.name.value = value;
  $("#template-name").showModal();
  form.elements.name.select();
}

$("#from-template")?.addEventListener("change", ({ target }) => {
  chosen = target.value;
  const one = known.kept.templates.find((found) => found.name === chosen);
  if (one) known.fillIn({ typed: one.typed, name: one.event || one.name, rulebook: one.rulebook, players: one.players, hours: one.hours }, one.name);
  drawDo();
});
$("#from-played")?.addEventListener("change", ({ target }) => {
  const one = known.kept.played[target.value];
  if (one) known.fillIn({ typed: one.typed, name: one.name, rulebook: one.open.rulebook, hours: 0 }, one.template);
});
$("#keep-template")?.addEventListener("click", async () => {
  const wanted = await known?.asTemplate();
  if (wanted) askName("Keep as a template", chosen || wanted.event, (name) => act("save_template", { ...wanted, name }));
});
$("#template-form")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const name = event.target.elements.name.value.trim();
  if (!name) return;
  $("#template-name").close();
  if (await naming(name)) chosen = name;
});
