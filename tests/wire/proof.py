"""What the proofs of the wire have in common: numbered cases, counts, findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

Counts = Counter[str]


class Finding(Exception):
    """What did not hold in a case."""


class Proof(NamedTuple):
    """`cases()` is how many cases there are; `run(case, seed)` plays one and counts, or raises `Finding`.
    `figures` tells the counts of all cases in sentences."""

    about: str
    cases: Callable[[], int]
    run: Callable[[int, int], Counts]
    figures: Callable[[Counts], list[str]]
