"""A table that deals small hands: its events, sealed cards and the commitments between them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from feltwire.chain import LedgerHead
from feltwire.vault import Vault
from firmware_bridge.decks import CARDS, DeckRegistry, generate
from table_core.messages import (
    Acted,
    Action,
    AnyEvent,
    At,
    CardDealt,
    CardText,
    Chips,
    Envelope,
    HandEnded,
    HandStarted,
    Level,
    Millis,
    SealedCard,
    Seat,
    SeatStack,
    Share,
    Source,
)

DECKS = DeckRegistry.parse(generate(7))
LEVEL = Level(no=1, small_blind=Chips(1), big_blind=Chips(2))
SEATS = (Seat(1), Seat(2), Seat(3))
AT = At(boot="b" * 16, ms=Millis(1))


class DealtTable:
    """Its events carry only what the relay and `verify` look at."""

    def __init__(self, folder: Path, relay_key: bytes | None, table: str = "01") -> None:
        self.table = table
        self.vault = Vault(DECKS, table, relay_key, folder)
        self.head = LedgerHead()
        self.envelopes: list[Envelope] = []
        self.sealed: list[SealedCard] = []
        self.hand = 0

    def tell(self, *events: AnyEvent) -> list[Envelope]:
        told = []
        for event in events:
            envelope, self.head = self.head.link(event, at=AT, venue="hall", table=self.table)
            told.append(envelope)
        self.envelopes += told
        return told

    def riffle(self) -> list[Envelope]:
        """The first riffle of the next hand."""
        self.hand += 1
        self.vault.begin_hand(1, self.hand)
        self.vault.forget_hand()
        stacks = tuple(SeatStack(seat, Chips(100), f"player {seat}") for seat in SEATS)
        return self.tell(HandStarted(self.hand, Seat(3), Seat(1), Seat(2), LEVEL, stacks, Source.KEY))

    def deal(self, cards: Sequence[CardText] = CARDS[:6]) -> list[Envelope]:
        """Hole cards one at a time: seat 1, 2, 3, 1, 2, 3."""
        told = []
        for place, card in enumerate(cards, start=1):
            handle = self.vault.take(DECKS.tag_of("red", card)).handle
            placed = self.vault.place(handle, place)
            self.sealed += placed.sealed
            told += self.tell(CardDealt(place, f"seat-{(place - 1) % 3 + 1}", placed.commitment))
        return told

    def fold(self, seat: int) -> list[Envelope]:
        return self.tell(Acted(Seat(seat), Action.FOLD, Chips(0), Chips(0), False, Source.KEY))

    def end(self) -> list[Envelope]:
        return self.tell(HandEnded(self.hand, tuple(Share(seat, Chips(100)) for seat in SEATS)))

    def whole_hand(self) -> list[Envelope]:
        return [*self.riffle(), *self.deal(), *self.fold(1), *self.end()]
