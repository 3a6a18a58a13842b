"""The device's power is cut at every byte that its memory writes in a conversation of 200 events: each event is in
the ledger once and in order, or the device says that it lost it. The second half of the cases are brown-outs: the
byte that is being written becomes anything."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

from firmware_bridge import payloads
from firmware_bridge.device import Device
from firmware_bridge.report_log import PLACE_BYTES, Memory, ReportLog
from tests.wire.conversation import EVENTS, Conversation
from tests.wire.proof import Counts, Finding, Proof

PLACES = 16


class Cut(Exception):
    """The power is gone."""


class Cells(Memory):
    """A memory whose bytes are written one by one."""

    size = PLACES * PLACE_BYTES + 1

    def __init__(self, cut_after: int | None = None, torn: int | None = None) -> None:
        self.data = bytearray(self.size)
        self.written = 0
        self.cut_after = cut_after
        self._torn = torn

    def read(self, at: int, count: int) -> bytes:
        return bytes(self.data[at : at + count])

    def write(self, at: int, data: bytes) -> None:
        for offset, byte in enumerate(data):
            if self.written == self.cut_after:
                self.cut_after = None
                if self._torn is not None:
                    self.data[at + offset] = self._torn
                raise Cut
            self.data[at + offset] = byte
            self.written += 1


def _talk(cells: Cells) -> Conversation:
    def made(boot: int) -> Device:
        return Device(payloads.KEYPAD, "keypad", boot, room=PLACES - 2, log=ReportLog(cells))

    return Conversation(made)


@cache
def whole() -> int:
    cells = Cells()
    talk = _talk(cells)
    talk.run()
    if talk.keys() != [event % 10 for event in range(EVENTS)]:
        raise Finding("without a power cut events are missing")
    return cells.written


def run(case: int, seed: int) -> Counts:
    sags, byte = divmod(case, whole())
    cells = Cells(byte, random.Random(f"power {seed} {case}").randrange(256) if sags else None)
    talk = _talk(cells)
    try:
        talk.run()
    except Cut:
        talk.restart()
        talk.run()
    keys, losses = talk.keys(), talk.losses()
    names = [name for name, _ in talk.ledger]
    if len(set(names)) != len(names):
        raise Finding("a report is in the ledger twice")
    missing = _missing(keys)
    if missing is None:
        raise Finding("an event that was not made, or not in order")
    if missing > losses:
        raise Finding(f"{missing} events missing, and the device says {losses}")
    if any(cells.data):
        raise Finding("the memory still holds what was acknowledged")
    return Counter(
        cuts=1,
        brown_outs=sags,
        events=EVENTS,
        missing=missing,
        said=losses,
        said_and_not_missing=max(0, losses - missing),
    )


def _missing(keys: list[int]) -> int | None:
    """How many events are missing in `keys`; None where they are not those that were made, in order."""
    left = iter(range(EVENTS))
    for key in keys:
        if not any(event % 10 == key for event in left):
            return None
    return EVENTS - len(keys)


def figures(counts: Counts) -> list[str]:
    return [
        f"{counts['cuts']} power cuts at the {whole()} bytes that the memory writes for {EVENTS} events, "
        f"in {counts['brown_outs']} of them anything in that byte: "
        f"{counts['events']} events, {counts['missing']} of them missing, each said by the device, 0 repeated",
        f"{counts['said_and_not_missing']} times the device said one too many: it cannot know what the host has",
    ]


PROOF = Proof("the power cut at every byte of the memory, over 200 events", lambda: 2 * whole(), run, figures)
