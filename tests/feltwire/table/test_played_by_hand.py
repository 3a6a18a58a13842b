"""A table without any device says that it is played by hand, and asks for none; one whose keypad never answers is
an item of the station's queue. Real processes on a provisioned broker."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from table_core.messages import Key
from tests.feltwire.hall import Hall, begun, touch
from tests.feltwire.processes import cell

pytestmark = pytest.mark.mosquitto

OF_DEVICES = re.compile(r"camera|shoe|keypad|device|switch|\boff\b|silent|not there", re.IGNORECASE)
# A hand to its end, with presses that come too early and too late; seats 2 and 3 have the blinds.
HAND = (
    *(Key.STREET, Key.CHECK_CALL, Key.CHECK_CALL, Key.CHECK_CALL),
    *(Key.CHECK_CALL, Key.CHECK_CALL, Key.CHECK_CALL, Key.STREET, Key.STREET),
    *(Key.CHECK_CALL, Key.FOLD, Key.TABLED, Key.AWARD, Key.POT_PUSHED, Key.UNDO, Key.NEW_HAND),
)


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    with Hall(tmp_path) as running:
        yield running


@pytest.mark.slow("two processes, and a table looks at its devices each ten seconds")
def test_a_table_without_devices_is_played_by_hand_and_one_whose_keypad_never_answers_is_an_item(
    hall: Hall,
) -> None:
    machine = hall.machine("first")
    begun(hall, machine)
    view = machine.shows("table/01", lambda view: view["by_hand"])
    assert {*view["devices"]} <= {"bus"}
    room = hall.station.shows("room", lambda room: cell(room, "01")["by_hand"])
    assert not cell(room, "02")["by_hand"], "nobody knows yet"
    for key in HAND:
        touch(machine, key)
        view = next(machine.snapshots("table/01"))
        said = [view["last"], *(one["text"] for one in view["notices"]), (view["question"] or {}).get("text", "")]
        assert not OF_DEVICES.search(" | ".join(said)), (key, said)
    assert view["hand"] >= 1
    queue = hall.station.shows("queue", lambda queue: True)
    assert [one for one in queue["items"] if one["kind"] == "device"] == []

    assert machine.end() == 0
    machine.config.write_text(f'{machine.config.read_text()}[keypad]\nport = "/dev/feltwire-not-here"\n')
    machine.start()
    machine.shows("table/01", lambda view: not view["by_hand"])
    queue = hall.station.shows("queue", lambda queue: any(one["kind"] == "device" for one in queue["items"]))
    (item,) = [one for one in queue["items"] if one["kind"] == "device"]
    assert item["fact"] == "The keypad of table 01: nothing has come from it since the table was started."
    assert item["do"] == "Look at its cable and its power."
