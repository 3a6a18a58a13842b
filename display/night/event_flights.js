/** Flights: the bags as a day ends, and the final day that takes them. */
import { $, chips, draw, h, many, say } from "../shared/dom.js";
import { button, number, onSubmit, row } from "./night.js";

const form = $("#bag-flight");
let state = null;

export function flights(now, kept) {
  state = now;
  const waiting = now.open || !kept ? [] : kept.flights;
  draw($("#flights"), waiting, () => waiting.map((one) => row(`${one.of}: ${one.flights.map(({ name }) => name).join(", ")}. ${one.entries === 1 ? "1 entry" : `${chips(one.entries)} entries`}, ${many(one.players, "player")} with ${chips(one.chips)} chips.`, button("Open the final day", "open", one.open, { kind: "primary", about: one.of }))));
  if (!form) return;
  const playing = now.open && now.started && now.settings?.flight_of?.value && !now.finished ? now.field.filter((one) => one.status === "playing") : [];
  form.hidden = !playing.length;
  const stacks = now.stacks ?? {};
  draw($("#bags"), playing.map((one) => [one.player, stacks[one.player] ?? null]), () => playing.map((one) => h("label", {}, one.name, h("input", { name: one.player, "data-figure": true, value: stacks[one.player] ? chips(stacks[one.player]) : "", maxlength: "12" }))));
  sayBags();
}

/** How far the bags are from the chips in play. */
function sayBags() {
  if (!form || form.hidden) return;
  const account = state.chips ?? {};
  const there = (account.issued ?? 0) - (account.removed ?? 0);
  const typed = [...form.querySelectorAll("input")].map((field) => number(field.value));
  const bagged = typed.reduce((all, one) => all + (one || 0), 0);
  say($("#bag-says"), `${chips(bagged)} of ${chips(there)} chips are in bags.`);
}
form?.addEventListener("input", sayBags);

onSubmit(
  "#bag-flight",
  () => {
    const fields = [...form.querySelectorAll("input")].filter((field) => field.value.trim());
    return ["bag_flight", { stacks: Object.fromEntries(fields.map((field) => [field.name, number(field.value) || 0])) }];
  },
  { doubt: () => "The day is over, and its clock stands. Close the event then; the final day waits under *Start*." },
);
