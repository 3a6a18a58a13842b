"""Files that people give to commands: lists, rulebooks, seasons, decks, configurations, hands, backups."""

from __future__ import annotations

import contextlib
import io
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from feltwire import cli
from firmware_bridge.decks import generate
from tests.mutated.mutations import ANY_BYTES, TEXTS, Chance
from tests.restarts.values import NUMBERS

LIST = (
    "name,id,member,adult,regular,online,signed_up\n"
    "Dan,,yes,yes,no,no,\nEve,q1,no,yes,,yes,2026-11-23T17:30+01:00\n"
)
_BOOK = (
    'name = "Friday"\nmax_seats = 9\n[tournament]\n'
    'late_until = { value = 6, rule = "friday.4" }\npayouts = [50, 30, 20]\n'
    '[reasons]\ntalking = { kind = "warning", major = false, rule = "friday.5" }\n[notices]\n'
)
_SEASON = (
    '{"event":"Monday","day":"2026-11-23","results":[{"player":"p1","place":1},{"player":"p2","place":2}]}\n'
    '{"event":"Friday","results":[{"player":"p2","place":1}]}\n'
)
_TDT = 'Tournament={"Players":[{"Nickname":"Ann","Finish":1}],"Version":"3.7.2"}'
_PHH = (
    "variant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [1, 2]\nmin_bet = 2\nstarting_stacks = [110, 120]\n"
    "actions = ['d dh p1 ????', 'd dh p2 ????', 'p2 f']\n"
)
_CONFIG = (
    'venue = "hall"\ndata = "{folder}/station"\ntables = ["01", "02"]\ntitle = "Friday"\n'
    "[[levels]]\nno = 1\nsmall_blind = 50\n"
    "big_blind = 100\nminutes = 20\n[house]\nbuy_in = 40\n[web]\nport = 0\n"
)


class Kind(NamedTuple):
    """A command's `argv` around a file `name`, and a sound example of it."""

    argv: tuple[str, ...]
    name: str
    sound: str


KINDS: Mapping[str, Kind] = {
    "players": Kind(("players", "{file}"), "list.csv", LIST),
    "players of another program": Kind(("players", "{file}"), "list.tdt", _TDT),
    "a rulebook": Kind(("rulebook", "check", "{file}"), "friday.toml", _BOOK),
    "a season": Kind(("season", "{file}", "--points", "100", "70"), "season.jsonl", _SEASON),
    "a season's new event": Kind(("season", "{folder}/new.jsonl", "--add", "{file}"), "event.tdt", _TDT),
    "a season's new records": Kind(
        ("season", "{folder}/new.jsonl", "--add", "{file}"), "tournament.ledger", _SEASON
    ),
    "decks": Kind(("deck", "list", "{file}"), "decks.toml", generate(7)),
    "decks merged": Kind(("deck", "merge", "{file}", "{file}"), "decks.toml", generate(7)),
    "decks checked": Kind(("deck", "check", "{file}"), "decks.toml", generate(7)),
    "a hand": Kind(("replay", "{file}"), "hand.phh", _PHH),
    "a ledger": Kind(("verify", "{file}"), "table-01.ledger", _SEASON),
    "a ledger exported": Kind(("export", "{file}", "--format", "phh"), "table-01.ledger", _SEASON),
    "a station": Kind(("doctor", "--config", "{file}"), "station.toml", _CONFIG),
    "a backup": Kind(
        ("restore", "{folder}", "--to", "{folder}/fresh"), "manifest.json", '{"format":1,"files":[]}'
    ),
}


def spoilt(chance: Chance, text: str) -> bytes:
    """The file as nobody means it."""
    for _ in range(chance.choice((0, 1, 1, 2, 4))):
        dice = chance.random()
        if dice < 0.45:  # another value
            found = [*re.finditer(r"\d+|\"[^\"]*\"|'[^']*'|\btrue\b|\bfalse\b|[a-z_]{3,}", text)]
            if found:
                one = chance.choice(found)
                other = chance.choice((*map(str, NUMBERS), "1e400", "nan", "[]", "{}", '""', "true", "-0.0"))
                text = text[: one.start()] + other + text[one.end() :]
        elif dice < 0.7:
            at = chance.randrange(len(text) + 1)
            text = text[:at] + chance.choice(TEXTS)[:5_000] + text[at:]
        elif dice < 0.85 and "\n" in text:
            lines = text.splitlines()
            at = chance.randrange(len(lines))
            lines[at : at + 1] = [lines[at]] * chance.choice((0, 2, 300))
            text = "\n".join(lines)
    raw = text.encode(errors="surrogatepass")
    return chance.choice(ANY_BYTES)(chance, raw, raw) if chance.random() < 0.3 else raw


def given(kind: str, raw: bytes, folder: Path) -> None:
    """Call the command with the file, in an empty folder; raises what it raises."""
    shutil.rmtree(folder)
    folder.mkdir()
    argv, name, _ = KINDS[kind]
    file = folder / name
    file.write_bytes(raw.replace(b"{folder}", str(folder).encode()))
    words = [word.replace("{file}", str(file)).replace("{folder}", str(folder)) for word in argv]
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out), contextlib.suppress(SystemExit):
        cli.main(words)
