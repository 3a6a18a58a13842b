"""What a rulebook says to people rather than to the program: reasons of penalties, lines of the rules page."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class PenaltyKind(StrEnum):
    WARNING = "warning"
    TIME_OUT = "time_out"  # away from the table, for minutes or hands
    DEALT_OUT = "dealt_out"  # stays at the table without cards, for minutes or hands
    OUT = "out"  # out of the event
    OUT_FOR_DAY = "out_for_day"  # out of every event of the day
    SUSPENDED = "suspended"  # for the next date
    MEMBERSHIP_REVOKED = "membership_revoked"
    BANNED = "banned"


class Reason(Struct, frozen=True, forbid_unknown_fields=True):
    """What a penalty is given for, under a name. `ladder`: what the book has for it, by how often a player did it.

    Without one it is the book's ladder of minor infractions; where it is `major`, a choice of its major penalties.
    """

    rule: str
    also: tuple[str, ...] = ()
    ladder: tuple[PenaltyKind, ...] = ()
    major: bool = False
