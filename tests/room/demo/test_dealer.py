"""The simulated dealer's hands: what they do with cards and chips, at a table where nobody presses a key."""

from __future__ import annotations

from typing import TypeVar

import pytest

from feltwire.lab.simroom.dealer.dealing import Dealing, Moment
from feltwire.lab.simroom.felt.felt import PhysicalFelt
from feltwire.lab.simroom.play.bots import Bots
from feltwire.lab.simroom.play.names import player_name
from feltwire.lab.simroom.play.script import HandScript, ScriptedAct
from table_core.messages import CardText, Chips, Key, Level, Seat, SeatStack, Street, TableView
from table_core.rulebook import load_rulebook

BASE = load_rulebook("base")
LEVEL = Level(1, Chips(100), Chips(200), big_blind_ante=Chips(200))
CHIP = Chips(25)
HANDS = 60
D = TypeVar("D", bound="Unkeyed")
PLAYERS, STACK = 6, Chips(4_000)


class Place:
    """A felt, and a shoe that notes what passed it."""

    def __init__(self) -> None:
        self.felt = PhysicalFelt()
        self.passed: list[CardText] = []

    @property
    def view(self) -> TableView:
        raise AssertionError("nobody looks at the screen")

    def pass_shoe(self, card: CardText) -> None:
        self.passed.append(card)

    def look(self) -> None:
        """Nobody looks at the felt."""


class Unkeyed(Dealing):
    """A hand of which nobody tells the table anything, and for which no time passes."""

    def __init__(self, script: HandScript) -> None:
        self.place = Place()
        super().__init__(self.place, script, BASE, CHIP)

    def riffle(self) -> None: ...
    def say(self, act: ScriptedAct) -> None: ...
    def say_street(self) -> None: ...
    def say_tabled(self, seat: Seat) -> None: ...
    def say_mucked(self, seat: Seat) -> None: ...
    def push_pot(self) -> None: ...
    def pause(self, moment: Moment) -> None: ...
    def press(self, *keys: Key) -> None: ...


class Ungathered(Unkeyed):
    """Nobody gathers bets or pushes pots either."""

    gathers = False


class Unburned(Unkeyed):
    """Without a burn: other cards lie on the board than were planned."""

    def burn(self, street: Street) -> None: ...


class AllInWatched(Unkeyed):
    """Notes the hands that lie face down although nobody can bet any more, when a street is laid."""

    face_down = 0
    streets_after_all_in = 0

    def lay(self, cards: tuple[CardText, ...]) -> None:
        if self.observer.betting_over:
            self.streets_after_all_in += 1
            self.face_down += sum(not card.face_up for hand in self.felt.hands.values() for card in hand)
        super().lay(cards)


@pytest.fixture(scope="module")
def scripts() -> list[HandScript]:
    """Hands of an evening, with new players when one has won everything."""
    seats = [SeatStack(Seat(no), STACK, player_name(no)) for no in range(1, PLAYERS + 1)]
    bots = Bots(seats=seats, button=Seat(1), rulebook=BASE, seed=7, smallest_chip=CHIP)
    found: list[HandScript] = []
    for _ in range(HANDS):
        if bots.over:
            bots.sit_down_again(seats, Seat(1))
        found.append(bots.next_hand(LEVEL))
        bots.settle({share.seat: share.amount for share in found[-1].finishing})
    return found


def dealt(kind: type[D], scripts: list[HandScript]) -> list[D]:
    hands = [kind(script) for script in scripts]
    for hand in hands:
        hand.deal()
    return hands


def finishing(script: HandScript) -> dict[Seat, Chips]:
    return {share.seat: share.amount for share in script.finishing}


def test_cards_pass_the_shoe_in_the_order_of_the_deck_and_lie_where_the_script_has_them(
    scripts: list[HandScript],
) -> None:
    for hand in dealt(Unkeyed, scripts):
        board, passed = hand.observer.board, hand.place.passed
        streets = {0: 0, 3: 1, 4: 2, 5: 3}[len(board)]
        assert tuple(passed) == hand.script.deck[: len(passed)]
        assert len(passed) == 2 * len(hand.script.dealt) + len(board) + streets
        assert board == hand.script.board()[: len(board)]
        assert len(hand.felt.burns) == streets
        assert all(cards == hand.script.hole(seat) for seat, cards in hand.observer.tabled.items())


def test_chips_lie_where_the_script_says(scripts: list[HandScript]) -> None:
    for hand in dealt(Unkeyed, scripts):
        assert hand.felt.stacks == finishing(hand.script)
        assert (hand.felt.pot, sum(hand.felt.bets.values())) == (0, 0)


def test_what_nobody_gathers_stays_in_front_of_the_players(scripts: list[HandScript]) -> None:
    for hand in dealt(Ungathered, scripts):
        felt, ends = hand.felt, finishing(hand.script)
        assert hand.observer.stacks == ends
        assert felt.stacks != ends
        assert sum(felt.stacks.values()) + sum(felt.bets.values()) + felt.pot == sum(ends.values())


def test_who_shows_and_who_does_not_is_in_the_script(scripts: list[HandScript]) -> None:
    hands = dealt(Unkeyed, scripts)
    assert all(set(hand.observer.tabled) == set(hand.script.tables) for hand in hands)
    assert any(hand.script.mucks for hand in hands)


def test_on_another_board_everybody_shows(scripts: list[HandScript]) -> None:
    partly_shown = [script for script in scripts if script.mucks]
    assert partly_shown
    for hand in dealt(Unburned, partly_shown):
        assert set(hand.observer.tabled) == {*hand.script.tables, *hand.script.mucks}


def test_hands_lie_face_up_before_the_next_street_when_nobody_can_bet(scripts: list[HandScript]) -> None:
    hands = dealt(AllInWatched, scripts)
    assert sum(hand.streets_after_all_in for hand in hands) > 3
    assert sum(hand.face_down for hand in hands) == 0
