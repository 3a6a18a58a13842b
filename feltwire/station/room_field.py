"""The field that the clock shows: players left, entrants, average stack, prizes."""

from __future__ import annotations

from collections.abc import Iterator

from feltwire.config import StationConfig
from feltwire.runtime.views import Part, Views
from feltwire.station.tables.known import KnownTables
from feltwire.station.tournament.pages.view import field_of_night, posted
from feltwire.station.tournament.records import TournamentRecords
from table_core.messages import Millis
from table_core.projections.room import Field, field_of

FIELD = Part("Players and chips on the clock", page="/station/players")
FIELD_MS = 100  # it is counted at most this often: it takes the state of every table


class RoomField:
    """`field` as it was counted last; in a hall at most every `pause_ms`."""

    def __init__(
        self,
        config: StationConfig,
        records: TournamentRecords,
        known: KnownTables,
        views: Views,
        *,
        pause_ms: int,
        now: Millis,
    ) -> None:
        self._views = views
        self.field = field_of((), entrants=config.entrants)
        self._entrants = config.entrants
        self._records = records
        self._known = known
        self._pause_ms = max(FIELD_MS, pause_ms)
        self._changed = False
        self._counted_at = now

    def changed(self) -> None:
        """A table has sent something."""
        self._changed = True

    def go_on(self, now: Millis) -> None:
        if self._changed and now - self._counted_at >= self._pause_ms:
            self._counted_at = now
            self.count()

    def wake_at(self) -> Iterator[Millis]:
        if self._changed:
            yield Millis(self._counted_at + self._pause_ms)

    def count(self) -> None:
        """Where it cannot be counted, it stays as it was."""
        self._changed = False
        self.field = self._views.show(FIELD, self._counted, lambda _: self.field)

    def _counted(self) -> Field:
        night = self._records.night
        field = field_of_night(night) if self._records.opened else None
        if field is None:  # nobody has entered: who sits at the tables
            field = field_of(self._known.views(), entrants=max(self._entrants, self.field.entrants))
        return posted(night, field)
