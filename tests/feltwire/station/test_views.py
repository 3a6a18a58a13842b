"""A view of the station that raises: the room goes on, the rest of the page is there, the queue has it. Each maker
of queue items, each part of the tournament's channels and each sheet is tried, whichever there are."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from feltwire.runtime.views import Fault, Part, Views
from feltwire.station.queue.of_decisions import DECISIONS
from feltwire.station.queue.of_tournament import OF_THE_FIELD, OF_THE_SEATS
from feltwire.station.station_io import SheetMade, SheetWanted
from feltwire.station.tables import cells, known, station_tables
from feltwire.station.tournament.pages import sheets, view
from table_core.messages import CellState, ItemKind, Key, QueueItem, QueueView, RoomView, Severity, decode
from tests.feltwire.night_room import NightRoom

TEXT = "AhKd-lies-at-seat-3"  # that an exception may quote
MAKERS = [(makers, part) for makers in (OF_THE_FIELD, OF_THE_SEATS, DECISIONS) for part in makers]
PIECES = [(channel, at) for channel, pieces in view.PIECES.items() for at in range(len(pieces))]

pytestmark = pytest.mark.plants_a_fault


def planted(*_: object, **__: object) -> Any:
    raise ValueError(TEXT)


@pytest.fixture
def room() -> NightRoom:
    """A night under way, whose station guards its views."""
    room = NightRoom()
    room.run_up(14)
    room.station.node.views.__class__ = Views  # as in a venue: nothing raises
    room.station.node.views.__init__()  # type: ignore[misc]
    winner, loser, *_ = sorted(room.tables["01"].sits)
    room.all_in("01", winner=winner, loser=loser)
    return room


def faults(room: NightRoom) -> dict[str, QueueItem]:
    """Items of what cannot be shown, by their words without the number of the fault."""
    room.wait(1_200)
    items = decode(room.station.pages["queue"], QueueView).items
    return {one.fact.partition(" (fault")[0]: one for one in items if one.kind is ItemKind.NOT_SHOWN}


@pytest.mark.parametrize(("makers", "part"), MAKERS, ids=[part.words for _, part in MAKERS])
def test_items_that_cannot_be_made_are_one_item_and_the_others_are_there(
    room: NightRoom, makers: Any, part: Part, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    before = {one.id for one in decode(room.station.pages["queue"], QueueView).items}
    monkeypatch.setitem(makers, part, planted)
    room.do("leave", player="p14")  # anything: what is shown is made anew
    item = faults(room)[f"{part.words} cannot be shown"]
    assert (item.severity, item.can_be_done) == (Severity.NOW, False), "a press may be missing"
    assert item.primary is not None
    assert item.primary.open == part.page
    after = {one.id for one in decode(room.station.pages["queue"], QueueView).items}
    assert after - before, "the item"
    assert TEXT not in caplog.text
    assert "ValueError at test_views.py" in caplog.text
    room.tables["02"].press(Key.NEW_HAND)
    room.deliver()
    assert room.station.node.tournament.facts(room.station.now)["02"].in_hand, "the room plays"
    monkeypatch.undo()
    room.do("return", player="p14")
    assert not faults(room)


@pytest.mark.parametrize(("channel", "at"), PIECES)
def test_a_part_of_a_page_that_cannot_be_made_leaves_the_rest(
    room: NightRoom, channel: str, at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.wait(1_200)
    whole = channels(room)
    piece = view.PIECES[channel][at]
    broken = (*view.PIECES[channel][:at], piece._replace(make=planted), *view.PIECES[channel][at + 1 :])
    monkeypatch.setitem(view.PIECES, channel, broken)
    room.do("leave", player="p14")
    found = faults(room)[f"{piece.part.words} cannot be shown"]
    shown = channels(room)
    (said,) = shown[channel]["cannot_show"]
    assert said == found.fact
    lost = set(whole[channel]) - set(shown[channel])
    assert lost.isdisjoint(piece.empty), "what can be empty is"
    assert {one: set(keys) for one, keys in shown.items() if one != channel} == {
        one: set(keys) for one, keys in whole.items() if one != channel
    }


def channels(room: NightRoom) -> Mapping[str, dict[str, Any]]:
    return {
        channel: msgspec.json.decode(room.station.pages[channel])
        for channel in (*view.PIECES, "league")
        if channel in room.station.pages
    }


@pytest.mark.parametrize("name", sorted(sheets.SHEETS))
def test_a_sheet_that_cannot_be_made_says_so(room: NightRoom, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    columns, _ = sheets.SHEETS[name]
    monkeypatch.setitem(sheets.SHEETS, name, (columns, planted))
    (made,) = [one for one in room.station.give(SheetWanted("s1", name)) if isinstance(one, SheetMade)]
    assert made.sheet == b""
    assert made.why.startswith(f"The sheet {name} cannot be shown (fault ")


@pytest.mark.parametrize("what", ["cell_of", "history", "encode"])
def test_a_table_that_cannot_be_shown_takes_no_other_table_away(
    room: NightRoom, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = room.station.node._tables._links["01"]
    if what == "cell_of":
        real = cells.cell_of
        monkeypatch.setattr(
            known, "cell_of", lambda name, *a, **k: planted() if name == "01" else real(name, *a, **k)
        )
    elif what == "history":
        monkeypatch.setattr(type(table.model), "history", lambda model: planted() if model is table.model else ())
    else:
        monkeypatch.setattr(station_tables, "encode_page", planted)
    room.begin_hand("01")
    found = faults(room)
    assert all(item.table for item in found.values())
    assert "01" in {item.table for item in found.values()}
    states = {one.table: one.state for one in decode(room.station.pages["room"], RoomView).cells}
    assert states["02"] is not CellState.NOT_SHOWN
    assert (states["01"] is CellState.NOT_SHOWN) == (what == "cell_of")


def test_one_item_too_long_for_a_message_leaves_the_queue() -> None:
    """The other items come, and the queue says that one is missing."""
    room = NightRoom()
    room.run_up(14)
    screen = room.station.node._screen
    screen._views = Views()
    words = "x" * 5_000
    too_long = QueueItem("q1", ItemKind.OTHER, Severity.SOON, words)
    fine = QueueItem("q2", ItemKind.OTHER, Severity.SOON, "A fact.")
    queue = screen._within_bounds(QueueView((too_long, fine), ()))
    assert fine in queue.items


def test_the_same_lines_of_code_have_the_same_number_and_the_log_is_not_filled(
    caplog: pytest.LogCaptureFixture,
) -> None:
    views, part = Views(), Part("The prizes")
    with caplog.at_level(logging.WARNING):
        said = {views.show(part, planted, lambda fault: fault.words) for _ in range(1_000)}
    assert len(said) == 1
    assert views.count == 1_000
    assert len(caplog.records) == 1
    assert views.faults == (Fault(part, views.newest),)
    assert views.show(part, lambda: "shown", lambda fault: "") == "shown"
    assert views.newest == ""
