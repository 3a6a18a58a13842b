/** Phones that ask to be let in, and those that tables have let in; a press about one goes to the station. */
import { $, draw, h, minutes, say } from "../shared/dom.js";
import { follow } from "../shared/stream.js";
import { button, order } from "./orders.js";

const TICK_MS = 1_000;
let heardAt = 0;
let asking = [];

follow({
  phones: (now, { age }) => {
    heardAt = performance.now() - age;
    ({ asking } = now);
    $("#phones").hidden = !asking.length && !now.admitted.length;
    draw($("#phones-list"), now, () => [...asking.map(asks), ...now.admitted.map(isIn)]);
    tick();
  },
});
setInterval(tick, TICK_MS);

function asks({ table, screen, digits, address, words, warning }) {
  const about = { table, screen };
  const letIn = () => (!warning || confirm(warning)) && order("admit_phone", warning ? { ...about, read_along: true } : about);
  return row([h("b.digits", {}, digits), ` ${words} `, h("span.soft", {}, `at ${address}, for `, h("time"))], [
    button(`Let ${digits} in`, letIn, "primary"),
    button("Refuse", () => order("refuse_phone", about)),
  ]);
}

function isIn({ table, screen, name, since, address }) {
  const when = new Date(since).toLocaleTimeString("en-GB").slice(0, 5);
  return row([h("b", {}, name), h("span.soft", {}, ` the keypad of table ${table}, at ${address}, since ${when}`)], [button("End", () => order("end_phone", { table, screen }))]);
}

const row = (what, choices) => h("li", {}, h("span.what", {}, what), h("span.do", {}, choices));

function tick() {
  for (const [at, node] of document.querySelectorAll("#phones-list time").entries()) say(node, minutes(performance.now() - heardAt + asking[at].ms_ago));
}
