"""The records in the data folder, read as a start reads them, the keys beside them, and the schedule."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from feltwire.config import StationConfig, TableConfig, rulebook_of
from feltwire.ledger.signing import LedgerKey
from feltwire.ledger.store import RESTORING, LedgerError
from feltwire.ledger.tournament_ledger import TournamentLedger
from feltwire.private_files import readable_by_others
from feltwire.runtime.boottime import boot_id, boot_millis
from feltwire.station.clock import StationClock
from feltwire.station.station_store import StationStore
from feltwire.tools.doctor.findings import Finding, refusing, well, wrong
from feltwire.tools.doctor.settings import AnyConfig
from feltwire.tools.start_check import start_faults
from table_core.tournament.clock import ScheduleError
from table_core.tournament.night import Night

PART = "records"
AWAY = "Move it away: another one is made, and the table is handed over anew."


def check(config: AnyConfig, folder: Path) -> Iterator[Finding]:
    """What a start reads there, of whatever kind of process."""
    if (folder / RESTORING).is_dir():
        yield wrong(PART, f"{folder}: a restore did not end there.", "Call the same feltwire restore again.")
        return
    yield from _keys(folder)
    with refusing(PART):
        book = rulebook_of(config) if isinstance(config, TableConfig | StationConfig) else None
        faults = start_faults(folder, book)
    for fault in faults:
        if fault.stops:
            yield wrong(PART, fault.words, "It does not start so: docs/storage.md says the way back.")
        else:
            yield wrong(PART, fault.words, "It starts without: docs/storage.md says the way back.")
    if not faults:
        files = sum(1 for path in folder.iterdir() if path.suffix in (".ledger", ".db"))
        yield well(PART, f"{files} files are read as a start reads them." if files else "None yet.")
    if isinstance(config, StationConfig) and not any(fault.stops for fault in faults):
        yield from _schedule(config, folder)


def _keys(folder: Path) -> Iterator[Finding]:
    for path in sorted(folder.glob("*.ledger.key")):
        try:
            LedgerKey.of_ledger(path.with_suffix(""))
        except LedgerError as error:
            what, _, do = str(error).partition("; ")
            yield wrong("ledger key", f"{what}.", f"{do[:1].upper()}{do[1:]}." if do else AWAY)
            continue
        if readable_by_others(path):
            do = f"chmod 600 {path}; who read it can sign as this machine: move it away, and hand over anew."
            yield wrong("ledger key", f"{path}: others may read it.", do)


def _schedule(config: StationConfig, folder: Path) -> Iterator[Finding]:
    """The clock that a start would begin with."""
    recorded = levels = None
    if (folder / "station.db").exists():
        with closing(StationStore.open_file(folder / "station.db", read_only=True)) as store:
            recorded = store.clock()
    if (folder / "tournament.ledger").exists():
        with closing(TournamentLedger.open(folder / "tournament.ledger", read_only=True)) as ledger:
            night, _ = Night.as_far_as_told(ledger.records(), rulebook_of(config))
            levels = night.state.clock.levels if night.state.clock is not None else None
    now = boot_millis()
    try:
        StationClock(config, "", boot=boot_id(), now=now, wall=lambda at: at, recorded=recorded, levels=levels)
    except ScheduleError as error:
        yield wrong("schedule", f"{error}.", "Mend `levels`; feltwire plan --check FILE.")
    else:
        yield well("schedule", f"The clock has {len(levels or config.levels)} entries to run.")
