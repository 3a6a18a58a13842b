/** How the delay box is, each second. */
import { $, h, minutes, say } from "../shared/dom.js";

const EVERY_MS = 1_000;

function picture(box) {
  if (box.playing) return "The picture is out.";
  if (box.picture_in_s === null) return "Black: no picture waits that may go out.";
  return `Black: the picture comes in ${minutes(box.picture_in_s * 1_000)}.`;
}

function show(box) {
  say($("#picture"), picture(box));
  $("#why").replaceChildren(...box.why.map((text) => h("li", {}, text)));
  say($("#delay"), box.delay_s === null ? "not known" : `${box.delay_s} s`);
  say($("#floor"), `${box.floor_s} s`);
  say($("#latency"), `${box.latency_ms} ms`);
  say($("#source"), box.source_up ? "comes" : "lost");
  say($("#output"), box.output_up ? "goes" : "takes nothing");
  say($("#holds"), `${box.holds_s} s of ${box.longest_s} s`);
  say($("#slowest"), `${box.slowest_ms} ms`);
  say($("#lost"), `${box.gaps}, ${box.lost}`);
  $("#used").value = box.used;
}

async function look() {
  try {
    show(await (await fetch("/delay/status", { cache: "no-store" })).json());
  } catch {
    say($("#picture"), "The delay box does not answer.");
  }
  setTimeout(look, EVERY_MS);
}

look();
