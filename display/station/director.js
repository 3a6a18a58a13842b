/** What only the tournament director may press. Nothing here happens by a space bar or by one slip. */
import { $, chips, draw, h, minutes, say } from "../shared/dom.js";
import { ante, blinds } from "../shared/time.js";
import { command } from "./command.js";
import { confirm } from "./confirm.js";

const AGAIN_MS = 500;
const BEGIN = "Cards in the air";

/** The controls, or null on a viewer's page. `show` is told what the clock shows. */
export function directorControls() {
  if (!$("#toggle")) return null;
  let now = null;
  let waits = null; // the event that has not begun

  // The same button is the opposite a moment later: a second tap, or one while the first has no answer, is none.
  $("#toggle").addEventListener("click", async () => {
    const toggle = $("#toggle");
    if (waits && !now.running) return begin(waits);
    if (toggle.ariaDisabled === "true") return;
    toggle.ariaDisabled = "true";
    await command(now?.running ? "pause" : "resume");
    setTimeout(() => (toggle.ariaDisabled = "false"), AGAIN_MS);
  });
  $("#next-level").addEventListener("click", () => {
    if (now?.next) confirmLevel(now.next, () => command("next_level"));
  });
  for (const button of document.querySelectorAll("[data-levels]")) {
    button.addEventListener("click", () => {
      if (!now) return;
      drawSchedule(now);
      $("#more").close(); // where a phone has the button
      $("#schedule").showModal();
    });
  }
  $("#schedule-close").addEventListener("click", () => $("#schedule").close());

  return {
    show(shown, night) {
      waits = night?.open && !night.started && !night.finished && !night.control.cancelled ? night : null;
      // Time ran out while the director was asked: the answer would mean another level than the one in the question.
      if (now && shown.level.no !== now.level.no) closeLevels();
      now = shown;
      $("#toggle").hidden = Boolean(night?.open && night.finished); // with a winner the clock stands
      say($("#toggle"), shown.running ? "Pause" : waits ? BEGIN : "Resume");
      $("#next-level").disabled = !shown.next;
      $("#levels").disabled = !shown.clock.levels.length;
    },
  };
}

/** Before the start: who is registered and not paid, who has no seat, by name. */
export function missing({ wants }) {
  const said = [wants?.unpaid.length && `Registered and not paid: ${wants.unpaid.join(", ")}.`, wants?.unseated.length && `Without a seat: ${wants.unseated.join(", ")}.`];
  return said.filter(Boolean).join("\n");
}

function begin(event) {
  const text = [missing(event), "The clock starts, and tables deal."].filter(Boolean).join("\n");
  confirm({ heading: `${BEGIN}?`, text, yes: BEGIN, act: () => command("start", { seen: event.no }) });
}

function closeLevels() {
  $("#schedule").close();
  if ($("#confirm").dataset.about === "level") $("#confirm").close();
}

/** The level in play is marked and cannot be chosen: choosing it again would reset its time. */
function drawSchedule({ clock, place }) {
  draw($("#schedule-rows"), [clock.levels, place], () =>
    clock.levels.map((one, entry) => {
      const current = entry === place;
      const row = h(
        "button",
        { disabled: current, "aria-current": current && "step" },
        h("span", {}, one.is_break ? "Break" : `Level ${one.no}`),
        h("span", {}, [blinds(one, chips), ante(one, chips)].filter(Boolean).join(", ")),
        h("span", {}, current ? "now" : `${one.minutes} min`),
      );
      row.addEventListener("click", () => {
        $("#schedule").close();
        confirmLevel(one, () => command("select_level", { level: one.no, entry }));
      });
      return h("li", {}, row);
    }),
  );
}

function confirmLevel(level, act) {
  const name = level.is_break ? "the break" : `level ${level.no}`;
  confirm({
    about: "level",
    heading: `Start ${name} now?`,
    text: `${blinds(level, chips)}. The clock starts at ${minutes(level.minutes * 60_000)}; hands in play keep their level.`,
    yes: `Start ${name}`,
    act,
  });
}
