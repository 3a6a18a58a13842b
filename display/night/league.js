/** Standings: who plays by stack, then the places; the league's season, its events and its final. */
import { $, chips, draw, h, money, say } from "../shared/dom.js";
import { pressed, tell } from "../station/command.js";
import { button, filled, night, nothing, onSubmit, plain, presses, row } from "./night.js";

const declined = new Set(); // who does not want the seat of the final

night("field stacks prizes league", (state) => {
  const playing = state.field.filter((one) => one.entries && one.place === null).sort((one, other) => (other.stack ?? 0) - (one.stack ?? 0));
  const placed = state.field.filter((one) => one.place !== null).sort((one, other) => one.place - other.place);
  draw($("#standings"), [state.field, state.money.owed], () => [
    ...playing.map((one) => line(one, one.status === "busted" ? "out of chips" : "plays", one.stack === null ? "" : chips(one.stack), state)),
    ...placed.map((one) => line(one, `${one.place}`, one.status === "playing" && one.stack !== null ? chips(one.stack) : "", state)),
  ]);
  season(state.league, state);
});

function line(one, place, stack, state) {
  const prize = state.money.owed[one.player];
  return h("tr", {}, h("td", {}, place), h("th", { scope: "row" }, one.name), h("td.sum", {}, stack), h("td.sum", {}, prize ? money(prize) : ""));
}

function season(league, state) {
  $("#season-table").hidden = !league.season.length;
  say($("#points"), league.formula ? `Points by the formula ${league.formula}` : "");
  draw($("#season"), league.season, () =>
    league.season.map((one) => h("tr", {}, h("td", {}, `${one.rank}`), h("th", { scope: "row" }, called(one)), ...[one.points, one.events, one.wins].map((number) => h("td.sum", {}, `${number}`)))),
  );
  const events = league.season_events.length || league.removed.length;
  draw($("#events"), [league.season_events, league.removed], () => (events ? [...league.season_events.map(eventRow), ...league.removed.map(removedRow)] : nothing("No event yet.")));
  const form = $("#add-result");
  if (form) form.hidden = !state.finished || league.season_events.some((one) => one.event === state.name);
  $("#final-section").hidden = !league.final.length;
  draw($("#final"), league.final, () => league.final.map(finalRow));
}

const called = (one) => one.name || one.player;

function eventRow(one) {
  const words = [`${one.entrants} entrants`, one.won_by && `won by ${one.won_by}`, one.last_chance ? "for the last seat" : !one.counts && "too few for points"].filter(Boolean).join(", ");
  const sure = `${one.event} no longer counts for the season. It can be put back.`;
  return row([h("b", {}, one.event), ` ${words}`], button("Take out", "remove_result", { event: one.event }, { about: one.event, sure }));
}

function removedRow(event) {
  return row([h("span.undone", {}, event)], button("Put back", "restore_result", { event }, { about: event }));
}

function finalRow(one) {
  const box = presses ? h("label.box", {}, h("input", { type: "checkbox", "aria-label": `Declines: ${called(one)}` }), "Declines") : null;
  box?.firstChild.addEventListener("change", (event) => declines(one.player, event.target.checked));
  return row([h("b", {}, called(one)), ` ${[one.seat, plain(one.how)].filter(Boolean).join(", ")}`], box);
}

/** Who plays instead. Nothing is recorded. */
async function declines(player, does) {
  declined[does ? "add" : "delete"](player);
  try {
    say($("#final-said"), declined.size ? await pressed("show_final", { declined: [...declined] }) : "");
  } catch (error) {
    tell(error.message, true);
  }
}

onSubmit("#set-points", (given) => ["set_points", { formula: given.get("formula").trim() }]);
onSubmit("#add-result", (given) => ["add_result", filled({ event: given.get("event").trim(), last_chance: given.has("last_chance") })]);
