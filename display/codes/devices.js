/** A device that its table gives back: a press goes to the station, and the page is drawn again. */
import { $, say } from "../shared/dom.js";
import { pressWithPin } from "../shared/pin.js";

for (const button of document.querySelectorAll("[data-device]")) {
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      say($("#said"), await pressWithPin("/director", { command: "give_device_back", arguments: { device: button.dataset.device } }));
      button.closest("li").remove();
    } catch (error) {
      button.disabled = false;
      say($("#said"), error.message);
      $("#said").classList.add("error");
    }
  });
}
