"""A station whose records were restored from a backup: what tables did since then is not to be done again.

The tables are further than the records: chips were given, players were moved. As long as a table differs from the
records it is told so; so a restored station tells the tables nothing by itself. The director enters what was
recorded since the backup, and says when that is complete. What was entered in between counts as carried out by the
tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from feltwire.station.director.director import Director
from feltwire.station.station_io import Directed, Effect, SaveRestored
from feltwire.station.station_store import Restored
from feltwire.station.tournament.station_tournament import StationTournament
from table_core.messages import ItemKind, Primary, QueueItem, Severity

COMMAND = "records_complete"
_BUTTON = Primary(
    "Records are complete",
    COMMAND,
    confirm="Is everything entered that was recorded since the backup: registrations, entries, rebuys, moves, the "
    "clock? From then on tables are told where seats and chips differ from the records.",
)


class RestoredRecords:
    """`kept` are the restorations of this tournament's records, the oldest first."""

    def __init__(self, kept: Sequence[Restored], tournament: StationTournament, director: Director) -> None:
        self._kept = tuple(kept)
        self._tournament = tournament
        self._director = director
        for one in self._kept:
            tournament.orders.assume(one.marks or ())

    @property
    def open(self) -> Restored | None:
        """The restoration whose records are not complete yet."""
        last = self._kept[-1] if self._kept else None
        return last if last is not None and last.marks is None and self._tournament.records.opened else None

    def items(self) -> Iterator[QueueItem]:
        if self.open is not None:
            made = datetime.fromtimestamp(self.open.made_at / 1000, UTC).strftime("%H:%M")
            text = (
                f"The records were restored from a backup of {made} UTC: {self.open.records} records. Tables are "
                "told nothing of seats, chips and clock."
            )
            do = "Enter what was recorded since, then press the button. What tables have done is not done again."
            yield QueueItem("restored", ItemKind.DISK, Severity.NOW, text, do=do, primary=_BUTTON)

    def complete(self, given: Directed) -> Iterator[Effect]:
        """The records are complete."""
        if self.open is None:
            yield from self._director.reply(given, "These records were not restored from a backup.", refused=True)
            return
        other = self._tournament.orders.tables_of_another_draw()
        if other:
            text = f"Table {other[0]} plays under a draw that is not in these records: restore a later backup."
            yield from self._director.reply(given, text, refused=True)
            return
        marks = self._tournament.orders.marks_since(self.open.records)
        self._kept = (*self._kept[:-1], Restored(self.open.made_at, self.open.records, marks))
        self._tournament.orders.assume(marks)
        yield SaveRestored(self._kept)
        yield from self._director.reply(given, "The records are complete; the tables are told where they differ.")
