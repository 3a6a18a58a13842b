"""The tournament as a whole: opened, started, cancelled; records taken back."""

from __future__ import annotations

from table_core.messages import BookText, Few, Frozen, Many, Millis, Name, Number, Seat, Text
from table_core.tournament.events.base import TournamentEvent
from table_core.tournament.events.penalties import OnFile


class ClockShift(Frozen, frozen=True):
    """At this instant (wall time) the clocks of the place go forward by so many milliseconds; below 0: back."""

    at: Millis
    by_ms: Millis


class TablePlan(Frozen, frozen=True):
    """A table that may be played on, with the seats that nobody can use."""

    table: Name
    seats: Number
    unavailable: Few[Seat] = ()


class TournamentOpened(TournamentEvent, frozen=True, tag="opened"):
    """`house` are the organiser's published settings over the rulebook, as JSON; `starts` is wall time; every draw
    of the tournament that is not made with cards comes from `seed`. The last table breaks first. `day` is the
    event's date, which begins at `midnight` (wall time); `shifts` are the changes of the clocks from then on,
    oldest first; `times` says which time of day of the book that day does not have, or twice. `on_file` are
    penalties of earlier events. `own` is all that a director's own rulebook says, empty for a book that ships with
    the program. `by_hand`: no table reports anything."""

    name: Text
    rulebook: Name
    house: BookText
    tables: Many[TablePlan]
    seed: Text = ""
    starts: Millis | None = None
    day: Name = ""
    on_file: Many[OnFile] = ()
    own: BookText = ""
    midnight: Millis | None = None
    shifts: Few[ClockShift] = ()
    times: Text = ""
    by_hand: bool = False


class RulesChanged(TournamentEvent, frozen=True, tag="rules_changed"):
    """Another rulebook, or other settings of the organiser, from now on: all of them and `times`, as in
    `TournamentOpened`."""

    rulebook: Name
    house: BookText
    own: BookText = ""
    why: Text = ""
    times: Text = ""


class Started(TournamentEvent, frozen=True, tag="started"):
    """Cards are in the air. `warning` says what the event is too small for, with its rule."""

    warning: Text = ""


class EventCancelled(TournamentEvent, frozen=True, tag="event_cancelled"):
    why: Text
    rule: Name = ""


class Undone(TournamentEvent, frozen=True, tag="undone"):
    """These events never happened: numbers of records."""

    records: Many[Number]
    why: Text = ""


class Unread(TournamentEvent, frozen=True, tag="cannot_be_read"):
    """In the place of a record that cannot be read, or that rests on one. It changes nothing, and is stored
    nowhere."""


class Redone(TournamentEvent, frozen=True, tag="redone"):
    """What the undo with this record took back is done again: the records of the same command that follow."""

    record: Number
