"""`GET /api/clock/now`: the clock counted to the moment of the request."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
from msgspec.structs import replace
from starlette.applications import Starlette

from display.app import create_app
from display.clock_now import clock_now
from display.push import Hub
from feltwire.station.node import StationNode
from table_core.messages import Millis, encode
from table_core.projections.clock import clock_state
from table_core.projections.room import Field
from table_core.tournament.clock import TournamentClock
from tests.feltwire.station_room import LEVELS, Station, config

FIELD = Field(players=17, chips=120_000, entrants=24, buy_in=4_000, payouts=(48_000, 28_800))


def asked(hub: Hub) -> httpx.Response:
    async def ask() -> httpx.Response:
        app: Starlette = create_app(hub=hub, pages={"clock"}, venue="hall", tables=())
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://feltwire") as client:
            return await client.get("/api/clock/now")

    return asyncio.run(ask())


def at(minutes: float, *, silent_s: float = 0, running: bool = True) -> dict[str, Any]:
    """What a program reads `silent_s` after the station published the clock, `minutes` into the schedule: 20
    minutes of 50/100, 20 of 100/200, a break of 10, 15 of 150/300."""
    seconds = [0.0]
    hub = Hub(now=lambda: seconds[0])
    clock = TournamentClock.new(LEVELS, boot="b", now=Millis(0))
    clock = clock.resume(Millis(0)) if running else clock
    hub.publish("clock", encode(clock_state(clock, Millis(int(minutes * 60_000)), FIELD)))
    seconds[0] = silent_s
    answer = asked(hub)
    assert answer.status_code == 200
    read: dict[str, Any] = answer.json()
    return read


def test_level_blinds_time_and_what_comes_next() -> None:
    read = at(5)
    assert (read["level"], read["small_blind"], read["big_blind"], read["ante"]) == (1, 50, 100, 0)
    assert (read["running"], read["on_break"], read["seconds_left"], read["level_seconds"]) == (
        True,
        False,
        900,
        1200,
    )
    assert (read["next"]["level"], read["next"]["big_blind"]) == (2, 200)
    assert read["next_break_in_seconds"] == 900 + 1200


def test_field_and_chips_are_those_of_the_station() -> None:
    read = at(5)
    assert (read["players_left"], read["entries"], read["chips"], read["average_stack"]) == (
        17,
        24,
        120_000,
        7_059,
    )
    assert (read["buy_in"], read["payouts"]) == (4_000, [48_000, 28_800])


def test_a_silent_stations_clock_counts_on_into_the_next_level() -> None:
    read = at(19, silent_s=90)
    assert (read["level"], read["seconds_left"], read["age_seconds"]) == (2, 1_170, 90)


def test_a_clock_that_stands_does_not_count() -> None:
    read = at(5, silent_s=90, running=False)
    assert (read["running"], read["level"], read["seconds_left"]) == (False, 1, 1_200)


def test_in_a_break_the_blinds_are_those_before_it_and_next_is_the_next_level() -> None:
    read = at(42)
    assert (read["on_break"], read["level"], read["seconds_left"]) == (True, 2, 480)
    assert (read["next"]["level"], read["next_break_in_seconds"]) == (3, 0)


def test_in_the_last_level_nothing_comes_next() -> None:
    read = at(55)
    assert (read["level"], read["next"], read["next_break_in_seconds"]) == (3, None, None)


def test_before_there_is_a_clock_nothing_is_there() -> None:
    assert asked(Hub()).status_code == 404


def test_the_station_publishes_what_it_needs() -> None:
    station = Station(config(autostart=True)).up()
    assert isinstance(station.node, StationNode)
    hub = Hub()
    hub.publish("clock", station.pages["clock"])
    assert asked(hub).json()["seconds_left"] > 1_199


def test_a_break_of_which_no_schedule_is_known_is_shown() -> None:
    clock = TournamentClock.new(LEVELS, boot="b", now=Millis(0)).resume(Millis(0))
    shown = replace(clock_state(clock, Millis(45 * 60_000), FIELD), levels=())
    assert (shown.level.is_break, clock_now(encode(shown), 0)["on_break"]) == (True, True)
