/** An event that no table reports: a press on a seat opens its player; the second one puts the player out. Who went out
 * in one hand is asked *who had more?*; rebuy, move and change of places say first what they change. */
import { $, chips, draw, h, say } from "../shared/dom.js";
import { clockTime } from "../shared/time.js";
import { command, mayPress, pressed, preview, previewQuietly, tell } from "./command.js";
import { confirm } from "./confirm.js";
import { ruleLink } from "./rule.js";

const SAME_HAND_MS = 15 * 60_000; // who is out for longer did not go out in this hand
const dialog = $("#by-hand");
const form = $("#by-hand-out");

let tiles = null; // as the station has it; null where tables report the event
let about = null; // the player of the dialog: { player, name, table, seat, stack, … }
let together = []; // who goes out in this hand beside this player: { player, name, out }
let asked = 0;

/** Whether this page may put somebody out by hand. */
export const playsByHand = () => Boolean(tiles && dialog && mayPress("put_out"));
export const tilesNow = () => tiles;

/** What the station says of the tables; the open dialog follows. */
export function hearTiles({ tiles: heard }) {
  tiles = heard;
  if (!about || !dialog?.open) return;
  const now = seatOf(about.player);
  if (!now) return dialog.close();
  about = now;
  show();
}

const seatOf = (player) => tiles?.tables.flatMap((table) => table.seats.map((seat) => ({ ...seat, table: table.table }))).find((one) => one.player === player) ?? null;
const others = () => tiles.tables.flatMap((table) => table.seats.map((seat) => ({ ...seat, table: table.table }))).filter((one) => one.player !== about.player);

/** Opens the player of a seat; whether there is one. */
export function openSeat(player) {
  const one = playsByHand() && seatOf(player);
  if (!one) return false;
  about = one;
  together = [];
  form.reset();
  $("#by-hand-count").reset();
  fault("");
  show();
  if (!dialog.open) dialog.showModal();
  (tiles.started && !tiles.finished ? $("#by-hand-press") : $("#by-hand [data-close]")).focus();
  foresee();
  return true;
}
dialog?.addEventListener("close", () => (about = null));

// ---------------------------------------------------------------- what the dialog shows

function show() {
  const { player, name, table, seat, stack, counted, away } = about;
  const out = tiles.started && !tiles.finished;
  say($("#by-hand-heading"), out ? `${name}: out?` : name);
  const count = stack === undefined ? "" : `${chips(stack)}, counted at ${clockTime(counted)}`;
  say($("#by-hand-at"), [`Table ${table}, seat ${seat}`, count, away && "away"].filter(Boolean).join(" · "));
  form.hidden = !out;
  say($("#by-hand-else-heading"), out ? "Not out" : "What else");
  const here = others().sort((a, b) => (b.table === table) - (a.table === table) || a.table.localeCompare(b.table) || a.seat - b.seat);
  const kept = { by: form.elements.by.value };
  draw(form.elements.by, [player, here.map((one) => one.player)], () => [h("option", { value: "" }, "Not said"), ...here.map(option)]);
  form.elements.by.value = here.some((one) => one.player === kept.by) ? kept.by : "";
  const went = tiles.outs.filter((one) => (one.table === table || tiles.hand_for_hand) && Date.now() - one.at < SAME_HAND_MS);
  const free = (one) => !together.some((other) => other.player === one.player);
  const also = [...here.filter((one) => one.table === table && free(one)).map(option), ...went.filter(free).map((one) => h("option", { value: one.player }, `${one.name}, already out`))];
  draw(form.elements.also, [player, together, here, went], () => [h("option", { value: "" }, together.length ? "Nobody else" : "Nobody"), ...also]);
  showRanks();
  drawDo();
  drawMove();
}

const option = (one) => h("option", { value: one.player }, `${one.name}, ${one.table === about.table ? "" : `table ${one.table} `}seat ${one.seat}`);

/** Of two: who had more. Of three and more: the order of their stacks; equal numbers had the same. */
function showRanks() {
  const node = $("#by-hand-ranks");
  const all = [{ player: about.player, name: about.name }, ...together];
  node.hidden = all.length < 2 || !tiles.ranked;
  draw(node, node.hidden ? "" : all, () => {
    if (node.hidden) return [];
    const legend = h("legend", {}, "Who had more?");
    if (all.length === 2) {
      const choices = [[0, `${all[0].name} had more`], [1, `${all[1].name} had more`], ["same", "The same"]];
      return [legend, ...choices.map(([value, words]) => h("label.box", {}, h("input", { type: "radio", name: "more", value, required: true }), words))];
    }
    const numbers = all.map((_, no) => no + 1);
    return [legend, ...all.map((one) => h("label.short", {}, one.name, h("select", { name: `rank ${one.player}`, required: true }, h("option", { value: "" }, "…"), ...numbers.map((no) => h("option", { value: no }, no === 1 ? "1, the most" : `${no}`)))))];
  });
}

/** Player -> rank, 1 the most chips. */
function ranks() {
  const all = [about.player, ...together.map((one) => one.player)];
  const given = new FormData(form);
  if (all.length < 2 || !tiles.ranked) return Object.fromEntries(all.map((player) => [player, 1]));
  if (all.length === 2) {
    const more = given.get("more");
    return Object.fromEntries(all.map((player, no) => [player, more === "same" || `${no}` === more ? 1 : 2]));
  }
  return Object.fromEntries(all.map((player) => [player, Number(given.get(`rank ${player}`))]));
}

form?.elements.also.addEventListener("change", () => {
  const player = form.elements.also.value;
  const out = tiles.outs.find((one) => one.player === player);
  const mates = out ? tiles.outs.filter((one) => one.hand === out.hand) : others().filter((one) => one.player === player);
  together.push(...mates.filter((one) => !together.some((other) => other.player === one.player)).map((one) => ({ player: one.player, name: one.name, out: Boolean(out) })));
  show();
  form.elements.also.value = "";
  $("#by-hand-ranks :is(input, select)")?.focus();
});
form?.addEventListener("change", () => foresee());

/** One press a player, who had fewest first: each is a record that can be taken back alone. */
function presses() {
  const given = new FormData(form);
  const rank = ranks();
  const gone = together.filter((one) => one.out).map((one) => one.player);
  const by = given.get("by") ? [given.get("by")] : [];
  const going = [about.player, ...together.filter((one) => !one.out).map((one) => one.player)].sort((one, other) => rank[other] - rank[one]);
  const anyway = (given.get("anyway") ?? "").trim();
  return going.map((player) => {
    const wanted = { player, ...(by.length && !going.includes(by[0]) ? { by } : {}), ...(anyway ? { anyway } : {}) };
    if (player === about.player && number(given.get("stack"))) wanted.stack = number(given.get("stack"));
    if (gone.length) {
      wanted.same_hand = gone[0];
      wanted.more_than = gone.filter((other) => rank[other] > rank[player]);
      wanted.level_with = gone.filter((other) => rank[other] === rank[player]);
    }
    gone.push(player);
    return wanted;
  });
}

const number = (text) => (/^\s*[\d ,]+\s*$/.test(text ?? "") ? Number(text.replaceAll(/[ ,]/g, "")) : 0);

/** What the press does, in the station's words; of several in one hand it says so once they are out. */
async function foresee() {
  const question = ++asked;
  if (form.hidden || together.length) return say($("#by-hand-says"), "");
  try {
    const said = await previewQuietly("put_out", presses()[0]);
    if (question === asked) say($("#by-hand-says"), said);
  } catch (error) {
    if (question === asked) fault(error.message, error.rule);
  }
}

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = $("#by-hand-press");
  if (button.disabled) return;
  button.disabled = true;
  fault("");
  try {
    const said = [];
    for (const wanted of presses()) said.push(await pressed("put_out", wanted));
    tell(said.join(" "));
    dialog.close();
  } catch (error) {
    fault(error.message, error.rule);
  }
  button.disabled = false;
});

function fault(words, rule = "") {
  $("#by-hand-fault").replaceChildren(words, ...(rule ? [" ", ruleLink(rule)] : []));
  $("#by-hand-anyway").hidden = !rule;
}

// ---------------------------------------------------------------- what else

function drawDo() {
  const { player, away } = about;
  draw($("#by-hand-do"), [player, away, tiles.rebuys, tiles.add_on, tiles.started], () => [
    tiles.started && tiles.rebuys && does("Rebuy", "buy", { player, kind: "rebuy" }, { player, kind: "break" }),
    tiles.started && tiles.add_on && does("Add-on", "buy", { player, kind: "add_on" }),
    away ? does("Back", "return", { player }) : does("Away", "leave", { player }),
    h("a.button", { href: `/station/players?player=${encodeURIComponent(player)}` }, "All about the player"),
  ]);
}

/** A button that asks with the words of the station; `otherwise` is tried where the book refuses the first. */
function does(words, name, wanted, otherwise = null) {
  const node = h("button", { type: "button" }, words);
  node.addEventListener("click", () => ask(words, name, wanted, otherwise));
  return node;
}

export async function ask(words, name, wanted, otherwise = null) {
  const who = about?.name ?? "";
  let text = "";
  try {
    text = await preview(name, wanted);
  } catch (error) {
    if (otherwise) return ask(words, name, otherwise);
    return fault(error.message, error.rule);
  }
  dialog.close();
  confirm({ heading: `${words}${who ? `: ${who}` : ""}?`, text, yes: words, act: () => command(name, { ...wanted, foreseen: text }) });
}

function drawMove() {
  const seats = tiles.tables.flatMap((table) => table.free.map((seat) => ({ table: table.table, seat, open: table.open })));
  const rank = (at) => (!at.open ? 2 : at.table === about.table ? 1 : 0); // a move is for another table, a new one last
  seats.sort((a, b) => rank(a) - rank(b));
  const swaps = others();
  draw($("#by-hand-move").elements.to, [about.player, seats, swaps], () => [
    h("optgroup", { label: "A free seat" }, seats.map((at) => h("option", { value: JSON.stringify({ to: { table: at.table, seat: at.seat } }) }, `table ${at.table} seat ${at.seat}${at.open ? "" : ", a new table"}`))),
    tiles.started || swaps.length ? h("optgroup", { label: "Change places with" }, swaps.map((one) => h("option", { value: JSON.stringify({ other: one.player }) }, `${one.name}, table ${one.table} seat ${one.seat}`))) : null,
  ]);
}

$("#by-hand-move")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const { to, other } = JSON.parse(new FormData(event.target).get("to"));
  const why = "the director's";
  if (other) ask("Change places", "swap_seats", { one: about.player, other, why });
  else ask("Move", "confirm_move", { player: about.player, to, why });
});

$("#by-hand-count")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const stack = number(new FormData(event.target).get("stack"));
  if (!stack) return fault("A whole number of chips, such as 12,500.");
  if (await command("count_stack", { player: about.player, stack })) dialog.close();
});
