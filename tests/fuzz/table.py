"""The table that everything is done to: the real node in one thread, what its ledger has, and its restart."""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from typing import Any

from feltwire.config import TableConfig
from feltwire.lab.scenario.table import TableInMemory
from feltwire.table.table_io import CommandCame, Commit, DeviceSaid
from table_core.messages import CardText, Chips, HandStarted, SeatStack, SetSeats, encode
from table_core.tracker.state import encode_faces, encode_state

_OF_ONE_PROCESS = re.compile(rb'"origin":\{[^}]*\}|"head":"[^"]*"|"commitment":"[^"]*"')  # by chance or by boot


class FuzzedTable(TableInMemory):
    """`face_up`: every card of this deal that was shown to the camera, or that the vault was asked to open."""

    def __init__(self, config: TableConfig, devices: Sequence[str]) -> None:
        self.face_up: set[CardText] = set()
        self._face_up_before: set[CardText] = set()
        self._opened = self._hand = 0
        super().__init__(config, devices)

    def again(self) -> FuzzedTable:
        """The process that starts again from this one's ledger; this one goes on, too."""
        other = copy.copy(self)
        other.vault = copy.deepcopy(self.vault)
        for name, value in vars(self).items():
            if isinstance(value, (list, dict, set)):
                setattr(other, name, copy.copy(value))
        other.acked = {device: list(frames) for device, frames in self.acked.items()}
        other.boot = self.boot + 1
        other.start()
        for device, state in self.node.table.devices.items():
            other.give(DeviceSaid(device, state))  # each line tells how it is when the process starts
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
            if isinstance(effect, Commit) and any(isinstance(one.data, HandStarted) for one in effect.envelopes):
                # The first riffle: whatever lay face up is in the deck again, unless it is taken back.
                self._face_up_before, self.face_up = self.face_up, set()
            elif isinstance(effect, Commit) and self.view.hand < self._hand:
                self.face_up |= self._face_up_before
        self._hand = self.view.hand
        super()._take(effects)
        for places, _ in self.vault.opened[self._opened :]:
            self.face_up |= {self.vault.places.get(place, "") for place in places}
        self._opened = len(self.vault.opened)


def _bare(raw: bytes) -> bytes:
    return _OF_ONE_PROCESS.sub(b"", raw)
