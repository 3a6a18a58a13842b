"""A league's points by a formula."""

from __future__ import annotations

import pytest

from table_core.messages import Refusal
from table_core.tournament.money.formula import Figures, Formula, parsed


def formula(text: str) -> Formula:
    found = parsed(text)
    assert isinstance(found, Formula), found
    return found


def refused(text: str) -> str:
    found = parsed(text)
    assert isinstance(found, Refusal), found
    return found.reason


@pytest.mark.parametrize(
    ("text", "figures", "points"),
    [
        ("10 * sqrt(entrants) / place", Figures(25, 2), 25),
        ("entrants - place + 1", Figures(12, 12), 1),
        ("entrants - place + 1 + 2 * knockouts", Figures(12, 1, knockouts=3), 18),
        ("100 if place == 1 else 50 if place <= 3 else 0", Figures(30, 3), 50),
        ("max(0, won - paid) // 10", Figures(30, 1, won=125, paid=50), 7),
        ("max(0, won - paid) // 10", Figures(30, 9, paid=50), 0),
        ("(place <= 3 and entrants > 8) * 5", Figures(9, 3), 5),
        ("2.5", Figures(2, 1), 3),
        ("round(100 / place ** 0.5)", Figures(9, 4), 50),
    ],
)
def test_points_are_whole(text: str, figures: Figures, points: int) -> None:
    assert formula(text).points(figures) == points


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "Write a formula, such as 10 * sqrt(entrants) / place."),
        ("10 * sqrt(entrants", "This is no formula (character "),
        ("players / place", "players is unknown at character 1: write entrants, knockouts, paid, place or won."),
        ("1 + __import__('os')", "__import__ is unknown at character 5: write abs, ceil"),
        ("place.__class__", "That is no part of a formula at character 1."),
        ("[1 for x in (1,)]", "That is no part of a formula at character 1."),
        ("(lambda: 1)()", "That is no part of a formula at character 1."),
        ("'9' * 9", "A formula has numbers, none of 1,000,000,000,000 and more at character 1."),
        ("9 ** 9 ** 9 ** 9", "With entrants 2, place 1 it gives no points: a function has no value there."),
        ("1 / (place - 1)", "With entrants 2, place 1 it gives no points: it divides by zero."),
        ("10 - place", "With entrants 27, place 13 it gives no points: -3 is not from 0 to 1,000,000."),
        ("place | 1", "That is no operator of a formula at character 1: write + -"),
        ("place\x00", "This is no formula"),
        ("1 +" * 100, "A formula has 200 characters at most"),
        ("(" * 199, "This is no formula"),
        ("√9", "A formula has 200 characters at most, and plain letters and signs."),
    ],
)
def test_what_is_none_is_refused_with_its_place(text: str, words: str) -> None:
    assert refused(text).startswith(words)


def test_the_deepest_formula_is_calculated() -> None:
    assert formula("-" * 198 + "1").points(Figures(2, 1)) == 1
    assert formula("+".join("1" * 100)).points(Figures(2, 1)) == 100


def test_where_it_has_no_value_in_an_event_there_are_no_points() -> None:
    assert formula("100 / max(1, entrants - 10_001 + 9_999) if entrants > 1 else 1").points(Figures(2, 1)) == 100
    assert formula("5 if place < 20_000 else 1 / 0").points(Figures(30_000, 25_000)) == 0
