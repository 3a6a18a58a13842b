/** The club's chips by colour, and what a starting stack is made of. */
import { $, chips, draw, h, say } from "../shared/dom.js";
import { act, number } from "./night.js";

const FIRST = [["white", 25], ["red", 100], ["blue", 500], ["black", 1_000]]; // rows to begin with
let kept = null;
let made = null;

/** The chips that the station keeps stand in the table. */
export function noteChips(own) {
  const news = JSON.stringify(own);
  if (news === kept) return;
  kept = news;
  const rows = own.length ? own.map(({ colour, value, count }) => [colour, value, count]) : FIRST.map((one) => [...one, ""]);
  $("#own-chips").replaceChildren(...rows.map((one) => rowOf(...one)));
}

function rowOf(colour = "", value = "", count = "") {
  const field = (name, words, text, numeric) => h("td", {}, h("input", { "data-chip": name, "aria-label": words, value: `${text}`, maxlength: "20", autocomplete: "off", "data-figure": numeric }));
  const out = h("button", { type: "button", "aria-label": `Take out ${colour || "this colour"}` }, "×");
  const line = h("tr", {}, field("colour", "Colour", colour), field("value", "Value", value, true), field("count", "How many", count, true), h("td.sum", { "data-chip": "each" }), h("td.sum", { "data-chip": "needed" }), h("td.sum", { "data-chip": "left" }), h("td", {}, out));
  out.addEventListener("click", () => {
    line.remove();
    $("#own-chips").dispatchEvent(new Event("input", { bubbles: true }));
  });
  return line;
}

/** The colours of the table that have a value and a number. */
export function chipsOfClub() {
  const rows = [...document.querySelectorAll("#own-chips tr")].map((line) => {
    const [colour, value, count] = [...line.querySelectorAll("input")].map((field) => field.value.trim());
    return { colour, value: number(value), count: number(count) };
  });
  return rows.filter(({ value, count }) => Number.isInteger(value) && value > 0 && value <= 10_000_000 && Number.isInteger(count) && count >= 0 && count <= 100_000).slice(0, 100);
}

/** What the station makes of the chips: `lines` by value, and its words. */
export function drawChips(handout) {
  made = handout;
  say($("#chips-say"), handout ? handout.says.join(" ") : "Write how many of each the club has; with a starting stack it is said what a stack is made of.");
  $("#use-stack").hidden = !handout?.lines.length;
  const drawn = new Set();
  for (const line of document.querySelectorAll("#own-chips tr")) {
    const value = number($("[data-chip=value]", line).value);
    const one = drawn.has(value) ? null : handout?.lines.find((found) => found.value === value);
    drawn.add(value);
    for (const name of ["each", "needed", "left"]) say($(`[data-chip=${name}]`, line), one ? chips(one[name]) : "");
    line.classList.toggle("short", Boolean(one && one.left < 0));
  }
}

/** `changed()` when somebody typed; `use(stack, set)` when stacks are to be made so, both as they are typed. */
export function chipsTyped(form, changed, use) {
  $("#own-chips").addEventListener("input", (event) => {
    event.stopPropagation();
    changed();
  });
  $("#add-chips").addEventListener("click", () => {
    const line = rowOf();
    $("#own-chips").append(line);
    $("input", line).focus();
  });
  $("#keep-chips").addEventListener("click", () => act("keep_chips", { chips: chipsOfClub() }));
  $("#use-stack").addEventListener("click", () => {
    const stack = made.lines.filter((one) => one.each).map((one) => `${one.each}x${one.value}`);
    use(stack.join(", "), made.lines.filter((one) => one.count).map((one) => `${one.count}x${one.value}`).join(", "));
  });
  draw($("#chips-say"), "", () => []);
}
