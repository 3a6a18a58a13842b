/** The form of the wall: what every screen of the venue looks like, and what the walls show now. */
import { $, say } from "../shared/dom.js";
import { press } from "../shared/press.js";
import { command, pressed, tell } from "../station/command.js";
import { frame } from "../station/frame.js";

const READS_MS = 30_000; // a large picture on a small machine
const OWN = { colour_1: "#0e3a29", colour_2: "#56d9a0" };
const SAYS = {
  auto: "By itself: seats before the start, the break while it lasts, the result at the end; else the layout below.",
  big: "Held: time and blinds.",
  director: "Held: prizes, clock, what comes.",
  break: "Held: when play resumes.",
  seating: "Held: who sits where, and who moves.",
  final: "Held: places and prizes.",
};

const look = $("#look");
const shown = $("#shown");
const now = $("#now");
const touched = new Set(); // forms that somebody changes: what the station says does not overwrite them
for (const form of [look, shown, now]) form.addEventListener("input", () => touched.add(form));

frame({
  look: (said) => {
    for (const one of document.querySelectorAll("[data-shows]")) one.setAttribute("aria-pressed", String(one.dataset.shows === said.shows));
    say($("#shows-says"), SAYS[said.shows]);
    if (!touched.has(now)) now.elements.message.value = said.message;
    $("#no-message").hidden = !said.message;
    if (!touched.has(look)) for (const name of ["event", "colour_1", "colour_2"]) look.elements[name].value = said[name];
    if (!touched.has(shown)) {
      shown.elements.running.value = said.running;
      for (const name of ["facts", "sounds"]) for (const box of shown.elements[name]) box.checked = said[name].includes(box.value);
      shown.elements.spoken.checked = said.spoken;
    }
    for (const form of document.querySelectorAll(".picture")) picture(form, said[form.dataset.slot]);
    sample();
  },
});

function picture(form, version) {
  const image = $("img", form);
  image.hidden = $(".remove", form).hidden = !version;
  $(".none", form).hidden = Boolean(version);
  if (version) image.src = `/look/${form.dataset.slot}?${version}`;
}

/** The colours as the wall will have them; whether words can be read in them the station says. */
function sample() {
  const { colour_1: one, colour_2: two } = look.elements;
  const parts = [1, 3, 5].map((at) => parseInt(one.value.slice(at, at + 2), 16) / 255);
  const [red, green, blue] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  const style = $("#sample").style;
  style.setProperty("--one", one.value);
  style.setProperty("--on-one", 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "black" : "white");
  style.setProperty("--two", two.value);
}
look.addEventListener("input", sample);

for (const button of document.querySelectorAll("[data-shows]")) {
  button.addEventListener("click", () => command("set_look", { shows: button.dataset.shows }));
}

now.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (await command("set_look", { message: now.elements.message.value.trim() })) touched.delete(now);
});
$("#no-message").addEventListener("click", async () => {
  if (await command("set_look", { message: "" })) {
    touched.delete(now);
    now.elements.message.value = "";
  }
});

submits(look, () => Object.fromEntries(["event", "colour_1", "colour_2"].map((name) => [name, look.elements[name].value.trim()])));
submits(shown, () => ({
  running: shown.elements.running.value,
  facts: [...shown.elements.facts].filter((box) => box.checked).map((box) => box.value),
  sounds: [...shown.elements.sounds].filter((box) => box.checked).map((box) => box.value),
  spoken: shown.elements.spoken.checked,
}));
$("#program-colours").addEventListener("click", () => {
  for (const [name, colour] of Object.entries(OWN)) look.elements[name].value = colour;
  touched.add(look);
  sample();
});

function submits(form, given) {
  const fault = $(".fault", form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    say(fault, "");
    for (const one of form.querySelectorAll("[aria-invalid]")) one.removeAttribute("aria-invalid");
    try {
      tell(await pressed("set_look", given()));
      touched.delete(form);
    } catch (error) {
      say(fault, error.message);
      form.elements[error.about]?.setAttribute("aria-invalid", "true");
      form.elements[error.about]?.focus();
    }
  });
}

for (const form of document.querySelectorAll(".picture")) {
  const fault = $(".fault", form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const [file] = form.elements.picture.files;
    const button = $(".primary", form);
    say(fault, "");
    button.disabled = true;
    try {
      tell(await press(`/station/wall/${form.dataset.slot}`, file, () => {}, { name: form.dataset.slot, lastsMs: READS_MS, kind: file.type || "application/octet-stream" }));
      form.reset();
    } catch (error) {
      say(fault, error.message);
    } finally {
      button.disabled = false;
    }
  });
  $(".remove", form).addEventListener("click", () => command("remove_picture", { picture: form.dataset.slot }));
}
