"""The rule ids that rulings cite: by what they are about, for each book (`cites.toml`)."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

_FALLBACK = ("tda", "wfp", "rpl", "ccp")  # the book that `base` follows where a book has no rule


def cited(book_id: str, key: str) -> str:
    """The rule of a book about `key` (`cites.toml`). Raise `KeyError` for a key that is not in the file."""
    ids = citations()[key]
    for prefix in (book_id, *_FALLBACK):
        for rule_id in ids:
            if rule_id.startswith(f"{prefix}."):
                return rule_id
    return ids[0]


def cited_here(book_id: str, key: str) -> str:
    """As `cited`, but never a rule of another club's book: where this book and usual practice are silent,
    `base.ruling`."""
    return ours(book_id, cited(book_id, key))


def speaks(book_id: str, key: str) -> bool:
    """Whether the book itself has a rule about `key`."""
    return cited(book_id, key).startswith(f"{book_id}.")


def ours(book_id: str, rule: str) -> str:
    """The rule, or `base.ruling` for one of another club's book."""
    return rule if not rule or rule.startswith((f"{book_id}.", "tda.", "base.", "house.")) else "base.ruling"


@cache
def citations() -> dict[str, tuple[str, ...]]:
    """The rules of every book, by key."""
    text = resources.files("table_core.rulings").joinpath("cites.toml").read_text("utf-8")
    return {key: tuple(ids) for key, ids in tomllib.loads(text).items()}
