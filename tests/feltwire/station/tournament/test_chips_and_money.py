"""Chips and money at the station: who took it, what was paid twice, what was given out, what has left play."""

from __future__ import annotations

from typing import Any

import msgspec

from table_core.messages import QueueItem, QueueView
from tests.feltwire.night_room import NightRoom

BEN, MARTA = "Ben (floor)", "Marta (director)"


def desk(players: int = 4) -> NightRoom:
    """Marta takes the entries of all but the last, Ben that one."""
    room = NightRoom(("01",), book="rpl")
    house = {
        "starting_stack": 2_000,
        "buy_in": 40,
        "payouts": [50, 30, 20],
        "starting_chips": [[25, 8], [100, 18]],
    }
    room.do("open", rulebook="rpl", house=house, starts=None)
    for no in range(1, players + 1):
        room.do("register", player=f"p{no}", member=True, adult=True)
        does(room, MARTA if no < players else BEN, "enter", player=f"p{no}")
    return room


def does(room: NightRoom, by: str, command: str, **arguments: Any) -> str:
    reply = room.pressed_by(by, command, **arguments)
    assert not reply.refused, reply
    return str(reply.text)


def test_the_till_of_each_person_is_what_they_took_and_paid() -> None:
    room = desk()
    money = room.shown["money"]
    assert money["tills"] == {MARTA: 12_000, BEN: 4_000}
    assert sum(money["tills"].values()) == money["cash_expected"]
    assert room.entrant("p4")["paid_to"] == BEN
    room.do("undo", record=room.shown["log"][0]["no"])
    assert room.shown["money"]["tills"] == {MARTA: 12_000}
    assert room.entrant("p4")["paid_to"] == ""


def test_a_second_payment_is_in_the_till_and_not_in_the_prizes_and_goes_back() -> None:
    room = desk()
    before = room.shown["money"]
    does(room, BEN, "move_cash", player="p1", amount=4_000, why="paid twice")
    after = room.shown["money"]
    assert (after["pool"], after["payouts"]) == (before["pool"], before["payouts"])
    assert after["cash_expected"] == before["cash_expected"] + 4_000
    said = room.do("preview", wanted="move_cash", arguments={"player": "p1", "amount": -4_000, "why": "back"})
    assert said == "40.00 back to p1."
    does(room, BEN, "move_cash", player="p1", amount=-4_000, why="back")
    assert room.shown["money"]["tills"] == {MARTA: 12_000, BEN: 4_000}
    assert room.press("move_cash", player="p1", amount=0, why="nothing").refused


def test_what_was_given_out_adds_up_to_the_chips_in_play() -> None:
    room = desk()
    room.do("draw_seats", tables=["01"])
    room.do("set_button", table="01")
    room.do("start")
    winner, loser, *_ = sorted(room.tables["01"].sits)
    room.all_in("01", winner=winner, loser=loser)
    room.do("buy", player=room.shown["busts"][0]["out"][0]["player"], kind="rebuy")
    chips = room.shown["chips"]
    assert chips["given"] == [
        {"what": "entries", "count": 4, "chips": 8_000},
        {"what": "rebuys", "count": 1, "chips": 5_000},
    ]
    assert sum(line["chips"] for line in chips["given"]) == chips["issued"] - chips["removed"]
    room.do("refund", player="p1", anyway="ill")
    chips = room.shown["chips"]
    assert sum(line["chips"] for line in chips["given"]) == chips["issued"] - chips["removed"]


def test_chips_that_leave_play_in_a_break_are_said_until_the_table_is_coloured_up() -> None:
    room = NightRoom(("01", "02"), book="rpl")
    blinds = [(25, 50), (100, 200)]
    levels: list[dict[str, Any]] = [
        {"no": no, "small_blind": small, "big_blind": big, "minutes": 20}
        for no, (small, big) in enumerate(blinds, 1)
    ]
    levels.insert(1, {"no": 1, "small_blind": 0, "big_blind": 0, "minutes": 10, "is_break": True, "colour_up": 25})
    room.do("open", rulebook="rpl", house={"starting_stack": 2_000}, levels=levels, starts=None)
    for no in range(1, 7):
        room.do("register", player=f"p{no}", member=True, adult=True)
        room.do("enter", player=f"p{no}")
    room.do("draw_seats", tables=["01", "02"])
    for table in room.tables:
        room.do("set_button", table=table)
    room.do("start")
    assert waiting(room, "old-chips") == []
    room.do("go_to_level", entry=1)
    assert waiting(room, "old-chips") == [
        "Table 01 has chips of 25, that leave play in this break.",
        "Table 02 has chips of 25, that leave play in this break.",
    ]
    room.do("colour_up", table="01", old=25, new=100, odd=[{"seat": min(room.tables["01"].sits), "stack": 7}])
    room.do("go_to_level", entry=2)
    assert waiting(room, "old-chips") == ["Table 02 has chips of 25, which have left play."]
    room.do("colour_up", table="02", old=25, new=100, odd=[])
    assert waiting(room, "old-chips") == []


def test_a_draw_that_is_taken_back_makes_no_chips() -> None:
    """The tables go on with the seats and stacks of that draw until another one is told to them."""
    room = desk()
    room.do("draw_seats", tables=["01"])
    room.do("undo", record=next(one["no"] for one in room.shown["log"] if one["event"]["type"] == "seats_drawn"))
    assert room.tables["01"].sits
    assert room.shown["chips"]["missing"] == 0
    room.do("draw_seats", tables=["01"])
    assert room.shown["chips"]["missing"] == 0


def test_chips_too_many_are_named_where_they_are_a_rebuy_that_nobody_recorded() -> None:
    room = desk()
    room.do("draw_seats", tables=["01"])
    room.do("set_button", table="01")
    room.do("start")
    _, seat = room.seat_of("p2")
    room.do("correct_stack", player="p2", stack=room.tables["01"].sits[seat][1] + 5_000)
    item = next(one for one in queue(room) if one.id == "chips-room")
    assert item.fact == "5,000 chips are too many in the room."
    assert item.do.startswith("That is one rebuy: was one not recorded?")


def queue(room: NightRoom) -> list[QueueItem]:
    room.wait(1_100)
    return list(msgspec.json.decode(room.station.pages["queue"], type=QueueView).items)


def waiting(room: NightRoom, kind: str) -> list[str]:
    """The facts of the items whose ids begin so."""
    return sorted(one.fact for one in queue(room) if one.id.startswith(kind))
