"""What players' phones are told by the station, and what becomes of what players ask."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from display.phone_page import FACTS, RESULTS
from feltwire.runtime.node_io import Reply
from feltwire.station.phone.requests import ASKED_MS, CALL_AGAIN_MS, MOST_ASKING
from feltwire.station.station_io import Directed, Effect, LetPlayerIn, PlayerAsked, PlayerCalled
from table_core.messages import ItemKind
from tests.feltwire.night_room import NightRoom
from tests.feltwire.station.test_exception_queue import item, items, kinds, press
from tests.feltwire.station.tournament.test_tournament_clock import SECOND, ClockRoom

TESS = "Tess (director)"


@pytest.fixture
def room() -> ClockRoom:
    room = ClockRoom("rpl")
    room.wait(SECOND)
    return room


def told(room: NightRoom, channel: str = FACTS) -> dict[str, Any]:
    room.wait(6 * SECOND)
    found: dict[str, Any] = msgspec.json.decode(room.station.pages[channel])
    return found


def given(room: NightRoom, wanted: PlayerAsked | PlayerCalled) -> tuple[Reply, list[Effect]]:
    done = room.station.give(wanted)
    room.wait(SECOND)
    return next(one for one in done if isinstance(one, Reply)), done


def ask(room: NightRoom, name: str, request: str = "r1", before: str = "") -> Reply:
    return given(room, PlayerAsked(f"phone/{request}", request, name, "4711", before))[0]


def call(room: NightRoom, player: str, no: int = 1) -> Reply:
    return given(room, PlayerCalled(f"phone/{player}-{no}", player))[0]


def pressed(room: NightRoom, command: str, **arguments: str) -> tuple[Reply, list[Effect]]:
    done = room.station.give(Directed(f"{command}-{room.station.now}", command, dict(arguments), by=TESS))
    return next(one for one in done if isinstance(one, Reply)), done


# -------------------------------------------------------------------------------------------- facts


def test_a_phone_knows_seat_stack_and_position_of_each_player(room: ClockRoom) -> None:
    facts = told(room)
    assert facts["shared"]["left"] == 8
    assert facts["shared"]["average"] == 2_000
    rows = facts["players"]
    assert {(one["table"], one["seat"]) for one in rows.values()} == {
        (table, seat) for table, node in room.tables.items() for seat in node.sits
    }
    assert {one["stack"] for one in rows.values()} == {2_000}
    assert {one["rank"] for one in rows.values()} == {1}
    assert [one[0] for one in facts["list"]] == [*rows]


def test_a_stack_is_that_of_the_beginning_of_the_hand_and_says_since_when(room: ClockRoom) -> None:
    before = told(room)["players"]["p1"]
    room.begin_hand(before["table"])
    after = told(room)["players"]["p1"]
    assert after["stack"] == 2_000, "what is in the pot is nobody's yet"
    assert after["at"] > before["at"]


def test_a_move_is_told_until_the_player_sits(room: ClockRoom) -> None:
    facts = told(room)["players"]
    player = next(player for player, one in facts.items() if one["table"] == "01")
    seat = next(no for no in range(1, 10) if no not in {one["seat"] for one in facts.values()})
    room.begin_hand("01")
    room.do("confirm_move", player=player, to={"table": "02", "seat": seat}, why="balance")
    moving = told(room)["players"][player]
    assert {**moving["move"], "id": ""} == {"id": "", "table": "02", "seat": seat, "stage": "confirmed"}
    assert moving["table"] == "01"
    inside = [*room.tables["01"].sits]
    room.finish("01", winner=inside[0], loser=inside[0])
    assert told(room)["players"][player]["table"] == "02"
    assert "move" not in told(room)["players"][player]


def test_who_is_out_is_told_the_place_and_who_has_won_too(room: ClockRoom) -> None:
    for player in ("p3", "p2"):
        room.do("forfeit", player=player, chips=2_000, why="went home", anyway="asked to")
    rows = told(room)["players"]
    assert (rows["p3"]["place"], rows["p2"]["place"]) == (8, 7)
    assert "table" not in rows["p3"]
    assert [one[:2] for one in told(room, RESULTS)["results"]] == [[7, "p2"], [8, "p3"]]


def test_a_penalty_is_told_among_the_players_own_and_nowhere_else(room: ClockRoom) -> None:
    room.do("give_penalty", player="p4", reason="threw a card", kind="time_out", minutes=10, anyway="so be it")
    facts = told(room)
    (penalty,) = facts["own"]["p4"]["penalties"]
    assert (penalty["reason"], penalty["kind"]) == ("threw a card", "time_out")
    (serving,) = facts["own"]["p4"]["serving"]
    assert 9 * 60 * SECOND < serving["ends"] - room.station.now <= 10 * 60 * SECOND
    assert "threw a card" not in str((facts["shared"], facts["players"], facts["list"]))
    assert set(facts["own"]) == {"p4"}


def test_a_name_that_is_forgotten_is_on_no_phone(room: ClockRoom) -> None:
    room.do("add_player", name="Ann Lee", id="p1")
    assert told(room)["players"]["p1"]["name"] == "A.L.", "as the public reads it"
    room.do("forget_player", player="p1")
    assert told(room)["players"]["p1"]["name"] == "p1"


# --------------------------------------------------------------------------------------- the floor


def test_a_call_is_an_item_with_table_and_seat_and_the_phone_hears_what_becomes_of_it(room: ClockRoom) -> None:
    at = told(room)["players"]["p5"]
    assert call(room, "p5").text == "The floor is called."
    asked = item(room, ItemKind.PHONE)
    assert (asked.table, asked.seat, asked.fact) == (at["table"], at["seat"], "p5 calls the floor by phone.")
    assert told(room)["own"]["p5"]["call"] == {"coming": False, "done": False}
    press(room, "take_item", "Fay", item=asked.id)
    assert told(room)["own"]["p5"]["call"] == {"coming": True, "done": False}
    press(room, "done_item", "Fay", item=asked.id)
    assert told(room)["own"]["p5"]["call"]["done"]
    assert ItemKind.PHONE not in kinds(room)


def test_nobody_calls_twice_and_only_after_a_while_again(room: ClockRoom) -> None:
    call(room, "p5")
    assert call(room, "p5", 2).text == "The floor is called already."
    press(room, "done_item", "Fay", item=item(room, ItemKind.PHONE).id)
    assert call(room, "p5", 3).refused
    room.wait(CALL_AGAIN_MS + 2 * SECOND)
    assert not call(room, "p5", 4).refused


def test_who_has_no_seat_cannot_call(room: ClockRoom) -> None:
    assert call(room, "nobody").refused
    assert ItemKind.PHONE not in kinds(room)


# ----------------------------------------------------------------------------------------- the desk


def test_the_desk_lets_a_phone_in_as_the_player_whom_it_names(room: ClockRoom) -> None:
    room.do("add_player", name="Ann Lee", id="p1")
    ask(room, "Ann Lee")
    asked = item(room, ItemKind.PHONE)
    assert asked.fact == "A phone asks to be let in as Ann Lee: it shows 4711."
    assert asked.primary is not None
    assert asked.primary.label == "It is Ann Lee"
    reply, done = pressed(room, "let_player_in", request="r1", player="p1")
    assert reply.text == "The phone 4711 is Ann Lee's."
    assert [one for one in done if isinstance(one, LetPlayerIn)] == [LetPlayerIn("r1", "p1", TESS)]
    room.wait(SECOND)
    assert ItemKind.PHONE not in kinds(room)


def test_a_phone_is_let_in_as_nobody_whom_it_did_not_name(room: ClockRoom) -> None:
    room.do("add_player", name="Ann Lee", id="p1")
    ask(room, "Ann Lee")
    reply, done = pressed(room, "let_player_in", request="r1", player="p2")
    assert reply.refused
    assert not [one for one in done if isinstance(one, LetPlayerIn)]


def test_a_phone_hears_the_same_whether_its_name_is_known_or_not(room: ClockRoom) -> None:
    room.do("add_player", name="Ann Lee", id="p1")
    assert ask(room, "Ann Lee", "r1").text == ask(room, "Nobody Here", "r2").text == "The desk has your request."


def test_one_press_registers_who_signs_up_and_lets_the_phone_in() -> None:
    room = NightRoom()
    room.do("open", house={"starting_stack": 2_000})
    ask(room, "Eve Adams")
    asked = item(room, ItemKind.PHONE)
    assert asked.fact == "Eve Adams asks by phone to be registered; the phone shows 4711."
    assert asked.primary is not None
    register = Directed("sign-up-1", asked.primary.command, dict(asked.primary.arguments), by=TESS)
    done = [*room.station.give(register), *room.station.wait(2 * SECOND)]
    (eve,) = [one["player"] for one in room.shown["field"] if one["name"] == "Eve Adams"]
    assert [one for one in done if isinstance(one, LetPlayerIn)] == [LetPlayerIn("r1", eve, TESS)]
    assert told(room)["own"][eve]["listed"] == "registered"
    assert ItemKind.PHONE not in kinds(room)


def test_requests_end_and_no_more_wait_than_a_desk_can_see(room: ClockRoom) -> None:
    for no in range(MOST_ASKING):
        assert not ask(room, f"Player {no}", f"r{no}").refused
    assert ask(room, "One More", "more").refused
    assert not ask(room, "Another Name", "again", before="r3").refused, "its first request made place"
    assert len(items(room, ItemKind.PHONE)) == MOST_ASKING
    room.wait(ASKED_MS + SECOND)
    assert ItemKind.PHONE not in kinds(room)


@pytest.mark.parametrize("name", ["", "  ", "Ann\nLee", "Ann\x00", "‮nnA", "x" * 101, "!!!"])
def test_a_name_that_cannot_be_kept_asks_nothing(room: NightRoom, name: str) -> None:
    assert ask(room, name).refused
    assert ItemKind.PHONE not in kinds(room)
