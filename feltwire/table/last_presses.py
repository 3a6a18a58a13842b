"""The dealer's last presses, as they came: also those that changed nothing and those that were taken back."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from table_core.messages import (
    AnyObservation,
    Envelope,
    Key,
    KeyPressed,
    LastPresses,
    PressView,
    ScreenTouched,
    decode,
    encode,
    encode_view,
)
from table_core.projections import words

KEPT = 30
MOST_TYPED = 200  # letters; of more, the last ones
MOST_FACTS = 100
# They wait for the key after them.
_TYPED = frozenset({*(key for key in Key if key < Key.CLEAR or key.seat is not None), Key.SEAT})


class PressLog:
    def __init__(self) -> None:
        self._typed = ""
        self._presses: deque[PressView] = deque(maxlen=KEPT)

    def take(self, seen: AnyObservation, wall: str, by: str, led_to: list[Envelope]) -> bool:
        """Keep what was pressed; whether there is a press more."""
        facts = tuple([one.seq for one in led_to[:MOST_FACTS]])
        match seen:
            case KeyPressed():
                typed = words.on_the_key(seen.key) if seen.key < Key.CLEAR else f" {words.on_the_key(seen.key)} "
                self._typed = (self._typed + typed)[-MOST_TYPED:]
                if seen.key in _TYPED:
                    return False
                keys, self._typed = " ".join(self._typed.split()), ""
                self._add(PressView(wall, "keypad", keys, by, facts))
                return True
            case ScreenTouched():
                number = [f"{seen.seat} SEAT"] if seen.seat is not None else []
                number += [str(seen.amount)] if seen.amount is not None else []
                keys = " ".join([*number, words.on_the_key(seen.key)])
                self._add(PressView(wall, "screen", keys, by, facts))
                return True
        return False

    def _add(self, press: PressView) -> None:
        encode(press)  # read again once, not with each that follows
        self._presses.append(press)

    def kept(self) -> bytes:
        """The note in the ledger."""
        return encode_view(LastPresses(0, self.last()))

    def recover(self, presses: Iterable[PressView]) -> None:
        self._presses.extend(presses)

    def last(self) -> tuple[PressView, ...]:
        return tuple(self._presses)


def last_presses(note: bytes) -> tuple[PressView, ...]:
    """Those in the note. Raise `Malformed`."""
    return decode(note, LastPresses).presses
