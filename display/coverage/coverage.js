/** The live coverage: the server draws it, and this puts a newer drawing in the place of the older one. */
import { $ } from "../shared/dom.js";
import { follow } from "../shared/stream.js";

const older = new URLSearchParams(location.search).has("before");
let shown = null;
let loading = false;
let wanted = false;

function times() {
  const short = new Intl.DateTimeFormat(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  for (const time of document.querySelectorAll("time[datetime]")) time.textContent = short.format(new Date(time.dateTime));
}

async function load() {
  if (loading) return (wanted = true);
  loading = true;
  try {
    const answer = await fetch(location.href, { cache: "no-cache" });
    if (answer.ok) put(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } catch {
    setTimeout(load, 5_000); // the stream says when the server is back; this is for a page that was only half loaded
  } finally {
    loading = false;
    if (wanted) wanted = load() && false;
  }
}

function put(page) {
  const live = $("#live", page);
  if (!live) return;
  const known = new Set([...document.querySelectorAll(".line")].map((line) => line.id));
  const held = $(".line", $("#live"))?.getBoundingClientRect();
  const anchor = [...document.querySelectorAll(".line")].find((line) => line.getBoundingClientRect().bottom > 0);
  const before = anchor?.getBoundingClientRect().top;
  $("#live").replaceWith(document.importNode(live, true));
  for (const line of document.querySelectorAll(".line")) line.classList.toggle("fresh", !known.has(line.id));
  times();
  // Who reads further down stays at the line that is read.
  const again = anchor && held && held.top < 0 ? document.getElementById(anchor.id) : null;
  if (again) scrollBy(0, again.getBoundingClientRect().top - before);
}

times();
if (!older) {
  follow(
    {
      coverage: ({ version }) => {
        if (shown !== null && shown !== version) load();
        if (shown === null) load();
        shown = version;
      },
    },
    (up) => ($("#link").hidden = up),
  );
}
