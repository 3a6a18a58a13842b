/** Words and lists that fit their place: letters get smaller, never below 1/25 of the screen; lists turn pages. */
import { h } from "../shared/dom.js";

const LEAST = 0.041; // of the screen's height
const PAGE_MS = 8_000;
const STEP = 0.94;

const least = () => Math.ceil(LEAST * innerHeight * 10) / 10;

/** Letters of `node` as its style sheet has them, or as much smaller as its line needs; then it may wrap. */
export function fit(node) {
  const key = `${node.textContent}|${node.clientWidth}|${innerHeight}`;
  if (node.dataset.fitted === key) return;
  node.style.fontSize = "";
  node.classList.remove("wraps");
  let size = parseFloat(getComputedStyle(node).fontSize);
  while (node.scrollWidth > node.clientWidth + 1 && size > least()) {
    size = Math.max(least(), size * STEP);
    node.style.fontSize = `${size}px`;
  }
  node.classList.toggle("wraps", node.scrollWidth > node.clientWidth + 1);
  node.dataset.fitted = key;
}

/** A list that shows as many rows as its place has, and the next ones after some seconds: every screen at once. */
export class Pages {
  #node;
  #key = "";
  #rows = [];
  #at = 0;
  #starts = [0];

  constructor(node) {
    this.#node = node;
  }

  /** `rows` are elements made by `make` for `facts`; `columns` of them stand side by side. */
  show(facts, make, now) {
    const key = `${JSON.stringify(facts)}|${this.#node.clientWidth}|${this.#node.clientHeight}`;
    if (key !== this.#key) {
      this.#key = key;
      this.#rows = make();
      this.#divide();
      this.#at = -1;
    }
    const page = Math.floor(now / PAGE_MS) % this.#starts.length;
    if (page === this.#at) return;
    this.#at = page;
    this.#fill(this.#starts[page], this.#starts[page + 1]);
  }

  #divide() {
    this.#starts = [0];
    this.#node.replaceChildren(...this.#rows);
    let from = 0;
    while (this.#over() && this.#node.childElementCount > 1) {
      while (this.#over() && this.#node.childElementCount > 1) this.#node.lastElementChild.remove();
      from += this.#node.childElementCount;
      if (from >= this.#rows.length) break;
      this.#starts.push(from);
      this.#node.replaceChildren(...this.#rows.slice(from));
    }
  }

  #fill(from, to) {
    this.#node.replaceChildren(...this.#rows.slice(from, to));
    this.#node.dataset.pages = this.#starts.length;
  }

  #over() {
    return this.#node.scrollHeight > this.#node.clientHeight + 1 || this.#node.scrollWidth > this.#node.clientWidth + 1;
  }
}

export const row = (...cells) => h("li", {}, ...cells.map(([name, text]) => h(`span.${name}`, {}, text)));
