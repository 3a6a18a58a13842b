"""A view of a table that raises: the hand is recorded as without the fault, the screen says what is missing, and
the station is told with the next beat."""

from __future__ import annotations

from typing import Any

import pytest

from feltwire.runtime.views import Views
from feltwire.table import publisher, screen, work
from feltwire.table.devices.sensed import Sensed
from feltwire.table.table_io import BeatCame, HealthSeen
from table_core.messages import (
    EARLIEST_WRITTEN,
    Beat,
    Key,
    MachineReadings,
    Millis,
    OpenRuling,
    TableBeat,
    TableView,
    decode,
    encode,
    write_as,
)
from table_core.projections.table import TableProjection
from table_core.rulings.all_incidents import INCIDENTS
from tests.table_under_test import TableUnderTest

pytestmark = pytest.mark.plants_a_fault

TEXT = "AhKd-lies-at-seat-3"  # that an exception may quote
PLACES = [
    (screen, "predicted"),
    (screen, "still_to_show"),
    (screen, "view_of"),
    (screen, "_turn"),
    (work, "became"),
    (TableProjection, "view"),
]


def planted(*_: object, **__: object) -> Any:
    raise ValueError(TEXT)


class Guarded(TableUnderTest):
    """As in a venue: a view that raises, raises nothing."""

    def __init__(self) -> None:
        self.views = Views()
        super().__init__()

    @property
    def view(self) -> TableView:
        """As the screen has it."""
        return decode(self.screen, TableView)


def hand(table: TableUnderTest) -> list[bytes]:
    """A hand with a call of the floor and an incident; what was recorded."""
    table.connect()
    table.start_hand("Ah", "Kd", "7c", "As", "Kc", "2d")
    table.press(Key.CHECK_CALL, Key.CHECK_CALL)
    table.press("1", Key.SEAT, str(INCIDENTS["string_bet"].no), Key.FLOOR)
    table.wait(5_000)
    table.press(Key.CHECK_CALL, Key.FOLD, Key.FOLD)
    return [encode(event) for event in table.events if "commitment" not in event.__struct_fields__]


@pytest.mark.parametrize(("owner", "name"), PLACES, ids=[name for _, name in PLACES])
def test_the_hand_is_recorded_as_without_it(
    owner: object, name: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    sound = hand(TableUnderTest())
    monkeypatch.setattr(owner, name, planted)
    table = Guarded()
    assert hand(table) == sound
    assert table.views.count
    shown = decode(table.screen, TableView)
    assert (shown.table, shown.as_of) == ("01", table.node.table.seq)
    if name == "view":
        assert shown.last.startswith("This table cannot be shown (fault ")
    table.give(BeatCame(Beat("b1", Millis(table.now))))
    beats = [raw for raw in table.published if b"cannot_show" in raw]
    assert decode(beats[-1], TableBeat).cannot_show == table.views.newest != ""
    assert TEXT not in caplog.text


def test_an_incident_that_cannot_be_shown_is_shown_without_options(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen, "view_of", planted)
    table = Guarded()
    table.connect()
    table.start_hand("Ah", "Kd", "7c", "As", "Kc", "2d")
    table.press("600", Key.BET_RAISE, "1", Key.SEAT, str(INCIDENTS["string_bet"].no), Key.FLOOR)
    ruling = decode(table.ruling_screen, OpenRuling).ruling
    assert ruling is not None, "it is never missing"
    assert (ruling.by, ruling.options) == ("director", ())
    assert "cannot be shown (fault" in ruling.text


def test_the_health_of_the_devices_ends_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publisher, "view_of", planted)
    table = Guarded()
    table.connect()
    table.give(HealthSeen(MachineReadings(), ()))
    assert table.views.faults[0].words.startswith("How the devices are cannot be shown")
    table.press(Key.NEW_HAND)
    assert table.node.table.in_hand


def test_what_is_sensed_ends_no_thread_of_a_device(monkeypatch: pytest.MonkeyPatch) -> None:
    from display.push import Hub

    hub, views = Hub(), Views()
    sensed = Sensed(hub, "01", views)
    monkeypatch.setattr(Sensed, "_zone", planted)
    monkeypatch.setattr(sensed, "_made", planted)
    sensed.line("keypad", "00")
    shown = hub.latest("sensed/01")
    assert shown is not None
    assert b"What is sensed cannot be shown (fault " in shown.data
    sensed.table(b"{")
    assert views.count == 2, "which cards lie face up is not known, so none is"


def test_the_tables_own_screen_shows_what_the_version_that_the_room_writes_does_not_know() -> None:
    write_as(EARLIEST_WRITTEN)
    table = TableUnderTest()
    table.start_hand("Ah", "Kd", "7c", "As", "Kc", "2d")
    assert table.shown.next_step == "Seat 1 to act: 100 to call"
    assert not [raw for raw in table.published if b"next_step" in raw]
