"""Worse copies of a photo: every fault shows, none cuts a card off, and a copy can be made again."""

from __future__ import annotations

import json
import random
from pathlib import Path

import cv2
import numpy as np
import pytest

from feltwire.cli import main
from vision.evaluation.worse import FAULTS, worse
from vision.geometry.felt import DEFAULT_PX_PER_MM, Felt
from vision.synthetic.felt import LyingCard, Renderer, Scene
from vision.synthetic.felt.table import bare_cloth

FELT = Felt(520.0, 300.0, DEFAULT_PX_PER_MM, {}, 6)  # a part of a table
BOARD = ("Ah", "Tc", "7d")


@pytest.fixture(scope="module")
def photo() -> np.ndarray:
    """Grey, with a white square a few pixels from each corner: whatever is cut off takes one of them."""
    image = np.full((480, 640, 3), 90, np.uint8)
    for x, y in ((6, 6), (604, 6), (604, 444), (6, 444)):
        image[y : y + 30, x : x + 30] = 250
    return image


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_shows_and_leaves_all_four_corners_in_the_picture(photo: np.ndarray, fault: str) -> None:
    for seed in range(6):
        taken = FAULTS[fault](photo, random.Random(seed))
        assert taken.dtype == np.uint8
        assert taken.shape != photo.shape or (taken != photo).any()
        grey = cv2.GaussianBlur(taken.max(axis=2), (0, 0), 2)
        ground = float(np.median(grey))
        square = 30 * min(1.0, taken.shape[1] / photo.shape[1])
        _, _, stats, _ = cv2.connectedComponentsWithStats((grey > 1.35 * ground).astype(np.uint8))
        assert sum(stats[1:, cv2.CC_STAT_AREA] > 0.4 * square**2) == 4, f"{fault}, seed {seed}"


def test_the_same_chance_makes_the_same_copy_and_another_another(photo: np.ndarray) -> None:
    (one, faults), (again, same), (other, _) = (worse(photo, random.Random(seed)) for seed in (5, 5, 6))
    assert faults == same
    assert 1 <= len(faults) <= 3
    assert one.shape == again.shape
    assert (one == again).all()
    assert one.shape != other.shape or (one != other).any()


def test_score_reads_worse_copies_and_tags_them_with_their_faults(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lying = tuple(LyingCard(card, 110 + 150 * i, 150, 12 * i) for i, card in enumerate(BOARD))
    picture = Renderer(FELT, bare_cloth(FELT, (62, 96, 22))).render(Scene(FELT, lying)).image
    cv2.imwrite(str(tmp_path / "board.png"), picture)
    labels = {"images": [{"file": "board.png", "cards": [{"card": c} for c in BOARD], "tags": ["felt"]}]}
    (tmp_path / "labels.json").write_text(json.dumps(labels))
    assert main(["vision", "score", str(tmp_path), "--worse", "3", "--seed", "2", "--json"]) == 0
    *copies, summed, chips = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    sums = summed["tags"]
    assert len(copies) == 3
    assert all(copy["tags"] and set(copy["tags"]) <= set(FAULTS) for copy in copies)
    assert sums["all"]["cards"] == 3 * len(BOARD)
    assert sums["all"]["wrong"] == 0
    assert "felt" not in sums
    assert chips == {"chip_cells": {}}  # nobody counted any there


def test_worse_scenes_are_called_wrongly(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vision", "score", "--rendered", "2", "--worse", "2"]) == 2
    assert "--worse" in capsys.readouterr().err
