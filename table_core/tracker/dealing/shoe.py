"""What a shoe says beside single cards: cards that came together or went back, its lid, a deck put in."""

from __future__ import annotations

from table_core.messages import CardLeftShoe, CardsLeftTogether, CardWentBack, Millis, Noticed, ShoeChanged, Source
from table_core.record.deal import NEXT_BURN
from table_core.tracker.dealing.deal import correct_deal, deal_of, place_card, say_once, say_unread, sent_back
from table_core.tracker.dealing.evidence import mislay
from table_core.tracker.hands.beginning import new_hand
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork


def left_together(unit: UnitOfWork, state: TrackerState, seen: CardsLeftTogether) -> None:
    """Each takes a place, and nobody knows which: they are unread."""
    if not unit.table.in_hand:
        for handle in seen.handles:
            state.loose.passed(CardLeftShoe(seen.origin, seen.at, handle))
        return
    if state.decks.is_idle(seen.deck, len(seen.handles)):
        return
    before = len(state.deal.handles)
    for _ in seen.handles:
        place_card(unit, state, 0)
    if len(state.deal.handles) > before:
        state.deal.left_together(tuple([handle for handle in seen.handles if handle]))
        text = f"{len(seen.handles)} cards left the shoe together: nobody knows which is whose"
        unit.record(Noticed("cards_together", text))


def went_back(unit: UnitOfWork, state: TrackerState, seen: CardWentBack) -> None:
    """What a ruling sends back may come again. So does the newest card of the deal, at its place. After any other
    the places are unknown."""
    if not unit.table.in_hand:
        return
    if not seen.was_out:
        say_once(unit, state, "card_pushed_back", "A card was drawn from the shoe halfway and pushed back")
    elif place := sent_back(deal_of(unit, state), seen.handle):
        state.deal.may_come_again(seen.handle)
        _burn_comes_again(unit, state, place)
    elif state.deal.took_back(seen.handle):
        unit.take_back(seen.handle)
        unit.record(Noticed("card_back", "The last card went back into the shoe: the next one takes its place"))
    else:
        mislay(state)
        say_once(
            unit,
            state,
            "cards_back",
            "A card went back into the shoe: the shoe is not used in this hand",
            of_deal=True,
        )


def _burn_comes_again(unit: UnitOfWork, state: TrackerState, place: int) -> None:
    """The burn too many lay there as the next one; on the deck it comes off as that."""
    deal = deal_of(unit, state)
    if deal.to(place) == NEXT_BURN and "board" in deal.rest:
        correct_deal(unit, state, deal.lies("stub", place).comes("burn"))


def changed(unit: UnitOfWork, state: TrackerState, seen: ShoeChanged) -> None:
    if seen.what == "deck" and not unit.table.in_hand:
        state.loose.deck_moved(seated=seen.on)
    elif seen.what == "lid" and seen.on and unit.table.in_hand:
        say_once(unit, state, "shoe_open", "The lid of the shoe was opened")
    elif seen.what == "cut_card" and unit.table.in_hand:
        say_once(unit, state, "cut_card", "The cut card left the shoe: no card of the deck is below it")


def begins(unit: UnitOfWork, state: TrackerState, seen: CardLeftShoe, now: Millis) -> bool:
    """The first card after a deck was put into the shoe begins the hand, where nobody pressed NEW HAND."""
    if unit.table.in_hand or not state.loose.fresh_deck or seen.note in ("repeat", "other_deck", "joker"):
        return False
    number = unit.table.hand_number
    state.loose.deck_is_used()
    new_hand(unit, state, now, Source.SHOE, passed=[seen.handle])
    if unit.table.hand_number == number:
        return False
    state.seat_cards.hand_began_with_its_first_card()
    state.decks.begin_with(seen.deck)
    if seen.note:
        say_unread(unit, state)
    return True
