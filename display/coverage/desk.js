/** The desk of the coverage: what waits and what is out, with what a person may do to each line. */
import { $, h, minutes, say } from "../shared/dom.js";
import { press } from "../shared/press.js";
import { follow } from "../shared/stream.js";

const editing = new Map(); // line -> {en, de}, as typed so far
let desk = null;
let came = 0;

async function send(body, name) {
  const told = $("#told");
  try {
    say(told, "…");
    say(told, await press("/coverage/desk", body, (words) => say(told, words), { name }));
    told.dataset.refused = "false";
    return true;
  } catch (error) {
    say(told, error.message);
    told.dataset.refused = "true";
    return false;
  }
}

const button = (words, what, then = () => {}) => {
  const node = h("button", { type: "button", "data-do": what.do }, words);
  node.addEventListener("click", async () => (await send(what, words)) && then());
  return node;
};

/** How long until a line goes out, or what it waits for. */
function state(line) {
  if (line.state === "out") return line.pinned ? "Out, on top" : "Out";
  if (line.state === "withdrawn") return "Withdrawn: its source says otherwise now";
  if (line.state === "removed") return `Removed by ${line.by}`;
  if (line.stale) return "Its facts changed since it was edited: look again, then let it out";
  if (line.due_ms === undefined || line.due_ms === null) return line.state === "held" ? "Waits for a press" : "Held";
  return `Goes out in ${minutes(line.due_ms - (performance.now() - came))}`;
}

function entry(line) {
  const open = line.state === "waits" || line.state === "held";
  const waits = open && (line.due_ms === undefined || line.due_ms === null);
  const node = h("article.entry", { "data-line": line.id, "data-state": line.state });
  node.classList.toggle("held", waits);
  node.classList.toggle("stale", Boolean(line.stale));
  node.classList.add(line.state);
  const buttons = h("div.row");
  if (open) buttons.append(button("Let it out", { do: "out", line: line.id }), button("Hold", { do: "hold", line: line.id }));
  if (line.state === "out") buttons.append(button(line.pinned ? "Not on top" : "On top", { do: line.pinned ? "unpin" : "pin", line: line.id }));
  if (open || line.state === "out") {
    const edit = h("button", { type: "button", "data-do": "edit" }, "Edit");
    edit.addEventListener("click", () => {
      editing.set(line.id, { ...line.text });
      show();
    });
    buttons.append(edit, button("Remove", { do: "remove", line: line.id }));
  }
  const source = line.source || (line.kind === "note" ? `written by ${line.by}` : "the station");
  node.append(
    h("p.state", { "data-due": line.id }, state(line)),
    h("p.words", {}, line.text.en ?? ""),
    h("p.words.soft", { lang: "de" }, line.text.de ?? ""),
    h("p.facts", {}, [source, line.by && line.kind !== "note" ? `last by ${line.by}` : "", line.approved && open ? "let out" : ""].filter(Boolean).join(" · ")),
    editing.has(line.id) ? form(line) : buttons,
  );
  return node;
}

function form(line) {
  const typed = editing.get(line.id);
  const field = (language, words) => {
    const area = h("textarea", { maxlength: 600, lang: language, "data-edit": language });
    area.value = typed[language] ?? "";
    area.addEventListener("input", () => (typed[language] = area.value));
    return h("label", {}, words, area);
  };
  const stop = () => {
    editing.delete(line.id);
    show();
  };
  const keep = h("button.primary", { type: "button" }, "Say it so");
  keep.addEventListener("click", async () => (await send({ do: "edit", line: line.id, text: { ...typed } }, "Edit")) && stop());
  const back = h("button", { type: "button" }, "The words of its facts");
  back.addEventListener("click", async () => (await send({ do: "edit", line: line.id, text: {} }, "Edit")) && stop());
  const leave = h("button", { type: "button" }, "Leave it");
  leave.addEventListener("click", stop);
  return h("div.edit", {}, field("en", "English"), field("de", "German"), h("div.row", {}, keep, back, leave));
}

function show() {
  if (!desk) return;
  const wait = desk.wait_s === null || desk.wait_s === undefined ? "Nothing goes out now: nothing is on air." : desk.wait_s ? `No line goes out before it is ${minutes(desk.wait_s * 1_000)} old.` : "Public facts go out at once.";
  const how = desk.mode === "hold" ? "Each waits for a press." : `Then each waits ${desk.grace_s} s for a person, and goes out.`;
  say($("#mode-words"), `${wait} ${how}`);
  for (const one of document.querySelectorAll("[data-mode]")) one.setAttribute("aria-pressed", String(one.dataset.mode === desk.mode));
  const focus = document.activeElement?.matches("textarea[data-edit]") ? [document.activeElement.closest("[data-line]").dataset.line, document.activeElement.dataset.edit, document.activeElement.selectionStart] : null;
  $("#waiting").replaceChildren(...(desk.waiting.length ? desk.waiting.map(entry) : [h("p.soft", {}, "Nothing waits.")]));
  $("#out").replaceChildren(...(desk.out.length ? desk.out.map(entry) : [h("p.soft", {}, "Nothing is out.")]));
  if (focus) {
    const area = $(`[data-line="${CSS.escape(focus[0])}"] textarea[data-edit="${focus[1]}"]`);
    area?.focus();
    area?.setSelectionRange(focus[2], focus[2]);
  }
}

for (const one of document.querySelectorAll("[data-mode]")) one.addEventListener("click", () => send({ do: "mode", line: one.dataset.mode }, one.textContent));
$("#write").addEventListener("click", async () => {
  const [en, de] = [$("#write-en"), $("#write-de")];
  if (await send({ do: "write", text: { en: en.value, de: de.value } }, "The line")) en.value = de.value = "";
});
setInterval(() => {
  for (const line of desk?.waiting ?? []) {
    const node = $(`[data-due="${CSS.escape(line.id)}"]`);
    if (node) say(node, state(line));
  }
}, 500);
follow(
  {
    coverage_desk: (snapshot, { age }) => {
      desk = snapshot;
      came = performance.now() - age;
      show();
    },
  },
  (up) => ($("#link").hidden = up),
);
