"""*Resume from here*, within a hand, after missed keys or a dead machine.

Unobserved play is taken as uneventful as possible: live seats checked or called the open bet, seats without cards
folded. Chips that nobody saw move are counted when the hand is over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from table_core.hand.hand import Hand
from table_core.messages import (
    UNKNOWN_CARD,
    Act,
    Action,
    AnyProposal,
    CardText,
    DealBoard,
    Legal,
    Refusal,
    ResumedPot,
    ResumedSeat,
    ResumeHand,
    Seat,
    Source,
    Street,
)
from table_core.rulings.case import Case, Option, Push, listed
from table_core.rulings.register import Group, incident

BOARD = {Street.PREFLOP: 0, Street.FLOP: 3, Street.TURN: 4, Street.RIVER: 5}
_MOST_STEPS = 200  # actions that nobody saw, and streets: no hand has more


def _betting_over(case: Case) -> str:
    return "no more betting in this hand" if case.in_hand and case.hand.betting_over else ""


@incident("resume", 85, "Resume from here", Group.FLOOR, needs_seat=True, unfit=_betting_over)
def resume(case: Case) -> Iterator[Option]:
    """`seat` is to act now. An option for each street that may have been reached, the one on the board first."""
    if not case.in_hand:
        return
    for street in _streets(case):
        command = _from_here(case, street)
        if command is None or isinstance(case.hand.decide(command), Refusal):
            continue
        live = sorted(one.seat for one in command.seats if one.live)
        where = "Before the flop" if street is Street.PREFLOP else f"On the {street}"
        text = f"{where}: seat {case.seat} to act, {listed(live)} in"
        yield Option(str(street), text, case.cite("fairness"), (Push(command),), replaced=_as_it_stands(case))


def _streets(case: Case) -> list[Street]:
    """From the street on the books on; what lies on the board is the likeliest."""
    reached = [street for street, cards in BOARD.items() if cards >= len(case.hand.board)]
    lies = [street for street in reached if BOARD[street] == len(case.seen_board)]
    return [*lies, *(street for street in reached if street not in lies)]


def _from_here(case: Case, street: Street) -> ResumeHand | None:
    """The hand on `street` with the seat to act; None where it cannot have come to that."""
    hand = case.hand
    with hand.trial():
        for _ in range(_MOST_STEPS):
            did = None if hand.street is street else _quietly(case, hand)
            if did is None or isinstance(hand.push(did), Refusal):
                break
        return _resumed_from(case, hand, street) if hand.street is street else None


def _quietly(case: Case, hand: Hand) -> AnyProposal | None:
    """The uneventful action of the seat to act, or the next street with unknown cards."""
    legal = hand.legal()
    if legal is not None:
        return _quiet_act(case, legal)
    if not hand.awaiting_board:
        return None
    later = next((street for street, cards in BOARD.items() if cards > len(hand.board)), None)
    if later is None:
        return None
    return DealBoard((UNKNOWN_CARD,) * (BOARD[later] - len(hand.board)), (Source.ASSUMED,))


def _quiet_act(case: Case, legal: Legal) -> Act:
    if legal.seat in case.gone and legal.seat != case.seat:
        return Act(legal.seat, Action.FOLD, source=Source.ASSUMED)
    return Act(legal.seat, Action.CHECK if legal.can_check else Action.CALL, source=Source.ASSUMED)


def _resumed_from(case: Case, hand: Hand, street: Street) -> ResumeHand:
    """How things stand in `hand`, with the seat of the case to act."""
    in_now = [seat for seat in hand.live_seats if seat not in case.gone or seat == case.seat]
    blinds = case.table.small_blind, case.table.big_blind
    assert blinds[1] is not None
    seats = tuple([ResumedSeat(seat, hand.stacks[seat], hand.bets[seat], seat in in_now) for seat in hand.seats])
    pots = tuple([ResumedPot(pot.amount, _winners(pot.eligible, in_now)) for pot in hand.pots if pot.amount])
    raised = max(hand.bets.values(), default=0) > 0
    return ResumeHand(
        hand.number,
        hand.button,
        blinds[0],
        blinds[1],
        hand.level,
        street,
        _board(case, hand),
        seats,
        pots,
        case.the_seat,
        hand.snapshot().full_raise if raised else None,
        Source.DIRECTOR,
    )


def _winners(seats: Iterable[Seat], in_now: list[Seat]) -> tuple[Seat, ...]:
    """Who is in still; a pot that only players who are out could win belongs to all who are in."""
    return tuple([seat for seat in seats if seat in in_now]) or tuple(in_now)


def _board(case: Case, hand: Hand) -> tuple[CardText, ...]:
    """What lies there, where it is as many cards as the street has; else what is known."""
    return case.seen_board if len(case.seen_board) == len(hand.board) else tuple(hand.board)


def _as_it_stands(case: Case) -> str:
    legal = case.hand.legal()
    to_act = f"seat {legal.seat} to act" if legal is not None else "nobody to act"
    return f"{case.hand.street}, {to_act}"
