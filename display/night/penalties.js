/** Penalties: what the book has for a reason, what runs, what was given. */
import { $, chips, draw, h, many, minutes, say } from "../shared/dom.js";
import { ruleLink } from "../station/rule.js";
import { at, button, filled, law, namesOf, night, nothing, number, onSubmit, plain, presses, row } from "./night.js";
import { replacing } from "./replace.js";

let state = null;
const query = new URLSearchParams(location.search);
let asked = query.get("player"); // whom another page means

/** How long a penalty is: `10 min`, `2 hands`, or nothing. */
const length = (given) => [given.minutes && `${given.minutes} min`, given.hands && many(given.hands, "hand")].filter(Boolean).join(", ");

night("book field stacks seats penalties", (shown) => {
  state = shown;
  const names = namesOf(shown);
  draw($("#running"), shown.time_outs, () => (shown.time_outs.length ? shown.time_outs.map((one) => runningRow(one, names)) : nothing("None.")));
  const away = awayRows(shown, names);
  draw($("#absent"), [shown.proposals, names, shown.stacks], () => away);
  $("#absent-section").hidden = !away.length;
  draw($("#given"), [shown.penalties, names], () => {
    const rows = Object.entries(shown.penalties).flatMap(([player, given]) => given.map((one) => givenRow(one, names[player] ?? player)));
    return rows.length ? rows : nothing("None.");
  });
  const form = $("#penalty");
  if (!form) return;
  draw(form.elements.player, names, () => shown.field.map((one) => h("option", { value: one.player }, one.name)));
  draw($("#reasons"), shown.reasons, () => shown.reasons.map((one) => h("option", { value: one.name }, one.rule)));
  draw(form.elements.kind, shown.penalty_kinds, () => [h("option", { value: "" }, "As the book has it"), ...shown.penalty_kinds.map((kind) => h("option", { value: kind }, plain(kind)))]);
  if (asked) {
    form.elements.player.value = asked;
    form.elements.reason.value = query.get("reason") ?? "";
    (query.has("reason") ? $(".primary", form) : form.elements.reason).focus();
    asked = null;
  }
  sayReason();
});

/** Who is away for as long as the book allows, who is late, and who missed the last merge: what the book has, to be decided. */
function awayRows({ proposals, field, stacks }, names) {
  const seatOf = (player) => field.find((one) => one.player === player);
  const out = (one, words, why, options) => {
    const stack = stacks[one.player] ?? 0;
    return button(words, "forfeit", { player: one.player, chips: stack, why }, { about: names[one.player], foresee: true, ...options });
  };
  return [
    ...proposals.merges_missed.map((one) => row([h("b", {}, one.name), " was in a time-out as the last tables became one. ", law(one)], out(one, "Out", "missed the merge of the last tables", { kind: "primary" }))),
    ...proposals.absences.map((one) => {
      const seat = seatOf(one.player);
      const left = one.left_ms ? `${minutes(one.left_ms)} left` : "the time is over";
      const held = seat?.table ? `, ${at(seat)}, ${chips(stacks[one.player] ?? 0)}` : "";
      return row([h("b", {}, one.name), `${held}: ${one.why}, ${left}. `, law(one)], button("Back", "return", { player: one.player }, { about: one.name }), out(one, "Take the stack", one.why, { kind: one.left_ms ? "" : "primary" }));
    }),
    proposals.late_penalties.length > 0 && row([h("b", {}, proposals.late_penalties.map((one) => `${one.name} ${chips(one.chips)}`).join(", ")), ` off for coming late, level ${levelOf(proposals)}. `, law(proposals.late_penalties[0])], button("Take them", "dock_late_players", { level: levelOf(proposals) }, { foresee: true, kind: "primary" })),
  ].filter(Boolean);
}
const levelOf = ({ late_penalties: [first] }) => Number(first.mark.split("-")[1]);

function runningRow(one, names) {
  const left = [one.left_ms && `${minutes(one.left_ms)} left`, one.hands && `${many(one.hands, "hand")} left`].filter(Boolean).join(", ");
  return row([h("b", {}, names[one.player]), ` ${left || "time is up"}`], button("Call back", "end_time_out", { penalty: one.penalty }, { about: names[one.player] }));
}

function givenRow(one, name) {
  const words = [plain(one.kind), length(one), one.reason, one.penalty ? "" : one.day].filter(Boolean).join(" · ");
  return row([h("b", {}, name), ` ${words} `, one.rule ? ruleLink(one.rule) : null].filter(Boolean), insteadButton(one, name));
}

/** The wrong one of two was penalised. Penalties of earlier events stand. */
function insteadButton(one, name) {
  if (!presses || !one.record) return null;
  const node = h("button", { type: "button", "aria-label": `Another one instead: ${name}, ${one.reason}` }, "Another one instead");
  node.addEventListener("click", () => {
    const here = state.field.filter((other) => other.player !== one.player && other.table && other.table === at_(one.player));
    const others = here.length ? here : state.field.filter((other) => other.player !== one.player);
    say($("#instead-heading"), `${one.reason}: another one than ${name}`);
    replace(
      one.record,
      others.map((other) => [other.player, other.seat ? `${other.name}, seat ${other.seat}` : other.name]),
      (player) => [["give_penalty", filled({ player, reason: one.reason, kind: one.kind, rule: one.rule, minutes: one.minutes || null, hands: one.hands || null, major: one.major })]],
    );
  });
  return node;
}
const at_ = (player) => state.field.find((one) => one.player === player)?.table;
const replace = replacing();

/** What the book has for the reason, and what the player has behind them. */
function sayReason() {
  const { player, reason } = $("#penalty").elements;
  const known = state.reasons.find((one) => one.name === reason.value.trim());
  $("#penalty").elements.kind.required = Boolean(known?.choice);
  const before = (state.penalties[player.value] ?? []).map((one) => [plain(one.kind), length(one), one.reason, one.day].filter(Boolean).join(", "));
  draw($("#penalty-says"), [known, before], () =>
    [
      known && [ruleLink(known.rule), `${known.origin === "base" ? " (usual practice)" : ""}: ${known.outcomes.map(plain).join(known.choice ? " or " : ", then ")}. `],
      known?.choice && "A person chooses: name the penalty. ",
      before.length > 0 && `Before: ${before.join("; ")}.`,
    ].flat(),
  );
}

$("#penalty")?.addEventListener("input", sayReason);
onSubmit("#penalty", (given) => [
  "give_penalty",
  filled({ player: given.get("player"), reason: given.get("reason").trim(), kind: given.get("kind"), minutes: number(given.get("minutes")), hands: number(given.get("hands")), rounds: number(given.get("rounds")), removed: number(given.get("removed")), chips: number(given.get("chips")), rule: given.get("rule").trim(), major: given.has("major") }),
]);
