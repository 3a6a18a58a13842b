"""Hidden cards change nothing: deal the same hand twice with other cards face down, and every byte that leaves the
node is the same, but for commitments, boxes and the hashes over them. No notation, number or length escapes this.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from feltwire.config import TableConfig
from feltwire.lab.simroom.dealer.mischief import Fault, Mischief
from feltwire.lab.simroom.dealer.robot import RobotDealing
from feltwire.lab.simroom.felt.felt import FeltCard
from feltwire.lab.simroom.play.bots import Bots
from feltwire.lab.simroom.play.names import player_name
from feltwire.lab.simroom.play.script import FULL_DECK, HandScript
from feltwire.table.recovery import RecoveryBox
from feltwire.table.table_io import Commit
from table_core.messages import Chips, Level, Seat, SeatStack
from table_core.rulebook import load_rulebook
from tests.room.robot_table import RobotTable

LEVEL = Level(1, Chips(100), Chips(200), big_blind_ante=Chips(200))
SEATS = tuple(SeatStack(Seat(n), Chips(10_000), player_name(n)) for n in range(1, 7))
BASE = load_rulebook("base")
HANDS = 3
FAULTS = [None, *(kind for kind in Mischief if kind is not Mischief.KILL_BROKER)]
_HASH = re.compile(r"[0-9a-f]{64}")


class OpenTable(RobotTable):
    """Remembers everything that the node gave out, and every card that lay face up."""

    def __init__(self, runtime: Path) -> None:
        self.said: list[str] = []
        self.face_up: set[str] = set()
        config = TableConfig(
            venue="v", table="01", data="", seats=SEATS, levels=(LEVEL,), button=Seat(1), smallest_chip=Chips(25)
        )
        super().__init__(config, runtime)

    def zone(self, name: str, cards: list[FeltCard]) -> None:
        self.face_up |= {lying.card for lying in cards if lying.face_up}
        super().zone(name, cards)

    def _take(self, effects: object) -> None:
        super()._take(effects)
        for effect in effects:  # type: ignore[attr-defined]
            self.said += written(effect) if isinstance(effect, Commit) else [_HASH.sub("••", repr(effect))]


def written(commit: Commit) -> list[str]:
    """What a commit puts on the disk; of a box, its place and its length."""
    boxes = [msgspec.json.decode(raw, type=RecoveryBox) for raw in commit.boxes]
    lines = [entry.raw.decode() for entry in commit.entries]
    lines += [str((seen.device, seen.boot, seen.seq, seen.body)) for seen in commit.observations]
    lines += [str((box.hand, box.attempt, box.handle, box.place, len(box.box))) for box in boxes]
    lines += [f"{key}: {len(value) if key == 'faces' else value!r}" for key, value in commit.notes.items()]
    return [_HASH.sub("••", line) for line in lines]


def deal(table: OpenTable, script: HandScript, kind: Mischief | None) -> dict[Seat, Chips]:
    fault = Fault()
    if kind is not None:
        fault.ask(kind)
    dealing = RobotDealing(
        table.hands(), BASE, plan=lambda _: script, level=LEVEL, fault=fault, smallest_chip=Chips(25)
    )
    return dict(dealing.play().stacks)


def other_cards(script: HandScript, seen: set[str], rng: random.Random) -> HandScript:
    """The same deck with every card that was never seen changed for another such card."""
    hidden = [card for card in FULL_DECK if card not in seen]
    changed = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
    return msgspec.structs.replace(script, deck=tuple(changed.get(card, card) for card in script.deck))


def hands(seed: int) -> Bots:
    return Bots(seats=SEATS, button=Seat(1), rulebook=BASE, seed=seed, smallest_chip=Chips(25))


def differing(one: Sequence[str], other: Sequence[str]) -> list[tuple[str, str]]:
    return [(a, b) for a, b in zip(one, other, strict=False) if a != b]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("kind", FAULTS)
def test_hidden_cards_change_nothing_that_leaves_the_table(
    tmp_path: Path, kind: Mischief | None, seed: int
) -> None:
    bots, rng = hands(seed), random.Random(seed)
    table, double = OpenTable(tmp_path / "one"), OpenTable(tmp_path / "other")
    for _ in range(HANDS):
        table.face_up.clear()
        script = bots.next_hand(LEVEL)
        stacks = deal(table, script, kind)
        changed = other_cards(script, table.face_up, rng)
        assert changed.deck != script.deck
        deal(double, changed, kind)
        assert not differing(table.said, double.said)[:1]
        assert len(table.said) == len(double.said)
        bots.settle(stacks)
        if bots.over:
            break
    assert len(table.said) > 100


class SlowerForSome(OpenTable):
    """A table that takes a millisecond longer over every other card."""

    def tag(self, uid: bytes) -> None:
        self.now += uid[-1] % 2
        super().tag(uid)


def test_a_table_whose_timing_tells_cards_apart_is_caught(tmp_path: Path) -> None:
    table, double = SlowerForSome(tmp_path / "one"), SlowerForSome(tmp_path / "other")
    script = hands(1).next_hand(LEVEL)
    deal(table, script, None)
    deal(double, other_cards(script, table.face_up, random.Random(1)), None)
    assert differing(table.said, double.said)
