"""Seven players are dealt in, six are on the books: what the plan calls the flop are a hole card, the burn and one
card of the flop. No press and no reading may open them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from feltwire.table.table_io import DeviceSaid, ZoneCame
from table_core.messages import UNKNOWN_CARD, DeviceState, Key, TableView, Zone, ZoneReading
from tests.room.hidden_cards.test_leak_nothing_depends import FULL_DECK, SEATS, OpenTable
from tests.room.robot_table import FINGER_MS

DECK = FULL_DECK[::5] + FULL_DECK[1::5] + FULL_DECK[2::5]
HOLE_CARDS = 2 * (len(SEATS) + 1)
FLOP = DECK[HOLE_CARDS + 1 : HOLE_CARDS + 4]
HIDDEN = {*DECK[: HOLE_CARDS + 1], *DECK[HOLE_CARDS + 4 :]}


def press(table: OpenTable, key: Key) -> None:
    """One key, and the time until the next: the same key twice at once is one press."""
    table.press(key)
    table.advance(table.now + FINGER_MS)


@pytest.fixture
def table(tmp_path: Path) -> OpenTable:
    """Everybody called; the flop has left the shoe."""
    table = OpenTable(tmp_path)
    shoe = table.hands()
    shoe.next_deck()
    press(table, Key.NEW_HAND)
    for card in DECK[:HOLE_CARDS]:
        shoe.pass_shoe(card)
    for _ in SEATS:
        press(table, Key.CHECK_CALL)
    for card in DECK[HOLE_CARDS : HOLE_CARDS + 4]:
        shoe.pass_shoe(card)
    return table


def nothing_hidden(table: OpenTable) -> bool:
    return not any(f'"{card}"' in line or f"'{card}'" in line for line in table.said for card in HIDDEN)


def confirmed(table: OpenTable) -> TableView:
    table.read()
    press(table, Key.STREET)
    return table.read()


def test_the_camera_reads_the_flop_and_the_dealer_confirms_it(table: OpenTable) -> None:
    table.give(ZoneCame(ZoneReading(Zone.BOARD, cards=FLOP)))
    assert confirmed(table).board == FLOP
    assert nothing_hidden(table)


@pytest.mark.parametrize("read", [0, 1, 2])
def test_the_camera_reads_less_than_all_of_it(table: OpenTable, read: int) -> None:
    table.give(ZoneCame(ZoneReading(Zone.BOARD, cards=FLOP[:read], unread=3 - read)))
    assert table.read().board == ()
    assert confirmed(table).board == (UNKNOWN_CARD,) * 3
    assert nothing_hidden(table)
    table.give(ZoneCame(ZoneReading(Zone.BOARD, cards=FLOP)))
    assert table.read().board == FLOP
    assert nothing_hidden(table)


def test_there_is_no_camera(table: OpenTable) -> None:
    table.give(DeviceSaid("camera", DeviceState.NOT_RESPONDING))
    assert confirmed(table).board == (UNKNOWN_CARD,) * 3
    assert nothing_hidden(table)


def test_no_hand_is_opened_by_keys_alone_afterwards(table: OpenTable) -> None:
    table.give(DeviceSaid("camera", DeviceState.NOT_RESPONDING))
    shoe = table.hands()
    shoe.next_deck()
    confirmed(table)
    for card in DECK[HOLE_CARDS + 4 : HOLE_CARDS + 8]:
        shoe.pass_shoe(card)
    for _ in range(3 * len(SEATS)):
        press(table, Key.CHECK_CALL if table.read().legal else Key.STREET)
    for seat in (Key.D1, Key.D2, Key.D3):
        press(table, seat)
        press(table, Key.TABLED)
        for _ in range(12):
            table.read()
        press(table, Key.STREET)
    assert nothing_hidden(table)
