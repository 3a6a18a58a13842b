"""All cells in a fixed order, and how many there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tests.spec.cell import Cell
from tests.spec.incidents import (
    absent,
    amounts,
    board_twice,
    burns,
    chips,
    dead_hands,
    flop_cards,
    misdeals,
    new_hand,
    out_of_turn,
    premature,
    showdown,
    single_deal_errors,
    turn_cards,
    two_out_of_turn,
)
from tests.spec.pairs import pair_cells
from tests.spec.situation import Book

INCIDENTS = (
    out_of_turn,
    two_out_of_turn,
    burns,
    flop_cards,
    premature,
    turn_cards,
    board_twice,
    misdeals,
    single_deal_errors,
    absent,
    dead_hands,
    chips,
    amounts,
    showdown,
    new_hand,
)


def cells() -> Iterator[Cell]:
    """The cells of single incidents, incident by incident, then book by book."""
    for incident in INCIDENTS:
        yield from incident.cells()


def count() -> dict[tuple[str, Book], int]:
    """Number of cells by incident and book, pairs included."""
    counter: Counter[tuple[str, Book]] = Counter()
    for group in (cells(), pair_cells()):
        counter.update((cell.incident, cell.table.book) for cell in group)
    return dict(counter)


def open_points() -> dict[tuple[str, Book], tuple[str, ...]]:
    """The words that leave something open, by incident and book, each once."""
    points: dict[tuple[str, Book], dict[str, None]] = {}
    for cell in cells():
        for expect in (cell.expect, *(later.expect for later in cell.later)):
            points.setdefault((cell.incident, cell.table.book), {}).update(dict.fromkeys(expect.open_words))
    return {key: tuple(words) for key, words in points.items() if words}


__all__ = ["INCIDENTS", "cells", "count", "open_points", "pair_cells"]
