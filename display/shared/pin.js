/** A press that may ask for a PIN first: where money, rights or pictures change hands. */
import { h, say } from "./dom.js";
import { drawn, press } from "./press.js";

/** As `press`; where the server asks for the PIN, the person is asked, the PIN is proven for this press alone, and the
 * same press is sent again. Where it would do another thing by then, it is asked once more. */
export async function pressWithPin(path, body, inDoubt, about = {}) {
  const id = drawn();
  for (;;) {
    try {
      return await press(path, body, inDoubt, { ...about, id });
    } catch (error) {
      if (error.about !== "pin") throw error;
      if (!(await proven(error.message, id))) throw Object.assign(new Error("Not done."), { about: "" });
    }
  }
}

/** Asks until the PIN is right or the person gives up. */
function proven(words, id) {
  const pin = h("input", { type: "password", inputmode: "numeric", autocomplete: "off", maxlength: 12, "aria-label": "PIN" });
  const said = h("p.fault", { role: "alert" });
  const cancel = h("button", { type: "button" }, "Cancel");
  const form = h("form", {}, h("h2", {}, words), pin, said, h("div.choices", {}, cancel, h("button.primary", {}, "Go on")));
  const dialog = h("dialog.pin", {}, form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    let proving = false;
    const end = (right) => {
      dialog.close();
      dialog.remove();
      resolve(right);
    };
    cancel.addEventListener("click", () => end(false));
    dialog.addEventListener("cancel", () => end(false));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (proving) return;
      proving = true;
      try {
        await press("/pin", { pin: pin.value, press: id });
        if (dialog.open) end(true); // else it was cancelled while the PIN was under way
      } catch (error) {
        proving = false;
        pin.value = "";
        say(said, error.message);
        pin.focus();
      }
    });
  });
}
