"""`feltwire vision chips` and `enrol` from the outside: what they print, and how they end."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from feltwire.cli import main
from tests.vision.chips.chip_pictures import BLUE, PURPLE, RED, WHITE, in_a_row, picture
from vision.synthetic.chips.picture import ChipStack

TELLS = {"colour", "value", "count", "exact", "low", "high", "at"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    cv2.imwrite(str(tmp_path / "row.png"), picture(in_a_row([WHITE, RED, BLUE, PURPLE])))
    cv2.imwrite(str(tmp_path / "bet.png"), picture(in_a_row([RED, BLUE, RED]), seed=7))
    (tmp_path / "broken.png").write_bytes((tmp_path / "bet.png").read_bytes()[:900])
    return tmp_path


def test_chips_are_taught_and_counted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    chips, seen = str(folder / "chips.toml"), folder / "seen"
    taught = ["vision", "enrol", str(folder / "row.png"), "--chips", "25,100,500,bounty", "--out", chips]
    assert main([*taught, "--annotate", str(seen)]) == 0
    assert "4 chips" in capsys.readouterr().out
    assert main(["vision", "chips", str(folder / "bet.png"), "--set", chips, "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    printed = json.loads(line)
    assert set(printed) == {"image", "chips", "why", "ms"}
    assert printed["why"] == ""
    assert all(set(each) == TELLS for each in printed["chips"])
    assert {(each["value"], each["count"], each["exact"]) for each in printed["chips"]} == {
        (100, 2, True),
        (500, 1, True),
    }
    assert all(len(each["at"]) == each["count"] for each in printed["chips"])
    assert (seen / "row.jpg").exists()


def test_without_a_set_chips_have_colours_and_no_value(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vision", "chips", str(folder / "bet.png")]) == 0
    assert "2 red, 1 blue" in capsys.readouterr().out


def test_drawn_scenes_of_chips_are_scored_by_condition(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vision", "score", "--rendered-chips", "9", "--shard", "9/9", "--json"]) == 0
    tags = json.loads(capsys.readouterr().out)["tags"]
    assert tags["all"]["cells"] == sum(tags["all"][verdict] for verdict in ("exact", "range", "unread", "misled"))
    assert tags["photo, set, bright"]["exact"] > 0
    assert {tag.split(",")[0] for tag in tags} == {"all", "photo", "zone", "bet", "odd"}


def test_what_is_withheld_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pile = [ChipStack(RED, 200, 150), ChipStack(RED, 224, 150), ChipStack(BLUE, 212, 168)]
    cv2.imwrite(str(tmp_path / "pile.png"), picture(pile))
    assert main(["vision", "chips", str(tmp_path / "pile.png"), "--annotate", str(tmp_path / "seen")]) == 0
    assert "withheld: no chip lies alone" in capsys.readouterr().out
    assert main(["vision", "chips", str(tmp_path / "pile.png"), "--json"]) == 0
    assert "alone" in json.loads(capsys.readouterr().out)["why"]
    plain, annotated = cv2.imread(str(tmp_path / "pile.png")), cv2.imread(str(tmp_path / "seen" / "pile.jpg"))
    changed = np.abs(plain[:40].astype(int) - annotated[:40]).max()
    assert changed > 100  # the reason stands at the top


def test_a_broken_picture_is_named_and_the_others_are_counted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["vision", "chips", str(folder / "broken.png"), str(folder / "bet.png")]) == 2
    said = capsys.readouterr()
    assert "2 red" in said.out
    assert said.err.count("\n") == 1
    assert "broken.png" in said.err


@pytest.mark.parametrize(
    ("chips", "why"),
    [("25,100", "4 are seen"), ("25,100,red,500", "is no chip"), ("1,2,3,0", "above 0")],
)
def test_what_cannot_be_taught_is_said_in_a_line(
    folder: Path, capsys: pytest.CaptureFixture[str], chips: str, why: str
) -> None:
    out = folder / "chips.toml"
    assert main(["vision", "enrol", str(folder / "row.png"), "--chips", chips, "--out", str(out)]) == 2
    assert why in capsys.readouterr().err
    assert not out.exists()


def test_a_set_that_is_none_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "chips.toml").write_text("nothing = 1\n")
    assert main(["vision", "chips", str(folder / "bet.png"), "--set", str(folder / "chips.toml")]) == 2
    assert "chips.toml" in capsys.readouterr().err
