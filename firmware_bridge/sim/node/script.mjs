// Runs one Python script under MicroPython: node script.mjs MICROPYTHON.mjs SCRIPT [NAME=FILE ...]
// Each FILE is put into MicroPython's own file system as /lib/NAME first. Garbage is collected only between parts of the
// script: a line `# --- 20` begins a part that runs 20 times.
import { readFileSync } from "node:fs";
import { dirname } from "node:path/posix";
import { pathToFileURL } from "node:url";

// The message alone, and not the interpreter's source around it.
process.on("uncaughtException", (error) => {
  console.error(String(error.message ?? error));
  process.exit(1);
});
const [interpreter, script, ...files] = process.argv.slice(2);
const { loadMicroPython } = await import(pathToFileURL(interpreter));
const python = await loadMicroPython({ heapsize: 8 << 20, linebuffer: true, stdout: (line) => console.log(line) });
for (const file of files) {
  const [name, path] = file.split("=");
  python.FS.mkdirTree(dirname(`/lib/${name}`));
  python.FS.writeFile(`/lib/${name}`, readFileSync(path));
}
const [first, ...rest] = readFileSync(script, "utf8").split(/^# --- (\d+)$/m);
python.runPython(first);
for (let at = 0; at < rest.length; at += 2)
  for (let turn = 0; turn < Number(rest[at]); turn++) python.runPython(rest[at + 1]);
