"""Real processes under load, with everything that they do to their disks and say to others recorded."""

from __future__ import annotations

import json
from collections.abc import Collection
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from feltwire.ledger.tournament_ledger import TournamentLedger
from feltwire.runtime.children import ChildSpec
from feltwire.station.players_store import names_in
from table_core.messages import Frozen, decode, encode
from tests.feltwire.hall import post
from tests.feltwire.processes import PATIENCE_S, Process, station_settings
from tests.ports import free_port
from tests.powercuts.planted import planted
from tests.powercuts.recording import Recording, read
from tests.powercuts.restart import RelayRestart, Restart, StationRestart, TableRestart
from tests.powercuts.shim import Disk
from tests.room.open_room import TABLE, OpenRoom

NAMES = {"table": f"table-{TABLE}", "station": "station", "relay": "relay"}
TOURNAMENT = "tournament"
KINDS = (*NAMES, TOURNAMENT)
_ABOUT = "recorded.json"


class About(Frozen, frozen=True):
    """What reading a recording needs beside its files. `answers`: how many records of the tournament and how many
    names were there when a text was answered."""

    broker_port: int
    seed: int
    answers: dict[str, tuple[int, int]]


@dataclass(frozen=True)
class Recorded:
    """One run of one process: where its data lay, what it did, and how it is started again."""

    kind: str
    data: Path
    recording: Recording
    restart: Restart[Any]


def record(folder: Path, kinds: Collection[str], *, hands: int, players: int, seed: int, plant: str = "") -> None:
    """What `kinds` need: a room that deals so many hands, a station at which so many players are registered.
    `plant` is Python that runs in each process before its own (`planted.py`)."""
    port = _record_room(folder, hands, seed, plant) if set(kinds) & NAMES.keys() else 0
    answers = _record_tournament(folder, players, plant) if TOURNAMENT in kinds else {}
    (folder / _ABOUT).write_bytes(encode(About(port, seed, answers)))


def recorded(folder: Path, kind: str) -> Recorded:
    """One of the recordings in `folder`."""
    about = decode((folder / _ABOUT).read_bytes(), About)
    if kind == TOURNAMENT:
        data, config = folder / "tournament" / "station-data", folder / "tournament" / "station.toml"
        restart: Restart[Any] = StationRestart(config, data, about.answers)
        (log,) = Disk(data, folder / "tournament" / "log").logs()
        return Recorded(kind, data, read(log, broker_port=0), restart)
    data, name = folder / "room" / "data", NAMES[kind]
    made = {"table": TableRestart, "station": StationRestart, "relay": RelayRestart}[kind]
    (log,) = Disk(data, folder / "logs" / name).logs()
    restart = made(folder / "room" / f"{name}.toml", data)
    return Recorded(kind, data, read(log, about.broker_port), restart)


def is_recorded(folder: Path) -> bool:
    return (folder / _ABOUT).exists()


def _record_room(folder: Path, hands: int, seed: int, plant: str) -> int:
    """A table with camera, shoe and keypad, the station and the relay; the port of their broker."""
    data, logs = folder / "room" / "data", folder / "logs"
    logs.mkdir(parents=True)
    disks = {name: Disk(data, logs / name) for name in NAMES.values()}

    def child(spec: ChildSpec) -> ChildSpec:
        if spec.name not in disks:
            return spec
        return disks[spec.name].under(replace(spec, argv=planted(spec.argv, plant)))

    with OpenRoom(folder / "room", seed=seed, child=child) as room:
        room.wait(lambda: len(room.hands) >= hands, f"{hands} hands are played")
        room.end_dealing()
        return room.plan.ports.broker


def _record_tournament(folder: Path, players: int, plant: str) -> dict[str, tuple[int, int]]:
    """A director registers, enters and seats players; what was answered."""
    own = folder / "tournament"
    own.mkdir(parents=True)
    disk, port = Disk(own / "station-data", own / "log"), free_port()
    station = Process("station", own, port, station_settings(own, "mqtt://127.0.0.1:9", port))
    station.started_with = lambda argv: (*disk.command, *planted(argv, plant))
    with station:
        station.shows("room", lambda room: True)
        press = _Director(station, disk.folder)
        press("open", name="Friday", house={"starting_stack": 2_000})
        for no in range(1, players + 1):
            press("register_new", name=f"Player {no}", member=True, adult=True)
            press("enter", player=f"p{no}")
        press("draw_seats")
        press("set_button", table="01")
        press("start")
        assert station.end() == 0
    return press.answers


class _Director:
    """Presses one after the other; after each it is counted what is on record."""

    def __init__(self, station: Process, data: Path) -> None:
        self._station = station
        self._data = data
        self.answers: dict[str, tuple[int, int]] = {}

    def __call__(self, command: str, **arguments: Any) -> None:
        assert self._station.screen is not None
        body = {"command": command, "arguments": arguments}
        with self._station.screen.open(post(self._station, "/director", body), timeout=PATIENCE_S) as answer:
            text = str(json.loads(answer.read())["text"])
        with closing(TournamentLedger.open(self._data / "tournament.ledger", read_only=True)) as ledger:
            self.answers[json.dumps(text, ensure_ascii=False)] = ledger.head.seq, len(names_in(self._data))
