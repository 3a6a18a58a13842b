/** One question before something that cannot be slipped into. */
import { $, say } from "../shared/dom.js";

/** Asks; `act` is called when the answer is yes. Cancel has the focus; the key `y` is the other answer. `about` names what may end the question. */
export function confirm({ heading, text, yes, act, about = "" }) {
  const dialog = $("#confirm");
  dialog.dataset.about = about;
  say($("#confirm-heading"), heading);
  say($("#confirm-text"), text);
  say($("#confirm-yes"), yes);
  $("#confirm-yes").onclick = () => {
    dialog.close();
    act();
  };
  $("#confirm-no").onclick = () => dialog.close();
  dialog.onkeydown = (event) => {
    if (event.key === "y" && !event.repeat) $("#confirm-yes").click();
  };
  dialog.showModal();
  $("#confirm-no").focus();
}
