"""What a wall sounds, as its own audio graph has it: an `AudioContext` of a real browser, recorded at its end."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import BrowserContext, Page

# Every context's destination gets a second listener. It notes when silence ended: wall time in ms, by the time
# stamp of the device (`getOutputTimestamp`) and the frame within the block.
TAP = """
window.heard = [];
const Real = window.AudioContext;
window.AudioContext = class extends Real {
  get destination() {
    if (this.tapped) return this.tapped;
    const real = super.destination;
    this.tapped = this.createGain();
    this.tapped.connect(real);
    const listens = this.createScriptProcessor(256, 1, 1);
    this.tapped.connect(listens);
    listens.connect(real);
    let silent = Infinity;
    listens.onaudioprocess = (event) => {
      const samples = event.inputBuffer.getChannelData(0);
      const first = samples.findIndex((one) => Math.abs(one) > 1e-4);
      if (first < 0) return void (silent += samples.length);
      if (silent > this.sampleRate * 0.4) {
        const stamp = this.getOutputTimestamp();
        const at = event.playbackTime + first / this.sampleRate;
        const local = stamp.performanceTime + (at - stamp.contextTime) * 1000;
        window.heard.push({ wall: performance.timeOrigin + local });
        document.documentElement.setAttribute(`data-heard-${window.heard.length}`, "");
      }
      silent = 0;
    };
    return this.tapped;
  }
};
"""


def listening(context: BrowserContext) -> Page:
    """A page whose sounds are noted."""
    context.add_init_script(TAP)
    return context.new_page()


def turn_on(page: Page) -> None:
    """The one press, and the sound that answers it."""
    page.mouse.move(50, 50)
    page.locator("#sound").click()
    heard(page, 1)


def heard(page: Page, at_least: int) -> list[dict[str, Any]]:
    page.wait_for_selector(f"html[data-heard-{at_least}]", state="attached")
    found: list[dict[str, Any]] = page.evaluate("window.heard")
    return found
