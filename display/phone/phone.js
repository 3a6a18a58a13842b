/** The player's phone: the clock, the player's seat and stack, the event; what only the player sees with the code. */
import { $, draw, h, minutes, say } from "../shared/dom.js";
import { amount, number, plural, t } from "../shared/language.js";
import { clockTime, project } from "../shared/time.js";
import { link } from "./link.js";
import { allow, allowed, ring } from "./sound.js";
import { identify, kept, post, tell } from "./who.js";

const TICK_MS = 250;
const MINUTE_MS = 60_000;

let clock = null;
let schedule = [];
let shared = null;
let me = null;
let own = null;
let wantsCode = false;
let proven = Boolean(document.body.dataset.player);
if (proven) kept.set("player", document.body.dataset.player);

const { now, open } = link(
  {
    schedule: (levels) => (schedule = levels),
    clock: (state) => (clock = state),
    shared: (facts) => {
      shared = facts;
      show();
    },
    me: (row) => {
      me = row;
      if (row) kept.set("name", row.name);
      moved();
      show();
    },
    own: (facts) => {
      own = facts;
      show();
    },
    full: () => tell(t("Too many phones are here now. With the code of your seat slip you get in."), "wrong"),
  },
  (since) => {
    $("#phone").dataset.line = since === null ? "up" : "lost";
    $("#old").hidden = since === null;
    if (since !== null) say($("#old"), t("No contact since {time}: what stands here is old.", { time: clockTime(since) }));
  },
);

identify((player, name, isProven) => {
  if (player !== kept.get("player")) me = own = null;
  kept.set("player", player);
  if (name) kept.set("name", name);
  proven = isProven;
  open(player);
  show();
});

/** What is drawn anew with each fact. */
function show() {
  const known = Boolean(kept.get("player"));
  $("#phone").dataset.who = known ? (proven ? "proven" : "named") : "nobody";
  $("#me").hidden = !known;
  $("#who").hidden = known || !shared?.open;
  $("#prove").hidden = !known || proven || !me?.table || !wantsCode;
  $("#slip").hidden = !known || proven || !me?.table || wantsCode;
  $("#clock").hidden = !shared?.open || shared.finished;
  $("#sign-up").hidden = !shared?.entry_open;
  if (shared?.event) say($("#event"), shared.event);
  showField();
  if (known) showMe();
  tick();
  $("#phone").dataset.drawn = String(Boolean(shared));
}

function showField() {
  const facts = shared?.open ? shared : {};
  const told = (value) => (value ? number(value) : "–");
  say($("#players"), facts.entrants ? t("{left} of {entrants}", { left: facts.left, entrants: facts.entrants }) : "–");
  say($("#average"), told(facts.average));
  say($("#chips"), told(facts.chips));
  say($("#tables"), told(facts.tables));
  const paid = facts.payouts ?? [];
  $("#payouts").hidden = !paid.length;
  draw($("#payouts ol"), paid, () => paid.map((cents, i) => line(number(i + 1), "", amount(cents))));
  if (!shared?.open) tell(t("No event is open. This page goes on when one is."));
  else if ($("#said").textContent === t("No event is open. This page goes on when one is.")) tell("");
}

const line = (first, middle, last, mine = false) =>
  h(mine ? "li.mine" : "li", {}, h("span", {}, first), h("span", {}, middle), h("span.money", {}, last));

function showMe() {
  say($("#name"), me?.name ?? own?.name ?? kept.get("name"));
  say($("#seat"), seatWords());
  const stack = me?.stack ?? null;
  say($("#stack"), stack === null ? "–" : number(stack));
  say($("#rank"), me?.rank ? t("{rank} of {left}", { rank: me.rank, left: shared?.left ?? 0 }) : "–");
  $(".me .facts").hidden = !me?.table;
  $("#floor").hidden = !me?.table;
  $("#call").disabled = Boolean(own?.call && !own.call.done);
  showCall(own?.call);
  showPenalties();
}

function seatWords() {
  if (me?.place) {
    const place = me.place === 1 ? t("You have won.") : t("You are out in place {place}.", { place: me.place });
    const prize = t("Your prize: {money}", { money: amount(me.prize ?? 0) });
    return me.prize ? `${place} ${prize}` : place;
  }
  if (me?.out) return t("You are out; your place is not decided yet.");
  if (me?.table) return t("Table {table}, seat {seat}", { table: me.table, seat: String(me.seat) });
  if (own?.waiting) return t("Place {place} on the waiting list", { place: own.waiting });
  if (me || own?.listed) return t("You are on the list. Your seat is not drawn yet.");
  return t("You are not in this event.");
}

function showCall(call) {
  const words = !call ? "" : call.done ? t("The floor was here.") : call.coming ? t("The floor is coming.") : t("The floor is called.");
  $("#called").hidden = !words;
  say($("#called"), words);
}

function showPenalties() {
  const all = own?.penalties ?? [];
  $("#penalties").hidden = !all.length;
  draw($("#penalties"), all, () => all.map((one) => h("li", {}, `${KINDS()[one.kind] ?? one.kind}: ${one.reason}`)));
}

const KINDS = () => ({
  warning: t("Warning"),
  time_out: t("Time-out"),
  dealt_out: t("Dealt out"),
  out: t("Out of the event"),
  out_for_day: t("Out for the day"),
  suspended: t("Suspended"),
  membership_revoked: t("Membership ended"),
  banned: t("Banned"),
});

/** The player moves: said once with a sound, until it is seen or done. */
function moved() {
  const move = me?.move;
  $("#move").hidden = !move || kept.get("move-seen") === move.id;
  if (!move) return;
  say($("#move-words"), t("You move to table {table}, seat {seat}", { table: move.table, seat: String(move.seat) }));
  document.title = $("#move-words").textContent;
  if (kept.get("move-rung") === move.id) return;
  kept.set("move-rung", move.id);
  if (kept.get("sound")) ring();
}

$("#move-seen").addEventListener("click", () => {
  kept.set("move-seen", me?.move?.id ?? "");
  $("#move").hidden = true;
});

/** What time alone changes. */
function tick() {
  const at = now();
  if (clock && at !== null) showClock(project({ ...clock, levels: schedule }, at));
  showAges(at);
}

function showClock({ level, next, place, left, running }) {
  const state = level.is_break ? "break" : !running ? "paused" : left <= MINUTE_MS ? "last-minute" : "running";
  $("#clock").dataset.state = state;
  const stands = running ? "" : shared?.open && !shared.started ? t("Not started") : t("Paused");
  say($("#level"), [level.is_break ? t("Break") : t("Level {no}", { no: level.no }), stands].filter(Boolean).join(" · "));
  say($("#left"), minutes(left));
  say($("#blinds"), stakes(level));
  say($("#next"), next ? t("Next: {what}", { what: next.is_break ? t("Break") : stakes(next) }) : "");
  say($("#next-break"), breakWords(place, level, left, running));
}

function stakes(level) {
  if (level.is_break) return "";
  const blinds = t("Blinds {small} / {big}", { small: level.small_blind, big: level.big_blind });
  const all = t("BB ante {chips}", { chips: level.big_blind_ante });
  const each = t("Ante {chips}", { chips: level.ante });
  return level.big_blind_ante ? `${blinds} · ${all}` : level.ante ? `${blinds} · ${each}` : blinds;
}

function breakWords(place, level, left, running) {
  if (level.is_break || place < 0) return "";
  const rest = schedule.slice(place + 1);
  const at = rest.findIndex((one) => one.is_break);
  if (at < 0) return "";
  const until = left + rest.slice(0, at).reduce((sum, one) => sum + one.minutes * MINUTE_MS, 0);
  const time = minutes(until);
  return running ? t("Next break in {time}, at {clock}", { time, clock: clockTime(Date.now() + until) }) : t("Next break in {time}", { time });
}

function showAges(at) {
  const counted = me?.stack !== undefined && me?.at && at !== null;
  const ago = counted ? Math.max(0, Math.floor((at - me.at) / MINUTE_MS)) : 0;
  const age = ago ? plural("{n} minute ago", "{n} minutes ago", ago) : t("just now");
  const since = shared?.by_hand ? t("Stack as it was counted last: {age}", { age }) : t("Stack as the table last said it: {age}", { age });
  say($("#stack-age"), counted ? since : me?.table ? t("No table reports stacks here.") : "");
  const serving = own?.serving?.[0];
  $("#served").hidden = !serving;
  if (!serving) return;
  if (serving.hands) say($("#served"), plural("Time-out: {n} hand left", "Time-out: {n} hands left", serving.hands));
  else if (serving.ends && at !== null) say($("#served"), t("Time-out: {time} left", { time: minutes(serving.ends - at) }));
  else say($("#served"), t("Time-out until the director calls you"));
}
setInterval(tick, TICK_MS);

$("#not-me").addEventListener("click", async () => {
  for (const name of ["player", "name", "move-seen", "move-rung"]) kept.set(name, "");
  me = own = null;
  if (proven) await post("/me/forget", {}).catch(() => {});
  proven = false;
  open("");
  show();
});

function askCode() {
  wantsCode = true;
  show();
  $("#prove").scrollIntoView({ block: "center" });
  $("#code").elements.code.focus({ preventScroll: true });
}
$("#slip").addEventListener("click", askCode);

$("#call").addEventListener("click", async () => {
  tell("");
  if (!proven) {
    askCode();
    return;
  }
  try {
    const { text } = await post("/me/call", {});
    $("#called").hidden = false;
    say($("#called"), text);
  } catch (error) {
    tell(error.message, "wrong");
  }
});

// -------------------------------------------------------------------------------------------- results

let results = null;

async function showResults() {
  results = await fetch("/me/results").then((answer) => answer.json()).catch(() => results);
  if (!results) return;
  const mine = me?.name ?? kept.get("name");
  $("#results").hidden = !results.results.length;
  $("#season").hidden = !results.season.length;
  draw($("#results ol"), [results.results, mine], () => results.results.map(([place, name, prize]) => line(number(place), name, prize ? amount(prize) : "", name === mine)));
  draw($("#season ol"), [results.season, mine], () => results.season.map(([rank, name, points]) => line(number(rank), name, t("{points} points", { points }), name === mine)));
}
for (const part of ["#results", "#season"]) $(part).addEventListener("toggle", () => $(part).open && showResults());
showResults();

// --------------------------------------------------------------------------------------- sound, screen

const sound = $("#sound");
function showSound() {
  sound.setAttribute("aria-pressed", String(Boolean(kept.get("sound"))));
  say(sound, !kept.get("sound") ? t("Sound when I move") : allowed() ? t("Sound is on") : t("Sound is on: touch the page once"));
}
sound.addEventListener("click", async () => {
  const on = !kept.get("sound") || !allowed();
  kept.set("sound", on ? "yes" : "");
  if (on) {
    await allow();
    ring();
  }
  showSound();
});
addEventListener("pointerup", async () => {
  if (!kept.get("sound") || allowed()) return;
  await allow();
  showSound();
});
showSound();

// Only a page over TLS may keep the screen on.
const awake = $("#awake");
let lock = null;
awake.hidden = !("wakeLock" in navigator);
async function keepAwake() {
  lock = kept.get("awake") ? await navigator.wakeLock.request("screen").catch(() => null) : null;
  awake.setAttribute("aria-pressed", String(Boolean(lock)));
  $("#locked").hidden = Boolean(lock);
}
awake.addEventListener("click", async () => {
  kept.set("awake", lock ? "" : "yes");
  await lock?.release();
  await keepAwake();
});
document.addEventListener("visibilitychange", () => !awake.hidden && !document.hidden && keepAwake());
if (!awake.hidden) keepAwake();

open(kept.get("player"));
show();
