"""Devices of a room on one machine, at the queue: what is offered, for which table, and what a press does."""

from __future__ import annotations

import itertools

import pytest

from feltwire.runtime.node_io import Reply
from feltwire.runtime.plugged import GivenDevices, Plugged, PluggedHere, PluggedKind
from feltwire.station.station_io import Directed, KeepDevices, PluggedSeen
from table_core.messages import ItemKind, QueueItem
from tests.feltwire.station.test_exception_queue import items
from tests.feltwire.station.tournament.test_tournament_clock import SECOND, ClockRoom

PRESSES = itertools.count()


@pytest.fixture
def room() -> ClockRoom:
    room = ClockRoom("rpl")
    room.wait(SECOND)
    return room


def plug(room: ClockRoom, *devices: Plugged) -> list[QueueItem]:
    room.station.give(PluggedSeen(PluggedHere(devices)))
    room.wait(SECOND)
    return [one for one in items(room, ItemKind.DEVICE) if "plugged in" in one.fact]


def a(kind: PluggedKind, id_: str = "1", trouble: str = "") -> Plugged:
    return Plugged(id_, kind, f"{kind} {id_}", f"/dev/{id_}", trouble)


def press(room: ClockRoom, command: str, device: str, table: str = "") -> tuple[Reply, list[GivenDevices]]:
    done = room.station.give(
        Directed(f"device-press-{next(PRESSES)}", command, {"device": device, "table": table}, by="Tess")
    )
    reply = next(effect for effect in done if isinstance(effect, Reply))
    return reply, [effect.given for effect in done if isinstance(effect, KeepDevices)]


def labels(item: QueueItem) -> list[str]:
    return [one.label for one in (item.primary, *item.also) if one is not None]


def test_a_table_has_one_of_each_and_the_second_keypad_is_offered_to_the_next(room: ClockRoom) -> None:
    first, second = plug(room, a(PluggedKind.KEYPAD, "1"), a(PluggedKind.KEYPAD, "2"))
    assert labels(first)[:2] == labels(second)[:2] == ["Use it for table 01", "Use it for table 02"]
    reply, (given,) = press(room, "take_device", "1", "01")
    assert "table 01's, also the next time" in reply.text
    assert [(one.id, one.table) for one in given.taken] == [("1", "01")]
    (left,) = plug(room, a(PluggedKind.KEYPAD, "1"), a(PluggedKind.KEYPAD, "2"))
    assert labels(left)[0] == "Use it for table 02"
    for device, table, why in (
        ("2", "01", "has a keypad already"),
        ("1", "02", "is table 01's"),
        ("2", "x", "no table"),
    ):
        reply, kept = press(room, "take_device", device, table)
        assert (reply.refused, kept) == (True, [])
        assert why in reply.text
    (shoe,) = plug(room, a(PluggedKind.SHOE, "3"))
    assert labels(shoe)[0] == "Use it for table 01", "a shoe stands beside a keypad"


def test_a_device_is_given_back_once_and_then_offered_again(room: ClockRoom) -> None:
    plug(room, a(PluggedKind.SHOE))
    press(room, "take_device", "1", "02")
    assert plug(room, a(PluggedKind.SHOE)) == []
    reply, (given,) = press(room, "give_device_back", "1")
    assert reply.text == "Table 02 plays without shoe 1 from now on."
    assert given.taken == ()
    assert labels(plug(room, a(PluggedKind.SHOE))[0])[0] == "Use it for table 01"
    reply, _ = press(room, "give_device_back", "1")
    assert reply.refused


def test_a_stranger_is_asked_by_a_press_alone(room: ClockRoom) -> None:
    (item,) = plug(room, a(PluggedKind.UNKNOWN))
    assert labels(item) == ["Ask it"]
    assert "Nothing is sent to it by itself" in item.do
    reply, _ = press(room, "take_device", "1", "01")
    assert reply.refused
    reply, (given,) = press(room, "ask_device", "1")
    assert given.ask == ("1",)
    (item,) = plug(room, a(PluggedKind.UNKNOWN))
    assert labels(item) == []


def test_a_reader_is_offered_behind_a_question_and_what_cannot_be_used_says_what_to_do(room: ClockRoom) -> None:
    reader, locked = plug(room, a(PluggedKind.READER), a(PluggedKind.KEYPAD, "2", "not yours: do so"))
    assert reader.primary is not None
    assert "no keyboard that somebody writes with?" in reader.primary.confirm
    assert (locked.do, labels(locked)) == ("Not yours: do so.", [])
    reply, _ = press(room, "take_device", "2", "01")
    assert reply.text == "not yours: do so"
