/** A penalty from a player's sheet: the everyday reasons, each one press, and before it what the book has next. */
import { $, draw, h, say } from "../shared/dom.js";
import { previewQuietly } from "../station/command.js";
import { ruleLink } from "../station/rule.js";
import { button, presses } from "./night.js";

const EVERYDAY = ["profanity", "language", "cell phone", "stalling", "deliberate out of turn", "discussing the hand", "showing a live hand", "splashing", "disturbance"];
const MOST = 6;
let about = ""; // the player, with the penalties before, of whom the station was asked
let next = null; // what it said: { said, rule, refused }

/** Of those that the book has a usual step for; where a person chooses, or a reason has a ladder of its own, the page
 * of the penalties has it. */
function reasonsOf({ reasons }) {
  const known = new Map(reasons.filter(({ choice, own }) => !choice && !own).map((one) => [one.name, one]));
  return EVERYDAY.filter((name) => known.has(name)).slice(0, MOST).map((name) => known.get(name));
}

/** The sheet shows this player. */
export function offerPenalty(one, state) {
  const reasons = presses && state.started && one.status === "playing" ? reasonsOf(state) : [];
  $("#penalise")?.toggleAttribute("hidden", !reasons.length);
  if (!reasons.length) return;
  const now = JSON.stringify([one.player, one.penalties]);
  if (about !== now) {
    about = now;
    next = null;
    const asked = { player: one.player, reason: reasons[0].name };
    previewQuietly("give_penalty", asked).then(
      (said) => ({ said, rule: reasons[0].rule }),
      (error) => ({ said: error.message, rule: error.rule, refused: true }),
    ).then((heard) => {
      if (about !== now) return;
      next = heard;
      show(one, reasons);
    });
  }
  show(one, reasons);
}

function show(one, reasons) {
  say($("#penalty-says"), next ? next.said.replaceAll("\n", " ") : "");
  draw($("#penalty-reasons"), [about, next, reasons], () => [
    ...(next?.refused ? [] : reasons.map((reason) => reasonButton(one, reason))),
    h("a.button", { href: `/station/penalties?player=${encodeURIComponent(one.player)}` }, "Another penalty"),
  ]);
}

/** What takes more than the penalty itself, a seat or chips, is asked first; what has changed since is refused. */
function reasonButton(one, { name }) {
  const words = name[0].toUpperCase() + name.slice(1);
  const asks = () => !next || next.said.includes("\n");
  const given = () => ({ player: one.player, reason: name, ...(!asks() && { foreseen: next.said }) });
  return button(words, "give_penalty", given, { about: one.name, foresee: asks });
}
