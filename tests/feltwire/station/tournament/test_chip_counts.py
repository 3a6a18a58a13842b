"""Counts of stacks: which are asked for, and a count that differs, with the hands since the last that agreed."""

from __future__ import annotations

from typing import Any

import pytest

from table_core.messages import Key
from tests.feltwire.night_room import NightRoom

STARTS = 1_700_000_000_000  # the kit's station begins then


class CountedRoom(NightRoom):
    """A room of rpl in which dealers count stacks at their tables. `players` sit at table 01 from seat 1, the last
    `others` of them at table 02."""

    def __init__(
        self, players: int = 3, tables: tuple[str, ...] = ("01",), others: int = 0, **opened: Any
    ) -> None:
        super().__init__(tables)
        house = {"starting_stack": 2_000} | opened.pop("house", {})
        self.do("open", **({"rulebook": "rpl"} | opened), house=house)
        for no in range(1, players + 1):
            self.do("register", player=f"p{no}", member=True, adult=True)
            self.do("enter", player=f"p{no}")
        here = players - others
        at = [("01", no) for no in range(1, here + 1)] + [("02", no) for no in range(1, others + 1)]
        seats = [{"player": f"p{n}", "at": {"table": t, "seat": s}} for n, (t, s) in enumerate(at, 1)]
        self.do("assign_seats", seats=seats)
        for table in tables:
            self.do("set_button", table=table)
        self.do("start")
        self.deliver()

    def count(self, seat: int, stack: int, table: str = "01") -> None:
        self.tables[table].press(str(seat), Key.SEAT, str(stack), Key.COUNT)
        self.deliver()

    def count_all(self, table: str = "01") -> None:
        for seat, (_, stack) in self.tables[table].sits.items():
            self.count(seat, stack, table)

    @property
    def asked(self) -> list[tuple[str, str, list[int]]]:
        return [(one["table"], one["why"], one["seats"]) for one in self.shown["chips"]["to_count"]]

    @property
    def items(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.shown["chips"]["items"]
        return found


@pytest.mark.rule("wfp.procedures.2")
def test_at_the_start_every_stack_is_what_the_event_gives_and_is_to_be_counted() -> None:
    room = CountedRoom(rulebook="wfp", house={"starting_stack": 4_000})
    assert [stack for _, stack in room.tables["01"].sits.values()] == [4_000, 4_000, 4_000]
    assert room.asked == [("01", "start", [1, 2, 3])]
    room.count(2, 4_000)
    assert room.asked == [("01", "start", [1, 3])]
    room.do("count_stack", player="p1", stack=4_000)
    room.count(3, 4_000)
    assert room.asked == []
    room.begin_hand("01")
    assert room.asked == []


@pytest.mark.rule("home.suggest.a")
def test_a_stack_of_the_chip_set_is_45_chips_worth_1000_and_the_set_says_for_how_many() -> None:
    there = [[5, 80], [10, 60], [25, 50], [50, 30], [100, 20]]
    room = CountedRoom(rulebook="home", starts=STARTS, house={"starting_stack": 1_000, "chip_set": there})
    held = room.shown["chips"]["set"]
    assert held["stack"] == [[5, 16], [10, 12], [25, 8], [50, 6], [100, 3]]
    assert (held["pieces"], held["worth"], held["carries"]) == (45, 1_000, 5)
    assert (
        CountedRoom(rulebook="home", starts=STARTS, house={"starting_stack": 4_000}).shown["chips"]["set"] is None
    )


def test_behind_an_all_in_the_stacks_of_its_pot_are_counted() -> None:
    room = CountedRoom()
    room.count_all()
    room.all_in("01", winner=1, loser=2)
    assert ("01", "all_in", [1]) in room.asked
    room.count(1, room.tables["01"].sits[1][1])
    assert ("01", "all_in", [1]) not in room.asked


def test_a_count_that_differs_opens_one_item_with_the_hands_since_the_last_that_agreed() -> None:
    room = CountedRoom()
    room.count_all()
    for _ in range(3):
        room.begin_hand("01")
        room.finish("01", winner=0, loser=0)
    stack = room.tables["01"].sits[2][1]
    room.do("count_stack", player="p2", stack=stack - 25)
    (item,) = room.items
    assert (item["player"], item["counted"], item["expected"]) == ("p2", stack - 25, stack)
    assert item["hands"] == "hands 1 to 3 of table 01"
    room.kill_station()
    assert len(room.items) == 1
    room.do("count_stack", player="p2", stack=stack - 50)
    assert len(room.items) == 1, "one item, not one for every count"
    room.do("count_stack", player="p2", stack=stack)
    assert room.items == []


def test_a_dealer_who_counts_otherwise_opens_it_too_and_closes_it_by_counting_again() -> None:
    room = CountedRoom()
    room.count_all()
    room.begin_hand("01")
    room.finish("01", winner=0, loser=0)
    stack = room.tables["01"].sits[3][1]
    room.count(3, stack + 100)
    assert [(item["player"], item["hands"]) for item in room.items] == [("p3", "hand 1 of table 01")]
    assert room.shown["chips"]["missing"] == -100
    room.count(3, stack)
    assert len(room.items) == 1, "that differed from the count before"
    room.count(3, stack)
    assert room.items == []
    assert room.shown["chips"]["missing"] == 0


def test_in_a_break_and_behind_a_colour_up_the_table_is_counted() -> None:
    room = CountedRoom()
    room.count_all()
    room.do("colour_up", table="01", old=25, new=100, odd=[{"seat": 1, "stack": 1}])
    assert room.asked == [("01", "colour_up", [1, 2, 3])]
    room.count_all()
    assert room.asked == []
    room.begin_hand("01")
    room.finish("01", winner=0, loser=0)
    room.do("select_level", entry=2)
    assert room.asked == [("01", "break", [1, 2, 3])]
    room.count_all()
    assert room.asked == []


def test_who_arrives_from_another_table_is_counted_there() -> None:
    room = CountedRoom(players=5, tables=("01", "02"), others=2)
    for table in room.tables:
        room.count_all(table)
    assert room.asked == []
    room.begin_hand("01")
    room.do("confirm_move", player="p3", to={"table": "02", "seat": 3}, why="asked for")
    assert room.asked == [("01", "departure", [3])]
    room.finish("01", winner=0, loser=0)
    room.wait(2_000)
    assert room.asked == [("02", "arrival", [3])]
    rack = room.tables["02"].sits[3][1]
    room.do("count_stack", player="p3", stack=rack - 25)
    assert room.asked == []
    (item,) = room.items
    assert item["hands"] == "from hand 1 of table 01 to hand 0 of table 02"
    room.count(3, rack, "02")
    assert room.items == []


def test_who_is_put_out_in_the_middle_of_a_hand_leaves_no_chips_missing() -> None:
    """The bet is the pot's; what is left of the stack is known when the hand is over."""
    room = NightRoom()
    room.run_up(6)
    room.begin_hand("01")
    seat = next(one.seat for one in room.tables["01"].view.seats if one.bet)
    player, stack = room.tables["01"].sits[seat]
    room.do("forfeit", player=player, chips=stack, why="threats", disqualified=True)
    others = [other for other in room.tables["01"].sits if other != seat]

    def missing() -> int:
        chips = room.shown["chips"]
        assert not chips["items"]
        return int(chips["missing"])

    assert missing() == 0
    room.finish("01", winner=others[0], loser=others[1])
    assert missing() == 0


def test_chips_are_not_sold_on_a_stack_that_the_table_has_otherwise() -> None:
    room = NightRoom(("01",))
    room.do("open", house={"starting_stack": 6_000, "rebuys_unlimited": True, "rebuy_below": 6_000}, starts=None)
    for player in ("p1", "p2", "p3"):
        room.do("register", player=player, member=True, adult=True)
        room.do("enter", player=player)
    room.do("draw_seats", tables=["01"])
    room.do("set_button", table="01")
    room.do("start")
    reply = room.press("buy", player="p1", kind="rebuy", stack=1_000)
    assert reply.refused
    assert reply.text == "The table has 6,000 for p1, not 1,000: count the stack first."
    room.do("buy", player="p1", kind="rebuy", stack=6_000)
    room.do("buy", player="p2", kind="rebuy", stack=1_000, anyway="counted twice")
    room.do("buy", player="p3", kind="rebuy")
