"""The facts that a ruling on an incident may use, and the options that they leave."""

from __future__ import annotations

from table_core.hand.deal import to_seat
from table_core.hand.hand import Hand
from table_core.messages import Act, Action, Chips, Seat
from table_core.rulings.all_incidents import INCIDENTS
from table_core.rulings.case import Case, Option
from table_core.rulings.offered import offered
from table_core.tracker.camera.gone_cards import cards_are_gone
from table_core.tracker.dealing.deal import plan
from table_core.tracker.dealing.evidence import two_before_four
from table_core.tracker.memory.rulings import OpenIncident, OutOfTurn
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork


def case_of(unit: UnitOfWork, state: TrackerState, opened: OpenIncident) -> Case:
    """The facts that a ruling on `opened` may use."""
    seat = opened.seat
    motions = () if seat is None or seat in state.bets.stale else state.bets.motions.get(seat, ())
    there = None if seat is None else state.bets.readings.get(seat)
    out = state.rulings.last_out_of_turn(opened.seat)
    hand = unit.table.hand
    in_play = hand is not None and bool(unit.table.hand_log)
    gone = tuple([one for one in hand.seats if cards_are_gone(unit, state, one)]) if hand is not None else ()
    order = tuple(plan(unit, state)) if in_play else ()
    seen_board = state.board.seen.cards if state.board.seen is not None else ()
    return Case(
        unit.table,
        opened.incident,
        opened.cause,
        opened.seat,
        opened.amount,
        opened.place or _last_card_of(order[: len(state.deal.handles)], opened.seat),
        opened.card,
        order,
        len(state.deal.handles),
        seen_board,
        motions[0] if motions else None,
        motions[-1] if motions else None,
        out.did if out is not None else "",
        out.number if out is not None else None,
        sum(1 for one in state.rulings.out_of_turn if one.seat != opened.seat),
        len(set(state.loose.handles) - {0}),
        opened.opened_at,
        0 if seat is None else state.arrivals.motions_of(seat),
        there is not None and there.pieces == 1,
        gone,
        0 if seat is None else state.arrivals.motions_to_come(seat),
        opened.act,
        opened.on_board,
        in_play and two_before_four(unit, state),
        tuple([_keyed(hand, one) for one in state.rulings.out_of_turn if one.seat != seat])
        if hand is not None
        else (),
        out.after if out is not None else None,
        state.deal.never_passed,
    )


def _keyed(hand: Hand, out: OutOfTurn) -> Act:
    """The action that a key out of turn stands for."""
    wager = Action.RAISE if any(hand.bets.values()) else Action.BET
    action = wager if out.did == "bet" else Action(out.did)
    return Act(out.seat, action, None if out.number is None else Chips(out.number))


def _last_card_of(dealt: tuple[str, ...], seat: Seat | None) -> int | None:
    """The place of the newest card of a seat."""
    places = [place for place, to in enumerate(dealt, 1) if seat is not None and to == to_seat(seat)]
    return places[-1] if places else None


def options_of(unit: UnitOfWork, state: TrackerState, opened: OpenIncident) -> tuple[Option, ...]:
    """The options that the book allows and that can be carried out now, the default first."""
    return offered(case_of(unit, state, opened), INCIDENTS[opened.incident])[0]
