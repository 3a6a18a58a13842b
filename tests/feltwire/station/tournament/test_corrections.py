"""What the desk got wrong and mends later: the entry was another person's, two places are the other way round."""

from __future__ import annotations

import pytest

from tests.feltwire.night_room import NightRoom

HOUSE = {"starting_stack": 2_000, "buy_in": 40, "payouts": [50, 30, 20]}


@pytest.fixture
def room() -> NightRoom:
    room = NightRoom(("01",), book="rpl")
    room.do("open", name="Thursday", rulebook="rpl", house=HOUSE, starts=None)
    for name in ("Ana Ruiz", "Bo Lindqvist", "Chidi Eze", "John Smith"):
        room.do("register_new", name=name, member=True, adult=True)
    for no in range(1, 5):
        room.do("enter", player=f"p{no}")
    room.do("draw_seats", tables=["01"])
    room.do("set_button", table="01")
    return room


def newest(room: NightRoom) -> int:
    return int(room.shown["log"][0]["no"])


def test_the_entry_of_another_person_keeps_seat_payment_and_what_was_played(room: NightRoom) -> None:
    room.do("start")
    at = room.seat_of("p4")
    room.do("give_entry", player="p4", name="Jo Smith", why="misheard")
    given = newest(room)
    assert room.seat_of("p5") == at
    assert room.entrant("p5")["paid"] == 4_000
    assert "p4" not in {one["player"] for one in room.shown["field"]}
    room.do("register", player="p4", member=True, adult=True)
    seat, other = at[1], next(seat for seat in room.tables["01"].sits if seat != at[1])
    room.all_in("01", winner=seat, loser=other)
    won = room.tables["01"].sits[seat][1]
    assert won > 2_000
    assert "rests on it" in room.press("undo", record=given).text, "John is on the list again"
    assert room.tables["01"].sits[seat] == ("p5", won)


def test_an_entry_that_was_given_to_another_and_is_taken_back_keeps_what_was_won_since(room: NightRoom) -> None:
    room.do("start")
    _, seat = room.seat_of("p4")
    room.do("give_entry", player="p4", name="Jo Smith", why="misheard")
    given = newest(room)
    other = next(one for one in room.tables["01"].sits if one != seat)
    room.all_in("01", winner=seat, loser=other)
    won = room.tables["01"].sits[seat][1]
    room.do("undo", record=given)
    assert room.tables["01"].sits[seat] == ("p4", won)
    assert room.shown["chips"]["missing"] == 0


def test_an_entry_is_not_given_to_who_is_on_the_list_nor_by_who_has_rebought(room: NightRoom) -> None:
    assert "is on the list already" in room.press("give_entry", player="p4", other="p1").text
    room.do("start")
    winner, loser, *_ = sorted(room.tables["01"].sits)
    room.all_in("01", winner=winner, loser=loser)
    player = room.shown["busts"][0]["out"][0]["player"]
    room.do("buy", player=player, kind="rebuy")
    assert "has bought chips" in room.press("give_entry", player=player, name="Jo Smith").text


def test_places_that_are_corrected_after_the_payment_say_what_comes_back_and_the_season_follows(
    room: NightRoom,
) -> None:
    room.do("start")
    for _ in range(2):
        live = sorted(seat for seat, (_, stack) in room.tables["01"].sits.items() if stack)
        room.all_in("01", winner=live[0], loser=live[1])
        room.do("confirm_bust", busts=[room.shown["busts"][0]["bust"]])
    live = sorted(seat for seat, (_, stack) in room.tables["01"].sits.items() if stack)
    room.all_in("01", winner=live[0], loser=live[1])
    room.do("confirm_bust", busts=[room.shown["busts"][0]["bust"]])
    second, third = (one["player"] for place in (2, 3) for one in room.shown["field"] if one["place"] == place)
    room.do("pay_prize", player=second)
    room.do("add_result")
    before = {one.player: one.place for one in room.station.season[0].finishers}
    said = room.do("preview", wanted="correct_places", arguments={"players": [third, second], "why": "stacks"})
    assert f"{names(room)[second]} has been paid 16.00 too much: it is to be taken back." in said
    assert f"The prize of {names(room)[third]} is 48.00, not 32.00." in said
    room.do("correct_places", players=[third, second], why="stacks")
    after = {one.player: one.place for one in room.station.season[0].finishers}
    assert (before[second], after[second], after[third]) == (2, 3, 2)
    room.do("take_back_prize", player=second)
    assert room.shown["money"]["paid"][second] == room.shown["money"]["owed"][second] == 3_200
    room.do("undo", record=newest(room))
    room.do(
        "undo", record=next(one["no"] for one in room.shown["log"] if one["event"]["type"] == "places_corrected")
    )
    assert {one.player: one.place for one in room.station.season[0].finishers} == before


def test_places_are_corrected_among_those_who_have_one_and_with_a_reason(room: NightRoom) -> None:
    room.do("start")
    assert room.press("correct_places", players=["p1", "p2"], why="x").text == "Ana Ruiz has no final place."
    assert room.press("correct_places", players=["p1"], why="x").refused


def names(room: NightRoom) -> dict[str, str]:
    return {one["player"]: one["name"] for one in room.shown["field"]}
