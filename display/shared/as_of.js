/** The time of what stands on a sheet: that of its loading. A sheet that was left open is loaded again when something
 * was recorded since, so that no old one is printed. */
import { say } from "./dom.js";
import { t } from "./language.js";
import { timeOfDay } from "./time.js";

const LOOK_MS = 5_000;
const newest = () => fetch("/api/night").then((answer) => (answer.ok ? answer.json() : null)).then((night) => night?.no ?? null).catch(() => null);

const language = document.documentElement.lang;
const today = new Date().toLocaleDateString(language.startsWith("en") ? "en-GB" : language, { day: "numeric", month: "short", year: "numeric" });
for (const node of document.querySelectorAll("[data-as-of]")) say(node, t("As of {time}.", { time: `${today}, ${timeOfDay()}` }));

let loaded = null;
async function look() {
  const no = document.hidden ? null : await newest();
  if (no === null || no === loaded) return;
  if (loaded !== null) return location.reload();
  loaded = no;
}
look();
setInterval(look, LOOK_MS);
document.addEventListener("visibilitychange", look);
addEventListener("pageshow", (event) => event.persisted && location.reload());
