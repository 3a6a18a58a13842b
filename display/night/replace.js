/** The wrong one of two: what was done is taken back and done to another one, with one confirmation. */
import { $, h, say } from "../shared/dom.js";
import { preview } from "../station/command.js";
import { act, clear, fault, seenNow } from "./night.js";

/** The dialog `#instead` with its form. Gives `ask(record, options, make)`: `options` are `[[player, words]]`, `make(player)`
 * is the command that the other one gets. What taking back means is said before. */
export function replacing() {
  const form = $("#instead-form");
  const press = $(".primary", form);
  let about = null;

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { record, foreseen, seen, make } = about;
    if (!(await act("undo", { record, foreseen }, form, seen))) return;
    $("#instead").close();
    await act(...make(form.elements.player.value), null, null);
  });

  return async (record, options, make) => {
    about = { record, make, seen: seenNow(), foreseen: "" };
    clear(form);
    form.elements.player.replaceChildren(...options.map(([player, words]) => h("option", { value: player }, words)));
    say($("#instead-says"), "");
    press.disabled = true;
    $("#instead").showModal();
    try {
      about.foreseen = await preview("undo", { record });
      say($("#instead-says"), about.foreseen);
      press.disabled = false;
    } catch (error) {
      fault(form, error);
    }
  };
}
