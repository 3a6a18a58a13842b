// Runs a device's firmware under MicroPython: node live.mjs MICROPYTHON.mjs DEVICE BOOT [NAME=FILE ...]
// A line on standard input is a turn (firmware_bridge/sim/pico/live.py): the time in microseconds, what came over the
// serial line in hex or `-`, and what happens to the device, parted by `;`. A line on standard output answers: when
// the next turn is to come, what the device sends, what its lamps and buzzer do. It ends with its input.
import { readFileSync, readSync, writeSync } from "node:fs";
import { dirname } from "node:path/posix";
import { pathToFileURL } from "node:url";

// The message alone, and not the interpreter's source around it.
process.on("uncaughtException", (error) => {
  console.error(String(error.message ?? error));
  process.exit(1);
});
const [interpreter, device, boot, ...files] = process.argv.slice(2);
const { loadMicroPython } = await import(pathToFileURL(interpreter));
const python = await loadMicroPython({ heapsize: 8 << 20, linebuffer: true, stdout: (line) => console.error(line) });
for (const file of files) {
  const [name, path] = file.split("=");
  python.FS.mkdirTree(dirname(`/lib/${name}`));
  python.FS.writeFile(`/lib/${name}`, readFileSync(path));
}

const buffer = Buffer.alloc(65536);
let rest = "";
function* lines() {
  for (let count; (count = readSync(0, buffer)); ) {
    const found = (rest + buffer.toString("latin1", 0, count)).split("\n");
    rest = found.pop();
    yield* found;
  }
}

python.globals.set("DEVICE", device);
python.globals.set("BOOT", Number(boot));
python.runPython(`
import gc
from firmware_bridge.sim.pico.live import Live

live = Live(DEVICE, BOOT)

def turn(now, came, told):
    at, sent, said = live.turn(now, b"" if came == "-" else bytes.fromhex(came), told.split(";") if told else [])
    return str(at) + " " + (sent.hex() or "-") + " " + ";".join(said)
`);
const turn = python.globals.get("turn");
let turns = 0;
for (const line of lines()) {
  const [now, came, ...told] = line.split(" ");
  writeSync(1, turn(Number(now), came, told.join(" ")) + "\n");
  if (++turns % 10 === 0) python.runPython("gc.collect()"); // garbage is collected only between calls
}
