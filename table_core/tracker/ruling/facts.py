"""The facts that a ruling on an incident may use, and the options that they leave."""

from __future__ import annotations

from table_core.hand.deal import to_seat
from table_core.messages import Seat
from table_core.record.deal import Deal
from table_core.rulings.all_incidents import INCIDENTS
from table_core.rulings.case import Case, Option
from table_core.rulings.offered import offered
from table_core.tracker.camera.gone_cards import cards_are_gone
from table_core.tracker.dealing.deal import deal_of
from table_core.tracker.dealing.evidence import two_before_four
from table_core.tracker.memory.rulings import OpenIncident
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork


def case_of(unit: UnitOfWork, state: TrackerState, opened: OpenIncident) -> Case:
    """The facts that a ruling on `opened` may use."""
    seat = opened.seat
    motions = () if seat is None or seat in state.bets.stale else state.bets.motions.get(seat, ())
    there = None if seat is None else state.bets.readings.get(seat)
    hand = unit.table.hand
    in_play = hand is not None and bool(unit.table.hand_log)
    gone = tuple([one for one in hand.seats if cards_are_gone(unit, state, one)]) if hand is not None else ()
    deal = deal_of(unit, state) if in_play else Deal().whole
    seen_board = state.board.seen.cards if state.board.seen is not None else ()
    return Case(
        unit.table,
        opened.incident,
        opened.cause,
        opened.seat,
        opened.amount,
        opened.place or _newest_card(deal, opened.seat),
        opened.card,
        deal,
        seen_board,
        motions[0] if motions else None,
        motions[-1] if motions else None,
        len(set(state.loose.handles) - {0}),
        opened.opened_at,
        0 if seat is None else state.arrivals.motions_of(seat),
        there is not None and there.pieces == 1,
        gone,
        0 if seat is None else state.arrivals.motions_to_come(seat),
        opened.act,
        opened.on_board,
        in_play and two_before_four(unit, state),
    )


def _newest_card(deal: Deal, seat: Seat | None) -> int | None:
    """The place of the newest card of a seat."""
    places = [] if seat is None else deal.places(to_seat(seat))
    return places[-1] if places else None


def options_of(unit: UnitOfWork, state: TrackerState, opened: OpenIncident) -> tuple[Option, ...]:
    """The options that the book allows and that can be carried out now, the default first."""
    return offered(case_of(unit, state, opened), INCIDENTS[opened.incident])[0]
