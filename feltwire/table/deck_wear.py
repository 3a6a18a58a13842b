"""What this table's decks have been through, kept as a note of its ledger (firmware_bridge/decks/wear.py).

It is counted at the next first riffle, out of what everybody has seen of the hand before it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol

import msgspec

from firmware_bridge.decks import CARDS
from firmware_bridge.decks.wear import Worn
from table_core.hand.deal import to_seat
from table_core.messages import UNKNOWN_CARD, BoardDealt, BoardRead, CardText, HandTabled
from table_core.projections.table import TableProjection

NOTE = "decks"


class HandWear(msgspec.Struct, frozen=True):
    """What a deck went through in one hand. `unread`: of the cards that everybody saw, those that the vault does
    not know where they were seen."""

    deck: str
    unread: tuple[CardText, ...]


class KnowsTheDeck(Protocol):
    """The vault."""

    def wear(self, public: frozenset[CardText], places: Collection[int]) -> HandWear | None: ...


class _Kept(msgspec.Struct, frozen=True):
    """A deck in the note. Cards stand there by their place in `CARDS`: a card that everybody saw in an earlier
    hand may be hidden in this one, and nothing that is written in a hand names one that is."""

    hands: int
    passed: int
    seen: tuple[int, ...]
    silent: tuple[int, ...]

    @classmethod
    def of(cls, worn: Worn) -> _Kept:
        return cls(worn.hands, worn.passed, _counts(worn.seen), _counts(worn.silent))

    def worn(self) -> Worn:
        return Worn(self.hands, self.passed, _by_card(self.seen), _by_card(self.silent))


class _Note(msgspec.Struct, frozen=True):
    hand: int = 0
    decks: dict[str, _Kept] = msgspec.field(default_factory=dict)


class DeckWear:
    """`hand`: the last one that is counted."""

    def __init__(self) -> None:
        self.hand = 0
        self.decks: dict[str, Worn] = {}

    def recover(self, note: bytes | None) -> None:
        known = msgspec.json.decode(note, type=_Note) if note else _Note()
        self.hand, self.decks = known.hand, {name: kept.worn() for name, kept in known.decks.items()}

    def count(self, table: TableProjection, vault: KnowsTheDeck) -> dict[str, bytes]:
        """The hand before the one that begins is over: the note for the commit, or none."""
        if table.in_hand or table.hand is None or table.hand_number == self.hand:
            return {}
        seen = public_cards(table)
        places = public_places(table)
        dealt = vault.wear(seen, places)
        if dealt is None:
            return {}
        unread = sum(table.places[place].commitment is None for place in places)
        silent = dealt.unread if len(dealt.unread) <= unread else ()  # else the shoe was not there
        worn = self.decks.get(dealt.deck, Worn())
        self.hand = table.hand_number
        self.decks[dealt.deck] = worn.after(len(table.places), seen, silent)
        decks = {name: _Kept.of(one) for name, one in self.decks.items()}
        return {NOTE: msgspec.json.encode(_Note(self.hand, decks))}


def public_cards(table: TableProjection) -> frozenset[CardText]:
    """Board and tabled cards of the last hand."""
    cards: set[CardText] = set()
    for logged in table.hand_log:
        if isinstance(logged.event, BoardDealt | BoardRead | HandTabled):
            cards |= {*logged.event.cards}
    return frozenset(cards - {UNKNOWN_CARD})


def public_places(table: TableProjection) -> list[int]:
    """The places of these cards in the last deal."""
    tabled = {to_seat(logged.event.seat) for logged in table.hand_log if isinstance(logged.event, HandTabled)}
    return [place for place, to in table.placed().items() if to in {*tabled, "board"}]


def checked(note: bytes) -> bytes:
    """The note; raise `msgspec.DecodeError` where it is none."""
    msgspec.json.decode(note, type=_Note)
    return note


def _counts(by_card: Mapping[CardText, int]) -> tuple[int, ...]:
    return tuple([by_card.get(card, 0) for card in CARDS])


def _by_card(counts: tuple[int, ...]) -> dict[CardText, int]:
    found = {card: count for card, count in zip(CARDS, counts, strict=False) if count}
    return dict(sorted(found.items()))


def read(note: bytes | None) -> dict[str, Worn]:
    """Deck -> what this table has dealt with it."""
    wear = DeckWear()
    wear.recover(note)
    return wear.decks
