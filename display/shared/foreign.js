/** Files of other programs: their bytes become letters as in `table_core/foreign_text.py`, except that of the Windows
 * code pages the Western European one is always taken. The text stands on the page, where a person sees it. */

const read = (bytes, encoding, fatal) => new TextDecoder(encoding, { fatal }).decode(bytes);

/** The text of a file, whatever its encoding. */
export async function textOf(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const some = bytes.subarray(0, 4096);
  const zeros = (from) => some.filter((byte, at) => at % 2 === from && byte === 0).length;
  const [even, odd] = [zeros(0), zeros(1)];
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (odd * 5 > some.length && !even)) return read(bytes, "utf-16le", false);
  if ((bytes[0] === 0xfe && bytes[1] === 0xff) || (even * 5 > some.length && !odd)) return read(bytes, "utf-16be", false);
  try {
    return read(bytes, "utf-8", true);
  } catch {
    return read(bytes, "windows-1252", false);
  }
}
