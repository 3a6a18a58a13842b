"""The tournament's clock at the tables: levels, breaks and stops reach them, also while the station is silent."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from feltwire.runtime.broker import topics
from feltwire.runtime.node_io import Arrived, Publish
from feltwire.station.queue.of_tournament import AS_ITEM
from feltwire.table.table_io import BeatCame
from table_core.messages import Beat, ChangeSeats, ClockState, Key, Refused, Status, decode, decode_command, encode
from tests.feltwire.night_room import NightRoom
from tests.feltwire.station_room import MINUTE, VENUE

SECOND = 1_000


class ClockRoom(NightRoom):
    """Time passes at the tables too, and they hear the station's beats."""

    def __init__(
        self, rulebook: str = "ccp", players: int = 8, tables: tuple[str, ...] = ("01", "02"), **opened: Any
    ) -> None:
        self.no_seats: set[str] = set()  # tables whose seats do not reach them
        super().__init__(tables)
        super().wait(2 * SECOND)  # the tables get the schedule
        self.run_up(players, rulebook=rulebook, **opened)

    def _to_table(self, publish: Publish) -> None:
        where = topics.split_table(publish.topic)
        command = where is not None and where[1] == "command" and where[0] in self.no_seats
        if command and isinstance(decode_command(publish.payload), ChangeSeats):
            return
        super()._to_table(publish)
        if publish.topic == topics.tournament(VENUE, "clock"):
            self.on_the_wall = decode(publish.payload, ClockState)
        if publish.topic == topics.tournament(VENUE, "beat"):
            for name in self.tables.keys() - self.cut:
                self.tables[name].give(BeatCame(decode(publish.payload, Beat)))

    def wait(self, ms: int) -> None:
        for _ in range(ms // SECOND):
            self.alone(SECOND)
            super().wait(SECOND)
        super().wait(ms % SECOND)

    def alone(self, ms: int) -> None:
        """Time in which the station says and hears nothing."""
        for table in self.tables.values():
            table.advance(table.now + ms)

    def dead(self, ms: int) -> None:
        """The station is killed, and starts again so much later."""
        self.alone(ms)
        self.kill_station(after_ms=ms)

    def refusal(self, table: str) -> tuple[str, str]:
        """Why NEW HAND is refused there, with the rule; empty where the hand begins."""
        events = self.tables[table].press(Key.NEW_HAND)
        self.deliver()
        found = [event for event in events if isinstance(event, Refused)]
        return (found[-1].reason, found[-1].rule) if found else ("", "")

    def level(self, table: str) -> int:
        """Of a hand that would begin there now."""
        level = self.tables[table].node.table.next_level
        return level.no if level is not None else 0

    def left(self) -> int:
        """Seconds left on the clock that everybody sees."""
        self.wait(0)
        clock = self.station.clock
        return (clock.left_ms - (self.station.now - clock.at if clock.running else 0)) // SECOND

    def play(self, table: str) -> None:
        """A hand in which everybody folds but one; who lost the blinds has chips still."""
        at = self.tables[table]
        at.press(Key.NEW_HAND)
        for _ in range(20):
            legal = at.view.legal
            if legal is None or not at.node.table.in_hand:
                break
            at.press(Key.FOLD)
        if at.node.table.in_hand:
            at.press(Key.POT_PUSHED)
        self.deliver()


# ------------------------------------------------------------------------------------------ no new hands


@pytest.mark.rule("ccp.timer.8")
def test_the_clock_stands_once_there_is_a_winner_and_the_walls_say_why() -> None:
    room = ClockRoom(players=3, tables=("01",))
    for player in ("p3", "p2"):
        assert room.on_the_wall.running
        room.do("forfeit", player=player, chips=room.entrant(player)["stack"], why="went home", anyway="asked to")
        room.wait(SECOND)
    assert room.shown["finished"]
    assert (room.on_the_wall.running, room.on_the_wall.note) == (False, "The event is over: p1 won")


def test_while_the_clock_is_stopped_no_table_begins_a_hand_and_one_in_progress_is_finished() -> None:
    room = ClockRoom()
    room.begin_hand("01")
    room.do("pause", why="a question")
    assert room.tables["01"].node.table.in_hand
    room.finish("01", winner=1, loser=0)
    for table in room.tables:
        assert room.tables[table].shown.no_hand == "The clock is stopped: no new hand begins"
        assert room.refusal(table) == ("The clock is stopped: no new hand begins", "ccp.timer.8")
        assert not room.tables[table].node.table.in_hand
    assert room.shown["control"]["rule"] == "ccp.timer.8"
    room.do("resume")
    for table in room.tables:
        assert room.tables[table].shown.no_hand == ""
        assert room.refusal(table) == ("", "")
        assert room.tables[table].node.table.in_hand


def test_where_the_book_says_nothing_hands_go_on_while_the_clock_stands() -> None:
    room = ClockRoom("wfp")
    room.do("pause")
    assert room.refusal("01") == ("", "")


@pytest.mark.rule("ccp.timer.8")
def test_no_hand_begins_in_a_break_until_it_is_over() -> None:
    room = ClockRoom()
    room.wait(40 * MINUTE - SECOND)
    room.begin_hand("01")
    room.wait(SECOND)
    assert room.tables["01"].node.table.in_hand
    assert room.refusal("02") == ("It is break: no hand begins", "ccp.timer.8")
    room.wait(10 * MINUTE)
    assert room.refusal("02") == ("", "")
    assert (room.level("01"), room.tables["02"].node.table.hand.level.no) == (3, 3)


def test_a_table_that_breaks_begins_no_hand_even_where_its_players_are_not_told_yet_to_leave() -> None:
    room = ClockRoom("wfp", players=6, tables=("01", "02", "03"))
    room.begin_hand("03")
    room.no_seats.add("03")
    room.do("break_table", table="03", anyway="the room closes it")
    room.finish("03", winner=1, loser=0)
    assert room.refusal("03")[0] == "The table breaks: no new hand begins"
    room.no_seats.clear()
    room.wait(20 * SECOND)
    assert room.tables["03"].sits == {}
    held = [who for table in ("01", "02") for who, _ in room.tables[table].sits.values()]
    assert sorted(held) == ["p1", "p2", "p3", "p4", "p5", "p6"]


@pytest.mark.rule("ccp.timer.7")
def test_the_clock_stops_for_a_table_that_calls_the_floor_and_goes_on_when_the_floor_has_been() -> None:
    room = ClockRoom()
    room.wait(5 * MINUTE)
    room.tables["02"].press(Key.FLOOR)
    room.deliver()
    assert not room.station.clock.running
    room.wait(3 * MINUTE)
    assert room.left() == 15 * 60
    assert room.refusal("01")[1] == "ccp.timer.8"
    room.tables["02"].press(Key.FLOOR)
    room.deliver()
    assert room.station.clock.running
    room.wait(MINUTE)
    assert room.left() == 14 * 60


@pytest.mark.rule("ccp.timer.7")
def test_a_dispute_that_the_director_opens_stops_the_clock_until_it_is_closed() -> None:
    room = ClockRoom()
    room.do("open_dispute", table="01", why="who raised")
    room.do("open_dispute", table="02", why="a string bet")
    room.do("close_dispute", dispute="dispute-1")
    assert not room.station.clock.running, "one is open still"
    room.do("close_dispute", dispute="dispute-2")
    assert room.station.clock.running


# -------------------------------------------------------------------------------------------- levels


@pytest.mark.rule("ccp.timer.2", "wfp.procedures.5", "rpl.tournaments.9")
@pytest.mark.parametrize("book", ["ccp", "wfp", "rpl"])
def test_a_hand_keeps_its_level_and_the_next_one_at_that_table_has_the_new_one(book: str) -> None:
    room = ClockRoom(book)
    room.wait(20 * MINUTE - SECOND)
    room.begin_hand("01")
    room.tables["01"].press(Key.FOLD)
    room.deliver()
    room.wait(2 * SECOND)
    assert room.tables["01"].node.table.hand.level.no == 1
    room.begin_hand("02")
    assert room.tables["02"].node.table.hand.level.no == 2
    room.finish("01", winner=0, loser=0)
    room.begin_hand("01")
    assert room.tables["01"].node.table.hand.level.no == 2


@pytest.mark.rule("ccp.timer.1")
def test_the_next_level_begins_with_no_gap() -> None:
    room = ClockRoom()
    room.wait(20 * MINUTE - SECOND)
    assert room.left() == 1
    room.wait(SECOND)
    assert (room.station.clock.level.no, room.left(), room.station.clock.running) == (2, 20 * 60, True)


@pytest.mark.rule("wfp.procedures.4", "rpl.tournaments.8")
@pytest.mark.parametrize("book", ["wfp", "rpl"])
def test_levels_advance_at_the_times_that_are_set(book: str) -> None:
    room = ClockRoom(book)
    seen = []
    for _ in range(5):
        clock = room.station.clock
        seen.append((room.station.now // MINUTE, "break" if clock.level.is_break else clock.level.no))
        room.wait(10 * MINUTE)
    assert [entry for _, entry in seen] == [1, 1, 2, 2, "break"]
    assert room.level("01") == 3, "level 3 begins after the break"


@pytest.mark.rule("wfp.decisions.9")
def test_a_level_that_runs_is_made_shorter_and_every_display_has_it() -> None:
    room = ClockRoom("wfp")
    room.wait(5 * MINUTE)
    room.do("edit_level", entry=0, minutes=12)
    assert (room.left(), room.station.clock.levels[0].minutes) == (7 * 60, 12)
    room.wait(7 * MINUTE)
    assert (room.level("01"), room.station.clock.level.no) == (2, 2)


@pytest.mark.rule("rpl.holdem.3")
def test_a_level_may_have_an_ante_beside_its_blinds_or_one_blind_alone() -> None:
    room = ClockRoom("rpl")
    room.do("edit_level", entry=0, small_blind=0, big_blind=100, ante=10)
    room.begin_hand("01")
    table = room.tables["01"].node.table
    posted = {(post.what.value, post.amount) for post in room.tables["01"].events if hasattr(post, "what")}
    assert {("ante", 10), ("big_blind", 100)} <= posted
    assert table.hand.level.small_blind == 0
    assert room.press("edit_level", entry=0, small_blind=200).refused, "above the big blind"


@pytest.mark.rule("ccp.schedule.1")
def test_the_display_lists_every_level_and_says_which_is_on() -> None:
    room = ClockRoom()
    clock = room.station.clock
    assert [(level.small_blind, level.big_blind) for level in clock.levels] == [
        (50, 100),
        (100, 200),
        (0, 0),
        (150, 300),
    ]
    assert (clock.level, clock.next_level) == (clock.levels[0], clock.levels[1])


def test_back_to_the_level_before_and_forward_again() -> None:
    room = ClockRoom()
    room.wait(21 * MINUTE)
    room.do("previous_level")
    assert (room.level("01"), room.left()) == (1, 20 * 60)
    assert room.press("previous_level").refused, "there is none before the first"
    room.do("next_level")
    assert room.level("01") == 2


def test_a_schedule_comes_as_the_text_of_a_file() -> None:
    room = ClockRoom()
    text = "level,small_blind,big_blind,ante,big_blind_ante,minutes,break\n1,50,100,0,0,30,\n2,75,150,0,0,30,\n"
    room.do("load_schedule", text=text)
    assert [level.big_blind for level in room.station.clock.levels] == [100, 150]
    assert room.tables["01"].node.table.schedule == room.station.clock.levels
    assert "line 2" in room.press("load_schedule", text=text.replace("30", "soon", 1)).text


# -------------------------------------------------------------------------------------------- breaks


@pytest.mark.rule("ccp.timer.5")
def test_a_break_is_skipped_or_shortened_when_all_active_players_agree() -> None:
    room = ClockRoom()
    room.wait(41 * MINUTE)
    refused = room.press("end_break", left_ms=60_000)
    assert (refused.refused, refused.rule) == (True, "ccp.timer.5")
    room.do("end_break", left_ms=60_000, agreed=True)
    assert room.left() == 60
    room.do("end_break", agreed=True)
    assert room.station.clock.level.no == 3
    assert room.refusal("01") == ("", "")


@pytest.mark.rule("ccp.timer.6")
def test_a_break_that_is_not_in_the_schedule_and_the_level_goes_on_behind_it() -> None:
    room = ClockRoom()
    room.wait(7 * MINUTE)
    room.do("take_break", minutes=5, what="a cake")
    assert (room.station.clock.level.what, room.left()) == ("a cake", 300)
    assert room.refusal("01")[0] == "It is break: no hand begins"
    room.wait(5 * MINUTE)
    assert (room.station.clock.level.no, room.left()) == (1, 13 * 60)
    assert room.refusal("01") == ("", "")


# ------------------------------------------------------------------------------------- hand for hand


@pytest.mark.rule("tda.RP-8")
def test_hand_for_hand_each_table_plays_one_hand_and_the_clock_is_charged_when_all_have() -> None:
    room = ClockRoom("rpl")
    room.begin_hand("01")
    room.do("set_hand_for_hand", on=True)
    assert "hand for hand" in room.refusal("02")[0].lower(), "table 01 is in its hand"
    room.finish("01", winner=0, loser=0)
    assert room.left() == 20 * 60, "hands that had begun are not charged"
    room.play("01")
    assert "hand for hand" in room.refusal("01")[0].lower()
    room.play("02")
    assert room.left() == 18 * 60, "two minutes a hand"
    room.wait(10 * MINUTE)
    assert room.left() == 18 * 60
    room.play("02")
    assert "hand for hand" in room.refusal("02")[0].lower()
    room.kill_station()
    assert "hand for hand" in room.refusal("02")[0].lower()
    room.play("01")
    assert room.left() == 16 * 60
    room.do("set_hand_for_hand", on=False)
    assert room.refusal("01") == ("", "")
    assert room.station.clock.running


# ------------------------------------------------------------------------------ a table with the clock


@pytest.mark.rule("ccp.commissioner.2")
def test_the_clock_is_stopped_at_the_station_and_at_a_table_that_it_is_left_to() -> None:
    room = ClockRoom()
    room.tables["02"].press("0", Key.TIME)
    room.deliver()
    assert room.station.clock.running, "nobody left it to that table"
    room.do("delegate_clock", table="02")
    room.tables["02"].press("0", Key.TIME)
    room.deliver()
    assert not room.station.clock.running
    assert room.refusal("01")[1] == "ccp.timer.8"
    room.kill_station()
    assert not room.station.clock.running
    room.tables["02"].press("0", Key.TIME)
    room.deliver()
    assert room.station.clock.running
    room.do("delegate_clock")
    room.tables["02"].press("0", Key.TIME)
    room.deliver()
    assert room.station.clock.running


# ---------------------------------------------------------------------------------- without a station


def test_while_the_station_is_silent_levels_and_breaks_begin_at_the_tables_by_their_schedule() -> None:
    room = ClockRoom()
    room.wait(19 * MINUTE)
    room.alone(MINUTE + 6 * SECOND)
    assert {room.level(table) for table in room.tables} == {2}
    room.alone(20 * MINUTE)
    assert room.refusal("01") == ("It is break: no hand begins", "ccp.timer.8")
    room.alone(10 * MINUTE)
    assert room.refusal("01") == ("", "")
    assert room.tables["01"].node.table.hand.level.no == 3


def test_the_station_comes_back_to_the_same_second_and_tables_were_where_it_is() -> None:
    room = ClockRoom()
    room.wait(13 * MINUTE + 7 * SECOND)
    room.dead(9 * MINUTE)
    assert (room.station.clock.level.no, room.left()) == (2, 20 * 60 - 2 * 60 - 8), "and the second of its start"
    assert {room.level(table) for table in room.tables} == {2}


def test_a_station_that_is_killed_while_the_clock_stands_comes_back_with_it_standing() -> None:
    room = ClockRoom()
    room.wait(MINUTE)
    room.do("pause")
    room.dead(7 * MINUTE)
    assert (room.station.clock.running, room.left()) == (False, 19 * 60)
    assert room.refusal("02")[1] == "ccp.timer.8"


# ---------------------------------------------------------------------------------- the event as a whole


def test_the_clock_does_not_run_before_cards_are_in_the_air() -> None:
    room = NightRoom()
    room.do("open", name="Friday")
    said = room.press("resume")
    assert (said.refused, said.text) == (
        True, "The event has not begun: its clock starts with *Cards in the air*.",
    )  # fmt: skip
    assert not room.station.clock.running


@pytest.mark.rule("wfp.procedures.33", "rpl.tournaments.35")
@pytest.mark.parametrize(("book", "rule"), [("wfp", "wfp.procedures.33"), ("rpl", "rpl.tournaments.35")])
def test_an_event_that_is_cancelled_deals_no_more_hands_and_its_clock_stands(book: str, rule: str) -> None:
    room = ClockRoom(book)
    room.do("cancel_event", why="the lights are out")
    assert not room.station.clock.running
    assert room.refusal("01") == ("The event is cancelled", rule)
    assert room.press("resume").refused


@pytest.mark.rule("wfp.procedures.24", "rpl.tournaments.26")
@pytest.mark.parametrize(("book", "rule"), [("wfp", "wfp.procedures.24"), ("rpl", "rpl.tournaments.26")])
def test_decks_are_changed_with_the_dealer_or_for_a_damaged_card_and_for_no_player(book: str, rule: str) -> None:
    room = ClockRoom(book)
    room.do("change_deck", table="01", reason="damaged_card")
    room.do("change_deck", table="01", reason="new_dealer")
    asked = room.press("change_deck", table="01", reason="player")
    assert (asked.refused, asked.rule) == (True, rule)


@pytest.mark.rule("home.start.1")
def test_at_eleven_the_clock_starts_by_itself() -> None:
    room = NightRoom()
    room.do("open", rulebook="home")
    starts = room.shown["starts"]
    assert starts % (24 * 60 * MINUTE) == 11 * 60 * MINUTE
    room.station.now = starts - 1_700_000_000_000 - 20 * MINUTE
    room.deliver()
    for no in range(1, 9):
        room.do("register", player=f"p{no}", member=True, adult=True)
        room.do("enter", player=f"p{no}")
    room.do("draw_seats", tables=list(room.tables))
    for table in room.tables:
        room.do("set_button", table=table)
    room.station.now = starts - 1_700_000_000_000 - 2 * SECOND
    room.deliver()
    room.wait(SECOND)
    assert not room.station.clock.running
    room.wait(SECOND)
    assert room.station.clock.running
    room.wait(15 * MINUTE)
    assert room.station.clock.left_ms <= 5 * MINUTE


# --------------------------------------------------------------------------------- what waits for a person


def items(room: NightRoom) -> dict[str, dict[str, Any]]:
    """What went wrong, by its kind; other items of the queue are not in it."""
    return {item["id"].partition("-")[0]: item for item in troubles(room)}


def troubles(room: NightRoom) -> list[dict[str, Any]]:
    room.wait(1_100)
    queue = msgspec.json.decode(room.station.pages["queue"])["items"]
    return [item for item in queue if item["id"].partition("-")[0] in AS_ITEM]


def test_a_table_that_is_silent_is_named_and_its_play_is_reconciled_when_it_is_back() -> None:
    room = ClockRoom("rpl")
    assert items(room) == {}
    room.cut.add("02")
    gone = topics.table(VENUE, "02", "status")
    room.station.give(Arrived(gone, encode(Status(online=False))))
    room.wait(11 * SECOND)
    assert (items(room)["silent"]["table"], "power" in items(room)["silent"]["do"]) == ("02", True)
    winner, loser, *_ = sorted(room.tables["02"].sits)
    player = room.tables["02"].sits[loser][0]
    room.all_in("02", winner=winner, loser=loser)
    assert room.shown["busts"] == []
    room.cut.clear()
    room.station.give(Arrived(gone, encode(Status(online=True))))
    room.deliver()
    assert [out["player"] for bust in room.shown["busts"] for out in bust["out"]] == [player]
    assert "silent" not in items(room)


def test_a_player_who_does_not_arrive_is_named_with_the_rack_and_what_to_do() -> None:
    room = ClockRoom("rpl")
    player = room.tables["01"].sits[min(room.tables["01"].sits)][0]
    room.deaf.add("02")
    room.do("confirm_move", player=player, to={"table": "02", "seat": 9}, why="to the other table")
    assert "not_arrived" not in items(room)
    room.wait(4 * MINUTE)
    item = items(room)["not_arrived"]
    assert player in item["fact"]
    assert "2,000" in item["fact"]
    assert "table 02" in item["do"]
    assert items(room)["no_answer"]["table"] == "02"
    room.deaf.clear()
    room.wait(20 * SECOND)
    assert items(room) == {}
    assert room.seat_of(player) == ("02", 9)


def test_a_full_disk_is_said_with_what_to_do_until_it_takes_records_again() -> None:
    room = ClockRoom("rpl")
    room.station.disk_full = True
    assert room.press("pause").refused
    assert "disk is full" in items(room)["disk"]["fact"]
    assert "Free space" in items(room)["disk"]["do"]
    assert room.station.clock.running
    room.station.disk_full = False
    room.wait(2 * SECOND)
    room.do("pause")
    assert "disk" not in items(room)


@pytest.mark.rule("home.suggest.c")
def test_every_half_hour_of_play_the_director_is_told_which_tables_want_another_deck() -> None:
    room = ClockRoom("home", starts=10 * MINUTE)
    room.wait(29 * MINUTE)
    assert "deck" not in items(room)
    room.wait(MINUTE)
    decks = [item for item in troubles(room) if item["kind"] == "deck"]
    assert [item["table"] for item in decks] == ["01", "02"]
    assert "30 minutes with its deck (home.suggest.c)" in decks[0]["fact"]
    room.do("change_deck", table="01", reason="rotation")
    assert [item["table"] for item in troubles(room) if item["kind"] == "deck"] == ["02"]
    room.wait(30 * MINUTE)
    assert [item["table"] for item in troubles(room) if item["kind"] == "deck"] == ["02", "01"], "the oldest first"


def test_killed_at_any_moment_of_an_hour_the_clock_is_where_it_would_have_been() -> None:
    random = Random(13)
    room, never = ClockRoom("rpl"), ClockRoom("rpl")
    presses = [("pause", {}), ("resume", {}), ("add_time", {"by_ms": 30_000}), ("next_level", {}), ("resume", {})]
    for _ in range(40):
        pause = random.randint(1, 200) * 100
        command, arguments = random.choice(presses) if random.random() < 0.3 else ("", {})
        for one in (room, never):
            if command:
                one.press(command, **arguments)
            one.station.now += pause
            one.deliver()
        room.kill_station()
        never.wait(SECOND)  # as the station that starts
        shown = [(one.station.clock.level.no, one.station.clock.running, one.left()) for one in (room, never)]
        assert shown[0] == shown[1]
        assert room.station.now == never.station.now
