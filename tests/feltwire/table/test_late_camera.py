"""A camera that is late with its pictures: what it will say is waited for, and neither asked nor guessed."""

from __future__ import annotations

import pytest

from feltwire.table.table_io import DeviceSaid, EyesLooked
from table_core.messages import (
    UNKNOWN_CARD,
    Acted,
    Action,
    Asked,
    BoardDealt,
    DeviceState,
    Key,
    Millis,
    Refused,
    Zone,
)
from table_core.tracker import waits
from tests.table_under_test import TableUnderTest

FLOP = ("2c", "7d", "Jh")
LATE_MS = 4_000  # the camera's pictures are so old when they are looked at


class LateTable(TableUnderTest):
    """Three seats in a hand whose flop comes next, under a camera that says how far it has looked."""

    def __init__(self) -> None:
        super().__init__()
        self.looks()
        self.start_hand("Ah", "Kd", "7c", "As", "Kc", "2d")
        self.press(Key.CHECK_CALL, Key.CHECK_CALL, Key.CHECK_CALL)
        self.wait(2_000)
        self.looks()

    def looks(self, *unsettled: Zone, behind: int = 0) -> None:
        self.give(EyesLooked(Millis(self.now - behind), frozenset(unsettled)))

    def flop_leaves_the_shoe(self) -> None:
        self.deal("9h", *FLOP)

    def boards(self) -> list[tuple[str, ...]]:
        return [event.cards for event in self.of(BoardDealt)]

    @property
    def asked(self) -> list[str]:
        return [event.kind for event in self.of(Asked)]


@pytest.fixture
def table() -> LateTable:
    return LateTable()


def test_a_street_is_not_asked_for_before_the_camera_has_looked_at_it(table: LateTable) -> None:
    table.flop_leaves_the_shoe()
    for _ in range(LATE_MS // 500):
        table.wait(500)
        table.looks(behind=LATE_MS)
    assert table.asked == []
    table.see("board", *FLOP)
    table.wait(60_000)
    assert (table.boards(), table.asked) == ([FLOP], [])


def test_a_street_that_it_is_reading_is_not_asked_for(table: LateTable) -> None:
    table.flop_leaves_the_shoe()
    for _ in range(LATE_MS // 500):
        table.wait(500)
        table.looks(Zone.BOARD)
    assert table.asked == []


def test_a_street_that_it_has_looked_at_and_cannot_read_is_asked_for_as_ever(table: LateTable) -> None:
    table.flop_leaves_the_shoe()
    table.wait(waits.UNREAD_STREET_MS)
    assert table.asked == []
    table.looks()
    assert table.asked == ["board_unread"]


def test_people_wait_for_a_camera_that_looks_no_more_and_not_for_ever(table: LateTable) -> None:
    table.flop_leaves_the_shoe()
    table.wait(waits.UNREAD_STREET_MS + waits.CAMERA_LATE_MS - 1)
    assert table.asked == []
    table.wait(1)
    assert table.asked == ["board_unread"]


@pytest.mark.parametrize("trouble", [DeviceState.NOT_RESPONDING, DeviceState.BLOCKED])
def test_a_camera_that_is_away_is_waited_for_once(table: LateTable, trouble: DeviceState) -> None:
    looked = table.now
    table.give(DeviceSaid("camera", trouble))
    table.flop_leaves_the_shoe()
    table.wait(looked + waits.CAMERA_LATE_MS - 1 - table.now)
    assert table.asked == []
    table.wait(1)
    assert table.asked == ["board_unread"]
    table.press(Key.STREET, Key.CHECK_CALL, Key.CHECK_CALL, Key.CHECK_CALL)
    table.wait(30_000)
    table.deal("8s", "3c")
    table.wait(waits.UNREAD_STREET_MS)
    assert table.asked == ["board_unread"] * 2


def test_a_camera_that_stands_still_for_three_seconds_is_not_asked_for(table: LateTable) -> None:
    table.flop_leaves_the_shoe()
    table.wait(3_000)
    table.give(DeviceSaid("camera", DeviceState.NOT_RESPONDING))
    table.wait(500)
    table.give(DeviceSaid("camera", DeviceState.OK))
    table.looks(Zone.BOARD)
    table.see("board", *FLOP)
    table.looks()
    table.wait(30_000)
    assert (table.boards(), table.asked) == ([FLOP], [])


def test_street_pressed_before_the_camera_has_read_waits_for_it(table: LateTable) -> None:
    table.flop_leaves_the_shoe()
    table.press(Key.STREET)
    table.wait(1_000)
    table.press(Key.CHECK_CALL)
    assert (table.boards(), table.of(Refused)) == ([], [])
    table.see("board", *FLOP)
    assert (table.boards(), table.of(Refused)) == ([FLOP], [])
    assert table.of(Acted)[-1].action is Action.CHECK
    table.wait(60_000)
    assert table.asked == []


def test_street_pressed_for_what_it_cannot_read_opens_the_street_once_it_has_looked(table: LateTable) -> None:
    table.see("board")
    table.deal("9h")
    table.see("burn", backs=1)
    table.deal(*FLOP)
    table.see("board", unread=3)
    table.press(Key.STREET)
    assert table.boards() == []
    table.looks()
    assert (table.boards(), table.asked, table.of(Refused)) == ([FLOP], [], [])


def test_street_pressed_twice_is_not_kept_waiting(table: LateTable) -> None:
    table.flop_leaves_the_shoe()
    table.press(Key.STREET)
    table.wait(waits.LOOKED_MS)
    table.press(Key.STREET)
    assert table.boards() == [(UNKNOWN_CARD,) * 3]


def test_undo_takes_back_a_street_that_waits(table: LateTable) -> None:
    table.flop_leaves_the_shoe()
    table.press(Key.STREET, Key.UNDO)
    table.looks()
    assert table.boards() == []


def test_missing_keys_are_not_asked_for_before_the_camera_has_seen_the_folds() -> None:
    table = TableUnderTest()
    table.give(EyesLooked(table.now))
    table.start_hand("Ah", "Kd", "7c", "As", "Kc", "2d")
    table.press(Key.CHECK_CALL)
    table.deal("9h", *FLOP)
    table.wait(waits.MISSING_KEYS_MS + 1_000)
    assert table.of(Asked) == []
    table.give(EyesLooked(table.now))
    assert [event.kind for event in table.of(Asked)] == ["missed_actions"]


def test_nobody_folds_by_an_old_picture(table: LateTable) -> None:
    folds = len(table.of(Acted))
    table.flop_leaves_the_shoe()
    table.see("board", *FLOP)
    table.see("seat-2-cards")
    table.wait(waits.FOLD_SEEN_MS)
    assert len(table.of(Acted)) == folds
    table.see("seat-2-cards", backs=2)  # they were lifted
    table.looks()
    table.wait(60_000)
    assert len(table.of(Acted)) == folds


def test_a_fold_that_it_still_sees_counts(table: LateTable) -> None:
    table.flop_leaves_the_shoe()
    table.see("board", *FLOP)
    table.see("seat-2-cards")
    table.wait(waits.FOLD_SEEN_MS)
    table.looks()
    assert [(event.seat, event.action) for event in table.of(Acted)][-1] == (2, Action.FOLD)
