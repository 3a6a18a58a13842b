"""The machine: user, data folder, memory for a hand's key, clock, supply."""

from __future__ import annotations

import os
import pwd
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from feltwire.config import TableConfig
from feltwire.private_files import data_folder
from feltwire.runtime.machine import readings
from feltwire.table.recovery import in_memory, runtime_folder
from feltwire.tools.doctor.findings import Finding, Refused, look, of_fact, refusing, well, wrong
from feltwire.tools.doctor.settings import AnyConfig
from table_core.projections.health import of_machine

OF_SERVICES = Path("/run/feltwire")  # systemd makes a folder for each (RuntimeDirectory)
SLOW_S = 0.5  # to put 64 kB on the disk


def check(config: AnyConfig) -> Iterator[Finding]:
    folder = Path(config.data) if config.data else None
    if folder is not None:
        yield from _data(folder)
    for fact in of_machine(readings(folder or Path("/"))):
        yield of_fact(fact, f"machine: {fact.what}")
    if isinstance(config, TableConfig):
        yield _memory(config)


def _data(folder: Path) -> Iterator[Finding]:
    part = "data"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        found = folder.stat()
        with refusing(part):
            data_folder(folder)
    except OSError as error:
        yield wrong(part, f"{folder}: {error.strerror}.", "Make it, for the process's own user (docs/venue.md).")
        return
    except Refused as refused:  # as the start would
        yield refused.finding
    if os.geteuid() == 0 and found.st_uid != 0:
        owner = _user(found.st_uid)
        yield look("user", "This is root, the process is not.", f"Call it again with sudo -u {owner}.")
    elif found.st_uid != os.geteuid():
        do = f"Call this as the process's user: sudo -u {_user(found.st_uid)}."
        yield look("user", f"{folder} belongs to {_user(found.st_uid)}.", do)
    began = time.monotonic()
    try:
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".doctor-") as file:
            file.write(bytes(65_536))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        do = "Make room on that disk." if error.errno == 28 else "Give it to the process's own user."
        yield wrong(part, f"{folder}: nothing can be written ({error.strerror}).", do)
        return
    took = time.monotonic() - began
    if took > SLOW_S:
        yield look(part, f"{folder}: 64 kB took {took:.1f} s.", "Another disk: that one is slow or fails.")
    else:
        yield well(part, f"{folder} takes records: 64 kB in {took * 1000:.0f} ms.")


def _memory(config: TableConfig) -> Finding:
    folder = runtime_folder(config.runtime, Path(config.data) / f"table-{config.table}.ledger").parent
    if not folder.exists() and folder.is_relative_to(OF_SERVICES):
        return well("memory", f"{folder} is made in memory when the service starts.")
    if not folder.is_dir():
        return wrong("memory", f"{folder} is not there.", "Set `runtime` to a folder in memory, as /run/feltwire.")
    if not in_memory(folder):
        do = "Set `runtime` to a folder in memory (tmpfs)."
        return look("memory", f"{folder} is on a disk: a hand's recovery key would touch it.", do)
    return well("memory", f"A hand's recovery key is kept in memory ({folder}).")


def _user(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)
