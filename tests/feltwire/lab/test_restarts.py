"""A share of `python -m tests.restarts`: what a door took is borne by every start after it."""

from __future__ import annotations

from pathlib import Path

import pytest

from feltwire.ledger.tournament_ledger import TournamentLedger
from tests.restarts.campaign import Campaign, Report
from tests.restarts.doors import OF_THE_DIRECTOR, PRESSES
from tests.restarts.hall import Hall, held, killed, started
from tests.restarts.nights import press


@pytest.mark.slow("a night, three kills, each with a start from disk and one from a backup")
def test_what_the_doors_took_ends_no_start_and_is_not_lost(tmp_path: Path) -> None:
    report = Report(seed=4, count=60, shard="1/1")
    campaign = Campaign(report, tmp_path)
    campaign.run(0)
    campaign.close()
    assert (sum(report.cases.values()), report.restarts, report.backups) == (60, 3, 3)
    assert sum(report.accepted.values()) > 5
    assert not report.findings


def test_a_record_that_is_forgotten_is_found_with_the_press_that_made_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = Campaign(Report(seed=1, count=20, shard="1/1"), tmp_path)
    live = tmp_path / "live"
    live.mkdir()
    room = Hall(live, campaign._now)
    assert not campaign._give(room, press("open", rulebook="base"), 1)
    assert not campaign._give(room, press("register_new", name="Ann"), 2)
    real = TournamentLedger.records
    monkeypatch.setattr(TournamentLedger, "records", lambda self: [*real(self)][:-1])
    before, folder = killed(room, tmp_path / "aside")
    after, found = started(folder, campaign._now, before)
    assert after is not None
    assert any(one.startswith("lost: the tournament") for one in found)
    after.close()
    campaign.close()


def test_every_command_of_the_station_is_among_the_doors(tmp_path: Path) -> None:
    campaign = Campaign(Report(seed=1, count=20, shard="1/1"), tmp_path)
    (tmp_path / "live").mkdir()
    room = Hall(tmp_path / "live", campaign._now)
    assert room.station.node._director._commands.keys() <= OF_THE_DIRECTOR.keys() <= PRESSES.keys()
    assert held(room).keys() > {"the tournament", "the table's view", "people"}
    room.close()
    campaign.close()
