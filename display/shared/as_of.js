/** The time of what stands on a sheet: that of its loading. */
import { say } from "./dom.js";
import { timeOfDay } from "./time.js";

for (const node of document.querySelectorAll("[data-as-of]")) say(node, `As of ${timeOfDay()}.`);
