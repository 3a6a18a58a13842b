/** The wrong player is out: the bust is taken back, and another one is out, in one press. */
import { $, h, say } from "../shared/dom.js";
import { filled, number, presses } from "./night.js";
import { replacing } from "./replace.js";

const replace = replacing();

/** A button where `one` went out alone, by a record that stands. */
export function insteadButton(one, state) {
  const record = one.status === "out" && state.log.find((other) => other.no === one.out_by);
  const { type, busts = [], players = [] } = (record && record.event) || {};
  if (!presses || type !== "bust_confirmed" || busts.length !== 1 || players.length !== 1) return null;
  const node = h("button", { type: "button", "aria-label": `Another one is out instead: ${one.name}` }, "Another one is out");
  node.addEventListener("click", () => open(one, record.no, busts[0], state));
  return node;
}

function open(one, record, bust, state) {
  const [table, hand] = [bust.slice(0, bust.lastIndexOf("-")), Number(bust.slice(bust.lastIndexOf("-") + 1))];
  const report = state.log.find(({ event }) => event.type === "bust_reported" && event.bust === bust);
  const byTable = report?.by.startsWith("table ");
  const winners = report?.event.out.find((out) => out.player === one.player)?.by ?? [];
  const all = state.field.filter((other) => other.status === "playing" && other.table);
  const there = all.filter((other) => other.table === table).sort((a, b) => winners.includes(b.player) - winners.includes(a.player) || a.seat - b.seat);
  const options = (there.length ? there : all).map((other) => [other.player, `${other.name}, seat ${other.seat}`]);
  const stackOf = (player) => all.find((other) => other.player === player)?.stack ?? 0;
  say($("#instead-heading"), `Not ${one.name}, another one is out`);
  // Where the table took the last chips of this one, they are with who won them; else they come back with the player.
  $("#instead-form label.chips").hidden = !byTable;
  $("#instead-form .whose").textContent = `Chips of ${one.name}, counted`;
  $("#instead-form").elements.chips.placeholder = winners.map(stackOf).join(", ");
  replace(record, options, (player, given) => {
    const chips = byTable ? (number(given.get("chips")) ?? (winners.includes(player) ? stackOf(player) : 0)) : 0;
    const why = given.get("why").trim();
    const start = stackOf(player);
    return [
      ["drop_bust", filled({ bust, player: one.player, why: why || "another one is out", anyway: why })],
      ["report_bust", { table, hand, out: [{ player, start_stack: start, by: chips ? [one.player] : [] }] }],
      ["confirm_bust", { busts: [bust] }],
      ...(chips ? [["correct_stack", { player: one.player, stack: chips }]] : []),
    ];
  });
}
