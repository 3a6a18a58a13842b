"""Snapshots to browsers: the latest of each channel, pushed as server-sent events.

Channels carry whole snapshots (JSON of the views in `table_core.messages`), never differences. A slow browser
skips snapshots, a browser that reconnects gets the current state, and memory is bounded by one snapshot per
channel and one number per browser and channel.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import NamedTuple

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from display.presses import server_time

ALIVE = "alive"  # the channel of beats, part of every stream
ALIVE_S = 1.0
BEATS_LAST_MS = 1_500  # an older beat is none
NOW_S = 10.0  # how often a stream says the time of the server
OLD_MS = 500
LOOK_S = 1.0  # how often a private stream looks whether its session lives
RETRY_MS = 1000  # what a browser waits before it opens a broken stream again


class Snapshot(NamedTuple):
    """The newest state of a channel. `version` grows with every publication of the hub; `at` is monotonic
    seconds."""

    channel: str
    data: bytes
    event_id: str
    version: int
    at: float


class Hub:
    """The latest snapshot of each channel, and whoever waits for the next. Every method is thread-safe.

    Publishing never blocks and never queues: it replaces the channel's snapshot and wakes the subscribers.

        hub = Hub()
        hub.publish("clock", encode(state))  # from any thread
        async with hub.subscribe("clock", "beat") as news:  # in an event loop
            async for snapshot in news:
                ...
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._latest: dict[str, Snapshot] = {}
        self._subscriptions: set[Subscription] = set()
        self._version = 0
        self._closed = False
        self._beats_by_itself = True

    def beat(self) -> None:
        """Whoever publishes here is at work. Once this was called, streams say so only as long as it is called
        each second, unless `beats_by_itself`."""
        self._beats_by_itself = False
        self.publish(ALIVE, b"{}")

    def beats_by_itself(self) -> None:
        """Until the next `beat`, what pages show is known to be true: they show why nothing goes on."""
        self._beats_by_itself = True

    def must_beat(self) -> bool:
        """Whether a stream beats without a `beat`."""
        return self._beats_by_itself

    def publish(self, channel: str, snapshot: bytes, *, event_id: str = "", at: float | None = None) -> None:
        """Make `snapshot` (one line of JSON) the latest of `channel`; `event_id` is its `as_of` seq. `at`: since
        when it is known (monotonic seconds), where that is not now."""
        with self._lock:
            self._version += 1
            known_at = self._now() if at is None else at
            self._latest[channel] = Snapshot(channel, snapshot, event_id, self._version, known_at)
            waiting = [subscription for subscription in self._subscriptions if channel in subscription.channels]
        for subscription in waiting:
            subscription.wake()

    def latest(self, channel: str) -> Snapshot | None:
        with self._lock:
            return self._latest.get(channel)

    def subscribe(self, *channels: str) -> Subscription:
        """An async iterator over `channels`: the latest snapshot of each first, then every newer one.

        Call it where an event loop runs."""
        subscription = Subscription(self, (*channels, ALIVE))
        with self._lock:
            self._subscriptions.add(subscription)
        return subscription

    @property
    def subscribers(self) -> int:
        with self._lock:
            return len(self._subscriptions)

    @property
    def closed(self) -> bool:
        with self._lock:
            return self._closed

    def close(self) -> None:
        """End every subscription, so that open streams do not hold up the server's stop."""
        with self._lock:
            self._closed = True
            waiting = list(self._subscriptions)
        for subscription in waiting:
            subscription.wake()

    def age_ms(self, snapshot: Snapshot) -> int:
        """Milliseconds since `snapshot` was published."""
        return int((self._now() - snapshot.at) * 1000)

    def _forget(self, subscription: Subscription) -> None:
        with self._lock:
            self._subscriptions.discard(subscription)


class Subscription:
    """One reader of some channels. It remembers the versions that it last sent, not the snapshots that it
    skipped."""

    def __init__(self, hub: Hub, channels: tuple[str, ...]) -> None:
        self.channels = channels
        self._hub = hub
        self._seen = dict.fromkeys(channels, 0)
        self._loop = asyncio.get_running_loop()
        self._news = asyncio.Event()
        self._lock = threading.Lock()
        self._waking = False

    def wake(self) -> None:
        """Say that there is news. At most one wake-up is on its way, however often this is called."""
        with self._lock:
            if self._waking:
                return
            self._waking = True
        try:
            self._loop.call_soon_threadsafe(self._arrive)
        except RuntimeError:  # the loop has ended, and the reader with it
            self.close()

    def close(self) -> None:
        self._hub._forget(self)

    def _arrive(self) -> None:
        with self._lock:
            self._waking = False
        self._news.set()

    def _newer(self) -> Snapshot | None:
        """The longest-waiting unseen snapshot, so that a busy channel cannot starve a quiet one."""
        latest = (self._hub.latest(channel) for channel in self.channels)
        fresh = [snapshot for snapshot in latest if snapshot and snapshot.version > self._seen[snapshot.channel]]
        return min(fresh, key=lambda snapshot: snapshot.version, default=None)

    def __aiter__(self) -> Subscription:
        return self

    async def __anext__(self) -> Snapshot:
        while not self._hub.closed:
            self._news.clear()
            snapshot = self._newer()
            if snapshot is not None:
                self._seen[snapshot.channel] = snapshot.version
                return snapshot
            await self._news.wait()
        raise StopAsyncIteration

    async def __aenter__(self) -> Subscription:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def as_event(snapshot: Snapshot, age_ms: int = 0) -> bytes:
    """The snapshot as a server-sent event: named by its channel, identified by its seq.

    One that is not fresh is preceded by its age, so that a page opened while its source is silent knows how old
    the news is and a clock counts on from the right instant."""
    age = f'event: age\ndata: {{"ms":{age_ms}}}\n\n' if age_ms >= OLD_MS else ""
    identity = f"id: {snapshot.event_id}\n" if snapshot.event_id else ""
    return f"{age}{identity}event: {snapshot.channel}\ndata: ".encode() + snapshot.data + b"\n\n"


def now_event() -> bytes:
    """The server's current time; pages date their presses by it (`display/presses.py`)."""
    return b"event: now\ndata: " + json.dumps(server_time()).encode() + b"\n\n"


class EventStream(StreamingResponse):
    """`text/event-stream` of some channels, and of the beats of the process: an `alive` event each second, which a
    page misses within three. It ends where `lives()` no longer holds: with the session of whoever reads it.
    """

    def __init__(
        self,
        hub: Hub,
        *channels: str,
        lives: Callable[[], bool] | None = None,
    ) -> None:
        self._subscription = subscription = hub.subscribe(*channels)
        super().__init__(
            _events(hub, subscription, lives),
            media_type="text/event-stream",
            headers={"cache-control": "no-store", "x-accel-buffering": "no"},
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._subscription.close()


async def _events(hub: Hub, subscription: Subscription, lives: Callable[[], bool] | None) -> AsyncIterator[bytes]:
    yield b"retry: %d\n\n" % RETRY_MS + now_event() + (_ALIVE_EVENT if hub.must_beat() else b"")
    timed_at = beat_at = time.monotonic()
    while True:
        if time.monotonic() - timed_at >= NOW_S:
            timed_at = time.monotonic()
            yield now_event()
        if hub.must_beat() and time.monotonic() - beat_at >= ALIVE_S:
            beat_at = time.monotonic()
            yield _ALIVE_EVENT
        snapshot = None
        try:
            async with asyncio.timeout(min(ALIVE_S, LOOK_S)):
                snapshot = await anext(subscription)
        except TimeoutError:
            pass
        except StopAsyncIteration:
            return
        if lives is not None and not lives():
            return
        if snapshot is None:
            continue
        if snapshot.channel != ALIVE:
            yield as_event(snapshot, hub.age_ms(snapshot))
        elif hub.age_ms(snapshot) < BEATS_LAST_MS:
            yield _ALIVE_EVENT


_ALIVE_EVENT = b"event: alive\ndata: {}\n\n"
