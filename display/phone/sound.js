/** A sound when the player moves. Browsers make none before the first press on a page. */

const NOTES = [660, 880, 660, 880, 1_320];
const NOTE_S = 0.18;

let context = null;

/** After a press: the sound may be heard from now on. */
export function allow() {
  context ??= new AudioContext();
  return context.resume().catch(() => {});
}

export const allowed = () => context?.state === "running";

export function ring() {
  navigator.vibrate?.([200, 100, 200, 100, 400]);
  if (!allowed()) return;
  NOTES.forEach((pitch, i) => {
    const note = context.createOscillator();
    const volume = context.createGain();
    const at = context.currentTime + i * NOTE_S;
    note.frequency.value = pitch;
    volume.gain.setValueAtTime(0, at);
    volume.gain.linearRampToValueAtTime(0.4, at + 0.02);
    volume.gain.linearRampToValueAtTime(0, at + NOTE_S);
    note.connect(volume).connect(context.destination);
    note.start(at);
    note.stop(at + NOTE_S);
  });
}
