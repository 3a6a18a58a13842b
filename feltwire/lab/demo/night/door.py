"""The station's door, as a director's page uses it: signed in, `POST /director`, and the snapshots to look at."""

from __future__ import annotations

import http.client
import json
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from display.night_state import CHANNELS, together
from feltwire.lab.simroom.dealer.screen import DARK_S
from feltwire.runtime.boottime import boot_millis
from table_core.messages import ClockState, Level, decode
from table_core.projections.clock import run_on

AGAIN_S = 0.05
PRESS_MS = 30_000
ANSWER_S = 25.0
REFUSED = 409
NOT_YET = 503


class DoorClosed(Exception):
    """The station did not answer for a long time."""


class Answer(NamedTuple):
    refused: bool
    text: str
    rule: str = ""


class Door:
    """The station at `host` and `port`; `link` is the file with the director's one-time link.

    A station that is killed and started again is asked again with the same press, which it carries out once.
    """

    def __init__(self, host: str, port: int, link: Path, check: Callable[[], None] = lambda: None) -> None:
        self._address = host, port
        self._link = link
        self._check = check
        self._cookie = ""
        self._connection: http.client.HTTPConnection | None = None

    def night(self) -> dict[str, Any]:
        """The tournament as pages and programs read it; all of it of one moment."""
        while True:
            night = self._json("/api/night")
            others = [self._json(f"/api/{channel}") for channel in CHANNELS[1:]] if night["open"] else []
            if self._json("/api/night")["no"] == night["no"]:
                break
        shown = together([*others, night])
        return shown | {"names": {one["player"]: _name(one) for one in shown.get("field", ())}}

    def table(self, table: str) -> dict[str, Any]:
        """The station's view of a table."""
        view: dict[str, Any] = self._json(f"/api/table/{table}")
        return view

    def queue(self) -> list[str]:
        """What waits for the director, in words."""
        return [item["fact"] for item in self._json("/api/queue")["items"]]

    def level(self) -> Level:
        """What the clock shows now."""
        state = decode(json.dumps(self._json("/api/clock")).encode(), ClockState)
        return run_on(state, boot_millis()).level

    def press(self, command: str, **arguments: Any) -> Answer:
        """The director presses; back with the station's answer."""
        body = json.dumps({"command": command, "arguments": arguments}).encode()
        press = secrets.token_hex(12)
        while True:
            status, said = self._ask("POST", "/director", body, self._stamp(press))
            answer = json.loads(said)
            text = str(answer.get("text", answer.get("error", "")))
            if status in (200, REFUSED) and "before the process here started" not in text:
                return Answer(status != 200, text, str(answer.get("rule", "")))
            self._wait()

    def _stamp(self, press: str) -> dict[str, str]:
        now = self._json("/now")
        origin = "http://{}:{}".format(*self._address)
        until = f"{now['server']}/{now['ms'] + PRESS_MS}"
        return {
            "content-type": "application/json",
            "origin": origin,
            "press-id": press,
            "press-until": until,
        }

    # ------------------------------------------------------------------------------------------ the wire

    def _json(self, path: str) -> Any:
        until = time.monotonic() + DARK_S
        while True:
            status, body = self._ask("GET", path, None, {})
            if status == 200:
                return json.loads(body)
            if time.monotonic() > until:
                raise DoorClosed(f"{path} answers {status}")
            self._wait()

    def _ask(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> tuple[int, bytes]:
        """Status and body; asked again as long as nobody answers. Raise `DoorClosed` after a minute."""
        until = time.monotonic() + DARK_S
        while True:
            try:
                return self._once(method, path, body, headers)
            except (OSError, http.client.HTTPException) as error:
                self.close()
                if time.monotonic() > until:
                    raise DoorClosed(f"the station does not answer: {error}") from error
                self._wait()

    def _once(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> tuple[int, bytes]:
        if not self._cookie:
            self._sign_in()
        if self._connection is None:
            self._connection = http.client.HTTPConnection(*self._address, timeout=ANSWER_S)
        self._connection.request(method, path, body, headers | {"cookie": self._cookie})
        response = self._connection.getresponse()
        return response.status, response.read()

    def _sign_in(self) -> None:
        """Raise `OSError` before the station has written its link."""
        link = urlsplit(self._link.read_text().strip())
        connection = http.client.HTTPConnection(*self._address, timeout=ANSWER_S)
        try:
            agent = {"user-agent": "the demo's director"}
            connection.request("GET", f"{link.path}?{link.query}", headers=agent)
            cookie = connection.getresponse().getheader("set-cookie") or ""
        finally:
            connection.close()
        if not cookie:
            raise OSError("the link has been used")
        self._cookie = cookie.partition(";")[0]

    def _wait(self) -> None:
        self._check()
        time.sleep(AGAIN_S)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _name(one: dict[str, Any]) -> str:
    """Without the id behind it."""
    return str(one["name"]).removesuffix(f" ({one['player']})")
