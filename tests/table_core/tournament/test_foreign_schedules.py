"""Blind schedules as other clocks, spreadsheets and The Tournament Director 3 write them."""

from __future__ import annotations

import pytest

from table_core.messages import Chips, Level
from table_core.tournament.clock import ScheduleError
from table_core.tournament.schedule_text import find_schedule, read_schedule

FIRST = (
    Level(1, Chips(25), Chips(50), minutes=20),
    Level(0, Chips(0), Chips(0), minutes=10, is_break=True),
    Level(2, Chips(1_000), Chips(2_000), Chips(200), minutes=20),
)


@pytest.mark.parametrize(
    "text",
    [
        "Level,Small Blind,Big Blind,Ante,Duration\n1,25,50,0,20\nBreak,,,,10\n2,1000,2000,200,20\n",
        "LVL;SB;BB;Ante;Min\n1;25;50;-;20 min\nBREAK;;;;10 min\n2;1.000;2.000;200;20 min\n",
        "Round\tBlinds\tTime\n1\t25/50\t20:00\nBreak\t\t10:00\n2\t1k / 2k (200)\t0:20\n",
        'Type,Small,Big,Antes,Minutes,Players\nLevel,25,50,,20,\nBreak,,,,10,\nLevel,"1,000","2 000",200,20,\n',
        "Is Break,blinds,ante,length\nno,25-50,,0:20\nyes,,,00:10:00\nno,1000-2000,200,00:20:00\n",
    ],
)
def test_a_schedule_is_the_same_whatever_its_columns_are_called(text: str) -> None:
    assert read_schedule(text) == FIRST


def test_what_a_break_is_called_is_kept() -> None:
    levels = read_schedule("level,sb,bb,minutes\n1,25,50,20\nDinner break,,,60\n2,50,100,1.5h\n")
    assert [(level.what, level.minutes) for level in levels] == [("", 20), ("Dinner break", 60), ("", 90)]


def test_what_is_not_taken_over_is_said_and_a_station_takes_no_such_file() -> None:
    text = "level,sb,bb,minutes,rebuys,notes,colour\n1,25,50,20,yes,,\n"
    assert find_schedule(text).unread == ("rebuys",)
    with pytest.raises(ScheduleError, match="'rebuys' is nothing of a schedule here"):
        read_schedule(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("level,sb,small blind,minutes\n1,25,50,20\n", "line 1: 'sb' and 'small blind' are both the small blind"),
        ("level,blinds,minutes\n1,25,20\n", "line 2: blinds '25': expected 25/50"),
        ("level,sb,bb,time\n1,25,50,1:30\n", "line 2: 1:30: write the length in minutes"),
        ("level,sb,bb,time\n1,25,50,soon\n", "line 2: minutes 'soon' is no number"),
        ("level,sb,bb,time\n1,-25,50,20\n", "line 2: small_blind is below 0"),
        ("level,sb,bb,time\n1,2.5,50,20\n", "line 2: small_blind '2.5' is no whole number"),
        ("\n", "no level to play"),
    ],
)
def test_a_wrong_cell_is_named_with_its_line(text: str, said: str) -> None:
    with pytest.raises(ScheduleError, match=said.replace("(", r"\(")):
        find_schedule(text)


def tdt(*rounds: str) -> str:
    """As version 3.7.2 writes a tournament's schedule."""
    return f'{{ V: "3.7.2", T: new Tournament({{Levels: new GameLevels({{Levels: [{", ".join(rounds)}]}})}})}}'


def played(small: int, big: int, ante: int, more: str = "GameType: 2, Limits: [0, 0]") -> str:
    tokens = "Tokens: new TokenOverrides({Tokens: Map.from([])})"
    blinds = f"SmallBlind: {small}, BigBlind: {big}, Ante: {ante}"
    return f'new GameRound({{Minutes: 20, {blinds}, GameName: "Texas Hold \'Em", {tokens}, {more}, Notes: ""}})'


def test_the_tournament_directors_schedule_is_taken_over() -> None:
    pause = 'new GameBreak({Minutes: 10, ChipUp: false, Notes: ""})'
    assert read_schedule(tdt(played(25, 50, 0), pause, played(1_000, 2_000, 200))) == FIRST


def test_what_its_schedule_says_beyond_ours_is_named() -> None:
    found = find_schedule(
        tdt(
            played(25, 50, 0, "GameType: 7, Limits: [2, 4]"),
            'new GameBreak({Minutes: 10, ChipUp: true, Notes: "pizza"})',
            played(50, 100, 0),
        )
    )
    assert [level.what for level in found.levels] == ["", "colour-up", ""]
    assert found.unread == ("GameType", "Limits", "Notes")


@pytest.mark.parametrize(
    ("rounds", "said"),
    [
        ((), "no level to play"),
        (
            (played(25, 50, 0).replace("25", "2.5"),),
            "entry 1 of the schedule: SmallBlind '2.5' is no whole number",
        ),
        ((played(25, 50, 0).replace("25", '"x"'),), "entry 1 of the schedule: SmallBlind 'x' is no whole number"),
        ((played(25, 50, 0).replace("Minutes: 20", "Minutes: -1"),), "entry 1 of the schedule: -1 minutes"),
    ],
)
def test_a_wrong_entry_of_it_is_named(rounds: tuple[str, ...], said: str) -> None:
    with pytest.raises(ScheduleError, match=said):
        find_schedule(tdt(*rounds))
