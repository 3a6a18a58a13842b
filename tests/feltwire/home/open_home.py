"""A room opened by `feltwire home`, its director's browser, and the keys of its tables."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from http.cookiejar import CookieJar
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from feltwire.private_files import python
from table_core.messages import Key
from tests.feltwire.processes import PATIENCE_S, stamp

GLANCE_S = 0.05


class Refused(AssertionError):
    """A press that was refused, with the answer."""


class Browser:
    """A browser that has opened a page of the room: a one-time link, or an address in the network."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        assert parts.port is not None
        self._origin, self.port = f"http://{parts.netloc}", parts.port
        self.cookies = CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))
        self._opener.open(url, timeout=PATIENCE_S).close()

    def get(self, path: str) -> str:
        with self._opener.open(self._origin + path, timeout=PATIENCE_S) as answer:
            return str(answer.read().decode())

    def press(self, path: str, body: dict[str, Any]) -> str:
        origin = self._origin
        headers = {"content-type": "application/json", "origin": origin} | stamp(self.port)
        request = urllib.request.Request(origin + path, data=json.dumps(body).encode(), headers=headers)
        try:
            with self._opener.open(request, timeout=PATIENCE_S) as answer:
                return str(json.load(answer)["text"])
        except urllib.error.HTTPError as error:
            raise Refused(f"{path} {body}: {error.code} {error.read().decode()}") from None

    def director(self, command: str, **arguments: Any) -> str:
        return self.press("/director", {"command": command, "arguments": arguments})

    def key(self, table: str, key: Key) -> None:
        self.press(f"/table/{table}/touch", {"key": int(key)})

    def shows(self, channel: str, fits: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first snapshot of a channel that fits."""
        deadline, shown = time.monotonic() + PATIENCE_S, None
        while time.monotonic() < deadline:
            with contextlib.suppress(urllib.error.HTTPError):  # nothing has been published yet
                shown = json.loads(self.get(f"/api/{channel}"))
            if shown is not None and fits(shown):
                return dict(shown)
            time.sleep(GLANCE_S)
        raise AssertionError(f"{channel}: not shown in time: {shown}")


def seat_two(director: Browser, keys: Browser) -> None:
    """An event is opened at table 01, two players sit there, and cards are in the air."""
    tables = [{"table": "01", "seats": 9}]
    director.director("open", name="Friday", house={"starting_stack": 5_000}, tables=tables)
    for name in ("Ann Example", "Bo Example"):
        director.director("register_new", name=name, member=True, adult=True)
    for player in ("p1", "p2"):
        director.director("enter", player=player)
    director.director("draw_seats")
    director.director("start")
    keys.shows("table/01", lambda table: len(table["seats"]) == 2 and not table["no_hand"])


def _hear_a_terminal() -> None:
    """Ctrl-C and the end of the terminal count, also where the tests run behind `nohup`."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


class OpenHome:
    """`feltwire home --no-browser --json --data FOLDER …`, or another `command` with what it needs, for the user
    whose home is `home`. A context manager: the room is open inside."""

    def __init__(
        self, folder: Path, *arguments: str, command: tuple[str, ...] | None = None, home: Path | None = None
    ) -> None:
        self._errors = folder.with_name(f"{folder.name}.errors")
        self._argv = (
            *(command or python("feltwire", "home", "--data", str(folder))),
            *("--no-browser", "--json", *arguments),
        )
        self._environment = os.environ | ({"HOME": str(home), "XDG_DATA_HOME": ""} if home is not None else {})
        self._process: subprocess.Popen[str] | None = None
        self.addresses: dict[str, dict[str, Any]] = {}

    def __enter__(self) -> Self:
        with self._errors.open("ab") as errors:
            self._process = subprocess.Popen(
                self._argv,
                env=self._environment,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                start_new_session=True,
                preexec_fn=_hear_a_terminal,
            )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            address = json.loads(line)
            self.addresses[address["page"]] = address
            if address["page"] == "players":  # the last one
                return self
        raise AssertionError(f"no room was opened:\n{self.errors}")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            assert self._process.stdout is not None
            self._process.stdout.close()

    @property
    def errors(self) -> str:
        return self._errors.read_text()

    @property
    def director(self) -> Browser:
        """Signs in with the printed link, which works once."""
        link = self.addresses["station"]["link"]
        assert link.startswith("http://127.0.0.1:"), link
        return Browser(link)

    def admitted(self, table: str, director: Browser) -> Browser:
        """A phone at the printed address of a table: it asks, and the director lets in who shows these digits."""
        phone = Browser(self.addresses[f"table {table}"]["url"])
        digits = phone.press("/admission", {})
        queue = director.shows("queue", lambda queue: digits in json.dumps(queue["items"]))
        press = next(one for one in queue["items"] if digits in json.dumps(one))["primary"]
        deadline = time.monotonic() + PATIENCE_S
        while True:  # a busy room may not hear a table for a moment: then a person presses again
            try:
                director.director(press["command"], **press["arguments"])
                break
            except Refused as refused:
                if "is not heard" not in str(refused) or time.monotonic() > deadline:
                    raise
            time.sleep(GLANCE_S)
        while not phone.press("/admission/done", {}):
            assert time.monotonic() < deadline
            time.sleep(GLANCE_S)
        return phone

    def keys(self, table: str) -> Browser:
        """The screen of a table on this machine, likewise."""
        return Browser(self.addresses[f"table {table}"]["link"])

    @property
    def pid(self) -> int:
        """The process that has the room's processes under it."""
        assert self._process is not None
        return self._process.pid

    @property
    def children(self) -> dict[int, str]:
        """Process -> its command line."""
        assert self._process is not None
        tasks = Path(f"/proc/{self._process.pid}/task").iterdir()
        pids = [int(pid) for task in tasks for pid in (task / "children").read_text().split()]
        return {pid: Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ") for pid in pids}

    @property
    def broker(self) -> int:
        found = [pid for pid, command in self.children.items() if "mosquitto" in command or "embedded" in command]
        assert len(found) == 1, self.children
        return found[0]

    def end(self, by: signal.Signals = signal.SIGTERM) -> int:
        """The exit status; nothing of the room is left behind it."""
        assert self._process is not None
        left = [os.pidfd_open(pid) for pid in self.children]
        self._process.send_signal(by)
        status = self._process.wait(timeout=PATIENCE_S)
        for descriptor in left:
            gone, _, _ = select.select([descriptor], [], [], PATIENCE_S)
            os.close(descriptor)
            assert gone, "a process outlived its room"
        return status
