/** While somebody types, the rules already here are narrowed; Enter asks the server. */
import { $, say } from "/static/shared/dom.js";

const field = $("#q");
const count = $("#count");
const asked = field.value.trim().toLowerCase();
const rules = [...document.querySelectorAll("#found > li")].map((item) => [item, item.textContent.toLowerCase()]);

function narrow() {
  const typed = field.value.trim().toLowerCase();
  // The server left out what lacks the words it was asked for: with fewer of them it must be asked again.
  if (!typed.startsWith(asked)) return;
  const words = typed.split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const [item, text] of rules) {
    item.hidden = typed !== asked && !words.every((word) => text.includes(word));
    if (!item.hidden) shown += 1;
  }
  say(count, shown === 1 ? "1 rule" : `${shown} rules`);
}

field.addEventListener("input", narrow);
for (const choice of document.querySelectorAll("#book, #handling")) {
  choice.addEventListener("change", () => choice.form.requestSubmit());
}
