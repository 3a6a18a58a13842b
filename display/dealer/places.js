/** Where seats are drawn: as the dealer sees them, seat 1 at the dealer's left, then clockwise round the oval. */

const GAP = (64 * Math.PI) / 180; // the dealer's own place, at the bottom

/** How many places the table has, as far as its seats tell: six, nine, or as many as needed. */
export function sizeFor(seats) {
  const largest = Math.max(0, ...seats);
  return [6, 9].find((size) => largest <= size) ?? largest;
}

/** How far down a seat's bet lies, on the same circle: bets of the seats at the sides keep below the board. */
export function betHeight([x, y]) {
  const beside = Math.abs(x) > 0.75 && y > -0.5;
  return beside ? 0.22 + 0.52 * y : y;
}

/** `[x, y]` on the unit circle, y down; `no` may lie between two seats. */
export function around(no, places) {
  const angle = Math.PI / 2 + GAP / 2 + ((no - 1) * (2 * Math.PI - GAP)) / (places - 1);
  return [Math.cos(angle), Math.sin(angle)];
}
