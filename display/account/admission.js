/** Asks to be let in, shows the digits, and goes on when the director has let this browser in. */
import { $, say } from "../shared/dom.js";
import { press } from "../shared/press.js";

const LOOK_MS = 1_500;
const shown = document.body.dataset.digits; // where the page was loaded again while it waits

function wait(digits) {
  say($("#digits"), digits);
  $("#ask").hidden = true;
  $("#waiting").hidden = false;
  setTimeout(look, LOOK_MS);
}

async function look() {
  try {
    const home = await press("/admission/done", {});
    if (home) location.replace(home);
    else setTimeout(look, LOOK_MS);
  } catch (error) {
    if (error.about === "admission") failed(error);
    else setTimeout(look, LOOK_MS); // no line, or late: the request still waits
  }
}

function failed(error) {
  say($("#said"), error.message);
  $("#ask").hidden = false;
  $("#waiting").hidden = true;
}

$("#ask-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  say($("#said"), "");
  try {
    wait(await press("/admission", Object.fromEntries(new FormData(event.target))));
  } catch (error) {
    failed(error);
  }
});

$("#ask-form").inert = false; // until now nobody would have heard a press
if (shown) wait(shown);
