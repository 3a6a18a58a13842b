/** Whether a hand is as the relay signed it, and its cards as the table promised them before anybody saw them.
 *
 * `verifyHand(line, key)`: `line` is the hand's signed line as it was downloaded, `key` the relay's public key (hex),
 * had from elsewhere. It needs no `crypto.subtle`, which browsers have on https pages only. */
"use strict";

const SIGNED = /^\{"(page|release)":(\{.*\}),"key":"([0-9a-f]{64})","signature":"([0-9a-f]{128})"\}$/s;
const EVENT = /^(\{.*),"signature":"([0-9a-f]{128})"\}$/s;
const HEX = /[0-9a-f]{64}/;

const utf8 = (text) => new TextEncoder().encode(text);
const fromHex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const sha256 = (text) => toHex(noble.sha256(utf8(text)));

function signedBy(key, text, signature) {
  try {
    return noble.ed25519.verify(fromHex(signature), utf8(text), fromHex(key), { zip215: false });
  } catch {
    return false; // no key, or no signature
  }
}

/** A line `{"release": …, "key": …, "signature": …}` in its parts; null for anything else. */
function partsOf(line, what) {
  const found = SIGNED.exec(line);
  if (found === null || found[1] !== what) return null;
  try {
    return { text: found[2], value: JSON.parse(found[2]), key: found[3], signature: found[4] };
  } catch {
    return null;
  }
}

/** The commitment that binds a card to its place (docs/hidden-cards.md). */
function commitmentOf(card) {
  const bound = [card.table, card.epoch, card.hand, card.attempt, card.place, card.to, card.card, card.salt];
  return sha256(`feltwire card 2\n${JSON.stringify(bound)}`);
}

/** `sign` out of the text of a `relay.pub`, or the key alone; "" where there is none. */
function keyIn(text) {
  const bare = text.toLowerCase().replace(/[\s"']/g, "");
  const named = /sign=([0-9a-f]{64})(?![0-9a-f])/.exec(bare);
  if (named) return named[1];
  return bare.length === 64 && HEX.test(bare) ? bare : "";
}

function verifyHand(line, key) {
  const checks = [];
  const check = (what, ok, why = "") => checks.push({ what, ok: Boolean(ok), why: ok ? "" : why });
  const page = partsOf(line, "page");
  check("The file is a signed hand", page, "it cannot be read as one");
  if (page === null) return { ok: false, checks };
  check("It names the key that you entered", page.key === key, "it was signed with another key");
  check("The relay signed the whole hand as it stands here", signedBy(key, page.text, page.signature), "the signature does not fit: the hand was changed, or the key is another");
  const hand = page.value.hand;
  let prev = hand.before;
  for (const one of hand.cards) {
    const name = `${one.card}, ${one.to === "board" ? "board" : one.to.replace("-", " ")}`;
    const release = partsOf(one.line, "release");
    if (release === null) {
      check(name, false, "its line of the releases log cannot be read");
      continue;
    }
    const { card } = release.value;
    check(`${name}: signed by the relay`, release.key === key && signedBy(key, release.text, release.signature), "the signature does not fit");
    check(`${name}: follows the line before`, release.value.prev === prev, "a line was taken out or put in between");
    prev = sha256(one.line);
    check(`${name}: is the card of this hand`, card.card === one.card && card.table === hand.table && card.hand === hand.hand && card.place === one.place && isShown(hand, one), "the page shows another card than was released");
    if (one.dealt !== "") promised(check, name, card, one.dealt);
  }
  return { ok: checks.every((one) => one.ok), checks, bare: hand.cards.filter((one) => one.dealt === "").length };
}

/** The table's own event, which it signed when the card left the shoe. */
function promised(check, name, card, raw) {
  const found = EVENT.exec(raw);
  let event = null;
  try {
    event = JSON.parse(raw);
  } catch {
    // said below
  }
  const signed = found !== null && event !== null && signedBy(card.key, `feltwire Envelope 1\n${found[1]}`, found[2]);
  check(`${name}: promised by the table when it was dealt`, signed, "the table did not sign this promise");
  if (event === null) return;
  const { data } = event;
  const same = event.table === card.table && event.epoch === card.epoch && data.place === card.place && data.to === card.to && data.attempt === card.attempt;
  check(`${name}: salt and card give the promised hash`, same && data.commitment === commitmentOf(card), "it is another card than was promised");
}

function isShown(hand, one) {
  if (one.to === "board") return hand.board.includes(one.card);
  const seat = hand.seats.find((there) => `seat-${there.seat}` === one.to);
  return seat !== undefined && seat.cards.includes(one.card);
}

globalThis.feltwireHands = { verifyHand, keyIn };
