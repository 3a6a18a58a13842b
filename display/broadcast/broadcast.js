/** The producer's desk. Every press is one request; what it changed comes back on the channels `desk` and `gauge`, so
 * that two producers see the same. Keys work while nothing is being typed. */
import { WHOLE } from "../air/defaults.js";
import { $, chips, draw, h, minutes, say } from "../shared/dom.js";
import { press } from "../shared/press.js";
import { follow } from "../shared/stream.js";

const KEYS = "1234567890qweryuiopasghjvm"; // of the elements, in their order; the other letters are in HOTKEYS
const VERDICTS = { enough: "Enough", little: "Little to spare", short: "Too short", none: "Not working" };
const SAID_MS = 12_000;

const elements = JSON.parse(document.body.dataset.elements);
const keyOf = new Map(elements.map((name, no) => [name, KEYS[no] ?? ""]));

let desk = null;
let gauge = null;
let gaugeAt = 0;
let saidAt = 0;
let unkept = ""; // why the last press is not on the relay's disk

// ------------------------------------------------------------------------------------------------------ presses

/** Presses; what came of it stands above everything. A press of the desk has few seconds: it is late or it is not. */
async function ask(body) {
  try {
    tell(await press("/broadcast", body, (words) => tell(words), { name: body.do }));
    return true;
  } catch (error) {
    tell(error.message, true);
    const field = error.about && document.querySelector(`[name="${error.about === "seconds" ? "delay" : error.about}"]`);
    field?.focus();
    return false;
  }
}

function tell(words, failed = false) {
  saidAt = performance.now();
  say($("#said"), words);
  $("#said").classList.toggle("error", failed);
}

const isOn = (view, name) => view.elements[name] ?? WHOLE.includes(name);
const toggle = (name, staged) => desk && ask({ do: "element", element: name, on: !isOn(staged ? desk.staged : desk.on_air, name), staged });
const cut = () => ask({ do: "cut" });
const take = () => ask({ do: "take" });
const thirdOff = () => ask({ do: "lower_third", on: false });
const tickerOff = () => ask({ do: "ticker", on: false });

const to = (selector) => () => $(selector).focus();
const HOTKEYS = { t: take, x: cut, l: thirdOff, k: tickerOff, f: to("#feature"), z: to("#layout"), n: to("#third input"), b: to("#ticker textarea"), d: to("#delay input") };

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select");
  if (event.key === "Escape" && typing) typing.blur();
  if (event.key === "Enter" && event.ctrlKey && typing?.tagName === "TEXTAREA") typing.form.requestSubmit();
  if (typing || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  // With Shift a digit is another letter: the key itself counts, in every layout but for letters.
  const pressed = event.code.startsWith("Digit") ? event.code.slice(5) : event.key.toLowerCase();
  const element = elements.find((name) => keyOf.get(name) === pressed);
  const act = HOTKEYS[pressed] ?? (element && (() => toggle(element, event.shiftKey)));
  if (!act) return;
  event.preventDefault();
  act();
});

$("#cut").addEventListener("click", cut);
$("#cut-here").addEventListener("click", cut);
// However far down the page is: one press.
new IntersectionObserver(([{ isIntersecting }]) => ($("#cut-here").hidden = isIntersecting)).observe($("#cut"));
$("#take").addEventListener("click", take);
$("#release").addEventListener("click", () => ask({ do: "release" }));
$("#third-off").addEventListener("click", thirdOff);
$("#ticker-off").addEventListener("click", tickerOff);
for (const name of ["feature", "layout", "stack", "skin"]) {
  $(`#${name}`).addEventListener("change", ({ target }) => {
    if (!target.checkValidity()) return target.reportValidity();
    ask({ do: "look", staged: true, [name]: target.value });
    if (target.tagName === "SELECT") target.blur(); // the next key is a hotkey again
  });
}

// --------------------------------------------------------------------------------------- lower third and ticker

const third = $("#third");
const written = () => {
  const { title, line, for_s: seconds } = Object.fromEntries(new FormData(third));
  return { title: title.trim(), line: line.trim(), for_s: Number(seconds) };
};
const send = (body) => third.reportValidity() && ask({ ...body, ...written() });
third.addEventListener("submit", (event) => {
  event.preventDefault();
  send({ do: "lower_third" });
  document.activeElement.blur();
});
$("#third-next").addEventListener("click", () => send({ do: "lower_third", staged: true }));
$("#prepare").addEventListener("click", () => send({ do: "prepare" }));

function drawPrepared() {
  const shown = desk.on_air.lower_third;
  draw($("#prepared"), [desk.prepared, shown], () => desk.prepared.map((one) => {
    const same = shown && shown.title === one.title && shown.line === one.line;
    const air = h("button", { type: "button", "aria-pressed": String(Boolean(same)) }, same ? "Off" : "On air");
    air.addEventListener("click", () => (same ? thirdOff() : ask({ do: "lower_third", title: one.title, line: one.line, for_s: one.for_s })));
    const gone = h("button", { type: "button" }, "Delete");
    gone.addEventListener("click", () => ask({ do: "forget", title: one.title, line: one.line }));
    return h("li", {}, h("span.what", {}, h("b", {}, one.title), " ", h("span.soft", {}, one.line)), h("span.choices", {}, air, gone));
  }));
}

/** One press on a name writes the lower third: the name, and the chips as they are on air. */
function drawNames(view) {
  const there = view.seats.filter((one) => one.player);
  if (!there.length) return; // black: who sat there last
  draw($("#names"), [there.map((one) => [one.player, one.stack])], () => there.map((one) => {
    const node = h("button", { type: "button" }, one.player);
    node.addEventListener("click", () => {
      third.elements.title.value = one.player;
      third.elements.line.value = `${chips(one.stack)} chips`;
      $("button.primary", third).focus();
    });
    return node;
  }));
}

$("#ticker").addEventListener("submit", async (event) => {
  event.preventDefault();
  const lines = new FormData(event.target).get("lines").split("\n").map((line) => line.trim()).filter(Boolean);
  document.activeElement.blur(); // at once: the next key is a hotkey, not text, however slow the relay answers
  if (await ask({ do: "ticker_lines", lines })) await ask({ do: "ticker", on: true });
});

// ------------------------------------------------------------------------------------------------ what is on air

function showDesk(view) {
  desk = view;
  const { on_air: air, staged } = view;
  document.body.classList.toggle("is-cut", air.cut);
  $("#held").hidden = !air.cut;
  $("#cut").disabled = $("#cut-here").disabled = air.cut;
  $(".screen.on").classList.toggle("cut-off", air.cut);
  const by = view.lines.find((line) => line.what === "cut");
  say($("#held-by"), by ? ` since ${timeOf(by.at)}, by ${by.who}` : "");
  $(".screen.on").dataset.layout = air.layout;
  $(".screen:not(.on)").dataset.layout = staged.layout;
  say($("#air-words"), inWords(air));
  say($("#staged-words"), inWords(staged));
  const differs = JSON.stringify({ ...air, cut: false }) !== JSON.stringify({ ...staged, cut: false });
  $("#take").disabled = !differs;
  for (const name of ["feature", "layout", "stack", "skin"]) {
    if (document.activeElement !== $(`#${name}`)) $(`#${name}`).value = staged[name];
  }
  drawElements(air, staged);
  drawPrepared();
  $("#third-off").disabled = !air.lower_third;
  $("#ticker-off").disabled = !air.ticker.length;
  const lines = $("#ticker").elements.lines;
  if (document.activeElement !== lines && lines.dataset.kept !== JSON.stringify(view.ticker)) {
    lines.value = view.ticker.join("\n");
    lines.dataset.kept = JSON.stringify(view.ticker);
  }
  draw($("#lines"), view.lines, () => view.lines.map((line) => h("li", {}, h("span.what", {}, h("b", {}, line.who), ` ${line.what}${line.text ? `: ${line.text}` : ""}`), h("time.soft", { datetime: line.at }, timeOf(line.at)))));
  if (view.unkept && view.unkept !== unkept) tell(view.unkept, true);
  else if (!view.unkept && unkept && $("#said").textContent === unkept) tell("");
  unkept = view.unkept;
  drawTables();
}

function inWords({ feature, layout, stack, skin }) {
  return [`table ${feature}`, layout, { bb: "big blinds", k: "short" }[stack], skin].filter(Boolean).join(" · ");
}

function drawElements(air, staged) {
  draw($("#elements"), [air.elements, staged.elements], () => elements.map((name) => {
    const on = isOn(air, name);
    const key = keyOf.get(name);
    const node = h("button", { type: "button", "aria-pressed": String(on), "aria-keyshortcuts": key.toUpperCase() || null, "data-element": name }, key ? h("kbd", {}, key.toUpperCase()) : null, h("span.name", {}, name.replaceAll("-", " ")), h("span.state", {}, on ? "on" : "off"));
    const other = isOn(staged, name) !== on;
    node.classList.toggle("differs", other);
    if (other) node.title = `Next: ${on ? "off" : "on"}`;
    node.addEventListener("click", (event) => toggle(name, event.shiftKey));
    return node;
  }));
}

const timeOf = (wall) => (wall ? new Date(wall).toLocaleTimeString("en", { hourCycle: "h23" }) : "");

// --------------------------------------------------------------------------------------------------- how late

function showGauge(view, { age }) {
  gauge = view;
  gaugeAt = performance.now() - age;
  $(".gauge").dataset.verdict = view.verdict;
  say($("#verdict"), VERDICTS[view.verdict]);
  say($("#gauge-words"), view.words);
  const { longest } = view;
  draw($("#delays"), [view.air_s, view.card_s, view.floor_s, longest, view.spare_s], () => [
    ...row("Air delay", length(view.air_s)),
    ...row("Card delay", length(view.card_s)),
    ...row("Floor", `${length(view.floor_s)}, set in the relay's file`),
    ...row("Longest hand", longest ? `${length(longest.took_s)}, table ${longest.table}, hand ${longest.hand}` : "none yet"),
    ...row("To spare", view.spare_s === null ? "–" : view.spare_s < 0 ? `${length(-view.spare_s)} too few` : length(view.spare_s)),
  ]);
  drawScale(view);
  $("#propose").hidden = view.proposed_s === null || view.proposed_s === view.air_s;
  say($("#propose"), view.proposed_s === null ? "" : `Propose ${length(view.proposed_s)}`);
  drawTables();
}

const row = (name, value) => [h("dt", {}, name), h("dd", {}, value)];
const length = (seconds) => (seconds === null || seconds === undefined ? "not set" : minutes(seconds * 1_000));

function drawScale({ air_s: air, card_s: card, longest }) {
  const hand = longest?.took_s ?? 0;
  const whole = Math.max(air ?? 0, (card ?? 0) + hand, 1) * 1.08;
  draw($("#scale"), [air, card, hand], () => {
    const bars = [["card-delay", 0, card ?? 0], ["hand", card ?? 0, hand]].map(([name, from, wide]) => {
      const bar = h(`i.${name}`);
      bar.style.left = `${(100 * from) / whole}%`;
      bar.style.width = `${(100 * wide) / whole}%`;
      return bar;
    });
    const mark = h("i.air");
    mark.style.left = `${(100 * (air ?? 0)) / whole}%`;
    return [...bars, mark];
  });
}

const wanted = () => {
  const [min, sec = "0"] = $("#delay").elements.delay.value.split(":");
  return /^\d+$/.test(min) ? Number(min) * 60 + Number(sec) : null;
};

function consequence() {
  const seconds = wanted();
  const by = seconds === null || gauge?.air_s === null || !gauge ? 0 : seconds - gauge.air_s;
  const words = by > 0 ? `Viewers see the last ${length(by)} once more. Delay the video by as much.` : by < 0 ? `The picture jumps ${length(-by)} ahead: what lies between is not shown. Shorten the delay of the video by as much.` : "";
  say($("#consequence"), words);
}

$("#delay").addEventListener("input", consequence);
$("#delay").addEventListener("submit", async (event) => {
  event.preventDefault();
  const seconds = wanted();
  document.activeElement.blur(); // at once, as with the ticker's
  if (seconds !== null && (await ask({ do: "air_delay", seconds: String(seconds) }))) {
    event.target.reset();
    consequence();
  }
});
$("#propose").addEventListener("click", () => {
  $("#delay").elements.delay.value = length(gauge.proposed_s).replace(/^(\d+):(\d\d):(\d\d)$/, (_, hours, min, sec) => `${Number(hours) * 60 + Number(min)}:${sec}`);
  consequence();
});

const others = (count) => (count === 1 ? "1 more table, as it should be." : `${count} more tables, as they should be.`);

/** The tables that matter: on air, next, in trouble, with cards that wait. Names, numbers and reasons: no card. */
function drawTables() {
  if (!gauge || !desk) return;
  const since = Math.round((performance.now() - gaugeAt) / 1_000);
  const matter = ({ table, trouble, waiting }) => table === desk.on_air.feature || table === desk.staged.feature || trouble || waiting.length;
  const shown = gauge.tables.filter(matter);
  const facts = shown.map((one) => [one.table, one.hand, one.players, one.trouble, one.heard_s === null ? null : one.heard_s < 60 ? "now" : Math.floor(one.heard_s / 60), one.waiting.map((hand) => [hand.hand, hand.why, hand.in_s === null ? null : Math.max(0, hand.in_s - since)]), one.table === desk.on_air.feature]);
  draw($("#tables"), [facts, gauge.tables.length, gauge.broker], () => [
    gauge.broker ? null : h("li.trouble", {}, "The relay has no connection to the broker: nothing new comes."),
    ...facts.map(([table, hand, players, trouble, heard, waiting, isOnAir]) => h("li", {}, h("span.what", {},
      h("b", {}, `Table ${table}`), isOnAir ? " on air" : "", h("span.soft", {}, ` hand ${hand}, ${players} players${heard === null ? "" : heard === "now" ? ", heard now" : `, heard ${heard} min ago`}`),
      trouble ? h("p.trouble", {}, trouble) : null,
      ...waiting.map(([number, why, left]) => h("p.soft", {}, `Hand ${number}: ${why}${left === null ? "" : `, ${minutes(left * 1_000)}`}`))))),
    gauge.tables.length > shown.length ? h("li.soft", {}, others(gauge.tables.length - shown.length)) : null,
  ]);
}

// ---------------------------------------------------------------------------------------------------- addresses

function drawUrls() {
  const { feed, layout, bg } = Object.fromEntries(new FormData($("#addresses")));
  const here = /^(localhost|127\..*|\[::1\])$/.test(location.hostname);
  const origin = (here && document.body.dataset.reach) || location.origin;
  const query = new URLSearchParams(Object.entries({ layout, bg }).filter(([, value]) => value)).toString();
  const all = ["", ...elements].map((name) => [name, `${origin}/air/${feed}${name ? `/${name}` : ""}${query ? `?${query}` : ""}`]);
  draw($("#urls"), all, () => all.map(([name, url]) => {
    const copy = h("button", { type: "button", "aria-label": `Copy the address of ${name || "everything"}` }, "Copy");
    copy.addEventListener("click", () => copied(url));
    return h("li", {}, h("span.what", {}, h("b", {}, name.replaceAll("-", " ") || "everything"), " ", h("code", {}, url)), copy);
  }));
  $("#scenes").href = `/template/obs-scenes.json?feed=${encodeURIComponent(feed)}`;
}

/** Over http a page has no clipboard: the text is selected in a field and copied by the browser's own command. */
async function copied(url) {
  const done = await navigator.clipboard?.writeText(url).then(() => true, () => false);
  if (!done) {
    const field = h("textarea.visually-hidden", { readonly: true });
    field.value = url;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  tell(`Copied: ${url}`);
}

$("#addresses").addEventListener("input", drawUrls);

// ------------------------------------------------------------------------------------------------------ the panes

const channel = new BroadcastChannel("feltwire-desk");

/** Each pane is a page with a stream of its own, and a browser opens six to one server: a press of the cut must never
 * wait for one. So the panes are in one window of a browser, the one that was used last, and only while it is seen. */
function panes(here) {
  for (const frame of document.querySelectorAll("iframe[data-src]")) {
    if (here && frame.getAttribute("src") !== frame.dataset.src) frame.src = frame.dataset.src;
    else if (!here) frame.removeAttribute("src");
  }
}
const takePanes = () => {
  channel.postMessage("here");
  panes(true);
};
channel.addEventListener("message", () => panes(false));
document.addEventListener("visibilitychange", () => (document.hidden ? panes(false) : takePanes()));
window.addEventListener("focus", takePanes);
takePanes();

drawUrls();
setInterval(() => {
  drawTables();
  if (performance.now() - saidAt > SAID_MS && !$("#said").classList.contains("error")) say($("#said"), "");
}, 1_000);
follow({ desk: showDesk, gauge: showGauge, "overlay/feature": drawNames }, (up) => ($("#link").hidden = up));
