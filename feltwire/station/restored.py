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
from table_core.messages import ItemKind, Millis, Primary, QueueItem, Severity

COMMAND = "records_complete"
_BUTTON = Primary(
    "Records are complete",
    COMMAND,
    confirm="Is everything entered that was recorded since the backup: registrations, entries, rebuys, moves, the "
    "clock? From then on tables are told where seats and chips differ from the records.",
)
GO_ON_WITHOUT = "records_without"
_WITHOUT = Primary(
    "Go on without them",
    GO_ON_WITHOUT,
    confirm="What these records say is not known here: perhaps an entry, a rebuy, a move or a prize. From then on "
    "it can be entered anew. Tables are told nothing before you say that the records are complete.",
)


class RestoredRecords:
    """`kept` are the restorations of this tournament's records, the oldest first. `lost` are the numbers of
    records that cannot be read, or rest on one of those: nothing of the tournament goes on before a person has
    said that it does without them, and then these records are restored ones."""

    def __init__(
        self, kept: Sequence[Restored], lost: Sequence[int], tournament: StationTournament, director: Director
    ) -> None:
        self._kept = tuple(kept)
        self._lost = lost
        self._tournament = tournament
        self._director = director
        for one in self._kept:
            tournament.orders.assume(one.marks or ())

    @property
    def shut(self) -> str:
        """Why nothing of the tournament goes on; empty where it does."""
        decided = max((one.records for one in self._kept), default=0)
        return self._lost_in_words() if self._lost and self._lost[-1] > decided else ""

    def _lost_in_words(self) -> str:
        numbers = ", ".join(str(no) for no in self._lost[:3])
        more = f" and {len(self._lost) - 3} more" if self._lost[3:] else ""
        one = len(self._lost) == 1
        return f"Record{'' if one else 's'} {numbers}{more} of the tournament cannot be read"

    @property
    def holds(self) -> bool:
        """Whether tables are told nothing of the records."""
        return bool(self.shut) or self.open is not None

    @property
    def open(self) -> Restored | None:
        """The restoration whose records are not complete yet."""
        last = self._kept[-1] if self._kept else None
        return last if last is not None and last.marks is None and self._tournament.records.opened else None

    def items(self) -> Iterator[QueueItem]:
        if self.shut:
            text = f"{self.shut}. Nothing of the tournament goes on, and tables are told nothing of it."
            do = "Restore the last backup that has them (docs/storage.md), or press the button."
            yield QueueItem("lost", ItemKind.DISK, Severity.NOW, text, do=do, primary=_WITHOUT)
        elif self.open is not None:
            made = datetime.fromtimestamp(self.open.made_at / 1000, UTC).strftime("%H:%M")
            whence = f"The records were restored from a backup of {made} UTC: {self.open.records} records."
            text = (
                f"{f'{self._lost_in_words()}.' if self._lost else whence} Tables are told nothing of seats, chips "
                "and clock."
            )
            do = "Enter what was recorded since, then press the button. What tables have done is not done again."
            yield QueueItem("restored", ItemKind.DISK, Severity.NOW, text, do=do, primary=_BUTTON)

    def without_lost(self, given: Directed, wall: Millis) -> Iterator[Effect]:
        """A person says that the tournament goes on without the records that cannot be read."""
        if not self.shut:
            yield from self._director.reply(given, "All records can be read.", refused=True)
            return
        before = tuple(one for one in self._kept if one.marks is not None)
        self._kept = (*before, Restored(wall, len(self._tournament.night.records)))
        yield SaveRestored(self._kept)
        text = "It goes on without them. Enter what they said, then say that the records are complete."
        yield from self._director.reply(given, text)

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
