"""Readers who are signed in: each role of a process reads every page and channel there, in its own browser.

The director also presses *Take picture* and *Open clip*, again and again, and reads every picture that comes.
"""

from __future__ import annotations

import contextlib
import http.client
import itertools
import json
import re
import secrets
import threading
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from display.app import ELEMENTS
from display.identity.access import Role
from display.sheets import FORMS
from display.sheets import NAMES as SHEETS
from feltwire.tools.provision.access import RELAY
from tests.display.test_role_matrix import GETS, STREAMS
from tests.room.leak.capture import Capture, now_ms

TIMEOUT_S = 20.0
ROUND_S = 15.0  # between two readings of every page
PRESS_S = 4.0
CLIP_EVERY = 5  # pictures that are taken between two clips
SHOTS = 6  # pictures of a clip that are looked at
RULES = ("/rules", "/api/rules", "/feed/schema.json")  # their examples name cards, before one is dealt

AT_THE_STATION = (Role.TD, Role.FLOOR, Role.PRODUCER, Role.DISPLAY)
AT_A_TABLE = (Role.TD, Role.FLOOR, Role.DEALER)
AT_THE_RELAY = (Role.TD, Role.PRODUCER)


class Browser:
    """One role at one process. Raise `OSError` while nobody answers there."""

    def __init__(self, capture: Capture, name: str, port: int, role: Role) -> None:
        self.who = f"{name} as {role.value}"
        self.signed_in = threading.Event()
        self._capture = capture
        self._port = port
        self._cookie = ""

    def sign_in(self, link: str) -> None:
        """Use a one-time link."""
        parts = urlsplit(link)
        headers, _ = self._ask("GET", f"{parts.path}?{parts.query}", None, {"user-agent": self.who})
        cookie = headers.get("set-cookie", "")
        if not cookie:
            raise OSError(f"{self.who}: the link signs nobody in")
        self._cookie = cookie.partition(";")[0]
        self.signed_in.set()

    def read(self, path: str, stream: str = "", at: int | None = None) -> bytes:
        """What the path answers, which is captured. `at`: of which moment it is, where not of this one."""
        headers, body = self._ask("GET", path, None, {})
        name = f"GET {self.who} {stream or path}"
        self._capture.add(f"http {self.who}", name, body, at)
        told = "".join(f"{k}: {v}\n" for k, v in headers.items() if k not in ("date", "content-length"))
        self._capture.add(f"http {self.who}", f"{name} (headers)", told.encode())
        return body

    def press(self, path: str, said: dict[str, Any]) -> str:
        """The text of the answer, which is captured."""
        now = json.loads(self._ask("GET", "/now", None, {})[1])
        stamp = {
            "content-type": "application/json",
            "origin": f"http://127.0.0.1:{self._port}",
            "press-id": secrets.token_hex(12),
            "press-until": f"{now['server']}/{now['ms'] + 60_000}",
        }
        _, body = self._ask("POST", path, json.dumps(said).encode(), stamp)
        if path != "/people":  # its answer is a link that signs somebody in
            self._capture.add(f"http {self.who}", f"POST {self.who} {path}", body)
        answer = json.loads(body)
        return str(answer.get("text", answer.get("error", "")))

    def channels(self) -> list[str]:
        """Every channel of the process that this role may read: a name that is none is answered with all."""
        _, body = self._ask("GET", "/api/none", None, {})
        names = json.loads(body)["error"].partition("there are: ")[2].split(", ")
        return [name for name in names if not self._refused(name)]

    def _refused(self, channel: str) -> bool:
        """403 says who may read it."""
        _, body = self._ask("GET", f"/api/{channel}", None, {})
        return body.startswith(b'{"error":"only ')

    def follow(self, channels: Sequence[str], stopping: threading.Event) -> None:
        """Read one stream of these channels to its end."""
        query = "&".join(f"channel={quote(channel)}" for channel in channels)
        connection = self._connection()
        with contextlib.closing(connection):
            connection.request("GET", f"/events?{query}", headers=self._headers)
            answer, channel = connection.getresponse(), "?"
            while not stopping.is_set() and (line := answer.readline()):
                kind, _, value = line.rstrip(b"\n").partition(b": ")
                if kind == b"event":
                    channel = value.decode()
                elif kind == b"data":
                    self._capture.add(f"sse {self.who}", f"SSE {self.who} {channel}", value)

    def _ask(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str]
    ) -> tuple[dict[str, str], bytes]:
        connection = self._connection()
        with contextlib.closing(connection):
            try:
                connection.request(method, path, body, self._headers | headers)
                answer = connection.getresponse()
                return {name.lower(): value for name, value in answer.getheaders()}, answer.read()
            except http.client.HTTPException as error:
                raise OSError(str(error)) from error

    def _connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self._port, timeout=TIMEOUT_S)

    @property
    def _headers(self) -> dict[str, str]:
        return {"cookie": self._cookie} if self._cookie else {}


class StaffSpy:
    """Every role at one process; `links` are the files in which it keeps the one-time links of those it begins
    with. The director makes the others."""

    def __init__(
        self, capture: Capture, name: str, port: int, links: dict[Role, Path], tables: Sequence[str]
    ) -> None:
        roles = {"station": AT_THE_STATION, "relay": AT_THE_RELAY}.get(name, AT_A_TABLE)
        self.name = name
        self.browsers = {role: Browser(capture, name, port, role) for role in roles}
        self._links = links
        self._tables = tables
        self._stopping = threading.Event()
        self._has_read: set[str] = set()  # who read everything at least once
        work = [self._sign_in, *([self._take_pictures] if name == "station" else [])]
        work += [part for one in self.browsers.values() for part in self._of(one)]
        self._threads = [threading.Thread(target=self._again, args=(part,), daemon=True) for part in work]

    def _of(self, browser: Browser) -> list[Any]:
        return [lambda: self._read(browser), lambda: self._follow(browser)]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._stopping.set()

    def _again(self, part: Any) -> None:
        """A process that is starting, or was killed, is asked again."""
        while not self._stopping.is_set():
            with contextlib.suppress(OSError, ValueError):
                if part() is False:
                    return
            self._stopping.wait(0.5)

    # -------------------------------------------------------------------------------------- signing in

    def _sign_in(self) -> bool:
        for role, browser in self.browsers.items():
            if not browser.signed_in.is_set():
                browser.sign_in(self._link(role))
        return False

    def _link(self, role: Role) -> str:
        if role in self._links:
            return self._links[role].read_text().strip()
        person = {"do": "add", "name": f"A {role.value}", "role": role.value, "table": ""}
        return self.browsers[Role.TD].press("/people", person)

    # ------------------------------------------------------------------------------------------ reading

    def _read(self, browser: Browser) -> None:
        if not browser.signed_in.wait(0.5):
            return
        self._read_all(browser)
        self._stopping.wait(ROUND_S)

    def read_once_more(self) -> None:
        """Whatever a reader who was slow or signed in late has not read yet, and all that the relay showed."""
        for browser in self.browsers.values():
            if browser.signed_in.is_set() and (self.name == RELAY or browser.who not in self._has_read):
                self._read_all(browser)

    def _read_all(self, browser: Browser) -> None:
        for path in paths(self._tables):
            if self._stopping.is_set():
                return
            with contextlib.suppress(OSError):  # it did not answer in time; the others are read all the same
                browser.read(path)
        self._has_read.add(browser.who)

    def _follow(self, browser: Browser) -> None:
        if browser.signed_in.wait(0.5):
            browser.follow(browser.channels(), self._stopping)

    # ------------------------------------------------------------------------- what the director presses

    def _take_pictures(self) -> None:
        director = self.browsers[Role.TD]
        if not director.signed_in.wait(0.5):
            return
        for no, table in enumerate(itertools.cycle(self._tables)):
            if self._stopping.wait(PRESS_S):
                return
            director.press("/director", {"command": "take_picture", "arguments": {"table": table}})
            if no % CLIP_EVERY == 2:
                director.press("/director", {"command": "open_clip", "arguments": {"table": table}})
                self._stopping.wait(PRESS_S)
                self._look_at_clip(director, table)

    def _look_at_clip(self, director: Browser, table: str) -> None:
        view = json.loads(director.read(f"/api/clip/{table}"))
        shots = view.get("shots", [])
        for shot in shots[:: max(1, len(shots) // SHOTS)]:
            path = f"/clip/{table}/{shot['id']}?opening={view['opening']}"
            director.read(path, stream=f"/clip/{table}", at=_boot_ms(shot["wall"]))


def _boot_ms(wall: str) -> int:
    """The boot time of this machine at a wall time. What a clip shows was public when it was taken, or not."""
    return now_ms() - round((datetime.now(UTC) - datetime.fromisoformat(wall)).total_seconds() * 1_000)


def paths(tables: Sequence[str]) -> list[str]:
    """Every path that answers GET, each table's too, and what has no row of its own there."""
    return list(dict.fromkeys([*_filled(tables), "/checkpoints", *_sheets()]))


def _filled(tables: Sequence[str]) -> Iterator[str]:
    for path in GETS:
        if path in (*STREAMS, "/sign-in", "/pair") or path.startswith(RULES):
            continue
        if re.search(r"\{(?!table\}|element\})", path):
            continue  # what it names is asked for elsewhere
        if "{table}" in path:
            elements = ELEMENTS if "{element}" in path else ("",)
            yield from (path.format(table=table, element=element) for table in tables for element in elements)
        elif not re.search(r"\{", path):
            yield path


def _sheets() -> Iterator[str]:
    return (f"/api/tournament/{name}.{form}" for name in SHEETS for form in FORMS)
