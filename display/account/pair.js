/** Shows a code and waits until somebody enters it elsewhere. */
import { $, say } from "../shared/dom.js";
import { press } from "../shared/press.js";

const LOOK_MS = 2_000;

async function ask() {
  $("#again").hidden = true;
  say($("#said"), "");
  try {
    const code = await press("/pair", {});
    say($("#code"), `${code.slice(0, 3)} ${code.slice(3)}`);
    setTimeout(look, LOOK_MS);
  } catch (error) {
    failed(error.message);
  }
}

async function look() {
  try {
    const home = await press("/pair/done", {});
    if (home) location.replace(home);
    else setTimeout(look, LOOK_MS);
  } catch (error) {
    failed(error.message);
  }
}

function failed(words) {
  say($("#code"), "······");
  say($("#said"), words);
  $("#again").hidden = false;
}

$("#again").addEventListener("click", ask);
ask();
