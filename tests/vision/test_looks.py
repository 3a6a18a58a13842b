"""A share of `python -m tests.vision.looks`: coarse cards under a webcam's noise are read or left alone."""

from __future__ import annotations

from tests.vision.looks import CountingReader, look


def test_no_card_in_a_coarse_noisy_picture_has_a_wrong_name() -> None:
    reader = CountingReader()
    runs = [look(number, 7, reader) for number in range(20)]
    assert [run for run in runs if {*run["names"]} - {run["card"]}] == []
    assert sum(run["last"] == [run["card"]] for run in runs) > 14


def test_an_ace_of_spades_is_no_club_because_one_of_its_corners_looks_like_one() -> None:
    """In most of the fourteen cut-outs of its corners it is a spade, in six a club, and one of these was sure."""
    assert look(4988, 8, CountingReader())["names"] == []
