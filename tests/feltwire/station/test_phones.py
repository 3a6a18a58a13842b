"""Phones that ask to be let in, at the queue and the page of people: which, for how long, what a press does."""

from __future__ import annotations

import itertools

import pytest

from feltwire.runtime.node_io import Arrived, Publish, Reply, ScreensSeen
from feltwire.station.station_io import AnswerPhone, Directed, Effect
from table_core.messages import (
    AdmittedScreen,
    AnswerScreen,
    AskingScreen,
    ItemKind,
    Millis,
    PhonesView,
    ScreenAnswer,
    TableScreens,
    decode,
    decode_command,
    encode,
)
from tests.feltwire.station.test_exception_queue import items, kinds
from tests.feltwire.station.tournament.test_tournament_clock import MINUTE, SECOND, VENUE, ClockRoom

TESS = "Tess (director)"
PRESSES = itertools.count()


@pytest.fixture
def room() -> ClockRoom:
    room = ClockRoom("rpl")
    room.wait(SECOND)
    return room


def ask(room: ClockRoom, *digits: str, table: str = "01", admitted: tuple[AdmittedScreen, ...] = ()) -> None:
    """Table 01 says that phones with these digits ask there; their ids are the digits backwards."""
    asking = tuple(AskingScreen(one[::-1], one) for one in digits)
    said = room.tables[table].key.sign(TableScreens(1, asking, admitted))
    room.station.give(Arrived(f"fw/{VENUE}/table/{table}/screens", said))
    room.wait(SECOND)


def press(
    room: ClockRoom, command: str, screen: str, table: str = "01", **more: object
) -> tuple[Reply, list[Effect]]:
    arguments = {"table": table, "screen": screen, **more}
    done = room.station.give(Directed(f"phone-press-{next(PRESSES)}", command, arguments, by=TESS))
    return next(effect for effect in done if isinstance(effect, Reply)), done


def answers(done: list[Effect]) -> list[tuple[str, AnswerScreen]]:
    """What tables are told, and on which topic."""
    told = [effect for effect in done if isinstance(effect, Publish) and effect.topic.endswith("/grant")]
    return [(one.topic, said) for one in told if isinstance(said := decode_command(one.payload), AnswerScreen)]


def test_the_press_goes_to_the_table_of_the_request_with_the_directors_name_and_a_deadline(
    room: ClockRoom,
) -> None:
    ask(room, "4711", "0815")
    ask(room, "4711", table="02")
    found = [
        (one.table, one.fact, one.primary.label if one.primary else "") for one in items(room, ItemKind.ADMISSION)
    ]
    assert sorted(found)[0] == ("01", "A keypad of table 01 asks to be let in: it shows 0815.", "Let 0815 in")
    assert len(found) == 3
    reply, done = press(room, "admit_phone", "5180")
    assert reply.text == "A keypad of table 01 is let in."
    ((topic, said),) = answers(done)
    assert topic == f"fw/{VENUE}/table/01/grant"
    assert (said.screen, said.answer, said.by) == ("5180", ScreenAnswer.ADMIT, TESS)
    assert room.station.now < said.expires.at <= room.station.now + 10 * SECOND


def test_an_unknown_request_one_that_ran_out_and_one_at_a_silent_table_let_nobody_in(room: ClockRoom) -> None:
    ask(room, "4711")
    for screen, table in (("made up", "01"), ("1174", "02"), ("1174", "")):
        reply, done = press(room, "admit_phone", screen, table)
        assert reply.refused
        assert not answers(done)
    room.cut.add("01")
    room.wait(5 * SECOND)
    reply, done = press(room, "admit_phone", "1174")
    assert reply.text == "Table 01 is not heard: nobody can be let in there now."
    room.cut.clear()
    room.wait(5 * MINUTE)
    assert ItemKind.ADMISSION not in kinds(room)
    reply, done = press(room, "admit_phone", "1174")
    assert "Nobody asks there" in reply.text
    assert not answers(done)


def test_what_the_leaseholder_did_not_sign_is_no_request(room: ClockRoom) -> None:
    forged = TableScreens(1, (AskingScreen("1174", "4711"),), signature="0" * 128)
    room.station.give(Arrived(f"fw/{VENUE}/table/01/screens", encode(forged)))
    room.wait(SECOND)
    assert ItemKind.ADMISSION not in kinds(room)


def test_more_than_four_are_one_item_and_the_page_of_people_has_them_all(room: ClockRoom) -> None:
    ask(room, *(f"{no:04}" for no in range(20)))
    (only,) = items(room, ItemKind.ADMISSION)
    assert only.fact == "20 phones ask to be let in."
    assert len(decode(room.station.pages["phones"], PhonesView).asking) == 20


def test_who_is_in_is_ended_by_a_press_and_a_ninth_is_not_let_in(room: ClockRoom) -> None:
    admitted = tuple(AdmittedScreen(f"session-{no}", f"Phone {no}", Millis(0)) for no in range(8))
    ask(room, "4711", admitted=admitted)
    reply, done = press(room, "admit_phone", "1174")
    assert "End one first" in reply.text
    assert not answers(done)
    reply, done = press(room, "end_phone", "session-3")
    assert reply.text == "Phone 3 of table 01 is signed out."
    assert [said.answer for _, said in answers(done)] == [ScreenAnswer.END]
    assert press(room, "end_phone", "session-9")[0].refused


def test_a_director_who_has_a_pin_lets_nobody_in_without_it(room: ClockRoom) -> None:
    ask(room, "4711")
    arguments = {"table": "01", "screen": "1174"}
    done = room.station.give(Directed("phone-pin-1", "admit_phone", arguments, by=TESS, proven=""))
    (reply,) = [effect for effect in done if isinstance(effect, Reply)]
    assert reply.text == "A phone is let in, and presses keys or rules from then on."
    assert reply.unproven
    assert not answers(done)
    again = Directed("phone-pin-2", "admit_phone", arguments, by=TESS, proven=reply.unproven)
    other = Directed("phone-pin-3", "admit_phone", arguments | {"screen": "x"}, by=TESS, proven=reply.unproven)
    assert not answers(room.station.give(other)), "the PIN was given for another phone"
    assert [said.answer for _, said in answers(room.station.give(again))] == [ScreenAnswer.ADMIT]


def test_over_http_a_director_is_let_in_behind_the_warning_alone(room: ClockRoom) -> None:
    fay = AskingScreen("fay", "1111", name="Fay", role="floor")
    dan, eve = (
        AskingScreen(name, "2222", name=name, role="director", secure=name == "Eve") for name in ("Dan", "Eve")
    )
    room.station.give(ScreensSeen(room.station.now, (fay, dan, eve)))
    room.wait(SECOND)
    reply, done = press(room, "admit_phone", "Dan", "")
    assert "whoever is in the same Wi-Fi can read along" in reply.text
    assert reply.refused
    assert not [effect for effect in done if isinstance(effect, AnswerPhone)]
    for screen, more in (("Dan", {"read_along": True}), ("Eve", {}), ("fay", {})):
        reply, done = press(room, "admit_phone", screen, "", **more)
        assert not reply.refused
        assert [effect.screen for effect in done if isinstance(effect, AnswerPhone)] == [screen]
