"""A room whose processes are killed together and start again from their disks, or from backups of them."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec

from feltwire import cli
from feltwire.runtime.disk import Disk
from feltwire.tools.backup_manifest import backups
from table_core.messages import encode
from table_core.tracker.state import encode_state
from tests.mutated.room import Now, Room

DATA = ("table", "station", "relay")
LEDGERS = ("table/table-01.ledger", "station/station.ledger", "station/tournament.ledger")
_OF_THE_MACHINE = ("cards.key", "decks.toml")
Held = dict[str, Any]


class Hall(Room):
    """`before` is what processes held that were killed; `differs` what of it these do not, before they heard
    anything."""

    def __init__(self, folder: Path, now: Now, before: Held | None = None) -> None:
        self._before = before
        self.differs: list[str] = []
        super().__init__(folder, now)

    def _start(self) -> None:
        before, found = self._before, held(self)
        self.differs = [
            f"lost: {part} ({_short(was)}, now {_short(found[part])})"
            for part, was in (before or {}).items()
            if found[part] != was
        ]
        self._stack.enter_context(patch.object(Disk, "_stuck", _ends))
        super()._start()
        for process in self.processes:
            process.starts.started()  # as their `start` does
        self._before = None

    def troubles(self) -> int:
        """Inputs that were put aside, and views that could not be made."""
        views = sum(process.views.count for process in self.processes)
        return self.put_aside() + views + len(self.wires.faults)


def _short(value: Any) -> str:
    return repr(value)[:200]


def _ends(_: Disk, why: str) -> None:
    """What no disk takes is tried again for ever."""
    if why != "the disk does not answer":  # of a busy machine
        raise AssertionError(f"nothing can be recorded: {why}")


def held(room: Room) -> Held:
    """What a kill must not change, in parts."""
    station, table, relay = room.station, room.table, room.relay
    node = station.node
    clock = node._clock
    return {
        "the tournament": node.tournament.night.state,
        "records": station.records.head,
        "names": station.players.names(),
        "penalties on file": station.players.on_file(""),
        "the season": station.season.results,
        "the clock": (clock.clock.levels, clock.clock.read(room.now())),
        "commands under way": [(name, encode(one)) for name, one in station.store.outgoing()],
        "who is a table": station.store.leaseholders(),
        "the queue": station.store.queue(),
        "collected events": station.ledger.heads(),
        "the table's view": table.node.table.view(),
        "the table's memory": json.loads(encode_state(table.node.state)),
        "the table's ledger": table.ledger.head,
        "whom the relay follows": [one.who for one in relay.node._tables.values()],
        "people": sorted(msgspec.json.encode(one) for p in (table, station) for one in p.signin.people()),
    }


IN_A_BACKUP = ("the tournament", "records", "names", "penalties on file", "the season", "collected events")


def copied(folder: Path, to: Path) -> None:
    """The files as they are, of processes that run or not: what kill -9 leaves."""
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(folder, to, ignore=shutil.ignore_patterns("*-shm"))


def killed(room: Hall, aside: Path) -> tuple[Held, Path]:
    """What the processes held, and their folder as kill -9 leaves it. `aside` is free."""
    room.run()
    before = held(room)
    folder = room.folder
    copied(folder, aside)
    room.close()
    copied(aside, folder)
    return before, folder


def started(folder: Path, now: Now, before: Held | None) -> tuple[Hall | None, list[str]]:
    """The processes again, and what is wrong with them."""
    try:
        room = Hall(folder, now, before)
    except Exception as error:  # noqa: BLE001  (whatever keeps a room from starting)
        return None, [f"does not start: {type(error).__name__}: {str(error)[:300]}"]
    found = list(room.differs)
    if room.troubles():
        found.append(f"started with {', '.join(troubled(room))}")
    return room, found


def troubled(room: Room) -> Iterator[str]:
    """What went wrong in it, in words."""
    for process in room.processes:
        name = type(process).__name__
        if process.driver._quarantine.count:
            yield f"{process.driver._quarantine.count} inputs of {name} put aside"
        if process.views.count:
            yield f"{name} cannot show {[fault.part.words for fault in process.views.faults]}"
    yield from room.wires.faults


def verified(folder: Path) -> Iterator[str]:
    """Ledgers that `feltwire verify` does not find sound."""
    for name in LEDGERS:
        if said := _refused("verify", str(folder / name)):
            yield f"verify {name}: {said}"


def _refused(*argv: str) -> str:
    """What a command says where it ends with anything but 0; an exception too."""
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            status = cli.main(argv)
    except Exception as error:  # noqa: BLE001
        return f"raised {type(error).__name__}: {str(error)[:200]}"
    return out.getvalue()[:300] if status != 0 else ""


def from_backup(folder: Path, fresh: Path, now: Now, before: Held) -> Iterator[str]:
    """What is wrong with a backup of each process, or with the room that starts from them."""
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir()
    for name in _OF_THE_MACHINE:
        shutil.copy(folder / name, fresh / name)
    for name in DATA:
        kept = fresh / "backups" / name
        said = _refused("backup", str(folder / name), "--to", str(kept))
        if not said:
            said = _refused("restore", str(backups(kept)[-1]), "--to", str(fresh / name), "--unauthenticated")
        if said:
            yield f"no backup of the {name}: {said}"
            return
    room, found = started(fresh, now, None)
    yield from (f"from the backup: {one}" for one in found)
    if room is not None:
        again = held(room)
        yield from (
            f"from the backup: lost: {part} ({_short(before[part])}, now {_short(again[part])})"
            for part in IN_A_BACKUP
            if again[part] != before[part]
        )
        room.close()
