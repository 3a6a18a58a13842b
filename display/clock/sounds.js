/** Sounds of the wall, made here: started by one press, remembered by this screen, at the station's time.
 *
 * Every screen knows the station's time from its beats, so each of them schedules a sound for the same instant a moment
 * ahead; `AudioContext.getOutputTimestamp` says which instant of this page a sample is heard at. */
import { t } from "../shared/language.js";
import { placeOf, project } from "../shared/time.js";
import { levelOf, stakes } from "./parts.js";

const AHEAD_MS = 1_500;
const LATE_MS = 200; // a sound that cannot be on time any more is none
const MINUTE_MS = 60_000;
const SAME_MS = 3_000; // two estimates of one instant
const SHOWN_MS = 6_000;
const KEPT = "wall-sound";

// Notes in Hz, when each begins and how long it lasts, in seconds.
const TUNES = {
  level: [[523.25, 0, 0.5], [659.25, 0.22, 0.5], [783.99, 0.44, 1.4]],
  minute: [[880, 0, 0.25], [880, 0.35, 0.5]],
  break_over: [[392, 0, 0.4], [523.25, 0.25, 0.4], [659.25, 0.5, 0.4], [783.99, 0.75, 1.6]],
  bust: [[311.13, 0, 0.35], [233.08, 0.3, 0.9]],
  final_table: [[523.25, 0, 0.25], [523.25, 0.25, 0.2], [659.25, 0.5, 0.3], [783.99, 0.75, 0.3], [1046.5, 1, 1.8]],
};

export class Sounds {
  #button;
  #local;
  #context = null;
  #planned = []; // { what, at, stop }
  #pressed = []; // levels that a person began
  #hides = null;

  /** `local(at)`: an instant of the station as `performance.now` has it, null where that is not known. */
  constructor(button, local) {
    this.#button = button;
    this.#local = local;
    button.addEventListener("click", (event) => {
      event.stopPropagation();
      this.#turn(!this.#on());
    });
    for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => this.#on() && this.#start());
    for (const kind of ["pointermove", "pointerdown", "keydown"]) addEventListener(kind, () => this.#show());
    if (this.#on()) this.#start();
    this.#show();
  }

  /** Schedules what sounds within the next moment. */
  plan(shown, wanted, spoken) {
    if (this.#context?.state !== "running") return;
    const coming = [...fromClock(shown), ...fromField(shown), ...this.#pressed].filter((one) => wanted.includes(one.what));
    const now = performance.now();
    this.#planned = this.#planned.filter((one) => {
      const stands = this.#local(one.at) < now || coming.some((other) => same(one, other));
      if (!stands) one.stop(); // the clock was stopped, or set
      return stands && this.#local(one.at) > now - MINUTE_MS;
    });
    for (const one of coming) {
      const at = this.#local(one.at);
      if (at === null || at < now - LATE_MS || at > now + AHEAD_MS || this.#planned.some((other) => same(one, other))) continue;
      this.#planned.push({ ...one, stop: this.#sound(one, Math.max(at, now), spoken) });
    }
  }

  /** A person began another entry of the schedule than the one that was on, and the clock runs. */
  changed(before, clock) {
    const was = project(before, clock.at);
    const same = JSON.stringify(was.level) === JSON.stringify(clock.level) && was.place === placeOf(clock);
    if (before.boot === clock.boot && clock.running && !same) this.#pressed = [begins(was.level, clock.level, clock.at + AHEAD_MS)];
  }

  #sound({ what, words }, at, spoken) {
    const stamp = this.#context.getOutputTimestamp();
    const from = stamp.performanceTime ? stamp.contextTime + (at - stamp.performanceTime) / 1000 : this.#context.currentTime + (at - performance.now()) / 1000;
    const stops = play(this.#context, what, Math.max(from, this.#context.currentTime));
    const long = Math.max(...TUNES[what].map(([, begins, lasts]) => begins + lasts)) * 1000;
    const timer = spoken && setTimeout(() => speak(words), at - performance.now() + long * 0.6);
    return () => {
      stops();
      clearTimeout(timer);
    };
  }

  #on() {
    try {
      return localStorage.getItem(KEPT) === "on";
    } catch {
      return Boolean(this.#context); // a frame of another site has no storage
    }
  }

  #turn(on) {
    try {
      localStorage.setItem(KEPT, on ? "on" : "off");
    } catch {
      // as above
    }
    if (on) this.#start().then(() => this.#context.state === "running" && play(this.#context, "minute", this.#context.currentTime));
    else this.#context?.close().then(() => (this.#context = null));
    this.#show();
  }

  async #start() {
    this.#context ??= new AudioContext();
    this.#context.onstatechange = () => this.#show();
    if (this.#context.state === "suspended") await this.#context.resume().catch(() => {});
    this.#show();
  }

  /** The button is there for a while after somebody came near; where a browser waits for a press, until it comes. */
  #show() {
    const waits = this.#on() && this.#context?.state !== "running";
    const words = waits ? t("Press here for sound") : this.#on() ? t("Sound off") : t("Sound on");
    if (this.#button.textContent !== words) this.#button.textContent = words;
    this.#button.hidden = false;
    clearTimeout(this.#hides);
    if (!waits) this.#hides = setTimeout(() => (this.#button.hidden = true), SHOWN_MS);
  }
}

const same = (one, other) => one.what === other.what && Math.abs(one.at - other.at) < SAME_MS;

/** The end of the entry that is on, and the minute before it; `ends` is an instant of the station. */
function* fromClock({ level, next, running, ends }) {
  if (!running || !level) return;
  if (!level.is_break || next) yield { what: "minute", at: ends - MINUTE_MS, words: t("One minute") };
  if (next) yield begins(level, next, ends);
}

/** `next` begins behind `level`. */
function begins(level, next, at) {
  const words = { level: levelOf(next), blinds: stakes(next) };
  if (level.is_break) return { what: "break_over", at, words: t("The break is over. {level}, blinds {blinds}", words) };
  return { what: "level", at, words: next.is_break ? t("Break") : t("{level}, blinds {blinds}", words) };
}

/** What the station said that happened, for all screens at one instant. */
function* fromField({ field, clock }) {
  for (const one of field?.moments ?? []) {
    if (one.boot !== clock.boot) continue;
    yield { what: one.what, at: one.at, words: one.what === "final_table" ? t("Final table") : t("A player is out") };
  }
}

/** Sounds a tune from `at` (seconds of the context) on; answers how to stop it. */
function play(context, what, at) {
  const out = context.createGain();
  out.gain.value = 0.35;
  out.connect(context.destination);
  const notes = TUNES[what].map(([hertz, begins, lasts]) => note(context, out, hertz, at + begins, lasts));
  return () => {
    for (const one of notes) one.stop();
    out.disconnect();
  };
}

/** A struck bar: two partials that fade. */
function note(context, out, hertz, at, lasts) {
  const loud = context.createGain();
  loud.gain.setValueAtTime(0, at);
  loud.gain.linearRampToValueAtTime(1, at + 0.008);
  loud.gain.exponentialRampToValueAtTime(0.001, at + lasts);
  loud.connect(out);
  const tone = context.createOscillator();
  tone.type = "triangle";
  tone.frequency.value = hertz;
  tone.connect(loud);
  tone.start(at);
  tone.stop(at + lasts);
  return tone;
}

/** Says a sentence where this browser can, in the page's language. */
function speak(words) {
  if (!("speechSynthesis" in window) || !speechSynthesis.getVoices().length) return;
  const said = new SpeechSynthesisUtterance(words);
  said.lang = document.documentElement.lang;
  speechSynthesis.speak(said);
}
