"""What will go wrong and when, drawn from a seed by a process of its own and written where no table looks."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from tests.faults.kinds import FAULTS, Kind

PER_TABLE = 100
RENDERED_PER_TABLE = 20  # pictures take long, and the report grows by whole tables
CLEAN = 0.35  # of all hands
SEATS = (9, 9, 9, 8, 8, 7, 6, 6, 6, 5, 4)
_OFTEN = frozenset(kind for kind, fault in FAULTS.items() if fault.group == "people" and fault.hands == 1)


class PlannedHand(msgspec.Struct, frozen=True):
    """One hand to come. `seed` decides where in the hand the fault happens."""

    no: int
    kind: Kind
    seed: int


class PlannedTable(msgspec.Struct, frozen=True):
    """Hands dealt one after the other at one table. `rendered`: its camera's pictures are rendered and read."""

    no: int
    seed: int
    seats: int
    hands: tuple[PlannedHand, ...]
    rendered: bool = False


def draw(seed: int, hands: int, rendered: int = 0) -> list[PlannedTable]:
    """Tables of `PER_TABLE` hands, the kinds of faults in fixed shares, shuffled; the first `rendered` hands are
    dealt before a rendered camera, `RENDERED_PER_TABLE` at a table."""
    chance = random.Random(f"faults/{seed}")
    kinds = _kinds(chance, hands)
    tables: list[PlannedTable] = []
    no = 0
    while no < hands:
        first = no
        size = min(RENDERED_PER_TABLE if first < rendered else PER_TABLE, hands - first)
        planned: list[PlannedHand] = []
        while len(planned) < size:
            kind = _fitting(kinds, size - len(planned))
            for _ in range(FAULTS[kind].hands):
                no += 1
                planned.append(PlannedHand(no, kind, chance.getrandbits(32)))
        tables.append(
            PlannedTable(
                len(tables) + 1, chance.getrandbits(32), chance.choice(SEATS), tuple(planned), first < rendered
            )
        )
    return tables


def _kinds(chance: random.Random, hands: int) -> list[Kind]:
    """A kind for every hand and some to spare: clean ones in their share, the rest in turn, people's twice."""
    faults: list[Kind] = [kind for kind in Kind if kind is not Kind.CLEAN]
    faults += [kind for kind in faults if kind in _OFTEN]
    kinds: list[Kind] = []
    while len(kinds) < round(hands * (1 - CLEAN)):
        kinds += chance.sample(faults, len(faults))
    kinds = kinds[: round(hands * (1 - CLEAN))] + [Kind.CLEAN] * (hands - round(hands * (1 - CLEAN)))
    chance.shuffle(kinds)
    return kinds


def _fitting(kinds: list[Kind], room: int) -> Kind:
    """The next kind that does not last longer than the table."""
    for at in range(len(kinds) - 1, -1, -1):
        if FAULTS[kinds[at]].hands <= room:
            return kinds.pop(at)
    return Kind.CLEAN


def only(what: str, tables: Sequence[PlannedTable]) -> list[PlannedTable]:
    """The hands at one table up to number `what`, dealt as they would be; or all of the kind `what` without those
    between them, which is quicker."""
    if what.isdigit():
        cut = [(table, tuple([hand for hand in table.hands if hand.no <= int(what)])) for table in tables]
        return [replace(table, hands=upto) for table, upto in cut if upto and upto[-1].no == int(what)][:1]
    kept = [(table, tuple([hand for hand in table.hands if hand.kind == what])) for table in tables]
    return [replace(table, hands=hands) for table, hands in kept if hands]


def write_plan(folder: Path, tables: Sequence[PlannedTable]) -> None:
    """One file a table, for the dealing process alone."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for table in tables:
        path = _path(folder, table.no)
        path.touch(mode=0o600)
        path.write_bytes(msgspec.json.encode(table))
        os.chmod(path, 0o600)


def read_plan(folder: Path) -> Iterator[PlannedTable]:
    for path in sorted(folder.glob("table-*.json")):
        yield msgspec.json.decode(path.read_bytes(), type=PlannedTable)


def _path(folder: Path, no: int) -> Path:
    return folder / f"table-{no:04}.json"
