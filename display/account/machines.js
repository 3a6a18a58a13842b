/** The machines of the room with their versions; a press sends the release to one of them, or asks it to go back. */
import { $, draw, h, say } from "../shared/dom.js";
import { follow } from "../shared/stream.js";
import { button, order } from "./orders.js";

follow({
  machines: ({ machines, release, why, confirmed }) => {
    say($("#release"), why ? `What lies there is none: ${why}.` : release ? `Version ${release}.` : "None lies there: on the station's machine, feltwire upgrade --for-the-room FILE.");
    draw($("#machines"), [machines, release, why], () => machines.map((one) => row(one, why ? "" : release)));
    $("#confirm").hidden = confirmed;
  },
});

function row({ id, who, version, state, heard, in_hand: inHand }, release) {
  const said = [version, inHand ? "in a hand" : "", state].filter(Boolean).join(", ");
  return h("li", {}, h("span.what", {}, h("b", {}, upper(who)), h("span.soft", {}, ` ${said}`)), h("span.do", {}, [
    heard && release && release !== version ? button(`Send ${release}`, () => sure(`Send version ${release} to ${who}?`, "upgrade_machine", { machine: id }), "primary") : null,
    heard ? button("Go back", () => sure(`Take ${who} back to its version before?`, "roll_back_machine", { machine: id })) : null,
  ]));
}

$("#confirm-now").addEventListener("click", () => sure("The room cannot go back afterwards. Confirm the upgrade?", "confirm_upgrade", {}));

const upper = (words) => words[0].toUpperCase() + words.slice(1);

const sure = (question, command, about) => confirm(question) && order(command, about);
