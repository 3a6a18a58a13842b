"""The result of a replay: of one recorded hand, and of all."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from table_core.messages import AnyEvent, Chips, PotAwarded, Seat


class PotOutcome(Struct, frozen=True):
    """A pot as it was awarded; `shares[i]` chips went to `winners[i]`."""

    amount: Chips
    winners: tuple[Seat, ...]
    shares: tuple[Chips, ...]


class HandOutcome(Struct, frozen=True):
    """One hand replayed. Stacks are in the file's seat order; `refused` says why a hand could not be played."""

    hand: str
    finishing_stacks: tuple[Chips, ...]
    expected: tuple[Chips, ...] | None
    equal: bool
    pots: tuple[PotOutcome, ...] = ()
    refused: str | None = None


class ReplaySummary(Struct):
    """The last line of a replay."""

    hands: int = 0
    equal: int = 0
    different: int = 0
    refused: int = 0

    def count(self, outcome: HandOutcome) -> None:
        self.hands += 1
        if outcome.refused is not None:
            self.refused += 1
        elif outcome.equal:
            self.equal += 1
        else:
            self.different += 1


def refused_hand(name: str, reason: str, expected: tuple[Chips, ...] | None = None) -> HandOutcome:
    """A hand that could not be played, and why."""
    return HandOutcome(name, (), expected, False, (), reason)


def pots_of(events: Iterable[AnyEvent]) -> tuple[PotOutcome, ...]:
    """The pots that `events` award, in their order."""
    return tuple(
        PotOutcome(
            event.amount,
            tuple(share.seat for share in event.shares),
            tuple(share.amount for share in event.shares),
        )
        for event in events
        if isinstance(event, PotAwarded)
    )
