"""There is a winner: the clock stands, whatever is pressed and whatever was left on."""

from __future__ import annotations

import pytest

from tests.feltwire.night_room import NightRoom

HOUSE = {"starting_stack": 2_000, "buy_in": 20, "payouts": [50, 30, 20], "clock_stops_for_disputes": True}


@pytest.fixture
def room() -> NightRoom:
    """Three players at one table, under way."""
    room = NightRoom(("01",), book="rpl")
    room.do("open", rulebook="rpl", house=HOUSE, starts=None)
    for player in ("p1", "p2", "p3"):
        room.do("register", player=player, member=True, adult=True)
        room.do("enter", player=player)
    room.do("draw_seats", tables=["01"])
    room.do("set_button", table="01")
    room.do("start")
    return room


def newest(room: NightRoom) -> int:
    return int(room.shown["log"][0]["no"])


def assert_is_over(room: NightRoom) -> None:
    assert room.shown["finished"]
    assert not room.station.clock.running
    room.kill_station()
    assert not room.station.clock.running


def test_it_does_not_go_on(room: NightRoom) -> None:
    room.play_to_the_end()
    assert_is_over(room)
    reply = room.press("resume")
    assert reply.refused
    assert reply.text == "The event is over: its clock stands."


def test_a_pause_before_the_end_that_is_undone_behind_it_starts_no_clock(room: NightRoom) -> None:
    room.do("pause")
    pause = newest(room)
    room.play_to_the_end()
    room.do("undo", record=pause)
    assert_is_over(room)


def test_a_dispute_that_is_closed_behind_the_end_starts_no_clock(room: NightRoom) -> None:
    while len([stack for _, stack in room.tables["01"].sits.values() if stack]) > 2:
        (winner, _), (loser, _), *_ = sorted(room.tables["01"].sits.items())
        room.all_in("01", winner=winner, loser=loser)
        room.do("confirm_bust", busts=[room.shown["busts"][0]["bust"]])
    room.do("open_dispute", table="01", why="the last pot", dispute="pot")
    winner, loser = sorted(room.tables["01"].sits)
    room.all_in("01", winner=winner, loser=loser)
    confirmed = room.shown["busts"][0]["bust"]
    room.do("confirm_bust", busts=[confirmed], anyway="settled at the table")
    room.wait(60_000)
    room.do("close_dispute", dispute="pot")
    assert_is_over(room)


def test_hand_for_hand_that_was_left_on_charges_no_hands_of_one_player(room: NightRoom) -> None:
    room.do("set_hand_for_hand", on=True)
    room.play_to_the_end()
    ended = newest(room)
    level = room.station.clock.level.no
    room.wait(10_000)
    assert newest(room) == ended
    assert room.station.clock.level.no == level == 1
    room.do("set_hand_for_hand", on=False)
    assert_is_over(room)
