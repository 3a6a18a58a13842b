"""Training is repeatable, and learns signs from a handful of drawn corners."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from vision.cards.signs import NOTHING, SUITS, ModelError, features
from vision.cards.whole import COUNTS, Whole, fits, save_network, whole_features
from vision.train.learn import fit

drawn = pytest.importorskip("vision.train.drawn", reason="pillow is a development library")


def suits(seed: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    press = drawn.Press([*drawn.typefaces()[:4]], np.random.default_rng(seed))
    some = [s for s in itertools.islice(press.samples(), count) if s.kind == "suit"]
    given = features(np.stack([s.glyph.ink for s in some]), np.array([s.glyph.aspect for s in some], np.float32))
    return given, np.array([(SUITS + NOTHING).index(s.truth) for s in some])


def test_the_same_seed_draws_the_same_signs() -> None:
    one, other = suits(1, 60), suits(1, 60)
    assert (one[0] == other[0]).all()
    assert (one[1] == other[1]).all()


def test_the_same_seed_learns_the_same_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.train.learn.EPOCHS", 2)
    given, truth = np.random.default_rng(0).random((600, 40), np.float32), np.arange(600) % 3
    one, other = (fit(given, truth, "abc", seed=5) for _ in range(2))
    assert all((a == b).all() for a, b in zip(one.weights, other.weights, strict=True))


def test_a_few_hundred_corners_teach_most_suits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.train.learn.BATCH", 64)
    given, truth = suits(2, 700)
    network = fit(given, truth, SUITS + NOTHING, seed=1)
    unseen, answers = suits(3, 150)
    assert (network(unseen).argmax(axis=1) == answers).mean() > 0.8


def whole_cards(seed: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    faces = pytest.importorskip("vision.train.faces")
    some = list(itertools.islice(faces.faces(np.random.default_rng(seed)), count))
    given = whole_features(np.stack([face.ink for face in some]))
    return given, np.array([(COUNTS + NOTHING).index(face.truth) for face in some])


def test_a_few_hundred_cards_teach_to_count_most_pips(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("vision.train.learn.BATCH", 64)
    given, truth = whole_cards(2, 600)
    network = fit(given, truth, COUNTS + NOTHING, seed=1)
    unseen, answers = whole_cards(3, 120)
    assert (network(unseen).argmax(axis=1) == answers).mean() > 0.7
    save_network(tmp_path / "whole.npz", network)
    again = Whole.load(tmp_path / "whole.npz").network(unseen)
    assert np.abs(again - network(unseen)).max() < 0.02


def test_a_damaged_whole_card_network_is_named(tmp_path: Path) -> None:
    (tmp_path / "whole.npz").write_bytes(b"no network")
    with pytest.raises(ModelError, match=r"whole\.npz"):
        Whole.load(tmp_path / "whole.npz")


def test_a_count_fits_its_rank_and_every_court_fits_a_picture() -> None:
    assert fits("9", "9")
    assert all(fits(rank, "C") for rank in "JQK")
    assert not fits("3", "5")
    assert not fits("Q", "A")
