"""How worn a deck is: counted after the hand, out of what everybody saw, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from feltwire.config import TableConfig
from feltwire.lab.table.wired import WiredTable
from feltwire.table import deck_wear
from feltwire.table.deck_wear import DeckWear
from firmware_bridge.decks import CARDS
from firmware_bridge.decks.wear import Worn
from table_core.messages import CardText, Chips, Key, Level, Seat, SeatStack, Zone, ZoneKind, ZoneReading

STACKS = tuple(SeatStack(Seat(seat), Chips(1_000)) for seat in (1, 2, 3))
LEVEL = Level(1, Chips(5), Chips(10))
HOLE = [CardText(card) for card in ("2c", "3c", "4c", "5c", "6c", "7c")]
FLOP = [CardText(card) for card in ("Ah", "Kd", "9s")]


class Table(WiredTable):
    def __init__(self, folder: Path) -> None:
        config = TableConfig("v", "01", "", STACKS, (LEVEL,), 3)
        super().__init__(config, folder, frozenset({"keypad", "shoe", "camera"}))

    def keys(self, *keys: Key) -> None:
        for key in keys:
            self.advance(self.now + 1_500)
            self.press(key)

    def cards(self, deck: str, *cards: CardText | None) -> None:
        for card in cards:
            self.advance(self.now + 300)
            self.card(deck, card)

    def flop_hand(self, deck: str, flop: list[CardText | None]) -> None:
        """Dealt, called round, a flop that the camera reads; then everybody folds."""
        self.keys(Key.NEW_HAND)
        self.cards(deck, *HOLE)
        self.keys(Key.CHECK_CALL, Key.CHECK_CALL, Key.CHECK_CALL)
        self.advance(self.now + 2_500)
        self.cards(deck, CardText("Qc"), *flop)
        self.advance(self.now + 1_000)
        self.see(ZoneReading(Zone(ZoneKind.BOARD), cards=tuple(FLOP)))
        self.advance(self.now + 3_000)
        self.keys(Key.FOLD, Key.FOLD)
        assert not self.node.table.in_hand
        assert self.view.board == tuple(FLOP)

    @property
    def worn(self) -> dict[str, Worn]:
        return deck_wear.read(self.notes.get(deck_wear.NOTE))


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path / "run")


def test_a_hand_is_counted_at_the_next_riffle_with_the_cards_that_everybody_saw(table: Table) -> None:
    table.flop_hand("red", [*FLOP])
    assert table.worn == {}, "its cards are in play until the next riffle"
    table.flop_hand("blue", [*FLOP])
    assert table.worn == {"red": Worn(1, 10, dict.fromkeys(sorted(FLOP), 1))}
    table.keys(Key.NEW_HAND)
    assert table.worn["blue"] == Worn(1, 10, dict.fromkeys(sorted(FLOP), 1))


def test_a_card_that_lay_face_up_and_whose_tag_had_not_answered_is_counted(table: Table) -> None:
    table.flop_hand("red", [FLOP[0], None, FLOP[2]])
    table.keys(Key.NEW_HAND)
    assert table.worn["red"].silent == {"Kd": 1}
    assert table.worn["red"].seen == dict.fromkeys(sorted(FLOP), 1)


def test_what_was_folded_and_burnt_leaves_no_trace_and_no_card_is_named(table: Table) -> None:
    table.flop_hand("red", [*FLOP])
    table.keys(Key.NEW_HAND)
    assert {*table.worn["red"].seen} == {*FLOP}
    written = table.notes[deck_wear.NOTE].decode()
    assert not [card for card in CARDS if card in written], "a card of the last hand may be hidden in this one"


def test_a_hand_without_the_shoe_counts_for_no_deck(table: Table) -> None:
    table.keys(Key.NEW_HAND, Key.FOLD, Key.FOLD, Key.NEW_HAND)
    assert table.worn == {}


def test_what_was_counted_outlives_the_process(table: Table) -> None:
    table.flop_hand("red", [*FLOP])
    table.keys(Key.NEW_HAND)
    table.start()
    table.keys(Key.FOLD, Key.FOLD)
    table.flop_hand("red", [*FLOP])
    table.keys(Key.NEW_HAND)
    again = DeckWear()
    again.recover(table.notes[deck_wear.NOTE])
    assert again.decks["red"].hands == 2
