/** Rules on the station's pages: the id leads to the book, the text stands beside it. */
import { h, say } from "../shared/dom.js";

const asked = new Map(); // id -> promise of its statement

export const ruleLink = (id) => h("a.rule", { href: `/rules#${id}` }, id);

/** The rule in one sentence, filled in when the server has answered. */
export function ruleText(id) {
  const node = h("span");
  if (!asked.has(id)) {
    const answer = fetch(`/api/rules/${encodeURIComponent(id)}`).then((said) => (said.ok ? said.json() : null));
    asked.set(id, answer.catch(() => null));
  }
  asked.get(id).then((rule) => rule && say(node, rule.statement));
  return node;
}
