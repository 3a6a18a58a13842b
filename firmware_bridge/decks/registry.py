"""The deck registry: the card of each tag. A file on the table's Pi that the vault and `feltwire deck` read.

    in_use = ["red"]               # the decks that lie at this table; all of them where it is not set

    [[deck]]
    name = "red"
    back = "red"                   # the colour of its backs; its name where it is not set
    [deck.cards]
    2c = "e004015012345678"
    …52 cards
    [deck.worn.02]                 # what table 02 has dealt with it (firmware_bridge/decks/wear.py)
    hands = 812

Errors name the file, the deck and the number of the entry, never a card together with its tag.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Self

from firmware_bridge.decks import wear
from firmware_bridge.shoe import Uid
from table_core.messages import CardText
from table_core.toml_text import read_toml

RANKS = "23456789TJQKA"
SUITS = "cdhs"
CARDS: tuple[CardText, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
_DECK_NAMES = ("red", "blue", "green", "black")


class DeckError(Exception):
    """An unusable deck registry: what, where and what to do."""


@dataclass(frozen=True)
class Deck:
    """52 tagged cards with backs of one colour. `worn`: by table, what it has dealt. Prints no tag and no card."""

    name: str
    cards: Mapping[CardText, Uid] = field(repr=False)
    back: str = ""
    worn: Mapping[str, wear.Worn] = field(default_factory=dict, repr=False)


class DeckRegistry:
    """`in_use`: the names of the decks that lie at this table; none: all of them. Prints no tag and no card."""

    def __init__(self, decks: Iterable[Deck], in_use: Iterable[str] = ()) -> None:
        self.decks = {deck.name: deck for deck in decks}
        self.in_use = tuple(in_use) or tuple(self.decks)
        self._cards = {uid: (deck.name, card) for deck in self.decks.values() for card, uid in deck.cards.items()}

    def __repr__(self) -> str:
        return f"DeckRegistry({', '.join(self.decks)})"

    @property
    def deck_names(self) -> tuple[str, ...]:
        return tuple(self.decks)

    def find(self, uid: Uid) -> tuple[str, CardText] | None:
        """`(deck name, card)` of a tag, None for a tag of no deck."""
        return self._cards.get(uid)

    def tag_of(self, deck: str, card: CardText) -> Uid:
        """The tag in `card` of `deck`, for those who deal in a simulated room; KeyError when there is
        none."""
        return self.decks[deck].cards[card]

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a registry; raise `DeckError` when the file is missing or does not hold whole decks."""
        try:
            text = Path(path).read_text()
        except OSError as error:
            raise DeckError(f"{path}: cannot be read ({error.strerror}); enrol the decks first") from error
        except UnicodeDecodeError:
            raise DeckError(f"{path}: not UTF-8 text; enrol the decks again") from None
        return cls.parse(text, str(path))

    @classmethod
    def parse(cls, text: str, name: str = "decks") -> Self:
        """As `load`, from the text of a file called `name`.

        Raise `DeckError` where it does not hold whole decks.
        """
        try:
            document = read_toml(text)
        except ValueError as error:
            raise DeckError(f"{name}: not TOML ({error}); mend that line") from None
        decks = _Reading(name).decks(document)
        return cls(decks, _in_use(document, decks, name))


def _in_use(document: Mapping[str, Any], decks: Iterable[Deck], file: str) -> tuple[str, ...]:
    names = document.get("in_use", [])
    known = [deck.name for deck in decks]
    if not isinstance(names, list) or (strange := [name for name in names if name not in known]):
        named = repr(strange[0]) if isinstance(names, list) else "no list"
        raise DeckError(f"{file}: in_use: {named}; name decks of this file: {', '.join(known)}")
    return tuple(names)


class _Place(NamedTuple):
    deck: str
    entry: int

    def __str__(self) -> str:
        return f"deck {self.deck!r}, entry {self.entry}"


class _Reading:
    """Checks one document and remembers the entry of each tag, to report repetitions."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._seen: dict[Uid, _Place] = {}

    def decks(self, document: Mapping[str, Any]) -> list[Deck]:
        entries = document.get("deck")
        if not isinstance(entries, list) or not entries:
            raise DeckError(f"{self._file}: no [[deck]]; enrol a deck first (`feltwire deck enrol`)")
        decks: dict[str, Deck] = {}
        for number, entry in enumerate(entries, start=1):
            name = entry.get("name") if isinstance(entry, dict) else None
            if not isinstance(name, str) or not name or name in decks:
                raise DeckError(f"{self._file}: deck {number} needs a name of its own")
            back = entry.get("back", name)
            if not isinstance(back, str):
                raise DeckError(f"{self._file}: deck {name!r}: back: write a colour, as text")
            decks[name] = Deck(name, self._cards(name, entry.get("cards")), back, self._worn(name, entry))
        return list(decks.values())

    def _worn(self, deck: str, entry: Mapping[str, Any]) -> dict[str, wear.Worn]:
        try:
            return wear.read(entry.get("worn", {}))
        except ValueError as error:
            raise DeckError(f"{self._file}: deck {deck!r}: worn: {error}; remove that section") from None

    def _cards(self, deck: str, entries: object) -> dict[CardText, Uid]:
        if not isinstance(entries, dict):
            raise DeckError(f"{self._file}: deck {deck!r} has no [deck.cards]")
        cards: dict[CardText, Uid] = {}
        for number, (card, tag) in enumerate(entries.items(), start=1):
            place = _Place(deck, number)
            if card not in CARDS:
                raise DeckError(f"{self._file}: {place}: its left side is no card; write it as in Ah or Tc")
            cards[card] = self._uid(place, tag)
        missing = [card for card in CARDS if card not in cards]
        if missing:
            raise DeckError(f"{self._file}: deck {deck!r} lacks {', '.join(missing)}; enrol them")
        return cards

    def _uid(self, place: _Place, tag: object) -> Uid:
        try:
            raw = bytes.fromhex(tag) if isinstance(tag, str) else b""
        except ValueError:
            raw = b""
        if len(raw) != 8 or not any(raw):
            raise DeckError(f"{self._file}: {place}: its tag is not 16 hex digits; enrol that card again")
        uid = Uid(raw)
        if uid in self._seen:
            raise DeckError(f"{self._file}: {place} repeats the tag of {self._seen[uid]}; enrol both cards again")
        self._seen[uid] = place
        return uid


def generate(seed: int, decks: int = 2) -> str:
    """The text of a registry for a simulated room: the same for the same seed."""
    chance = random.Random(f"decks {seed}")
    seen: set[bytes] = set()
    lines = [f"# Simulated decks, seed {seed}. No such tags exist."]
    for number in range(decks):
        name = _DECK_NAMES[number] if number < len(_DECK_NAMES) else f"deck-{number + 1}"
        lines += ["", "[[deck]]", f'name = "{name}"', "[deck.cards]"]
        lines += [f'{card} = "{_fresh_tag(chance, seen).hex()}"' for card in CARDS]
    return "\n".join(lines) + "\n"


def _fresh_tag(chance: random.Random, seen: set[bytes]) -> bytes:
    """ISO 15693 tags begin with E0 and the maker's code (04: NXP)."""
    while True:
        tag = b"\xe0\x04" + chance.randbytes(6)
        if tag not in seen:
            seen.add(tag)
            return tag
