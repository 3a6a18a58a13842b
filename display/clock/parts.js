/** The parts of the wall: what each draws of the clock and of the event's public facts. */
import { $, draw, h, minutes, say } from "../shared/dom.js";
import { amount, number, plural, t } from "../shared/language.js";
import { clockTime } from "../shared/time.js";
import { Pages, fit, row } from "./fitting.js";

const MINUTE_MS = 60_000;
const OUT_SHOWN = 3;
const MOST_FACTS = { big: 4, director: 6, break: 4, seating: 0, final: 0 };

/** `500 / 1,000`, or what the break is called. */
export const stakes = (level) => (level.is_break ? level.what || t("Break") : `${number(level.small_blind)} / ${number(level.big_blind)}`);

export function anteOf(level) {
  if (level.is_break) return "";
  if (level.big_blind_ante) return t("Big blind ante {chips}", { chips: level.big_blind_ante });
  return level.ante ? t("Ante {chips}", { chips: level.ante }) : "";
}

export const levelOf = (level) => (level.is_break ? t("Break") : t("Level {no}", { no: level.no }));

const length = ({ minutes: long }) => (long < 1 ? t("{n} s", { n: Math.round(long * 60) }) : t("{n} min", { n: Math.round(long) }));

/** Milliseconds until the next break; 0 in one, null where none comes. */
export function untilBreak({ level, left, place, levels }) {
  if (level.is_break) return 0;
  const after = levels.slice(place + 1);
  const at = place < 0 ? -1 : after.findIndex((one) => one.is_break);
  return at < 0 ? null : left + after.slice(0, at).reduce((sum, one) => sum + one.minutes * MINUTE_MS, 0);
}

// ---------------------------------------------------------------------------------------------- the row of facts

const FACTS = {
  next_level: ({ next }) => [t("Next level"), next ? stakes(next) : t("the last one is on"), "next"],
  next_break: (now) => {
    const ms = untilBreak(now);
    return ms ? [t("Next break"), t("in {time}", { time: minutes(ms) }), "next-break"] : null;
  },
  players: ({ clock }) => [t("Players left"), clock.entrants ? t("{left} of {all}", { left: clock.players_left, all: clock.entrants }) : number(clock.players_left), "players"],
  average: ({ clock, level }) => {
    if (!clock.average_stack) return null;
    const blinds = level.big_blind ? t("{n} BB", { n: Math.round(clock.average_stack / level.big_blind) }) : "";
    return [t("Average stack"), number(clock.average_stack), "average", blinds];
  },
  chips: ({ clock }) => (clock.chips ? [t("Chips in play"), number(clock.chips), "chips"] : null),
  buy_in: ({ clock }) => (clock.buy_in ? [t("Buy-in"), amount(clock.buy_in), "buy-in"] : null),
  rebuys: ({ field }) => rebuys(field?.rebuys),
  time_of_day: () => [t("Time"), clockTime(Date.now()), "time-of-day"],
};

function rebuys(sold) {
  if (!sold) return null;
  const until = sold.before_level === null ? t("open") : t("until level {no}", { no: sold.before_level });
  if (sold.open) return [sold.sold ? plural("{n} rebuy", "{n} rebuys", sold.sold) : t("Rebuys"), until, "rebuys"];
  return sold.add_on ? [t("Add-on"), t("in the break"), "rebuys"] : null;
}

/** What a layout shows elsewhere already does not stand in the row. */
const ELSEWHERE = { director: ["next_level", "next_break"], break: ["next_level", "next_break"], big: [] };

export function showFacts(now, look, layout) {
  const wanted = look.facts.filter((one) => FACTS[one] && !ELSEWHERE[layout]?.includes(one));
  const shown = wanted.map((one) => FACTS[one](now)).filter(Boolean).slice(0, MOST_FACTS[layout]);
  const node = $("#facts");
  draw(node, shown, () => shown.map(([name, value, id, more]) => h("div", {}, h("dt", {}, name), h("dd", { id }, value, more && h("small", {}, more)))));
  for (const one of node.querySelectorAll("dt, dd")) fit(one);
}

// ---------------------------------------------------------------------------------------------- lists

const lists = new WeakMap();
const pages = (node) => lists.get(node) ?? lists.set(node, new Pages(node)).get(node);

function list(node, heading, facts, make, now) {
  if (!facts.length) {
    node.replaceChildren();
    return;
  }
  let body = node.querySelector("ul");
  if (!body) node.replaceChildren(h("h2", {}, heading), (body = h("ul")));
  say(node.querySelector("h2"), heading);
  fit(node.querySelector("h2"));
  pages(body).show(facts, () => make(facts), now);
}

export function showPrizes({ clock, field, look, local }) {
  const pays = look.facts.includes("prizes") ? (field?.payouts?.length ? field.payouts : clock.payouts) ?? [] : [];
  const rows = pays.map((cents, at) => [at + 1, cents]).filter(([, cents]) => cents);
  list($("#prizes"), t("Prizes"), rows, (all) => all.map(([place, cents]) => row(["no", number(place)], ["of", amount(cents)])), local);
}

export function showComing(now) {
  const { place, clock, look } = now;
  const ms = untilBreak(now);
  const heading = look.facts.includes("next_break") && ms ? t("Break in {time}", { time: minutes(ms) }) : t("To come");
  const coming = look.facts.includes("next_level") && place >= 0 ? clock.levels.slice(place + 1) : [];
  const facts = coming.map((one) => [one.is_break, stakes(one), length(one), one.is_break && one.colour_up ? t("{chip} leaves", { chip: one.colour_up }) : ""]);
  const make = (all) => all.map(([isBreak, words, long, away]) => {
    const made = row(["of", words], ["long", long], ...(away ? [["away", away]] : []));
    made.classList.toggle("break", isBreak);
    return made;
  });
  list($("#coming"), heading, facts, make, 0); // what comes first is what matters: it does not turn pages
}

/** Who went out last, who is on the way to another seat, who serves a penalty. */
export function showNews({ field, look, local }) {
  const out = look.facts.includes("last_out") ? (field?.out ?? []).slice(0, OUT_SHOWN) : [];
  const penalties = look.facts.includes("penalties") ? field?.notices ?? [] : [];
  const lines = [
    ...(field?.moves ?? []).map((one) => t("{name}: to table {table}, seat {seat}", { ...one, seat: String(one.seat) })),
    ...out.map((one) => outWords(one)),
    ...penalties.map((one) => penaltyWords(one)),
  ];
  const body = $("#news");
  if (!lines.length) body.replaceChildren();
  else {
    if (!body.querySelector("ul")) body.replaceChildren(h("ul"));
    pages(body.querySelector("ul")).show(lines, () => lines.map((line) => h("li", {}, line)), local);
  }
}

function outWords({ name, place, prize }) {
  if (place && prize) return t("Out: {name}, place {place}, {prize}", { name, place, prize: amount(prize) });
  return place ? t("Out: {name}, place {place}", { name, place }) : t("Out: {name}", { name });
}

function penaltyWords({ name, minutes: long, hands }) {
  if (hands) return plural("Penalty: {name}, {n} hand", "Penalty: {name}, {n} hands", hands, { name });
  return long ? t("Penalty: {name}, {n} min", { name, n: long }) : t("Penalty: {name}", { name });
}

// ---------------------------------------------------------------------------------------------- break, seats, result

export function showResumes({ level, left, running, next, field, look }) {
  const facts = [level.is_break, running && clockTime(Date.now() + left), next, level.colour_up, field?.chips ?? [], look.facts];
  draw($("#resumes"), facts, () => {
    const lines = [];
    if (level.is_break) lines.push(h("p.when", {}, running ? t("Play resumes {time}", { time: clockTime(Date.now() + left) }) : t("Play resumes when the clock runs")));
    if (level.is_break && next && !next.is_break) lines.push(h("p.with", {}, t("with {blinds}", { blinds: [stakes(next), anteOf(next)].filter(Boolean).join(" · ") })));
    if (level.is_break && level.colour_up) lines.push(h("p.away", {}, chip(level.colour_up, field?.chips ?? []), t("These chips leave play")));
    return lines;
  });
  for (const one of $("#resumes").children) fit(one);
}

/** A chip of that value as it looks here; its name stands beside where nobody said a colour that we know. */
function chip(value, chips) {
  const own = chips.find((one) => one.value === value);
  const made = h("span.chip", { "data-dark": own?.dark ? "" : null }, number(value));
  if (own?.colour) made.style.setProperty("--chip", own.colour);
  return h("span.chips", {}, made, own?.name ? h("span", {}, own.name) : null);
}

export function showSeats({ field, local }) {
  const seated = (field?.players ?? []).filter((one) => one.table);
  const facts = seated.map((one) => [one.name, one.table, one.seat]).sort(([one], [other]) => one.localeCompare(other));
  const make = (all) => all.map(([name, table, seat]) => row(["of", name], ["at", t("{table}, seat {seat}", { table, seat: String(seat) })]));
  list($("#seats"), t("Table and seat"), facts, make, local);
  const moves = (field?.moves ?? []).map((one) => [one.name, one.table, one.seat]);
  list($("#moves"), t("Moves"), moves, (all) => all.map(([name, table, seat]) => row(["of", name], ["at", t("to {table}, seat {seat}", { table, seat: String(seat) })])), local);
}

export function showResult({ field, local }) {
  const winner = field?.winner ?? "";
  const words = winner ? t("Winner") : field?.over ? t("The event is over") : "";
  draw($("#winner"), [words, winner, field?.deal], () => [words && h("p.what", {}, words), winner && h("p.who", {}, winner), winner && field.deal && h("p.deal", {}, t("after a deal"))]);
  for (const one of $("#winner").children) fit(one);
  const first = winner ? [[1, winner, field.payouts?.[0] ?? 0]] : [];
  const out = (field?.out ?? []).filter((one) => one.place).map((one) => [one.place, one.name, one.prize]);
  const places = [...first, ...out].sort(([one], [other]) => one - other);
  const make = (all) => all.map(([place, name, cents]) => row(["no", number(place)], ["of", name], ...(cents ? [["prize", amount(cents)]] : [])));
  const paid = places.filter(([, , cents]) => cents);
  list($("#places"), t("Places"), paid.length ? paid : places, make, local);
}

/** Small words over the time: paused, hand for hand, the final table. */
export function showSigns({ clock, field, running, known, alone }) {
  const signs = [];
  if (clock?.note && !(alone && running)) signs.push(["note", t(clock.note)]);
  if (known && field?.event && !field.started && field.starts) signs.push(["starts", t("Starts at {time}", { time: clockTime(field.starts) })]);
  else if (known && !running && !field?.over && !clock.note) signs.push(["paused", t("Paused")]);
  if (field?.hand_for_hand) signs.push(["hand-for-hand", t("Hand for hand")]);
  if (field?.final_table) signs.push(["final-table", t("Final table")]);
  draw($("#signs"), signs, () => signs.map(([id, words]) => h("li", { id }, words)));
  for (const one of $("#signs").children) fit(one);
}
