"""`feltwire audit`: who changed what goes on air, and whether the relay's record of it is whole."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

from feltwire.errors import UsageError
from feltwire.relay.desk.audit import AUDIT, AuditError, AuditNote, read_audit

HELP = """Show and check the relay's audit: who changed the delays, the feature table, the elements, and who cut.

Without --key only the links between the lines are checked, and the answer says so: the key is `sign` in relay.pub,
had from elsewhere than the relay. Lines that were cut off at the end are found with --had, which is the end that
an earlier call printed."""
EXAMPLE = "feltwire audit /var/lib/feltwire-relay --key $(grep -oP 'sign = \"\\K[^\"]+' relay.pub) --had 12:5f0c…"

_KEY = re.compile(r"[0-9a-f]{64}")
_END = re.compile(r"(\d{1,9}):([0-9a-f]{64})")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", metavar="DATA", type=Path, help=f"the relay's data folder, or its {AUDIT}")
    parser.add_argument("--key", metavar="HEX", default="", help="`sign` in relay.pub")
    parser.add_argument("--had", metavar="NO:HASH", default="", help="an end that was noted earlier")
    parser.add_argument("--json", action="store_true", help="a line of the audit a line, and what was checked")


def run(args: argparse.Namespace) -> int:
    if args.key and not _KEY.fullmatch(args.key):
        raise UsageError("--key: 64 hex digits, `sign` in relay.pub")
    had = _END.fullmatch(args.had) if args.had else None
    if args.had and had is None:
        raise UsageError("--had: a number, a colon and 64 hex digits, as an earlier call printed them")
    path = args.data / AUDIT if args.data.is_dir() else args.data
    if not path.exists():
        raise UsageError(f"{path}: is not there; name the relay's data folder or its {AUDIT}")
    end = (int(had[1]), had[2]) if had is not None else (0, "")
    try:
        notes, hashed = read_audit(path, key=args.key, had=end)
    except AuditError as error:
        print(json.dumps({"ok": False, "why": str(error)}) if args.json else f"does not hold: {error}")
        return 1
    for note in notes:
        print(_as_json(note) if args.json else _as_text(note))
    last = f"{len(notes)}:{hashed}" if notes else ""
    if args.json:
        print(json.dumps({"ok": True, "lines": len(notes), "end": last, "signed": bool(args.key)}))
    else:
        checked = "signed and linked" if args.key else "linked; signatures were not checked: no --key"
        print(f"{len(notes)} lines, {checked}. The end, to be noted elsewhere: {last or 'none yet'}")
    return 0


def _as_text(note: AuditNote) -> str:
    return f"{note.at.wall[:19]}Z  {note.who}: {note.what}{f': {note.text}' if note.text else ''}"


def _as_json(note: AuditNote) -> str:
    said = {"no": note.no, "at": note.at.wall, "who": note.who, "what": note.what, "text": note.text}
    return json.dumps(said, ensure_ascii=False)
