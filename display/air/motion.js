/** Everything that moves on air. Only transforms and opacity change, so that no frame lays the page out anew; where
 * the streaming program asks for reduced motion, nothing moves. */
import { h } from "../shared/dom.js";
import { FPS } from "./options.js";

const FLIP_MS = 180;
const IN_MS = 220;
const OUT_MS = 180;
const FLIGHT_MS = 420;
const SWEEP_MS = 900;
const TICKER_PX_S = 110;
const still = matchMedia("(prefers-reduced-motion: reduce)");

let begun = false;

/** From now on things move: what stood when the page was opened, or opened again, does not come in. */
export const begin = () => (begun = true);

const isStill = () => still.matches || !begun;

/** With `?fps=` every move has as many steps as its frames. */
function move(node, frames, ms, options = {}) {
  if (isStill()) return null;
  const easing = FPS ? `steps(${Math.max(1, Math.round((ms * FPS) / 1_000))})` : (options.easing ?? "cubic-bezier(0.2, 0.7, 0.2, 1)");
  return node.animate(frames, { duration: ms, ...options, easing });
}

/** Show or hide a part, moving in or out; at once where nothing moves, or where it has to. */
export function setShown(node, on, atOnce = false) {
  if (atOnce && !on) {
    node.hidden = true;
    node.dataset.on = "no";
    return;
  }
  if ((node.dataset.on === "yes") === on) return;
  node.dataset.on = on ? "yes" : "no";
  for (const running of node.getAnimations()) running.cancel();
  if (on) {
    node.hidden = false;
    move(node, [{ opacity: 0, transform: "translateY(0.8rem)" }, { opacity: 1, transform: "none" }], IN_MS);
    return;
  }
  const leaving = move(node, [{ opacity: 1 }, { opacity: 0, transform: "translateY(0.8rem)" }], OUT_MS, { fill: "forwards" });
  if (!leaving) node.hidden = true;
  else {
    leaving.onfinish = () => {
      node.hidden = node.dataset.on === "no";
      leaving.cancel();
    };
  }
}

/** A card that was not there, or shows its face. */
export const flip = (node) => move(node, [{ transform: "rotateY(90deg)" }, { transform: "none" }], FLIP_MS);

export const appear = (node) => move(node, [{ opacity: 0 }, { opacity: 1 }], FLIP_MS);

/** Light across the winner's plate. */
export function sweep(node) {
  move(node, [{ transform: "translateX(-110%)" }, { transform: "translateX(110%)" }], SWEEP_MS, { easing: "ease-in-out" });
}

/** Chips from one place to another: `from` and `to` are boxes that were measured before anything was drawn. */
export function fly(from, to) {
  if (isStill() || !from?.width || !to?.width) return;
  const chip = h("i.chip");
  const layer = document.getElementById("flights");
  layer.append(chip);
  const at = (box) => `translate(${box.left + box.width / 2}px, ${box.top + box.height / 2}px)`;
  const going = move(chip, [{ transform: at(from) }, { transform: at(to), opacity: 0.9 }], FLIGHT_MS);
  going.onfinish = () => chip.remove();
}

/** What is left of a time, as a bar that runs out. */
export function drain(node, leftMs, ofMs) {
  for (const running of node.getAnimations()) running.cancel();
  const share = Math.min(1, leftMs / Math.max(ofMs, 1));
  node.style.transform = `scaleX(${share})`;
  if (still.matches) return;
  const steps = FPS ? { easing: `steps(${Math.max(1, Math.round((leftMs * FPS) / 1_000))})` } : { easing: "linear" };
  node.animate([{ transform: `scaleX(${share})` }, { transform: "scaleX(0)" }], { duration: leftMs, fill: "forwards", ...steps });
}

/** A line of text that runs through, again and again; where nothing moves it stands. */
export function crawl(node, frame) {
  for (const running of node.getAnimations()) running.cancel();
  const [wide, room] = [node.scrollWidth, frame.clientWidth];
  if (still.matches || !wide) return;
  const ms = ((wide + room) / TICKER_PX_S) * 1_000 * (1920 / Math.max(innerWidth, innerHeight));
  const easing = FPS ? `steps(${Math.round((ms * FPS) / 1_000)})` : "linear";
  node.animate([{ transform: `translateX(${room}px)` }, { transform: `translateX(${-wide}px)` }], { duration: ms, iterations: Infinity, easing });
}
