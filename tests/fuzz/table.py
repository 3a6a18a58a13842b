"""The table that everything is done to: the real node in one thread, what its ledger has, and its restart."""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from typing import Any

from feltwire.config import TableConfig
from feltwire.lab.scenario.table import LEDGER, TableInMemory
from feltwire.table.node import TableNode
from feltwire.table.table_io import CommandCame, Commit
from table_core.messages import At, CardText, Chips, Envelope, HandStarted, SeatStack, SetSeats, encode
from table_core.tracker.state import encode_faces, encode_state

_OF_ONE_PROCESS = re.compile(rb'"origin":\{[^}]*\}|"head":"[^"]*"|"commitment":"[^"]*"')  # by chance or by boot


class FuzzedTable(TableInMemory):
    """`face_up`: every card of this deal that was shown to the camera, or that the vault was asked to open."""

    def __init__(self, config: TableConfig, devices: Sequence[str]) -> None:
        self.config = config
        self.face_up: set[CardText] = set()
        self.stored: list[tuple[Envelope, str]] = []
        self.notes: dict[str, bytes] = {}
        self.boots = 9
        self._opened = 0
        super().__init__(config, devices)

    def again(self) -> FuzzedTable:
        """The process that starts again from this one's ledger; this one goes on, too."""
        other = copy.copy(self)
        other.vault = copy.deepcopy(self.vault)
        for name in (
            "envelopes",
            "events",
            "published",
            "private",
            "acked",
            "stored",
            "notes",
            "_sent",
            "face_up",
        ):
            setattr(other, name, copy.copy(getattr(self, name)))
        other.boots = self.boots + 1
        acked = list(self.acked)
        other.node = TableNode(
            self.config,
            other.vault,
            known=lambda device, _: [seq for name, seq in acked if name == device],
            stamp=lambda now: At("boot", now),
            boot=other.boots,
            ledger=LEDGER,
        )
        other.node.recover(list(self.stored), self.notes.get)
        effects = other.node.open_table(other.now)
        other._take(effects)
        return other

    def give_seats(self) -> None:
        """The director sets the seats: everybody has a hundred big blinds, at the first level."""
        seats = tuple(SeatStack(seated.seat, Chips(10_000)) for seated in self.config.seats)
        count = len(self.envelopes)
        self.give(CommandCame(encode(SetSeats(f"seats-{count}", seats, level=self.config.levels[0]))))

    def remembered(self) -> tuple[bytes, bytes]:
        """What a restart must keep: the public view, and the tracker's memory without who numbered its sources."""
        state = self.node.state
        return _bare(encode(self.view)), _bare(encode_state(state) + encode_faces(state))

    def said_since(self, before: int) -> list[bytes]:
        """The events behind the first `before`, as two tables that are told the same both say them."""
        return [_bare(encode(event)) for event in self.events[before:]]

    def _take(self, effects: list[Any]) -> None:
        for effect in effects:
            if isinstance(effect, Commit):
                self.stored += [(entry.envelope, entry.hash) for entry in effect.entries]
                self.notes.update(effect.notes)
                if any(isinstance(one.data, HandStarted) for one in effect.envelopes):
                    self.face_up.clear()  # the first riffle: whatever lay face up is in the deck again
        super()._take(effects)
        for places, _ in self.vault.opened[self._opened :]:
            self.face_up |= {self.vault.places.get(place, "") for place in places}
        self._opened = len(self.vault.opened)


def _bare(raw: bytes) -> bytes:
    return _OF_ONE_PROCESS.sub(b"", raw)
