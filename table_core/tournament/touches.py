"""What an event of a tournament touches: money, or who gets what.

Every kind of event stands in `TOUCHES`. What is decided by playing (a bust, its place, a bounty chip that changes
hands) touches nothing here, and neither does what is needed in haste at a table (a count, a correction, a penalty,
a move): none of it pays anybody, and each can be taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from table_core.rulebook import Rulebook
from table_core.tournament import events as e

if TYPE_CHECKING:
    from table_core.tournament.night import Recorded
    from table_core.tournament.state import State


class Touch(StrEnum):
    MONEY = "money"  # comes in, goes out, or is owed
    PRIZES = "who gets what"


NOTHING = None


def _when(field: str, *fields: str) -> Callable[[Any, Rulebook], Touch | None]:
    """Money, where one of these fields says how much."""
    return lambda event, book: Touch.MONEY if any(getattr(event, name) for name in (field, *fields)) else NOTHING


def _stack(event: e.Entered | e.StackSold, book: Rulebook) -> Touch | None:
    """Money, where something is paid. A stack for nothing is a claim to what others pay, unless the book says that
    an entry costs nothing."""
    price = book.tournament.buy_in
    free = price is not None and price.value == 0
    return Touch.MONEY if event.paid or event.pool else NOTHING if free else Touch.PRIZES


TOUCHES: Mapping[type, Touch | Callable[[Any, Rulebook], Touch | None] | None] = {
    # ---- the event and its rules: prices and payouts are settings
    e.TournamentOpened: Touch.PRIZES,
    e.RulesChanged: Touch.PRIZES,
    e.EventCancelled: Touch.PRIZES,
    e.FlightsCarried: Touch.PRIZES,
    e.FlightBagged: Touch.PRIZES,  # what each brings to the final day
    e.Started: NOTHING,
    # ---- money that comes in
    e.Entered: _stack,
    e.Refunded: Touch.MONEY,
    e.StackSold: _stack,
    e.RebuyAnnounced: _when("owed", "chips"),
    e.RebuyPaid: Touch.MONEY,
    e.ChipsBought: Touch.MONEY,
    e.CashMoved: Touch.MONEY,
    e.BountyEntered: _when("paid"),
    e.CashCounted: NOTHING,  # what somebody found in the box
    # ---- money that goes out, and who gets it
    e.PrizePaid: Touch.MONEY,
    e.BountyChipsCashed: Touch.MONEY,
    e.DealMade: Touch.PRIZES,
    e.BestHandWon: Touch.PRIZES,
    e.PayoutsSet: Touch.PRIZES,
    e.EntryGiven: Touch.PRIZES,
    e.PlacesCorrected: Touch.PRIZES,
    e.PlacesDecided: Touch.PRIZES,
    e.Forfeited: Touch.PRIZES,
    e.TargetNamed: Touch.PRIZES,
    e.BountyWon: Touch.PRIZES,
    e.BountyChipsWon: NOTHING,
    e.BountyAsked: NOTHING,
    # ---- chips: out of the bank without money; what was counted at a table is no gift
    e.ChipsGiven: Touch.PRIZES,
    **dict.fromkeys((e.StackPlaced, e.Docked, e.ColouredUp, e.StackCounted, e.StackCorrected), NOTHING),
    # ---- by playing, or needed in haste
    **dict.fromkeys((e.BustReported, e.BustConfirmed, e.BustDropped, e.Reinstated, e.OutByHand), NOTHING),
    **dict.fromkeys((e.PenaltyGiven, e.TimeOutCarried, e.PenaltyServed, e.SuspensionLifted), NOTHING),
    **dict.fromkeys((e.Registered, e.MemberConfirmed, e.Barred, e.Cancelled, e.OfferedSeat), NOTHING),
    **dict.fromkeys((e.PassedOver, e.PlaceLost, e.LotsDrawn, e.LockedOut, e.SignedIn, e.CheckedOff), NOTHING),
    **dict.fromkeys((e.LatenessAnnounced, e.Left, e.Returned), NOTHING),
    # ---- clock, seats, tables
    **dict.fromkeys((e.ClockChanged, e.ClockStopped, e.ClockDelegated, e.ClockPressed), NOTHING),
    **dict.fromkeys(
        (e.SeatReserved, e.KeptApart, e.SeatsDrawn, e.ButtonSet, e.DealerSet, e.PlayerSeated), NOTHING
    ),
    **dict.fromkeys((e.CardsDealt, e.MoveConfirmed, e.MoveLeft, e.MoveSeated, e.MoveWithdrawn), NOTHING),
    **dict.fromkeys((e.TableClosed, e.HandForHand, e.RoundBegan, e.DisputeOpened, e.DisputeClosed), NOTHING),
    **dict.fromkeys((e.DeckChanged, e.SeatsSwapped, e.PlayedByHand, e.StackBrought), NOTHING),
    # ---- an undo touches what it takes back (`touching`); what is done again stands behind its `Redone`
    e.Undone: NOTHING,
    e.Redone: NOTHING,
    e.Unread: NOTHING,
}


# By playing, until there is a winner; then they change a result that stands, which the season follows.
OF_RESULT = (e.BustConfirmed, e.Reinstated, e.OutByHand)


def touch(event: Any, state: State) -> Touch | None:
    """What `event` touches, done or taken back in this state."""
    if state.finished is not None and isinstance(event, OF_RESULT):
        return Touch.PRIZES
    found = TOUCHES[type(event)]
    return found(event, state.book) if callable(found) else found


class Touched(NamedTuple):
    """An event that touches something; `back`: it is taken back."""

    kind: Touch
    event: Any
    back: bool = False


def touching(decided: Iterable[Any], records: Sequence[Recorded], state: State) -> Iterator[Touched]:
    """What a command that was decided into these events touches, behind these records and in their `state`."""
    for event in decided:
        undone = isinstance(event, e.Undone)
        for one in [records[no - 1].event for no in event.records] if undone else [event]:
            if (kind := touch(one, state)) is not None:
                yield Touched(kind, one, undone)
