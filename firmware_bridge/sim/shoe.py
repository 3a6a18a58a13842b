"""A simulated RFID shoe."""

from __future__ import annotations

from pathlib import Path

from firmware_bridge import payloads
from firmware_bridge.frames import CARD
from firmware_bridge.sim.device import SimDevice


class SimShoe(SimDevice):
    """`deal(uid)` is a card that leaves past the reader."""

    def __init__(self, link_path: str | Path, *, boot: int | None = None) -> None:
        super().__init__(link_path, device_kind=payloads.SHOE, firmware="feltwire-shoe sim", boot=boot)
        self._reads = 1

    def deal(self, uid: bytes | None) -> tuple[int, int]:
        """A card with the 8-byte tag `uid` leaves, or one whose tag does not answer (None); the `(boot,
        seq)` of the (last) frame that came of it."""
        with self._changed:
            payload = payloads.card(payloads.NO_TAG if uid is None else uid, self._now())
            names = [self._report(CARD, payload) for _ in range(self._reads)]
            self._reads = 1
        self._wake()
        return names[-1]

    def double_read(self, times: int = 2) -> None:
        """The next card is read `times` times, as when it is held above the antenna."""
        with self._changed:
            self._reads = times
