"""What an option of a ruling would change at this table, in the few words of a button."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from table_core.hand.hand import Hand
from table_core.messages import AnyEvent, Chips, Owes, PotAwarded, Seat

UNCHANGED = "no chips move"
VOID = "all chips go back, dealt again"
_OWES = {
    Owes.NO_RAISE: "may not raise",
    Owes.MUST_CALL: "may not fold",
    Owes.CALL: "calls in its turn",
    Owes.BET: "bets in its turn",
}


def effect(before: Hand, after: Hand, events: Sequence[AnyEvent]) -> str:
    """The difference between the hand as it is and as the engine leaves it behind the option: `events` are the
    engine's.

    Hands that die or live, chips in front of a seat, who wins what, board cards that go back, what a seat may do,
    and whose turn it is then: `"seat 4: 500 → 1,000; seat 5 to act"`, `"seat 4 dead; seat 5 wins 6,300"`.
    """
    won = list(_won(events)) if after.ended else []
    chips = [] if won else _chips(before, after)
    said = [*_lives(before, after), *chips, *_board(before, after), *_owed(before, after)]
    turn = after.to_act is not None and after.to_act != before.to_act
    said += won or ([f"seat {after.to_act} to act"] if turn else [])
    return "; ".join(said) or UNCHANGED


def _lives(before: Hand, after: Hand) -> Iterable[str]:
    for seat in before.seats:
        lives = seat in after.live_seats
        if (seat in before.live_seats) is not lives:
            yield f"seat {seat} {'live' if lives else 'dead'}"


def _chips(before: Hand, after: Hand) -> Iterable[str]:
    """Chips in front of a seat, as they are and as they will be; the same where the round closes behind it."""
    if before.ended:
        yield from (f"seat {seat} gives {chips:,} back" for seat, chips in _less(before.stacks, after.stacks))
        return
    was, now = _paid(before), _paid(after)
    for seat, paid in was.items():
        moved = now.get(seat, paid) - paid
        front = before.bets[seat]
        if moved and front + moved >= 0:
            yield f"seat {seat}: {front:,} → {front + moved:,}"
        elif moved:
            yield f"seat {seat}: {-moved:,} back"


def _paid(hand: Hand) -> Mapping[Seat, int]:
    """What each has put in and may not take back; a bet that nobody calls goes back by itself."""
    return {one.seat: one.paid for one in hand.snapshot().seats}


def _less(more: Mapping[Seat, Chips], less: Mapping[Seat, Chips]) -> Iterable[tuple[Seat, int]]:
    return ((seat, chips - less[seat]) for seat, chips in more.items() if chips > less.get(seat, chips))


def _board(before: Hand, after: Hand) -> Iterable[str]:
    gone = len(before.board) - len(after.board)
    if gone > 0:
        yield f"{gone} board card{'s go' if gone > 1 else ' goes'} back"


def _owed(before: Hand, after: Hand) -> Iterable[str]:
    for seat, duties in after.duties.items():
        if before.duties.get(seat) != duties:
            yield f"seat {seat} {' or '.join(_OWES[duty.owes] for duty in duties)}"


def _won(events: Sequence[AnyEvent]) -> Iterable[str]:
    won: dict[Seat, int] = {}
    for event in events:
        for share in event.shares if isinstance(event, PotAwarded) else ():
            won[share.seat] = won.get(share.seat, 0) + share.amount
    return (f"seat {seat} wins {amount:,}" for seat, amount in won.items())
