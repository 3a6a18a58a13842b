/** Rules on the station's pages: an id opens its sentence over the page, and what is half done there stays. */
import { $, h, say } from "../shared/dom.js";

const asked = new Map(); // id -> promise of the rule

const IDS = /\b((?:wfp|rpl|ccp|cpp|home)\.[a-z]+\.\w+|tda\.\d+\w*)\b/; // of the program's books

/** A text with the ids of rules in it as links. */
export const linked = (text) => `${text}`.split(IDS).map((part, no) => (no % 2 ? ruleLink(part) : part));

export const ruleLink = (id) => h("a.rule", { href: `/rules#${id}` }, id);

/** The rule in one sentence, filled in when the server has answered. */
export function ruleText(id) {
  const node = h("span");
  ruleOf(id).then((rule) => rule && say(node, rule.statement));
  return node;
}

function ruleOf(id) {
  if (!asked.has(id)) {
    const answer = fetch(`/api/rules/${encodeURIComponent(id)}`).then((said) => (said.ok ? said.json() : null));
    asked.set(id, answer.catch(() => null));
  }
  return asked.get(id);
}

/** Opens the rule over the page; on a page without the dialog the link leads to the book. */
export async function openRule(id) {
  const rule = await ruleOf(id);
  if (!rule) {
    asked.delete(id); // the server is asked again
    location.href = `/rules#${id}`;
    return;
  }
  say($("#rule-heading"), rule.id);
  say($("#rule-statement"), rule.statement);
  say($("#rule-standing"), `${rule.standing} ${rule.source}.`);
  $("#rule-page").href = `/rules?book=all&q=${encodeURIComponent(rule.id)}`;
  $("#rule").showModal();
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a.rule");
  if (!link || !$("#rule") || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  openRule(link.textContent);
});
