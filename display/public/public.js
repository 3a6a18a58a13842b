/** The public page: the clock runs down, a newer page is taken over, and an old one says that it is. */

const EACH_MS = 15_000;
const body = document.body;
const old = document.getElementById("old");
let behind = 0; // ms of this computer's clock behind the web host's

/** `12:05`; nothing once the time is over. */
function left(ends) {
  const seconds = Math.ceil((ends - Date.now() - behind) / 1000);
  if (seconds <= 0) return "";
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, "0"));
  const hours = Math.floor(seconds / 3600);
  return hours ? `${hours}:${parts.join(":")}` : parts.join(":");
}

function tick() {
  for (const one of document.querySelectorAll(".countdown")) one.textContent = one.dataset.ends ? left(Number(one.dataset.ends)) : "";
  const age = Date.now() + behind - Number(body.dataset.written);
  old.hidden = !("live" in body.dataset && age > Number(body.dataset.fresh) * 1000);
}

async function look() {
  try {
    const answer = await fetch(location.pathname + location.search, { cache: "no-store" });
    if (!answer.ok) return;
    const date = Date.parse(answer.headers.get("date") ?? "");
    if (!Number.isNaN(date)) behind = date - Date.now();
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const written = fresh.body.dataset.written;
    if (!written || written === body.dataset.written) return;
    const opened = new Set([...document.querySelectorAll("details[open] summary")].map((one) => one.textContent));
    for (const one of fresh.querySelectorAll("details")) one.open = opened.size ? opened.has(one.querySelector("summary").textContent) : one.open;
    body.dataset.written = written;
    if ("live" in fresh.body.dataset) body.dataset.live = "";
    else delete body.dataset.live;
    document.title = fresh.title;
    for (const part of ["h1", "#page"]) document.querySelector(part).replaceWith(fresh.querySelector(part));
  } catch {
    // the network is away: the page says that it is old
  }
  tick();
}

tick();
setInterval(tick, 1000);
setInterval(look, EACH_MS);
addEventListener("pageshow", look);
