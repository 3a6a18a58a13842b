/** Who played the last events like this one: registered in one press, each ticked or not. */
import { $, draw, h, many, say } from "../shared/dom.js";
import { act } from "./night.js";

const form = $("#regulars");
let names = []; // of those that are offered
let state = null;
let kept = null;

export function regulars(now, known) {
  if (!form) return;
  [state, kept] = [now, known];
  const all = now.open && known ? known.regulars : [];
  const events = Math.max(0, ...all.flatMap((one) => one.of));
  const count = form.elements.events;
  draw(count, events, () => Array.from({ length: events }, (_, no) => h("option", { value: no + 1, selected: no + 1 === Math.min(events, 3) }, many(no + 1, "event"))));
  form.hidden = !drawNames();
}

/** Those who are not on the list yet; how many. */
function drawNames() {
  const there = new Set((state.field ?? []).filter((one) => one.status !== "cancelled").map((one) => one.player));
  const wanted = Number(form.elements.events.value) || 1;
  names = (state.open && kept ? kept.regulars : []).filter((one) => one.of[0] <= wanted && !there.has(one.player));
  names.sort((one, other) => other.of.length - one.of.length || one.name.localeCompare(other.name));
  draw($("#regular-names"), names.map((one) => one.player), () => [
    h("legend.visually-hidden", {}, "Who plays tonight"),
    ...names.map((one) => h("label.box", {}, h("input", { type: "checkbox", name: "player", value: one.player, checked: true }), one.name)),
  ]);
  sayHowMany();
  return names.length;
}

const ticked = () => [...form.querySelectorAll("[name=player]:checked")].map((box) => box.value);
const sayHowMany = () => {
  const count = ticked().length;
  say($("#regulars-do"), count ? `Register ${many(count, "player")}` : "Register them");
  $("#regulars-do").disabled = !count;
};

form?.addEventListener("change", ({ target }) => (target.name === "events" ? drawNames() : sayHowMany()));
form?.addEventListener("submit", (event) => {
  event.preventDefault();
  act("register_regulars", { players: ticked() });
});
for (const [id, checked] of [["#regulars-all", true], ["#regulars-none", false]]) {
  $(id)?.addEventListener("click", () => {
    for (const box of form.querySelectorAll("[name=player]")) box.checked = checked;
    sayHowMany();
  });
}
