/** The delay box's own time, as blocks that a program reads in the camera's picture and as digits for people.
 *
 * A white frame, a black gap, five rows of eight blocks: 24 bits of milliseconds, then their CRC-16. A picture that
 * shows two of them at once does not pass the check (feltwire/delay_box/filmed_clock.py). */
import { $ } from "../shared/dom.js";

const COLUMNS = 8;
const ROWS = 5;
const UNIT = 50; // pixels; frame and gap are one wide, blocks two
const ASKS_MS = 1_000;
const KEPT = 20;

const answers = [];
const canvas = $("#blocks").getContext("2d");
let offset = null;

function crc16(bytes) {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return crc;
}

function draw() {
  if (offset !== null) {
    const ms = Math.floor(performance.now() + offset);
    const bytes = [(ms / 0x10000) & 0xff, (ms / 0x100) & 0xff, ms & 0xff];
    const check = crc16(bytes);
    const all = [...bytes, check >> 8, check & 0xff];
    canvas.fillStyle = "#fff";
    canvas.fillRect(0, 0, canvas.canvas.width, canvas.canvas.height);
    canvas.fillStyle = "#000";
    canvas.fillRect(UNIT, UNIT, canvas.canvas.width - 2 * UNIT, canvas.canvas.height - 2 * UNIT);
    canvas.fillStyle = "#fff";
    for (let row = 0; row < ROWS; row++)
      for (let column = 0; column < COLUMNS; column++)
        if (all[row] & (0x80 >> column)) canvas.fillRect(UNIT * (2 + 2 * column), UNIT * (2 + 2 * row), 2 * UNIT, 2 * UNIT);
    $("#time").textContent = (ms / 1_000).toFixed(3);
  }
  requestAnimationFrame(draw);
}

/** The quickest of the last answers says best what time it is there. */
async function ask() {
  const sent = performance.now();
  try {
    const { ms } = await (await fetch("/delay/now", { cache: "no-store" })).json();
    const came = performance.now();
    answers.push({ took: came - sent, offset: ms - (sent + came) / 2 });
    if (answers.length > KEPT) answers.shift();
    offset = answers.reduce((best, one) => (one.took < best.took ? one : best)).offset;
  } catch {
    // The box is away for a moment: what is known holds.
  }
  setTimeout(ask, ASKS_MS);
}

ask();
draw();
