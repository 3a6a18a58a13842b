"""A simulated table that also writes down the truth: when which card left the deck or lay face up, and each key.

Runs in place of `python -m feltwire.lab.simroom`, with `--truth FILE` beside it; the file lies outside the room.
Now and then its shoe is a bad one: a tag twice, damaged frames, frames of a strange kind, all with a real tag
in them.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from feltwire.lab.simroom import process
from feltwire.lab.simroom.config import SimroomConfig
from feltwire.lab.simroom.dealer import shift
from feltwire.lab.simroom.dealer.hands import Hands
from feltwire.lab.simroom.dealer.pace import Pace
from feltwire.lab.simroom.devices import SimDevices
from firmware_bridge.frames import CARD, encode
from firmware_bridge.sim import SimShoe
from table_core.messages import CardText

TROUBLE_EVERY = 5  # hands


class Witness:
    """Writes one JSON line for each thing that the dealer does with cards, with the boot time before it."""

    def __init__(self, path: Path, table: str, hands: Hands, shoe: SimShoe) -> None:
        self._file = path.open("a")
        self._table = table
        self._shoe = shoe
        self._hands_begun = 0
        self._trouble = False
        self._watch(hands)

    def begin(self, hand: int) -> None:
        self._hands_begun += 1
        self._trouble = self._hands_begun % TROUBLE_EVERY == 2
        self._note("hand", hand=hand)

    def _note(self, what: str, **more: object) -> None:
        at = time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000
        self._file.write(json.dumps({"at": at, "table": self._table, "what": what, **more}) + "\n")
        self._file.flush()

    def _watch(self, hands: Hands) -> None:
        felt = hands.felt

        def deal(seat: int, card: CardText, *, face_up: bool = False) -> None:
            self._note("dealt", seat=seat, card=card)
            if face_up:
                self._note("face_up", cards=[card])

        _before(hands, "press", lambda *keys: self._note("pressed", keys=[key.name for key in keys]))
        _before(hands, "pass_shoe", lambda card: self._note("drawn", card=card))
        _before(felt, "deal", deal)
        _before(felt, "turn_up", lambda seat: self._note("face_up", cards=[c.card for c in felt.hands[seat]]))
        _before(felt, "put_on_board", lambda cards: self._note("face_up", cards=list(cards)))
        _before(felt, "throw_away", lambda seat: self._note("thrown_away", seat=seat))
        _before(self._shoe, "deal", self._misbehave)

    def _misbehave(self, uid: bytes) -> None:
        if self._trouble:
            self._trouble = False
            for data in damaged_frames(uid, boot=0x0BAD0000 + self._hands_begun):
                self._shoe.garbage(data)
            self._shoe.double_read()


def _before(thing: object, name: str, note: Callable[..., None]) -> None:
    do = getattr(thing, name)

    def noted(*args: Any, **kwargs: Any) -> Any:
        note(*args, **kwargs)
        return do(*args, **kwargs)

    setattr(thing, name, noted)


def damaged_frames(uid: bytes, boot: int) -> list[bytes]:
    """A tag in what must not be taken, printed or kept: cut off, wrong sum, bare, and in sound frames whose
    payload is too short or whose kind is strange."""
    frame = encode(CARD, boot, 1, uid + bytes(4))
    wrong_sum = bytearray(frame)
    wrong_sum[-2] ^= 0x55 if wrong_sum[-2] != 0x55 else 0x56
    return [
        b"\x00" + frame[:-5] + b"\x00",
        bytes(wrong_sum),
        uid + b"\x00",
        encode(CARD, boot, 1, uid[:7]),
        encode(0x33, boot, 2, uid),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", required=True)
    parser.add_argument("--truth", required=True, type=Path)
    arguments = parser.parse_args()
    witnesses: list[Witness] = []

    class WatchedDevices(SimDevices):
        def __init__(self, config: SimroomConfig, pace: Pace) -> None:
            super().__init__(config, pace)
            witnesses.append(Witness(arguments.truth, config.table, self.hands, self._shoe))

    class WatchedDealing(shift.RobotDealing):
        def play(self) -> Any:
            witnesses[-1].begin(self.hand)
            return super().play()

    process.SimDevices = WatchedDevices  # type: ignore[misc]
    shift.RobotDealing = WatchedDealing  # type: ignore[misc]
    return process.main(["--config", arguments.config])


if __name__ == "__main__":
    sys.exit(main())
