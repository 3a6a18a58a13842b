"""The record of what was dealt: errors and rulings compose, and each is undone with its event."""

from __future__ import annotations

import doctest
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

import table_core.record.deal
from table_core.hand.deal import STREETS as STREET_CARDS
from table_core.hand.deal import is_to_seat, to_seat
from table_core.messages import DealCorrected, Seat, Street
from table_core.record.deal import STREETS, UNKNOWN_TIME, Deal

FLOP, TURN, RIVER = STREETS
SEATS = (Seat(1), Seat(2), Seat(5))
PLANNED = tuple(to_seat(seat) for seat in SEATS) * 2 + STREET_CARDS


def dealt(out: int, corrections: tuple[DealCorrected, ...] = ()) -> Deal:
    handles = tuple(range(1, out + 1))
    return Deal.planned_as(PLANNED, corrections, handles, handles)


@st.composite
def changed(draw: st.DrawFn, deal: Deal) -> Deal:
    """Something happens in the deal."""
    street = draw(st.sampled_from(STREETS))
    place = draw(st.integers(1, max(deal.out, 1)))
    seat = draw(st.sampled_from(SEATS))
    return draw(
        st.sampled_from(
            [
                deal.burned(street, 1),
                deal.burned(street, -1),
                deal.lies("burn", place) if deal.out else deal,
                deal.comes("burn"),
                deal.comes(to_seat(seat), after=1),
                deal.is_burn(place),
                deal.again(street, [place for place in deal.street(street) if place <= deal.out], burns=1),
                deal.again(street, (), to="barred"),
                deal.replaced_behind_the_deal(place, seat) if deal.out else deal,
                deal.without(seat),
                deal.goes_on(*deal.behind(street)),
                deal.lies("stub", place).shuffled() if deal.out else deal,
            ]
        )
    ).whole


@st.composite
def histories(draw: st.DrawFn) -> tuple[Deal, tuple[DealCorrected, ...]]:
    """Cards leave the deck, and something happens now and then: the deal, and its events."""
    deal, events, out = dealt(0), [], 0
    for _ in range(draw(st.integers(0, 5))):
        out += draw(st.integers(0, 6))
        deal = dealt(out, tuple(events))
        after = draw(changed(deal))
        events.append(deal.change_to(after, {}))
        assert dealt(out, tuple(events)).order == after.order
    return dealt(out, tuple(events)), tuple(events)


@given(histories())
def test_events_compose_to_the_deal_that_they_were_made_of_and_keep_a_board_of_five(
    found: tuple[Deal, tuple[DealCorrected, ...]],
) -> None:
    deal, events = found
    assert deal.order.count("board") >= 5
    assert deal.shuffles == sum(event.reshuffled for event in events)
    assert len(deal.lying) == deal.out


@given(histories(), st.data())
def test_an_event_that_is_taken_back_leaves_the_deal_that_it_found(
    found: tuple[Deal, tuple[DealCorrected, ...]], data: st.DataObject
) -> None:
    deal, events = found
    after = data.draw(changed(deal))
    event = deal.change_to(after, {})
    assert dealt(deal.out, (*events, event)).order == after.order
    assert dealt(deal.out, events) == deal


@given(st.integers(0, 14), st.sampled_from([1, -1]), st.sampled_from([1, -1]))
def test_two_wrong_burns_in_one_deal_are_what_they_are_in_either_order(out: int, flop: int, turn: int) -> None:
    one = dealt(out).burned(FLOP, flop).burned(TURN, turn)
    assert one.order == dealt(out).burned(TURN, turn).burned(FLOP, flop).order
    assert one.burned(FLOP, -flop).burned(TURN, -turn).whole.order == dealt(out).order


@given(st.sets(st.integers(1, 6), min_size=1, max_size=2), st.sampled_from(STREETS), st.sampled_from([1, -1]))
def test_a_replaced_card_and_a_wrong_burn_leave_every_seat_two_cards(
    shown: set[int], street: Street, by: int
) -> None:
    """The exposed cards are the first burns (tda.35)."""
    deal = dealt(6)
    for place in sorted(shown):
        deal = deal.replaced_behind_the_deal(place, SEATS[(place - 1) % 3])
    hands = Counter(to for to in deal.burned(street, by).order if is_to_seat(to))
    assert hands == {to_seat(seat): 2 for seat in SEATS}
    assert deal.order.count("burn") == 3
    assert deal.order.count("board") == 5


def test_the_card_too_many_of_a_burn_is_the_card_that_would_have_come() -> None:
    two = dealt(6 + 5).burned(FLOP, 1)
    assert two.street(FLOP) == [9, 10, 11]
    right = two.burned(FLOP, -1)
    assert (right.street(FLOP), right.rest) == ([8, 9, 10], ("board", "burn", "board"))
    assert right.to(11) == "burn"


def test_a_flop_of_four_behind_two_burns_has_one_rule_for_both() -> None:
    """The drawn card is the next burn, and the fourth lies in its place."""
    four = dealt(6 + 6).burned(FLOP, 1)
    assert four.is_burn(10).lying[6:] == ("burn", "burn", "board", "burn", "board", "board")
    assert four.is_burn(12).lying[6:] == ("burn", "burn", "board", "board", "board", "burn")
    assert four.is_burn(10).rest == ("board", "burn", "board")


def test_what_followed_a_street_follows_it_when_it_is_dealt_again() -> None:
    """The river had lost its burn before the flop went back."""
    deal = dealt(6 + 4).burned(RIVER, -1)
    again = deal.again(FLOP, deal.street(FLOP))
    assert again.rest == ("board", "board", "board", "burn", "board", "board")
    assert again.lying[6:] == ("burn", "stub", "stub", "stub")


def test_a_card_that_nobody_saw_leave_has_no_time() -> None:
    assert dealt(3).left(3) == 3
    assert {dealt(3).left(4), dealt(3).left(0), Deal(handles=(1, 2)).left(1)} == {UNKNOWN_TIME}


def test_the_examples_in_its_words() -> None:
    assert doctest.testmod(table_core.record.deal).failed == 0
