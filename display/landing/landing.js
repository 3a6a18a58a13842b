/** The demo's landing page: the room's screens, one table as it is sensed, and the mischief panel. */
import { $, chips, draw, h, say } from "../shared/dom.js";
import { follow } from "../shared/stream.js";
import { press } from "../shared/press.js";

const WIDTH = 1366; // the size at which previews are laid out
const KEYED = new Set(["table", "sensed"]); // pages that show more to whoever has a pass
const table = document.body.dataset.table;
let passed = false;

follow({ demo: show, [`table/${table}`]: showNoticed }, (up) => ($("#link").hidden = up));

/** A table's keys need a link; a starting table has none yet. */
async function askForPasses() {
  const passes = await press("/passes", {}).catch(() => "");
  passed ||= passes.split(",").includes(table);
}

function show(demo) {
  say($("#rulebook"), demo.rulebook);
  say($("#count"), `${demo.tables.length}`);
  say($("#hands"), chips(demo.hands));
  draw($("#counters"), demo.counters, () =>
    Object.entries(demo.counters ?? {}).map(([name, value]) =>
      h("div", {}, h("dt", {}, name), h("dd", {}, typeof value === "number" ? chips(value) : `${value}`)),
    ),
  );
  if (demo.passes && !passed) askForPasses();
  for (const [name, url] of Object.entries(demo.urls)) {
    if (passed || !demo.passes || !KEYED.has(name)) showPage(name, url);
  }
  $("#td").hidden = !demo.td_link;
  $("#tournament").hidden = !demo.urls.tournament;
  $("#producer-link").hidden = !demo.producer_link;
  for (const [id, link] of [["#td-link", demo.td_link], ["#producer-link", demo.producer_link]]) {
    if (link && $(id).getAttribute("href") !== link) $(id).href = link;
  }
}

/** A preview is loaded once: setting an address again would load it again. */
function showPage(name, url) {
  const frame = $(`iframe[data-page="${name}"]`);
  if (frame && frame.getAttribute("src") !== url) frame.src = url;
  for (const link of document.querySelectorAll(`a[data-link="${name}"]`)) link.href = url;
}

function showNoticed(view) {
  const noticed = [...view.notices].reverse();
  draw($("#noticed"), noticed, () => (noticed.length ? noticed.map(notice) : h("li.soft", {}, "Nothing yet")));
}

function notice(one) {
  const where = [`event ${one.seq}`, one.seat ? `seat ${one.seat}` : "", one.rule].filter(Boolean).join(", ");
  return h("li", {}, one.text, h("small", {}, where));
}

for (const button of document.querySelectorAll("[data-mischief]")) {
  button.addEventListener("click", async () => {
    button.setAttribute("aria-busy", "true");
    const did = $("#did");
    did.classList.remove("error");
    try {
      say(did, (await press("/mischief", { table, kind: button.dataset.mischief }, (words) => say(did, words))) || "Done");
    } catch (error) {
      did.classList.add("error");
      say(did, error.message);
    }
    button.removeAttribute("aria-busy");
  });
}

const fit = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) target.style.setProperty("--scale", contentRect.width / WIDTH);
});
for (const preview of document.querySelectorAll(".preview")) fit.observe(preview);
