"""Foreign files with one hand or one place spoilt, given to the doors that take them."""

from __future__ import annotations

import contextlib
import io
import json
import random
import re
import traceback
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from feltwire.cli import main
from tests.feltwire.station.tournament.test_sheets import opened, press
from tests.foreign.files import LIST, OTHERS, hand_files
from tests.mutated.mutations import ANY_BYTES, BIG, DEEP

_NUMBER = re.compile(rb"\d+(?:\.\d+)?")
_MARKS = (
    b"\x00",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\r",
    b'"',
    b"'",
    b"[",
    b"{",
    b"}",
    b"]",
    b",",
    b";",
    b"\t",
    b"=",
    b"#",
)
_WORDS = (
    b'{"ohh":',
    b"[9]\n",
    b"PokerStars Hand #1: ",
    b"sep=;\n",
    b"\xf0\x9f\x82\xa1",
    b"new X(",
    b"*** FLOP ***",
)


class Case(NamedTuple):
    """What was given to which door, and what was wrong with the answer: "" where nothing was."""

    door: str
    how: str
    wrong: str


def case(number: int, seed: int, folder: Path) -> Case:
    """The case of this number: the same each time."""
    chance = random.Random(f"{seed}/{number}")
    draw = chance.random()
    if draw < 0.55:
        return _one_hand_spoilt(chance, folder)
    if draw < 0.65:
        return _hands_packed_otherwise(chance, folder)
    if draw < 0.93:
        return _other_file(chance, folder)
    return _at_the_station(chance)


# ---------------------------------------------------------------------------------------- mutations


def spoilt(chance: random.Random, raw: bytes, other: bytes) -> tuple[str, bytes]:
    """The bytes with something wrong in them, and how."""
    how = chance.choice(("bytes", "bytes", "number", "number", "mark", "deep", "word", "code page"))
    if how == "bytes":
        mutation = chance.choice(ANY_BYTES)
        return mutation.__name__, mutation(chance, raw, other)
    if how == "number":
        found = [*_NUMBER.finditer(raw)]
        if found:
            one = chance.choice(found)
            put = chance.choice((*BIG, b"-1", b"0", b"1e9", b"0.001", b"1,000", b"9" * 30, b"'x'"))
            return "number", raw[: one.start()] + put + raw[one.end() :]
    if how == "code page":
        try:
            return how, raw.decode().encode("cp1252")
        except UnicodeError:
            return "nothing", raw
    at = chance.randrange(len(raw) + 1)
    put = chance.choice({"deep": DEEP, "word": _WORDS}.get(how, _MARKS))
    return how, raw[:at] + put * chance.choice((1, 1, 3)) + raw[at:]


def _encoded(chance: random.Random, raw: bytes) -> tuple[str, bytes]:
    """The same text in other bytes."""
    encoding = chance.choice(("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"))
    end = chance.choice((b"\n", b"\r\n"))
    text = raw.decode().replace("\n", end.decode())
    return f"{encoding} {len(end)}", text.encode(encoding, "replace")


# -------------------------------------------------------------------------------------------- doors

_FILES = hand_files()


def _one_hand_spoilt(chance: random.Random, folder: Path) -> Case:
    """Of several hands one is spoilt. The others are as they were, but for the one that it may be taken for a part
    of."""
    file = chance.choice(_FILES)
    hands = tuple(chance.choice(file.hands) for _ in range(chance.randint(3, 6)))
    at = chance.randrange(len(hands))
    how, one = spoilt(chance, hands[at], chance.choice(hands))
    raw = file.join((*hands[:at], one, *hands[at + 1 :]))
    equal, said = _replayed(folder, file.suffix, raw)
    if not said and equal < len(hands) - 2:
        said = f"{equal} of {len(hands)} hands are left of hand {at + 1} spoilt: {raw[:20_000]!r}"
    return Case(f"replay {file.suffix}", how, said)


def _hands_packed_otherwise(chance: random.Random, folder: Path) -> Case:
    """Other bytes for the same hands: each is read."""
    file = chance.choice(_FILES)
    hands = tuple(chance.choice(file.hands) for _ in range(chance.randint(1, 4)))
    how, raw = _encoded(chance, file.join(hands))
    suffix = file.suffix.upper() if chance.random() < 0.3 else file.suffix
    if chance.random() < 0.3:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(f"a/b{suffix}", raw)
            archive.writestr("readme.txt", b"nothing")
        how, raw, suffix = f"{how} zip", packed.getvalue(), ".zip"
        if chance.random() < 0.5:
            how, raw = spoilt(chance, raw, raw)
            return Case("replay .zip", how, _replayed(folder, suffix, raw)[1])
    equal, said = _replayed(folder, suffix, raw)
    if not said and equal != len(hands):
        said = f"{equal} of {len(hands)} hands in {how}: {raw[:20_000]!r}"
    return Case(f"replay {suffix}", how, said)


def _other_file(chance: random.Random, folder: Path) -> Case:
    command, suffix, text = chance.choice(OTHERS)
    how, raw = _encoded(chance, text.encode())
    if chance.random() < 0.8:
        how, raw = spoilt(chance, raw, text.encode())
        status, said, _ = _called([*command, str(_written(folder, suffix, raw))])
    else:
        status, said, _ = _called([*command, str(_written(folder, suffix, raw))])
        if status and not said:
            said = f"status {status} for the whole file in {how}"
    return Case(f"{' '.join(command)} {suffix}", how, said)


def _at_the_station(chance: random.Random) -> Case:
    """Text pasted at the pages."""
    command, text = chance.choice((("import_players", LIST), ("load_schedule", OTHERS[2][2])))
    how, raw = spoilt(chance, text.encode(), LIST.encode())
    text = raw.decode("utf-8", "replace")[:100_000]
    try:
        reply = press(_STATIONS[0], command, text=text)
        said = "" if reply.text.strip() else "an empty answer"
    except Exception:  # noqa: BLE001  (a traceback, at a station)
        said = f"{traceback.format_exc(limit=-4)}\n{text[:2_000]!r}"
        _STATIONS[0] = opened()
    return Case(command, how, said)


_STATIONS: list[Any] = [opened()]


def _replayed(folder: Path, suffix: str, raw: bytes) -> tuple[int, str]:
    """How many hands are equal, and what was wrong."""
    status, said, out = _called(["replay", "--json", str(_written(folder, suffix, raw))])
    if said or status == 2:
        return 0, said or f"gave up: {raw[:5_000]!r}"
    return int(json.loads(out.splitlines()[-1])["equal"]), ""


def _written(folder: Path, suffix: str, raw: bytes) -> Path:
    path = folder / f"file{suffix}"
    path.write_bytes(raw)
    return path


def _called(arguments: list[str]) -> tuple[int, str, str]:
    """Exit status, what is wrong with the end of this command, and what it printed."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status: Any = main(arguments)
        except SystemExit as ended:
            status = ended.code
        except Exception:  # noqa: BLE001  (a traceback, in a shell)
            return 3, f"{traceback.format_exc(limit=-6)}\n{Path(arguments[-1]).read_bytes()[:3_000]!r}", ""
    try:
        out.getvalue().encode()
    except UnicodeEncodeError as error:
        return 3, f"cannot be printed: {error}", ""
    if status not in (0, 1, 2) or (status == 2 and err.getvalue().count("\n") != 1):
        return 3, f"status {status}, says {err.getvalue()[:300]!r}", ""
    return status, "", out.getvalue()


def campaign(numbers: range, seed: int, folder: Path, tell: Callable[[int, Case], None]) -> Counter[str]:
    """The cases of these numbers; `tell` is given each whose answer was wrong. How many there were by door."""
    count: Counter[str] = Counter()
    for number in numbers:
        found = case(number, seed, folder)
        count[found.door] += 1
        if found.wrong:
            tell(number, found)
    return count
