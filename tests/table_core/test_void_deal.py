"""A void deal, as a table's state takes it in: what the next deal has of it."""

from msgspec.structs import replace

from table_core.hand.hand import Hand
from table_core.messages import (
    AnyEvent,
    CallMisdeal,
    Chips,
    ClockFollowed,
    Counted,
    Mark,
    Millis,
    Seat,
    Source,
    StartHand,
)
from table_core.projections import next_hand
from tests.table_core.table import BASE, done
from tests.table_core.test_resumed_table import LEVEL, SET, STACKS, folded

HAND_FOR_HAND = ClockFollowed(0, Mark("", Millis(0), 0, 0), rule="tda.24", last_hand=1)


def void(first: int, second: int, third: int) -> list[AnyEvent]:
    hand = Hand(BASE)
    begun = done(hand.push(StartHand(1, Seat(first), Seat(second), Seat(third), LEVEL, STACKS)))
    return [*begun, *done(hand.push(CallMisdeal("two cards exposed")))]


def test_a_void_deal_is_dealt_again_while_hands_are_played_one_by_one() -> None:
    table = folded([SET, HAND_FOR_HAND, *void(9, 2, 5)])
    assert table.why_no_hand() is None
    table.again = None  # as behind a hand that was played
    assert table.why_no_hand() is not None


def test_the_same_players_have_the_same_button_and_blinds_again() -> None:
    due = next_hand.positions(folded([SET, *void(9, 2, 5)]))
    assert (due.button, due.small_blind, due.big_blind) == (9, 2, 5)


def test_where_others_have_chips_now_button_and_blinds_follow_from_those_before_the_void_deal() -> None:
    played = folded([SET, *void(9, 2, 5), Counted(Seat(2), Chips(0), Chips(1_000), Source.DIRECTOR)])
    fresh = folded([replace(SET, seats=STACKS[1:])])
    assert next_hand.positions(played) == next_hand.positions(fresh)
