"""The bytes of a line as text for the page *as it is sensed*: hex, with tags masked."""

from __future__ import annotations

from firmware_bridge.frames import CUT_CARD, DECK, HEALTH, HELLO, KEY, LID, LOST, TIME, decode

_MASK = "••"
_SHOWN_OF_CARD = 11  # of a stuffed card frame: COBS byte, length, kind, boot, seq; the tag follows
_LONGEST = 256
_OPEN = {HELLO, HEALTH, TIME, KEY, LID, DECK, CUT_CARD, LOST}  # kinds that hold no tag; any other may


class MaskedTap:
    """Cuts a stream at its zeros and writes each piece as hex, as in `06 05 10 ••`.

    Of a card frame everything from the tag on is masked, the check sum too (it gives away as much as the
    tag), and so are the stuffing bytes, which tell where zeros lie. A frame of a kind that this program does
    not know may hold a tag: it is masked like a card. A piece that is no sound frame is masked whole.
    """

    def __init__(self) -> None:
        self._held = bytearray()

    def feed(self, data: bytes) -> list[str]:
        """One text for each piece that ends within `data`."""
        *ended, rest = (bytes(self._held) + data).split(b"\x00")
        self._held = bytearray(rest[-_LONGEST:])
        return [_text(piece) for piece in ended if piece]


def _text(stuffed: bytes) -> str:
    frame = decode(stuffed)
    if frame is None:
        return " ".join([_MASK] * min(len(stuffed), _LONGEST)) + " 00"
    if frame.kind in _OPEN:
        return stuffed.hex(" ") + " 00"
    marks = _stuffing(stuffed)
    shown = [_MASK if at in marks or at >= _SHOWN_OF_CARD else f"{byte:02x}" for at, byte in enumerate(stuffed)]
    return " ".join(shown) + " 00"


def _stuffing(stuffed: bytes) -> set[int]:
    """The positions of COBS's own bytes."""
    marks: set[int] = set()
    at = 0
    while at < len(stuffed):
        marks.add(at)
        at += stuffed[at]
    return marks
