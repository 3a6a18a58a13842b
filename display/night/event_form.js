/** The form of an event: settings as they are typed, what the book says of each, what is wrong, what follows. The
 * station reads what is typed (`plan_event`); nothing here knows what a setting means. */
import { $, draw, h, many, say } from "../shared/dom.js";
import { press } from "../shared/press.js";
import { confirm } from "../station/confirm.js";
import { ruleLink } from "../station/rule.js";
import { chipsOfClub, chipsTyped, drawChips, noteChips } from "./event_chips.js";
import { KINDS, kindOf } from "./event_kinds.js";
import { drawTemplates } from "./event_templates.js";
import { act, button, clear, fault, foreseen, number, presses, row } from "./night.js";

const PAUSE_MS = 500; // without a further letter
const KEY = "typed /station/start open";
const form = $("#open");
let typed = {}; // by setting; what is empty is the book's
let book = {}; // what it says, by setting
let left = new Set(); // settings whose field was left: what is wrong with them is said
let all = false; // everything that is wrong is said
let plan = null;
let asked = 0;
let timer = 0;
let shown = {}; // the state of the event
let loaded = null; // which settings of the open event stand in the form
let template = ""; // the one that was filled in

/** Draws what the form has to do with the event and with what is `kept`. */
export function eventForm(state, kept) {
  if (!form) return;
  const before = shown.open;
  shown = state;
  for (const node of form.querySelectorAll(".only-new")) node.hidden = Boolean(state.open);
  for (const node of form.querySelectorAll(".only-change")) node.hidden = !state.open;
  $("#from").hidden = state.open || !kept;
  $("#rules-of").hidden = !state.open;
  say($("#open-do"), state.open ? "Change the settings" : "Open the event");
  form.setAttribute("aria-label", state.open ? "Another book or other settings" : "Open the event");
  $("#by-hand-box").hidden = state.open || state.by_hand === undefined;
  if (before !== state.open) form.elements.by_hand.checked = Boolean(state.by_hand);
  if (state.open && form.parentElement !== $("#rules-of")) $("#rules-of").append(form);
  if (!state.open && form.parentElement === $("#rules-of")) $("#rules-of").after(form);
  if (kept) {
    noteChips(kept.own_chips);
    if (!state.open) drawTemplates(kept, fillIn, asTemplate);
  }
  if (before !== state.open) for (const part of document.querySelectorAll("#rules-of, #open details")) part.open = false;
  drawHouse(state);
  const settings = state.open ? JSON.stringify([state.rulebook, house(state).map(([name, one]) => [name, one.value])]) : "new";
  if (settings === loaded) return;
  const fresh = loaded === null;
  loaded = settings;
  if (!state.open && (fresh || before)) restore();
  ask({ whole: true, event: Boolean(state.open) });
}

const house = (state) => Object.entries(state.settings ?? {}).filter(([, one]) => one.house);

/** What the house has set over the book. */
function drawHouse(state) {
  const set = state.open ? house(state) : [];
  draw($("#house"), [set, state.rulebook], () => set.map(([name, one]) => row([one.says], button("As the book has it", "change_rules", { house: { [name]: null } }, { about: one.says, foresee: true }))));
}

// ---------------------------------------------------------------- what is typed

function set(name, text) {
  if (text) typed[name] = text;
  else delete typed[name];
  for (const field of fieldsOf(name)) if (field.value !== text) field.value = text;
}

const fieldsOf = (name) => form.querySelectorAll(`[data-setting="${name}"]`);

/** The form as `wanted` has it: `{ typed, name, rulebook, players, hours }`. */
function fillIn(wanted, from = "") {
  typed = { ...wanted.typed };
  template = from;
  left = new Set(Object.keys(typed));
  all = false;
  for (const name of ["name", "rulebook", "players", "hours", "rebuys"]) if (wanted[name] !== undefined) form.elements[name].value = wanted[name] || "";
  if (form.elements.rulebook.selectedIndex < 0) form.elements.rulebook.value = "";
  if (!form.elements.players.value) form.elements.players.value = "10";
  form.elements.kind.value = kindOf(typed);
  for (const field of form.querySelectorAll("[data-setting]")) field.value = typed[field.dataset.setting] ?? "";
  clear(form);
  store();
  ask({ whole: true });
}

/** What a template keeps of the form; null where something is wrong with it. */
async function asTemplate() {
  if (!(await sound())) return null;
  const { name, players, hours, rulebook } = form.elements;
  return { event: name.value.trim(), rulebook: rulebook.value, house: plan.house, players: number(players.value) || 0, hours: number(hours.value) || 0 };
}

function store() {
  if (shown.open) return;
  const { name, rulebook, players, hours, rebuys } = form.elements;
  try {
    localStorage.setItem(KEY, JSON.stringify({ typed, template, name: name.value, rulebook: rulebook.value, players: players.value, hours: hours.value, rebuys: rebuys.value }));
  } catch {
    // a frame of another site has no storage
  }
}

function restore() {
  let known = null;
  try {
    known = JSON.parse(localStorage.getItem(KEY));
  } catch {
    // as above
  }
  if (known) fillIn(known, known.template);
  else fillIn({ typed: {}, rulebook: "", hours: "", rebuys: "" });
  if (!known) forget();
}

function forget() {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // as above
  }
}

// ---------------------------------------------------------------- what the station makes of it

/** Asks the station what this comes to; later questions overtake earlier ones. `event`: the settings of the event that
 * is open are to stand in the form. */
async function ask({ whole = false, event = false } = {}) {
  clearTimeout(timer);
  const no = (asked += 1);
  const { rulebook, players, hours, rebuys } = form.elements;
  const wanted = {
    rulebook: rulebook.value,
    typed: event ? {} : typed,
    players: within(players.value, 1, 10_000) || 10,
    rebuys: within(rebuys.value, 0, 100_000),
    hours: shown.open ? 0 : within(hours.value, 0, 100),
    chips: chipsOfClub(),
    whole,
  };
  let answer;
  try {
    answer = JSON.parse(await press("/director", { command: "plan_event", arguments: wanted }));
  } catch (error) {
    if (no === asked) say($("#follows"), error.message);
    return null;
  }
  if (no !== asked) return null;
  if (answer.book) drawBook((book = answer.book));
  if (event) {
    typed = { ...answer.event };
    for (const field of form.querySelectorAll("[data-setting]")) field.value = typed[field.dataset.setting] ?? "";
    left = new Set();
    return ask();
  }
  plan = answer;
  drawPlan();
  return plan;
}

const within = (text, least, most) => Math.min(most, Math.max(least, number(text) || 0));

function soon(whole = false) {
  clearTimeout(timer);
  timer = setTimeout(() => ask({ whole }), PAUSE_MS);
}

function drawPlan() {
  draw($("#follows"), plan.says, () => plan.says.map((words) => h("p", {}, words)));
  drawChips(plan.chips);
  drawKinds();
  drawFaults();
}

/** What the book says stands under the field, and in the choice that leaves it so. */
function drawBook(says) {
  for (const node of form.querySelectorAll("[data-book]")) {
    const one = says[node.dataset.book];
    const own = one?.house ? "The station has set: " : "The book: ";
    draw(node, one ?? "", () => (one ? [own, one.typed || "none", " ", !one.house && one.rule && ruleLink(one.rule)] : ["The book says nothing."]));
  }
  for (const field of form.querySelectorAll("select[data-setting]")) {
    const one = says[field.dataset.setting];
    say(field.options[0], one ? `the book's: ${one.typed || "none"}` : "not said");
  }
  for (const field of form.querySelectorAll("input[data-setting]")) {
    const example = says[field.dataset.setting]?.typed || field.dataset.example;
    field.placeholder = says[field.dataset.setting] ? example : example && `such as ${example}`;
  }
}

const wrongOnes = () => plan?.faults.filter((one) => !one.warns) ?? [];

/** What is wrong stands at its field, once that was left. */
function drawFaults() {
  for (const node of form.querySelectorAll("[data-fault]")) {
    const name = node.dataset.fault;
    const one = plan.faults.find((found) => found.name === name && (all || left.has(name)));
    draw(node, one ?? "", () => (one ? [one.text, one.rule && " ", one.rule && ruleLink(one.rule)] : []));
    node.hidden = !one;
    node.classList.toggle("warns", Boolean(one?.warns));
    for (const field of name === "hours" ? [form.elements.hours] : node.parentElement.querySelectorAll("[data-setting]")) {
      if (one) field.setAttribute("aria-describedby", (node.id ||= `wrong-${name}`));
      else field.removeAttribute("aria-describedby");
      if (one && !one.warns) field.setAttribute("aria-invalid", "true");
      else field.removeAttribute("aria-invalid");
    }
  }
  const wrong = all ? wrongOnes() : [];
  draw($("#open-wrong"), wrong, () => wrong.map(wrongLine));
}

function wrongLine({ name, text }) {
  const link = h("a", { href: "#open" }, [titleOf(name), text].filter(Boolean).join(": "));
  link.addEventListener("click", (event) => {
    event.preventDefault();
    goTo(name);
  });
  return h("li", {}, link);
}

const titleOf = (name) => $(`[data-row="${name}"] label`, form)?.textContent ?? (name === "hours" ? "Hours of play" : "");

/** The field of a setting gets the focus, wherever it stands. */
function goTo(name) {
  if (name === "hours") return form.elements.hours.focus();
  let field = [...fieldsOf(name)].find((one) => one.checkVisibility());
  if (!field && [...fieldsOf(name)].length) field = fieldsOf(name)[0];
  if (!field) {
    openAll();
    field = fieldsOf(name)[0];
  }
  const details = field?.closest("details");
  if (details) details.open = true;
  field?.focus();
  return null;
}

/** Whether nothing is wrong with what is typed; else it is said. */
async function sound() {
  all = true;
  if (!(await ask())) return false;
  const wrong = wrongOnes();
  if (wrong.length) goTo(wrong[0].name);
  return !wrong.length;
}

// ---------------------------------------------------------------- kinds of event, and every other setting

/** The fields of the kind that was chosen, and those in which something stands. */
function drawKinds() {
  for (const part of form.querySelectorAll("[data-kinds]")) {
    const names = [...part.querySelectorAll("[data-setting]")].map((field) => field.dataset.setting);
    part.hidden = part.dataset.kinds !== form.elements.kind.value && !names.some((name) => typed[name] && typed[name] !== "0" && typed[name] !== "no");
  }
  for (const line of form.querySelectorAll("#all-settings [data-row]")) line.classList.toggle("stands-above", Boolean(aboveOf(line.dataset.row)));
  seek();
}

/** The field of a setting outside *More*, where it is shown. */
const aboveOf = (name) => [...fieldsOf(name)].find((field) => !field.closest("#all-settings") && !field.closest("[data-kinds][hidden]"));

function openAll() {
  const place = $("#all-settings");
  if (place.childElementCount) return;
  place.append($("#settings-template").content.cloneNode(true));
  for (const field of place.querySelectorAll("[data-setting]")) field.value = typed[field.dataset.setting] ?? "";
  drawBook(book);
  if (plan) drawPlan();
}

/** Of the settings those that have every word that is sought. */
function seek() {
  const words = $("#seek").value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const group of form.querySelectorAll("#all-settings .group")) {
    let here = 0;
    for (const line of group.querySelectorAll("[data-row]")) {
      const text = `${group.firstElementChild.textContent} ${line.textContent} ${line.dataset.row.replaceAll("_", " ")}`.toLowerCase();
      line.hidden = line.classList.contains("stands-above") || !words.every((word) => text.includes(word));
      here += !line.hidden;
    }
    group.hidden = !here;
    found += here;
  }
  say($("#sought"), words.length ? `${many(found, "setting")} found.` : "");
}

// ---------------------------------------------------------------- presses

/** The arguments of `open` for what is typed. */
function opening() {
  const { name, rulebook, by_hand } = form.elements;
  const wanted = { name: name.value.trim(), house: plan.house };
  if (rulebook.value) wanted.rulebook = rulebook.value;
  if (plan.levels.length) wanted.levels = plan.levels;
  if (template) wanted.template = template;
  if (shown.by_hand !== undefined) wanted.by_hand = by_hand.checked;
  return wanted;
}

async function send() {
  clear(form);
  const busy = $("#open-do");
  busy.disabled = true;
  const well = await sound();
  busy.disabled = false;
  if (!well) return;
  if (shown.open) await change();
  else if (!form.elements.name.value.trim()) fault(form, { message: "The event wants a name.", about: "name" });
  else if (await act("open", opening(), form)) {
    forget();
    all = false;
    template = "";
  }
}

/** Other settings for the event that is open: those that were taken out are the book's again. */
async function change() {
  const gone = house(shown).map(([name]) => name).filter((name) => !(name in plan.house));
  const wanted = { house: { ...Object.fromEntries(gone.map((name) => [name, null])), ...plan.house } };
  if (form.elements.rulebook.value) wanted.rulebook = form.elements.rulebook.value;
  if (form.elements.why.value.trim()) wanted.why = form.elements.why.value.trim();
  const said = await foreseen("change_rules", wanted, form);
  if (said === null) return;
  confirm({ heading: "Change the settings?", text: said, yes: "Change", act: () => act("change_rules", { ...wanted, foreseen: said }, form) });
}

if (form) {
  form.addEventListener("input", ({ target }) => {
    if (target.id === "seek") return seek();
    if (target.dataset.setting) set(target.dataset.setting, target.value.trim() ? target.value : "");
    store();
    soon();
    return null;
  });
  form.addEventListener("change", ({ target }) => {
    if (target.dataset.setting) left.add(target.dataset.setting);
    if (target.name === "hours") left.add("hours");
    if (target.name === "kind") {
      for (const [name, text] of Object.entries(KINDS[target.value] ?? {})) set(name, text);
      store();
    }
    if (target.id !== "seek") soon(target.name === "rulebook");
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
  chipsTyped(form, () => soon(), (made, owned) => {
    set("starting_chips", made);
    set("chip_set", owned);
    left.add("starting_chips");
    store();
    ask();
  });
  $("#more-settings").addEventListener("toggle", ({ target }) => target.open && openAll());
  $("#empty-form").addEventListener("click", () => {
    fillIn({ typed: {}, rulebook: "", hours: "", rebuys: "", players: "" });
    forget();
  });
  if (!presses) form.remove();
}
