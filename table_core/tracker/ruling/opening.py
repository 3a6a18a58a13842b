"""Opening an incident: by a device, by a person, or again when its ruling is taken back."""

from __future__ import annotations

from collections.abc import Container

from msgspec.structs import replace

from table_core.messages import Millis, Refused, Seat, Source
from table_core.projections.table_state import TableState
from table_core.record.course import last_waiting
from table_core.rulings.all_incidents import INCIDENTS
from table_core.rulings.case import Option
from table_core.rulings.cites import cited_here
from table_core.rulings.offered import offered
from table_core.rulings.register import KEYED, OF_A_BET, Incident, by_number
from table_core.tracker.asking import questions
from table_core.tracker.asking.questions import busy
from table_core.tracker.memory.keys.keypad import Press
from table_core.tracker.memory.notices import NoticeRecord
from table_core.tracker.memory.rulings import OpenIncident
from table_core.tracker.ruling.facts import case_of
from table_core.tracker.state import TrackerState
from table_core.tracker.unit_of_work import UnitOfWork


def open_incident(unit: UnitOfWork, state: TrackerState, opened: OpenIncident) -> str | None:
    """Queue an incident for its question; the reason where it cannot be raised now."""
    why = not_now(unit.table, INCIDENTS[opened.incident], opened.seat, opened.amount)
    if why is not None:
        return why
    if state.rulings.like(opened) is not None:
        return None
    opened = at_this_moment(unit, state, opened)
    options = options_at_once(unit, state, opened)
    if isinstance(options, str):
        return options
    there = of_the_same_bet(state, opened)
    if there is not None and not (opened.by_person > there.by_person or opened.by_director > there.by_director):
        whose = " by the director" if there.by_director else ""
        return INCIDENTS[opened.incident].refused(f"open already{whose}: {INCIDENTS[there.incident].title}")
    state.rulings.raise_incident(opened, there)
    return None


def options_at_once(unit: UnitOfWork, state: TrackerState, opened: OpenIncident) -> tuple[Option, ...] | str:
    """The options that it would have at this moment, at least one; else why it has none, in words."""
    incident = INCIDENTS[opened.incident]
    case = case_of(unit, state, opened)
    why = incident.unfit(case)
    if why:
        return incident.refused(why)
    options, why_none = offered(case, incident)
    return options or incident.refused(why_none)


def of_the_same_bet(state: TrackerState, opened: OpenIncident) -> OpenIncident | None:
    """Another open incident about the same chips: one ruling settles both. What a device noticed gives way to a
    person's, and what the table asks to the director's."""
    if opened.incident not in OF_A_BET:
        return None
    return next((one for one in state.rulings.open if one.incident in OF_A_BET and one.same_bet(opened)), None)


def at_this_moment(unit: UnitOfWork, state: TrackerState, opened: OpenIncident) -> OpenIncident:
    """Add the action that the incident is about: the game goes on while it is open."""
    if not unit.table.in_hand:
        return opened
    case = case_of(unit, state, opened)
    last = None if opened.seat is None else case.last_act(opened.seat)
    return replace(opened, act=None if last is None else last[0].seq, on_board=len(case.hand.board))


def notice_incident(unit: UnitOfWork, state: TrackerState, opened: OpenIncident) -> None:
    """Open what a device saw, once a hand; nothing where the book offers no option."""
    detail = f"{opened.incident} {opened.cause}"
    said = NoticeRecord("incident", opened.seat, detail, of_deal=opened.incident == "flop_overdeal")
    if state.notices.first_time(said):
        open_incident(unit, state, opened)


def pressed(unit: UnitOfWork, state: TrackerState, press: Press, now: Millis) -> None:
    """`4 SEAT 51 FLOOR`: incident 51, about seat 4."""
    incident = by_number(press.number or 0)
    if incident is None:
        unit.record(Refused(f"No incident has the number {press.number}", "base.ruling"))
        return
    opened = OpenIncident(incident.key, press.seat, opened_at=now, by_person=True)
    refuse(unit, open_incident(unit, state, with_what_was_seen(unit, state, opened)), opened)


def refuse(unit: UnitOfWork, why: str | None, opened: OpenIncident) -> None:
    if why is not None:
        unit.record(Refused(why, cited_here(unit.table.rulebook.id, "fairness")))
    elif busy(unit):
        questions.answer(unit, "A ruling first", Source.ENGINE)


def with_what_was_seen(unit: UnitOfWork, state: TrackerState, opened: OpenIncident) -> OpenIncident:
    """Add the card that lies face up at the seat, or the amount that was keyed for it out of turn."""
    if opened.incident == "out_of_turn":
        did = last_waiting(unit.table.hand_log, opened.seat)
        amount = _chips_before(unit, state, opened.seat) if did is None else did.to
        return opened if amount is None else replace(opened, amount=amount)
    to_act = unit.table.hand.to_act if unit.table.hand is not None else None
    if opened.incident in ("bet_size", "table_did") and opened.amount is None and opened.seat == to_act:
        keyed = state.rulings.refused_to(opened.seat)
        opened = opened if keyed is None else replace(opened, amount=keyed, cause=KEYED)
    seen = None if opened.seat is None else state.seat_cards.readings.get(opened.seat)
    if seen is not None and len(seen.cards) == 1 and not opened.card:
        return replace(opened, card=seen.cards[0])
    return opened


def _chips_before(unit: UnitOfWork, state: TrackerState, seat: Seat | None) -> int | None:
    """What lies in front of a seat that was not to act, where it is more than anybody has bet."""
    hand = unit.table.hand
    motions = () if seat is None or seat in state.bets.stale else state.bets.motions.get(seat, ())
    high = max(hand.bets.values(), default=0) if hand is not None else 0
    return motions[-1] if motions and motions[-1] > high else None


def not_now(table: TableState, incident: Incident, seat: Seat | None, number: int | None = None) -> str | None:
    """Why the incident cannot be raised; `number` is the one that was said with it."""
    if (strange := no_seat(table, incident, number)) is not None:
        return strange
    if incident.needs_seat and seat is None:
        return incident.refused(f"about which seat? Seat, SEAT, {incident.no}, FLOOR")
    if seat is not None and seat not in table.seats:
        return f"Nobody sits at seat {seat}"
    if table.hand is None:
        return None if incident.before_hand else incident.refused("no hand has begun")
    if table.in_hand or incident.after_hand or incident.before_hand:
        return None
    return incident.refused("the hand is over")


def no_seat(table: TableState, incident: Incident, number: int | None) -> str | None:
    """Why the number that was said is no seat, where it must be one; 0 says none."""
    if not incident.number_is_seat or not number or number in table.seats:
        return None
    return f"Nobody sits at seat {number:,}"


def brought_back(unit: UnitOfWork, state: TrackerState, cut: Container[int]) -> None:
    """Rulings are taken back, or the end of a hand: reopen their incidents."""
    ended = state.rulings.hand_goes_on() if unit.table.in_hand else ()
    for opened in (*state.rulings.taken_back(cut), *ended):
        if state.rulings.like(opened) is None:
            state.rulings.raise_incident(with_what_was_seen(unit, state, opened))
