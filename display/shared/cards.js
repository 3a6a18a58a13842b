/** Playing cards drawn as text and our own suit shapes: faces, backs and empty places. */
import { h } from "./dom.js";
import { t } from "./language.js";

const SHAPES = {
  s: "M16 2C12 8 4 13 4 20a6 6 0 0 0 10 4.5C14 27 13 29 11 30h10c-2-1-3-3-3-5.5A6 6 0 0 0 28 20C28 13 20 8 16 2Z",
  h: "M16 29C8 22 3 17 3 10.5A6.5 6.5 0 0 1 16 8a6.5 6.5 0 0 1 13 2.5C29 17 24 22 16 29Z",
  d: "M16 1.5 27 16 16 30.5 5 16Z",
  c: "M16 2a6.5 6.5 0 0 0-5.5 10A6.5 6.5 0 1 0 14 23.5C14 27 13 29 11 30h10c-2-1-3-3-3-6.5A6.5 6.5 0 1 0 21.5 12 6.5 6.5 0 0 0 16 2Z",
};
const suits = () => ({ s: t("spades"), h: t("hearts"), d: t("diamonds"), c: t("clubs") });
const ranks = () => ({ A: t("ace"), K: t("king"), Q: t("queen"), J: t("jack"), T: t("ten") });

export const BACK = "??";

/** A card by its text, `"Ah"`; `"??"` is a back. */
export function card(text) {
  if (text === BACK) return h("span.card.back", { role: "img", "aria-label": t("card face down") });
  const [rank, suit] = text;
  const face = h("span.card", { role: "img", "aria-label": named(text), "data-suit": suit });
  face.append(h("b", {}, rank === "T" ? "10" : rank), shape(suit));
  return face;
}

/** `ace of hearts` */
export const named = ([rank, suit]) => t("{rank} of {suit}", { rank: ranks()[rank] ?? rank, suit: suits()[suit] });

/** A place where no card lies yet. */
export const slot = () => h("span.card.slot", { "aria-hidden": "true" });

function shape(suit) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 32 32");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", SHAPES[suit]);
  svg.append(path);
  return svg;
}
