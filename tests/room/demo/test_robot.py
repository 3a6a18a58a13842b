"""A robot deals as a dealer does, and copes with its own mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest

from feltwire.config import TableConfig
from feltwire.lab.simroom.dealer.hands import Hands
from feltwire.lab.simroom.dealer.mischief import Fault, Mischief
from feltwire.lab.simroom.dealer.performed import Performed
from feltwire.lab.simroom.dealer.robot import RobotDealing
from feltwire.lab.simroom.play.bots import Bots
from feltwire.lab.simroom.play.names import player_name
from table_core.messages import Acted, CardDealt, Chips, HandEnded, Level, Noticed, Seat, SeatStack
from table_core.rulebook import load_rulebook
from tests.room.robot_table import RobotTable

LEVEL = Level(1, Chips(100), Chips(200), big_blind_ante=Chips(200))
SEATS = tuple(SeatStack(Seat(n), Chips(10_000), player_name(n)) for n in range(1, 7))
BASE = load_rulebook("base")


class Room:
    """A table in memory with a robot at it."""

    def __init__(self, runtime: Path, seed: int = 7) -> None:
        config = TableConfig(
            venue="v", table="01", data="", seats=SEATS, levels=(LEVEL,), button=Seat(1), smallest_chip=Chips(25)
        )
        self.table = RobotTable(config, runtime)
        self.hands: Hands = self.table.hands()
        self.fault = Fault()
        self.bots = Bots(seats=SEATS, button=Seat(1), rulebook=BASE, seed=seed, smallest_chip=Chips(25))

    def deal(self) -> Performed:
        performed = RobotDealing(
            self.hands,
            BASE,
            plan=self.bots.next_hand,
            level=LEVEL,
            fault=self.fault,
            smallest_chip=Chips(25),
        ).play()
        self.bots.settle(performed.stacks)
        return performed

    def noticed(self) -> set[str]:
        return {e.data.kind for e in self.table.envelopes if isinstance(e.data, Noticed)}


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def test_hands_end_with_the_stacks_that_the_felt_has(room: Room) -> None:
    for _ in range(60):
        if room.bots.over:
            break
        performed = room.deal()
        assert performed.stacks_agree
        assert (performed.misread, performed.unread) == (0, 0)
        assert (performed.tally.corrections, performed.tally.counts) == (0, 0)


def test_the_riffle_comes_first_then_every_hole_card_and_only_then_a_key(room: Room) -> None:
    room.deal()
    assert room.table.did[0] == "NEW_HAND"
    assert room.table.did[1:13] == ["card"] * 12
    assert room.table.did[13] == "show"


def test_one_press_is_one_action(room: Room) -> None:
    script = room.bots.next_hand(LEVEL)
    performed = room.deal()
    acted = sum(isinstance(envelope.data, Acted) for envelope in room.table.envelopes)
    assert acted == len(script.acts)
    riffle_and_push = 2
    assert performed.tally.presses == acted + len(script.tables) + len(script.mucks) + riffle_and_push
    assert performed.tally.questions == 0


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", [kind for kind in Mischief if kind is not Mischief.KILL_BROKER])
def test_after_every_fault_the_table_catches_up(tmp_path: Path, kind: Mischief, seed: int) -> None:
    room = Room(tmp_path, seed)
    for _ in range(4):
        room.fault.ask(kind)
        performed = room.deal()
        assert performed.stacks_agree, performed
    assert not room.table.node.table.in_hand


def test_the_table_says_what_it_noticed(tmp_path: Path) -> None:
    expected = {
        Mischief.SKIP_BURN: "burn_missing",
        Mischief.EXPOSE_CARD: "card_exposed",
        Mischief.WRONG_SEAT: "out_of_turn_press",
    }
    for kind, notice in expected.items():
        room = Room(tmp_path / kind)
        room.fault.ask(kind)
        room.deal()
        assert notice in room.noticed(), kind


def test_a_skipped_burn_changes_the_board_for_everybody(room: Room) -> None:
    script = room.bots.next_hand(LEVEL)
    room.fault.ask(Mischief.SKIP_BURN)
    performed = room.deal()
    assert performed.board != script.board()
    burns = [e.data for e in room.table.envelopes if isinstance(e.data, CardDealt) and e.data.to == "burn"]
    assert len({burn.place for burn in burns}) <= 3
    assert any(isinstance(envelope.data, HandEnded) for envelope in room.table.envelopes)
