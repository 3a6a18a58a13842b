/** Follows channels of this server for as long as the page lives. */
import { hearNow, lineStands } from "./press.js";

const SILENT_MS = 25_000; // the server speaks at least every ten seconds
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
  let up = null;

  const link = (now) => {
    if (now !== up) onLink((up = now));
    lineStands(now);
  };

  function open() {
    source?.close();
    source = new EventSource(`/events?${query}`);
    heard = performance.now();
    let age = 0;
    const hear = () => {
      heard = performance.now();
      link(true);
    };
    source.addEventListener("open", hear);
    source.addEventListener("alive", hear);
    source.addEventListener("now", (event) => hearNow(JSON.parse(event.data)));
    source.addEventListener("age", (event) => (age = JSON.parse(event.data).ms));
    source.addEventListener("error", () => link(false));
    for (const [channel, handle] of Object.entries(handlers)) {
      source.addEventListener(channel, (event) => {
        hear();
        handle(JSON.parse(event.data), { age });
        age = 0;
      });
    }
  }

  // A browser opens six streams to one server; a page that nobody sees must not keep one from a page in use.
  document.addEventListener("visibilitychange", () => (document.hidden ? source.close() : open()));

  // A browser gives up after some errors, and a dead network says nothing at all: both end here.
  setInterval(() => {
    const silent = performance.now() - heard > SILENT_MS;
    if (silent) link(false);
    if (document.hidden) return;
    if (source.readyState === EventSource.CLOSED) refused().then((so) => so && location.reload());
    if (silent || source.readyState === EventSource.CLOSED) open();
  }, REOPEN_MS);

  // After its session has ended a browser gets the public page with the link for signing in.
  async function refused() {
    const answers = Object.keys(handlers).map((channel) => fetch(`/api/${channel}`).catch(() => null));
    return (await Promise.all(answers)).some((answer) => answer?.status === 403);
  }
  open();
}
