"""Penalties of this event and of earlier ones."""

from __future__ import annotations

from table_core.messages import Chips, Frozen, Name, Number, Text
from table_core.notices import PenaltyKind
from table_core.tournament.events.base import TournamentEvent


class OnFile(Frozen, frozen=True):
    """A penalty of an earlier event. `day` is that event's, `served` the day on which a suspension kept the player
    out; both as `2026-11-23`."""

    player: Name
    day: Name
    kind: PenaltyKind
    reason: Text
    rule: Name
    major: bool = False
    served: Name = ""


class PenaltyGiven(TournamentEvent, frozen=True, tag="penalty_given"):
    """`rule` is that of the reason, `outcome_rule` that of the outcome. `chips` leave play. `hand` is the number
    of the hand at the player's table, `tables` is how many were open."""

    penalty: Name
    player: Name
    kind: PenaltyKind
    reason: Text
    rule: Name
    major: bool = False
    minutes: Number = 0
    hands: Number = 0
    hand: Number = 0
    chips: Chips = Chips(0)
    outcome_rule: Name = ""
    tables: Number = 0


class TimeOutCarried(TournamentEvent, frozen=True, tag="time_out_carried"):
    """The player leaves a table, or sits at one whose last hand is `hand`, with `left` hands to serve."""

    penalty: Name
    left: Number
    hand: Number = 0


class PenaltyServed(TournamentEvent, frozen=True, tag="penalty_served"):
    penalty: Name
