"""The director asks for a picture of a table from afar: it shows the felt, the flop, and no hidden card."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest

from feltwire.runtime.node_io import Show
from feltwire.station.tables.pictures import KEPT, Pictures
from feltwire.table.table_io import BeatCame, CommandCame, SendPicture
from table_core.messages import Beat, CameraPicture, Expiry, Millis, TakePicture, Zone, decode, encode
from tests.feltwire.hall import Hall, begun
from tests.feltwire.machines import Machine, Room
from tests.feltwire.station.test_director_process import Listener
from tests.feltwire.table.test_peeking import (
    FELT,
    FLOP,
    ON_THE_LOOSE_CARD,
    camera_on_hidden_cards,
    cards_in,
    colours,
    felt_in,
    wait_for_zones,
)


def asked(machine: Machine, wanted: TakePicture) -> list[str]:
    """For whom the machine sends a picture."""
    effects, _ = machine.node.step(CommandCame(encode(wanted)), machine.now)
    return [sent.answers for sent in effects if isinstance(sent, SendPicture)]


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    with Hall(tmp_path) as running:
        yield running


@pytest.mark.mosquitto
def test_in_the_picture_that_the_director_asks_for_no_hidden_card_can_be_read(hall: Hall) -> None:
    table = hall.machine("first")
    folder = table.config.parent
    table.config.write_text(table.config.read_text() + camera_on_hidden_cards(folder))
    begun(hall, table)
    listener = Listener(hall.venue)
    read = {"board", "seat-3-cards", "seat-5-bet", "muck"}
    wait_for_zones(folder / "table-data" / "table-01.ledger", read, 0)
    hall.director("take_picture", table="01")
    answer = hall.station.shows("picture/01", lambda one: bool(one["jpeg"]))
    picture = felt_in(base64.b64decode(answer["jpeg"]))
    assert [zone for zone in FELT.zones if colours(picture, zone) & {"red", "white"}] == [Zone.BOARD]
    assert cards_in(picture) <= set(FLOP)
    assert cards_in(picture, ON_THE_LOOSE_CARD) == set()
    listener.bus.stop()
    assert not [heard for heard in listener.heard if b'"jpeg":' in heard], "no screen of the room hears of it"


@pytest.mark.mosquitto
def test_a_table_without_a_camera_says_so(hall: Hall) -> None:
    begun(hall, hall.machine("first"))
    hall.director("take_picture", table="01")
    answer = hall.station.shows("picture/01", lambda one: bool(one["answers"]))
    assert (answer["jpeg"], answer["why"]) == ("", "This table has no camera")


def test_a_table_sends_a_picture_while_somebody_looks_for_it_and_records_nothing(tmp_path: Path) -> None:
    room = Room(tmp_path)
    table = room.start("a")
    room.settle()
    table.give(BeatCame(Beat("station", Millis(5_000))))
    before = table.rows
    assert asked(table, TakePicture("p-1", Expiry("station", Millis(15_000)))) == ["p-1"]
    assert asked(table, TakePicture("p-2", Expiry("station", Millis(4_000)))) == [], "nobody looks any longer"
    assert [asked(table, TakePicture(f"q-{n}")) for n in range(4)].count([]) == 2, "three at once"
    assert table.rows == before


def test_the_station_shows_what_was_asked_for_once_and_keeps_the_newest_few() -> None:
    pictures = Pictures()
    tables = [f"{no:02}" for no in range(KEPT + 2)]
    shown: dict[str, str] = {}

    def came(table: str, answers: str) -> list[Show]:
        done = list(pictures.came(table, CameraPicture(1, answers, jpeg=b"x")))
        shown.update({show.channel: decode(show.snapshot, CameraPicture).answers for show in done})
        return done

    assert came("00", "nobody asked") == []
    for table in tables:
        pictures.asked(table, f"first {table}")
        pictures.asked(table, f"for {table}")
        assert came(table, f"first {table}") == [], "asked again since"
        assert came(table, f"for {table}")
        assert came(table, f"for {table}") == [], "once"
    assert [channel for channel, answers in shown.items() if not answers] == ["picture/00", "picture/01"]
