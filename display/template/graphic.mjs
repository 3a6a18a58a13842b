/** The graphic of a room for programs that play graphics: an OGraf Web Component, and what `feltwire.html` plays.
 *
 * With a feed (the address of a page on air) it shows that page and passes every call on, so that CUT, delay and look are
 * the relay's. Without one it draws a lower third and a ticker itself. It reads nothing but that public page. */
import { newsOf } from "./fields.js";

const MOTION_MS = 240;
const LOADS_MS = 3_000; // how long `load` waits for the page on air
const TICKER_S = 0.11; // of a character
const OWN = ["lower-third", "ticker"]; // what it can draw by itself
// Sizes are parts of the graphic's height and width, in older browsers of the window's.
const LOOK = `
:host { position: absolute; inset: 0; display: block; overflow: hidden; pointer-events: none; container-type: size; }
.own { --h: 1vh; --w: 1vw; }
@supports (width: 1cqh) { .own { --h: 1cqh; --w: 1cqw; } }
iframe { position: absolute; inset: 0; width: 100%; height: 100%; border: 0; background: transparent; }
.own { position: absolute; inset: 0; color: #fff; font: 600 calc(3 * var(--h))/1.25 "Feltwire", system-ui, "Liberation Sans", sans-serif; }
.third { position: absolute; left: calc(5 * var(--w)); bottom: calc(12 * var(--h)); max-width: calc(60 * var(--w)); padding: calc(1.4 * var(--h)) calc(2.4 * var(--h)); background: #10161df2; border-left: calc(0.6 * var(--h)) solid #2f9e6e; }
.third b { display: block; font-size: calc(4.4 * var(--h)); font-weight: 700; overflow-wrap: anywhere; }
.third span { display: block; font-size: calc(2.9 * var(--h)); color: #d5dde4; overflow-wrap: anywhere; }
.ticker { position: absolute; left: calc(5 * var(--w)); right: calc(5 * var(--w)); bottom: calc(5 * var(--h)); padding: calc(1 * var(--h)) 0; background: #10161df2; overflow: hidden; white-space: nowrap; }
.ticker span { display: inline-block; padding-left: 100%; font-size: calc(2.9 * var(--h)); animation: ticker linear infinite; }
@keyframes ticker { to { transform: translateX(-100%); } }
@media (prefers-reduced-motion: reduce) { .ticker { white-space: normal; padding: calc(1 * var(--h)) calc(2 * var(--h)); } .ticker span { padding: 0; animation: none; } }
[hidden] { display: none; }
`;
const EMPTY = { title: "", line: "", ticker: [], feed: "", steps: [], elements: {} };
const well = (more = {}) => ({ statusCode: 200, statusMessage: "OK", ...more });
const wrong = (why, statusCode = 400) => ({ statusCode, statusMessage: why });

export default class FeltwireGraphic extends HTMLElement {
  #root = this.attachShadow({ mode: "open" });
  #own = null;
  #frame = null;
  #origin = "";
  #isReady = false;
  #ready = Promise.resolve();
  #data = EMPTY;
  #step = -1; // -1: not on air
  #hear = (event) => this.#heard(event);

  /** `data`: the fields of the manifest. Nothing is painted before `playAction`. */
  async load({ data = {}, renderType = "realtime" } = {}) {
    if (renderType !== "realtime") return wrong("only real-time rendering is supported");
    const news = newsOf(data ?? {});
    const feed = news && addressOf(news.feed ?? "");
    if (!news) return wrong("data is no object of fields");
    if (feed === undefined) return wrong(`feed: ${news.feed} is no address of a page on air (http://relay:8083/air/feature)`);
    this.#clear();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(LOOK);
    this.#root.adoptedStyleSheets = [sheet];
    this.#own = element("div", "own");
    this.#own.hidden = true;
    this.#root.append(this.#own);
    window.addEventListener("message", this.#hear);
    this.#data = { ...EMPTY, ...news };
    this.#open();
    await this.#ready;
    return this.#frame && !this.#isReady ? well({ statusMessage: "the page on air does not answer yet" }) : well();
  }

  async playAction({ delta = 1, goto, skipAnimation = false } = {}) {
    const target = goto ?? this.#step + delta;
    if (!this.#own) return wrong("it is not loaded", 409);
    if (!Number.isInteger(target) || target < 0) return wrong(`there is no step ${target}`);
    if (target >= this.stepCount) return { ...(await this.stopAction({ skipAnimation })), currentStep: undefined };
    const wasOff = this.#step < 0;
    this.#step = target;
    this.#draw();
    if (this.#frame) this.#frame.style.opacity = "1";
    if (wasOff) this.#send("play");
    if (wasOff) await this.#move(true, skipAnimation);
    return well({ currentStep: this.#step });
  }

  async stopAction({ skipAnimation = false } = {}) {
    if (!this.#own) return wrong("it is not loaded", 409);
    const wasOn = this.#step >= 0;
    this.#step = -1;
    this.#send("stop");
    if (wasOn) await this.#move(false, skipAnimation);
    if (this.#step < 0 && this.#frame) this.#frame.style.opacity = "0";
    return well();
  }

  async updateAction({ data } = {}) {
    if (!this.#own) return wrong("it is not loaded", 409);
    const news = data === undefined ? null : newsOf(data);
    if (!news) return wrong("data is no object of fields");
    if (addressOf(news.feed ?? "") === undefined) return wrong(`feed: ${news.feed} is no address of a page on air`);
    const { feed, steps } = this.#data;
    this.#data = { ...this.#data, ...news, elements: { ...this.#data.elements, ...news.elements } };
    if (this.#data.feed !== feed || String(this.#data.steps) !== String(steps)) this.#open();
    this.#step = Math.min(this.#step, this.stepCount - 1);
    this.#draw();
    return well();
  }

  async customAction({ id } = {}) {
    return wrong(`there is no action ${id}`, 404);
  }

  /** Real-time only, as the manifest says. */
  async goToTime() {
    return wrong("only real-time rendering is supported", 501);
  }

  async setActionsSchedule() {
    return wrong("only real-time rendering is supported", 501);
  }

  async dispose() {
    this.#clear();
    return well();
  }

  get stepCount() {
    return this.#data.steps.length || 1;
  }

  get currentStep() {
    return this.#step;
  }

  #clear() {
    window.removeEventListener("message", this.#hear);
    this.#root.replaceChildren();
    this.#own = this.#frame = null;
    this.#isReady = false;
    this.#data = EMPTY;
    this.#step = -1;
  }

  /** The frame with the page on air; none without a feed. */
  #open() {
    this.#frame?.remove();
    this.#frame = null;
    this.#isReady = false;
    this.#ready = Promise.resolve();
    const address = addressOf(this.#data.feed);
    if (!address) return;
    const all = [...new Set([...this.#data.steps.flat(), ...OWN])];
    if (all.length > OWN.length) address.searchParams.set("show", all.join(","));
    address.searchParams.set("play", "wait");
    this.#origin = address.origin;
    this.#frame = element("iframe");
    this.#frame.title = "On air";
    this.#frame.style.opacity = this.#step < 0 ? "0" : "1";
    this.#frame.src = address.href;
    this.#ready = new Promise((resolve) => {
      this.#frame.resolve = resolve;
      setTimeout(resolve, LOADS_MS);
    });
    this.#root.prepend(this.#frame);
  }

  #heard({ source, origin, data }) {
    if (!this.#frame || source !== this.#frame.contentWindow || origin !== this.#origin || data?.feltwire !== "ready") return;
    this.#isReady = true;
    this.#draw();
    if (this.#step >= 0) this.#send("play");
    this.#frame.resolve();
  }

  #send(call, data) {
    if (this.#isReady) this.#frame.contentWindow.postMessage({ feltwire: call, data }, this.#origin);
  }

  #draw() {
    const { title, line, ticker, steps, elements } = this.#data;
    const now = steps[Math.max(this.#step, 0)];
    const switched = Object.fromEntries(steps.flat().map((name) => [name, now.includes(name)]));
    if (this.#frame) {
      this.#own.replaceChildren();
      this.#send("update", { title, line, ticker, ...switched, ...elements });
      return;
    }
    const shows = (name) => elements[name] ?? (!now || now.includes(name) || !now.some((one) => OWN.includes(one)));
    const parts = [];
    if ((title || line) && shows("lower-third")) parts.push(element("div", "third", element("b", "", title), element("span", "", line)));
    if (ticker.length && shows("ticker")) {
      const text = ticker.join("  ·  ");
      const moving = element("span", "", text);
      moving.style.animationDuration = `${Math.max(10, 8 + text.length * TICKER_S)}s`;
      parts.push(element("div", "ticker", moving));
    }
    this.#own.replaceChildren(...parts);
  }

  /** In or out. A call that comes meanwhile ends the motion. */
  async #move(isIn, skipAnimation) {
    const own = this.#own;
    own.getAnimations().forEach((one) => one.cancel());
    if (isIn) own.hidden = false;
    if (!skipAnimation && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
      const off = { opacity: 0, transform: "translateY(2%)" };
      const on = { opacity: 1, transform: "none" };
      const motion = own.animate(isIn ? [off, on] : [on, off], { duration: MOTION_MS, easing: "ease-out" });
      await motion.finished.catch(() => {});
    }
    own.hidden = this.#step < 0;
  }
}

/** The address of a page on air; null for none, undefined for what is none. A bare word is a feed of this server. */
function addressOf(feed) {
  if (!feed) return null;
  try {
    const address = /^[\w-]+$/.test(feed) ? new URL(`/air/${feed}`, document.baseURI) : new URL(feed);
    return /^https?:$/.test(address.protocol) && address.pathname.startsWith("/air/") ? address : undefined;
  } catch {
    return undefined;
  }
}

function element(tag, name = "", ...parts) {
  const node = document.createElement(tag);
  if (name) node.className = name;
  node.append(...parts); // texts, never markup
  return node;
}
