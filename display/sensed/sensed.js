/** One table as its devices sense it: the picture, what was read in it, and bytes with the event they became. */
import { BACK, card } from "../shared/cards.js";
import { $, chips, draw, h, say, suitsChoice } from "../shared/dom.js";
import { follow } from "../shared/stream.js";

const table = document.body.dataset.table;
let wanted = null; // number of the picture to show next; a slow line skips those in between
let loading = false;

suitsChoice();
follow({ [`sensed/${table}`]: show }, (up) => ($("#link").hidden = up));

const SIGHTS = {
  moving: "moving",
  hidden: "something lies over it; what was seen before stands",
  glare: "glare: a lamp shines back",
  blurred: "blurred: the lens is out of focus",
};
const ODD = { joker: "a joker", bounty: "a bounty chip", unknown: "a chip that is not of this room" };

function show(view) {
  say($("#trouble"), view.camera);
  $("#trouble").hidden = !view.camera;
  wanted = view.picture_no;
  loadPicture();
  draw($("#zones"), view.zones, () => view.zones.map(zone));
  const list = $("#lines");
  const atEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 8;
  draw(list, view.lines, () => view.lines.map(line));
  if (atEnd) list.scrollTop = list.scrollHeight;
}

async function loadPicture() {
  if (loading || wanted === null) return;
  const number = wanted;
  loading = true;
  wanted = null;
  const next = h("img", { id: "picture", alt: `Camera picture of table ${table}` });
  next.src = `/picture/${encodeURIComponent(table)}?no=${number}`;
  try {
    await next.decode();
    $("#picture").replaceWith(next);
    $("#no-picture").hidden = true;
    say($("#picture-no"), `Picture ${number}`);
  } catch {
    say($("#picture-no"), `Picture ${number} did not arrive`);
  }
  loading = false;
  loadPicture();
}

function zone(one) {
  const said = [];
  if (one.button) said.push(h("span.disc", { title: "dealer button" }, "D"), h("span", {}, "dealer button"));
  if (one.chips) said.push(h("span", {}, `chips: ${chips(one.chips)}`));
  else if (one.thing && !one.button) said.push(h("span.unsure", {}, uncounted(one.zone)));
  if (one.odd) said.push(h("span.unsure", {}, ODD[one.odd] || one.odd));
  if (one.unread) said.push(h("span.unsure", {}, `${one.unread} face up, not certain`));
  if (one.face_down) said.push(...[card(BACK), h("span", {}, `× ${one.face_down}`)]);
  if (!one.cards.length && !said.length) said.push("empty");
  const sight = SIGHTS[one.sight];
  if (sight) said.push(h("span.sight", {}, sight));
  return h("li", { class: one.sight }, h("b", {}, one.zone.replaceAll("-", " ")), h("span.what", {}, one.cards.map(card), said));
}

/** From straight above a stack and a single chip look alike. */
function uncounted(zone) {
  return zone.startsWith("button") ? "something lies there" : "chips, height unknown";
}

function line(one) {
  return h("li", {}, [
    h("span.at", {}, (one.at_ms / 1000).toFixed(3)),
    h("span.device", {}, one.device),
    h("span.raw", {}, one.bytes),
    h("span.became", {}, one.became ? `→ ${one.became}` : ""),
  ]);
}
