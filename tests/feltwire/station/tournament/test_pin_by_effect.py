"""A press needs a PIN by what it would do, whatever the command is called."""

from __future__ import annotations

from typing import Any

import pytest

from feltwire.station.director.proof import BY_THEMSELVES
from tests.feltwire.night_room import NightRoom
from tests.feltwire.station.tournament.test_undo_and_redo import newest

BY = "Maria (director)"
HOUSE = {"starting_stack": 2_000, "buy_in": 20, "payouts": [50, 30, 20]}


@pytest.fixture
def room() -> NightRoom:
    """Four players have entered, two are registered; nobody plays yet."""
    room = NightRoom(("01",))
    room.do("open", house=HOUSE, starts=None)
    for no in range(1, 7):
        room.do("register", player=f"p{no}", member=True, adult=True)
        if no <= 4:
            room.do("enter", player=f"p{no}")
    return room


def asks(room: NightRoom, command: str, **arguments: Any) -> str:
    """The effect that a press needs a PIN for; nothing was done by it."""
    before = len(room.station.node.tournament.night.records)
    reply = room.pressed_by(BY, command, proven="", **arguments)
    if reply.unproven:
        assert len(room.station.node.tournament.night.records) == before
    return reply.unproven


DOORS: list[tuple[str, dict[str, Any]]] = [
    ("set_payouts", {"payouts": [100]}),
    ("change_rules", {"house": {"payouts": [100]}}),
    ("change_rules", {"house": {"buy_in": 500}}),
    ("change_rules", {"rulebook": "ccp"}),
    ("enter", {"player": "p5"}),
    ("move_cash", {"player": "p1", "amount": -2_000, "why": "paid twice"}),
    ("refund", {"player": "p1", "anyway": "ill"}),
    ("give_entry", {"player": "p1", "other": "p9", "why": "it is hers", "anyway": "yes"}),
    ("give_entry", {"player": "p1", "name": "Eve", "why": "it is hers", "anyway": "yes"}),
    ("give_chips", {"player": "p1", "chips": 5_000, "why": "a bonus"}),
    ("cancel_event", {"why": "no power"}),
]


@pytest.mark.parametrize(("command", "arguments"), DOORS)
def test_whatever_touches_money_or_prizes_needs_the_pin_and_is_done_with_it(
    room: NightRoom, command: str, arguments: dict[str, Any]
) -> None:
    effect = asks(room, command, **arguments)
    assert effect
    assert asks(room, command, **arguments) == effect  # the same press, and nothing has changed
    reply = room.pressed_by(BY, command, proven=effect, **arguments)
    assert not reply.refused, reply.text
    assert not reply.unproven


def test_a_free_entry_into_an_event_that_others_pay_for_needs_the_pin() -> None:
    room = NightRoom(("01",))
    room.do("open", house={"starting_stack": 2_000}, starts=None)  # what an entry costs is said with each
    for no in (1, 2):
        room.do("register", player=f"p{no}", member=True, adult=True)
    assert asks(room, "enter", player="p1", paid=2_000)
    assert asks(room, "enter", player="p2", paid=0)
    room.do("change_rules", house={"buy_in": 0})
    assert not asks(room, "enter", player="p2")


def test_a_name_that_waits_for_the_pin_is_kept_once(room: NightRoom) -> None:
    arguments = {"player": "p1", "name": "Eve", "why": "it is hers", "anyway": "yes"}
    effect = asks(room, "give_entry", **arguments)
    assert "Eve" not in room.station.node.tournament.names.values()
    room.pressed_by(BY, "give_entry", proven=effect, **arguments)
    assert [*room.station.node.tournament.names.values()].count("Eve") == 1


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("register", {"player": "p7", "member": True, "adult": True}),
        ("draw_seats", {"tables": ["01"]}),
        ("count_cash", {"amount": 8_000}),
        ("bar", {"player": "p6", "why": "shouts"}),
        ("preview", {"wanted": "set_payouts", "arguments": {"payouts": [100]}}),
    ],
)
def test_what_is_needed_in_haste_needs_none(room: NightRoom, command: str, arguments: dict[str, Any]) -> None:
    assert not asks(room, command, **arguments)


def test_an_undo_counts_by_what_it_takes_back_and_what_is_done_again_by_what_it_brings(room: NightRoom) -> None:
    room.do("enter", player="p5")
    undone = newest(room)
    effect = asks(room, "undo", record=undone)
    assert effect
    room.pressed_by(BY, "undo", proven=effect, record=undone)
    assert asks(room, "redo", record=newest(room))
    room.do("register", player="p8", member=True, adult=True)
    assert not asks(room, "undo", record=newest(room))


def test_a_result_is_taken_back_with_the_pin_alone(room: NightRoom) -> None:
    room.do("draw_seats", tables=["01"])
    room.do("set_button", table="01")
    room.do("start")
    (first, _), (loser, (out, _)), *_ = sorted(room.tables["01"].sits.items())
    room.all_in("01", winner=first, loser=loser)
    room.do("confirm_bust", busts=[room.shown["busts"][0]["bust"]])
    assert not asks(room, "undo", record=newest(room))  # the wrong bust, in mid-play
    room.do("confirm_bust", busts=[room.shown["busts"][0]["bust"]])
    room.play_to_the_end()
    assert room.shown["finished"]
    last = next(one["no"] for one in room.shown["log"] if one["event"]["type"] == "bust_confirmed")
    assert asks(room, "undo", record=last)
    assert asks(room, "reinstate", player=out, chips=2_000, why="a chip under a phone", anyway="seen")


def test_the_proof_of_one_effect_is_none_of_another_also_where_the_same_press_would_do_another_by_then(
    room: NightRoom,
) -> None:
    payouts = asks(room, "set_payouts", payouts=[100])
    assert room.pressed_by(BY, "set_payouts", proven=payouts, payouts=[60, 40]).unproven
    entry = asks(room, "enter", player="p5")
    room.do("change_rules", house={"buy_in": 500})
    assert room.pressed_by(BY, "enter", proven=entry, player="p5").unproven not in ("", entry)


def test_who_is_asked_for_no_pin_does_it_at_once(room: NightRoom) -> None:
    assert not room.pressed_by(BY, "set_payouts", payouts=[100]).unproven


@pytest.mark.parametrize("command", sorted(BY_THEMSELVES))
def test_what_does_the_same_each_time_is_asked_by_its_arguments(room: NightRoom, command: str) -> None:
    effect = asks(room, command, table="01")
    assert effect
    assert room.pressed_by(BY, command, proven=effect, table="02").unproven not in ("", effect)
    assert not room.pressed_by(BY, command, proven=effect, table="01").unproven
