/** What the director asks of the station, and its answer in words at the foot of the page. */
import { $, say } from "../shared/dom.js";
import { press } from "../shared/press.js";

const STAYS_MS = 6_000;
let clearing = 0;

/** Whether the station took it. */
export async function command(name, parameters = {}) {
  try {
    tell((await press("/director", { command: name, arguments: parameters })) || "Done");
    return true;
  } catch (error) {
    tell(error.message, true);
    return false;
  }
}

export function tell(words, failed = false) {
  const said = $("#said");
  say(said, words);
  said.classList.toggle("error", failed);
  clearTimeout(clearing);
  clearing = setTimeout(() => say(said, ""), STAYS_MS);
}
