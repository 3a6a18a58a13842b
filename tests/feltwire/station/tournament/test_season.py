"""The league's season at the station: results in, the standing and the final out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from feltwire.ledger.season_file import SeasonFile
from feltwire.station.station_io import SheetMade, SheetWanted
from table_core.tournament.money.league import EventResult, Finisher
from table_core.tournament.sheet_text import Sheet
from tests.feltwire.night_room import NightRoom

POINTS = [*range(12, 0, -1)]


def played(players: int, *, season: tuple[EventResult, ...] = (), **opened: Any) -> NightRoom:
    """An event under `rpl` that p1 wins: the others forfeit, the last one first."""
    room = NightRoom(("01",))
    room.station.season = season
    house = {"starting_stack": 2_000, "points_by_place": POINTS}
    room.do("open", rulebook="rpl", house=house, **opened)
    for no in range(1, players + 1):
        room.do("register", player=f"p{no}", member=True, adult=True)
        room.do("enter", player=f"p{no}")
    room.do("draw_seats", tables=["01"])
    room.do("set_button", table="01")
    room.do("start")
    for no in range(players, 1, -1):
        room.do("forfeit", player=f"p{no}", chips=2_000, why="went home", anyway="asked to")
    assert room.shown["finished"]
    return room


def rows(room: NightRoom, name: str) -> list[dict[str, Any]]:
    effects = room.station.give(SheetWanted("1", name))
    (made,) = [effect for effect in effects if isinstance(effect, SheetMade)]
    sheet = msgspec.json.decode(made.sheet, type=Sheet)
    return [dict(zip(sheet.columns, row, strict=True)) for row in sheet.rows]


def result(event: str, *places: str) -> EventResult:
    return EventResult(event, max(7, len(places)), tuple(Finisher(p, no) for no, p in enumerate(places, 1)))


def test_an_event_is_added_once_it_is_over_and_once_only() -> None:
    room = played(7, name="Friday")
    room.do("add_result")
    refused = room.press("add_result")
    assert "has an event 'Friday'" in refused.text
    assert [(one["player"], one["points"], one["wins"]) for one in rows(room, "season")][:2] == [
        ("p1", 12, 1),
        ("p2", 11, 0),
    ]
    room.kill_station()
    assert len(rows(room, "season")) == 7
    room.do("remove_result", event="Friday")
    assert rows(room, "season") == []


def test_an_event_that_was_taken_out_is_put_back_where_it_was() -> None:
    season = (result("one", "p1", "p2"), result("two", "p2", "p1"))
    room = played(7, season=season, name="three")
    room.do("remove_result", event="one", seen=room.shown["no"])
    assert [one["event"] for one in rows(room, "season_events")] == ["two"]
    assert room.press("remove_result", event="one").refused
    room.kill_station()
    assert room.shown["league"]["removed"] == ["one"]
    room.do("restore_result", event="one")
    assert [one["event"] for one in room.shown["league"]["season_events"]] == ["one", "two"]
    assert room.shown["league"]["removed"] == []
    assert room.press("restore_result", event="one").refused


def test_a_name_that_was_taken_out_may_be_used_again_and_then_not_be_put_back() -> None:
    room = played(7, name="Friday")
    room.do("add_result")
    room.do("remove_result", event="Friday")
    room.do("add_result")
    assert room.press("restore_result", event="Friday").refused
    assert len(rows(room, "season_events")) == 1


@pytest.mark.rule("rpl.league.9")
def test_rpl_an_event_of_six_gives_no_points_and_the_answer_says_so() -> None:
    room = played(6, name="Friday")
    assert "too few for points" in room.do("add_result")
    assert {one["points"] for one in rows(room, "season")} == {0}


def test_an_event_that_is_not_over_is_not_added() -> None:
    room = NightRoom(("01",))
    room.do("open", rulebook="rpl", house={"starting_stack": 2_000})
    assert room.press("add_result").refused


@pytest.mark.rule("rpl.toc.1", "rpl.toc.2", "rpl.toc.4", "rpl.toc.8")
def test_rpl_three_wins_of_one_player_give_two_more_seats_by_score_and_seats_are_the_chart_s() -> None:
    others = [f"q{no}" for no in range(1, 10)]
    season = (result("one", "p1", *others), result("two", "p1", *others))
    room = played(7, season=season, name="three")
    room.do("add_result")
    final = rows(room, "final")
    assert [one["player"] for one in final if one["how"] == "winner"] == ["p1"]
    assert [one["player"] for one in final if one["how"] == "score"] == [f"q{no}" for no in range(1, 9)]
    assert [one["seat"] for one in final[:4]] == ["T1S1", "T2S1", "T1S5", "T2S5"]


@pytest.mark.rule("rpl.toc.3", "rpl.toc.7")
def test_rpl_a_declined_seat_goes_to_the_next_and_the_last_chance_is_for_who_played_twice() -> None:
    names = [f"q{no}" for no in range(1, 11)]
    room = played(7, season=(result("one", *names), result("two", *names)), name="three")
    said = room.do("show_final", declined=["q2"])
    assert "q2, by score" not in said
    assert "q9, by score" in said, "q1 won both events: seven seats by score, from q3 on"
    assert "q10, may play the last chance" in said
    refused = room.press("add_result", last_chance=True)
    assert (refused.refused, refused.rule) == (True, "rpl.toc.7"), "p1 and the others never played before"


def test_a_season_outlives_the_process_in_a_file_that_feltwire_season_reads(tmp_path: Path) -> None:
    file = SeasonFile(tmp_path / "season.jsonl")
    file.keep((result("one", "p1", "p2"),))
    assert SeasonFile(tmp_path / "season.jsonl").results == file.results
    (tmp_path / "season.jsonl").write_text("no event\n")
    broken = SeasonFile(tmp_path / "season.jsonl")
    assert broken.unread.words == ("season.jsonl: line 1 cannot be read. The standing lacks this event.",)
    broken.keep((result("one", "p1", "p2"),))
    assert (tmp_path / "season.jsonl").read_text().startswith("no event\n"), "it stays for whoever mends it"


# ------------------------------------------------------------------------------------ formula, statistics


def test_points_by_a_formula_that_a_person_typed_hold_over_a_restart() -> None:
    room = played(8, name="Friday")
    room.do("add_result")
    assert room.do("set_points", formula="10 * sqrt(entrants) / place") == (
        "The league's points are 10 * sqrt(entrants) / place."
    )
    wanted = [("p1", 28), ("p2", 14), ("p3", 9)]
    assert [(one["player"], one["points"]) for one in rows(room, "season")][:3] == wanted
    room.kill_station()
    assert [(one["player"], one["points"]) for one in rows(room, "season")][:3] == wanted
    assert room.do("set_points", formula="") == "The league's points are the book's."
    assert rows(room, "season")[0]["points"] == 12


def test_a_formula_that_is_none_is_refused_at_its_field() -> None:
    room = played(3)
    reply = room.press("set_points", formula="10 / players")
    assert (reply.refused, reply.about) == (True, "formula")
    assert reply.text == "players is unknown at character 6: write entrants, knockouts, paid, place or won."


def test_a_season_has_money_and_knock_outs_of_the_events_that_were_played_here() -> None:
    room = NightRoom(("01",))
    room.station.season = (result("elsewhere", "p2", "p1"),)
    house = {"starting_stack": 2_000, "points_by_place": POINTS, "buy_in": 50, "payouts": [60, 40]}
    room.do("open", rulebook="rpl", house=house, name="Friday")
    for no in range(1, 9):
        room.do("register", player=f"p{no}", member=True, adult=True)
        room.do("enter", player=f"p{no}")
    room.do("draw_seats", tables=["01"])
    room.do("set_button", table="01")
    room.do("start")
    room.play_to_the_end()
    assert {one.tournament for one in room.station.played} == {"t1"}
    room.do("add_result")
    lines = {one["player"]: one for one in rows(room, "statistics")}
    assert sum(one["knockouts"] for one in lines.values()) == 7
    assert sum(one["paid"] for one in lines.values()) == 400
    assert all(one["profit"] == one["won"] - one["paid"] for one in lines.values())
    assert lines["p1"]["played"] == 2
    room.do("close_event", anyway="prizes are paid tomorrow")
    assert [one.event for one in room.station.played] == ["Friday"]


def test_the_result_of_an_event_goes_when_its_end_is_taken_back() -> None:
    room = played(3, name="Friday")
    assert [one.event for one in room.station.played] == ["Friday"]
    room.do("undo", record=room.shown["no"])
    assert room.station.played == ()
