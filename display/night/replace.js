/** The wrong one of two: what was done is taken back and done to another one, in one press of which the station has
 * said before what it takes back and what it does. */
import { $, h, say } from "../shared/dom.js";
import { previewQuietly } from "../station/command.js";
import { act, clear, fault, seenNow } from "./night.js";

/** The dialog `#instead` with its form. Gives `ask(record, options, make)`: `options` are `[[player, words]]`,
 * `make(player, given)` are the commands that the other one gets, as `[[name, arguments]]`. */
export function replacing() {
  const form = $("#instead-form");
  if (!form) return () => {};
  const press = $(".primary", form);
  let about = null;
  let asked = 0;

  const wanted = () => {
    const given = new FormData(form);
    const instead = about.make(given.get("player"), given).map(([command, parameters]) => ({ command, arguments: parameters }));
    return { record: about.record, instead };
  };

  async function foresee() {
    const question = ++asked;
    clear(form);
    say($("#instead-says"), "");
    press.disabled = true;
    try {
      const said = await previewQuietly("replace", wanted());
      if (question !== asked) return;
      about.foreseen = said;
      say($("#instead-says"), said);
      press.disabled = false;
    } catch (error) {
      if (question === asked) fault(form, error);
    }
  }

  form.addEventListener("change", foresee);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    press.disabled = true;
    if (await act("replace", { ...wanted(), foreseen: about.foreseen }, form, about.seen)) $("#instead").close();
    else press.disabled = false;
  });

  return (record, options, make) => {
    form.reset();
    about = { record, make, seen: seenNow(), foreseen: "" };
    form.elements.player.replaceChildren(...options.map(([player, words]) => h("option", { value: player }, words)));
    $("#instead").showModal();
    foresee();
  };
}
