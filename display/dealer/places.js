/** Where seats are drawn: as the dealer sees them, seat 1 at the dealer's left, then clockwise round the felt. */

const TOP_WIDTH = { 2: 0.86, 3: 1.72 }; // from the first to the last seat of the top row

/** How many places the table has, as far as its seats tell: six, nine, or as many as needed. */
export function sizeFor(seats) {
  const largest = Math.max(0, ...seats);
  return [6, 9].find((size) => largest <= size) ?? largest;
}

/**
 * Two or three seats along the top, the others down both sides; the dealer's own place, below, stays free. `x` and `y`
 * from -1 to 1, y down. `inward` is 1 or -1 where the felt lies to the right or left, 0 at the top. `rows` is how many
 * there are, evenly spaced, the top one among them.
 */
export function inRows(no, places) {
  const top = places % 2 ? 3 : 2;
  const side = (places - top) / 2;
  const rows = side + 1;
  const down = (row) => (2 * row) / side - 1;
  if (no <= side) return { rows, x: -1, y: down(side - no + 1), inward: 1 };
  if (no > side + top) return { rows, x: 1, y: down(no - side - top), inward: -1 };
  const across = (no - side - 1) / (top - 1) - 0.5;
  return { rows, x: across * TOP_WIDTH[top], y: -1, inward: 0 };
}
