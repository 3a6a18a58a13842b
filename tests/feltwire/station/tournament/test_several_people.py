"""Several people at once: nobody overwrites what somebody else did since their page was drawn."""

from __future__ import annotations

import re
from typing import Any

import pytest

from feltwire.runtime.broker import topics
from feltwire.runtime.node_io import Arrived, Reply
from feltwire.table.table_io import BeatCame
from table_core.messages import Beat, Key, OpenRuling, QueueItem, QueueView, RulingView, decode
from tests.feltwire.night_room import NightRoom
from tests.feltwire.station.test_ruling_facts import facts_of
from tests.feltwire.station_room import VENUE

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
    assert people.drawn == drawn + 5


def test_what_was_taken_back_is_no_clash() -> None:
    people = People()
    drawn = people.drawn
    people.does(BEN, "leave", player="p2", seen=drawn)
    people.does(BEN, "undo", record=people.drawn)
    people.does(MARIA, "leave", player="p2", seen=drawn)
    assert people.room.entrant("p2")["away"]


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


# ------------------------------------------------------------------------------- an undo says what it does


def test_an_undo_says_all_that_goes_with_it_and_the_preview_does_nothing() -> None:
    people = People(6)
    at = people.room.entrant("p2")
    people.does(BEN, "confirm_move", player="p2", to=_free_seat(people, at["table"]), why="room")
    move = people.drawn
    before = people.room.shown
    reply = _undo_of(people, _record(people, "move_confirmed"))
    assert not reply.refused or "rests on it" in reply.text
    assert people.room.shown["log"] == before["log"]
    people.does(MARIA, "give_penalty", player="p3", reason="late", kind="warning")
    said = _undo_of(people, people.drawn, BEN).text
    assert said.startswith("Taken back: Penalty given: p3")
    assert f"By {MARIA}." in said
    assert "p3 has the warning no longer." in said
    people.does(MARIA, "add_time", by_ms=300_000)
    assert re.search(
        r"The clock is at level 1, 50 / 100, with 19:\d\d left, not at", _undo_of(people, people.drawn).text
    )
    assert move < people.drawn


def test_the_undo_of_an_entry_names_money_chips_seat_and_prizes_and_that_of_a_bust_its_place() -> None:
    room = NightRoom()
    people = People.__new__(People)
    people.room = room
    room.do("open", house={"starting_stack": 2_000, "buy_in": 20, "payouts": [50, 30, 20]})
    for no in range(1, 7):
        room.do("register", player=f"p{no}", member=True, adult=True)
        room.do("enter", player=f"p{no}")
    entry = _record(people, "entered")
    said = _undo_of(people, entry).text
    for sentence in (
        "p6 is registered, not playing.",
        "p6 has no seat.",
        "p6 is paid back 20.00.",
        "p6 has 2,000 chips less.",
        "Places pay 1 50.00, 2 30.00, 3 20.00.",
    ):
        assert sentence in said.split("\n"), said
    assert people.room.entrant("p6")["status"] == "playing"
    room.do("draw_seats", tables=["01"])
    reply = _undo_of(people, entry)
    assert reply.refused, "the draw rests on it"
    assert "Something later rests on it" in reply.text
    assert _undo_of(people, 999).refused


def test_the_undo_of_a_bust_a_payment_and_a_level_is_said_before() -> None:
    people = People(6)
    winner, loser, *_ = sorted(people.room.tables["01"].sits)
    gone = people.room.tables["01"].sits[loser][0]
    people.room.all_in("01", winner=winner, loser=loser)
    people.does(MARIA, "confirm_bust", busts=[people.room.shown["busts"][0]["bust"]])
    said = _undo_of(people, _record(people, "bust_confirmed")).text
    assert f"{gone} is out of chips, not out." in said
    assert f"{gone} has no place." in said
    assert f"{gone}: out of chips, waits to be decided again." in said
    people.does(MARIA, "edit_level", entry=1, big_blind=400)
    assert "The schedule changes: " in _undo_of(people, people.drawn).text


def _undo_of(people: People, record: int, by: str = MARIA) -> Reply:
    """What an undo of the record would do."""
    return people.press(by, "preview", wanted="undo", arguments={"record": record})


def _record(people: People, kind: str) -> int:
    """The newest record of that kind."""
    no: int = next(one["no"] for one in people.room.shown["log"] if one["event"]["type"] == kind)
    return no


def _free_seat(people: People, other_than: str) -> dict[str, Any]:
    table = next(one for one in people.room.shown["tables"] if one["table"] != other_than)
    return {"table": table["table"], "seat": table["free"][0]}


def test_what_a_command_would_do_is_said_and_another_outcome_is_not_carried_out() -> None:
    people = People(6)
    wanted = {"player": "p4", "stack": 1_900}
    said = people.press(MARIA, "preview", wanted="count_stack", arguments=wanted).text
    assert said == "p4 has 1,900; by the records it is 2,000."
    reply = people.press(MARIA, "count_stack", **wanted, foreseen="p4 has 1,900; by the records it is 1,900.")
    assert reply.refused
    assert said in reply.text
    people.does(MARIA, "count_stack", **wanted, foreseen=said)
    assert "1,900, does not stand" in _undo_of(people, people.drawn).text
    assert people.press(MARIA, "preview", wanted="buy", arguments={"player": "p1", "kind": "add_on"}).refused
    assert people.press(MARIA, "preview", wanted="forget_player", arguments={"player": "p1"}).refused


def test_time_is_not_added_to_a_level_that_was_not_meant_and_a_second_pause_says_who_paused() -> None:
    people = People(6)
    assert people.press(MARIA, "add_time", by_ms=60_000, entry=1).refused
    people.does(MARIA, "add_time", by_ms=60_000, entry=0)
    people.does(MARIA, "pause")
    said = people.press(BEN, "pause")
    assert not said.refused
    assert f"paused ({MARIA}, " in said.text


def test_a_bust_can_be_undone_when_the_seat_is_taken_and_the_player_gets_another() -> None:
    people = People(6)
    winner, loser, *_ = sorted(people.room.tables["01"].sits)
    gone = people.room.tables["01"].sits[loser][0]
    people.room.all_in("01", winner=winner, loser=loser)
    bust = people.room.shown["busts"][0]["bust"]
    people.does(MARIA, "confirm_bust", busts=[bust])
    people.room.do("register", player="late", member=True, adult=True)
    people.room.do("enter", player="late")
    people.room.do("seat_player", player="late", at={"table": "01", "seat": loser})
    undone = _record(people, "bust_confirmed")
    assert f"The seat of {gone} is taken" in _undo_of(people, undone).text
    people.does(MARIA, "undo", record=undone)
    assert people.room.entrant(gone)["status"] == "busted"
    people.does(MARIA, "drop_bust", bust=bust, player=gone, why="a chip lay under the phone")
    people.does(MARIA, "seat_player", player=gone)
    seats = [(table, seat) for table in people.room.tables for seat in people.room.tables[table].sits]
    assert people.room.entrant(gone)["table"]
    assert people.room.entrant("late")["seat"] == loser
    assert len(seats) == len(set(seats))


def test_who_is_kept_apart_and_would_meet_is_said_before_a_move() -> None:
    people = People(6)
    one, other = (next(iter(people.room.tables[table].sits.values()))[0] for table in ("01", "02"))
    people.does(MARIA, "keep_apart", one=one, other=other)
    move = {"player": one, "to": _free_seat(people, people.room.entrant(one)["table"]), "why": "room"}
    reply = people.press(MARIA, "preview", wanted="confirm_move", arguments=move)
    assert reply.refused
    assert "are kept apart, and" in reply.text
    anyway = {"wanted": "confirm_move", "arguments": move | {"anyway": "both agree"}}
    assert "are to be kept apart, and sit at one table" in people.press(MARIA, "preview", **anyway).text


def open_ruling(room: NightRoom, table: str) -> RulingView | None:
    """The incident open at a table two seconds later, when it knows the station's time and has its commands."""
    at = room.tables[table]
    for _ in range(40):
        room.wait(50)
        at.wait(50)
        at.give(BeatCame(decode(room.station.pages["beat"], Beat)))
        room.deliver()
    room.deliver(room.station.give(Arrived(topics.table(VENUE, table, "ruling"), at.ruling_screen)))
    return decode(at.ruling_screen, OpenRuling).ruling


def test_of_two_who_rule_on_the_same_incident_the_second_is_told_of_the_first_and_nothing_is_ruled_twice() -> None:
    people = People()
    room = people.room
    room.begin_hand("01")
    room.tables["01"].press("300", Key.BET_RAISE)
    room.deliver()
    seat = facts_of(room).acted
    assert seat is not None
    asked = {"table": "01", "incident": "string_bet", "seat": seat}
    people.does(BEN, "rule", **asked)
    opened = open_ruling(room, "01")
    assert opened is not None
    given = asked | {"option": "call", "question": opened.question}
    people.does(BEN, "rule", **given)
    at_once = people.press(MARIA, "rule", **given)
    assert (at_once.refused, at_once.text) == (
        True,
        "Not done: Ben (floor) has just ruled on this. Look at the ruling first.",
    )
    assert open_ruling(room, "01") is None
    room.wait(10_000)
    later = people.press(MARIA, "rule", **given)
    assert (later.refused, later.text) == (
        True,
        "Not done: Ben (floor) has closed this. Look at what was decided first.",
    )
    assert len(room.tables["01"].node.table.rulings()) == 1
    people.does(
        MARIA, "rule", **{name: given[name] for name in given if name != "question"}
    )  # once more, on purpose


def _bust(people: People, table: str) -> QueueItem:
    """The item of a bust at a table, whose two lowest seats were all-in."""
    winner, loser, *_ = sorted(people.room.tables[table].sits)
    people.room.all_in(table, winner=winner, loser=loser)
    return _item(people, f"bust-{table}-1")


def _item(people: People, id_: str) -> QueueItem:
    people.room.wait(1_100)
    items = decode(people.room.station.pages["queue"], QueueView).items
    return next(item for item in items if item.id == id_)


def _yes(people: People, item: QueueItem) -> Reply:
    """The page's press behind the question of the item's button."""
    asked = item.primary
    assert asked is not None
    return people.press(MARIA, asked.command, **asked.arguments, item=item.id, question=asked.confirm)


def test_a_yes_at_the_queue_counts_for_what_was_asked_and_for_nothing_else() -> None:
    people = People(6)
    first, second = _bust(people, "01"), _bust(people, "02")
    assert second.primary is not None
    assert second.primary.confirm.endswith("place 5.")
    (player,) = [out["player"] for out in people.room.shown["busts"][0]["out"]]
    assert [way.open for way in first.also if way.label == "Not out"] == [
        f"/station/players?player={player}&else=still_in"
    ]
    people.does(BEN, "drop_bust", bust=first.id.removeprefix("bust-"), player=player, why="has chips")
    reply = _yes(people, second)
    assert reply.refused
    assert reply.text.startswith("Not done: it would be another thing now. ")
    assert "place 6." in reply.text
    assert _item(people, second.id).primary is not None  # it waits still
    assert not _yes(people, _item(people, second.id)).refused


def test_a_yes_to_an_item_that_somebody_else_has_settled_says_that_it_had_ended() -> None:
    people = People(6)
    bust = _bust(people, "01")
    assert bust.primary is not None
    people.does(BEN, bust.primary.command, **bust.primary.arguments)
    reply = _yes(people, bust)
    assert (reply.refused, reply.text) == (True, "Not done: this had ended already.")
