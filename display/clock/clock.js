/** The wall clock. It counts without messages; a message corrects it. */
import { $, minutes, say } from "../shared/dom.js";
import { t } from "../shared/language.js";
import { follow } from "../shared/stream.js";
import { StationTime, project } from "../shared/time.js";
import { fit } from "./fitting.js";
import { asked, layoutOf, stateOf } from "./layouts.js";
import { anteOf, levelOf, showComing, showFacts, showNews, showPrizes, showResult, showResumes, showSeats, showSigns, stakes } from "./parts.js";
import { Sounds } from "./sounds.js";

const ALONE_MS = 2_600; // beats come once a second, and within three it is said that they do not
const TICK_MS = 200;

const station = new StationTime();
const held = asked(location.search);
let clock = null;
let field = null;
let look = { event: "", shows: "auto", running: "director", facts: [], sounds: [], spoken: false, message: "", logo: "", sponsor: "", phone_page: "" };
let heard = performance.now();

const sounds = new Sounds($("#sound"), (at) => station.local(at));

/** A message also carries the time; its age shows how long the source has been silent. */
function hear(message, age) {
  const now = performance.now();
  station.hear(message.boot, message.at, now, age);
  return now - age;
}

follow({
  beat: (beat, { age }) => (heard = hear(beat, age)),
  clock: (message, { age }) => {
    if (clock) sounds.changed(clock, message);
    clock = message;
    hear(message, age);
    show();
  },
  tournament: (message) => {
    field = message.event ? message : null;
    show();
  },
  look: (message) => {
    look = message;
    showLook();
    show();
  },
});

function show() {
  const now = performance.now();
  const alone = now - heard;
  $("#alone").hidden = alone < ALONE_MS;
  say($("#alone"), t("offline {time}", { time: minutes(alone) }));
  fit($("#event"));
  fit($("#level"));
  const at = station.at(now);
  const shown = clock ? { ...project(clock, at), known: true } : { level: null, left: 0, running: false, known: false };
  const layout = layoutOf({ held, look, level: shown.level, field });
  const all = { ...shown, clock, field, look, levels: clock?.levels ?? [], ends: at + shown.left, local: Date.now(), alone: alone >= ALONE_MS };
  $("#wall").dataset.layout = layout;
  $("#wall").dataset.state = stateOf(all);
  showSigns(all);
  if (field) {
    if (layout === "seating") showSeats(all);
    if (layout === "final") showResult(all);
  }
  if (!clock) return;
  showTime(all, layout);
  if (layout === "director") {
    showPrizes(all);
    showComing(all);
    showNews(all);
  }
  if (layout === "break") showResumes(all);
  showFacts(all, look, layout);
  sounds.plan(all, look.sounds, look.spoken);
}

function showTime({ level, left }, layout) {
  const text = minutes(left);
  const small = layout === "seating" || layout === "final";
  say($("#level"), small && !field?.over ? `${levelOf(level)} · ${stakes(level)} · ${text}` : field?.over ? t("The event is over") : levelOf(level));
  say($("#left"), text);
  $("#left").classList.toggle("long", text.length > 5);
  $("#progress").style.transform = `scaleX(${Math.min(1, left / (level.minutes * 60_000))})`;
  say($("#blinds"), stakes(level));
  say($("#ante"), anteOf(level));
  fit($("#blinds"));
  fit($("#ante"));
}

function showLook() {
  say($("#event"), look.event || $("#event").dataset.title);
  picture($("#logo"), "/look/logo", look.logo);
  picture($("#sponsor"), "/look/sponsor", look.sponsor);
  say($("#message"), look.message);
  $("#message").hidden = !look.message;
  fit($("#message"));
  const code = look.facts.includes("phone_code") && look.phone_page;
  $("#code").hidden = !code;
  if (code) $("#code img").src = `/look/phone.svg?${encodeURIComponent(code)}`;
  $("#foot").hidden = !look.message && !look.sponsor;
  const colours = document.querySelector('link[href^="/look.css"]');
  const at = `/look.css?${look.colour_1}${look.colour_2}`.replaceAll("#", "");
  if (colours && colours.getAttribute("href") !== at) colours.setAttribute("href", at);
}

function picture(node, path, version) {
  node.hidden = !version;
  if (version && node.dataset.version !== version) node.src = `${path}?${(node.dataset.version = version)}`;
}

setInterval(show, TICK_MS);
document.fonts?.ready.then(() => addEventListener("resize", show));
