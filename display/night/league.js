/** Standings: who plays by stack, then the places. */
import { $, chips, draw, h, money } from "../shared/dom.js";
import { night } from "./night.js";

night("field stacks prizes", (state) => {
  const playing = state.field.filter((one) => one.entries && one.place === null).sort((one, other) => (other.stack ?? 0) - (one.stack ?? 0));
  const placed = state.field.filter((one) => one.place !== null).sort((one, other) => one.place - other.place);
  draw($("#standings"), [state.field, state.money.owed], () => [
    ...playing.map((one) => line(one, one.status === "busted" ? "out of chips" : "plays", one.stack === null ? "" : chips(one.stack), state)),
    ...placed.map((one) => line(one, `${one.place}`, one.status === "playing" && one.stack !== null ? chips(one.stack) : "", state)),
  ]);
});

function line(one, place, stack, state) {
  const prize = state.money.owed[one.player];
  return h("tr", {}, h("td", {}, place), h("th", { scope: "row" }, one.name), h("td.sum", {}, stack), h("td.sum", {}, prize ? money(prize) : ""));
}

$("#print").addEventListener("click", () => print());
