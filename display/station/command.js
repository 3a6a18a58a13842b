/** The director's commands, and their answers at the foot of the page. */
import { $, h, say } from "../shared/dom.js";
import { pressWithPin } from "../shared/pin.js";
import { press } from "../shared/press.js";
import { linked, ruleLink } from "./rule.js";

const STAYS_MS = 6_000;
const REFUSED_STAYS_MS = 20_000; // what was not done is read, and perhaps read out to somebody
const SIGN_MS = 150; // an answer mostly comes sooner; if not, a sign that the press was taken
const LASTS_MS = 8_000; // longer than a station stands still for a moment, too short for what is no longer meant
const NAMES = { take_item: "I'm on it", leave_item: "Not me after all", done_item: "Done", reopen_item: "Open again", preview: "The question" };
let clearing = 0;
let underWay = 0; // presses without an answer

const pressable = new Set(document.body.dataset.mayPress?.split(" "));

/** Whether the person at this page may give the command. */
export const mayPress = (name) => pressable.has("*") || pressable.has(name);

/** Somebody is in the middle of something: what is shown keeps its shape. */
export const busy = () => underWay > 0 || Boolean($("dialog[open]"));

/** Whether the station took it. */
export async function command(name, parameters = {}) {
  try {
    tell((await pressed(name, parameters)) || "Done");
    return true;
  } catch (error) {
    tell(error.message, true);
    if (error.rule && !error.message.includes(error.rule)) $("#said").append(" ", ruleLink(error.rule));
    return false;
  }
}

/** The station's answer to a command, or its refusal as an error. It is seen at once that it was sent, and within
 * three seconds that nobody knows whether it arrived. */
export async function pressed(name, parameters = {}) {
  const words = NAMES[name] ?? name[0].toUpperCase() + name.slice(1).replaceAll("_", " ");
  const sent = `${words}: sent, no answer yet`;
  const sign = setTimeout(() => stays(sent, false), SIGN_MS);
  const doubt = (said) => {
    clearTimeout(sign);
    stays(said, true);
  };
  underWay += 1;
  try {
    return await pressWithPin("/director", { command: name, arguments: parameters }, doubt, { name: words, lastsMs: LASTS_MS });
  } catch (error) {
    if (error.late) keep(error.message);
    throw error;
  } finally {
    underWay -= 1;
    clearTimeout(sign);
    if ($("#said").textContent === sent) stays("", false); // the answer may be said elsewhere, at a field
  }
}

/** As `preview`, of what no person has asked: what a press became stays on the page. */
export const previewQuietly = (wanted, parameters) => press("/director", { command: "preview", arguments: { wanted, arguments: parameters } }, () => {}, { lastsMs: LASTS_MS });

/** What the station says that a command would do; its refusal as an error. */
export async function preview(wanted, parameters) {
  const said = await pressed("preview", { wanted, arguments: parameters });
  if ($("#said").textContent.startsWith(NAMES.preview)) stays("", false); // no sign of a press is left beside it
  return said;
}

export function tell(words, failed = false) {
  stays(words, failed);
  clearing = setTimeout(() => say($("#said"), ""), failed ? REFUSED_STAYS_MS : STAYS_MS);
}

/** What became of a press that was in doubt: it stands until the person has dismissed it. */
function keep(words) {
  const dismiss = h("button", { type: "button" }, "Dismiss");
  const line = h("li", {}, h("span", {}, words), dismiss);
  dismiss.addEventListener("click", () => line.remove());
  $("#late").append(line);
}

// It lies over the end of the page: a tap takes it away, and one on its rule opens that.
$("#said")?.addEventListener("click", ({ target }) => target.closest("a") || stays("", false));

function stays(words, failed) {
  clearTimeout(clearing);
  if ($("#said").textContent !== words) $("#said").replaceChildren(...linked(words));
  $("#said").classList.toggle("error", failed);
}
