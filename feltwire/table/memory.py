"""What a table knows: its projection, the tracker's memory and the commands it has carried out.

All of it is in the ledger. A restarted process recovers it from there; a machine that takes a table over loads the
history of another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from feltwire.config import TableConfig, rulebook_of
from feltwire.ledger.chain import hash_of
from feltwire.table import deck_wear
from feltwire.table.commands import Carried, Staleness
from feltwire.table.deck_wear import DeckWear
from feltwire.table.lease import Lease
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
    decode_envelope,
)
from table_core.projections.table import TableProjection
from table_core.tracker.state import TrackerState, decode_state, encode_faces, encode_state


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

    def _empty_projection(self) -> TableProjection:
        config = self.config
        chip, hints = config.smallest_chip, config.hints
        return TableProjection(
            config.venue, config.table, self._rulebook, smallest_chip=chip, hints=hints, epoch=1
        )

    # ------------------------------------------------------------------------------ from the ledger

    def recover(
        self, events: Sequence[tuple[Envelope, str]], notes: Callable[[str], bytes | None], vault: Vault
    ) -> None:
        """Take up the ledger's events with their hashes, and the notes kept beside them."""
        for envelope, head in events:
            self.projection.apply(envelope, head)
            self.staleness.recorded([envelope])
        tracker, commands = notes("tracker"), notes("commands")
        if tracker is not None:
            self.state = decode_state(tracker, vault.uncover(notes("faces") or b""))
        if commands is not None:
            self.carried = Carried.of(commands)
        self.worn.recover(notes(deck_wear.NOTE))

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

    def open_under(self, unit: TableUnitOfWork) -> None:
        """A process begins. Where the configuration names another rulebook than the recorded one, a hand that can
        still be played on or ruled on stays under its own book, and it is said."""
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
        envelopes = [decode_envelope(raw) for raw in history]
        for envelope, raw in zip(envelopes, history, strict=True):
            self.projection.apply(envelope, hash_of(raw))
        self.staleness.recorded(envelopes)
        self.carried = Carried.answered_in(envelopes)

    def turn_to(self, epoch: int) -> None:
        """The next event is the first of `epoch`."""
        self.projection.epoch, self.projection.seq = epoch, 0

    def open_epoch(self, unit: TableUnitOfWork, lease: Lease) -> None:
        """Begin an epoch. A hand that the previous machine had in progress ends unobserved."""
        is_new = not self.projection.head  # nothing is recorded of the table: it has no past
        unit.record(EpochBegan(lease.ledger, lease.key))
        if is_new:
            self.set_up(unit)
        elif self.projection.in_hand:
            number = self.projection.hand_number
            unit.record(Noticed("hand_not_observed", f"Hand {number} was not observed to its end: count stacks"))
            unit.record(SeatsSet(self.projection.stacks_all(), None, gap=True, source=Source.ASSUMED))
        self.open_under(unit)
        self.state = TrackerState()
