/** What the director orders on a page of one list: a button for each order, and what became of the last one. */
import { $, h, say } from "../shared/dom.js";
import { pressWithPin } from "../shared/pin.js";

export function button(words, act, kind = "") {
  const node = h(kind ? `button.${kind}` : "button", { type: "button" }, words);
  node.addEventListener("click", act);
  return node;
}

/** Press a command of the station; its answer, or why it was refused, stands at `#said`. */
export async function order(command, about) {
  try {
    told(await pressWithPin("/director", { command, arguments: about }));
  } catch (error) {
    told(error.message, true);
  }
}

function told(words, failed = false) {
  say($("#said"), words);
  $("#said").classList.toggle("error", failed);
}
