"""There is a winner: the clock stands, whatever is pressed and whatever was left on."""

from __future__ import annotations

import msgspec
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


def test_nobody_goes_out_any_more(room: NightRoom) -> None:
    room.play_to_the_end()
    winner = next(one["player"] for one in room.shown["field"] if one["place"] == 1)
    over = "The event is over: take the last bust back first, or correct the places."
    out = [{"player": winner, "start_stack": 6_000}]
    assert room.press("report_bust", table="01", hand=9, out=out).text == over
    assert room.press("forfeit", player=winner, chips=6_000, why="left", anyway="went home").text == over
    assert room.press("give_penalty", player=winner, reason="collusion", kind="out", anyway="seen").text == over
    assert room.entrant(winner)["place"] == 1


def test_who_enters_again_has_it_go_on(room: NightRoom) -> None:
    room.play_to_the_end()
    assert_is_over(room)
    second = next(one["player"] for one in room.shown["field"] if one["place"] == 2)
    room.do("enter", player=second, anyway="the last level of entry")
    assert not room.shown["finished"]
    assert [one["place"] for one in room.shown["field"] if one["status"] == "playing"] == [None, None]
    room.do("resume")
    assert room.station.clock.running


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


def test_an_event_of_which_everybody_was_refunded_does_not_begin() -> None:
    room = NightRoom()
    room.do("open", name="Friday", house={"starting_stack": 2_000})
    for no, name in enumerate(("Ann Example", "Bo Example"), 1):
        room.do("register_new", name=name, member=True, adult=True)
        room.do("enter", player=f"p{no}")
    room.do("draw_seats", tables=["01"])
    for no in (1, 2):
        room.do("refund", player=f"p{no}")
    reply = room.press("start")
    assert (reply.refused, reply.text) == (True, "Nobody is seated: draw the seats first.")


def test_the_walls_say_who_won_and_that_the_next_event_has_not_started(room: NightRoom) -> None:
    room.play_to_the_end()
    clock = msgspec.json.decode(room.station.pages["clock"])
    winner = next(one["player"] for one in room.shown["field"] if one["place"] == 1)
    assert clock["note"] == f"The event is over: {winner} won"
    room.do("close_event", anyway="prizes are paid later")
    room.wait(2_000)
    clock = msgspec.json.decode(room.station.pages["clock"])
    assert (clock["running"], clock["note"]) == (False, "Not started yet")
