"""The options `--shard I/N` and `--limit N` of long proofs."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from itertools import count
from typing import TypeVar

Piece = TypeVar("Piece")


def shard(text: str) -> tuple[int, int]:
    """`I/N` as two numbers, `1 <= I <= N`; the `type` of an argparse argument."""
    part, _, parts = text.partition("/")
    if not (part.isdecimal() and parts.isdecimal() and 1 <= int(part) <= int(parts)):
        raise argparse.ArgumentTypeError(f"{text!r}: write I/N, as in 2/4 for the second of four parts")
    return int(part), int(parts)


def within(pieces: Iterable[Piece], is_done: Callable[[Piece], bool], limit: int | None) -> list[Piece]:
    """What a resumed run goes through: every piece that its report has already, and at most so many others."""
    others = count(1)
    return [piece for piece in pieces if is_done(piece) or limit is None or next(others) <= limit]
