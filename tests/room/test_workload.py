"""What a dealer does for the table: a share of `python -m tests.workload`, in given time.

The aims are those of real-tables.md, 12. Nothing here depends on how fast the machine is.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.workload import report, self_dealt
from tests.workload.people import Odds
from tests.workload.shift import DEVICE_SETS, Shift, Workload

HANDS = 24


def workload(runtime: Path, devices: str, *, seed: int = 7, odds: Odds | None = None) -> Workload:
    return Shift(DEVICE_SETS[devices], runtime, seed=seed, odds=odds).deal(hands=HANDS)


@pytest.fixture(scope="module")
def with_all(tmp_path_factory: pytest.TempPathFactory) -> Workload:
    return workload(tmp_path_factory.mktemp("all"), "all")


def test_with_all_devices_the_dealer_hardly_presses(with_all: Workload) -> None:
    costs = report.figures(with_all)
    assert costs["hands"] == HANDS
    assert costs["actions per hand"] > 9, "hands that are played, not folded round"
    assert costs["presses per action"] <= 1
    assert costs["presses for a fold"] == 0
    assert 0 < costs["keys per nine-handed hand"] <= 8


def test_with_all_devices_the_game_hardly_waits(with_all: Workload) -> None:
    assert 0 < report.figures(with_all)["seconds added per hand"] <= 3


def test_with_all_devices_clean_hands_are_known_whole_and_raise_no_question(with_all: Workload) -> None:
    costs = report.figures(with_all)
    # Two boards: a card not read whose burn was not seen before it left the shoe; the shoe does not say it (0018).
    assert costs["hands fully known"] >= HANDS - 2, report.unknown(with_all)
    # One of them: who won, where the camera sees one face of a hand; the shoe does not say the other (0018).
    # In five hours they are 1.6 an hour.
    assert costs["questions per hour"] <= 3
    assert costs["hands after which the director set the seats"] == 0


@pytest.mark.parametrize("devices", ["keys", "shoe+keys", "all"])
def test_a_wrong_press_is_taken_back_by_one_press(tmp_path: Path, devices: str) -> None:
    costs = report.figures(workload(tmp_path, devices, odds=Odds(slip=0.4)))
    assert costs["wrong presses"] > 10
    assert costs["wrong presses mended by one UNDO"] == costs["wrong presses"]


def test_with_keys_alone_a_hand_needs_no_question_and_no_more_than_a_press_an_action(tmp_path: Path) -> None:
    keys = workload(tmp_path, "keys", odds=Odds(slip=0.0))
    costs = report.figures(keys)
    assert 0.5 < costs["presses per action"] <= 0.8
    assert 0 < costs["seconds added per hand"] <= 3
    assert costs["questions per hour"] == 0
    assert costs["refused presses per hour"] == 0
    assert costs["hands after which the director set the seats"] == 0
    assert set(report.unknown(keys)) == {"board not read"}, "every action is known"


def test_a_dealer_who_keys_every_act_at_once_is_understood_as_well(tmp_path: Path) -> None:
    keys = workload(tmp_path, "every-key", odds=Odds(slip=0.0))
    assert report.figures(keys)["presses for a fold"] == 1
    assert report.figures(keys)["questions per hour"] == 0
    assert set(report.unknown(keys)) == {"board not read"}, "every action is known"


def test_with_nobody_pressing_nothing_is_made_up_and_nobody_is_asked_again_and_again(tmp_path: Path) -> None:
    nobody = workload(tmp_path, "nobody")
    costs = report.figures(nobody)
    assert sum(len(cost.effort.strokes) for cost in nobody.hands) == 0
    asked = [kind for cost in nobody.hands for kind in cost.asked]
    assert len(asked) <= 1
    assert costs["notices per hour"] == 0


def test_a_self_dealt_table_with_two_decks_raises_no_alarm(tmp_path: Path) -> None:
    found = self_dealt.deal(tmp_path, hands=HANDS, seed=7)
    assert found.alarms == {}
    assert found.done["stray cards of the idle deck"] > HANDS
    assert found.done["stub out"] > HANDS / 2
    assert found.done["reshuffles in mid-hand"] == 1
    assert sum(cost.fully_known for cost in found.hands) == HANDS
