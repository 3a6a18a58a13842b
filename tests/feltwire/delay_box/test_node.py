"""How long a picture waits: the relay says it, and the floor is the box's own."""

from __future__ import annotations

import pytest

from feltwire.config import DelayConfig, RelayConfig
from feltwire.delay_box.node import DelayNode, Effect, Wait
from feltwire.relay.node import RelayNode
from feltwire.relay.relay_io import AirDelaySeen
from feltwire.runtime.node_io import Arrived, BusDown, BusUp, Publish, Say
from table_core.messages import AirDelay, Beat, Millis, encode

AIR, BEAT = "fw/hall/process/relay/air", "fw/hall/tournament/beat"


def config(floor: str = "1800", own: str = "", latency: int = 0) -> DelayConfig:
    return DelayConfig("hall", "/none", "srt://cam:1", "srt://out:1", floor, own, latency)


def waits(effects: list[Effect]) -> list[Millis | None]:
    return [effect.wait for effect in effects if isinstance(effect, Wait)]


def told(node: DelayNode, air_s: float | None) -> list[Millis | None]:
    return waits(node.step(Arrived(AIR, encode(AirDelay(air_s))), Millis(0))[0])


def test_until_the_relay_was_heard_nothing_goes_out() -> None:
    node = DelayNode(config())
    assert waits(node.step(BusUp(), Millis(0))[0]) == [None]
    assert told(node, 2_400) == [2_400_000]
    assert waits(node.step(BusDown("cut"), Millis(0))[0]) == [], "its last word holds"


def test_no_message_goes_below_the_floor_of_the_file() -> None:
    node = DelayNode(config())
    assert told(node, 5) == [1_800_000]
    assert told(node, -1e9) == []
    assert told(node, 1_800.5) == [1_800_500]


def test_what_the_relay_says_reaches_the_box() -> None:
    """At every connection, and when it changes; a malformed one, too."""
    relay = RelayNode(RelayConfig("hall", "/none", "/none", ("01",), "1800", air_delay_s="2400"))
    node, found = DelayNode(config("60")), []
    for given in (BusUp(), AirDelaySeen("3600"), AirDelaySeen("3600 s"), AirDelaySeen(""), AirDelaySeen("5")):
        for effect in relay.step(given, Millis(0))[0]:
            if isinstance(effect, Publish) and effect.topic == AIR:
                assert effect.retain
                found += waits(node.step(Arrived(AIR, effect.payload), Millis(0))[0])
    assert found == [2_400_000, 3_600_000, None, 2_400_000, 1_800_000]


def test_without_a_number_nothing_goes_out() -> None:
    node = DelayNode(config())
    assert told(node, 2_400) == [2_400_000]
    assert told(node, None) == [None]
    assert told(node, 2_400) == [2_400_000]
    effects, _ = node.step(Arrived(AIR, b'{"air_s": "soon"}'), Millis(0))
    assert waits(effects) == [None]
    assert any(isinstance(effect, Say) and "cannot be read" in effect.text for effect in effects)


@pytest.mark.parametrize("floor", ["", "half an hour", "-1", "1e3"])
def test_a_floor_that_is_no_number_lets_nothing_out(floor: str) -> None:
    node = DelayNode(config(floor, own="60"))
    assert waits(node.step(BusUp(), Millis(0))[0]) == [None]
    assert told(node, 2_400) == []


def test_a_delay_of_its_own_follows_nobody() -> None:
    node = DelayNode(config("60", own="90"))
    assert waits(node.step(BusUp(), Millis(0))[0]) == [90_000]
    assert told(node, 2_400) == []
    assert waits(DelayNode(config("60", own="soon")).step(BusUp(), Millis(0))[0]) == [None]


def test_the_latency_of_the_camera_is_taken_off_but_not_below_the_floor() -> None:
    assert told(DelayNode(config("60", latency=300)), 61) == [60_700]
    assert told(DelayNode(config("60", latency=300)), 60) == [60_000]


def test_it_says_the_stations_beat_back() -> None:
    effects, _ = DelayNode(config()).step(Arrived(BEAT, encode(Beat("b", Millis(7)))), Millis(0))
    assert [effect.topic for effect in effects if isinstance(effect, Publish)] == ["fw/hall/process/delay/beat"]
