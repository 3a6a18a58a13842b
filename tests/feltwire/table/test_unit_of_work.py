"""A command at a table is decided and applied once, and what is recorded of it gives the same table again."""

import random
from typing import Any
from unittest.mock import Mock

import pytest

from feltwire.ledger.chain import hash_of
from feltwire.table.unit_of_work import TableUnitOfWork
from table_core.messages import (
    AnyHandCommand,
    At,
    Chips,
    Level,
    Millis,
    Refusal,
    Report,
    Seat,
    SeatsSet,
    SeatStack,
    StartHand,
    decode_envelope,
)
from table_core.projections.table import TableProjection
from table_core.rulebook import load_rulebook
from tests.table_core.hand.any_hand import any_command, any_deck, any_start, likely

AT = At("b", Millis(1))
SEATS = tuple(SeatStack(Seat(number), Chips(400)) for number in range(1, 12))
HANDS = 40


def table() -> TableProjection:
    return TableProjection("hall", "01", load_rulebook("base"), epoch=1)


def unit_of(live: TableProjection) -> TableUnitOfWork:
    vault: Any = Mock(deal_stands=lambda: (), take_back_deal=lambda: ())  # no card is dealt here
    return TableUnitOfWork(live, vault, "hall", AT, "keypad/1/1")


@pytest.mark.parametrize("seed", range(HANDS))
def test_a_table_that_decided_is_the_table_that_its_stored_events_give(seed: int) -> None:
    chance = random.Random(seed)
    live, again = table(), table()
    unit = unit_of(live)
    unit.record(SeatsSet(SEATS, Seat(1), hand=1))
    for _ in range(3):
        deck = any_deck(chance)
        command: AnyHandCommand = any_start(chance)
        for _ in range(60):
            before = None if live.hand is None else live.hand.snapshot()
            if isinstance(unit.push(command), Refusal):
                assert (None if live.hand is None else live.hand.snapshot()) == before
            wild = live.hand is None or live.hand.ended or chance.random() < 0.3
            command = any_command(chance) if wild or live.hand is None else likely(live.hand, deck, chance)
            what = command.what if isinstance(command, Report) else command
            if isinstance(what, StartHand):
                break  # the tracker starts hands of players who are there
            command = Report(what) if isinstance(command, Report) else command  # histories alone report all-ins
    for entry in unit.commit.entries:
        assert entry.hash == hash_of(entry.raw)
        again.apply(decode_envelope(entry.raw), entry.hash)
    assert again.view() == live.view()
    assert again.seats == live.seats
    assert live.hand is not None
    assert again.hand is not None
    assert again.hand.snapshot() == live.hand.snapshot()


def test_a_new_hand_begins_with_nothing_of_the_one_before() -> None:
    live = table()
    unit = unit_of(live)
    level = Level(1, Chips(1), Chips(2))
    unit.record(SeatsSet(SEATS, Seat(1), hand=1))
    for number in (1, 2):
        assert unit.push(StartHand(number, Seat(1), Seat(2), Seat(3), level, SEATS)) is None
        assert live.hand is not None
        live.hand.pop()
        assert not live.hand.started
