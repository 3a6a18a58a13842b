/** What a page on air shows: what its address asks for, what the producer's programme says, and what a graphics
 * system sent to this page alone. */

import { WHOLE } from "./defaults.js";

const asked = new URLSearchParams(location.search);
const { feed, element } = document.body.dataset;

export const FEED = feed;
export const LANG = asked.get("lang") ?? "en";
export const FPS = Math.min(Math.max(Number(asked.get("fps")) || 0, 0), 240); // 0: as the browser draws
export const FOUR_SUITS = asked.get("suits") === "4"; // a colour for each suit
export const IS_PREVIEW = asked.get("source") === "preview";
export const LAYOUTS = ["nine", "six", "heads-up", "vertical"];

const WORD = /^[a-z0-9-]{1,40}$/;
const named = element ? [element] : (asked.get("show")?.split(",") ?? null);

/** What the producer has on air; `own`: what `update` was given here. `playing` is false after `stop`. */
export const state = { programme: {}, own: {}, playing: true };

/** An element is on where the programme says so; where it says nothing, where the address asks for it. */
export function isOn(name) {
  if (named && !named.includes(name)) return false;
  return state.own.elements?.[name] ?? state.programme.elements?.[name] ?? (named !== null || WHOLE.includes(name));
}

/** `layout`, `stack` or `skin`: the address's, else the programme's, else "". */
export function chosen(name) {
  const word = asked.get(name) || state.programme[name] || "";
  return WORD.test(word) ? word : "";
}

/** A ground to key out, and the two outputs for a keyer. */
export function ground() {
  const root = document.documentElement;
  const out = asked.get("out");
  if (out === "key" || out === "fill") {
    root.dataset.out = out;
    return;
  }
  const name = asked.get("bg");
  if (!name) return;
  const colour = /^[0-9a-f]{6}$/i.test(name) ? `#${name}` : name;
  if (!CSS.supports("color", colour)) return;
  root.dataset.out = "chroma";
  root.style.background = document.body.style.background = colour;
}
