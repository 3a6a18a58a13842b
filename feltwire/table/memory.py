"""What a table knows: its projection, the tracker's memory and the commands it has carried out.

All of it is in the ledger. A restarted process recovers it from there; a machine that takes a table over loads the
history of another.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import msgspec

from feltwire.config import TableConfig, rulebook_of
from feltwire.ledger.chain import hash_of
from feltwire.table import deck_wear
from feltwire.table.commands import Carried, Staleness
from feltwire.table.deck_wear import DeckWear
from feltwire.table.lease import Lease
from feltwire.table.notes import NOTES, Notes
from feltwire.table.unit_of_work import TableUnitOfWork, Vault
from table_core.messages import (
    Envelope,
    EpochBegan,
    LevelBegan,
    Noticed,
    RulebookSet,
    ScheduleSet,
    SeatsSet,
    Source,
    StoredEvent,
    decode_stored,
)
from table_core.projections.table import TableProjection
from table_core.tracker.state import TrackerState, decode_state, encode_faces, encode_state

UNREAD = "record_unread"


class SealedFaces(Protocol):
    """The part of a vault that opens what the camera read at the seats."""

    def uncover(self, box: bytes) -> bytes | None: ...


class TableMemory:
    """`projection` and `state` are replaced in a takeover: hold the memory, not them."""

    def __init__(self, config: TableConfig) -> None:
        self.config = config
        self._rulebook = rulebook_of(config)
        self._sha256 = self._rulebook.sha256()
        self.projection = self._empty_projection()
        self.state = TrackerState()
        self.carried = Carried()
        self.staleness = Staleness()
        self.worn = DeckWear()
        self.passed_over: list[str] = []  # events that cannot be read, or do not fit
        self.unread_notes: tuple[str, ...] = ()
        self._said: set[str] = set()

    def _empty_projection(self) -> TableProjection:
        config = self.config
        chip, hints = config.smallest_chip, config.hints
        return TableProjection(
            config.venue, config.table, self._rulebook, smallest_chip=chip, hints=hints, epoch=1
        )

    # ------------------------------------------------------------------------------ from the ledger

    def recover(self, events: Sequence[tuple[StoredEvent, str]], notes: Notes, vault: SealedFaces) -> None:
        """Take up the ledger's events with their hashes, and the notes kept beside them, as far as they can be
        read."""
        self._follow(events)
        self.state = notes.read("tracker", lambda raw: decode_state(raw, None)) or TrackerState()
        if "tracker" in notes.unread:
            self.projection.lose_hand()
        elif faces := notes.read("faces", vault.uncover):
            tracker = notes.raw("tracker") or b""
            self.state = notes.read("faces", lambda _: decode_state(tracker, faces)) or self.state
        answered = Carried.answered_in(stored for stored, _ in events if isinstance(stored, Envelope))
        self.carried = notes.read("commands", Carried.of) or (answered if notes.unread else Carried())
        self.worn.recover(notes.read(deck_wear.NOTE, deck_wear.checked))

    def _follow(self, events: Iterable[tuple[StoredEvent, str]]) -> None:
        for stored, head in events:
            if not self.projection.take(stored, head):
                self.passed_over.append(f"{stored.epoch}/{stored.seq}")
            if isinstance(stored, Envelope):
                self.staleness.recorded([stored])
                if isinstance(stored.data, Noticed) and stored.data.kind == UNREAD:
                    self._said.add(stored.data.text)

    def _say_unread(self, unit: TableUnitOfWork) -> None:
        """What could not be read of the records goes on record, once."""
        of_events = (
            f"Event {number} of this table's records cannot be read; it is kept, and everything else counts"
            for number in self.passed_over
        )
        of_notes = (
            f"The note of {NOTES.get(key, key)} could not be read; it is kept for an engineer"
            for key in self.unread_notes
        )
        for text in (*of_events, *of_notes):
            if text not in self._said:
                unit.record(Noticed(UNREAD, text))
                self._said.add(text)

    def tracker_notes(self, vault: Vault) -> dict[str, bytes]:
        """The tracker's memory: in the clear, and what was read at the seats in a box of this hand."""
        return {"tracker": encode_state(self.state), "faces": vault.cover(encode_faces(self.state))}

    # ----------------------------------------------------------------------------- becoming a table

    def begin(self, unit: TableUnitOfWork, lease: Lease) -> None:
        """The first events of a new ledger."""
        if lease.key:
            unit.record(EpochBegan(lease.ledger, lease.key))
        self.set_up(unit)

    def set_up(self, unit: TableUnitOfWork) -> None:
        """A new ledger gets its rulebook, seats and levels from the configuration."""
        config = self.config
        self.set_rulebook(unit)
        unit.record(ScheduleSet(0, config.levels))
        unit.record(LevelBegan(next(level for level in config.levels if not level.is_break)))
        unit.record(SeatsSet(config.seats, config.button, hand=1))

    def close_unobserved(self, unit: TableUnitOfWork) -> None:
        """A hand that was in progress, and whose course is not known here, ends."""
        table = self.projection
        if table.in_hand or table.unobserved:
            number = table.hand_number
            unit.record(Noticed("hand_not_observed", f"Hand {number} was not observed to its end: count stacks"))
            unit.record(SeatsSet(table.stacks_all(), None, gap=True, source=Source.ASSUMED))

    def open_under(self, unit: TableUnitOfWork) -> None:
        """A process begins. Where the configuration names another rulebook than the recorded one, a hand that can
        still be played on or ruled on stays under its own book, and it is said."""
        self._say_unread(unit)
        table = self.projection
        if table.hand is None or not table.rulebook_sha256:
            self.set_rulebook(unit)
        elif table.rulebook_sha256 != self._sha256:
            known = table.rulebook.sha256() == table.rulebook_sha256
            under = f"stays under {table.rulebook.name}" if known else "is of a rulebook that is not known here"
            text = f"Hand {table.hand_number} {under}; from the next one {self._rulebook.name} as configured"
            unit.record(Noticed("rulebook_waits", text))

    def set_rulebook(self, unit: TableUnitOfWork) -> None:
        """Between hands: the rulebook and the settings of the house as configured go on record where they are not
        the recorded ones."""
        book = self._rulebook
        if self.projection.rulebook_sha256 != self._sha256:
            house = msgspec.json.encode(book.house_settings(), order="deterministic").decode()
            unit.record(RulebookSet(book.id, house, self._sha256, book.recorded))

    def take_over(self, history: tuple[bytes, ...]) -> None:
        """Load another machine's records: the stored bytes of every event, from the first on."""
        self.projection = self._empty_projection()
        self.staleness = Staleness()
        self.passed_over, self._said = [], set()
        events = [(decode_stored(raw), hash_of(raw)) for raw in history]
        self._follow(events)
        self.carried = Carried.answered_in(stored for stored, _ in events if isinstance(stored, Envelope))

    def turn_to(self, epoch: int) -> None:
        """The next event is the first of `epoch`."""
        self.projection.epoch, self.projection.seq = epoch, 0

    def open_epoch(self, unit: TableUnitOfWork, lease: Lease) -> None:
        """Begin an epoch. A hand that the previous machine had in progress ends unobserved."""
        is_new = not self.projection.head  # nothing is recorded of the table: it has no past
        unit.record(EpochBegan(lease.ledger, lease.key))
        if is_new:
            self.set_up(unit)
        else:
            self.close_unobserved(unit)
        self.open_under(unit)
        self.state = TrackerState()
