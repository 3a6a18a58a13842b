/** Small helpers for drawing. A part is drawn again only when what it shows has changed. */

import { amount, number } from "./language.js";

/** An element: `h("p.note", { title: "…" }, "text", child)`. Properties starting with `data-`, `aria-` and the
 * like are attributes; `null` and `false` leave one out. */
export function h(selector, attributes = {}, ...children) {
  const [tag, ...classes] = selector.split(".");
  const node = document.createElement(tag || "div");
  if (classes.length) node.className = classes.join(" ");
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

const drawn = new WeakMap();

/** Fill `node` with what `make()` returns unless `facts` are those of the last time. */
export function draw(node, facts, make) {
  const key = JSON.stringify(facts);
  if (drawn.get(node) === key) return;
  drawn.set(node, key);
  node.replaceChildren(...[make()].flat().filter(Boolean));
}

/** Set the text of `node` only when it differs, so that screen readers hear only news. */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export const $ = (selector, root = document) => root.querySelector(selector);

export { number as chips, amount as money };

/** `1 hand`, `1,200 hands` */
export const many = (count, noun) => `${number(count)} ${noun}${count === 1 ? "" : "s"}`;

/** `12:05`, or `1:02:05` from an hour on. Rounds up, so that 0:00 means over. */
export function minutes(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60];
  const hours = Math.floor(seconds / 3600);
  if (hours) return [hours, ...parts].map((part, i) => (i ? String(part).padStart(2, "0") : part)).join(":");
  return `${parts[0]}:${String(parts[1]).padStart(2, "0")}`;
}

/** Four-colour suits are a choice of this browser; in a frame that may keep nothing, of this page. */
export function suitsChoice(button) {
  let four = false;
  const show = () => {
    document.documentElement.dataset.suits = four ? "4" : "2";
    button?.setAttribute("aria-pressed", String(four));
  };
  try {
    four = localStorage.getItem("suits") === "4";
  } catch {
    // a frame of another site has no storage
  }
  button?.addEventListener("click", () => {
    four = !four;
    show();
    try {
      localStorage.setItem("suits", four ? "4" : "2");
    } catch {
      // as above
    }
  });
  show();
}
