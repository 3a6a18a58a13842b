"""Finds devices as they are plugged in, tells the station, and gives a table what the director gave it.

A table reads its settings when it starts: they are written anew, and its process is started again. A hand in
progress goes on.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

from feltwire.config import TableConfig, load
from feltwire.home import hello
from feltwire.home.files import PHONE, settings_file, with_devices, write_settings
from feltwire.home.phone_camera import forget_phones
from feltwire.home.plan import HomePlan
from feltwire.home.usb import UsbPort, cameras, readers, serial_lines
from feltwire.runtime.children import Supervisor
from feltwire.runtime.plugged import (
    MOST,
    GivenDevices,
    Plugged,
    PluggedHere,
    PluggedKind,
    changed_at,
    read_given,
    write_here,
)
from feltwire.tools.provision.access import table_name
from supervised.thread import SupervisedThread

LOOK_S = 1.0
QUIET_LOOKS = 3  # a device that does not answer so often is none of ours


class Finder:
    """`root` is as `usb` has it. A context manager: it looks while it is entered."""

    def __init__(self, plan: HomePlan, supervisor: Supervisor, root: Path = Path("/")) -> None:
        self._plan = plan
        self._supervisor = supervisor
        self._root = root
        self._known: dict[str, Plugged] = {}  # who answered, as long as it is plugged in
        self._quiet: dict[str, int] = {}  # looks without an answer
        self._told: PluggedHere | None = None
        self._decided_at = -1
        self._given = GivenDevices()
        self._stopping = threading.Event()
        self._thread = SupervisedThread(self._run, "devices", stopping=self._stopping)

    def __enter__(self) -> Finder:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._thread.join(hello.ANSWERS_S * 2)

    def _run(self) -> None:
        while not self._stopping.is_set():
            self.look()
            self._stopping.wait(LOOK_S)

    def look(self) -> None:
        """Tell what is here, and do what was decided since the last look."""
        if (at := changed_at(self._plan.devices)) != self._decided_at:
            self._decided_at, self._given = at, read_given(self._plan.devices)
            forget_phones(self._plan.devices, self._given)
        here = PluggedHere(tuple(self._plugged())[:MOST])
        if here != self._told:
            write_here(self._plan.devices, here)
            self._told = here
        ports = {one.id: one.port for one in here.devices}
        for table in self._plan.tables:
            self._equip(table, ports)

    def _equip(self, table: str, ports: dict[str, str]) -> None:
        """The table's settings name the devices that it was given, where they are now."""
        file = settings_file(self._plan, table_name(table))
        before = load(file, TableConfig)
        after = with_devices(before, self._given, self._plan.folder, ports)
        if after != before:
            write_settings(file, after)
            self._supervisor.restart(table_name(table))

    # ------------------------------------------------------------------------------------ what is here

    def _plugged(self) -> Iterator[Plugged]:
        found = {one.id: one for one in serial_lines(self._root)}
        for gone in self._known.keys() - found.keys():
            del self._known[gone]
        for gone in self._quiet.keys() - found.keys():
            del self._quiet[gone]
        taken = {one.id: one for one in self._given.taken}
        for line in found.values():
            if (one := taken.get(line.id)) is not None:  # its table has it open
                yield Plugged(one.id, one.kind, one.words, line.port)
            else:
                yield self._line(line)
        for one in taken.values():
            if one.port.startswith(PHONE):
                yield Plugged(one.id, one.kind, one.words, one.port)
        for camera in cameras(self._root):
            yield self._unasked(camera, PluggedKind.CAMERA)
        for reader in readers(self._root):
            yield self._unasked(reader, PluggedKind.READER)

    def _unasked(self, one: UsbPort, kind: PluggedKind) -> Plugged:
        return Plugged(one.id, kind, one.words, one.port, hello.no_right(one.port))

    def _line(self, line: UsbPort) -> Plugged:
        may_ask = line.ours or line.id in self._given.ask
        if line.id in self._known:
            return self._known[line.id]
        if not may_ask:
            return Plugged(line.id, PluggedKind.UNKNOWN, line.words, line.port)
        answer = hello.asked(line.port)
        if answer.kind is None and not answer.trouble:
            return self._no_answer(line)
        words = answer.words or line.words
        told = Plugged(line.id, answer.kind or PluggedKind.UNKNOWN, words, line.port, answer.trouble)
        if answer.lasting:
            self._known[line.id] = told
        return told

    def _no_answer(self, line: UsbPort) -> Plugged:
        """Who was asked often enough is something else: a reader that sends lines, where the director says so."""
        self._quiet[line.id] = self._quiet.get(line.id, 0) + 1
        kind = PluggedKind.READER if line.id in self._given.ask else PluggedKind.UNKNOWN
        told = Plugged(line.id, kind, line.words, line.port)
        if self._quiet[line.id] >= QUIET_LOOKS:
            self._known[line.id] = told
            return told
        return Plugged(line.id, PluggedKind.UNKNOWN, line.words, line.port, "it does not answer yet")
