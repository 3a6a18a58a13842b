"""Several people at once: nobody overwrites what somebody else did since their page was drawn."""

from __future__ import annotations

from typing import Any

import pytest

from feltwire.runtime.node_io import Reply
from tests.feltwire.night_room import NightRoom

MARIA, BEN = "Maria (director)", "Ben (floor)"


class People:
    """A night whose presses have a name; each page has drawn everything up to `drawn`."""

    def __init__(self, players: int = 6) -> None:
        self.room = NightRoom()
        self.room.run_up(players)

    @property
    def drawn(self) -> int:
        no: int = self.room.shown["no"]
        return no

    def press(self, by: str, command: str, **arguments: Any) -> Reply:
        return self.room.pressed_by(by, command, **arguments)

    def does(self, by: str, command: str, **arguments: Any) -> None:
        reply = self.press(by, command, **arguments)
        assert not reply.refused, reply


def test_who_had_not_seen_what_another_did_to_the_player_is_told_it_and_nothing_is_done() -> None:
    people = People()
    drawn = people.drawn
    people.does(BEN, "leave", player="p2", seen=drawn)
    people.room.wait(14_000)
    reply = people.press(MARIA, "give_penalty", player="p2", reason="late", kind="warning", seen=drawn)
    assert reply.refused
    assert "Left: p2 (Ben (floor), 14 s ago)" in reply.text
    assert reply.about == "player"
    assert people.room.shown["penalties"] == {}
    people.does(MARIA, "give_penalty", player="p2", reason="late", kind="warning", seen=people.drawn)


def test_what_somebody_did_themselves_or_to_other_players_is_no_clash() -> None:
    people = People()
    drawn = people.drawn
    people.does(BEN, "leave", player="p2", seen=drawn)
    people.does(BEN, "return", player="p2", seen=drawn)
    people.does(MARIA, "leave", player="p3", seen=drawn)
    people.does(MARIA, "register_new", name="Walk In", adult=True, seen=drawn)
    people.does(MARIA, "register", player="p9", adult=True, seen=0)


def test_what_was_taken_back_is_no_clash() -> None:
    people = People()
    drawn = people.drawn
    people.does(BEN, "leave", player="p2", seen=drawn)
    people.does(BEN, "undo", record=people.drawn)
    people.does(MARIA, "leave", player="p2", seen=drawn)


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (("add_time", {"by_ms": 300_000}), ("add_time", {"by_ms": 300_000})),
        (("edit_level", {"entry": 1, "big_blind": 400}), ("edit_level", {"entry": 1, "big_blind": 500})),
        (
            ("confirm_move", {"player": "p1", "to": {"table": "02", "seat": 9}, "why": "room"}),
            ("break_table", {"table": "01"}),
        ),
        (("keep_apart", {"one": "p1", "other": "p2"}), ("leave", {"player": "p1"})),
    ],
    ids=["time", "level", "break", "two names"],
)
def test_clock_schedule_and_tables_are_not_changed_over_somebody_elses_change(
    first: tuple[str, dict[str, Any]], then: tuple[str, dict[str, Any]]
) -> None:
    people = People(4)
    drawn = people.drawn
    if first[0] == "confirm_move":
        start = people.room.entrant("p1")["table"]
        then[1]["table"] = start
        first[1]["to"]["table"] = "02" if start == "01" else "01"
    people.does(BEN, first[0], **first[1], seen=drawn)
    reply = people.press(MARIA, then[0], **then[1], seen=drawn)
    assert reply.refused
    assert BEN in reply.text


def test_a_bust_that_a_table_reports_while_its_break_is_read_stops_the_break() -> None:
    people = People(8)
    drawn = people.drawn
    winner, loser, *_ = sorted(people.room.tables["01"].sits)
    gone = people.room.tables["01"].sits[loser][0]
    people.room.all_in("01", winner=winner, loser=loser)
    reply = people.press(MARIA, "break_table", table="01", seen=drawn)
    assert reply.refused
    assert reply.text.startswith(f"Not done, you had not seen this: Bust reported: {gone}")
    assert "table 01" in reply.text


def test_a_count_names_the_stack_that_the_table_has_and_the_one_that_was_seen() -> None:
    people = People()
    at = people.room.tables["01"]
    player, stack = next(iter(at.sits.values()))
    count = {"player": player, "seen": people.drawn}
    reply = people.press(MARIA, "count_stack", **count, stack=1_500, seen_stack=stack - 500)
    assert reply.refused
    assert reply.text.startswith(f"Not done: {stack:,} now (hand")
    assert f"you had seen {stack - 500:,}" in reply.text
    people.does(MARIA, "count_stack", **count, stack=stack, seen_stack=stack)


def test_a_refusal_is_about_the_field_that_it_names() -> None:
    people = People()
    reply = people.press(MARIA, "register", player="p1", adult=True)
    assert (reply.refused, reply.about) == (True, "player")
    taken = people.room.entrant("p1")
    reply = people.press(MARIA, "seat_player", player="p2", at={"table": taken["table"], "seat": taken["seat"]})
    assert reply.refused
    assert reply.about in ("at", "player")


def test_seen_is_a_number() -> None:
    people = People()
    reply = people.press(MARIA, "leave", player="p1", seen="everything")
    assert reply.refused
    assert "whole numbers" in reply.text
