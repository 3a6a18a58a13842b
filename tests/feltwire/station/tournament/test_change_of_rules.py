"""The book and the settings of an event that is open: changed by the director, before and after the start."""

from __future__ import annotations

import pytest

from tests.feltwire.night_room import NightRoom


@pytest.fixture
def room() -> NightRoom:
    """An event that was opened under the wrong book."""
    room = NightRoom(("01", "02"))
    room.do(
        "open", name="Thursday", rulebook="wfp", house={"starting_stack": 5_000, "max_entrants": 40}, starts=None
    )
    for no in range(1, 5):
        room.do("register", player=f"p{no}", member=True, adult=True)
        room.do("enter", player=f"p{no}")
    return room


def newest(room: NightRoom) -> int:
    return int(room.shown["log"][0]["no"])


@pytest.mark.rule("wfp.decisions.14")
def test_a_buy_in_under_a_book_without_fees_is_refused_with_its_rule(room: NightRoom) -> None:
    refused = room.press("change_rules", house={"buy_in": 40})
    assert refused.refused
    assert refused.rule == "wfp.decisions.14"


def test_another_book_keeps_who_is_in_and_says_what_it_changes(room: NightRoom) -> None:
    wanted = {"rulebook": "rpl", "house": {"buy_in": 40, "max_entrants": None}}
    said = room.do("preview", wanted="change_rules", arguments=wanted)
    assert said.startswith("Rulebook rpl, not wfp.\nWho has entered keeps the chips and the price of the entry.")
    assert "A rebuy is 5,000 chips." in said
    assert "No longer: Only members may play." in said
    before = room.shown
    room.do("change_rules", **wanted, why="the wrong book")
    after = room.shown
    assert after["rulebook"] == "rpl"
    assert [one["player"] for one in after["field"]] == [one["player"] for one in before["field"]]
    assert after["starting_stack"] == 5_000
    assert after["money"]["buy_in"] == 4_000
    assert after["places"]["limit"] == 30, "the book's again"
    room.do("undo", record=newest(room))
    assert room.shown["rulebook"] == "wfp"


def test_a_setting_is_changed_while_it_is_played_and_holds_from_then_on(room: NightRoom) -> None:
    room.do("change_rules", rulebook="rpl", house={"buy_in": 40, "payouts": [50, 30, 20]})
    room.do("draw_seats", tables=["01", "02"])
    for table in room.tables:
        room.do("set_button", table=table)
    room.do("start")
    room.do("register", player="p5", member=True, adult=True)
    room.do("enter", player="p5")
    assert room.shown["money"]["payouts"] == [2_000, 1_200, 800]
    room.do("change_rules", house={"payouts": [100]})
    assert room.shown["money"]["payouts"] == [4_000]
    assert room.do("change_rules", house={"payouts": [100]}) == "It is so already."
    room.kill_station()
    assert room.shown["money"]["payouts"] == [4_000]
