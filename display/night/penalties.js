/** Penalties: what the book has for a reason, what runs, what was given. */
import { $, draw, h, minutes } from "../shared/dom.js";
import { ruleLink } from "../station/rule.js";
import { button, filled, namesOf, night, nothing, number, onSubmit, plain, row } from "./night.js";

let state = null;
const query = new URLSearchParams(location.search);
let asked = query.get("player"); // whom another page means

/** How long a penalty is: `10 min`, `2 hands`, or nothing. */
const length = (given) => [given.minutes && `${given.minutes} min`, given.hands && `${given.hands} hands`].filter(Boolean).join(", ");

night("book field penalties", (shown) => {
  state = shown;
  const names = namesOf(shown);
  draw($("#running"), shown.time_outs, () => (shown.time_outs.length ? shown.time_outs.map((one) => runningRow(one, names)) : nothing("None.")));
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

function runningRow(one, names) {
  const left = [one.left_ms && `${minutes(one.left_ms)} left`, one.hands && `${one.hands} hands left`].filter(Boolean).join(", ");
  return row([h("b", {}, names[one.player]), ` ${left || "time is up"}`], button("Call back", "end_time_out", { penalty: one.penalty }, { about: names[one.player] }));
}

function givenRow(one, name) {
  const words = [plain(one.kind), length(one), one.reason, one.penalty ? "" : one.day].filter(Boolean).join(" · ");
  return row([h("b", {}, name), ` ${words} `, one.rule ? ruleLink(one.rule) : null].filter(Boolean));
}

/** What the book has for the reason, and what the player has behind them. */
function sayReason() {
  const { player, reason } = $("#penalty").elements;
  const known = state.reasons.find((one) => one.name === reason.value.trim());
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
  filled({ player: given.get("player"), reason: given.get("reason").trim(), kind: given.get("kind"), minutes: number(given.get("minutes")), hands: number(given.get("hands")) }),
]);
