"""What a press leads to can be read again: it is refused with words, or the station starts from it."""

from __future__ import annotations

from typing import Any

import pytest

from feltwire.lab.station.memory import MemoryStation
from feltwire.runtime.node_io import Reply
from table_core.messages import ClockState, decode
from table_core.notices import PenaltyKind
from table_core.tournament.events import OnFile
from tests.feltwire.station_room import config

HEAD = "level,small_blind,big_blind,ante,big_blind_ante,minutes,break,what"


def opened(**found: Any) -> MemoryStation:
    station = MemoryStation(config(), **found).up()
    assert not station.press("open", "open").refused
    return station


def starts_again(station: MemoryStation) -> None:
    """As after a kill, from what is on the disk; wall displays can read the clock."""
    again = station.killed().up()
    assert len(again.node.tournament.night.records) == len(station.records)
    decode(again.pages["clock"], ClockState)


def schedule(*lines: str) -> str:
    return "\n".join([HEAD, *lines])


def loaded(text: str) -> tuple[MemoryStation, Reply]:
    station = opened()
    before = len(station.records)
    reply = station.press("load_schedule", "load", text=text)
    assert reply.refused == (len(station.records) == before), "a refusal changes nothing"
    starts_again(station)
    return station, reply


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('0,0,0,0,0,15,break,"dinner\nat nine"', "line 3"),
        (f"0,0,0,0,0,15,break,{'x' * 201}", "line 3"),
        ("2,100,200,0,0,1200000,,", "line 3"),
        (f"2,{10**16},{2 * 10**16},0,0,20,,", "line 3"),
        (f"2,100,200,{10**13},0,20,,", "line 3"),
        (f"{2**60},100,200,0,0,20,,", "line 3"),
        ("0,0,0,0,0,100001,break,", "line 3"),
        ("0,0,0,0,0,nan,break,", "line 3"),
        ("0,0,0,0,0,inf,break,", "line 3"),
    ],
)
def test_a_schedule_that_no_record_can_hold_is_refused_with_its_line(line: str, words: str) -> None:
    _, reply = loaded(schedule("1,50,100,0,0,20,,", line))
    assert reply.refused
    assert words in reply.text


def test_a_schedule_of_three_thousand_levels_is_refused() -> None:
    _, reply = loaded(schedule(*(f"{no},{no},{2 * no},0,0,20,," for no in range(1, 3_001))))
    assert reply.refused
    assert "3,000" in reply.text


def test_the_longest_schedule_reaches_clocks_and_tables() -> None:
    name = "é" * 60
    lines = [f"{no},{10**12},{10**12},{10**12},{10**12},10079.99,,{name}" for no in range(1, 301)]
    station, reply = loaded(schedule(*lines))
    assert not reply.refused, reply.text
    assert len(decode(station.pages["clock"], ClockState).levels) == 300


@pytest.mark.parametrize("by_ms", [2**70, 2**53, -(2**70), 10**15])
def test_time_that_no_clock_shows_is_not_added(by_ms: int) -> None:
    station = opened()
    assert station.press("add_time", "more", by_ms=by_ms).refused
    starts_again(station)


def test_a_reason_as_long_as_can_be_sent_is_refused_or_read_again() -> None:
    station = opened()
    station.press("register_new", "new", name="Ann", member=True, adult=True)
    for no, length in enumerate((999, 1_000, 1_001, 3_993, 4_000, 4_001, 99_000)):
        before = len(station.records)
        reply = station.press("move_cash", f"press-{no}", player="p1", amount=100, why="w" * length)
        assert reply.refused == (len(station.records) == before) == (length > 1_000), reply.text
    starts_again(station)


@pytest.mark.parametrize(
    "house",
    [
        {"points_by_place": list(range(1_200, 0, -1))},
        {"payout_stakes": [[1] * 1_200]},
        {"seat_prizes": [[1, "a seat " * 700]]},
        {"meals": [["19:30" * 1_000, 30]]},
        {"first_level": [2**70, 1]},
    ],
)
def test_a_setting_that_no_record_can_hold_is_refused_by_its_name(house: dict[str, Any]) -> None:
    station = MemoryStation(config()).up()
    reply = station.press("open", "open", house=house)
    assert reply.refused
    assert str(*house) in reply.text
    assert not station.records


def test_an_event_is_opened_with_all_the_penalties_on_file() -> None:
    on_file = [
        OnFile(f"player-{no}", "2026-01-01", PenaltyKind.BANNED, "threatened a dealer with a chair " * 3, "tda.71")
        for no in range(1_500)
    ]
    station = opened(on_file=on_file)
    starts_again(station)
    assert len(station.node.tournament.night.state.penalties.on_file) == 1_500
