"""A spare takes over a table, as real processes on a real mosquitto with the venue's certificates: the old machine
dies or is cut off, and comes back."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest

from feltwire.ledger.chain import check_chain
from table_core.messages import Key, decode_envelope
from tests.feltwire.hall import Hall, at_hand, begun, touch
from tests.feltwire.processes import Process, cell

pytestmark = pytest.mark.mosquitto


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    with Hall(tmp_path) as running:
        yield running


def taken_over(hall: Hall) -> Process:
    """A spare is started and put in charge; it deals the second hand."""
    spare = hall.machine("spare").start()
    hall.hand_over()
    # It may have left the broker to a machine that was heard a moment ago.
    spare.kill()
    spare.start()
    spare.shows("table/01", lambda view: view["epoch"] == 2)
    touch(spare, Key.NEW_HAND)
    hall.station.shows("room", at_hand(2))
    return spare


def fenced(view: dict[str, Any]) -> bool:
    return str(view["last"]).startswith("Another machine is table 01: nothing here counts")


def check_collected(hall: Hall, machine: Process) -> None:
    """The station ends with exactly what this machine's ledger holds."""
    hall.station.shows(
        "room", lambda room: cell(room, "01")["link"] == "live" and hall.collected() == hall.rows_of(machine)
    )
    assert check_chain(hall.collected()).ok


def test_a_dead_machine_is_replaced_and_fenced_when_it_comes_back(hall: Hall) -> None:
    first = hall.machine("first")
    begun(hall, first)
    first.kill()
    dead = hall.rows_of(first)
    spare = taken_over(hall)
    first.start()
    first.shows("table/01", fenced)
    with pytest.raises(HTTPError, match="409"):  # its screen says why
        touch(first, Key.NEW_HAND)
    touch(spare, Key.FOLD)
    check_collected(hall, spare)
    assert [row for row in hall.rows_of(first) if row[0] == 1][: len(dead)] == dead


def test_a_machine_that_was_cut_off_and_played_on_is_fenced_when_it_is_back(hall: Hall) -> None:
    """It stands still with its connection, its outbox and a press under way."""
    first = hall.machine("first")
    begun(hall, first)
    first.freeze()
    spare = taken_over(hall)
    first.thaw()
    with contextlib.suppress(HTTPError):  # refused, where it has heard already
        touch(first, Key.CHECK_CALL)
    first.shows("table/01", fenced)
    touch(spare, Key.FOLD)
    check_collected(hall, spare)
    epochs = {decode_envelope(raw).epoch for _, _, raw in hall.collected()}
    assert epochs == {1, 2}
