/** Undo from every page: one's own last record, after a question that says all that goes with it. */
import { $ } from "../shared/dom.js";
import { command, pressed, tell } from "./command.js";
import { confirm } from "./confirm.js";

const me = document.body.dataset.caller;
/** Whether a record is of the person at this page; a director without a name has what no table said. */
export const mine = ({ by }) => (me ? by.split(" (")[0] === me : !by.startsWith("table "));

export async function undoLast() {
  $("#more").close(); // where a phone has the button
  const shown = await fetch("/api/log").then((answer) => (answer.ok ? answer.json() : null)).catch(() => null);
  const record = shown?.log.find((one) => one.can_undo && mine(one));
  if (!record) return tell("Nothing of yours is left to undo. What others did can be undone in the log.", true);
  const which = { record: record.no };
  try {
    const text = await pressed("preview", { wanted: "undo", arguments: which });
    confirm({ heading: `Undo: ${record.text}?`, text, yes: "Undo", act: () => command("undo", { ...which, foreseen: text }) });
  } catch (error) {
    tell(`${record.text}: ${error.message}`, true);
  }
}
