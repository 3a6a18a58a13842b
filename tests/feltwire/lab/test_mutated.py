"""A share of `python -m tests.mutated`: nothing raises, no 5xx, and what is invalid changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutated.campaign import BLOCK, Campaign, Report


@pytest.mark.parametrize("door", ["bus", "http", "serial"])
def test_no_mutated_message_request_or_frame_changes_what_it_may_not(tmp_path: Path, door: str) -> None:
    report = Report(seed=10, count=BLOCK, shard="1/1", doors=door)
    campaign = Campaign(report, tmp_path)
    for block in campaign.blocks():
        campaign.run(block)
    campaign.close()
    assert report.cases == {door: BLOCK}
    assert report.invalid > BLOCK / 4, "most of them may change nothing"
    assert not report.findings


def test_a_hole_in_a_door_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relay that believes every signature."""
    monkeypatch.setattr("feltwire.relay.followed.signed_by", lambda *_: True)
    report = Report(seed=2, count=2 * BLOCK, shard="1/1", doors="bus")
    campaign = Campaign(report, tmp_path)
    for block in campaign.blocks():
        campaign.run(block)
    campaign.close()
    assert any(finding.what.startswith("changed relay's") for finding in report.findings)
