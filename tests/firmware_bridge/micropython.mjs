// Runs one Python script under MicroPython: node micropython.mjs MICROPYTHON.mjs SCRIPT [NAME=FILE ...]
// Each FILE is put into MicroPython's own file system as /lib/NAME first.
import { readFileSync } from "node:fs";
import { dirname } from "node:path/posix";
import { pathToFileURL } from "node:url";

const [interpreter, script, ...files] = process.argv.slice(2);
const { loadMicroPython } = await import(pathToFileURL(interpreter));
const python = await loadMicroPython({ heapsize: 8 << 20, linebuffer: true, stdout: (line) => console.log(line) });
for (const file of files) {
  const [name, path] = file.split("=");
  python.FS.mkdirTree(dirname(`/lib/${name}`));
  python.FS.writeFile(`/lib/${name}`, readFileSync(path));
}
try {
  python.runPython(readFileSync(script, "utf8"));
} catch (error) {
  console.error(String(error.message ?? error));
  process.exit(1);
}
