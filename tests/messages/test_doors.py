"""Each command at the bounds of each of its fields and beyond, through the door that people and machines use: it
is answered, the node goes on, and a process that starts afterwards reads all that is on the disk."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec import inspect
from msgspec.structs import replace

from display.actions import Touch
from feltwire.lab.station.memory import MemoryStation, of
from feltwire.runtime.node_io import Reply
from feltwire.station.station_io import Directed
from feltwire.station.tournament.commands import FORMS
from feltwire.table.table_io import CommandCame, Touched
from table_core.messages import AnyTableCommand, ClockState, Key, decode, decode_envelope, encode
from tests.feltwire.night_room import NightRoom
from tests.messages.bounds import changed, encoded, whole
from tests.messages.samples import kinds_of
from tests.table_under_test import TableUnderTest


def arguments(kind: type) -> Iterator[dict[str, Any]]:
    """As a page sends them: JSON."""
    for value in changed(whole(kind), inspect.type_info(kind)):
        try:
            yield msgspec.json.decode(msgspec.json.encode(value))
        except (ValueError, OverflowError):
            continue  # JSON has no such letter or number


@pytest.fixture(scope="module")
def night() -> NightRoom:
    """Each press finds what the ones before it led to."""
    room = NightRoom()
    room.run_up(8)
    return room


def press_all(station: MemoryStation, command: str) -> None:
    """The command with each of its arguments at and beyond its bounds; each press is answered."""
    for no, given in enumerate(arguments(FORMS[command])):
        known = {name: "p1" if name == "player" else value for name, value in given.items()}
        done = station.give(Directed(f"{command}-{no}", command, known, by="TD"))
        assert len(of(done, Reply)) == 1, known


def starts_from_its_disk(station: MemoryStation) -> None:
    again = station.killed().up()
    assert len(again.node.tournament.night.records) == len(station.records)
    decode(again.pages["clock"], ClockState)


@pytest.mark.parametrize("command", sorted(FORMS))
def test_a_press_of_the_director(night: NightRoom, command: str) -> None:
    press_all(night.station, command)
    starts_from_its_disk(night.station)


@pytest.mark.parametrize("seed", ["a-7", "c-3", "c-20"])
def test_presses_of_the_director_in_another_order(seed: str) -> None:
    """Each of these orders once led to something that the station could not show or tell."""
    chance, order = random.Random(seed), sorted(FORMS)
    chance.shuffle(order)
    room = NightRoom()
    room.run_up(8)
    for command in order[: chance.choice([20, 40, len(order)])]:
        press_all(room.station, command)
    starts_from_its_disk(room.station)


def starts_again(table: TableUnderTest) -> None:
    again = TableUnderTest()
    stored = [(decode_envelope(encode(envelope)), head) for envelope, head in table.stored]
    again.node.recover(stored, table.notes.get)
    assert again.view == table.view


@pytest.mark.parametrize("kind", kinds_of(AnyTableCommand), ids=lambda kind: kind.__name__)
def test_a_command_of_the_station_to_a_table(kind: type) -> None:
    """What one that was written by another program may hold."""
    table = TableUnderTest()
    table.start_hand("Ah", "Kd", "7c", "As", "Kc", "2d")
    for no, value in enumerate(changed(whole(kind), inspect.type_info(kind))):
        raw = encoded(replace(value, id=f"t-{no}"))
        if raw is not None:
            table.give(CommandCame(raw))
            table.wait(1_000)
    table.press(Key.NEW_HAND, Key.FOLD)
    starts_again(table)


@pytest.mark.parametrize("key", list(Key), ids=lambda key: key.name)
def test_a_touch_of_the_tables_screen(key: Key) -> None:
    table = TableUnderTest()
    table.start_hand("Ah", "Kd", "7c", "As", "Kc", "2d")
    for value in changed(whole(Touch), inspect.type_info(Touch)):
        try:
            touch = decode(msgspec.json.encode(replace(value, key=key)), Touch)
        except (ValueError, OverflowError):
            continue
        table.give(Touched(touch.key, touch.seat, touch.amount, touch.question, touch.reason))
        table.wait(1_000)
    table.press(Key.NEW_HAND, Key.FOLD)
    starts_again(table)
