"""A headless page: follows one page's event stream and keeps the last snapshot."""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode, urlsplit

AGAIN_S = 0.2
SILENCE_S = 30.0  # pages send a heartbeat more often


@dataclass
class Followed:
    """One channel: the last snapshot, and when each new position in the table's log arrived.

    `arrivals` are (epoch, seq, boot time in ms) in the order of arrival, only for those that go forward.
    """

    last: bytes = b""
    event_id: str = ""
    arrivals: list[tuple[int, int, float]] = field(default_factory=list)


class PageWatcher:
    """Subscribes to `channels` of the app at `url` in a thread of its own, and again when the stream breaks.

    `on_snapshot(channel, data)` is called for every snapshot.
    """

    def __init__(
        self, url: str, channels: Sequence[str], on_snapshot: Callable[[str, bytes], None] | None = None
    ) -> None:
        self.url = url
        parts = urlsplit(url)
        self._address = (parts.hostname or "127.0.0.1", parts.port or 80)
        self._path = "/events?" + urlencode([("channel", channel) for channel in channels])
        self.channels = {channel: Followed() for channel in channels}
        self.broken = 0  # streams that ended and were opened again
        self._on_snapshot = on_snapshot
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"watch {url}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()

    def _run(self) -> None:
        while not self._stopping.is_set():
            connection = http.client.HTTPConnection(*self._address, timeout=SILENCE_S)
            try:
                self._follow(connection)
            except (OSError, http.client.HTTPException):
                self.broken += 1
            finally:
                connection.close()
            self._stopping.wait(AGAIN_S)

    def _follow(self, connection: http.client.HTTPConnection) -> None:
        connection.request("GET", self._path, headers={"accept": "text/event-stream"})
        response = connection.getresponse()
        if response.status != 200:
            return
        channel, identity = "", ""
        while not self._stopping.is_set():
            line = response.readline()
            if not line:
                return
            name, _, value = line.rstrip(b"\n").partition(b": ")
            if name == b"event":
                channel = value.decode()
            elif name == b"id":
                identity = value.decode()
            elif name == b"data" and channel in self.channels:
                self._arrived(channel, identity, value)
            elif not name:
                channel, identity = "", ""

    def _arrived(self, channel: str, identity: str, data: bytes) -> None:
        now = time.clock_gettime_ns(time.CLOCK_BOOTTIME) / 1e6
        followed = self.channels[channel]
        followed.last, followed.event_id = data, identity
        position = _position(identity)
        if position is not None and (not followed.arrivals or position > followed.arrivals[-1][:2]):
            followed.arrivals.append((*position, now))
        if self._on_snapshot is not None:
            self._on_snapshot(channel, data)


def _position(identity: str) -> tuple[int, int] | None:
    """`"3.120"`: epoch 3, seq 120."""
    epoch, dot, seq = identity.partition(".")
    return (int(epoch), int(seq)) if dot and epoch.isdigit() and seq.isdigit() else None
