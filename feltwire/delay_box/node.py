"""The delay box without its I/O: how long a picture waits.

The delay is the relay's, told on the bus, or one of the box's own settings; the floor is in the settings file
alone. Until the relay was heard nothing goes out. While it is not heard any more, what it said last holds: the
graphics stand still then, and the picture goes on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from feltwire.config import DelayConfig
from feltwire.delay_box.beside import words_of
from feltwire.delay_box.line import wait_of
from feltwire.relay.on_air.air_delay import air_delay, air_floor
from feltwire.runtime.broker import topics
from feltwire.runtime.node_io import Arrived, BusDown, BusUp, Publish, Quarantined, Say, Show
from feltwire.runtime.views import Views
from table_core.messages import (
    AirDelay,
    Beat,
    LaterVersion,
    Malformed,
    Millis,
    OverlayView,
    Status,
    decode,
    encode,
)

RELAY = "relay"


@dataclass(frozen=True, slots=True)
class Wait:
    """From now on a picture waits so long; None: none goes out. `delay` is from the camera on."""

    wait: Millis | None
    delay: Millis | None


@dataclass(frozen=True, slots=True)
class Subtitle:
    """What the graphics say from now on; empty: nothing."""

    words: str


Input = Arrived | BusUp | BusDown | Quarantined
Effect = Publish | Say | Show | Wait | Subtitle


class DelayNode:
    """`name` is that of the box's certificate."""

    def __init__(self, config: DelayConfig, *, name: str = "delay", views: Views | None = None) -> None:
        self._config = config
        self._name = name
        self._views = views if views is not None else Views()
        self._floor = air_floor(config.air_floor_s, "") if config.air_floor_s.strip() else None
        self._told: AirDelay | None = None
        self._said: Wait | None = None

    def step(self, given: Input | None, now: Millis) -> tuple[list[Effect], Millis | None]:
        return [*self._take(given), *self._waits()], None

    def _take(self, given: Input | None) -> Iterator[Effect]:
        match given:
            case BusUp():
                yield Say(f"connected to the broker at {self._config.broker.url}")
                yield self._publish("status", encode(Status(online=True)), retain=True)
            case BusDown():
                yield Say(given.why or "the broker is gone", "warning", "bus")
            case Quarantined():
                yield Say(given.words, "warning", "quarantine")
            case Arrived():
                try:
                    yield from self._hear(given)
                except (LaterVersion, Malformed) as error:
                    yield Say(f"{given.topic}: cannot be read ({error}); not taken", "warning", "malformed")

    def _hear(self, given: Arrived) -> Iterator[Effect]:
        if given.topic == topics.process(self._config.venue, RELAY, "air"):
            try:
                self._told = decode(given.payload, AirDelay)
            except (LaterVersion, Malformed):
                self._told = AirDelay(None)  # nobody knows what the relay asks for: no picture
                raise
        elif given.topic == topics.tournament(self._config.venue, "beat"):
            beat = replace(decode(given.payload, Beat), cannot_show=self._views.newest)
            yield self._publish("beat", encode(beat))

        elif given.topic == topics.overlay(self._config.venue, self._config.subtitles_of):
            yield Subtitle(words_of(decode(given.payload, OverlayView)))

    def _waits(self) -> Iterator[Effect]:
        """Says it where it is another one than before."""
        delay = self._delay()
        wait = Wait(wait_of(delay, self._floor, self._config.latency_ms), delay)
        if wait == self._said:
            return
        self._said = wait
        yield wait
        if wait.wait is None:
            yield Say(f"no picture goes out: {self._why()}", "warning")
        else:
            yield Say(f"a picture goes out {wait.wait / 1_000:g} s after it came")

    def _delay(self) -> Millis | None:
        own = self._config.air_delay_s
        if own.strip():
            return air_delay(own, self._floor)
        if self._told is None or self._told.air_s is None or self._floor is None:
            return None
        return Millis(max(round(self._told.air_s * 1_000), self._floor))

    def _why(self) -> str:
        if self._floor is None:
            return f"air_floor_s = {self._config.air_floor_s!r} is no plain number of seconds"
        if self._config.air_delay_s.strip():
            return f"air_delay_s = {self._config.air_delay_s!r} is no plain number of seconds"
        if self._told is None:
            return "the relay has not said yet how far the graphics lie back"
        return "the relay's air delay is no plain number of seconds"

    def _publish(self, leaf: str, payload: bytes, *, retain: bool = False) -> Publish:
        topic = topics.process(self._config.venue, self._name, leaf)
        return Publish(topic, payload, retain=retain, qos=int(retain))
