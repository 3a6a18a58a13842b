"""Cards leaving the shoe: the place of each in the deal.

Where they lie is in one record (`record/deal.py`). A card that the reader missed also takes its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from table_core.hand.deal import is_to_seat
from table_core.hand.hand import Hand
from table_core.messages import (
    AwaySet,
    CardDealt,
    CardLeftShoe,
    CardText,
    CloseDeal,
    Noticed,
    Seat,
    SetAway,
    Street,
)
from table_core.projections.table import TableProjection
from table_core.record.deal import BOARD_SIZE, STREETS, UNKNOWN_TIME, Deal
from table_core.rulings.cites import cited_here
from table_core.tracker.memory.notices import Doubt, NoticeRecord
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork

PUT_BACK = ("stub", "barred", "aside", "scrap", "next burn")  # where a ruling puts cards that may come again


def next_street(hand: Hand) -> Street | None:
    """The street whose cards come next, None when the board is complete."""
    return next((street for street in STREETS if len(hand.board) < BOARD_SIZE[street]), None)


class HasTable(Protocol):
    """A unit of work, or any other object with the table."""

    @property
    def table(self) -> TableProjection: ...


def deal_of(unit: HasTable, state: TrackerState) -> Deal:
    """What was dealt in this hand: the plan, what corrected it, and the cards as they left the shoe."""
    table, out = unit.table, state.deal
    return Deal.planned_as(table.destinations(), table.corrections(), out.handles, out.left_at, out.never_passed)


def not_at_places(unit: UnitOfWork, cards: Sequence[CardText], places: Sequence[int]) -> list[CardText]:
    """The cards, read face up, that are none of those at `places`.

    Only places that are to be public by now may be asked about: those of a street that lies there or of a seat
    that tables. Whether such a card was dealt elsewhere, face down, or never, nothing may tell (decision 58).
    """
    return [card for card in cards if not any(unit.cards.is_card(place, card) for place in places)]


def card_left(unit: UnitOfWork, state: TrackerState, seen: CardLeftShoe) -> None:
    """Give the card its place. Cards outside a hand, of the stub, or passing again get none."""
    if not unit.table.in_hand:
        state.loose.passed(seen)
        return
    if seen.note == "repeat" and _comes_again(unit, state, seen):
        place_card(unit, state, seen.handle)
        return
    if seen.note == "repeat":
        return
    known, mixed = state.decks.deck, state.decks.mixed
    handles = state.decks.to_place(seen)
    if state.decks.mixed > mixed:
        state.notices.note_doubt(Doubt.MISLAID)
        whose = f"of the {seen.deck} deck" if seen.deck else "of another deck"
        say_once(unit, state, f"mixed_{state.decks.mixed}", f"A card {whose} left the shoe among the others")
    for handle in handles:
        if state.decks.deck != known:
            known = state.decks.deck
            _same_deck(unit, state)
        if seen.note and seen.note != "other_deck":
            say_unread(unit, state)
        place_card(unit, state, handle)


def say_unread(unit: UnitOfWork, state: TrackerState) -> None:
    say_once(unit, state, f"unread_card_{len(state.deal.handles)}", "A card left the shoe unread")


def sent_back(deal: Deal, handle: int) -> int:
    """The place of a card that a ruling sends back into the deck, 0 for any other."""
    places = [place for place, one in enumerate(deal.handles, 1) if one == handle]
    newest = places[-1:] if handle else places  # a shoe that only counts names none: any of them may be it
    return next((place for place in newest if deal.to(place) in PUT_BACK), 0)


def _comes_again(unit: UnitOfWork, state: TrackerState, seen: CardLeftShoe) -> bool:
    """Whether it went back into the shoe, or a ruling put it back and it came out of the reshuffled stub. Where
    the shoe saw it leave once more it must have been in it again: the muck was shuffled in."""
    handle, deal = seen.handle, deal_of(unit, state)
    place = sent_back(deal, handle)
    if handle in state.deal.taken_back or (place and (deal.shuffles or deal.to(place) == "stub")):
        return True
    if seen.counted and deal.handles and handle != deal.handles[-1]:
        state.notices.note_doubt(Doubt.MISLAID)
        say_once(unit, state, "reshuffled", "Cards of this deal left the shoe again: they take new places")
        return True
    return False


def _same_deck(unit: UnitOfWork, state: TrackerState) -> None:
    """Whether the card is of this hand's deck, where two decks alternate."""
    policy = unit.table.rulebook.policies.decks_alternate
    if policy is not None and policy.value and state.decks.deck == state.decks.before:
        text = f"The {state.decks.deck} deck was dealt twice running"
        unit.record(Noticed("same_deck", text, rule=policy.rule))


def place_card(unit: UnitOfWork, state: TrackerState, handle: int, *, just_now: bool = True) -> None:
    """Bind the card to the next place. `just_now`: it has just left the shoe; else the time is unknown."""
    deal, hand = deal_of(unit, state), unit.table.hand
    # The stub comes out after the river; one card more before it may be the river itself, behind two burns.
    if deal.out >= len(deal.order) + (hand is not None and len(hand.board) < BOARD_SIZE[Street.RIVER]):
        return
    to = deal.to(deal.out + 1)
    place = state.deal.place(handle, unit.table.seq if just_now else UNKNOWN_TIME)
    commitment = unit.deal(handle, place, to) if handle else None
    unit.record(CardDealt(place, to, commitment))


def complete_deal(unit: UnitOfWork, state: TrackerState) -> bool:
    """Every hand is complete, and the book decides about absent players. Whether that was new."""
    hand = unit.table.hand
    new = hand is not None and hand.away and not hand.state.dealt and _is_counted(unit, state, hand)
    return bool(new) and unit.push(CloseDeal()) is None


def _is_counted(unit: UnitOfWork, state: TrackerState, hand: Hand) -> bool:
    """Whether the last hole card has left the shoe, or the camera has seen a whole hand at every seat."""
    hole_cards = sum(is_to_seat(to) for to in unit.table.destinations())
    return len(state.deal.handles) >= hole_cards or set(hand.seats) <= set(state.seat_cards.had_cards)


def set_away(unit: UnitOfWork, state: TrackerState, said: SetAway) -> None:
    """A player is away or back; in a hand that the player is in, also for its engine. What comes behind the last
    card of the deal is not of the deal."""
    hand = unit.table.hand
    in_hand = hand is not None and unit.table.in_hand and said.seat in hand.seats
    if hand is not None and in_hand and _is_counted(unit, state, hand):
        unit.push(CloseDeal())
    if not in_hand or unit.push(said) is not None:
        unit.record(AwaySet(said.seat, said.away, said.source, said.no_cards))


def not_passed(unit: UnitOfWork, state: TrackerState, places: int, what: str) -> None:
    """Give places to cards that lie there without a passage of the reader: they are unread."""
    for _ in range(places):
        place_card(unit, state, 0)
        state.deal.lay_there()
    say_doubt(unit, state, Doubt.NOT_READ, f"The shoe did not read {what}")


def wrong_burns(unit: UnitOfWork, state: TrackerState, street: Street, off: int) -> None:
    """`street` came behind so many burns more than were due, or less."""
    deal = deal_of(unit, state)
    due, burned = deal.due(street), deal.due(street) + off
    correct_deal(unit, state, deal.burned(street, off))
    kind = "burn_double" if off > 0 else "burn_missing"
    burns = {0: "No burn", 1: "A burn", 2: "Two burns"}.get(burned, f"{burned} burns")
    why = {0: ", where none was due", 2: ", where two were due"}.get(due, "")
    unit.record(Noticed(kind, f"{burns} before the {street}{why}", rule=_one_burn(unit)))
    if off > 0:
        state.rulings.keep(lambda one: (one.incident, one.cause) != (kind, street))


def _one_burn(unit: UnitOfWork) -> str:
    return cited_here(unit.table.rulebook.id, "burn_in_time")  # tda.38: exactly one burn a street


def correct_deal(unit: UnitOfWork, state: TrackerState, deal: Deal) -> None:
    """The cards lie as `deal` has them."""
    unit.record(deal_of(unit, state).change_to(deal, unit.table.placed()))


def say_once(
    unit: UnitOfWork,
    state: TrackerState,
    kind: str,
    text: str,
    seat: Seat | None = None,
    *,
    detail: str = "",
    rule: str = "",
    doubt: Doubt | None = None,
    of_deal: bool = False,
) -> None:
    """Record a notice once a hand for each seat and detail. `doubt`, `of_deal`: as in `NoticeRecord`."""
    if state.notices.first_time(NoticeRecord(kind, seat, detail, doubt, of_deal)):
        unit.record(Noticed(kind, text, seat, rule))


def say_doubt(unit: UnitOfWork, state: TrackerState, doubt: Doubt, text: str) -> None:
    say_once(unit, state, doubt.value, text, doubt=doubt)
