"""Guided rulings at a table: what is public, what is not, and what a restart keeps."""

from __future__ import annotations

import msgspec

from feltwire.table.table_io import CommandCame, Touched
from table_core.messages import (
    Action,
    Asked,
    Chips,
    HandKilled,
    Key,
    MakeRuling,
    OpenRuling,
    Refused,
    Rewound,
    Ruled,
    Seat,
    TableView,
    encode,
)
from table_core.tracker.state import decode_state, encode_faces, encode_state
from table_core.tracker.waits import LOOKED_MS
from tests.table_under_test import TableUnderTest

STRING_BET, FORWARD_DISCARD = "43", "51"


def raised() -> TableUnderTest:
    """Seat 1 raised to 600; somebody says that it was a string bet."""
    table = TableUnderTest()
    table.connect()
    table.start_hand("Ah", "Kd", "7c", "As", "Kc", "2d")
    table.press("600", Key.BET_RAISE)
    table.press("1", Key.SEAT, STRING_BET, Key.FLOOR)
    return table


def screen(table: TableUnderTest) -> TableView:
    return msgspec.json.decode(table.screen, type=TableView)


def test_an_open_accusation_is_on_no_topic() -> None:
    table = raised()
    ruling = table.open_ruling
    assert ruling is not None
    assert (ruling.incident, ruling.seat) == ("string_bet", 1)
    assert not [raw for raw in [*table.published, table.screen] if b"string" in raw.lower()]
    assert table.of(Asked)[-1].text == "A ruling is being made"


def open_at_the_station(table: TableUnderTest) -> OpenRuling:
    opened = [raw for raw in table.private if b'"ruling"' in raw]
    return msgspec.json.decode(opened[-1], type=OpenRuling)


def test_the_station_alone_hears_of_an_open_incident_with_what_was_seen_and_what_the_book_allows() -> None:
    table = raised()
    opened = open_at_the_station(table)
    assert opened.ruling == table.open_ruling
    assert opened.ruling is not None
    assert [option.rule for option in opened.ruling.options]
    table.press("1", Key.STREET)
    assert open_at_the_station(table).ruling is None


def test_what_keys_and_camera_say_of_an_incident_stands_beside_it() -> None:
    table = TableUnderTest()
    table.start_hand("Ah", "Kd", "7c", "As", "Kc", "2d")
    table.see_chips("seat-1-bet", 200, pieces=2, motions=1)
    table.see_chips("seat-1-bet", 600, pieces=6, motions=2)
    table.press("600", Key.BET_RAISE, "1", Key.SEAT, STRING_BET, Key.FLOOR)
    ruling = table.open_ruling
    assert ruling is not None
    assert ruling.seen == ("Camera: the first motion brought 200", "Camera: 600 lie there now")


def test_a_dismissed_accusation_leaves_no_trace_on_any_topic() -> None:
    table = raised()
    table.press("0", Key.STREET)
    assert table.open_ruling is None
    assert not table.of(Ruled)
    assert not [raw for raw in [*table.published, table.screen] if b"string" in raw.lower()]


def test_a_confirmed_ruling_is_public_and_says_who_why_and_what_it_replaced() -> None:
    table = raised()
    table.wait(LOOKED_MS)
    table.give(Touched(Key.STREET, None, Chips(1), reason="camera checked"))
    (ruled,) = table.of(Ruled)
    assert (ruled.incident, ruled.by, ruled.reason) == ("string_bet", "table", "camera checked")
    assert ruled.replaced == "Seat 1: raise to 600"
    assert [raw for raw in table.published if b'"ruled"' in raw]


def test_undo_brings_back_what_the_ruling_had_taken_back() -> None:
    table = raised()
    before = table.stacks()
    table.press("1", Key.STREET)
    assert table.stacks() != before
    table.press(Key.UNDO)
    assert table.stacks() == before
    assert table.of(Rewound)


def test_a_number_beyond_the_ways_is_refused_and_asks_again() -> None:
    table = raised()
    table.press("9", Key.STREET)
    assert "options; 0 for none" in table.of(Refused)[-1].reason
    assert table.open_ruling is not None


def test_an_unknown_incident_and_a_missing_seat_are_refused() -> None:
    table = TableUnderTest()
    table.start_hand()
    table.press("99", Key.FLOOR)
    assert "No incident" in table.of(Refused)[-1].reason
    table.press(FORWARD_DISCARD, Key.FLOOR)
    assert "which seat" in table.of(Refused)[-1].reason


def test_the_director_rules_once_however_often_the_command_comes() -> None:
    table = raised()
    table.press("0", Key.STREET)
    command = MakeRuling("t-1", "forward_discard", "dead", Seat(2), ruler="Ann", reason="dealer's word")
    events = table.give(CommandCame(encode(command)))
    assert [event.seat for event in table.of(HandKilled, events)] == [2]
    assert table.give(CommandCame(encode(command))) == []


def test_a_way_that_the_book_does_not_allow_is_refused_with_what_it_allows() -> None:
    table = TableUnderTest()
    table.start_hand()
    table.give(CommandCame(encode(MakeRuling("t-2", "dropped", "redeal", Seat(2)))))
    assert "not allowed now" in table.of(Refused)[-1].reason


def test_every_command_is_answered_by_an_event() -> None:
    table = raised()
    assert table.give(CommandCame(encode(MakeRuling("t-3", "dropped", "", Seat(2)))))


def test_an_open_incident_survives_a_restart() -> None:
    table = raised()
    table.node.memory.state = decode_state(encode_state(table.node.state), encode_faces(table.node.state))
    table.press("1", Key.STREET)
    assert table.of(Ruled)


def test_an_incident_raised_twice_is_asked_once() -> None:
    table = raised()
    table.press("1", Key.SEAT, STRING_BET, Key.FLOOR)
    table.press("0", Key.STREET)
    assert table.open_ruling is None


def test_chips_of_the_seat_to_act_are_one_press_from_their_action() -> None:
    table = TableUnderTest()
    table.start_hand()
    table.see_chips("seat-1-bet", 500, pieces=1)
    assert screen(table).predicted == "Seat 1: call 100, change 400?"
    assert not table.of(Asked)
    table.press(Key.STREET)
    legal = table.view.legal
    assert legal is not None
    assert legal.seat == 2
    assert table.view.seats[0].bet == Chips(100)


def test_a_value_alone_predicts_nothing() -> None:
    table = TableUnderTest()
    table.start_hand()
    table.see_chips("seat-1-bet", 500, pieces=0)
    assert screen(table).predicted == ""
    assert Action.CALL not in [event.action for event in table.events if hasattr(event, "action")]


def test_a_touch_that_answers_another_question_than_the_one_in_front_rules_nothing() -> None:
    table = raised()
    shown = table.open_ruling
    assert shown is not None
    table.wait(LOOKED_MS)
    table.give(Touched(Key.STREET, None, Chips(1), shown.question - 1))
    assert "asked no more" in table.of(Refused)[-1].reason
    assert not table.of(Ruled)
    table.give(Touched(Key.STREET, None, Chips(1), shown.question))
    assert table.of(Ruled)
