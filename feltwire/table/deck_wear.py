"""What this table's decks have been through, kept as a note of its ledger (firmware_bridge/decks/wear.py).

It is counted at the next first riffle, out of what everybody has seen of the hand before it.
"""

from __future__ import annotations

from typing import Protocol

import msgspec

from firmware_bridge.decks.wear import Worn
from table_core.messages import UNKNOWN_CARD, BoardDealt, BoardRead, CardText, HandTabled
from table_core.projections.table import TableProjection

NOTE = "decks"


class HandWear(msgspec.Struct, frozen=True):
    """What a deck went through in one hand. `unread`: of the cards that everybody saw, those that the vault does
    not know."""

    deck: str
    unread: tuple[CardText, ...]


class KnowsTheDeck(Protocol):
    """The vault."""

    def wear(self, public: frozenset[CardText]) -> HandWear | None: ...


class DeckWear(msgspec.Struct):
    """`hand`: the last one that is counted."""

    hand: int = 0
    decks: dict[str, Worn] = msgspec.field(default_factory=dict)

    def recover(self, note: bytes | None) -> None:
        known = msgspec.json.decode(note, type=DeckWear) if note else DeckWear()
        self.hand, self.decks = known.hand, known.decks

    def count(self, table: TableProjection, vault: KnowsTheDeck) -> dict[str, bytes]:
        """The hand before the one that begins is over: the note for the commit, or none."""
        if table.in_hand or table.hand is None or table.hand_number == self.hand:
            return {}
        seen = public_cards(table)
        dealt = vault.wear(seen)
        if dealt is None:
            return {}
        unread = sum(place.commitment is None for place in table.places.values())
        silent = dealt.unread if len(dealt.unread) <= unread else ()  # else the shoe was not there
        worn = self.decks.get(dealt.deck, Worn())
        self.hand = table.hand_number
        self.decks[dealt.deck] = worn.after(len(table.places), seen, silent)
        return {NOTE: msgspec.json.encode(self)}


def public_cards(table: TableProjection) -> frozenset[CardText]:
    """Board and tabled cards of the last hand."""
    cards: set[CardText] = set()
    for logged in table.hand_log:
        if isinstance(logged.event, BoardDealt | BoardRead | HandTabled):
            cards |= {*logged.event.cards}
    return frozenset(cards - {UNKNOWN_CARD})


def read(note: bytes | None) -> dict[str, Worn]:
    """Deck -> what this table has dealt with it."""
    wear = DeckWear()
    wear.recover(note)
    return wear.decks
