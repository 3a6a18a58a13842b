"""The tournament's records: those on the disk, and those on their way there.

One command at a time: it is decided, its records are committed, and only then does anybody see what it did. A
commit that fails takes the command back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from feltwire.station.clock import StationClock
from feltwire.station.director.proof import unproven
from feltwire.station.station_io import CommitRecords, Directed
from table_core.messages import Millis, Refusal
from table_core.rulebook import Rulebook
from table_core.tournament.night import Night, Recorded
from table_core.tournament.state import Facts, State
from table_core.tournament.touches import touching

TRY_AGAIN_MS = 1_000  # after a disk that did not take a record


@dataclass(slots=True)
class Pending:
    """Records on their way to the disk, and who waits for them."""

    records: tuple[Recorded, ...]
    given: Directed | None
    said: str = ""  # the answer; empty: what the records say


class TournamentRecords:
    """`night` as replayed from the disk, `facts` what tables report."""

    def __init__(
        self, night: Night, rulebook: Rulebook, *, clock: StationClock, facts: Callable[[], Facts]
    ) -> None:
        self.night = night
        self.version = 1  # of what pages show
        self.disk = ""  # why nothing can be recorded
        self.pending: Pending | None = None
        self.again_at: Millis | None = None  # the disk is tried again
        self._rulebook = rulebook
        self._clock = clock
        self._facts = facts
        self._done = {record.command for record in night.records}

    @property
    def state(self) -> State:
        return self.night.state

    @property
    def opened(self) -> bool:
        """There is a tournament; without one the station's clock is a clock by itself."""
        return self.night.state.opened

    def has(self, press: str) -> bool:
        """Whether what this press did is on record."""
        return press in self._done

    def waits_for(self, press: str) -> bool:
        return self.pending is not None and self.pending.given is not None and self.pending.given.id == press

    def do(
        self, command: Any, now: Millis, *, press: str, by: str, proven: str | None = None
    ) -> tuple[Recorded, ...] | Refusal:
        """Decide a command. What it records is to be offered to the disk, or dropped. `proven` is as in
        `Directed`."""

        def why_not(decided: Sequence[Any]) -> Refusal | None:
            return unproven([*touching(decided, self.night.records, self.state)], proven)

        instant, facts = self._clock.instant(now), self._facts()
        return self.night.do(command, instant, facts, id_=press, by=by, why_not=why_not)

    def drop(self, count: int) -> None:
        """Take the last `count` records back."""
        self.night = self._without(count)

    def offer(self, records: tuple[Recorded, ...], given: Directed | None, said: str = "") -> CommitRecords:
        """Records that were decided, for the disk."""
        self.pending = Pending(records, given, said)
        return CommitRecords(records)

    def committed(self) -> Pending | None:
        """What was decided is on the disk."""
        pending, self.pending = self.pending, None
        if pending is not None:
            self.disk = ""
            self.version += 1
            self._done |= {record.command for record in pending.records}
        return pending

    def not_committed(self, why: str, now: Millis) -> Pending | None:
        """The disk has nothing of it: nothing happened."""
        pending, self.pending = self.pending, None
        if pending is not None:
            self.drop(len(pending.records))
            self.again_at = Millis(now + TRY_AGAIN_MS)
            self.disk = why
        return pending

    def on_disk(self) -> Night:
        """The night without what is on its way to the disk."""
        return self.night if self.pending is None else self._without(len(self.pending.records))

    def _without(self, count: int) -> Night:
        return Night.replayed(self.night.records[: len(self.night.records) - count], self._rulebook)
