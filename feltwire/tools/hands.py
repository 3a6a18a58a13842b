"""`feltwire hands`: released hands of a relay as pages for a plain folder; and whether a hand is as it was signed.

`export` writes what any file server or a stick can give: a page a hand, its histories, what the relay signed.
`verify` checks such a file on a machine of one's own. `key` prints the relay's public key, as text and to be
scanned."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import segno
from jinja2 import Environment
from nacl.exceptions import BadSignatureError
from nacl.signing import VerifyKey

from display.feed import hand_page
from feltwire.errors import UsageError
from feltwire.ledger.chain import event_in, hash_of
from feltwire.ledger.releases import SignedRelease
from feltwire.ledger.signing import signed_by
from feltwire.relay.feed.signed_hand import FeedCard, FeedHand
from feltwire.relay.feed.store import HANDS, HandStore, SignedPage, hand_in
from feltwire.runtime.static_files import TYPEFACE, copy_static
from table_core.messages import CardDealt, Envelope, Malformed, decode
from table_core.toml_text import read_toml

HELP = (
    "Released hands as pages for a plain folder; whether a hand is as the relay signed it; the relay's public key."
)
EXAMPLE = "feltwire hands export /var/lib/feltwire/relay --to /srv/hands"

FOLDERS = {"shared": ("base.css", "icon.svg"), "hand": ("hand.css", "hand.js", "verify.js", "noble.js")}
_KEY = re.compile("[0-9a-f]{64}")
_INDEX = """<!doctype html>
<html lang="en" data-suits="2">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Hands · Feltwire</title>
<link rel="icon" href="static/shared/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="static/shared/base.css">
<link rel="stylesheet" href="static/hand/hand.css">
</head>
<body class="hand-page">
<main>
<h1>Hands</h1>
<section aria-label="Hands"><ul>
{% for hand in hands %}<li>
<a href="hand/{{ hand.table }}/{{ hand.name }}.html">Table {{ hand.table }}, hand {{ hand.hand }}</a>
{{ hand.began[:16]|replace("T", " ") }} · pot {{ "{:,}".format(hand.pot) }} · {{ hand.board|join(" ") }}</li>
{% endfor %}</ul></section>
</main>
</body>
</html>
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    does = parser.add_subparsers(dest="do", metavar="DO", required=True)
    export = does.add_parser("export", help="write the pages of all hands that the relay has shown")
    export.add_argument("data", metavar="DATA", type=Path, help="the relay's data folder; it may run")
    export.add_argument("--to", metavar="FOLDER", type=Path, required=True)
    verify = does.add_parser("verify", help="check a hand that was downloaded (.json)")
    verify.add_argument("file", metavar="FILE", type=Path)
    verify.add_argument("--key", metavar="HEX", required=True, help="`sign` in the relay's relay.pub")
    verify.add_argument("--json", action="store_true", help="one JSON object a check")
    key = does.add_parser("key", help="the relay's public key, to be printed")
    key.add_argument("public", metavar="RELAY_PUB", type=Path, help="relay.pub, as `feltwire provision` made it")
    key.add_argument("--out", metavar="SVG", type=Path, help="write the code to be scanned there")


def run(args: argparse.Namespace) -> int:
    match args.do:
        case "export":
            print(f"{_export(args.data, args.to)} hands in {args.to}: open {args.to / 'index.html'}")
            return 0
        case "verify":
            return _verify(args)
        case _:
            return _print_key(args)


# ----------------------------------------------------------------------------------------------- export


def _export(data: Path, to: Path) -> int:
    """Write the pages; how many hands."""
    with closing(HandStore.open(data / HANDS, read_only=True)) as store:
        hands = []
        try:
            copy_static(FOLDERS | TYPEFACE, to)
            for table, name in store.names():
                line = store.line(table, name)
                if line is not None:
                    hands.append(_write_hand(line, to))
            newest_first = hands[::-1]
            index = Environment(autoescape=True).from_string(_INDEX).render(hands=newest_first)
            (to / "index.html").write_text(index, "utf-8")
        except OSError as error:
            raise UsageError(
                f"{error.filename or to}: cannot be written ({error.strerror}); name another folder"
            ) from error
    return len(hands)


def _write_hand(line: bytes, to: Path) -> FeedHand:
    hand = hand_in(line)
    folder = to / "hand" / hand.table
    folder.mkdir(parents=True, exist_ok=True)
    page = hand_page(line, root="../../static/", home="../../index.html", files=hand.name)
    texts = {"html": page, "json": line.decode(), "phh": hand.phh, "ohh": hand.ohh}
    for kind, text in texts.items():
        if text:
            (folder / f"{hand.name}.{kind}").write_text(text, "utf-8")
    return hand


# ----------------------------------------------------------------------------------------------- verify


def _verify(args: argparse.Namespace) -> int:
    key = _key_in(args.key, "--key")
    try:
        line = args.file.read_bytes()
    except OSError as error:
        raise UsageError(f"{args.file}: cannot be read ({error.strerror}); name a downloaded hand") from error
    good = True
    for what, holds in checks(line.rstrip(b"\n"), key):
        good = good and holds
        if args.json:
            print(json.dumps({"check": what, "ok": holds}))
        elif not holds:
            print(f"does not hold: {what}")
    if not args.json:
        print("verified" if good else "not verified")
    return 0 if good else 1


def checks(line: bytes, key: str) -> Iterator[tuple[str, bool]]:
    """What is checked of a hand's line by the relay's `key` (hex), and whether it holds."""
    try:
        signed = msgspec.json.decode(line, type=SignedPage)
    except (msgspec.DecodeError, UnicodeDecodeError):
        yield "the file is a signed hand", False
        return
    whole = msgspec.json.encode(signed) == line  # nothing else stands in it
    yield "the relay signed the whole hand", whole and _signed(key, msgspec.json.encode(signed.page), signed)
    hand = signed.page.hand
    prev = hand.before
    for card in hand.cards:
        yield from _card_checks(card, hand, key, prev)
        prev = hash_of(card.line.encode())


def _card_checks(card: FeedCard, hand: FeedHand, key: str, prev: str) -> Iterator[tuple[str, bool]]:
    name = f"{card.card}, {card.to}"
    try:
        signed = decode(card.line.encode(), SignedRelease)
    except Malformed:
        yield f"{name}: a line of the releases log", False
        return
    release, opening = signed.release, signed.release.card
    yield f"{name}: signed by the relay", _signed(key, msgspec.json.encode(release), signed)
    yield f"{name}: follows the line before", release.prev == prev
    same = (opening.table, opening.hand, opening.place, opening.card)
    yield f"{name}: is the card of this hand", same == (hand.table, hand.hand, card.place, card.card)
    if card.dealt:
        yield (
            f"{name}: promised by the table when it was dealt",
            signed_by(card.dealt.encode(), Envelope, opening.key),
        )
        dealt = event_in(card.dealt.encode())
        promised = isinstance(dealt, CardDealt) and opening.opens(dealt.commitment or "")
        yield f"{name}: salt and card give the promised hash", promised


def _signed(key: str, raw: bytes, signed: SignedPage | SignedRelease) -> bool:
    try:
        VerifyKey(bytes.fromhex(key)).verify(raw, bytes.fromhex(signed.signature))
    except (BadSignatureError, ValueError):
        return False
    return signed.key == key


# -------------------------------------------------------------------------------------------------- key


def _print_key(args: argparse.Namespace) -> int:
    try:
        document = read_toml(args.public.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{args.public}: cannot be read as relay.pub; `feltwire provision` makes it") from error
    key = _key_in(str(document.get("sign", "")), str(args.public))
    print(key)
    code = segno.make(key, error="m")
    if args.out is None:
        code.terminal(out=sys.stdout, compact=True)
        return 0
    try:
        code.save(str(args.out), kind="svg", scale=6)
    except OSError as error:
        raise UsageError(f"{args.out}: cannot be written ({error.strerror}); give another --out") from error
    return 0


def _key_in(text: str, where: str) -> str:
    key = text.strip().lower()
    if not _KEY.fullmatch(key):
        raise UsageError(f"{where}: no key; it has 64 characters, 0 to 9 and a to f: `sign` in relay.pub")
    return key
