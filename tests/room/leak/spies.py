"""Readers of everything: the broker with every certificate but the relay's, and every page of every process."""

from __future__ import annotations

import http.client
import json
import ssl
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from paho.mqtt.client import Client, MQTTv311
from paho.mqtt.enums import CallbackAPIVersion

from display.app import ELEMENTS
from feltwire.runtime.broker.connection import forget_callbacks
from tests.room.leak import on_air
from tests.room.leak.capture import Capture

ANSWERS_S = 240.0  # until a broker lets somebody in or does not, on a busy machine
TIMEOUT_S = 5.0
POLL_S = 0.5


class MqttSpy:
    """Subscribes to everything, by every trick of a filter, with the certificate in `folder` (None: without)."""

    def __init__(
        self, capture: Capture, port: int, name: str, folder: Path | None, ca: Path, tables: Sequence[str], *,
        client_id: str = "", certificate: str = "",
    ) -> None:  # fmt: skip
        self._capture = capture
        self.name = name
        self._filters = filters(tables)
        self.refused = ""
        self.connected = threading.Event()
        self._answered = threading.Event()
        self._client = Client(
            CallbackAPIVersion.VERSION2,
            client_id=client_id or f"spy-{name}",
            clean_session=True,
            protocol=MQTTv311,
        )
        context = ssl.create_default_context(cafile=str(ca))
        if folder is not None:
            own = certificate or name
            context.load_cert_chain(str(folder / f"{own}.crt"), str(folder / f"{own}.key"))
        self._client.tls_set_context(context)
        self._client.on_connect = self._on_connect
        self._client.on_message = self._on_message
        self._client.on_disconnect = lambda *_: self._answered.set()
        self._port = port

    def start(self) -> bool:
        """Whether the broker lets it in."""
        try:
            self._client.connect("127.0.0.1", self._port)
        except OSError as error:
            self.refused = str(error)
            return False
        self._client.loop_start()
        self._answered.wait(ANSWERS_S)
        return self.connected.is_set()

    def stop(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()
        forget_callbacks(self._client)

    def _on_connect(self, client: Client, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        if reason.is_failure:
            self.refused = str(reason)
        else:
            client.subscribe([(topic, 1) for topic in self._filters])
            self.connected.set()
        self._answered.set()

    def _on_message(self, _client: Client, _data: Any, message: Any) -> None:
        self._capture.add(f"mqtt {self.name}", f"mqtt {message.topic}", message.payload)


def filters(tables: Sequence[str]) -> list[str]:
    """Everything, and the sealed cards by their exact name, by wild cards and by shared subscriptions."""
    wide = ["#", "fw/#", "$SYS/#", "+/+/+/+/+", "+/+/+/+/sealed", "+/+/table/#", "$share/spies/#", "$share/g/fw/#"]
    exact = [f"{share}fw/demo/table/{table}/sealed" for table in tables for share in ("", "$share/s/")]
    return wide + exact + ["fw/demo/overlay/+"]


class PageSpy:
    """Reads every page, snapshot, stream and picture of one process, again and again."""

    def __init__(
        self, capture: Capture, name: str, port: int, tables: Sequence[str], *,
        channels: Sequence[str] = (), paths: Sequence[str] = (),
    ) -> None:  # fmt: skip
        """`channels` and `paths`: what this process has beyond the others."""
        self._capture = capture
        self.name = name
        self._port = port
        self._stopping = threading.Event()
        self._answered = False
        per_table = [f"{kind}/{table}" for kind in ("table", "ruling", "sensed", "overlay") for table in tables]
        self._channels = [*dict.fromkeys(["room", "rulings", "clock", "beat", "demo", *per_table, *channels])]
        pages = [
            "/",
            "/clock",
            "/station",
            "/sign-in",
            "/sign-in?token=x",
            "/people",
            "/audit",
            "/pair",
            *(f"/{channel}" for channel in per_table),
            *(f"/air/{table}" for table in tables),
            *(f"/air/{table}/{element}" for table in tables for element in ELEMENTS),
        ]
        self._often = [*(f"/api/{channel}" for channel in self._channels), *(f"/picture/{t}" for t in tables)]
        self._once = [*pages, *probes(tables), *paths]
        self._threads = [threading.Thread(target=self._poll, daemon=True)]
        self._threads += [threading.Thread(target=self._follow, args=(c,), daemon=True) for c in self._channels]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Tell it to end; its threads end with what they read now."""
        self._stopping.set()

    def _poll(self) -> None:
        rounds = 0
        while True:
            for path in [*self._often, *(self._once if rounds % 20 == 0 else [])]:
                self._get(path)
            for path, body in PRESSES if rounds % 20 == 0 else []:
                self._post(path, body)
            self._ask_oddly(rounds)
            if self._answered:  # a process that is still starting has not been asked yet
                rounds += 1
            if self._stopping.wait(POLL_S):
                break

    def _ask_oddly(self, rounds: int) -> None:
        """What one kind of process is asked besides."""

    def _get(self, path: str) -> None:
        self._request("GET", path, None)

    def _post(self, path: str, body: object) -> None:
        self._request("POST", path, json.dumps(body).encode())

    def _request(self, method: str, path: str, body: bytes | None, more: Mapping[str, str] | None = None) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=TIMEOUT_S)
        try:
            connection.request(
                method, path, body, {"content-type": "application/json"} if body else {**(more or {})}
            )
            answer = connection.getresponse()
            headers = "".join(f"{k}: {v}\n" for k, v in answer.getheaders() if k not in ("date", "content-length"))
            stream = f"{method} {self.name} {path}{f' {more}' if more else ''}"
            self._capture.add(f"http {self.name}", f"{stream} (headers)", headers.encode())
            self._capture.add(f"http {self.name}", stream, answer.read())
            self._answered = True
        except (OSError, http.client.HTTPException):
            return  # it is starting, or was killed; the next round reads it
        finally:
            connection.close()

    def _follow(self, channel: str) -> None:
        while not self._stopping.is_set():
            connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=15)
            try:
                connection.request("GET", f"/events?channel={quote(channel)}")
                answer = connection.getresponse()
                if answer.status == 404:
                    return
                if answer.status != 200:  # it may not hear this channel, or not yet: asked again like every page
                    self._capture.add(f"sse {self.name}", f"SSE {self.name} {channel} (refused)", answer.read())
                    self._stopping.wait(POLL_S)
                    continue
                while not self._stopping.is_set() and (line := answer.readline()):
                    kind, _, value = line.rstrip(b"\n").partition(b": ")
                    if kind == b"data":
                        self._capture.add(f"sse {self.name}", f"SSE {self.name} {channel}", value)
            except (OSError, http.client.HTTPException):
                self._stopping.wait(0.3)
            finally:
                connection.close()


class RelaySpy(PageSpy):
    """The relay has what is on air, too: its feeds, the pages of hands, and odd requests for them."""

    def __init__(self, capture: Capture, port: int, tables: Sequence[str]) -> None:
        own = [quote(path, safe="/%?=&,.-_:+") for path in (*on_air.paths(tables), *on_air.hand_pages(tables))]
        super().__init__(capture, "relay", port, tables, channels=on_air.channels(tables), paths=own)
        self._odd = [f"/air/{tables[0]}", f"/api/overlay/{tables[0]}", "/feed/hands.json", f"/hand/{tables[0]}/1"]

    def _ask_oddly(self, rounds: int) -> None:
        headers = on_air.HEADERS[rounds % len(on_air.HEADERS)]
        for path in self._odd:
            for method in ("GET", "HEAD", "OPTIONS", "TRACE"):
                self._request(method, path, None, headers)


def probes(tables: Sequence[str]) -> list[str]:
    """Paths that a curious player tries."""
    table = tables[0]
    return [
        f"/api/sealed/{table}", f"/api/vault/{table}", f"/api/table/{table}/cards", "/api/", "/events", "/debug",
        "/static/shared/../../../feltwire/table/vault.py", "/static/%2e%2e/%2e%2e/decks-01.toml", 
        "/data/table-01.ledger",         "/decks-01.toml", "/../decks-01.toml", "/openapi.json",
        "/metrics", "/healthz", "/picture/%2e%2e%2fdecks-01.toml",
    ]  # fmt: skip


# Bodies that cannot be understood; a press that can would change the game.
PRESSES: list[tuple[str, object]] = [
    ("/table/01/touch", {"key": "Ah"}),
    ("/table/01/touch", {"key": 20, "seat": "x", "cards": True}),
    ("/table/99/touch", {"key": 20}),
    ("/director", {"command": "show_cards", "arguments": {"table": "01"}}),
    ("/mischief", {"table": "01", "kind": "show_cards"}),
]
