"""Text that may leave the room: words of the program itself, without what anybody typed and without any card.

A line of a log is made of the program's own words and of what was put between them: names, keys, tags, addresses.
Only words that stand in the program's texts are kept, and numbers of up to six digits; all else is a dot. So what
nobody thought of is left out, too.

>>> Redaction(names=["Ann"]).line("seat 3: Ann holds Ah, key 9f86d081884c7d65")
'seat 3: • holds •, key •'
"""

from __future__ import annotations

import ast
import functools
import logging
import re
from collections.abc import Iterable, Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable

DOT = "•"
PACKAGES = ("feltwire", "table_core", "firmware_bridge", "vision", "display", "supervised")
# Folders with names of people in their texts: those of simulated players, and other spellings of names.
WITH_NAMES = ("lab", "sim", "synthetic", "people", "deploy")
MOST_DIGITS = 6  # of a number that is no secret: seats, hands, ports, milliseconds

_TOKEN = re.compile(r"[^\W_]+|\W|_")
_BYTES = re.compile(r"\b(?:[0-9A-Fa-f]{2}[ :-]){3,}[0-9A-Fa-f]{2}\b")  # "04 15 22 31": a tag
_ADDRESS = re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b")
_SUITS = "spades?|hearts?|diamonds?|clubs?"
_RANKS = "aces?|kings?|queens?|jacks?|deuces?"
_CARD_IN_WORDS = re.compile(rf"\b\w+ of (?:{_SUITS})\b|\b(?:{_SUITS}|{_RANKS})\b", re.IGNORECASE)
_CODES = re.compile(r"(?:(?:10|[2-9TJQKA])[shdcSHDC]|[shdcSHDC](?:10|[2-9TJQKA]))+|(?!as$)[2-9tjqka][shdc]")
_SUIT_SIGNS = "♠♥♦♣♤♡♢♧"


class Redaction:
    """`names` are of people and the like: their words are left out also where they are words of the program."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._never = {word.casefold() for name in names for word in re.findall(r"[^\W\d_]{2,}", name)}

    def line(self, text: str) -> str:
        """`text` without what is not the program's own."""
        bare = _CARD_IN_WORDS.sub(DOT, _ADDRESS.sub(DOT, _BYTES.sub(DOT, text)))
        kept = "".join(token if self._keeps(token) else DOT for token in _TOKEN.findall(bare))
        return re.sub(rf"{DOT}(?:[+/=.]*{DOT})+", DOT, kept)

    def _keeps(self, token: str) -> bool:
        if not token[0].isalnum():
            return token.isprintable() and token not in _SUIT_SIGNS
        if token.isdecimal():
            return len(token) <= MOST_DIGITS
        if _CODES.fullmatch(token) or (len(token) == 1 and token.isupper()):
            return False  # "Ah", "AhKd", "A": cards
        return token in vocabulary() and token.casefold() not in self._never


@functools.cache
def vocabulary() -> frozenset[str]:
    """The words of the program's texts, of its modules' names, and the levels of a log."""
    words = {word for package in PACKAGES for word in _words_below(files(package), package)}
    return frozenset(words | logging.getLevelNamesMapping().keys())


def _words_below(folder: Traversable, name: str) -> Iterator[str]:
    yield from re.findall(r"[^\W\d_]+", name)
    for inside in folder.iterdir():
        if inside.is_dir():
            if inside.name not in WITH_NAMES:
                yield from _words_below(inside, inside.name)
        elif inside.name.endswith(".py"):
            yield from re.findall(r"[^\W\d_]+", inside.name)
            yield from _words_of(ast.parse(inside.read_text("utf-8")))


def _words_of(module: ast.Module) -> Iterator[str]:
    """Of its texts, but for docstrings, which have examples; and the names of fields."""
    documents = {id(node.value) for node in ast.walk(module) if isinstance(node, ast.Expr)}
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents:
            yield from re.findall(r"[^\W\d_]+", node.value)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield from node.target.id.split("_")
