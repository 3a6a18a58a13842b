/** `play() stop() next() update(data)`: what CasparCG, SPX and the template call on a page on air.
 *
 * They become events on `document`: `air:play`, `air:stop`, and `air:update` with what changes: `{lower_third: {title,
 * line} or null, ticker: [text] or null, elements: {name: on}}`. The page stands on air from the start, as a streaming
 * program expects; with `?play=wait` only from the first `play()` on. `<html data-on-air>` says which.
 * `?steps=seats,board,pot|leaderboard` has steps for `next()`. */
import { newsOf } from "../template/fields.js";

const CALLS = ["play", "stop", "next", "update"];

export function conventions() {
  const root = document.documentElement;
  const asked = new URLSearchParams(location.search);
  const tell = (name, detail) => document.dispatchEvent(new CustomEvent(`air:${name}`, { detail }));
  let texts = { title: "", line: "" };
  let steps = [];
  let step = 0;

  function stand(on) {
    root.dataset.onAir = on ? "yes" : "no";
    tell(on ? "play" : "stop");
  }

  const ofStep = () => Object.fromEntries(steps.flat().map((name) => [name, steps[step].includes(name)]));

  /** A text that is empty says nothing: then what the producer has on air stands. */
  function take(news) {
    const changes = { elements: {} };
    if (news.steps) {
      steps = news.steps;
      step = Math.min(step, Math.max(steps.length - 1, 0));
    }
    if (news.title !== undefined || news.line !== undefined) {
      texts = { title: news.title ?? texts.title, line: news.line ?? texts.line };
      changes.lower_third = texts.title || texts.line ? texts : null;
      changes.elements["lower-third"] = changes.lower_third ? true : undefined;
    }
    if (news.ticker !== undefined) {
      changes.ticker = news.ticker.length ? news.ticker : null;
      changes.elements.ticker = changes.ticker ? true : undefined;
    }
    Object.assign(changes.elements, ofStep(), news.elements);
    tell("update", changes);
  }

  const calls = {
    play: () => stand(true),
    stop: () => stand(false),
    next() {
      step = Math.min(step + 1, Math.max(steps.length - 1, 0));
      take({});
    },
    update(data) {
      const news = newsOf(data);
      if (news) take(news);
    },
  };
  Object.assign(window, calls);
  if (asked.get("play") === "wait") stand(false);
  else root.dataset.onAir = "yes";
  if (asked.has("steps")) calls.update({ steps: asked.get("steps") });
  if (window.parent === window) return;
  // In the frame of a template the same calls come as messages. Which page may frame this one, its policy says.
  window.addEventListener("message", ({ source, data }) => {
    if (source === window.parent && CALLS.includes(data?.feltwire)) calls[data.feltwire](data.data);
  });
  window.parent.postMessage({ feltwire: "ready" }, "*"); // no more than that this page is there
}
