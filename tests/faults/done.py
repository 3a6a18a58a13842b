"""What truly happened in each hand, as who sees everything writes it down; joined with the ledger afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from table_core.messages import CardText, Chips, Seat
from tests.faults.kinds import Kind


class Done(msgspec.Struct, frozen=True):
    """One hand, or several with one fault over all of them.

    Its events are those of the ledger after `from_seq` up to `to_seq` (numbers that the public screen shows).
    `staged` is False where the hand gave no chance for its fault. `counted`: how many stacks the dealer had to
    count; `presses` all key presses, digits apart; `seen`: the dealer screen said beside an open incident what the
    camera saw of it; `unread` how many face-up cards a drawn camera did not read.
    """

    no: int
    kind: Kind
    staged: bool
    from_seq: int
    to_seq: int
    stacks: dict[Seat, Chips]
    board: tuple[CardText, ...]
    tabled: dict[Seat, tuple[CardText, ...]]
    presses: int
    counted: int
    took_ms: int
    seen: bool = False
    unread: int = 0
    hands: int = 1
    what: str = ""  # where in the hand it happened, for whoever looks into a case
    stuck: str = ""  # why the hand did not end by itself


def append(path: Path, done: Done) -> None:
    with path.open("ab") as file:
        file.write(msgspec.json.encode(done) + b"\n")


def read(path: Path) -> Iterator[Done]:
    for line in path.read_bytes().splitlines():
        yield msgspec.json.decode(line, type=Done)
