/** Text that is never cut: what is measured here tells the style sheet how wide a line is, or how small it has to be. */

import { h } from "../shared/dom.js";

const at = 100; // pixels, for measuring
const LETTERS = "AŁЖΩ"; // one of each file of the typeface
const TYPEFACE_MS = 2_000; // without it the page is drawn in the typeface that the device has

// What is measured before the typeface is there would be wrong.
const loaded = document.fonts.load('1em "Feltwire"', LETTERS).catch(() => []);
await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, TYPEFACE_MS))]);

const context = document.createElement("canvas").getContext("2d");
const STEP = 0.05;
const SMALLEST = 0.4;

/** How wide `text` is, in ems of its font. A canvas knows no tabular figures: they are as wide as one in the page. */
export function ems(text, weight = 450) {
  context.font = `${weight} ${at}px ${getComputedStyle(document.body).fontFamily}`;
  const letters = text.replace(/\d/g, "");
  return context.measureText(letters).width / at + (text.length - letters.length) * digit();
}

let digitEms = 0;
function digit() {
  if (digitEms) return digitEms;
  const probe = h("span.probe", { "aria-hidden": "true" }, "0000000000");
  document.body.append(probe);
  digitEms = probe.getBoundingClientRect().width / 10 / parseFloat(getComputedStyle(probe).fontSize);
  probe.remove();
  return digitEms;
}

/** Let a line's font follow its width: the style sheet divides the room by `--em`. */
export function fitLine(node, text, weight, extra = 0) {
  node.style.setProperty("--em", Math.max(1, ems(text, weight) + extra + 0.1).toFixed(2));
}

/** Make the text of `node` as small as its box needs: `--fit` from 1 down. */
export function fitBox(node) {
  for (let share = 1; share >= SMALLEST; share -= STEP) {
    node.style.setProperty("--fit", share.toFixed(2));
    if (node.scrollHeight <= node.clientHeight + 1 && node.scrollWidth <= node.clientWidth + 1) return;
  }
}

const LONG_WORD = 18; // letters: a longer one is broken
const ONE_LINE = 7; // ems: a shorter name stays on one line

/**
 * A name on one line, or on two of about the same width: `[[first, how it ends], second]`. `lead` is the width in
 * ems of what stands before it. Breaks at a space or behind a hyphen, in a very long word anywhere.
 */
export function inTwoLines(name, lead = 0) {
  if (ems(name) + lead <= ONE_LINE) return [name];
  const breaks = [...name.matchAll(/[ -]/g)].map(({ index }) => index + 1).filter((index) => index < name.length);
  const longest = Math.max(...name.split(/[ -]/).map((word) => word.length));
  if (longest > LONG_WORD) breaks.push(...[...name].keys().filter((index) => index > 2 && index < name.length - 2));
  const width = (index) => Math.max(lead + ems(name.slice(0, index).trimEnd()), ems(name.slice(index)));
  const best = breaks.sort((one, other) => width(one) - width(other))[0];
  return best === undefined ? [name] : [name.slice(0, best), name.slice(best)];
}
