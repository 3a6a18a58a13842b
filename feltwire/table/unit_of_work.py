"""What one step of a table records: applied at once, collected for one commit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Protocol

from feltwire.ledger.chain import ChainEntry, LedgerHead, chain
from feltwire.ledger.signing import Signer
from feltwire.table.deck_wear import DeckWear, HandWear
from feltwire.table.table_io import Commit
from firmware_bridge.shoe import Uid
from table_core.hand.hand import Hand
from table_core.messages import AnyEvent, AnyHandCommand, At, CardText, Refusal, Rewound, SealedCard, Unencodable
from table_core.projections.table import TableProjection
from table_core.tracker.unit_of_work import SealedCards


class Placed(Protocol):
    """A card with its place; all fields belong into the commit of its event."""

    @property
    def commitment(self) -> str | None: ...
    @property
    def sealed(self) -> tuple[SealedCard, ...]: ...
    @property
    def boxes(self) -> tuple[bytes, ...]: ...


class Taken(Protocol):
    """A passage of the shoe, as `feltwire.table.vault.Taken`."""

    @property
    def handle(self) -> int: ...
    @property
    def note(self) -> str: ...
    @property
    def boxes(self) -> tuple[bytes, ...]: ...
    @property
    def deck(self) -> str: ...


class Vault(SealedCards, Protocol):
    """The part of `feltwire.table.vault.Vault` that a unit of work needs."""

    def begin_hand(
        self, epoch: int, hand: int, attempt: int = 1, carry: Sequence[int] = ()
    ) -> tuple[bytes, ...]: ...
    def deal_stands(self) -> tuple[bytes, ...]: ...
    def take_back_deal(self) -> tuple[bytes, ...]: ...
    def take(self, uid: Uid | None) -> Taken: ...
    def handle_of(self, uid: Uid | None) -> int: ...
    def take_back(self, handle: int) -> tuple[bytes, ...]: ...
    def place(self, handle: int, place: int, to: str) -> Placed: ...
    def cover(self, faces: bytes) -> bytes: ...
    def uncover(self, box: bytes) -> bytes | None: ...
    def wear(self, public: frozenset[CardText], places: Collection[int]) -> HandWear | None: ...


class TableUnitOfWork:
    """The tracker's `UnitOfWork`.

    An event is signed with `key`, applied to the table at once and collected in `commit`. `by` is the person who
    pressed. A command is decided and applied once, by the hand. `record` raises `Unencodable` for an event that no
    ledger could give back: the process then takes back the whole step (decision 57).
    """

    def __init__(
        self,
        projection: TableProjection,
        vault: Vault,
        venue: str,
        at: At,
        cause: str,
        key: Signer | None = None,
        by: str = "",
        between_hands: Callable[[TableUnitOfWork], None] | None = None,
        worn: DeckWear | None = None,
    ) -> None:
        self.table = projection
        self.cards = vault
        self.commit = Commit()
        self._vault = vault
        self._venue = venue
        self._at = at
        self.cause = cause
        self._key = key
        self._by = by
        self._between_hands = between_hands
        self._worn = worn

    def push(self, command: AnyHandCommand) -> Refusal | None:
        """A command whose events no ledger could give back is refused, and taken back in the hand."""
        hand = self.table.hand_for(command)
        events = hand.push(command)
        if isinstance(events, Refusal):
            return events
        try:
            entries = self._linked(events)
        except Unencodable as error:
            if hand is self.table.hand:  # else it is a new one, which nobody has seen
                hand.pop()
            return Refusal(f"Nothing was done, for it cannot be recorded: {error}", "")
        for entry in entries:
            self._apply(entry, hand)
        return None

    def record(self, event: AnyEvent) -> None:
        for entry in self._linked((event,)):
            self._apply(entry)

    def _linked(self, events: Sequence[AnyEvent]) -> list[ChainEntry]:
        """The events behind the last one, signed; nothing is applied. Raise `Unencodable`."""
        projection = self.table
        head = LedgerHead(projection.epoch, projection.seq, projection.head)
        return chain(
            head,
            events,
            at=self._at,
            venue=self._venue,
            table=projection.table,
            cause=self.cause,
            by=self._by,
            key=self._key,
        )

    def _apply(self, entry: ChainEntry, pushed: Hand | None = None) -> None:
        table, event = self.table, entry.envelope.data
        waited, log = table.before_hand is not None, table.hand_log
        table.apply(entry.envelope, entry.hash, pushed=pushed)
        self.commit.entries.append(entry)
        if isinstance(event, Rewound) and waited and log and log[0].seq in event.cut:  # NEW HAND
            self.commit.boxes, self.commit.drop_boxes = list(self._vault.take_back_deal()), True
        elif waited and table.before_hand is None:
            self.commit.boxes, self.commit.drop_boxes = list(self._vault.deal_stands()), True

    def begin_deal(self, hand: int, carry: Sequence[int] = ()) -> None:
        if self._between_hands is not None and not self.table.in_hand:
            self._between_hands(self)
        if self._worn is not None:
            self.commit.notes |= self._worn.count(self.table, self._vault)
        self.commit.boxes += self._vault.begin_hand(self.table.epoch, hand, 1, carry)

    def deal(self, handle: int, place: int, to: str) -> str | None:
        placed = self._vault.place(handle, place, to)
        self.commit.sealed += placed.sealed
        self.commit.boxes += placed.boxes
        return placed.commitment

    def take_back(self, handle: int) -> None:
        self.commit.boxes += self._vault.take_back(handle)
