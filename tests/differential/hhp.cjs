// Hands of PokerStars text (stdin, three line ends between them) as npm's `hhp` reads them, one JSON line each.
const hhp = require("hhp");
const text = require("fs").readFileSync(0, "utf8");
for (const hand of text.split("\n\n\n").filter((one) => one.trim())) {
  let read = null;
  try { read = hhp.parseHand(hand.split("\n")); } catch (error) { read = { error: String(error.message) }; }
  console.log(JSON.stringify(read));
}
