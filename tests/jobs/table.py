"""A table process of its own with its page, a keypad on a pseudo-terminal, and what its record says now."""

from __future__ import annotations

import json
import tempfile
import time
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.error import HTTPError

from firmware_bridge.sim import SimKeypad
from table_core.messages import Key
from tests.feltwire.hall import post
from tests.feltwire.processes import PATIENCE_S, Process, signed_in
from tests.ports import free_port

NAMES = ("Ada", "Ben", "Cleo", "Dev", "Eva", "Finn")
STACK = 10_000
STREET_S = 1.6  # behind a STREET, which pressed twice within a second and a half counts once
READ_S = 0.8  # in which a question is read: an answer that comes sooner is no answer
GLANCE_S = 0.05
View = dict[str, Any]


class Refused(AssertionError):
    """The table refused what a job begins with."""


class JobTable:
    """A context manager. `stacks` are those that differ from 10,000; `keypad` is None where it has none."""

    def __init__(self, stacks: Mapping[int, int], *, with_keypad: bool) -> None:
        self._stacks = stacks
        self._with_keypad = with_keypad
        self.keypad: SimKeypad | None = None

    def __enter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory(prefix="feltwire-jobs-")
        folder = Path(self._folder.name)
        device = ""
        if self._with_keypad:
            self.keypad = SimKeypad(folder / "keypad")
            device = f'[keypad]\nport = "{folder / "keypad"}"\n'
        port = free_port()
        self._process = Process("table", folder, port, self._settings(folder, port, device)).start()
        self.link = folder / "table-data" / "table-01.kiosk-link"
        self._url = f"http://127.0.0.1:{port}"
        self.page_url = f"{self._url}/table/01"
        self._process.shows("table/01", lambda view: len(view["seats"]) == len(NAMES))
        self._process.screen = signed_in(self.link)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        if self.keypad is not None:
            self.keypad.close()
        self._folder.cleanup()

    def _settings(self, folder: Path, port: int, device: str) -> str:
        seats = "".join(
            f'[[seats]]\nseat = {no}\nstack = {self._stacks.get(no, STACK)}\nplayer = "{name}"\n'
            for no, name in enumerate(NAMES, start=1)
        )
        return (
            f'venue = "hall"\ntable = "01"\ndata = "{folder / "table-data"}"\nruntime = "{folder / "run"}"\n'
            f"smallest_chip = 25\nbutton = 1\nseat_count = {len(NAMES)}\n{seats}"
            f"[[levels]]\nno = 1\nsmall_blind = 50\nbig_blind = 100\nminutes = 20\n{device}"
            f'[broker]\nurl = "mqtt://127.0.0.1:{free_port()}"\n[web]\nport = {port}\n'
        )

    def new_link(self) -> str:
        """Signs a browser in: the screen of this table."""
        return self.link.read_text().strip()

    @property
    def view(self) -> View:
        """What the table shows now."""
        return self._process.shows("table/01", lambda _view: True)

    def shows(self, fits: Callable[[View], bool]) -> bool:
        """Whether it shows that within the patience of a busy machine."""
        until = time.monotonic() + PATIENCE_S / 8
        while not fits(self.view):
            if time.monotonic() > until:
                return False
            time.sleep(GLANCE_S)
        return True

    def press(self, key: Key, *, seat: int | None = None, amount: int | None = None) -> None:
        """A key on the screen, before the job begins. Raise `Refused` where the table refuses it."""
        assert self._process.screen is not None
        question = self.view["question"]
        if question is not None:
            time.sleep(READ_S)
        asked = question["question"] if question is not None else None
        body = {"key": int(key), "seat": seat, "amount": amount, "question": asked}
        request: urllib.request.Request = post(self._process, "/table/01/touch", body)
        try:
            self._process.screen.open(request, timeout=PATIENCE_S).close()
        except HTTPError as error:
            raise Refused(f"{key.name}: {json.load(error)['error']}") from error
        if key is Key.STREET:
            time.sleep(STREET_S)
