"""Training is repeatable, and learns signs from a handful of drawn corners."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from vision.cards.corner import RANK_CLASSES, SUIT_CLASSES
from vision.cards.network import ModelError, store
from vision.cards.signs import NOTHING, SUITS, Signs, features
from vision.cards.whole import COUNTS, Whole, fits, whole_features
from vision.train.__main__ import HELD_OUT, _train_signs, main, split_typefaces
from vision.train.corners import CornerPrinter
from vision.train.drawn import UNKNOWN, drawn, drawn_in_parts, samples
from vision.train.faces import faces
from vision.train.learn import fit
from vision.train.neighbours import CARD_MM, Neighbours
from vision.train.shot import Corner
from vision.train.typefaces import typefaces


def corners(seed: int, count: int) -> list[Corner]:
    press = CornerPrinter([*typefaces()[:4]], np.random.default_rng(seed))
    return list(itertools.islice(press.corners(), count))


def suits(seed: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    some = [s for corner in corners(seed, count) for s in samples(corner) if s.kind == "suit"]
    given = features(np.stack([s.glyph.ink for s in some]), np.array([s.glyph.aspect for s in some], np.float32))
    return given, np.array([(SUITS + NOTHING).index(s.truth) for s in some])


def test_the_same_seed_draws_the_same_signs() -> None:
    one, other = suits(1, 60), suits(1, 60)
    assert len(one[0]) > 5
    assert (one[0] == other[0]).all()
    assert (one[1] == other[1]).all()


def test_the_same_seed_learns_the_same_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.train.learn.EPOCHS", 2)
    given, truth = np.random.default_rng(0).random((600, 40), np.float32), np.arange(600) % 3
    one, other = (fit(given, truth, "abc", seed=5) for _ in range(2))
    assert all((a == b).all() for a, b in zip(one.weights, other.weights, strict=True))


def test_the_networks_of_signs_are_read_as_they_were_trained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.train.learn.BATCH", 64)
    monkeypatch.setattr("vision.train.learn.EPOCHS", 1)
    drawn_corners = drawn(iter(corners(2, 150)), 150)
    _train_signs(1, drawn_corners, drawn_corners, tmp_path / "signs.npz")
    read = Signs.load(tmp_path / "signs.npz")
    given = np.random.default_rng(0).random((9, len(read.rank[0].mean)), np.float32)
    assert [network(given).shape[1] for network in (*read.rank, *read.suit)] == [14, 14, 5, 5]


@pytest.mark.slow("a thousand corners are drawn and learned")
def test_a_few_hundred_corners_teach_most_suits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.train.learn.BATCH", 64)
    given, truth = suits(2, 700)
    network = fit(given, truth, SUITS + NOTHING, seed=1)
    unseen, answers = suits(3, 300)
    assert (network(unseen).argmax(axis=1) == answers).mean() > 0.8


def test_without_pytorch_it_says_so_before_it_draws_anything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert main(["--out", str(tmp_path)]) == 2
    assert ".[train]" in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]


def whole_cards(seed: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    some = list(itertools.islice(faces(np.random.default_rng(seed)), count))
    given = whole_features(np.stack([face.ink for face in some]))
    return given, np.array([(COUNTS + NOTHING).index(face.truth) for face in some])


@pytest.mark.slow("520 cards are drawn, and 400 of them learned")
def test_a_few_hundred_cards_teach_to_count_most_pips(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("vision.train.learn.BATCH", 64)
    given, truth = whole_cards(2, 400)
    network = fit(given, truth, COUNTS + NOTHING, seed=1)
    unseen, answers = whole_cards(3, 120)
    assert (network(unseen).argmax(axis=1) == answers).mean() > 0.7
    store(tmp_path / "whole.npz", network.arrays())
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


def test_a_corner_half_covered_is_neither_a_sign_nor_none() -> None:
    some = drawn(iter(corners(4, 400)), 400)
    assert some.windows.shape == (400, 3, 84, 40)
    assert some.windows.std() > 10
    for labels, classes in ((some.ranks, len(RANK_CLASSES)), (some.suits, len(SUIT_CLASSES))):
        assert set(np.unique(labels)) == {UNKNOWN, *range(classes)}


def test_the_typefaces_that_judge_are_none_that_teach() -> None:
    learn, held = split_typefaces()
    assert held
    assert not set(learn) & set(held)
    assert not any(isinstance(face, Path) and face.name.startswith(HELD_OUT) for face in learn)


def test_however_many_processes_draw_they_draw_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.train.drawn.PART", 40)
    one, two = (drawn_in_parts(typefaces()[:4], (7, 1), 100, 50, processes) for processes in (1, 2))
    assert one.windows.shape == (100, 3, 84, 40)
    assert (one.windows == two.windows).all()
    assert (one.ranks == two.ranks).all()
    assert (one.suits == two.suits).all()
    assert [s.truth for s in one.samples] == [s.truth for s in two.samples]
    assert len({window.tobytes() for window in one.windows}) == 100, "each part draws its own"


def test_a_neighbour_reaches_in_but_leaves_the_place_free_that_it_is_told_to() -> None:
    rng = np.random.default_rng(3)
    shape = tuple(round(mm * 2) for mm in CARD_MM[::-1])
    others = Neighbours(lambda: np.full((*shape, 3), 250, np.float32), rng, 2.0)
    to_px = np.diag((2.0, 2.0, 1.0))[:2]
    for _ in range(200):
        ground = np.zeros((112, 72, 3), np.float32)  # 36 by 56 mm
        lies = others.lay(ground, to_px, (36.0, 56.0), free_mm=(8.0, 9.0))
        assert (ground[lies > 0] == 250).all()
        assert not ground[lies == 0].any()
        assert not lies[17:20, 15:18].all(), "to within a pixel"
