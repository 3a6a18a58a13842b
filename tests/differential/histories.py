"""Exports of a festival (3 rooms, 40 tables, 5 nights), read by programs of others.

    python -m tests.differential.histories --with pokerkit --limit 6 --seed 7
    python -m tests.differential.histories --packages others/lib/python3.11/site-packages \\
        --node-modules others/node_modules --shard 1/4

Every table's ledger is exported as OHH, PHH and PokerStars text. No number of a hand may come twice, the tables
of a tournament must share its number, and no two tournaments may have the same; OHH must be as its specification
has it. Each program must read each hand, with its numbers and the stacks that the ledger has, but for what it
cannot have of PokerStars' own text either. Nothing is installed: a program that is not there is named with what
installs it, and the exit status is 2. Have them in an environment of their own: `poker` brings a `pathlib`.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path

from feltwire.cli import main as feltwire
from feltwire.tools.shard import shard
from table_core.histories.recorded import RecordedHand
from tests.differential.festival import HANDS, NIGHTS, Place, places, station_of, write_ledger
from tests.differential.parsers import PARSERS, Parser, Read, Refused, with_hero
from tests.table_core.histories.ohh_spec import faults
from tests.table_core.histories.reading import parse_phh
from tests.table_core.histories.stars_tracker import Tracker

WATCHED = "refused: it wants a line `Dealt to`, which no text of a hand that was watched has"


@dataclass
class Found:
    """What was seen of all tables so far."""

    hands: int = 0
    left_out: int = 0
    games: Counter[str] = field(default_factory=Counter)
    tournaments: dict[str, set[tuple[int, int]]] = field(default_factory=dict)  # number -> (room, night)
    wrong: list[str] = field(default_factory=list)
    read: Counter[tuple[str, str]] = field(default_factory=Counter)  # (program, what became of a hand)
    absent: dict[str, str] = field(default_factory=dict)


def try_place(found: Found, place: Place, programs: Sequence[Parser], *, hands: int, seed: int) -> None:
    """One table: its ledger, its exports, and what the programs make of them."""
    with tempfile.TemporaryDirectory() as folder:
        ledger = Path(folder) / "table.ledger"
        write_ledger(ledger, place, hands=hands, seed=seed)
        ohh, phh, stars = (_export(ledger, form) for form in ("ohh", "phh", "pokerstars"))
    hands_ohh = [json.loads(part) for part in ohh.strip().split("\n\n")]
    texts = [text for text in stars.split("\n\n\n") if text.strip()]
    ends = [_ends(hand) for hand in parse_phh(phh, "out.phhs")]
    found.hands += len(texts)
    for content, text, end in zip(hands_ohh, texts, ends, strict=True):
        found.wrong += [f"{place}: {fault}" for fault in faults(content)]
        hand, event = content["ohh"], content["ohh"]["tournament_info"]
        numbers = re.match(r"PokerStars Hand #(\d+): Tournament #(\d+),", text)
        if numbers is None or numbers.groups() != (hand["game_number"], event["tournament_number"]):
            found.wrong.append(f"{place}: {text[:80]!r} and OHH have other numbers")
        if (read := _strictly(text)) != end:
            found.wrong.append(f"{place}: {read}, not {end}, in PokerStars text\n{text}")
        found.games[hand["game_number"]] += 1
        number = event["tournament_number"]
        night = next(
            no for no in range(NIGHTS) if int(station_of(place.room, no, seed), 16) + 10**9 == int(number)
        )
        found.tournaments.setdefault(number, set()).add((place.room, night))
    for program in programs:
        _try_program(found, place, program, texts, ends)


def _ends(hand: RecordedHand) -> dict[int, int]:
    """The stacks at the end of a hand by seat of the table."""
    return {int(seat): stack for seat, stack in zip(hand.table_seats, hand.finishing_stacks or (), strict=True)}


def _strictly(text: str) -> dict[int, int] | str:
    """The stacks at the end of a hand in PokerStars text; why it is none."""
    try:
        return Tracker(f"{text}\n\n\n").read()
    except AssertionError as error:
        return str(error)


def _export(ledger: Path, form: str) -> str:
    out = ledger.with_name(f"out.{form}")
    with redirect_stderr(StringIO()) as said:
        status = feltwire(["export", str(ledger), "--format", form, "--event", "Friday", "--out", str(out)])
    assert status == 0, said.getvalue()
    return out.read_text("utf-8")


def _try_program(
    found: Found, place: Place, program: Parser, texts: Sequence[str], ends: Sequence[dict[int, int]]
) -> None:
    if program.name in found.absent:
        return
    given = list(zip(texts, ends, strict=True))
    if program.needs_hero:
        seen = [(text, with_hero(text), end) for text, end in given]
        found.read[program.name, WATCHED] += sum(played is None for _, played, _ in seen)
        given = [(played, end) for _, played, end in seen if played is not None]
    try:
        answers = list(program.read([text for text, _ in given]))
    except ImportError:
        found.absent[program.name] = program.needs
        return
    for (text, end), answer in zip(given, answers, strict=True):
        found.read[program.name, _verdict(found, place, program, text, end, answer)] += 1


def _verdict(
    found: Found, place: Place, program: Parser, text: str, end: dict[int, int], answer: Read | Refused
) -> str:
    """What became of one hand at one program."""
    excuse = program.excuse(text)
    if isinstance(answer, Refused):
        if not excuse:
            found.wrong.append(f"{place}: {program.name} refuses a hand: {answer.why}\n{text}")
        return f"refused: {excuse or answer.why}"
    numbers = re.match(r"PokerStars Hand #(\d+): Tournament #(\d+),", text)
    if numbers is None or numbers.groups() != (answer.hand, answer.tournament):
        found.wrong.append(f"{place}: {program.name} reads other numbers: {answer}\n{text}")
    if answer.stacks is None:
        return "read, with the same numbers"
    seats = {name: int(seat) for seat, name in re.findall(r"^Seat (\d+): (.+) \(\d+ in chips\)$", text, re.M)}
    if {seats[name]: stack for name, stack in answer.stacks.items()} == end:
        return "read, with the same numbers and stacks"
    if not excuse:
        found.wrong.append(f"{place}: {program.name} reads other stacks: {answer.stacks}, not {end}\n{text}")
    return f"read, with other stacks: {excuse}"


def report(found: Found) -> Iterator[str]:
    tables = len(found.tournaments)
    yield f"{found.hands} hands in {tables} tournaments, {found.hands - len(found.games)} numbers twice"
    yield from (f"  {program}: {count} {what}" for (program, what), count in sorted(found.read.items()))
    yield from (f"  {program} is not installed: {needs}" for program, needs in found.absent.items())
    yield from found.wrong[:20]
    yield f"{len(found.wrong)} wrong"


def judged(found: Found) -> Found:
    """`found` with what only all tables together show."""
    found.wrong += [f"hand number {game} comes {times} times" for game, times in found.games.items() if times > 1]
    found.wrong += [f"tournament number {no} is of {of}" for no, of in found.tournaments.items() if len(of) > 1]
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--hands", type=int, default=HANDS, help="of a table and night; default: 3")
    parser.add_argument("--shard", type=shard, default=(1, 1), metavar="I/N", help="this part of the tables")
    parser.add_argument("--limit", type=int, metavar="N", help="so many tables of them")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    names = [one.name for one in PARSERS]
    parser.add_argument("--with", dest="programs", nargs="+", choices=names, help="these programs alone")
    parser.add_argument("--packages", metavar="FOLDER", help="site-packages with the Python programs of others")
    parser.add_argument("--node-modules", metavar="FOLDER", help="node_modules with the npm programs")
    args = parser.parse_args()
    sys.path += [args.packages] if args.packages else []  # at the end: what is ours stays ours
    os.environ["NODE_PATH"] = args.node_modules or os.environ.get("NODE_PATH", "")
    (part, parts), found = args.shard, Found()
    programs = [one for one in PARSERS if not args.programs or one.name in args.programs]
    print(f"seed {args.seed}", file=sys.stderr)
    for no, place in enumerate(places()[part - 1 :: parts][: args.limit], 1):
        try_place(found, place, programs, hands=args.hands, seed=args.seed)
        print(f"\r{no} tables, {found.hands} hands", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print("\n".join(report(judged(found))))
    return 1 if found.wrong else 2 if found.absent else 0


if __name__ == "__main__":
    raise SystemExit(main())
