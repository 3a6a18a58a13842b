/** One question before something that cannot be slipped into. */
import { $, say } from "../shared/dom.js";
import { linked } from "./rule.js";
import { guard } from "./steady.js";

/** Asks; `act` is called when the answer is yes. Cancel has the focus; the key `y` is the other answer. `about` names
 * what may end the question, or overtake it. */
export function confirm({ heading, text, yes, act, about = "" }) {
  const dialog = $("#confirm");
  dialog.dataset.about = about;
  say($("#confirm-heading"), heading);
  $("#confirm-text").replaceChildren(...linked(text));
  say($("#confirm-yes"), yes);
  say($("#confirm-fault"), "");
  $("#confirm-yes").disabled = false;
  $("#confirm-yes").onclick = () => {
    if (!dialog.open) return;
    dialog.close();
    guard([$("#page")]); // a second tap is not meant for what lay under the question
    act();
  };
  $("#confirm-no").onclick = () => dialog.close();
  dialog.onkeydown = (event) => {
    if (event.key === "y" && !event.repeat) $("#confirm-yes").click();
  };
  dialog.showModal();
  $("#confirm-no").focus();
}

/** The open question about `about` says why it can no longer be answered with yes; nothing moves under the finger. An
 * empty `why`: it can again. */
export function overtake(about, why) {
  const dialog = $("#confirm");
  const yes = $("#confirm-yes");
  if (!dialog.open || dialog.dataset.about !== about || (!why && !yes.disabled)) return;
  say($("#confirm-fault"), why);
  yes.disabled = Boolean(why);
}
