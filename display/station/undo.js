/** Undo from every page: one's own last record, else that of another person, after a question that says whose it is and
 * all that goes with it. */
import { $ } from "../shared/dom.js";
import { command, preview, tell } from "./command.js";
import { confirm } from "./confirm.js";

/** Whether a record is of the person at this page. */
export const mine = ({ by }) => by.split(" (")[0] === document.body.dataset.caller;
const ofTable = ({ by }) => by.startsWith("table ");

export async function undoLast() {
  $("#more").close(); // where a phone has the button
  const shown = await fetch("/api/log").then((answer) => (answer.ok ? answer.json() : null)).catch(() => null);
  const stand = (shown?.log ?? []).filter((one) => one.can_undo);
  const record = stand.find(mine) ?? stand.find((one) => !ofTable(one));
  if (!record) return tell("Nothing is left to undo.", true);
  const which = { record: record.no };
  try {
    const text = await preview("undo", which);
    confirm({ heading: `Undo: ${record.with[0] ?? record.text}?`, text, yes: "Undo", act: () => command("undo", { ...which, foreseen: text }) });
  } catch (error) {
    tell(`${record.text}: ${error.message}`, true);
  }
}
