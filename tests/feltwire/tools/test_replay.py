"""`feltwire replay`: recorded hands against their recorded finishing stacks."""

import json
from pathlib import Path
from typing import Any

import pytest

from feltwire.cli import main
from tests.table_core.histories.test_phh import HAND

SHARED = Path(__file__).parents[4] / "shared" / "hands"


def replay(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, list[dict[str, Any]]]:
    """Exit status and the JSON lines."""
    status = main(["replay", "--json", *args])
    return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_hand_that_ends_as_recorded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "1.phh"
    file.write_text(HAND)
    status, (hand, summary) = replay(capsys, str(tmp_path))
    assert status == 0
    assert hand == {
        "hand": str(file),
        "finishing_stacks": [1850, 850, 0],
        "expected": [1850, 850, 0],
        "equal": True,
        "pots": [{"amount": 1650, "winners": [1], "shares": [1650]}],
        "refused": None,
    }
    assert summary == {"hands": 1, "equal": 1, "different": 0, "refused": 0}


def test_a_difference_and_a_refusal_are_counted_and_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "2.phh").write_text(HAND.replace("[1850, 850, 0]", "[1849, 851, 0]"))
    (tmp_path / "10.phh").write_text(HAND.replace("cbr 60", "cbr 39"))
    status, (first, second, summary) = replay(capsys, str(tmp_path))
    assert status == 1
    assert (first["equal"], first["refused"]) == (False, None)
    assert second["refused"] == (f"{tmp_path / '10.phh'}:11: action 4 'p3 cbr 39': Raise to at least 40. (tda.43)")
    reasons = {"Raise to at least n. (tda.43)": 1}
    assert summary == {"hands": 2, "equal": 0, "different": 1, "refused": 1, "reasons": reasons}


def test_an_unreadable_hand_file_does_not_stop_the_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "1.phh").write_text("variant = 'NT'\n")
    (tmp_path / "2.phh").write_text(HAND)
    status, lines = replay(capsys, str(tmp_path))
    assert status == 1
    assert lines[0]["refused"].endswith("1.phh:1: 'starting_stacks' is missing from this hand")
    reasons = {"cannot be read": 1}
    assert lines[-1] == {"hands": 2, "equal": 1, "different": 0, "refused": 1, "reasons": reasons}


def test_a_hand_that_stops_in_the_middle_says_what_comes_next(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ends_early = HAND.split("  'd db 3h4h5s'")[0].replace("'p2 f',", "")
    (tmp_path / "1.phh").write_text(f"{ends_early}]\nfinishing_stacks = [1, 1, 1]\n")
    _, (hand, _) = replay(capsys, str(tmp_path))
    assert hand["refused"].endswith("Betting is not closed: seat 2 is to act. (wfp.showdown.4)")


@pytest.mark.parametrize("path", ["nowhere", "pyproject.toml", "feltwire"])
def test_paths_without_hands_are_wrong_calls(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    root = Path(__file__).parents[3]
    assert main(["replay", str(root / path)]) == 2
    assert path in capsys.readouterr().err


def test_an_unknown_rulebook_is_a_wrong_call(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(tmp_path), "--rulebook", "vegas"]) == 2
    assert "no rulebook 'vegas'" in capsys.readouterr().err


@pytest.mark.shared
def test_every_recorded_hand_ends_as_its_source_says(capsys: pytest.CaptureFixture[str]) -> None:
    status, lines = replay(capsys, str(SHARED / "wsop-2023-43"), str(SHARED / "pluribus"))
    assert lines[-1] == {"hands": 311, "equal": 311, "different": 0, "refused": 0}
    assert status == 0
