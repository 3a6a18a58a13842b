"""Every card that a piece of text names, in any notation that people or programs use."""

from __future__ import annotations

import re
from collections.abc import Iterator

RANKS = "23456789TJQKA"
SUITS = "cdhs"
ORDERS = {
    "suit by suit": [rank + suit for suit in SUITS for rank in RANKS],
    "rank by rank": [rank + suit for rank in RANKS for suit in SUITS],
    "spades first": [rank + suit for suit in "shdc" for rank in RANKS],
    "ace first": [rank + suit for suit in "shdc" for rank in "A23456789TJQK"],
    "ace first, clubs first": [rank + suit for suit in SUITS for rank in "A23456789TJQK"],
}

_SUIT_OF = dict(zip("cdhsCDHS♣♦♥♠♧♢♡♤", "cdhs" * 4, strict=True))
_RANK_WORDS = {
    "deuce": "2",
    "two": "2",
    "trey": "3",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
    "ten": "T",
    "jack": "J",
    "queen": "Q",
    "king": "K",
    "ace": "A",
    "10": "T",
    **{rank.lower(): rank for rank in RANKS},
}
_RANK = r"(?:10|[2-9TJQKA])"
_SUIT = r"[cdhsCDHS♣♦♥♠♧♢♡♤]"
_EDGE = r"(?<![\w♣♦♥♠♧♢♡♤])"
_END = r"(?![\w♣♦♥♠♧♢♡♤])"
_RANK_FIRST = re.compile(f"{_EDGE}((?:{_RANK}{_SUIT}){{1,7}}){_END}")
_SUIT_FIRST = re.compile(f"{_EDGE}((?:{_SUIT}{_RANK}){{1,7}}){_END}")
_ONE = re.compile(f"({_RANK})({_SUIT})")
_ONE_TURNED = re.compile(f"({_SUIT})({_RANK})")
_WORDS = re.compile(
    rf"\b({'|'.join(_RANK_WORDS)})[\W_]*(?:of[\W_]*)?(club|diamond|heart|spade)s?\b|"
    rf"\b(club|diamond|heart|spade)s?[\W_]+({'|'.join(_RANK_WORDS)})\b",
    re.IGNORECASE,
)
_PICTURE = re.compile("[\U0001f0a1-\U0001f0de]")
_BASE64 = re.compile(r"[A-Za-z0-9+/]{40,}={0,2}")
# A page's heading; the tournament director; the id of a rule.
_NO_CARD = re.compile(r"(?<=<)/?h[1-6]\b|\bTD\b|\b[a-z]{3,4}\.[a-z]+\.\d+[a-z]\b")
_HEX_DUMP = re.compile(r"(?:[0-9a-f]{2}|••)(?: (?:[0-9a-f]{2}|••))*")


def cards_in(text: str, *, whole_value: bool = False) -> Iterator[str]:
    """Cards named in `text`, as `Ah`. `whole_value`: it is one value of a record and not prose, so that `ah` is a
    card and not a sigh; and a dump of bytes (`06 2d 11`) is not a list of cards."""
    if whole_value:
        if len(text) <= 3 and (found := _ONE.fullmatch(text.upper()[:-1] + text[-1:])):
            yield _card(found[1], found[2])
            return
        if _HEX_DUMP.fullmatch(text):
            return
    text = _NO_CARD.sub("", text)
    text = _BASE64.sub(" ", text)  # its bytes are searched by other means
    for run in _RANK_FIRST.findall(text):
        yield from (_card(rank, suit) for rank, suit in _ONE.findall(run))
    for run in _SUIT_FIRST.findall(text):
        yield from (_card(rank, suit) for suit, rank in _ONE_TURNED.findall(run))
    for rank, suit, turned_suit, turned_rank in _WORDS.findall(text):
        yield _RANK_WORDS[(rank or turned_rank).lower()] + (suit or turned_suit)[0].lower()
    for sign in _PICTURE.findall(text):
        row, column = divmod(ord(sign) - 0x1F0A0, 16)
        if 1 <= column <= 14 and column != 12 and row < 4:  # column 12 is the knight
            yield "A23456789TJ?QK"[column - 1] + "shdc"[row]


def _card(rank: str, suit: str) -> str:
    return ("T" if rank == "10" else rank) + _SUIT_OF[suit]
