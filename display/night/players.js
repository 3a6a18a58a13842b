/** The field: register, pay, seat, rebuy, bust and undo it, away and back. A row opens everything about a player. */
import { $, chips, draw, h, many, say } from "../shared/dom.js";
import { clockTime } from "../shared/time.js";
import { previewQuietly } from "../station/command.js";
import { clockNow } from "../station/frame.js";
import { linked, ruleLink } from "../station/rule.js";
import { hearTiles, openSeat, playsByHand } from "../station/by_hand.js";
import { act, at, button, filled, night, number, onSubmit, plain, presses, undoButton } from "./night.js";
import { folded, sayTakings, watchImport } from "./desk.js";
import { insteadButton } from "./player_instead.js";
import { offerPenalty } from "./player_penalty.js";
import { whatElse } from "./players_else.js";

const ROW = 54; // pixels
const AROUND = 8; // rows drawn above and below what is in sight
const TESTS = {
  unseated: (one) => one.status === "playing" && !one.table,
  away: (one) => one.away,
  may_rebuy: (one) => state.may_rebuy.includes(one.player),
};

let state = null;
let found = []; // entrants that the filter leaves
const query = new URLSearchParams(location.search);
let asked = query.get("player"); // whom another page means
let chosen = query.get("else") ?? ""; // and for what
let putOut = query.get("out"); // who is out, in an event by hand
const paying = []; // who was registered as paid and is not in the field yet: the name, and who was there before
const unseated = new Set(); // who has just paid and waits for a seat
let opened = ""; // the player whose sheet is open
let first = $("#register")?.elements.player; // what the page begins with
const rows = new Map(); // player -> its row

night("book field stacks seats prizes log tiles", (shown) => {
  state = shown;
  hearTiles(shown);
  if (presses && shown.money) sayTakings(shown);
  draw($("#waiting-do"), [shown.places.waiting, shown.proposals.lock_outs], () => waitingDo(shown));
  const away = shown.notices?.away;
  say($("#away-help"), away ? `Away: ${away.text} (${away.rule})` : "");
  first?.focus({ preventScroll: true });
  first = null;
  filter();
  takeEntries();
  seatThem();
  if (putOut && openSeat(putOut)) history.replaceState(null, "", location.pathname);
  putOut = null;
  if (asked && state.field.some((one) => one.player === asked)) open(asked);
  else if (opened) sheet();
  asked = null;
});

// ---------------------------------------------------------------- the list

function filter() {
  if (!state) return;
  const words = folded($("#filter-words").value).split(/\s+/).filter(Boolean);
  const status = $("#status").value;
  const keep = TESTS[status] ?? ((one) => !status || one.status === status);
  found = state.field.filter((one) => keep(one) && words.every((word) => wordsOf(one).includes(word)));
  found.sort((one, other) => rank(one) - rank(other));
  say($("#shown"), found.length === state.field.length ? many(found.length, "player") : `${found.length} of ${state.field.length} players`);
  $("#players").toggleAttribute("data-next", found.some(waits));
  $("#players").style.height = `${found.length * ROW}px`;
  drawRows();
}

const wordsOf = (one) => folded(`${one.name} ${one.player} ${one.status} table ${one.table ?? ""} ${one.place ? `place ${one.place}` : ""}`);

/** Who waits for a place: lots for the last ones, and the end of the list. */
function waitingDo({ places, proposals }) {
  if (!places.waiting) return [];
  const waiting = state.field.filter((one) => one.status === "waiting").map((one) => one.player);
  return [
    button(`Draw lots among the ${waiting.length} who wait`, "draw_lots", { players: waiting }, { foresee: true }),
    button("Lock out who waits", "lock_out", {}, { foresee: true, kind: proposals.lock_outs.length ? "primary" : "" }),
  ];
}

/** Who waits for something comes first, who is out last. */
const rank = (one) => (bustOf(one) || (state.started && one.status === "playing" && !one.table) ? 0 : one.status === "registered" && state.started ? 1 : one.status === "playing" || !state.started ? 2 : 3);

/** Only what is in sight, and the row that has the focus, is in the page. */
function drawRows() {
  const list = $("#players");
  const above = -list.getBoundingClientRect().top / ROW;
  const from = Math.max(0, Math.floor(above) - AROUND);
  const to = Math.min(found.length, Math.ceil(above + innerHeight / ROW) + AROUND);
  const wanted = new Map(found.slice(from, to).map((one, no) => [one.player, from + no]));
  for (const [player, node] of rows) {
    if (wanted.has(player)) continue;
    node.remove();
    rows.delete(player);
  }
  let last = null;
  for (const [player, no] of wanted) {
    const one = found[no];
    if (!rows.has(player)) rows.set(player, h("li"));
    const node = rows.get(player);
    node.style.top = `${no * ROW}px`;
    node.dataset.status = one.status;
    node.setAttribute("aria-setsize", found.length);
    node.setAttribute("aria-posinset", no + 1);
    const next = last ? last.nextSibling : list.firstChild;
    if (node !== next) list.insertBefore(node, next);
    draw(node, [one, state.started, bustOf(one) && [state.control.hand_for_hand, state.busts]], () => rowOf(one));
    last = node;
  }
}

function rowOf(one) {
  const seat = one.table ? at(one) : one.place ? `place ${one.place}` : "";
  const stack = one.table && one.stack !== null ? chips(one.stack) : "";
  const who = h("button.who", { type: "button" }, h("b", {}, one.name), h("span.state", {}, statusOf(one)), h("span.place", {}, seat), h("span.stack", {}, stack));
  who.addEventListener("click", () => open(one.player));
  const next = nextOf(one);
  next?.classList.add("next");
  return [who, next];
}

const statusOf = (one) => (one.status === "busted" ? "out of chips" : one.away ? "away" : plain(one.status));
const bustOf = (one) => state.busts.find((bust) => bust.out.some((out) => out.player === one.player));

/** Whether the row has a button for what is most likely done next. */
const waits = (one) => (playsByHand() && state.started && !state.finished && ["playing", "out"].includes(one.status)) || one.status === "registered" || bustOf(one) || (one.status === "playing" && (one.away || (!one.table && state.started)));

/** What is most likely done next with the player, one press away. */
function nextOf(one) {
  const who = { player: one.player };
  const about = { about: one.name };
  if (one.status === "registered") return payButton(one);
  if (one.status === "playing" && !one.table && state.started) return button("Seat", "seat_player", who, about);
  if (bustOf(one)) return outButton(one);
  if (one.status === "playing" && one.away) return button("Back", "return", who, about);
  if (playsByHand() && state.started && !state.finished) return nextByHand(one);
  return null;
}

/** By hand: out, and for who is out a rebuy as long as the book has one. */
function nextByHand(one) {
  if (one.status === "out" && state.tiles.rebuys && one.why_out === "busted") return button("Rebuy", "buy", { player: one.player, kind: "rebuy" }, { about: one.name, foresee: true });
  if (one.status !== "playing" || !one.table) return null;
  const node = h("button", { type: "button", "aria-label": `Out: ${one.name}` }, "Out");
  node.addEventListener("click", () => openSeat(one.player));
  return node;
}

/** Who comes late and pays gets a seat at once, where the book has not given one with the entry. */
function payButton(one, kind = "") {
  const then = () => {
    if (state.started) unseated.add(one.player);
    seatThem();
  };
  return button(state.started ? "Paid, seat" : "Paid", "enter", { player: one.player }, { about: one.name, kind, foresee: Boolean(state.started), then });
}

function seatThem() {
  for (const one of state.field.filter(({ player, status }) => unseated.has(player) && status === "playing")) {
    unseated.delete(one.player);
    if (!one.table) act("seat_player", { player: one.player });
  }
}

/** Hand for hand, who goes out in one round ranks together: one press for all. */
function outButton(one) {
  const busts = state.control.hand_for_hand === null ? [bustOf(one)] : state.busts;
  return button("Out", "confirm_bust", { busts: busts.map((bust) => bust.bust) }, { about: busts.flatMap((bust) => bust.names).join(" and ") });
}

addEventListener("scroll", drawRows, { passive: true });
addEventListener("resize", drawRows);
$("#filter-words").addEventListener("input", filter);
$("#status").addEventListener("input", filter);
$("#filter").addEventListener("submit", (event) => {
  event.preventDefault();
  if (found.length) open(found[0].player);
});

// ---------------------------------------------------------------- one player

function open(player) {
  opened = player;
  sheet();
  $("#player").showModal();
}
$("#player").addEventListener("close", () => (opened = ""));

function sheet() {
  const one = state.field.find((other) => other.player === opened);
  if (!one) return;
  const before = one.penalties;
  say($("#player-name"), one.name);
  const place = one.table ? `${at(one)}${one.stack === null ? "" : `, ${chips(one.stack)}`}` : one.place ? `place ${one.place}` : "";
  say($("#player-is"), [statusOf(one), place, one.entries > 1 && `${one.entries} entries`, one.member && "member", before && `${before} penalties`].filter(Boolean).join(" · "));
  draw($("#player-do"), [one, state.started, bustOf(one) && [state.control.hand_for_hand, state.busts], undoOf(one), state.add_on], () => doings(one));
  sayRebuy(one);
  askRebuy(one);
  say($("#player-paid"), one.paid_at ? `Paid to ${one.paid_to || "the station"}, ${clockTime(one.paid_at, state.zone)}.${state.money?.moved[one.player] ? ` Beside it ${(state.money.moved[one.player] / 100).toFixed(2)}.` : ""}` : "");
  offerPenalty(one, state);
  whatElse(one, state, chosen);
  chosen = "";
  const told = $("#told");
  if (told) told.hidden = one.status !== "playing" || one.away;
}

function doings(one) {
  const who = { player: one.player };
  const about = { about: one.name };
  const stack = one.stack ?? 0;
  const playing = one.status === "playing";
  const bust = bustOf(one);
  const undo = undoOf(one);
  const query = `?player=${encodeURIComponent(one.player)}`;
  return [
    one.status === "registered" && [
      payButton(one, "primary"),
      !one.signed_in && button("Signed in", "sign_in", who, about),
      !one.checked_off && button("Checked off", "check_off", who, about),
      !one.lateness_announced && button("Comes late", "announce_lateness", who, about),
      button("Off the list", "cancel", who, { ...about, sure: `${one.name} is taken off the list.` }),
    ],
    playing && !one.table && state.started && button("Seat", "seat_player", who, { ...about, kind: "primary" }),
    bust && [
      outButton(one),
      stillIn(one),
    ],
    playing && one.table && playsByHand() && state.started && !state.finished && outByHand(one),
    (playing || one.status === "busted" || (state.by_hand && one.why_out === "busted")) && state.started && rebuyButton(one, stack),
    playing && state.started && state.add_on && button("Add-on", "buy", { ...who, kind: "add_on", ...(state.by_hand ? {} : { stack }) }, { ...about, foresee: state.by_hand }),
    playing && (one.away ? button("Back", "return", who, about) : button("Away", "leave", who, about)),
    playing && one.table && state.started && h("a.button", { href: `/station/seats${query}` }, "Move"),
    one.status !== "cancelled" && !(playing && state.started) && h("a.button", { href: `/station/penalties${query}` }, "Penalty"),
    undo && undoButton(undo, "Undo the bust", undo.event.players?.length > 1 ? one.player : undefined),
    undo && insteadButton(one, state),
    one.status === "out" && button("Enter again", "enter", who, { ...about, sure: `${one.name} pays another entry.` }),
    playing && one.signed_in && !one.checked_off && button("Checked off", "check_off", who, about),
    playing && button("Refund", "refund", who, { ...about, foresee: true }),
    one.table && h("a.button", { href: `/slips${query}` }, "Seat slip"),
    one.entries > 0 && h("a.button", { href: `/receipts${query}` }, "Receipt"),
  ].flat();
}

// ---------------------------------------------------------------- a rebuy, and what it would do

const rebuys = new Map(); // player -> what the station says of a rebuy: { kind, said, rule }, with `drawn`, of when

/** In play or in the break, as the book has it now. */
const rebuyButton = (one, stack) => button("Rebuy", "buy", () => ({ player: one.player, kind: rebuys.get(one.player)?.kind ?? "rebuy", ...(state.by_hand ? {} : { stack }) }), { about: one.name, kind: "rebuy", foresee: state.by_hand });

/** Closes the sheet and opens the seat. */
/** Asks which chips come back, and from whom. */
function stillIn(one) {
  const node = h("button", { type: "button" }, "Still in");
  node.addEventListener("click", () => {
    whatElse(one, state, "still_in");
    $("#what-else").scrollIntoView({ block: "nearest" });
    $("#what-else").elements.chips.focus();
  });
  return node;
}

function outByHand(one) {
  const node = h("button.primary", { type: "button" }, "Out");
  node.addEventListener("click", () => {
    $("#player").close();
    openSeat(one.player);
  });
  return node;
}

/** Greyed with the reason where the book has none; the button itself stays, and with it the focus. */
function sayRebuy(one) {
  const { said = "", rule = "", refused = false } = rebuys.get(one.player) ?? {};
  const node = $("#player-do .rebuy");
  draw($("#rebuy-says"), node ? [said, rule] : "", () => (node ? [h("span", {}, linked(said)), rule ? h("span", {}, " ", ruleLink(rule)) : null] : []));
  node?.classList.toggle("greyed", refused);
  node?.setAttribute("aria-describedby", "rebuy-says");
}

/** Asks when the sheet opens and when something has changed since. */
async function askRebuy(one) {
  const drawn = JSON.stringify([one, state.busts, clockNow()?.level.is_break]);
  if (!presses || !state.started || !(["playing", "busted"].includes(one.status) || (state.by_hand && one.why_out === "busted")) || rebuys.get(one.player)?.drawn === drawn) return;
  rebuys.set(one.player, { ...rebuys.get(one.player), drawn });
  const kinds = clockNow()?.level.is_break ? ["break", "rebuy"] : ["rebuy", "break"];
  let first = null;
  for (const kind of kinds) {
    const wanted = { player: one.player, kind, stack: one.stack ?? 0 };
    const found = await previewQuietly("buy", wanted).then(
      (said) => ({ kind, said: `A rebuy: ${said.replaceAll("\n", " ")}`, drawn }),
      (error) => ({ kind, said: `No rebuy: ${error.message}`, rule: error.rule, refused: true, drawn }),
    );
    first ??= found;
    if (found.refused && kind !== kinds.at(-1)) continue;
    rebuys.set(one.player, found.refused ? first : found);
    break;
  }
  if (opened === one.player) sayRebuy(one);
}

/** The record that took the player out, where it can be taken back. */
function undoOf(one) {
  if (one.status !== "out") return null;
  return state.log.find((record) => record.no === one.out_by);
}

// ---------------------------------------------------------------- registration

/** One who was registered with *Paid* enters as soon as the field has the player; never somebody of the same name who
 * was there before. */
function takeEntries() {
  for (const one of [...paying]) {
    const is = ({ player, name }) => player === one.player || (!one.before.has(player) && name.replace(` (${player})`, "") === written(one.name));
    const player = state.field.find((entrant) => entrant.status === "registered" && is(entrant))?.player;
    if (!player) continue;
    paying.splice(paying.indexOf(one), 1);
    if (state.started) unseated.add(player);
    act("enter", { player });
  }
}

/** A name as the station keeps it. */
const written = (name) => name.normalize("NFC").replaceAll(/\s+/g, " ").trim();

/** Who is known by exactly what was typed: the id, or the only player of that spelling. Of any other the station asks. */
function knownAs(typed) {
  if (typed in state.known) return typed;
  const same = Object.entries(state.known).filter(([, name]) => name === typed);
  return same.length === 1 ? same[0][0] : "";
}

function registration(given) {
  given.before = new Set(state.field.map((one) => one.player));
  const typed = given.get("player").trim();
  const boxes = Object.fromEntries(["member", "adult", "regular", "online", "applied", "locked_out_before"].map((name) => [name, given.has(name)]));
  const there = state.field.find((one) => one.player === typed)?.player;
  const player = there ?? knownAs(typed);
  const more = filled({ ...boxes, born: given.get("born"), shown: given.get("shown") });
  return player ? ["register", { player, ...more }] : ["register_new", { name: typed, ...more }];
}

onSubmit("#register", registration, {
  quick: "player",
  then: (given, { player = "", name = "" }) => {
    if (given.has("paid")) paying.push({ player, name, before: given.before });
    takeEntries();
  },
});
watchAlike();
watchImport();
onSubmit("#told", (given) => ["leave", { player: opened, notified: true, minutes: number(given.get("minutes")) }]);
onSubmit("#keep-name", (given) => ["add_player", { name: given.get("name").trim(), id: given.get("id").trim() }]);

/** Known players whose names have what was typed stand below the field; a press, or the arrows and Enter, take one. */
function watchAlike() {
  const field = $("#register")?.elements.player;
  const list = $("#alike");
  if (!field) return;
  const show = () => {
    const typed = folded(field.value.trim());
    const alike = typed.length < 3 || !state ? [] : Object.entries(state.known).filter(([id, name]) => folded(name).includes(typed) || id === typed).slice(0, 6);
    draw(list, alike, () =>
      alike.map(([id, name]) => {
        const node = h("li", { role: "option", tabindex: "-1", "data-id": id, "aria-selected": "false" }, `${name} (${id})`);
        node.addEventListener("click", () => take(id));
        return node;
      }),
    );
    list.hidden = alike.length === 0;
    field.setAttribute("aria-expanded", String(alike.length > 0));
  };
  const take = (id) => {
    field.value = id;
    field.form.requestSubmit();
    show();
  };
  field.addEventListener("input", show);
  field.form.addEventListener("submit", () => setTimeout(show));
  field.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown" || list.hidden) return;
    event.preventDefault();
    list.firstChild.focus();
  });
  list.addEventListener("keydown", (event) => {
    const at = document.activeElement;
    if (event.key === "Enter") take(at.dataset.id);
    else if (event.key === "ArrowDown") (at.nextSibling ?? at).focus();
    else if (event.key === "ArrowUp") (at.previousSibling ?? field).focus();
    else return;
    event.preventDefault();
  });
}
