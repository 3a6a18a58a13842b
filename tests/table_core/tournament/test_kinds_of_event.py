"""Kinds of event by their settings: a satellite, rebuys and add-ons with prices of their own, money with cents."""

from __future__ import annotations

from typing import Any

from tests.feltwire.night_room import NightRoom


def begun(players: int, **house: Any) -> NightRoom:
    """An event played by hand, cards in the air."""
    room = NightRoom()
    room.do("open", house={"starting_stack": 2_000, **house}, by_hand=True)
    for no in range(1, players + 1):
        room.do("register", player=f"p{no}", member=True, adult=True)
        room.do("enter", player=f"p{no}")
    room.do("draw_seats")
    for table in room.shown["tables"]:
        if table["open"] and table["button"] is None:
            room.do("set_button", table=table["table"])
    room.do("start")
    return room


def test_a_satellite_ends_with_as_many_players_as_the_purse_has_entries_elsewhere() -> None:
    room = begun(7, buy_in=40, satellite_seat=100, satellite_to="Main Event")
    assert room.shown["money"]["payouts"] == [10_000, 10_000, 8_000]
    for player in ("p1", "p2", "p3", "p4"):
        room.do("put_out", player=player)
        assert not room.shown["finished"]
    room.do("put_out", player="p5")
    shown = room.shown
    assert shown["finished"]
    assert shown["money"]["owed"] == {"p6": 10_000, "p7": 10_000, "p5": 8_000}
    assert shown["money"]["seat_prizes"] == {"p6": "Main Event", "p7": "Main Event"}


def test_a_rebuy_and_an_add_on_have_prices_and_chips_of_their_own() -> None:
    room = begun(
        3, buy_in=40, rebuys_unlimited=True, rebuy_price=20.5, rebuy_chips=3_000, add_on=True, add_on_price=10
    )
    room.do("buy", player="p1", kind="rebuy")
    room.do("buy", player="p2", kind="add_on")
    paid = {one["player"]: (one["paid"], one["chips"]) for one in room.shown["field"]}
    assert paid == {"p1": (6_050, 5_000), "p2": (5_000, 5_000), "p3": (4_000, 2_000)}
    assert room.press("buy", player="p3", kind="rebuy", paid=4_000).text == "It is exactly 20.50."
    assert room.press("buy", player="p3", kind="add_on", paid=4_000).text == "It is exactly 10.00."


def test_an_add_on_costs_and_brings_what_a_rebuy_does_where_nothing_else_is_said() -> None:
    room = begun(2, buy_in=40, rebuys=1, rebuy_price=25, rebuy_chips=3_000, add_on=True, add_on_chips=4_000)
    room.do("buy", player="p1", kind="add_on")
    paid = {one["player"]: (one["paid"], one["chips"]) for one in room.shown["field"]}
    assert paid["p1"] == (6_500, 6_000)


def test_a_buy_in_may_have_cents_and_so_may_its_fees() -> None:
    room = begun(2, buy_in=40.5, entry_fee=5.25, payouts=[100])
    assert room.shown["money"]["pool"] == 7_050
    assert room.press("open", house={"buy_in": 40.505}).refused


def test_per_cents_of_an_event_hold_over_a_book_that_pays_in_stakes() -> None:
    room = begun(4, buy_in=10, payout_stakes=[[3, 1]])
    assert room.shown["money"]["payouts"] == [3_000, 1_000]
    room = NightRoom()
    room.do(
        "open",
        rulebook="home",
        house={"payouts": [50, 30, 20], "starting_stack": 1_000, "entry_opens_minutes_before": 9_999},
        by_hand=True,
    )
    for no in range(1, 5):
        room.do("register", player=f"p{no}", member=True, adult=True)
        room.do("enter", player=f"p{no}")
    money = room.shown["money"]
    assert money["payouts"] == [money["purse"] * share // 100 for share in (50, 30, 20)]
