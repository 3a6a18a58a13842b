"""The director reads what happened at a table with the source of each fact, also after the station was killed."""

from __future__ import annotations

import msgspec

from feltwire.lab.station.memory import of
from feltwire.runtime.node_io import Arrived, Show
from feltwire.station.room_screen import ROOM_MS
from table_core.messages import FactView, Key, LastPresses, PressView, TableHistory, decode, encode
from table_core.projections.history import HistoryCollector
from table_core.tracker.hands.rewinding import points
from tests.feltwire.station_room import FakeTable, Station, notices, seated
from tests.table_under_test import TableUnderTest


def raised_and_called() -> TableUnderTest:
    """Three players, 50/100: seat 1 raises to 300, the small blind calls."""
    table = TableUnderTest()
    table.start_hand("Ah", "Kd", "7c", "As", "Kc", "2d")
    table.press("3", "00", Key.BET_RAISE)
    table.press(Key.CHECK_CALL)
    return table


def history_of(table: TableUnderTest) -> tuple[FactView, ...]:
    collected = HistoryCollector()
    for envelope in table.envelopes:
        collected.apply(envelope, 1)
    return collected.view("01", points(table.node.table.hand_log)).facts


def line(facts: tuple[FactView, ...], text: str) -> FactView:
    return next(fact for fact in reversed(facts) if fact.text.startswith(text))


def test_a_keyed_action_is_declared_and_one_filled_in_is_not() -> None:
    table = raised_and_called()
    keyed = line(history_of(table), "Seat 1: raise to 300")
    assert (keyed.source, keyed.inferred) == ("keypad, declared", False)
    table.deal("9c", "2c", "3d", "4h")
    table.press(Key.STREET)  # the big blind's call was never keyed
    filled = line(history_of(table), "Seat 3: call")
    assert (filled.source, filled.inferred) == ("filled in, nobody keyed it", True)


def test_what_undo_took_back_stays_with_who_took_it_back() -> None:
    table = raised_and_called()
    table.press(Key.UNDO)
    assert line(history_of(table), "Seat 2: call").taken_back == "keypad"
    assert not line(history_of(table), "Seat 1: raise to 300").taken_back


def test_no_card_that_is_not_on_the_board_or_tabled_is_in_the_history() -> None:
    table = raised_and_called()
    said = encode(TableHistory("01", history_of(table))).decode()
    assert not [card for card in ("Ah", "Kd", "7c", "As", "Kc", "2d") if card in said]


def histories(shown: list[Show]) -> list[TableHistory]:
    found = [show.snapshot for show in shown if show.channel == "history/01"]
    return [msgspec.json.decode(raw, type=TableHistory) for raw in found]


def test_the_table_page_has_the_history_with_every_event_and_again_after_the_station_was_killed() -> None:
    station, table = Station().up(), FakeTable()
    done = station.hear(table, *table.write(seated(300, 100), *notices(2)))
    last = histories(of([*done, *station.wait(ROOM_MS)], Show))[-1]
    assert [fact.text for fact in last.facts[-2:]] == ["fact 0", "fact 1"]
    again = station.killed().up()
    assert histories(of(again.effects, Show))[-1] == last


def test_the_last_presses_are_shown_with_what_came_of_them_and_go_to_nobody_but_the_station() -> None:
    table = raised_and_called()
    table.connect()
    table.press(Key.UNDO)
    table.press("9", "00", Key.CLEAR)
    sent = [raw for raw in table.private if b'"presses"' in raw]
    last = decode(sent[-1], LastPresses).presses
    assert [press.keys for press in last[-4:]] == ["300 BET/RAISE", "CHECK/CALL", "UNDO", "900 CLEAR"]
    raised, called, undone, nothing = last[-4:]
    texts = {fact.seq: fact.text for fact in history_of(table)}
    assert [texts[seq] for seq in raised.facts] == ["Seat 1: raise to 300"]
    assert [texts[seq] for seq in undone.facts] == ["Taken back: Seat 2: call 250"]
    assert (len(called.facts), nothing.facts) == (1, ())
    assert not [raw for raw in table.published if b"BET/RAISE" in raw]


def test_the_last_presses_are_there_again_after_the_table_was_killed() -> None:
    table = raised_and_called()
    table.start()
    table.connect()
    (sent,) = [decode(raw, LastPresses).presses for raw in table.private if b'"presses"' in raw]
    assert [press.keys for press in sent[-2:]] == ["300 BET/RAISE", "CHECK/CALL"]


def test_the_station_shows_the_presses_of_a_table_that_it_believes() -> None:
    station, table = Station().up(), FakeTable()
    station.hear(table, *table.write(seated(300, 100)))
    last = LastPresses(table.head.epoch, (PressView("", "keypad", "5 FOLD"),))
    station.give(Arrived(table.topic("presses"), encode(last)))
    assert decode(station.pages["presses/01"], LastPresses) == last
    station.give(Arrived(table.topic("presses"), encode(LastPresses(0, ()))))
    assert decode(station.pages["presses/01"], LastPresses) == last, "of a machine that was replaced"
