"""The relay and the wall clocks answer the station's beats; within three seconds it says which do not."""

from __future__ import annotations

from feltwire.config import RelayConfig
from feltwire.relay.node import RelayNode
from feltwire.runtime.broker import topics
from feltwire.runtime.node_io import Arrived, BusDown, BusUp, Publish
from feltwire.station.processes import MOST, Processes
from table_core.messages import Beat, Millis, Status, encode
from tests.feltwire.station_room import VENUE, Station


def said(name: str, leaf: str, message: object) -> Arrived:
    return Arrived(topics.process(VENUE, name, leaf), encode(message))  # type: ignore[arg-type]


def answer(station: Station, name: str) -> None:
    station.give(said(name, "beat", Beat(station.boot, station.now)))


def silent(station: Station) -> list[str]:
    return [item.id for item in station.queue.items if item.id.startswith("process-")]


def test_a_relay_that_hangs_is_said_within_three_seconds_and_no_more_once_it_answers() -> None:
    station = Station().up()
    answer(station, "relay")
    station.wait(2_000)
    assert silent(station) == []
    station.wait(700)
    assert silent(station) == ["process-relay"]
    (item,) = station.queue.items
    assert item.fact == "The broadcast relay is not heard: overlays show nothing new."
    answer(station, "relay")
    station.wait(200)
    assert silent(station) == []


def test_a_wall_clock_whose_connection_ends_is_said_at_once() -> None:
    station = Station().up()
    answer(station, "clock-bar")
    station.give(said("clock-bar", "status", Status(online=False)))
    station.wait(200)
    assert silent(station) == ["process-clock-bar"]


def test_a_station_that_was_started_again_knows_from_the_broker_who_should_be_there() -> None:
    station = Station().up()
    station.give(said("relay", "status", Status(online=True)))
    station.wait(2_900)
    assert silent(station) == ["process-relay"]


def test_an_answer_to_a_beat_of_another_boot_or_of_later_is_no_sign_of_life() -> None:
    station = Station().up()
    answer(station, "relay")
    for _ in range(29):
        station.wait(100)
        station.give(said("relay", "beat", Beat("another", station.now)))
        station.give(said("relay", "beat", Beat(station.boot, Millis(station.now + 60_000))))
        station.give(Arrived(topics.process(VENUE, "relay", "beat"), b"{"))
    assert silent(station) == ["process-relay"]


def test_without_a_broker_nobody_is_silent_by_himself_and_afterwards_each_has_time_to_answer() -> None:
    station = Station().up()
    answer(station, "relay")
    station.give(BusDown("gone"))
    station.wait(20_000)
    assert silent(station) == []
    station.give(BusUp())
    station.wait(2_000)
    assert silent(station) == []
    station.wait(900)
    assert silent(station) == ["process-relay"]


def test_names_that_somebody_makes_up_fill_no_memory() -> None:
    processes = Processes("b1")
    for no in range(2 * MOST):
        processes.arrived(f"clock-{no}", "status", encode(Status(online=False)), Millis(0))
    assert len(list(processes.items(Millis(0)))) == MOST


def test_a_relay_says_each_beat_back_and_takes_no_other_for_one() -> None:
    relay = RelayNode(RelayConfig(VENUE, "unused", "unused", ("01",)))
    beat = Beat("b1", Millis(7_000))
    effects, _ = relay.step(Arrived(topics.tournament(VENUE, "beat"), encode(beat)), Millis(1))
    assert effects == [Publish(topics.process(VENUE, "relay", "beat"), encode(beat), qos=0)]
    effects, _ = relay.step(Arrived(topics.tournament(VENUE, "beat"), b"{"), Millis(1))
    assert not [effect for effect in effects if isinstance(effect, Publish)]
