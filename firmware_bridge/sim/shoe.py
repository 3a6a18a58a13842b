"""A simulated RFID shoe."""

from __future__ import annotations

from pathlib import Path

from firmware_bridge import payloads
from firmware_bridge.frames import CARD, CARD_BACK, CARDS, CUT_CARD, DECK, LID
from firmware_bridge.sim.device import SimDevice

_CAN = (
    payloads.SEES_EVERY_CARD
    | payloads.HAS_TWO_ANTENNAS
    | payloads.HAS_LID
    | payloads.SEES_DECK
    | payloads.SEES_CUT_CARD
)


class SimShoe(SimDevice):
    """`deal(uid)` is a card that leaves past the reader. Each method gives the `(boot, seq)` of its (last)
    frame."""

    def __init__(self, link_path: str | Path, *, boot: int | None = None) -> None:
        super().__init__(
            link_path, device_kind=payloads.SHOE, firmware="feltwire-shoe sim", capabilities=_CAN, boot=boot
        )
        self._reads = 1

    def deal(self, uid: bytes | None, *, doubtful: bool = False) -> tuple[int, int]:
        """A card with the 8-byte tag `uid` leaves, or one whose tag does not answer (None)."""
        with self._changed:
            payload = payloads.card(_tag(uid), self._now(), doubtful)
            self._device.health.passages += 1
            self._device.health.unread += uid is None
            names = [self._report(CARD, payload) for _ in range(self._reads)]
            self._reads = 1
        self._wake()
        return names[-1]

    def deal_together(self, *uids: bytes | None) -> tuple[int, int]:
        """Several cards leave at once."""
        return self._say(CARDS, payloads.cards([_tag(uid) for uid in uids], self._now()))

    def push_back(self, uid: bytes | None, *, was_out: bool = False) -> tuple[int, int]:
        """A card goes back into the shoe."""
        return self._say(CARD_BACK, payloads.card_back(_tag(uid), self._now(), was_out))

    def cut_card(self) -> tuple[int, int]:
        return self._say(CUT_CARD, payloads.moment(self._now()))

    def lid(self, *, opened: bool) -> tuple[int, int]:
        return self._say(LID, payloads.switch(opened, self._now()))

    def deck(self, *, seated: bool) -> tuple[int, int]:
        return self._say(DECK, payloads.switch(seated, self._now()))

    def double_read(self, times: int = 2) -> None:
        """The next card is read `times` times, as by a reader that does not know what it has read."""
        with self._changed:
            self._reads = times

    def _say(self, kind: int, payload: bytes) -> tuple[int, int]:
        with self._changed:
            name = self._report(kind, payload)
        self._wake()
        return name


def _tag(uid: bytes | None) -> bytes:
    return payloads.NO_TAG if uid is None else uid
