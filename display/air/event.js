/** What is on air of the tournament: clock, leaders, prizes, break; and the producer's own texts. */
import { $, draw, h, minutes, say } from "../shared/dom.js";
import { crawl } from "./motion.js";
import { chosen } from "./options.js";
import { ante, blinds, flag, money, number, stack, tenthsOf, text } from "./words.js";

const CENTS = 100;
const LEADERS = 8;
const LONGEST_LIST = 10;
const LONGEST_UPRIGHT = 5;

const longest = () => (document.documentElement.dataset.layout === "vertical" ? LONGEST_UPRIGHT : LONGEST_LIST);

/** The parts that change when the tournament does. Countdowns: `drawTimes`. */
export function drawEvent(event) {
  clock(event);
  leaders(event);
  prizes(event);
  icm(event);
  pause(event);
}

const fact = (name, value) => h("p.fact", {}, h("span", {}, name), h("b", {}, value));

function clock(event) {
  const level = event?.level;
  draw($("#clock"), [level, event?.next_level, event?.players_left, event?.entrants, event?.average_stack, chosen("stack")], () =>
    level
      ? [
          h("p.now", {}, h("span", {}, level.is_break ? text.break : text.level(level.no)), h("b.left", {}, "")),
          h("p.blinds", {}, h("b", {}, blinds(level)), ante(level) ? h("span", {}, ante(level)) : null),
          event.next_level ? fact(text.next, blinds(event.next_level)) : null,
          event.entrants
            ? h("p.fact", {}, [
                ...[h("span", {}, text.players), h("b", {}, `${number(event.players_left)} / ${number(event.entrants)}`)],
                ...[h("span", {}, text.average), h("b", {}, stack(event.average_stack, event.average_bb ?? tenthsOf(event.average_stack, level)))],
              ])
            : null,
        ]
      : [],
  );
}

/** `left` ms of the level. */
export function drawTimes(left) {
  for (const node of document.querySelectorAll("#clock .left, #break .left")) say(node, minutes(left));
}

function leaders(event) {
  const standings = event?.standings?.slice(0, LEADERS) ?? [];
  const unit = standings[0] && stack(standings[0].stack, tenthsOf(standings[0].stack, event.level));
  draw($("#leaderboard"), [standings, unit], () =>
    standings.map((one) =>
      h("li.leader", {}, h("i.place", {}, number(one.place)), flag(one.country) ? h("span.flag", {}, flag(one.country)) : null, h("span", { dir: "auto" }, one.player), h("b", {}, stack(one.stack, tenthsOf(one.stack, event.level)))),
    ),
  );
}

function prizes(event) {
  const payouts = event?.payouts ?? [];
  const left = event?.players_left ?? 0;
  const out = new Map((event?.out ?? []).map((one) => [one.place, one]));
  draw($("#payouts"), [payouts, left, event?.out, event?.next_out, event?.pay_jump, event?.to_the_money, longest()], () => {
    const from = Math.max(0, Math.min(payouts.length, Math.max(left, 1)) - longest());
    const lines = payouts.slice(from, from + longest()).map((one) => {
      const who = out.get(one.place)?.player;
      const line = h("li.row", {}, h("i.place", {}, text.place(one.place)), h("span", { dir: "auto" }, who ?? ""), h("b", {}, money(one.cents)));
      line.classList.toggle("next", one.place === left);
      line.classList.toggle("paid", one.place > left);
      return line;
    });
    if (!lines.length) return [];
    const facts = [
      event.next_out ? fact(text.nextOut, money(event.next_out)) : null,
      event.pay_jump ? fact(text.payJump, `+${money(event.pay_jump)}`) : null,
      event.to_the_money ? h("p.fact", {}, h("span", {}, text.toMoney(event.to_the_money))) : null,
    ];
    return [h("h2", {}, text.payouts), h("ol", {}, lines), h("div.facts", {}, facts)];
  });
}

function icm(event) {
  const told = (event?.standings ?? []).filter((one) => one.icm !== null && one.icm !== undefined).slice(0, longest());
  draw($("#icm"), [told, event?.level, chosen("stack")], () => {
    if (!told.length) return [];
    const lines = told.map((one) => h("li.row", {}, h("span", { dir: "auto" }, one.player), h("i", {}, stack(one.stack, tenthsOf(one.stack, event.level))), h("b", {}, number(Math.round(one.icm / CENTS)))));
    return [h("h2", {}, text.icm), h("ol", {}, lines)];
  });
}

function pause(event) {
  const there = event?.on_break;
  draw($("#break"), [there, event?.level?.what, event?.next_level, event?.players_left], () =>
    there
      ? [
          h("h2", {}, event.level?.what || text.break),
          h("b.left", {}, ""),
          event.next_level ? h("p.fact", {}, h("span", {}, text.playOn), h("b", {}, blinds(event.next_level))) : null,
        ]
      : [],
  );
}

/** Two lines of the producer's. They stay while they move out. */
export function drawLowerThird(words) {
  if (!words?.title) return;
  draw($("#lower-third"), words, () => [h("p.title", { dir: "auto" }, words.title), words.line ? h("p.line", { dir: "auto" }, words.line) : null]);
}

export function drawTicker(lines) {
  const shown = lines.filter(Boolean).join("   •   ");
  if (shown) draw($("#ticker"), shown, () => h("p.crawl", { dir: "auto" }, shown));
}

/** Let the ticker's text run, once it is shown: it is measured. */
export function runTicker() {
  const line = $("#ticker .crawl");
  if (!line || line.dataset.runs || $("#ticker").hidden) return;
  line.dataset.runs = "yes";
  crawl(line, $("#ticker"));
}
