// Runs a device's firmware under MicroPython in real time: node live.mjs MICROPYTHON.mjs DEVICE [NAME=FILE ...]
// File descriptor 3 is its serial line; 4 takes what happens to the device, a line each (firmware_bridge/sim/pico/live.py),
// and says what its lamps and buzzer do. Both are sockets that do not block. It ends when 4 is closed.
import { readFileSync, readSync, writeSync } from "node:fs";
import { dirname } from "node:path/posix";
import { pathToFileURL } from "node:url";

const [interpreter, device, ...files] = process.argv.slice(2);
const { loadMicroPython } = await import(pathToFileURL(interpreter));
const python = await loadMicroPython({ heapsize: 8 << 20, linebuffer: true, stdout: (line) => console.error(line) });
for (const file of files) {
  const [name, path] = file.split("=");
  python.FS.mkdirTree(dirname(`/lib/${name}`));
  python.FS.writeFile(`/lib/${name}`, readFileSync(path));
}

const LINE = 3;
const WORLD = 4;
const buffer = Buffer.alloc(4096);
let over = false;

function take(fd) {
  try {
    const count = readSync(fd, buffer);
    if (count === 0) over = true;
    return buffer.subarray(0, count);
  } catch (error) {
    if (error.code === "EAGAIN") return buffer.subarray(0, 0);
    over = true;
    return buffer.subarray(0, 0);
  }
}
function give(fd, data) {
  try {
    writeSync(fd, data);
  } catch (error) {
    if (error.code !== "EAGAIN") over = true; // a line that nobody reads is full: what is sent is lost
  }
}

const still = new Int32Array(new SharedArrayBuffer(4));
python.globals.set("host_us", () => Math.round(performance.now() * 1000));
python.globals.set("host_line", () => take(LINE).toString("hex"));
python.globals.set("host_say", (hex) => give(LINE, Buffer.from(hex, "hex")));
python.globals.set("host_world", () => take(WORLD).toString("utf8"));
python.globals.set("host_tell", (text) => give(WORLD, Buffer.from(text, "utf8")));
python.globals.set("host_sleep", (ms) => Atomics.wait(still, 0, 0, ms));
python.globals.set("DEVICE", device);

python.runPython(`
import gc
from firmware_bridge.sim.pico.live import Live, ByImport

class Host:
    def us(self):
        return host_us()
    def line(self):
        return bytes.fromhex(host_line())
    def say(self, data):
        host_say(data.hex())
    def world(self):
        return host_world()
    def tell(self, text):
        host_tell(text)
    def sleep(self, ms):
        host_sleep(ms)

live = Live(DEVICE, Host(), ByImport(DEVICE))
`);
// Garbage is collected only between calls.
try {
  for (let turn = 0; !over; turn++) python.runPython(turn % 50 ? "live.turn(20000)" : "gc.collect()");
} catch (error) {
  console.error(String(error.message ?? error)); // and not the interpreter's source around it
  process.exit(1);
}
