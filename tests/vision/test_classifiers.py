"""The card classifiers: agreement names a card, contradiction withholds it, and no single classifier is enough."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.cards.classifiers import (
    DOUBT,
    SAME_CLASSIFIER,
    CornerReading,
    _objection,
    _sure_enough,
    _surest,
    _together,
)
from vision.cards.corner import MODEL, RANK_CLASSES, SUIT_CLASSES, CornerClassifier
from vision.cards.index import Glyph, Index, InkBox
from vision.cards.ink import INKS, ink_of, may_be_printed
from vision.cards.network import ModelError
from vision.cards.whole import COUNTS, COURT, pips_differ


def said(card: str, confidence: float) -> CornerReading:
    """A classifier that says a card and spreads what is left of its confidence over everything else."""
    odds = []
    for sign, classes in ((card[0], RANK_CLASSES), (card[1], SUIT_CLASSES)):
        share = np.full(len(classes), (1 - confidence) / (len(classes) - 1), np.float32)
        share[classes.index(sign)] = confidence
        odds.append(share)
    return CornerReading(odds[0], odds[1])


def test_two_sure_classifiers_leave_less_doubt_than_one_however_sure() -> None:
    card, *alone = _together([[], [said("Ah", 1.0)]])
    assert (card, sum(alone) > DOUBT) == ("Ah", True)
    card, *both = _together([[said("Ah", 0.99)], [said("Ah", 0.98)]])
    assert (card, sum(both) < DOUBT) == ("Ah", True)


def test_the_second_corner_of_a_classifier_counts_for_less_than_another_classifier() -> None:
    _, *twice = _together([[], [said("9c", 1.0), said("9c", 1.0)]])
    _, *two_classifiers = _together([[said("9c", 1.0)], [said("9c", 1.0)]])
    assert sum(two_classifiers) < sum(twice)


def test_classifiers_that_contradict_leave_doubt() -> None:
    _, *doubt = _together([[said("5h", 0.99)], [said("3h", 0.99)]])
    assert sum(doubt) > 0.3


def test_a_classifier_that_sees_no_rank_may_still_tell_the_suit() -> None:
    _, *without = _together([[], [said("Kh", 0.97)]])
    _, *helped = _together([[said(".h", 0.99)], [said("Kh", 0.97)]])
    assert sum(helped) < sum(without)


def test_ranks_that_differ_leave_no_doubt_of_the_suit() -> None:
    _, of_rank, of_suit = _together([[said("5h", 0.99)], [said("3h", 0.99)]])
    assert of_suit < DOUBT < of_rank


def cut_out(
    card: str, confidence: float, rank_mm: float = 9.0, suit_mm: float = 6.5, ink: str = "red"
) -> CornerReading:
    """the signs' classifier, which knows how large they are and their ink."""
    return replace(said(card, confidence), ink=ink, suit_mm=suit_mm, rank_mm=rank_mm)


def test_of_one_corner_alone_both_classifiers_must_say_the_same() -> None:
    corner = said("9h", 0.999)
    assert not _objection(cut_out("9h", 0.999), corner, "9h", SAME_CLASSIFIER)
    for cut in (None, cut_out(".h", 0.3), cut_out(".h", 0.86), cut_out("4h", 0.6)):
        assert _objection(cut, corner, "9h", SAME_CLASSIFIER)


@pytest.mark.parametrize(
    ("again", "px_per_mm", "told"), [(0.354, 1.42, False), (0.354, 2.0, True), (0.2, 1.42, True)]
)
def test_in_a_coarse_picture_other_cuts_must_be_sure_as_well(again: float, px_per_mm: float, told: bool) -> None:
    """An ace of spades smeared over a pixel and a half: 0.986 sure of clubs, and 0.65 when cut a little aside."""
    assert _sure_enough(0.986, again, px_per_mm) is told


def test_many_that_guess_are_not_certain() -> None:
    assert not _sure_enough(0.94, SAME_CLASSIFIER, 4.0)


def test_half_a_club_is_no_spade_however_sure_one_classifier_is() -> None:
    """Under the edge of another card: 0.9998 sure of a spade, the signs 0.33 sure of a club."""
    assert _objection(cut_out("Tc", 0.33, 9.2, 6.4, "black"), said("Ts", 0.9998), "Ts", SAME_CLASSIFIER)
    assert _objection(cut_out("Ts", 1.0, 9.2, 3.85, "black"), said("Ts", 0.9998), "Ts", SAME_CLASSIFIER)


def test_what_other_cuts_of_one_corner_doubt_must_be_beyond_doubt_to_both_classifiers() -> None:
    """Half a nine is a five: 0.984 and 0.9999 sure, and a fifth of the doubt stayed when it was cut otherwise."""
    assert not _objection(cut_out("5s", 0.992, ink="black"), said("5s", 0.9999), "5s", 0.21)
    assert _objection(cut_out("5s", 0.984, ink="black"), said("5s", 0.9999), "5s", 0.21)
    assert not _objection(cut_out("5s", 0.984, ink="black"), said("5s", 0.9999), "5s", SAME_CLASSIFIER)


@pytest.mark.parametrize(
    ("rank_mm", "suit_mm", "sure"), [(8.5, 14.2, 1.0), (5.4, 7.7, 1.0), (16.9, 14.2, 0.98), (10.4, 10.4, 0.98)]
)
def test_of_one_corner_a_suit_too_large_for_its_rank_is_a_pip_or_the_rank_is_half_covered(
    rank_mm: float, suit_mm: float, sure: float
) -> None:
    assert _objection(cut_out("Kd", 1.0, rank_mm, suit_mm), said("Kd", sure), "Kd", SAME_CLASSIFIER)


@pytest.mark.parametrize(("rank_mm", "suit_mm", "sure"), [(9.0, 6.5, 0.98), (20.0, 12.5, 0.98), (14.6, 15.8, 1.0)])
def test_indices_as_decks_have_them_are_told_by_one_corner(rank_mm: float, suit_mm: float, sure: float) -> None:
    assert not _objection(cut_out("Kd", 1.0, rank_mm, suit_mm), said("Kd", sure), "Kd", SAME_CLASSIFIER)


def test_a_blue_spade_of_one_corner_may_be_half_a_blue_diamond() -> None:
    assert _objection(cut_out("4s", 1.0, ink="blue"), said("4s", 1.0), "4s", SAME_CLASSIFIER)
    assert not _objection(cut_out("4d", 1.0, ink="blue"), said("4d", 1.0), "4d", SAME_CLASSIFIER)


def test_pips_are_counted_against_numbers_and_never_against_courts() -> None:
    assert pips_differ("5", "3")
    assert pips_differ("2", "A")
    assert not pips_differ("5", "5")
    assert not any(pips_differ(rank, count) for rank in "JQK" for count in COUNTS)
    assert not pips_differ("T", COURT)


def test_the_surest_of_the_rank_and_the_surest_of_the_suit_may_be_two_classifiers() -> None:
    assert _surest([said("3s", 0.96), said("3s", 0.7)], "3s") == pytest.approx(0.96)
    assert _surest([said("3s", 0.93), said("3s", 0.91), said("3s", 0.9)], "3s") == pytest.approx(0.93)
    assert _surest([said("3.", 0.99), said(".s", 0.97)], "3s") == pytest.approx(0.97)


@pytest.mark.parametrize(("card", "ink", "may"), [
    ("Ah", "red", True), ("Ah", "black", False), ("Ks", "red", False), ("Kc", "green", True), ("Qd", "blue", True),
    ("Qs", "blue", True), ("Qh", "blue", False), ("7c", None, False), ("7c", "", True), ("7d", "", True),
])  # fmt: skip
def test_a_suit_must_fit_its_ink(card: str, ink: str | None, may: bool) -> None:
    assert may_be_printed(card, ink) is may


def test_every_suit_has_an_ink_in_two_colours_and_in_four() -> None:
    assert set(INKS["red"] + INKS["black"]) == set("cdhs")
    assert set(INKS["blue"] + INKS["green"] + INKS["red"] + INKS["black"]) == set("cdhs")


def test_a_damaged_network_of_the_corner_is_named(tmp_path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "bad.onnx").write_bytes(b"no network")
    with pytest.raises(ModelError, match="no trained file"):
        CornerClassifier(tmp_path / "bad.onnx")
    with pytest.raises(ModelError, match="missing"):
        CornerClassifier(tmp_path / "none.onnx")


def test_the_corners_network_is_small() -> None:
    assert MODEL.stat().st_size < 3_000_000


def printed(suit: tuple[float, float, float], rank: tuple[float, float, float]) -> Index:
    """An index of which these parts of the paper's blue, green and red light are left."""
    box = InkBox(0, 0, 10, 14, (1,))
    return Index(*(Glyph(np.ones((32, 24), np.float32), 0.7, colours, box) for colours in (rank, suit)))


@pytest.mark.parametrize(
    ("suit", "rank", "ink"),
    [
        ((0.05, 0.08, 0.62), (0.06, 0.09, 0.55), "red"),
        ((0.35, 0.29, 0.52), (0.35, 0.28, 0.43), ""),  # red aces in a dim room, as a phone shows them
        ((0.90, 0.81, 1.06), (2.09, 2.04, 2.14), ""),  # the five of diamonds, as a webcam does
        ((0.19, 0.17, 0.13), (0.21, 0.19, 0.15), "black"),
        ((0.46, 0.49, 0.55), (0.52, 0.57, 0.62), "black"),
    ],
)
def test_dark_red_in_a_dim_picture_is_no_black(
    suit: tuple[float, float, float], rank: tuple[float, float, float], ink: str
) -> None:
    assert ink_of(printed(suit, rank)) == ink
