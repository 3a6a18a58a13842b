"""What a rulebook says to people, not to the program: reasons of penalties, lines of pages, notes on rules."""

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


class Notice(Struct, frozen=True, forbid_unknown_fields=True):
    """A line for people, in words of our own, with the rule that it comes from."""

    text: str
    rule: str
    also: tuple[str, ...] = ()


class Notices(Struct, frozen=True, forbid_unknown_fields=True):
    """What pages say beside the rules; None where the book does not."""

    revision: Notice  # that the rules may change
    refusal: Notice  # who may be refused an entry
    acceptance: Notice | None = None  # what a player accepts by playing
    house_rules: Notice | None = None  # what published house rules are beside the book
    adaptable: Notice | None = None  # that other hosts may do otherwise
    credit: Notice | None = None  # whose text the book rests on
    away: Notice | None = None  # what counts as having left the table


class Note(Struct, frozen=True, forbid_unknown_fields=True):
    """What the rules page says at one rule: that another stands over it, or where else to look."""

    text: str
    see: tuple[str, ...] = ()


class Topic(StrEnum):
    """What an organiser announces before the start (`tournament/announcements.py`)."""

    BEST_HAND = "best_hand"
    WORDS_BIND = "words_bind"
    STRING_BETS = "string_bets"
    SPLASHING = "splashing"
    CHECK_RAISE = "check_raise"
    CHIPS_AND_BLINDS = "chips_and_blinds"
    OUT_OF_TURN = "out_of_turn"
    AFTER_THE_HAND = "after_the_hand"
    BREAKS = "breaks"
    HEADS_UP = "heads_up"
    REBUYS = "rebuys"
    RAISES = "raises"
    SHORT_BLIND = "short_blind"
    SHOWDOWN = "showdown"
    SMALLEST_BETS = "smallest_bets"
