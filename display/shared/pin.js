/** A press that may ask for a PIN first: where chips move. */
import { h, say } from "./dom.js";
import { press } from "./press.js";

/** As `press`; where the server asks for the PIN, the person is asked and the press is sent again. */
export async function pressWithPin(path, body, inDoubt, about) {
  try {
    return await press(path, body, inDoubt, about);
  } catch (error) {
    if (error.about !== "pin" || !(await proven(error.message))) throw error;
    return press(path, body, inDoubt, about);
  }
}

/** Asks until the PIN is right or the person gives up. */
function proven(words) {
  const pin = h("input", { type: "password", inputmode: "numeric", autocomplete: "off", maxlength: 12, "aria-label": "PIN" });
  const said = h("p.fault", { role: "alert" });
  const cancel = h("button", { type: "button" }, "Cancel");
  const form = h("form", {}, h("h2", {}, words), pin, said, h("div.choices", {}, cancel, h("button.primary", {}, "Go on")));
  const dialog = h("dialog.pin", {}, form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    const end = (right) => {
      dialog.close();
      dialog.remove();
      resolve(right);
    };
    cancel.addEventListener("click", () => end(false));
    dialog.addEventListener("cancel", () => end(false));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      try {
        await press("/pin", { pin: pin.value });
        end(true);
      } catch (error) {
        pin.value = "";
        say(said, error.message);
        pin.focus();
      }
    });
  });
}
