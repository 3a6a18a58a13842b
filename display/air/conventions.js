/** `play() stop() next() update(data)`: what CasparCG, SPX and the template call on a page on air.
 *
 * Each call is an event on `document`: `air:play`, `air:stop`, `air:next`, and `air:update` with what changes:
 * `{lower_third: {title, line} or null, ticker: [text], elements: {name: on}}`. The page stands on air from the start, as a
 * streaming program expects; with `?play=wait` only from the first `play()` on. `<html data-on-air>` says which. */
import { newsOf } from "../template/fields.js";

const CALLS = ["play", "stop", "next", "update"];

export function conventions() {
  const root = document.documentElement;
  const tell = (name, detail) => document.dispatchEvent(new CustomEvent(`air:${name}`, { detail }));
  const stand = (on) => {
    root.dataset.onAir = on ? "yes" : "no";
    tell(on ? "play" : "stop");
  };
  const calls = {
    play: () => stand(true),
    stop: () => stand(false),
    next: () => tell("next"),
    update(data) {
      const news = newsOf(data);
      if (news) tell("update", changesOf(news));
    },
  };
  Object.assign(window, calls);
  if (new URLSearchParams(location.search).get("play") === "wait") stand(false);
  else root.dataset.onAir = "yes";
  if (window.parent === window) return;
  // In the frame of a template the same calls come as messages. Which page may frame this one, its policy says.
  window.addEventListener("message", ({ source, data }) => {
    if (source === window.parent && CALLS.includes(data?.feltwire)) calls[data.feltwire](data.data);
  });
  window.parent.postMessage({ feltwire: "ready" }, "*"); // no more than that this page is there
}

function changesOf({ title, line, ticker, elements }) {
  const changes = {};
  if (title !== undefined || line !== undefined) changes.lower_third = title || line ? { title: title ?? "", line: line ?? "" } : null;
  if (ticker !== undefined) changes.ticker = ticker;
  if (elements !== undefined) changes.elements = elements;
  return changes;
}
