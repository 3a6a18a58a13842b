/** The director's commands, and their answers at the foot of the page. */
import { $, say } from "../shared/dom.js";
import { pressWithPin } from "../shared/pin.js";

const STAYS_MS = 6_000;
const REFUSED_STAYS_MS = 20_000; // what was not done is read, and perhaps read out to somebody
let clearing = 0;

/** Whether the station took it. */
export async function command(name, parameters = {}) {
  try {
    tell((await pressWithPin("/director", { command: name, arguments: parameters }, inDoubt)) || "Done");
    return true;
  } catch (error) {
    tell(error.message, true);
    return false;
  }
}

export function tell(words, failed = false) {
  stays(words, failed);
  clearing = setTimeout(() => say($("#said"), ""), failed ? REFUSED_STAYS_MS : STAYS_MS);
}

/** Words about a press that stand until its outcome is known. */
export function inDoubt(words) {
  stays(words, true);
}

function stays(words, failed) {
  clearTimeout(clearing);
  say($("#said"), words);
  $("#said").classList.toggle("error", failed);
}
