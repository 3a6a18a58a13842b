"""An event over several days: flights end with bags; the final day has them, and the money and places of all."""

from __future__ import annotations

import json
from typing import Any

from table_core.tournament.events import Flight, FlightEntrant
from table_core.tournament.flights import after_flights
from tests.feltwire.night_room import NightRoom

HOUSE = {"starting_stack": 2_000, "buy_in": 50, "payouts": [60, 40], "flight_of": "Sunday Main"}


def kept(room: NightRoom) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(room.station.pages["kept"])
    return found


def flight(room: NightRoom, name: str, players: tuple[str, ...], out: tuple[str, ...], **bags: int) -> None:
    """A flight played by hand: who is out goes in that order."""
    room.do("open", name=name, house=HOUSE, by_hand=True)
    for player in players:
        if player in room.station.names:
            room.do("register", player=player, member=True, adult=True)
        else:
            room.do("register_new", name=f"Player {player}", id=player, member=True, adult=True)
        room.do("enter", player=player)
    room.do("draw_seats")
    for table in room.shown["tables"]:
        if table["open"] and table["button"] is None:
            room.do("set_button", table=table["table"])
    room.do("start")
    for player in out:
        room.do("put_out", player=player)
    room.do("bag_flight", stacks=bags)
    room.do("close_event")
    room.wait(1_100)


def test_two_flights_become_one_event_with_the_money_and_the_places_of_all() -> None:
    room = NightRoom()
    flight(room, "Day 1A", ("ann", "bo", "cy", "di"), ("di", "cy"), ann=5_000, bo=3_000)
    flight(room, "Day 1B", ("ed", "flo", "gus", "cy"), ("gus", "cy"), ed=6_500, flo=1_500)
    (waits,) = kept(room)["flights"]
    assert (waits["of"], waits["players"], waits["chips"], waits["entries"]) == ("Sunday Main", 4, 16_000, 8)
    assert "flight_of" not in waits["open"]["house"]
    room.do("open", **waits["open"])
    room.wait(1_100)
    shown = room.shown
    field = {one["player"]: one for one in shown["field"]}
    assert {player for player, one in field.items() if one["status"] == "playing"} == {"ann", "bo", "ed", "flo"}
    assert (field["cy"]["entries"], field["cy"]["paid"], field["cy"]["status"]) == (2, 10_000, "out")
    assert sorted(one["place"] for one in field.values() if one["place"]) == [5, 6, 6]
    assert field["cy"]["place"] == 5  # third of a flight; the others were fourth
    assert shown["money"]["pool"] == 40_000
    assert shown["money"]["payouts"] == [24_000, 16_000]
    assert shown["chips"]["issued"] == 16_000
    room.do("draw_seats")
    room.kill_station()
    assert {one["player"] for table in room.shown["tables"] for one in table["seats"]} == {
        "ann",
        "bo",
        "ed",
        "flo",
    }


def test_a_flight_pays_nothing_and_its_bags_are_all_the_chips() -> None:
    room = NightRoom()
    room.do("open", name="Day 1A", house=HOUSE, by_hand=True)
    for player in ("ann", "bo", "cy"):
        room.do("register_new", name=f"Player {player}", id=player, member=True, adult=True)
        room.do("enter", player=player)
    assert room.press("bag_flight").text == "The flight has not begun."
    room.do("draw_seats")
    room.do("set_button", table=next(one["table"] for one in room.shown["tables"] if one["open"]))
    room.do("start")
    assert "Count them." in room.press("bag_flight", stacks={"ann": 2_000}).text
    short = room.press("bag_flight", stacks={"ann": 2_000, "bo": 2_000, "cy": 1_500})
    assert "The bags are 5,500, 6,000 are in play: 500 are missing." in short.text
    assert room.shown["money"]["payouts"] == []
    room.do("bag_flight", stacks={"ann": 2_000, "bo": 2_000, "cy": 2_000})
    assert (
        "in bags" in room.press("register_new", name="Late Lou", member=True, adult=True).text
        or room.press("enter", player="p1").refused
    )
    assert room.shown["finished"]
    assert room.press("add_result").text == "A flight has no result: the final day has it."


def test_who_bags_twice_goes_on_with_the_larger_bag_and_ties_share_a_place() -> None:
    first = Flight("a", "1A", "2026-11-27", 4, (_one("ann", 900), _one("bo", 0, 3, 5), _one("cy", 0, 4, 2)))
    second = Flight("b", "1B", "2026-11-28", 5, (_one("ann", 1_200), _one("di", 0, 3, 5), _one("ed", 0, 2, 6)))
    assert after_flights((first, second)) == {
        "ann": (1_200, None),
        "bo": (0, 3),
        "cy": (0, 5),
        "di": (0, 3),
        "ed": (0, 2),
    }


def _one(player: str, chips: int, place: int = 0, level: int = 0) -> FlightEntrant:
    return FlightEntrant(player, 1, 5_000, 5_000, chips, place, level)
