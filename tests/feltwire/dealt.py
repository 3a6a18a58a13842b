"""A table that deals small hands: its events, sealed cards and the commitments between them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from feltwire.ledger.chain import LedgerHead
from feltwire.ledger.signing import LedgerKey
from feltwire.table.vault import Vault
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
    Leaseholder,
    Level,
    Millis,
    PastEpoch,
    SealedCard,
    Seat,
    SeatStack,
    Share,
    Source,
    TableLeaseholder,
    TableState,
    TableView,
)

DECKS = DeckRegistry.parse(generate(7))
LEVEL = Level(no=1, small_blind=Chips(1), big_blind=Chips(2))
SEATS = (Seat(1), Seat(2), Seat(3))
AT = At(boot="b" * 16, ms=Millis(1))


class DealtTable:
    """Its events carry only what the relay and `verify` look at. `key` is what it signs with."""

    def __init__(
        self, folder: Path, relay_key: bytes | None, table: str = "01", *, key: LedgerKey | None = None
    ) -> None:
        self.key = key or LedgerKey(bytes(range(32)))
        self.past: tuple[PastEpoch, ...] = ()
        self.table = table
        self._new_vault = lambda: Vault(DECKS, table, relay_key, folder, key=self.key.public)
        self.vault = self._new_vault()
        self.head = LedgerHead()
        self.envelopes: list[Envelope] = []
        self.sealed: list[SealedCard] = []
        self.hand = 0

    def tell(self, *events: AnyEvent) -> list[Envelope]:
        added = []
        for event in events:
            entry = self.head.link(event, at=AT, venue="hall", table=self.table, key=self.key)
            self.head = entry.head
            added.append(entry.envelope)
        self.envelopes += added
        return added

    def riffle(self) -> list[Envelope]:
        """The first riffle of the next hand, and its first card, which is not read: the deal stands."""
        return [*self.new_hand(), *self.tell(CardDealt(1, "seat-1", None))]

    def new_hand(self) -> list[Envelope]:
        """NEW HAND, which can be taken back still."""
        self.hand += 1
        self.vault.begin_hand(self.head.epoch, self.hand)
        self.vault.forget_hand()
        stacks = tuple(SeatStack(seat, Chips(100), f"player {seat}") for seat in SEATS)
        return self.tell(HandStarted(self.hand, Seat(3), Seat(1), Seat(2), LEVEL, stacks, Source.KEY))

    def deal(self, cards: Sequence[CardText] = CARDS[:6]) -> list[Envelope]:
        """Hole cards one at a time: seat 1, 2, 3, 1, 2, 3."""
        added = []
        for place, card in enumerate(cards, start=1):
            handle = self.vault.take(DECKS.tag_of("red", card)).handle
            to = f"seat-{(place - 1) % 3 + 1}"
            placed = self.vault.place(handle, place, to)
            self.sealed += placed.sealed
            added += self.tell(CardDealt(place, to, placed.commitment))
        return added

    def seal(self, seq: int, card: SealedCard) -> bytes:
        """A box as it goes to the relay, number `seq` of this epoch."""
        return self.key.sign(replace(card, epoch=self.head.epoch, sealed_seq=seq))

    def state(self, view: TableView) -> bytes:
        """What it would publish as its state."""
        return self.key.sign(TableState(replace(view, venue="hall", table=self.table)))

    @property
    def leaseholder(self) -> TableLeaseholder:
        """What the station says of it."""
        return TableLeaseholder(self.table, Leaseholder("1234", self.head.epoch, self.key.public, self.past))

    def next_epoch(self, key: LedgerKey | None = None) -> None:
        """The station grants the next epoch, behind the last event, to the machine with `key`."""
        head = self.head
        self.past += (PastEpoch(head.epoch, head.seq, head.hash, "1234", self.key.public),)
        self.key, self.head = key or self.key, head.in_epoch(head.epoch + 1)
        self.vault = self._new_vault()

    def projection(self, seat: int) -> list[Envelope]:
        return self.tell(Acted(Seat(seat), Action.FOLD, Chips(0), Chips(0), False, Source.KEY))

    def end(self) -> list[Envelope]:
        return self.tell(HandEnded(self.hand, tuple(Share(seat, Chips(100)) for seat in SEATS)))

    def whole_hand(self) -> list[Envelope]:
        return [*self.riffle(), *self.deal(), *self.projection(1), *self.end()]
