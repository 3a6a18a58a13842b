/** A dealer practises: what happens at the table, what the record has wrong, and the score; below it the dealer's screen. */
import { $, draw, h, say } from "../shared/dom.js";
import { follow } from "../shared/stream.js";

follow({ practise: show }, (up) => ($("#link").hidden = up));

function show({ lesson, happened, keys, wrong, score, right, of, hands, ready }) {
  say($("#lesson"), lesson);
  $("#lesson").classList.toggle("ready", ready);
  say($("#hands"), `Hand ${hands + 1}. ${of ? `${right} of ${of} right` : "Press what happens on the screen below"}`);
  draw($("#happened"), happened, () => happened.map((words) => h("li", {}, words)));
  $("#keys").hidden = !keys || Boolean(wrong);
  say($("#keys"), `Press: ${keys}`);
  $("#wrong").hidden = !wrong;
  say($("#wrong"), wrong);
  draw($("#score"), score, () => score.map((one) => h("li", {}, h("b", {}, `${one.right} of ${one.of}`), ` ${one.key}`)));
}
