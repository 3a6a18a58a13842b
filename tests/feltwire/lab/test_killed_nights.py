"""What `tests.tournaments.kills` notices: a station that comes back with less than it knew."""

from __future__ import annotations

from typing import Any

import pytest

from feltwire.lab.night.story import read_story
from feltwire.lab.station.memory import MemoryStation
from tests.tournaments.kills import STORIES, killed_at, moments

STORY = read_story(STORIES / "ccp" / "c20-three-bust-in-one-hand.txt")


def test_a_station_that_is_killed_knows_the_same_afterwards() -> None:
    assert [wrong for at in moments(STORY) for wrong in killed_at(STORY, at)] == []


def test_a_disk_that_loses_the_last_record_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    killed = MemoryStation.killed

    def forgetful(self: MemoryStation, **options: Any) -> MemoryStation:
        self.records.pop()
        return killed(self, **options)

    monkeypatch.setattr(MemoryStation, "killed", forgetful)
    assert any("the tournament differs" in wrong for wrong in killed_at(STORY, moments(STORY)[-1]))
