"""How players play, from what everybody saw: what each hand adds to a player's figures
(docs/player-statistics.md)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from table_core.messages import (
    Acted,
    Action,
    AnyEvent,
    BoardDealt,
    HandEnded,
    HandKilled,
    HandResumed,
    HandRetrieved,
    HandStarted,
    Misdealt,
    ResultEntered,
    Seat,
    SeatsSet,
    SeatStats,
    Street,
)

WAGERS = (Action.BET, Action.RAISE)
_NOT_WHOLE = (HandResumed, Misdealt, ResultEntered)  # what was played was not observed, or is void
THOUSAND, HUNDRED = 1_000, 100


class Tally(NamedTuple):
    """Counts of one player. `decided`: hands in which the player acted before the flop; `could_three_bet`:
    faced exactly one raise there; `wagers` and `calls` are those from the flop on; `flops`: hands in which the
    player saw it."""

    hands: int = 0
    decided: int = 0
    vpip: int = 0
    pfr: int = 0
    could_three_bet: int = 0
    three_bet: int = 0
    wagers: int = 0
    calls: int = 0
    flops: int = 0
    showdowns: int = 0

    def plus(self, other: Tally) -> Tally:
        return Tally(*[one + more for one, more in zip(self, other, strict=True)])

    def shown(self) -> SeatStats:
        """
        >>> Tally(hands=4, decided=3, vpip=1, wagers=3, calls=2).shown().vpip
        333
        """
        return SeatStats(
            self.hands,
            vpip=_part(self.vpip, self.decided, THOUSAND),
            pfr=_part(self.pfr, self.decided, THOUSAND),
            three_bet=_part(self.three_bet, self.could_three_bet, THOUSAND),
            aggression=_part(self.wagers, self.calls, HUNDRED),
            wtsd=_part(self.showdowns, self.flops, THOUSAND),
        )


def _part(count: int, of: int, whole: int) -> int | None:
    """Rounded to the nearest, half up."""
    return (2 * count * whole + of) // (2 * of) if of else None


def of_hand(events: Iterable[AnyEvent]) -> dict[str, Tally]:
    """What a hand adds, by player, from its events that count (none that was taken back). Empty for a hand that is
    not over, void, or not observed whole."""
    hand = [*events]
    started = next((event for event in hand if isinstance(event, HandStarted)), None)
    whole = not any(isinstance(event, _NOT_WHOLE) or (isinstance(event, SeatsSet) and event.gap) for event in hand)
    if started is None or not whole or not any(isinstance(event, HandEnded) for event in hand):
        return {}
    counts = {seated.seat: dict.fromkeys(Tally._fields, 0) | {"hands": 1} for seated in started.seats}
    street, raises, folded = Street.PREFLOP, 0, set[Seat]()
    for event in hand:
        match event:
            case BoardDealt():
                if event.street is Street.FLOP:
                    for seat in counts.keys() - folded:
                        counts[seat]["flops"] = 1
                street = event.street
            case Acted() if event.seat in counts:
                _add_act(counts[event.seat], event.action, raises if street is Street.PREFLOP else None)
                raises += event.action in WAGERS
                folded |= {event.seat} if event.action is Action.FOLD else set()
            case HandKilled():
                folded.add(event.seat)
            case HandRetrieved():
                folded.discard(event.seat)
    shown_down = counts.keys() - folded
    for seat in shown_down if len(shown_down) > 1 else ():
        counts[seat]["showdowns"] = counts[seat]["flops"]
    return {one.player: Tally(**counts[one.seat]) for one in started.seats if one.player}


def _add_act(counts: dict[str, int], action: Action, raises: int | None) -> None:
    """`raises` were made before, in the betting before the flop; None on a later street."""
    if raises is None:
        counts["wagers"] += action in WAGERS
        counts["calls"] += action is Action.CALL
        return
    counts["decided"] = 1
    counts["vpip"] |= action in (*WAGERS, Action.CALL)
    counts["pfr"] |= action in WAGERS
    if raises == 1 and not counts["could_three_bet"]:
        counts["could_three_bet"], counts["three_bet"] = 1, int(action in WAGERS)
