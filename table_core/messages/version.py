"""The version of the messages: one number for all of them, in every event, birth and beat.

A change that an older program cannot read has another number. Messages since `OLDEST_VERSION` are read
(`tests/messages`); one of a later version is refused with words that say which program to update.

A program writes what its room reads: the station's beat says which version that is, and until the director
confirms an upgrade it is that of the release before (docs/decisions/0078-a-room-with-two-versions.md).
"""

from __future__ import annotations

from dataclasses import dataclass

MESSAGES_VERSION = 4
OLDEST_VERSION = 2  # 1: events were not signed
EARLIEST_WRITTEN = 3  # of the release before


@dataclass(frozen=True, slots=True)
class Added:
    """What a version added. `only_shows`: an earlier version does without it; anything else is refused while the
    room writes an earlier version, since it would be lost."""

    since: int
    only_shows: bool = False


# A struct, a field (`TableView.by_hand`) or the value of an enumeration (`DeviceState.NONE`) that a version after
# EARLIEST_WRITTEN added.
ADDED: dict[str, Added] = {
    "Key.CARD": Added(4),
    "CellState.BY_HAND": Added(4, only_shows=True),
    "TournamentOpened.by_hand": Added(4),
    "Open.by_hand": Added(4),
    "PlayedByHand": Added(4),
    "StackOf": Added(4),
    "StackBrought": Added(4),
    "OutByHand": Added(4),
    "SeatsSwapped": Added(4),
    "FlightBagged": Added(4),
    "FlightEntrant": Added(4),
    "Flight": Added(4),
    "FlightsCarried": Added(4),
    **{f"BustDropped.{field}": Added(4) for field in ("chips", "giver", "instead")},
    "AirDelay": Added(4),
    "DeskAsked": Added(4),
    "TableView.wishes": Added(4, only_shows=True),
    "SeatView.tabled": Added(4, only_shows=True),
    "SeatView.action": Added(4, only_shows=True),
    "SeatView.amount": Added(4, only_shows=True),
    "CalledOn": Added(4, only_shows=True),
    "TableView.called": Added(4, only_shows=True),
    "OptionView.effect": Added(4, only_shows=True),
    "RulingView.holds": Added(4, only_shows=True),
    "TableView.next_step": Added(4, only_shows=True),
    "TableView.outcome": Added(4, only_shows=True),
    "TableView.typed": Added(4, only_shows=True),
    "TableView.waiting": Added(4, only_shows=True),
    "SeatStats": Added(4, only_shows=True),
    "ShotClock": Added(4, only_shows=True),
    "Standing": Added(4, only_shows=True),
    "Eliminated": Added(4, only_shows=True),
    "Payout": Added(4, only_shows=True),
    "EventView": Added(4, only_shows=True),
    "FieldPlayer": Added(4, only_shows=True),
    "FieldOut": Added(4, only_shows=True),
    "TournamentField": Added(4, only_shows=True),
    "RoomLook": Added(4, only_shows=True),
    **{
        f"OverlaySeat.{field}": Added(4, only_shows=True)
        for field in (
            *("bet", "last", "in_hand", "all_in", "away", "share", "makes"),
            *(
                "position",
                "busted",
                "country",
                "photo",
                "to_call",
                "action",
                "amount",
                "stack_bb",
                "bet_bb",
                "amount_bb",
            ),
            *("tie", "ahead", "outs", "outs_to_tie", "stats"),
        )
    },
    **{
        f"OverlayView.{field}": Added(4, only_shows=True)
        for field in (
            *("button", "small_blind", "big_blind", "to_act", "air_s", "cards_in_ms"),
            *("to_call", "run_out", "shot_clock", "wall_ms", "again"),
        )
    },
}

_written = MESSAGES_VERSION


def written() -> int:
    """The version that this process writes."""
    return _written


def write_as(version: int) -> None:
    """Write what programs of this version read, as far as this program can: never what is before
    `EARLIEST_WRITTEN` or after `MESSAGES_VERSION`."""
    global _written
    _written = min(max(version, EARLIEST_WRITTEN), MESSAGES_VERSION)
