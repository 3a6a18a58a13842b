"""The result of a replay: of one recorded hand, and of all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import UNSET, Struct, UnsetType

from table_core.histories.played import PlayedHand
from table_core.histories.recorded import HistoryError, RecordedHand
from table_core.messages import AnyEvent, Chips, HandEnded, PotAwarded, Seat

MOST_RAKE = 0.1  # of a pot, where the file does not state what the house took
MOST_KINDS = 200  # of refusals and notes in a sum


class PotOutcome(Struct, frozen=True):
    """A pot as it was awarded; `shares[i]` chips went to `winners[i]`."""

    amount: Chips
    winners: tuple[Seat, ...]
    shares: tuple[Chips, ...]


class HandOutcome(Struct, frozen=True):
    """One hand replayed. Stacks are in the file's seat order, in chips of `unit` where that is not 1; what the
    house took is off `finishing_stacks`. `refused` says why a hand could not be played, `kind` in a few words."""

    hand: str
    finishing_stacks: tuple[Chips, ...]
    expected: tuple[Chips, ...] | None
    equal: bool
    pots: tuple[PotOutcome, ...] = ()
    refused: str | None = None
    kind: str | UnsetType = UNSET
    unit: str | UnsetType = UNSET
    notes: tuple[str, ...] | UnsetType = UNSET


class ReplaySummary(Struct):
    """The last line of a replay. `unrecorded` hands were played to their end, and their file has nothing to
    compare with it."""

    hands: int = 0
    equal: int = 0
    different: int = 0
    refused: int = 0
    unrecorded: int | UnsetType = UNSET
    reasons: dict[str, int] | UnsetType = UNSET
    notes: dict[str, int] | UnsetType = UNSET

    def count(self, outcome: HandOutcome) -> None:
        self.hands += 1
        if outcome.refused is not None:
            self.refused += 1
            self.reasons = _counted(self.reasons, [str(outcome.kind or "cannot be read")])
        elif outcome.expected is None:
            self.unrecorded = (self.unrecorded or 0) + 1
        elif outcome.equal:
            self.equal += 1
        else:
            self.different += 1
        if outcome.notes:
            self.notes = _counted(self.notes, outcome.notes)


def _counted(sums: dict[str, int] | UnsetType, words: Iterable[str]) -> dict[str, int]:
    found = sums or {}
    for word in dict.fromkeys(words):
        key = word if word in found or len(found) < MOST_KINDS else "others"
        found[key] = found.get(key, 0) + 1
    return found


def refused_hand(
    name: str, reason: str, expected: tuple[Chips, ...] | None = None, kind: str | UnsetType = UNSET
) -> HandOutcome:
    """A hand that could not be played, and why."""
    return HandOutcome(name, (), expected, False, (), reason, kind)


def unread_hand(error: HistoryError) -> HandOutcome:
    """A hand that could not be read."""
    return refused_hand(error.file, str(error), None, error.kind)


def outcome_of(played: PlayedHand) -> HandOutcome:
    """A hand that was played to its end, beside what its file says of that end."""
    recorded, events = played.recorded, played.events
    finishing = _finishing(events, len(recorded.starting_stacks))
    expected = recorded.finishing_stacks
    notes = list(recorded.notes)
    if recorded.winnings is not None:
        won = _won(events, len(finishing))
        taken = _rake(won, recorded)
        if expected is None:
            expected = tuple(
                Chips(stack - own + collected)
                for stack, own, collected in zip(finishing, won, recorded.winnings, strict=True)
            )
        if taken is not None and any(taken):
            finishing = tuple(Chips(stack - part) for stack, part in zip(finishing, taken, strict=True))
            notes.append("rake" if recorded.rake else "rake that the file does not state: what its winnings lack")
    return HandOutcome(
        recorded.file,
        finishing,
        expected,
        finishing == expected,
        pots_of(events),
        unit=recorded.unit if recorded.unit != "1" else UNSET,
        notes=tuple(dict.fromkeys(notes)) or UNSET,
    )


def _finishing(events: Sequence[AnyEvent], players: int) -> tuple[Chips, ...]:
    ended = next(event for event in reversed(events) if isinstance(event, HandEnded))
    left = {share.seat: share.amount for share in ended.stacks}
    return tuple(left[Seat(number)] for number in range(1, players + 1))


def _won(events: Iterable[AnyEvent], players: int) -> list[int]:
    won = dict.fromkeys(range(1, players + 1), 0)
    for event in events:
        if isinstance(event, PotAwarded):
            for share in event.shares:
                won[share.seat] += share.amount
    return [*won.values()]


def _rake(won: Sequence[int], recorded: RecordedHand) -> tuple[int, ...] | None:
    """What the house took of each winner; None where the recorded winnings are no such thing. It takes of each in
    proportion, but for a chip a winner that does not divide."""
    collected = recorded.winnings or ()
    total, rake = sum(won), sum(won) - sum(collected)
    stated = recorded.rake
    if rake <= 0 or (stated is not None and rake != stated) or (stated is None and rake > MOST_RAKE * total):
        return None
    parts = tuple(own - got for own, got in zip(won, collected, strict=True))
    uneven = sum(map(bool, won))
    fair = all(abs(part - rake * own / total) <= uneven for part, own in zip(parts, won, strict=True))
    return parts if fair and all(part >= 0 for part in parts) else None


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
