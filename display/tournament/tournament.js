/** The director's tournament: lists of what is, buttons for what is next, a form for every command. */
import { $, chips, draw, h, minutes, money, say } from "../shared/dom.js";
import { follow } from "../shared/stream.js";
import { StationTime, ante, blinds, project } from "../shared/time.js";
import { together } from "../night/state.js";
import { pressed, tell } from "../station/command.js";

const CHANNELS = ["night", "book", "field", "stacks", "seats", "chips", "prizes", "penalties", "log"];
const heard = {};
const time = new StationTime();
const presses = Boolean($("#any"));
let clock = null;
let night = { open: false, names: {} };
let commands = {};

follow(
  {
    beat: (beat, { age }) => time.hear(beat.boot, beat.at, performance.now(), age),
    clock: (shown, { age }) => {
      clock = shown;
      time.hear(shown.boot, shown.at, performance.now(), age);
      showClock();
    },
    commands: (shown) => {
      commands = shown;
      showCommands();
    },
    ...Object.fromEntries(CHANNELS.map((channel) => [channel, (part) => hear(channel, part)])),
  },
  (up) => {
    $("#link").hidden = up;
    say($("#link"), "No connection to the station; what is shown may be old");
  },
);
setInterval(showClock, 500);

function hear(channel, part) {
  heard[channel] = part;
  if (heard.night?.open && CHANNELS.some((name) => !heard[name])) return;
  night = { names: {}, ...(heard.night?.open ? together(CHANNELS.map((name) => heard[name])) : heard.night) };
  show();
}

// ---------------------------------------------------------------- presses

/** Whether the station took it. What the book forbids the director may do with a reason. */
async function act(name, parameters = {}) {
  try {
    tell(await pressed(name, parameters));
    return true;
  } catch (error) {
    const words = error.rule ? `${error.message} (${error.rule})` : error.message;
    tell(words, true);
    const may = commands[name]?.fields.some((field) => field.name === "anyway");
    if (may && !parameters.anyway && error.rule) askAnyway(name, parameters, words);
    return false;
  }
}

function askAnyway(name, parameters, why) {
  const dialog = $("#anyway");
  say($("#anyway-why"), why);
  dialog.showModal();
  $("#anyway-no").onclick = () => dialog.close();
  $("#anyway-form").onsubmit = () => act(name, { ...parameters, anyway: new FormData($("#anyway-form")).get("anyway") });
}

function button(words, name, parameters, about = "") {
  if (!presses) return null;
  const node = h("button", { type: "button", "aria-label": about ? `${words}: ${about}` : null }, words);
  node.addEventListener("click", () => act(name, parameters));
  return node;
}

const row = (words, ...buttons) => h("li", {}, h("span", {}, words), h("div.choices", {}, buttons.flat()));

// ---------------------------------------------------------------- what is

function showClock() {
  if (!clock) return;
  const { level, left, running } = project(clock, time.at(performance.now()));
  say($("#left"), minutes(left));
  const words = [level.is_break ? "Break" : `Level ${level.no}`, blinds(level, chips), ante(level, chips)];
  say($("#level"), words.filter(Boolean).join(", ") + (running ? "" : ", paused"));
  if (!presses) return;
  draw($("#clock-do"), [night.open, night.started, running], () => [
    night.open && !night.started && button("Cards in the air", "start"),
    button(running ? "Pause" : "Resume", running ? "pause" : "resume"),
    button("Next level", "next_level"),
    night.open && button("1 minute more", "add_time", { by_ms: 60_000 }),
    night.open && button("1 minute less", "add_time", { by_ms: -60_000 }),
  ]);
}

function show() {
  $("#waiting").hidden = true;
  $("#open-section").hidden = night.open || !presses;
  showKnown();
  for (const id of ["decide", "moves", "field", "penalties", "tables", "money", "log"]) $(`#${id}`).closest("section").hidden = !night.open;
  if (!night.open) return;
  say($("#name"), night.name);
  const left = `${night.players_left} players left of ${night.field.filter((one) => one.entries).length}`;
  say($("#facts"), [night.rulebook, left, night.finished && "finished"].filter(Boolean).join(" · "));
  draw($("#published"), night.published, () => ["Published: ", ...Object.entries(night.published).flatMap(([what, at], no) => [no ? ", " : "", h("a", { href: at.href }, what)])]);
  const away = night.notices.away;
  say($("#away-help"), away ? `Away: ${away.text} (${away.rule})` : "");
  showDecide();
  draw($("#moves"), night.moves, () =>
    night.moves.length
      ? night.moves.map((move) =>
          row(
            `${move.name}: table ${move.start.table} seat ${move.start.seat} to table ${move.to.table} seat ${move.to.seat}, ${move.stage.replace("_", " ")}${move.rack === null ? "" : ` with ${chips(move.rack)}`}. ${move.why}`,
            move.stage === "confirmed" ? button("Withdraw", "withdraw_move", { move: move.move }, move.name) : null,
          ),
        )
      : h("li", {}, "Nobody."),
  );
  draw($("#field"), [night.field, night.started], () => night.field.map(entrantRow));
  showPenalties();
  draw($("#tables-do"), [night.started], () => [!night.started && button("Draw seats", "draw_seats")]);
  draw($("#tables"), night.tables, () => night.tables.filter((table) => table.open || table.seats.length).map(tableRow));
  draw($("#money"), [night.money, night.chips, night.best_hand], moneyRows);
  draw($("#log"), night.log, () => night.log.map(logRow));
  showClock();
}

/** The rule of a proposal, and that the book itself is silent. */
const law = (one) => `(${one.rule}) ${one.silent ?? ""}`.trim();

function showDecide() {
  const { moves, break: broken, absences, late_penalties: late, merges_missed: missed, buttons } = night.proposals;
  draw($("#decide"), [night.busts, night.proposals], () => {
    const rows = [
      ...night.busts.map((bust) =>
        row(
          `Table ${bust.table}, hand ${bust.hand}: ${bust.names.join(" and ")} out of chips${bust.may_rebuy.length ? "; a rebuy is open" : ""}`,
          button("Out", "confirm_bust", { busts: [bust.bust] }, bust.names.join(" and ")),
          bust.out.map((out, at) => button(`${bust.names[at]} is in`, "drop_bust", { bust: bust.bust, player: out.player, why: "the director's" })),
        ),
      ),
      broken && row(`Table ${broken.table} breaks at ${broken.left} players ${law(broken)}`, button("Break", "break_table", { table: broken.table }, `table ${broken.table}`)),
      ...moves.map((move) =>
        row(
          `${move.name}: table ${move.start.table} seat ${move.start.seat} to table ${move.to.table} seat ${move.to.seat}. ${move.why} ${law(move)}`,
          button("Move", "confirm_move", { player: move.player }, move.name),
        ),
      ),
      late.length &&
        row(
          `Late: ${late.map((one) => `${one.name} ${chips(one.chips)}`).join(", ")} ${law(late[0])}`,
          button("Take the chips", "dock_late_players", { level: Number(late[0].mark.split("-")[1]) }, "late players"),
        ),
      ...buttons.map((table) => row(`Table ${table}: so many are new that the button is drawn again`, button("Draw the button", "set_button", { table }, `table ${table}`))),
      ...missed.map((one) =>
        row(
          `${one.name} was in a time-out when the final table was formed (${one.rule})`,
          button("Out", "give_penalty", { player: one.player, reason: night.reasons.find((reason) => reason.rule === one.rule).name }, one.name),
        ),
      ),
      ...absences.map((one) => row(`${one.name} ${one.why}: ${one.left_ms ? `${minutes(one.left_ms)} left` : "time is up"} (${one.rule})`)),
    ].filter(Boolean);
    return rows.length ? rows : h("li", {}, "Nothing.");
  });
}

function entrantRow(one) {
  const player = { player: one.player };
  const where = one.table ? `table ${one.table} seat ${one.seat}, ${one.stack === null ? "?" : chips(one.stack)}` : "";
  const words = [one.name, one.status, one.place && `place ${one.place}`, where, one.away && "away"].filter(Boolean).join(" · ");
  const playing = one.status === "playing";
  return row(
    words,
    one.status === "registered" && [button("Enter", "enter", player, one.name), button("Cancel", "cancel", player, one.name)],
    playing && !one.table && night.started && button("Seat", "seat_player", player, one.name),
    (playing || one.status === "busted") && night.started && button("Rebuy", "buy", { ...player, kind: "rebuy", stack: one.stack ?? 0 }, one.name),
    playing && night.started && night.money.add_on && button("Add-on", "buy", { ...player, kind: "add_on", stack: one.stack ?? 0 }, one.name),
    playing && (one.away ? button("Back", "return", player, one.name) : button("Away", "leave", player, one.name)),
  );
}

function tableRow(table) {
  const seats = table.seats.map((one) => `${one.seat} ${one.name}${one.vacated ? " (out of chips)" : one.there ? "" : " (not there yet)"}`).join(", ");
  return row(
    [h("b", {}, `Table ${table.table}`), ` ${seats || "empty"}. Button ${table.facts?.button ?? table.button ?? "not drawn"}.`],
    !night.started && button("Draw the button", "set_button", { table: table.table }, `table ${table.table}`),
    night.started && table.open && button("Break", "break_table", { table: table.table }, `table ${table.table}`),
  );
}

// ---------------------------------------------------------------- penalties

const plain = (kind) => kind.replaceAll("_", " ");

/** How long a penalty is: `10 min`, `2 hands`, or nothing. */
const length = (given) => [given.minutes && `${given.minutes} min`, given.hands && `${given.hands} hands`].filter(Boolean).join(", ");

function showPenalties() {
  const names = Object.fromEntries(night.field.map((one) => [one.player, one.name]));
  const running = Object.fromEntries(night.time_outs.map((one) => [one.penalty, one]));
  draw($("#penalties"), [night.penalties, night.time_outs], () => {
    const rows = Object.entries(night.penalties).flatMap(([player, given]) =>
      given.map((one) => {
        const runs = running[one.penalty];
        const left = runs && [runs.left_ms && `${minutes(runs.left_ms)} left`, runs.hands && `${runs.hands} hands left`].filter(Boolean).join(", ");
        const words = [`${names[player] ?? player}: ${plain(one.kind)}`, length(one), `${one.reason} (${one.rule})`, one.penalty ? "" : one.day, runs && (left || "time is up")];
        return row(words.filter(Boolean).join(" · "), runs ? button("Call back", "end_time_out", { penalty: one.penalty }, names[player]) : null);
      }),
    );
    return rows.length ? rows : h("li", {}, "None.");
  });
  const form = $("#penalty");
  if (!form) return;
  draw(form.elements.player, names, () => night.field.map((one) => h("option", { value: one.player }, one.name)));
  draw($("#reasons"), night.reasons, () => night.reasons.map((one) => h("option", { value: one.name }, one.rule)));
  draw(form.elements.kind, night.penalty_kinds, () => [h("option", { value: "" }, "As the book has it"), ...night.penalty_kinds.map((kind) => h("option", { value: kind }, plain(kind)))]);
  sayReason();
}

/** What the book has for the reason, and what the player has behind them. */
function sayReason() {
  const { player, reason } = $("#penalty").elements;
  const known = night.reasons?.find((one) => one.name === reason.value.trim());
  const outcomes = known && known.outcomes.map(plain).join(known.choice ? " or " : ", then ");
  const before = (night.penalties?.[player.value] ?? []).length;
  const words = [
    known && `${known.rule}${known.origin === "base" ? " (usual practice)" : ""}: ${outcomes}.`,
    known?.choice && "A person chooses: name the penalty.",
    before && `Before: ${before} ${before === 1 ? "penalty" : "penalties"}.`,
  ];
  say($("#penalty-says"), words.filter(Boolean).join(" "));
}

$("#penalty")?.addEventListener("input", sayReason);
$("#penalty")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const given = new FormData(event.target);
  const wanted = { player: given.get("player"), reason: given.get("reason").trim() };
  if (given.get("kind")) wanted.kind = given.get("kind");
  if (number(given.get("minutes")) !== null) wanted.minutes = number(given.get("minutes"));
  if (number(given.get("hands")) !== null) wanted.hands = number(given.get("hands"));
  if (await act("give_penalty", wanted)) event.target.reset();
  sayReason();
});

// ---------------------------------------------------------------- money and chips

function moneyRows() {
  const { money: sums, chips: account, best_hand: best } = night;
  const names = Object.fromEntries(night.field.map((one) => [one.player, one.name]));
  const places = sums.payouts.map((pays, at) => `${at + 1}: ${money(pays)}`).join(", ");
  const box = sums.cash_counted === null ? "" : `, counted ${money(sums.cash_counted)}`;
  return [
    row(`Taken in ${money(sums.taken_in)}, purse ${money(sums.purse)}${sums.championship ? `, championship ${money(sums.championship)}` : ""}. In the cash box ${money(sums.cash_expected)}${box}.`),
    places && row(`Places pay ${places}.${sums.until_the_money ? ` ${sums.until_the_money} to go until the money, which is ${money(sums.min_cash)} at least.` : ""}`),
    ...Object.entries(sums.deals).map(([way, shares]) => row(`A deal, ${way}: ${Object.entries(shares).map(([player, cents]) => `${names[player]} ${money(cents)}`).join(", ")}.`)),
    ...Object.entries(sums.owed_for_rebuys).map(([player, cents]) => row(`${names[player]} owes ${money(cents)} for a rebuy that was announced.`, button("Paid", "buy", { player, kind: "rebuy" }, names[player]))),
    best.pool > 0 && row(`Best hand of the night, ${money(best.pool)}: ${best.hands.map((hand) => `${hand.name} ${hand.cards.join(" ")}`).join(", ") || "none was shown"}.`, !best.won && best.hands.length > 0 && button("Pay the best hand", "award_best_hand", {})),
    ...Object.entries(sums.owed)
      .filter(([player, owed]) => owed > (sums.paid[player] ?? 0))
      .map(([player, owed]) => row(`${names[player]}: ${money(owed - (sums.paid[player] ?? 0))}`, button("Pay", "pay_prize", { player }, names[player]))),
    row(`Chips: ${Object.entries(account).filter(([, sum]) => typeof sum === "number").map(([name, sum]) => `${name.replaceAll("_", " ")} ${chips(sum)}`).join(", ")}.`),
    account.set && row(`A stack of ${chips(account.set.worth)}: ${account.set.stack.map(([value, count]) => `${count} of ${chips(value)}`).join(", ")}, ${account.set.pieces} chips.${account.set.carries === null ? "" : ` The set is for ${account.set.carries} players.`}`),
    ...account.items.map((item) => row(`${item.name}, table ${item.table} seat ${item.seat}: counted ${chips(item.counted)}, by the records ${chips(item.expected)}; ${item.hands}. Count again.`)),
    ...account.to_count.map((one) => row(`Count table ${one.table}, ${one.why.replace("_", "-")}: seat ${one.seats.join(", ")}.`)),
  ].filter(Boolean);
}

function logRow(record) {
  const at = new Date(record.at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  const words = h(record.undone ? "span.undone" : "span", {}, `${record.no}. ${at} ${record.text} `, h("em", {}, record.by));
  return h("li", {}, words, record.can_undo ? button("Undo", "undo", { record: record.no }, `record ${record.no}`) : null);
}

// ---------------------------------------------------------------- forms

function showKnown() {
  if (presses) draw($("#known"), night.names, () => Object.entries(night.names).map(([id, name]) => h("option", { value: id }, name)));
}

const number = (text) => (text === null || text.trim() === "" ? null : Number(text.replaceAll(/[\s,]/g, "")));

$("#open")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const given = new FormData(event.target);
  const wanted = { name: given.get("name") };
  const house = {};
  if (number(given.get("starting_stack"))) house.starting_stack = number(given.get("starting_stack"));
  if (number(given.get("seats"))) house.seats_per_table = number(given.get("seats"));
  if (Object.keys(house).length) wanted.house = house;
  act("open", wanted);
});

$("#register")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const given = new FormData(event.target);
  const boxes = { member: given.has("member"), adult: given.has("adult") };
  const asked = given.get("player").trim();
  const taken = asked in night.names ? await act("register", { player: asked, ...boxes }) : await act("register_new", { name: asked, ...boxes });
  if (taken) event.target.reset();
});

$("#import")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  const given = new FormData(form);
  const parameters = { text: await given.get("list").text(), part: given.has("part") };
  try {
    say($("#import-said"), await pressed("import_players", parameters));
    form.reset();
  } catch (error) {
    say($("#import-said"), error.message);
  }
});

function showCommands() {
  if (!presses) return;
  draw($("#any"), Object.keys(commands), () => Object.keys(commands).sort().map((name) => h("option", { value: name }, name.replaceAll("_", " "))));
  showForm();
}

$("#any")?.addEventListener("change", showForm);

function showForm() {
  const name = $("#any").value;
  const wanted = commands[name];
  if (!wanted) return;
  say($("#any-text"), wanted.text);
  draw($("#any-form"), [name, wanted], () => [...wanted.fields.map(fieldOf), h("button.primary", {}, name.replaceAll("_", " "))]);
}

function fieldOf({ name, kind, required }) {
  if (kind === "yes") return h("label.box", {}, h("input", { type: "checkbox", name }), name.replaceAll("_", " "));
  const placeholder = kind === "json" ? "JSON" : null;
  return h("label", {}, name.replaceAll("_", " "), h("input", { name, required, placeholder, inputmode: kind === "number" ? "numeric" : null }));
}

$("#any-form")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const name = $("#any").value;
  const given = new FormData(event.target);
  const parameters = {};
  try {
    for (const field of commands[name].fields) {
      const text = given.get(field.name);
      if (field.kind === "yes") parameters[field.name] = given.has(field.name);
      else if (text.trim() !== "") parameters[field.name] = field.kind === "json" ? JSON.parse(text) : field.kind === "number" ? number(text) : text;
    }
  } catch (error) {
    tell(`That is no JSON: ${error.message}`, true);
    return;
  }
  act(name, parameters);
});
