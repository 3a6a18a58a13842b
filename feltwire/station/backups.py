"""What the director must know of the backups of this station: one that failed, is late, or was never made."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from feltwire.runtime.backup_status import BackupStatus
from feltwire.station.tournament.station_tournament import StationTournament
from table_core.messages import ItemKind, Millis, QueueItem, Severity

LOOK = "Look at feltwire-backup@station.timer and its disk: systemctl status feltwire-backup@station."


class Backups:
    """`boot` is this machine's; `now` is when the station started."""

    def __init__(self, tournament: StationTournament, boot: str, now: Millis) -> None:
        self._tournament = tournament
        self._boot = boot
        self._started = now
        self._looked = False
        self._last: BackupStatus | None = None
        self._paid = (-1, False)  # as of which version of the records; whether anybody paid

    def seen(self, status: BackupStatus | None) -> None:
        """What the last backup left in the data folder; None: there never was one."""
        self._looked, self._last = True, status

    def items(self, now: Millis) -> Iterator[QueueItem]:
        """Nothing where nobody plays for money and none was ever made."""
        if self._last is None:
            if self._looked and self._somebody_paid():
                yield QueueItem(
                    "backup-none",
                    ItemKind.DISK,
                    Severity.KNOW,
                    "No backup is made of this station: the tournament's records are on one disk alone.",
                    do="Start feltwire-backup@station.timer (docs/storage.md), or say that it is done.",
                    can_be_done=True,
                )
            return
        if fault := self._last.fault:
            which = sha256(fault.encode()).hexdigest()[:12]
            do = "Earlier backups stay. docs/storage.md says the way back for each file."
            text = self._last.fault_in_words()
            yield QueueItem(f"backup-fault-{which}", ItemKind.DISK, Severity.SOON, text, do=do, can_be_done=True)
        late_ms = self._last.late_ms(self._boot, self._started, now)
        if late_ms > 0:
            text = self._last.late_in_words()
            yield QueueItem(
                "backup-late", ItemKind.DISK, Severity.SOON, text, do=LOOK, ms_ago=late_ms, can_be_done=True
            )

    def _somebody_paid(self) -> bool:
        version = self._tournament.records.version
        if self._paid[0] != version:
            entrants = self._tournament.night.state.field.entrants.values()
            self._paid = version, any(entrant.paid for entrant in entrants)
        return self._paid[1]
