/** Follows channels of this server for as long as the page lives. What the server cannot show of one is said at the
 * top of the page; the rest of the page goes on. */
import { $, draw, h } from "./dom.js";
import { t } from "./language.js";
import { hearNow, lineStands } from "./press.js";

const SILENT_MS = 2_600; // the process beats each second, and within three it is said that it does not
const DEAD_MS = 10_000; // a stream that is silent for so long is opened again
const LOOK_MS = 250;
const REOPEN_MS = 2_000;

/**
 * Call `handlers[channel](snapshot, { age })` for the latest snapshot of each channel and every newer one.
 * `age` is how long ago, in milliseconds, the snapshot was published when the server sent it.
 * `onLink(up)` is called when the stream is lost and when it is back.
 */
export function follow(handlers, onLink = () => {}) {
  const query = Object.keys(handlers).map((channel) => `channel=${encodeURIComponent(channel)}`).join("&");
  let source = null;
  let heard = performance.now();
  let opened = heard;
  let up = null;

  const link = (now) => {
    if (now !== up) onLink((up = now));
    document.body.dataset.line = now ? "up" : "lost"; // lamps go out with it
    lineStands(now);
  };

  function open() {
    source?.close();
    source = new EventSource(`/events?${query}`);
    opened = performance.now();
    let age = 0;
    const hear = () => {
      heard = performance.now();
      link(true);
    };
    source.addEventListener("alive", hear);
    source.addEventListener("now", (event) => hearNow(JSON.parse(event.data)));
    source.addEventListener("age", (event) => (age = JSON.parse(event.data).ms));
    source.addEventListener("error", () => link(false));
    for (const [channel, handle] of Object.entries(handlers)) {
      source.addEventListener(channel, (event) => {
        if (!age) hear();
        const snapshot = JSON.parse(event.data);
        sayNotShown(channel, snapshot.cannot_show);
        if (!isMissing(snapshot) || handle.bears_missing) handle(snapshot, { age });
        age = 0;
      });
    }
  }

  // A browser opens six streams to one server; a page that nobody sees must not keep one from a page in use.
  document.addEventListener("visibilitychange", () => (document.hidden ? source.close() : open()));

  // A process that hangs and a dead network say nothing at all.
  setInterval(() => performance.now() - heard > SILENT_MS && link(false), LOOK_MS);

  // A browser gives up after some errors.
  setInterval(() => {
    if (document.hidden) return;
    if (source.readyState === EventSource.CLOSED) refused().then((so) => so && location.reload());
    if (performance.now() - opened > DEAD_MS && performance.now() - heard > DEAD_MS) open();
    else if (source.readyState === EventSource.CLOSED) open();
  }, REOPEN_MS);

  // After its session has ended a browser gets the public page with the link for signing in.
  async function refused() {
    const answers = Object.keys(handlers).map((channel) => fetch(`/api/${channel}`).catch(() => null));
    return (await Promise.all(answers)).some((answer) => answer?.status === 403);
  }
  open();
}

/** Nothing of the channel can be shown. */
const isMissing = (snapshot) => Boolean(snapshot?.cannot_show) && Object.keys(snapshot).length === 1;

const missing = new Map(); // channel -> what of it cannot be shown

function sayNotShown(channel, said = []) {
  if (!said.length && !missing.has(channel)) return;
  missing.set(channel, said);
  if (!$("#not-shown")) ($("main") ?? document.body).prepend(h("div.not-shown", { id: "not-shown", role: "alert" }));
  const all = [...missing.values()].flat();
  draw($("#not-shown"), all, () => all.map((words) => h("p", {}, t("{fault} What stands here of it is missing or old.", { fault: words }))));
}
