"""Penalties that outlive an event: who is banned, suspended or out for the day is not let into the next one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from feltwire.station.players_store import PlayersStore
from tests.feltwire.night_room import NightRoom

MONDAY, TUESDAY, WEDNESDAY = "2026-11-23", "2026-11-24", "2026-11-25"
NEWCOMER = {"member": True, "adult": True}


class Club:
    """A club's evenings at one station after the other; `players.db` is copied along."""

    def __init__(self, folder: Path, book: str) -> None:
        self.store, self.book, self.evenings = PlayersStore.open(folder), book, 0
        self.room: NightRoom

    def evening(self, day: str) -> NightRoom:
        self.keep()
        self.evenings += 1
        self.day = day
        self.room = NightRoom(on_file=self.store.on_file(f"evening-{self.evenings}"))
        self.room.do("open", rulebook=self.book, day=day, house={"starting_stack": 2_000})
        self.keep()
        return self.room

    def keep(self) -> None:
        """What the station's process writes."""
        if self.evenings:
            self.store.file(f"evening-{self.evenings}", self.day, self.room.station.filed)

    def enters(self, player: str) -> str:
        """The rule by which the player is not let in; empty for who is."""
        answer = self.room.press("register", player=player, **NEWCOMER)
        assert answer.refused == bool(answer.rule), answer
        return answer.rule

    def penalty(self, player: str, reason: str, **more: Any) -> str:
        """What the player got."""
        self.room.do("enter", player=player)
        self.room.do("give_penalty", player=player, reason=reason, **more)
        given: str = self.room.shown["penalties"][player][-1]["kind"]
        return given


@pytest.mark.parametrize(
    ("book", "reason", "kind", "rule"),
    [
        pytest.param(*row, marks=pytest.mark.rule(rule), id=rule)
        for rule, row in {
            "ccp.conduct.7": ("ccp", "weapon", "banned", "ccp.conduct.6"),
            "ccp.conduct.9": ("ccp", "cheating", None, "ccp.conduct.9"),
            "wfp.infractions.1": ("wfp", "fraud", None, "wfp.infractions.1"),
            "wfp.infractions.3c": ("wfp", "cheating", "membership_revoked", "wfp.infractions.4q"),
            "wfp.decisions.15": ("wfp", "promoting rivals", None, "wfp.decisions.15"),
            "wfp.decisions.10": ("wfp", "side betting", None, "wfp.decisions.10"),
            "wfp.preamble.4": ("wfp", "gambling or soliciting", None, "wfp.preamble.4"),
        }.items()
    ],
)
def test_who_is_banned_is_put_out_now_and_kept_out_ever_after(
    tmp_path: Path, book: str, reason: str, kind: str | None, rule: str
) -> None:
    club = Club(tmp_path, book)
    club.evening(MONDAY)
    assert club.enters("Al") == ""
    club.penalty("Al", reason, **({"kind": kind} if kind else {}))
    assert club.room.entrant("Al")["status"] == "out"
    for day in (MONDAY, TUESDAY, WEDNESDAY):
        club.evening(day)
        assert club.enters("Al") == rule
        assert club.enters("Bea") == ""


@pytest.mark.rule("wfp.infractions.3a")
def test_who_is_out_for_the_day_may_not_play_a_second_event_of_it(tmp_path: Path) -> None:
    club = Club(tmp_path, "wfp")
    club.evening(MONDAY)
    club.enters("Al")
    assert club.penalty("Al", "profanity", kind="out_for_day") == "out_for_day"
    club.evening(MONDAY)
    assert club.enters("Al") == "wfp.infractions.4s"
    club.evening(TUESDAY)
    assert club.enters("Al") == ""


@pytest.mark.rule("wfp.infractions.3a")
def test_minor_infractions_count_through_the_events_of_one_day(tmp_path: Path) -> None:
    club = Club(tmp_path, "wfp")
    kinds = []
    for day in (MONDAY, MONDAY, TUESDAY):
        club.evening(day)
        club.enters("Al")
        kinds.append(club.penalty("Al", "profanity"))
    assert kinds == ["warning", "time_out", "warning"]


@pytest.mark.rule("wfp.decisions.13")
def test_the_second_time_that_chips_are_pocketed_is_a_ban_years_later_too(tmp_path: Path) -> None:
    club = Club(tmp_path, "wfp")
    club.evening("2025-01-01")
    club.enters("Al")
    assert club.penalty("Al", "pocketing chips") == "out"
    club.evening(MONDAY)
    assert club.enters("Al") == "", "the first time is for that event only"
    assert club.penalty("Al", "pocketing chips") == "banned"
    club.evening(TUESDAY)
    assert club.enters("Al") == "wfp.decisions.13"


@pytest.mark.rule("ccp.absent.1")
def test_who_never_came_misses_every_event_of_the_next_date_and_no_other(tmp_path: Path) -> None:
    club = Club(tmp_path, "ccp")
    room = club.evening(MONDAY)
    for player in ("Al", "Bea", "Cem"):
        club.enters(player)
        room.do("enter", player=player)
    room.do("draw_seats", tables=["01"])
    room.do("leave", player="Al")
    room.do("start")
    room.wait(21 * 60_000)
    assert [one["player"] for one in room.shown["proposals"]["absences"]] == ["Al"]
    room.do("forfeit", player="Al", chips=2_000, why="never came")
    for day, rule in ((MONDAY, ""), (WEDNESDAY, "ccp.absent.1"), (WEDNESDAY, "ccp.absent.1"), ("2026-12-01", "")):
        club.evening(day)
        assert club.enters("Al") == rule, day


def test_a_penalty_that_is_taken_back_is_not_on_file_and_a_deleted_name_takes_its_penalties_along(
    tmp_path: Path,
) -> None:
    club = Club(tmp_path, "wfp")
    room = club.evening(MONDAY)
    for player in ("Al", "Bea"):
        club.enters(player)
        assert club.penalty(player, "fraud") == "banned"
    room.do("undo", record=room.shown["log"][0]["no"])
    room.kill_station()
    club.keep()
    assert [one.player for one in club.store.on_file()] == ["Al"]
    assert PlayersStore.open(tmp_path).on_file() == club.store.on_file()
    club.store.save("Al", "")
    assert club.store.on_file() == ()
    club.keep()  # the event's records still have it
    assert club.store.on_file() == ()
    assert b"fraud" not in (tmp_path / "players.db").read_bytes()
