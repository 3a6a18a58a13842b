/** What the pages of a tournament share: its state, presses with their refusals, rows and undo. */
import { $, chips, h, many, say } from "../shared/dom.js";
import { pressed, preview, tell } from "../station/command.js";
import { confirm } from "../station/confirm.js";
import { frame } from "../station/frame.js";
import { ruleLink } from "../station/rule.js";
import { guard } from "../station/steady.js";
import { mine } from "../station/undo.js";
import { together } from "./state.js";

/** Whether this person may press; who may not reads. */
export const presses = Boolean($("#night").dataset.presses);
const before_event = document.body.dataset.at === "start"; // the one page that an empty venue needs

let sought = new URLSearchParams(location.search).get("do"); // what the control is called for which somebody came
let commands = {}; // what each takes, as the station has them
let seen = null; // the number of the newest record that this page has drawn

/** What the page shows now, to be sent with what is decided on it. */
export const seenNow = () => seen;

/** Calls `show(state)` for each state of the tournament: `night`, and what `channels` (`"field seats"`) add to it, put
 * together. `keys` and `handlers` as in `frame`. */
export function night(channels, show, keys = {}, handlers = {}) {
  const wanted = ["night", ...channels.split(" ").filter(Boolean)];
  const heard = {};
  const hear = (channel) => Object.assign((part) => {
    heard[channel] = part;
    const { open } = heard.night ?? {};
    if (open === undefined || (open && wanted.some((name) => !heard[name]))) return;
    const shown = open ? together(wanted.map((name) => heard[name])) : heard.night;
    $("#waiting").hidden = true;
    $("#no-event").hidden = open || before_event;
    $("#content").hidden = !open && !before_event;
    say($("#facts"), open ? [shown.name, shown.rulebook, leftOf(shown), stateOf(shown)].filter(Boolean).join(" · ") : "");
    if (open || before_event) showWhatIsThere(show, shown, wanted.some((name) => heard[name]?.cannot_show));
    seen = open ? shown.no : null;
    arrive();
  }, { bears_missing: true });
  const parts = Object.fromEntries(wanted.map((name) => [name, hear(name)]));
  frame({ commands: (shown) => (commands = shown), ...parts, ...handlers }, keys);
}

/** A page from which a part is missing draws what comes before the first thing that needs it. */
function showWhatIsThere(show, shown, lacks) {
  try {
    show(shown);
  } catch (error) {
    if (!lacks) throw error;
  }
}

/** Find sent somebody here for one control (`?do=Draw seats`): it gets the focus, and what asks first asks. */
export function arrive() {
  if (!sought) return;
  const all = ($("dialog[open]") ?? $("#content")).querySelectorAll("button, input, select, a.button");
  const fits = [...all].filter((node) => called(node).startsWith(sought) && node.checkVisibility() && !node.disabled);
  const node = fits.find((one) => one.dataset.mine) ?? fits[0];
  if (!node) return;
  sought = null;
  history.replaceState(null, "", location.pathname);
  node.scrollIntoView({ block: "center" });
  node.focus();
  if (node.asks?.()) node.click();
}

const called = (node) => (node.getAttribute("aria-label") ?? node.labels?.[0]?.textContent ?? node.textContent).trim();

/** As the clock counts them: who is out of chips is left until that is confirmed. */
const leftOf = ({ players_left, pending, entered }) => `${many(players_left + pending, "player")} left of ${entered}${pending ? `, ${pending} out of chips` : ""}`;
const stateOf = (state) => (state.control.cancelled ? "cancelled" : state.finished ? "finished" : state.started ? "" : "not started");

// ---------------------------------------------------------------- presses

/** The arguments that the station took; null where it took nothing. A wrong value is said at its field of `form`; what
 * the book forbids may be done with a reason; where the station asks which, one of its answers is pressed instead.
 * `drawn` is what the page showed when the person decided: the station refuses what overlooks something. */
export async function act(name, parameters = {}, form = null, drawn = seen) {
  if (form) clear(form);
  const known = drawn === null ? {} : { seen: drawn };
  try {
    tell((await pressed(name, { ...parameters, ...known })) || "Done");
    return parameters;
  } catch (error) {
    if (error.choices?.length) return askWhich(error, form);
    refused(name, parameters, error, form);
    return null;
  }
}

/** The station's question, with a button for each answer; what the answer that was pressed led to. */
function askWhich(error, form) {
  const dialog = $("#which");
  $("#which-says").replaceChildren(error.message, ...(error.rule ? [" ", ruleLink(error.rule)] : []));
  return new Promise((resolve) => {
    const nodes = error.choices.map(({ words, command, arguments: { seen: _, ...wanted } }) => {
      const node = h("button", { type: "button" }, words);
      node.addEventListener("click", async () => {
        dialog.removeEventListener("close", left);
        dialog.close();
        resolve(await act(command, wanted, form));
      });
      return node;
    });
    const left = () => resolve(null);
    dialog.addEventListener("close", left, { once: true });
    $("#which-choices").replaceChildren(...nodes);
    dialog.showModal();
  });
}

function refused(name, parameters, error, form) {
  if (form) fault(form, error);
  else tell(error.message, true);
  if (!form && error.rule) $("#said").append(" ", ruleLink(error.rule));
  const { foreseen: _, ...rest } = parameters;
  const may = (error.rule || error.about === "anyway") && !parameters.anyway && commands[name]?.fields.some((field) => field.name === "anyway");
  if (may) askAnyway(name, rest, error, form);
}

function askAnyway(name, parameters, error, form) {
  const dialog = $("#anyway");
  $("#anyway-why").replaceChildren(error.message, ...(error.rule ? [" ", ruleLink(error.rule)] : []));
  $("#anyway-form").onsubmit = async (event) => {
    event.preventDefault();
    const anyway = new FormData(event.target).get("anyway");
    dialog.close();
    event.target.reset();
    if ((await act(name, { ...parameters, anyway }, form)) && form) done(form);
  };
  dialog.showModal();
}

/** The server's words beside the field that they are about, or at the end of the form. */
export function fault(form, error) {
  const path = /`\$\.(\w+)/.exec(error.message)?.[1];
  const field = [error.about, path].filter(Boolean).map((about) => form.elements[about]).find(Boolean);
  const id = `${form.id}-fault`;
  const words = h("p.fault", { id, role: "alert" }, error.message, error.rule ? [" ", ruleLink(error.rule)] : null);
  if (!field?.closest) {
    form.append(words);
    return;
  }
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", id);
  field.closest("label").after(words);
  field.focus();
}

export function clear(form) {
  for (const words of form.querySelectorAll(".fault")) words.remove();
  for (const field of form.querySelectorAll("[aria-invalid]")) {
    field.removeAttribute("aria-invalid");
    field.removeAttribute("aria-describedby");
  }
}

/** What is typed into the forms with `data-keep` stands there again after the page was left, until it is carried out. */
export function keepTyped() {
  for (const form of document.querySelectorAll("form[data-keep]")) {
    for (const [name, value] of Object.entries(stored(form))) if (form.elements[name]) form.elements[name].value = value;
    form.addEventListener("input", () => store(form, Object.fromEntries(new FormData(form))));
    form.addEventListener("reset", () => store(form, null));
  }
}

const keyOf = (form) => `typed ${location.pathname} ${form.id}`;
function stored(form) {
  try {
    return JSON.parse(localStorage.getItem(keyOf(form))) ?? {};
  } catch {
    return {}; // a frame of another site has no storage
  }
}
function store(form, typed) {
  try {
    if (typed) localStorage.setItem(keyOf(form), JSON.stringify(typed));
    else localStorage.removeItem(keyOf(form));
  } catch {
    // as above
  }
}

/** A form that was carried out is empty again, and its dialog closed. */
function done(form) {
  clear(form);
  form.reset();
  form.closest("dialog")?.close();
}

/** `make(given)` is `[command, arguments]` for what was filled in. The field `quick` is empty at once, for the next
 * name to be typed while this one is on its way; what was refused is put back. `doubt(given)` are words to
 * ask first, with `foresee` (or where it says so) those of the station; `then(given, taken)` is called with the arguments
 * that the station took. */
export function onSubmit(selector, make, { quick = "", doubt = () => "", foresee = false, then = () => {} } = {}) {
  const form = $(selector);
  form?.addEventListener("submit", async (event) => {
    event.preventDefault();
    clear(form);
    const odd = unread(form);
    if (odd) return fault(form, { message: `${odd.value} is no ${odd.inputMode === "decimal" ? "amount: write 118.80" : "number: write 12,500"}.`, about: odd.name });
    const given = new FormData(form);
    const wanted = make(given);
    const send = async () => {
      const taken = await (quick ? sendNext(form.elements[quick], wanted, form) : sendForm(wanted, form, drawn ?? seen));
      drawn = null;
      if (taken) then(given, taken);
    };
    const yes = [...form.querySelectorAll("button:not([type=button])")].at(-1)?.textContent ?? "Do it";
    const said = now(foresee) ? await foreseen(...wanted, form) : "";
    if (said === null) return;
    if (said) wanted[1] = { ...wanted[1], foreseen: said };
    const text = [doubt(given), said].filter(Boolean).join("\n");
    if (text) confirm({ heading: `${yes}?`, text, yes, act: send });
    else send();
  });
  // What is typed was decided on what the page showed then.
  let drawn = null;
  form?.addEventListener("input", () => (drawn ??= seen));
}

async function sendForm(wanted, form, seen) {
  const pressed = form.querySelectorAll("button:not([type=button])");
  for (const one of pressed) one.disabled = true;
  const taken = await act(...wanted, form, seen);
  for (const one of pressed) one.disabled = false;
  if (taken) done(form);
  return taken;
}

async function sendNext(field, wanted, form) {
  const typed = field.value;
  field.value = "";
  field.focus();
  const taken = await act(...wanted, form);
  if (!taken && !field.value) field.value = typed;
  return taken;
}

/** A button for one command; `about` tells a screen reader what it is about, `sure` asks first; with `foresee` the
 * station says in the question what the command would do, and refuses it where that has changed; `then` is called where
 * the station took it. `sure`, `foresee` and `parameters` may be functions of the moment of the press. */
export function button(words, name, parameters = {}, { about = "", kind = "", sure = "", foresee = false, then = () => {} } = {}) {
  if (!presses) return null;
  const node = h("button", { type: "button", class: kind || null, "aria-label": about ? `${words}: ${about}` : null }, words);
  node.asks = () => Boolean(now(foresee) || now(sure)); // whether a press of this moment is a question first
  let sheet = null; // in which it stood when it was pressed: what the press does may draw it anew
  const send = async (wanted, drawn) => {
    // The row may go with its press, and the next one stand there: a second tap of the finger is not meant for that one.
    const list = [node.closest("ul, ol")].filter(Boolean);
    guard(list);
    node.disabled = true;
    const taken = await act(name, wanted, null, drawn);
    if (taken) then();
    node.disabled = false;
    guard(list);
    if (taken) sheet?.close();
  };
  node.addEventListener("click", async () => {
    const drawn = seen;
    sheet = node.closest("dialog");
    const [wanted, question, ask] = [now(parameters), now(sure), now(foresee)];
    if (!question && !ask) return send(wanted, drawn);
    node.disabled = true; // no second question while the first has no answer
    const said = ask ? await foreseen(name, wanted) : "";
    node.disabled = false;
    if (said === null) return;
    node.focus();
    const heading = sure || !about ? `${words}?` : `${words}: ${about}?`;
    const text = [question, said].filter(Boolean).join("\n");
    confirm({ heading, text, yes: words, act: () => send(ask ? { ...wanted, foreseen: said } : wanted, drawn) });
  });
  return node;
}

const now = (given) => (typeof given === "function" ? given() : given);

/** What the station says that the command would do; null where it refuses it, which is then said. */
export async function foreseen(name, wanted, form = null) {
  try {
    return await preview(name, wanted);
  } catch (error) {
    refused(name, wanted, error, form);
    return null;
  }
}

/** Takes back what a command did, after the station has said all that goes with it. `player`: of several who were
 * confirmed as out together, this one alone. */
export function undoButton(record, words = "Undo", player = undefined) {
  const node = button(words, "undo", { record: record.no, player }, { foresee: true });
  node?.setAttribute("aria-label", `${words}: ${record.text}`);
  if (mine(record)) node?.setAttribute("data-mine", "yes");
  return node;
}

/** Does again what the record took back, after the station has said what that is. */
export function redoButton(record) {
  const node = button("Do again", "redo", { record: record.no }, { foresee: true });
  node?.setAttribute("aria-label", `Do again: ${record.text}`);
  return node;
}

// ---------------------------------------------------------------- words

const FIGURES = /^-?(\d+|\d{1,3}([ ,\u00a0]\d{3})+)(\.\d+)?$/;

/** A number as typed: `12,500`, `12500`, `0.5`; null for nothing, NaN for what is none, as `118,80`. */
export function number(text) {
  const typed = `${text ?? ""}`.trim();
  if (!typed) return null;
  return FIGURES.test(typed) ? Number(typed.replaceAll(/[ ,\u00a0]/g, "")) : NaN;
}

/** An amount as typed, in cents; NaN also where it has more than two decimals. */
export function cents(text) {
  const amount = number(text);
  if (amount === null) return null;
  const whole = Math.round(amount * 100);
  return Math.abs(amount * 100 - whole) < 1e-6 ? whole : NaN;
}

/** The field of a form with figures that are none; null where all are. */
function unread(form) {
  const fields = [...form.querySelectorAll("input[inputmode]")];
  const decimals = (field) => (field.inputMode === "decimal" ? cents(field.value) : number(field.value));
  return fields.find((field) => Number.isNaN(decimals(field))) ?? null;
}
export const plain = (words) => words.replaceAll("_", " ");
export const at = ({ table, seat }) => `table ${table} seat ${seat}`;
export const namesOf = (state) => Object.fromEntries(state.field.map((one) => [one.player, one.name]));
/** Fields that were left empty are left out. */
export const filled = (given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== "" && value !== false));

export const row = (words, ...buttons) => h("li", {}, h("span", {}, words), h("div.choices", {}, buttons.flat()));
export const nothing = (words) => h("li.soft", {}, words);
/** The rule of a proposal as a link, and that the book itself is silent. */
export const law = (one) => (one.rule ? h("span.law", {}, ruleLink(one.rule), one.silent ? ` ${one.silent}` : "") : null);
export const where = (one) => (one.table ? `table ${one.table} seat ${one.seat}, ${one.stack === null ? "stack not known" : chips(one.stack)}` : "");
