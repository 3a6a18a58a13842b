/** One question before something that cannot be slipped into; where money moves it asks for the PIN. */
import { $, say } from "../shared/dom.js";
import { press } from "../shared/press.js";
import { linked } from "./rule.js";
import { guard } from "./steady.js";

const asksPin = new Set(document.body.dataset.asksPin?.split(" ").filter(Boolean));
let asked = 0; // questions so far

/** Whether the person at this page is asked for the PIN with `command`. */
export const needsPin = (command) => asksPin.has(command);

/** Asks; `act` is called when the answer is yes, and the PIN right where the question is about a `command` that asks
 * for it. Cancel has the focus, or the PIN;
 * the key `y` is the other answer. `about` names what may end the question, or overtake it. */
export function confirm({ heading, text, yes, act, command = "", about = "" }) {
  const dialog = $("#confirm");
  const label = $("#confirm-pin");
  const pin = $("input", label);
  dialog.dataset.about = about;
  say($("#confirm-heading"), heading);
  $("#confirm-text").replaceChildren(...linked(text));
  say($("#confirm-yes"), yes);
  say($("#confirm-fault"), "");
  $("#confirm-yes").disabled = false;
  label.hidden = !needsPin(command);
  pin.value = "";
  const question = ++asked;
  const stands = () => dialog.open && question === asked && !$("#confirm-yes").disabled;
  let proving = false;
  const go = async () => {
    if (proving || !stands()) return;
    proving = true;
    const right = label.hidden || (await proven(pin, stands));
    proving = false;
    if (!right || !stands()) return; // it was cancelled while the PIN was under way
    pin.value = "";
    dialog.close();
    guard([$("#page")]); // a second tap is not meant for what lay under the question
    act();
  };
  $("#confirm-yes").onclick = go;
  pin.onkeydown = (event) => event.key === "Enter" && go();
  $("#confirm-no").onclick = () => dialog.close();
  dialog.onkeydown = (event) => {
    if (event.key === "y" && !event.repeat && event.target !== pin) $("#confirm-yes").click();
  };
  dialog.showModal();
  (label.hidden ? $("#confirm-no") : pin).focus();
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

/** The question stays with what it says until the PIN is right, or until it no longer `stands`. */
async function proven(pin, stands) {
  try {
    await press("/pin", { pin: pin.value });
    return true;
  } catch (error) {
    if (!stands()) return false;
    say($("#confirm-fault"), error.message);
    pin.value = "";
    pin.focus();
    return false;
  }
}
