/** A dealer practises: what happens at the table, what the record has wrong, the score and what was missed; below it the dealer's screen. */
import { $, draw, h, say } from "../shared/dom.js";
import { follow } from "../shared/stream.js";

follow({ practise: show }, (up) => ($("#link").hidden = up));

function show({ lesson, progress, happened, due, keys, wrong, score, missed, ended, right, of, hands, ready }) {
  say($("#lesson"), lesson);
  $("#lesson").classList.toggle("ready", ready);
  say($("#hands"), `Hand ${hands + 1}. ${of ? `${right} of ${of} right` : "Press what happens on the screen below"}`);
  say($("#progress"), of ? progress : "");
  draw($("#happened"), [happened, due], () => happened.map((line, no) => h(no < happened.length - due ? "li" : "li.due", {}, line)));
  $("#keys").hidden = !keys || Boolean(wrong);
  say($("#keys"), `Press: ${keys}`);
  $("#wrong").hidden = !wrong;
  say($("#wrong"), wrong);
  draw($("#score"), score, () => score.map(byKey));
  $("#missed").hidden = !missed.length;
  draw($("#missed-list"), missed, () => lines(missed));
  $("#ended").hidden = !ended;
  if (!ended) return;
  say($("#ended-words"), ended.words);
  draw($("#ended-score"), ended.score, () => ended.score.map(byKey));
  draw($("#ended-missed"), ended.missed, () => lines(ended.missed.length ? ended.missed : ["Nothing was missed"]));
}

const lines = (words) => words.map((line) => h("li", {}, line));

const byKey = ({ key, right, of }) => h("li", right < of ? { class: "short" } : {}, h("b", {}, `${right} of ${of}`), ` ${key}`);
