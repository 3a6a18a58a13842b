"""Who takes part: registration, the waiting list, absences."""

from __future__ import annotations

from table_core.messages import Chips, Many, Millis, Name, Number, Text
from table_core.tournament.events.base import TournamentEvent


class Registered(TournamentEvent, frozen=True, tag="registered"):
    """`waiting`: on the waiting list. `signed_up`: wall time of a sign-up that was not made now. `applied`: the
    membership number comes later."""

    player: Name
    member: bool = False
    adult: bool = False
    regular: bool = False
    waiting: bool = False
    rule: Name = ""
    online: bool = False
    signed_up: Millis | None = None
    applied: bool = False
    locked_out_before: bool = False


class MemberConfirmed(TournamentEvent, frozen=True, tag="member_confirmed"):
    player: Name
    rule: Name = ""


class Barred(TournamentEvent, frozen=True, tag="barred"):
    """The player may not enter this event."""

    player: Name
    why: Text
    rule: Name = ""


class Cancelled(TournamentEvent, frozen=True, tag="cancelled"):
    player: Name
    rule: Name = ""


class OfferedSeat(TournamentEvent, frozen=True, tag="offered_seat"):
    """The first of the waiting list gets the place that became free."""

    player: Name
    rule: Name = ""


class PassedOver(TournamentEvent, frozen=True, tag="passed_over"):
    """Who was offered a place is not there, and keeps the place on the waiting list."""

    player: Name
    rule: Name = ""


class PlaceLost(TournamentEvent, frozen=True, tag="place_lost"):
    """The player has not entered and waits now: somebody who is sure of a seat has the place."""

    player: Name
    rule: Name = ""


class LotsDrawn(TournamentEvent, frozen=True, tag="lots_drawn"):
    """The lots of who came last, in order: the first `placed` of them have a place."""

    players: Many[Name]
    placed: Number
    rule: Name
    seed: Text


class LockedOut(TournamentEvent, frozen=True, tag="locked_out"):
    """No seat became free before entry ended: the player is sure of one in the next event."""

    player: Name
    rule: Name


class SignedIn(TournamentEvent, frozen=True, tag="signed_in"):
    player: Name


class CheckedOff(TournamentEvent, frozen=True, tag="checked_off"):
    """The player ticked their name before sitting down."""

    player: Name


class LatenessAnnounced(TournamentEvent, frozen=True, tag="lateness_announced"):
    """The player comes late; `after_first_hand`: a hand had been dealt when they told it."""

    player: Name
    rule: Name = ""
    after_first_hand: bool = False


class Left(TournamentEvent, frozen=True, tag="left"):
    """The player is away from the table; hands are dealt as the book says. `minutes`: as announced before."""

    player: Name
    notified: bool = False
    mark: Name = ""
    minutes: Number | None = None


class Returned(TournamentEvent, frozen=True, tag="returned"):
    player: Name
    mark: Name = ""


class Forfeited(TournamentEvent, frozen=True, tag="forfeited"):
    """A person took the stack out of play and the player out of the event."""

    player: Name
    chips: Chips
    rule: Name
    why: Text = ""
    suspended: bool = False  # for the next date
    disqualified: bool = False
    table: Name = ""  # where the player sat, and the hand that was played
    hand: Number = 0


class SuspensionLifted(TournamentEvent, frozen=True, tag="suspension_lifted"):
    """The player may play on the next date after all; what happened in this event stands."""

    player: Name
    why: Text
    rule: Name = ""
