"""Rulings move cards of the deal, and UNDO moves them back. Neither is a way to open what lies face down: each
incident of deal and board, ruled on at each street of a deal of one hand too many.
"""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from table_core.messages import Key, MakeRuling, Seat, TakeBackRuling
from table_core.rulings.all_incidents import INCIDENTS
from table_core.rulings.register import Group
from tests.room.hidden_cards.test_leak_corrupted_deals import BOOKS, begun, yes
from tests.room.leak.corrupted_table import CorruptedTable


def test_a_ruling_that_is_taken_back_does_not_mend_the_count(tmp_path: Path) -> None:
    """No burn before the flop, which STREET says is out; with the turn's burn the count fits. A ruling makes a new
    count, and with it taken back the old one is as wrong as it was."""
    deal = begun(tmp_path)
    table = deal.table
    deal.hole_cards(BOOKS)
    deal.all_call()
    deal.street(3, burns=0)
    table.say(Key.STREET)
    deal.burn()
    table.say(Key.FLOOR, None, 28)
    table.say(Key.STREET)
    table.say(Key.UNDO)
    yes(table, 2)
    assert table.leaked == []


def test_keys_that_are_taken_back_and_pressed_again_do_not_mend_the_count(tmp_path: Path) -> None:
    """Eight players on the books, six hands dealt: with burn and flop as many cards are out as for eight."""
    deal = begun(tmp_path, seats=BOOKS + 2)
    table = deal.table
    deal.hole_cards(BOOKS)
    deal.all_call(BOOKS + 2)
    deal.street(3)
    yes(table)
    for _ in range(BOOKS + 4):
        table.say(Key.UNDO)
    deal.all_call(BOOKS + 2)
    deal.street(1)
    deal.street(1)
    yes(table, 2)
    assert table.leaked == []


@pytest.mark.parametrize("devices", ["all", "shoe and keys"])
@pytest.mark.parametrize(
    "incident", [one.key for one in INCIDENTS.values() if one.group in (Group.DEAL, Group.BOARD)]
)
def test_each_ruling_on_cards_opens_nothing_in_a_deal_of_seven_hands(
    tmp_path: Path, devices: str, incident: str
) -> None:
    """Six on the books. Two of its ways, each ruled on before one street and taken back behind it."""
    for street, no in itertools.product(range(3), range(2)):
        deal = begun(tmp_path, devices)
        table = deal.table
        deal.hole_cards(BOOKS + 1)
        for at in range(3):
            if at == street:
                rule(table, incident, no)
                yes(table)
            deal.all_call()
            deal.street(3 if not at else 1, read=False)
            yes(table)
            if at == street:
                table.command(TakeBackRuling(f"back-{table.now}", "Ruth"))
                yes(table, 2)
        assert table.leaked == [], (street, no)


def rule(table: CorruptedTable, incident: str, no: int) -> None:
    """The director opens the incident, about seat 3 where it needs one, and takes the way with this number."""
    seat = Seat(3) if INCIDENTS[incident].needs_seat else None
    table.command(MakeRuling(f"open-{table.now}", incident, "", seat, ruler="Ruth"))
    table.wait()
    options = table.ruling.options if table.ruling is not None else ()
    if no < len(options):
        table.command(MakeRuling(f"rule-{table.now}", incident, options[no].option, seat, ruler="Ruth"))
