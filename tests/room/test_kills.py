"""kill -9 under load: the hand goes on, nothing is lost. Hundreds of them: `python -m tests.room.kills`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest

from tests.room import kills
from tests.room.killing import TARGETS, Kill, Outcome, judge, perform, plan_kills
from tests.room.moments import MOMENTS
from tests.room.open_room import OpenRoom
from tests.room.points import POINTS, RANDOM

# At moments of a hand, at named calls of the process, and at any time; a real mosquitto carries the room.
WHEN = [
    ("table", "typing"),
    ("table", "written, not synced"),
    ("station", "half a page written"),
    ("station", RANDOM),
    ("mosquitto", "half a message sent"),
    ("relay", "half the cards are logged"),
]


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """One room in which processes are killed one after the other."""
    todo = [Kill(no, target, moment, skip=no % 2) for no, (target, moment) in enumerate(WHEN, 1)]
    folder = tmp_path_factory.mktemp("kills") / "room"
    with OpenRoom(folder, seed=3, mosquitto=True, mortal=True) as room:
        return judge(room, list(perform(room, todo)))


@pytest.mark.room
@pytest.mark.mosquitto
@pytest.mark.timeout(1800)
@pytest.mark.slow("six kills in a real room, whose hands are played to their end")
def test_whatever_is_killed_in_mid_hand_is_back_and_nothing_is_lost(outcome: Outcome) -> None:
    """Ledgers, pages, devices, released cards and the perfect observer agree (see `judge`)."""
    assert outcome.wrong == ()
    assert [(one.kill.target, one.kill.moment) for one in outcome.killed] == WHEN


@pytest.mark.room
@pytest.mark.mosquitto
@pytest.mark.timeout(1800)
def test_cards_of_killed_hands_are_released_and_keep_their_promises(outcome: Outcome) -> None:
    assert outcome.released > 0


# -------------------------------------------------------------------------------------------- the command


@pytest.mark.parametrize("target", TARGETS)
def test_every_process_dies_at_every_moment_and_named_call_and_half_of_the_times_at_any(target: str) -> None:
    plan = plan_kills(TARGETS, 60, seed=7)
    when = Counter(kill.moment for kill in plan if kill.target == target)
    assert set(when) == {*MOMENTS, *POINTS.get(target, ()), RANDOM}
    assert sum(when.values()) == 60
    assert when.pop(RANDOM) == 30
    assert max(when.values()) - min(when.values()) <= 1
    assert plan == plan_kills(TARGETS, 60, seed=7) != plan_kills(TARGETS, 60, seed=8)


def test_a_run_is_resumed_where_its_report_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The rooms are stood in for: each does every kill that it is given."""
    given: list[list[int]] = []

    def rooms(todo: list[Kill], folder: Path, **_: object) -> list[Outcome]:
        given.append([kill.no for kill in todo])
        return [Outcome(tuple(kills.Killed(kill, 1, 1, 0.1) for kill in todo), (), 1, 1, 1, 1, 1, 0, 0, 0)]

    monkeypatch.setattr(kills, "kill_in_rooms", rooms)
    report = tmp_path / "kills.json"
    call = ["--each", "2", "--targets", "table,station", "--report", str(report)]
    assert kills.main([*call, "--limit", "3"]) == 0
    assert not msgspec.json.decode(report.read_bytes(), type=kills.Report).finished
    assert kills.main([*call, "--resume"]) == 0
    assert msgspec.json.decode(report.read_bytes(), type=kills.Report).finished
    assert given == [[1, 2, 3], [4]]
    assert "4 of 4 kills" in capsys.readouterr().out


def test_shards_share_out_the_kills() -> None:
    plan = plan_kills(TARGETS, 5, seed=1)
    parts = [kills.shard_of(plan, (part, 3)) for part in (1, 2, 3)]
    assert sorted((kill for part in parts for kill in part), key=lambda kill: kill.no) == plan
