"""`feltwire support-bundle`: what somebody elsewhere needs to see what is wrong, in one file, without any secret.

    versions.json              the program, Python, the machine, each library
    KIND-settings.json         numbers and switches of the configuration; texts are dots
    KIND-doctor.txt            what `feltwire doctor` says
    KIND-records.json          each ledger: its size, and where it ends
    NAME.log                   the end of each log

No card, tag, key, password or name is in it: of texts only the program's own words are kept (`redaction.py`).
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import platform
import sqlite3
import subprocess
import zipfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import msgspec

from feltwire.errors import UsageError
from feltwire.ledger.store import LedgerError
from feltwire.ledger.table_ledger import Ledger
from feltwire.private_files import write_private
from feltwire.tools.doctor import settings
from feltwire.tools.doctor.command import examined
from feltwire.tools.doctor.findings import Finding
from feltwire.tools.redaction import DOT, Redaction
from feltwire.version import engine, program_version
from table_core.rulebook import rulebook_ids
from table_core.toml_text import read_toml

HELP = __doc__
EXAMPLE = "feltwire support-bundle --config /etc/feltwire/table-01/table.toml --log table.log --out table.zip"

MOST_BYTES = 1_000_000  # of the end of a log
LINES = 5_000
PLAIN = ("table", "tables", "driver", "profile", "pin_factory", "delay_s", "air_delay_s", "time_zone", "hints")
_OF_OURS = Redaction()  # names of settings and files are ours, also where somebody is called so
OF_PEOPLE = ("player", "title", "name", "venue", "username", "password")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config", action="append", required=True, metavar="FILE", help="of a process here; repeatable"
    )
    parser.add_argument("--log", action="append", default=[], type=Path, metavar="FILE", help="a log; repeatable")
    parser.add_argument(
        "--unit", action="append", default=[], metavar="NAME", help="a service, whose journal is read"
    )
    parser.add_argument("--out", required=True, type=Path, metavar="FILE", help="the archive, a new file (zip)")


def run(args: argparse.Namespace) -> int:
    """Raise `UsageError` for a file that cannot be read, and for an archive that is there already."""
    documents = {path: _document(path) for path in args.config}
    redaction = Redaction(name for document in documents.values() for name in _names(document))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in _members(documents, args.log, args.unit, redaction):
            archive.writestr(name, text)
            print(name)
    try:
        write_private(args.out, packed.getvalue())
    except FileExistsError:
        raise UsageError(f"{args.out}: is there already; name a new file") from None
    print(f"{args.out}: {len(packed.getvalue())} bytes; look into it before you send it")
    return 0


def _members(
    documents: dict[str, dict[str, Any]], logs: list[Path], units: list[str], redaction: Redaction
) -> Iterator[tuple[str, str]]:
    yield "versions.json", _json(_versions())
    for number, (path, document) in enumerate(documents.items(), 1):
        kind = f"{number}-{settings.kind_of(path)}"
        yield f"{kind}-settings.json", _json(shape(document, redaction))
        findings = examined(path, settings.kind_of(path))
        lines = (_line(finding, redaction) for finding in findings)
        yield f"{kind}-doctor.txt", "\n".join(lines)
        yield f"{kind}-records.json", _json(_records(document))
    for number, log in enumerate(logs, 1):
        yield f"{number}.log", _redacted(_end_of(log), redaction)
    for number, unit in enumerate(units, 1):
        yield f"unit-{number}.log", _redacted(_journal(unit), redaction)


def _line(finding: Finding, redaction: Redaction) -> str:
    said = f"{finding.words} -> {finding.do}" if finding.do else finding.words
    return f"{finding.colour:<7} {finding.part:<21} {redaction.line(said)}"


def _json(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=1).decode()


def _document(path: str) -> dict[str, Any]:
    settings.kind_of(path)  # says what is wrong with a file that cannot be read
    return read_toml(Path(path).read_text("utf-8"))


def _versions() -> dict[str, object]:
    found = {one.metadata["Name"]: one.version for one in metadata.distributions()}
    machine = {"system": platform.system(), "release": platform.release(), "machine": platform.machine()}
    return {
        "feltwire": program_version(),
        "engine": engine(),
        "python": platform.python_version(),
        **machine,
        "libraries": dict(sorted(found.items())),
    }


def shape(value: Any, redaction: Redaction, key: str = "") -> Any:
    """A configuration without what anybody typed into it.

    >>> shape({"port": 8080, "password": "table", "rulebook": "base"}, Redaction())
    {'port': 8080, 'password': '•', 'rulebook': 'base'}
    """
    if isinstance(value, dict):
        return {_OF_OURS.line(name): shape(inner, redaction, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [shape(inner, redaction, key) for inner in value]
    if not isinstance(value, str):
        return value if isinstance(value, int | float) else DOT
    if not value:
        return ""
    if key in PLAIN or (key == "rulebook" and value in rulebook_ids()):
        return redaction.line(value)
    if key in ("url", "also", "source") and ":" in value:
        return f"{redaction.line(value.partition(':')[0])}:{DOT}"  # mqtts:, csi:
    return DOT


def _records(document: dict[str, Any]) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    for path in sorted(Path(document["data"]).glob("*.ledger")) if document.get("data") else ():
        one: dict[str, object] = {"file": _OF_OURS.line(path.name), "bytes": path.stat().st_size}
        with contextlib.suppress(LedgerError):  # another kind of ledger, or a damaged one: doctor says that
            ledger = Ledger.open(path, read_only=True)
            one |= {"epoch": ledger.head.epoch, "events": ledger.head.seq, "head": ledger.head.hash[:12]}
            ledger.close()
        found.append(one)
    return found


def _names(document: Any, key: str = "") -> Iterator[str]:
    """Of people, as the configuration and the records beside it know them."""
    if isinstance(document, dict):
        for name, inner in document.items():
            yield from _names(inner, name)
        if key == "" and document.get("data"):
            yield from _names_on_file(Path(document["data"]))
    elif isinstance(document, list):
        for inner in document:
            yield from _names(inner, key)
    elif isinstance(document, str) and key in OF_PEOPLE:
        yield document


def _names_on_file(data: Path) -> Iterator[str]:
    for path, query in (("players.db", "SELECT name FROM players"), ("people.db", "SELECT bytes FROM people")):
        yield from _rows(data / path, query)
    for people in data.glob("*.people"):
        yield from _rows(people, "SELECT bytes FROM people")


def _rows(path: Path, query: str) -> Iterator[str]:
    """Texts of a database; nothing where there is none or it cannot be read."""
    address = f"{path.resolve().as_uri()}?mode=ro"
    with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(address, uri=True)) as base:
        for (value,) in base.execute(query):
            yield from (value,) if isinstance(value, str) else _names(_decoded(value), "of a row")


def _decoded(raw: bytes) -> Any:
    try:
        return msgspec.json.decode(raw)
    except msgspec.DecodeError:
        return None


def _end_of(log: Path) -> str:
    try:
        with log.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - MOST_BYTES))
            return file.read().decode("utf-8", "replace")
    except OSError as error:
        raise UsageError(f"{log}: cannot be read ({error.strerror}); name a log") from error


def _journal(unit: str) -> str:
    command = ("journalctl", "--no-pager", "--output=short-iso", f"--lines={LINES}", f"--unit={unit}")
    try:
        return subprocess.run(command, capture_output=True, text=True, errors="replace", check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise UsageError(f"--unit {unit}: its journal cannot be read; name its log with --log") from error


def _redacted(text: str, redaction: Redaction) -> str:
    return "\n".join(map(redaction.line, text.splitlines()[-LINES:]))
