"""The players, places and prizes of the event for whoever shows them on air: on `…/tournament/field`.

Tables know players by their ids; here are their names, too. A room whose messages are those of a version before
does without.
"""

from __future__ import annotations

from collections.abc import Iterator

from feltwire.runtime.broker import topics
from feltwire.runtime.node_io import Publish
from feltwire.runtime.views import Part, Views
from feltwire.station.clock import StationClock
from feltwire.station.tournament.names import Names
from feltwire.station.tournament.pages.view import field_of_night, posted
from feltwire.station.tournament.station_tournament import StationTournament
from feltwire.station.tournament.table_watch import Changes
from feltwire.station.tournament.words import named
from table_core.messages import (
    Chips,
    FieldOut,
    FieldPlayer,
    Millis,
    Refusal,
    TournamentField,
    encode,
    is_written,
)
from table_core.projections.room import Field
from table_core.tournament.events import Instant
from table_core.tournament.field.entries import late_entry
from table_core.tournament.money.prizes import owed
from table_core.tournament.night import Night
from table_core.tournament.state import Entrant, Facts, State, Status

ON_AIR = Part("The field on air", page="/station/players")
MOST_LEFT, MOST_OUT = 1_000, 100
PAUSE_MS = 2_000  # it is published at most so often


class FieldOnAir:
    """`pause_ms`: between two looks at all tables, in a hall."""

    def __init__(
        self,
        venue: str,
        clock: StationClock,
        tournament: StationTournament,
        changes: Changes,
        views: Views,
        *,
        pause_ms: int,
    ) -> None:
        self._topic = topics.tournament(venue, "field")
        self._clock = clock
        self._tournament = tournament
        self._changes = changes
        self._views = views
        self._pause_ms = max(PAUSE_MS, pause_ms)
        self._looked: tuple[int, int] | None = None  # at which records and tables
        self._due = Millis(0)
        self._said: TournamentField | None = None

    def say_again(self) -> None:
        """The broker is back: it is published whether it differs or not."""
        self._looked = self._said = None
        self._due = Millis(0)

    def wake_at(self) -> Iterator[Millis]:
        if self._looked not in (None, self._known()) and is_written("TournamentField"):
            yield self._due

    def publish(self, now: Millis) -> Iterator[Publish]:
        known = self._known()
        if known == self._looked or now < self._due or not is_written("TournamentField"):
            return
        self._looked, self._due = known, Millis(now + self._pause_ms)
        field = self._views.show(ON_AIR, lambda: self._field(now), lambda _: self._said)
        if field is not None and field != self._said:
            raw = self._views.show(ON_AIR, lambda: encode(field), lambda _: b"")
            self._said = field
            if raw:
                yield Publish(self._topic, raw, retain=True)

    def _known(self) -> tuple[int, int]:
        return self._tournament.records.version, self._changes.count

    def _field(self, now: Millis) -> TournamentField:
        tournament = self._tournament
        if not tournament.records.opened:
            return TournamentField("")
        return field_on_air(tournament.night, tournament.facts(), tournament.names, self._clock.instant(now))


def field_on_air(night: Night, facts: Facts, names: Names, now: Instant) -> TournamentField:
    """The players who are left and who are out, by the records and by what the tables say.

    Stacks are those at the beginning of a hand that is played: chips in the pot are nobody's yet.
    """
    state = night.state
    entrants = state.field.entrants.values()
    left = [_player(state, facts, one.player, names) for one in entrants if one.in_play]
    left.sort(key=lambda one: (-(one.stack or 0), one.name))
    prizes = owed(state)
    out = [_out(state, one, prizes, names) for one in entrants if one.status is Status.OUT]
    out.sort(key=lambda one: (one.place or 0, one.name))
    shown = posted(night, field_of_night(night) or Field())
    winner = next((one.player for one in entrants if one.place == 1), "") if state.finished is not None else ""
    return TournamentField(
        event=state.name,
        players=tuple(left[:MOST_LEFT]),
        out=tuple(out[:MOST_OUT]),
        left=len(left),
        entrants=shown.entrants,
        payouts=tuple(shown.payouts[:MOST_OUT]),
        entry_open=_entry_open(state, now, facts),
        deal=state.prizes.agreed is not None,
        winner=named(winner, names) if winner else "",
    )


def _player(state: State, facts: Facts, player: str, names: Names) -> FieldPlayer:
    at = state.seats.at.get(player)
    fact = facts.get(at.table) if at is not None else None
    stack = None
    if at is not None and fact is not None:
        stacks = fact.started_with if fact.in_hand and at.seat in fact.started_with else fact.stacks
        stack = stacks.get(at.seat)
    return FieldPlayer(
        player,
        named(player, names),
        at.table if at is not None else "",
        at.seat if at is not None else None,
        None if stack is None else Chips(stack),
    )


def _out(state: State, one: Entrant, prizes: dict[str, int], names: Names) -> FieldOut:
    waits = any(one.player in group.players for group in state.field.undecided)
    sat = state.field.seats_of_gone.get(one.player)
    place = None if waits else one.place
    table = sat.table if sat is not None else ""
    return FieldOut(one.player, named(one.player, names), place, prizes.get(one.player, 0), table)


def _entry_open(state: State, now: Instant, facts: Facts) -> bool:
    """Whether the book's end of entry has not come."""
    book = state.book.tournament
    if state.started is None or state.finished is not None or state.cancelled:
        return not (state.finished or state.cancelled)
    if book.late_entry_until_level is None and book.late_entry_until_minutes is None:
        return False
    somebody = Entrant("", now, Status.REGISTERED)
    return not isinstance(late_entry(state, somebody, now, facts), Refusal)
