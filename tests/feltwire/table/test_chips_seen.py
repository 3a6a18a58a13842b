"""Chips from the picture to the dealer's screen: rendered frames, the camera's thread, the table's node.

Nothing is told to the table here: what it knows of chips its camera has seen.
"""

from __future__ import annotations

import queue
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from display.push import Hub
from feltwire.config import CameraConfig, TableConfig
from feltwire.lab.scenario.table import TableInMemory
from feltwire.lab.simroom.felt.enrolment import enrol_chips
from feltwire.table.camera.eyes import TableEyes
from feltwire.table.devices.sensed import Sensed
from feltwire.table.table_io import ZoneCame
from table_core.messages import Chips, Hint, Key, Level, Seat, SeatStack, TableView, Zone, ZoneReading
from tests.feltwire.table.test_sensing import PATIENCE_S, Hands
from vision.geometry.felt import Felt
from vision.synthetic.felt import ChipPile, LyingCard, Renderer, Scene

SEATS = 6
FELT = Felt.for_seats(SEATS)
CAMERA_MM = 1600.0
BET = Zone.bet(1)  # first to act with three players and the button at seat 1
COLOUR = {25: "green", 100: "black", 500: "purple", 1_000: "yellow"}
LOOKS = 5  # pictures of what lies still
BACKS = tuple(LyingCard(None, *FELT.spot(Zone.cards(seat), i, 2)) for seat in (1, 2, 3) for i in (0, 1))


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("room") / "chips.toml"
    enrol_chips(path, SEATS)
    return path


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(FELT)


class Room:
    """A table with three players, 50/100, whose camera sees what the test lays down."""

    def __init__(self, chips: Path, renderer: Renderer, *, bets_spread: bool) -> None:
        seen_by = CameraConfig("hands:", chips=str(chips), height_mm=CAMERA_MM, bets_spread=bets_spread)
        seats = tuple(SeatStack(Seat(seat), Chips(10_000)) for seat in (1, 2, 3))
        levels = (Level(1, Chips(50), Chips(100)),)
        config = TableConfig(
            "hall", "01", "", seats, levels, SEATS, hints=(Hint.MOTIONS, Hint.STRING_BETS), camera=seen_by
        )
        self.node = TableInMemory(config, ("keypad", "shoe", "camera"))
        self.node.press(Key.NEW_HAND)
        self.node.deal("Ah", "Kd", "7c", "As", "Kc", "2d")
        self._camera = Hands()
        self._heard: queue.Queue[Any] = queue.Queue()
        self.eye = TableEyes(config, self._heard.put, Sensed(Hub(), "1"), open_source=self._camera.open)
        self._renderer = renderer
        self._seed = 0
        self.eye.start()
        self.lies()

    def lies(self, *values: int) -> ZoneReading:
        """Chips of these values lie side by side in front of seat 1; what the table hears of it."""
        scene = Scene(FELT, BACKS, tuple(spread(values)))
        for _ in range(LOOKS):
            self._seed += 1
            self._camera.given.put(self._renderer.render(replace(scene, seed=self._seed)).image)
        while True:
            said = self._heard.get(timeout=PATIENCE_S)
            if isinstance(said, ZoneCame):
                self.node.give(said)
                if said.reading.zone == BET:
                    return said.reading

    @property
    def predicted(self) -> str:
        return msgspec.json.decode(self.node.screen, type=TableView).predicted or ""


def spread(values: Sequence[int]) -> Iterator[ChipPile]:
    zone = FELT.zone(BET)
    for i, value in enumerate(values):
        x, y = zone.at(-38.0 + 38.0 * (i % 3), -22.0 + 44.0 * (i // 3))
        yield ChipPile(value, COLOUR[value], 1, x, y)


@pytest.fixture
def room(taught: Path, renderer: Renderer) -> Iterator[Room]:
    room = Room(taught, renderer, bets_spread=True)
    yield room
    room.eye.stop()


def test_one_silent_chip_is_a_call_and_its_change(room: Room) -> None:
    seen = room.lies(500)
    assert (seen.chips, seen.pieces, seen.motions) == (500, 1, 1)
    assert room.predicted == "Seat 1: call 100, change 400?"


def test_several_chips_in_one_motion_are_a_raise(room: Room) -> None:
    seen = room.lies(500, 100, 100)
    assert (seen.chips, seen.pieces, seen.motions) == (700, 3, 1)
    assert room.predicted == "Seat 1: raise to 700?"


def test_chips_in_two_motions_are_told_to_the_dealer(room: Room) -> None:
    first, then = room.lies(100, 100), room.lies(100, 100, 500)
    assert [(seen.chips, seen.motions) for seen in (first, then)] == [(200, 1), (700, 2)]
    assert room.predicted == "Seat 1: raise to 700, 2 motions (200, then 700), a string bet?"


def test_where_nobody_said_that_bets_are_spread_the_motions_are_seen_and_no_value_is_made_up(
    taught: Path, renderer: Renderer
) -> None:
    room = Room(taught, renderer, bets_spread=False)
    try:
        first, then = room.lies(500), room.lies(500, 100)
    finally:
        room.eye.stop()
    assert [seen.motions for seen in (first, then)] == [1, 2]
    assert [seen.chips for seen in (first, then)] in ([500, 600], [500, None], [None, 600], [None, None])
