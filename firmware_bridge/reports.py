"""What devices report, as a table takes it; read from the frames of docs/wire.md, or made by another driver.

`at` is when it happened, in milliseconds of this machine's boot time. Tags stay opaque.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from firmware_bridge import frames, payloads
from firmware_bridge.shoe import Uid, tag_of
from table_core.messages import Key, Millis


class KeyDown(Struct, frozen=True, tag=True):
    """A key of the keypad went down; `device_ms` is the keypad's own clock, where it says so."""

    at: Millis
    key: Key
    device_ms: int | None = None


class CardPassed(Struct, frozen=True, tag=True):
    """A card left the shoe. Its tag is opaque and goes to the vault; None when no tag answered. `doubtful`: one
    answered that may belong to another card. `counted`: the device sees cards leave it, whether a tag answers or
    not; a reader alone may have read one that only came near."""

    at: Millis
    uid: Uid | None
    doubtful: bool = False
    counted: bool = False


class CardsTogether(Struct, frozen=True, tag=True):
    """Several cards left the shoe together; their order is not known."""

    at: Millis
    uids: tuple[Uid | None, ...]


class CardBack(Struct, frozen=True, tag=True):
    """A card went back into the shoe. `was_out`: it had left before; else it was pushed back on its way."""

    at: Millis
    uid: Uid | None
    was_out: bool


class LidMoved(Struct, frozen=True, tag=True):
    at: Millis
    open: bool


class DeckMoved(Struct, frozen=True, tag=True):
    """A deck was put into the shoe, or nothing is left in it."""

    at: Millis
    seated: bool


class CutCardPassed(Struct, frozen=True, tag=True):
    at: Millis


class ReportsLost(Struct, frozen=True, tag=True):
    """Reports before this one are missing: `count` of them at least, 0 where nobody knows. `why` in words."""

    count: int
    why: str


class Unreadable(Struct, frozen=True, tag=True):
    """A sound frame that says what no such device should say: why. Never a tag."""

    why: str


Report = (
    KeyDown
    | CardPassed
    | CardsTogether
    | CardBack
    | LidMoved
    | DeckMoved
    | CutCardPassed
    | ReportsLost
    | Unreadable
)


class HasPayload(Protocol):
    """A `frames.Frame` or a `link.ReceivedFrame`."""

    @property
    def kind(self) -> int: ...
    @property
    def payload(self) -> bytes: ...


WHY_LOST = {
    payloads.QUEUE_FULL: "its queue was full",
    payloads.POWER_FAILED: "its power failed",
    payloads.MEMORY_DAMAGED: "its memory was damaged",
    payloads.RESTARTED: "it was switched off",
    payloads.UNCERTAIN: "something passed, and how many cards it was is not certain",
}


def read_report(device_kind: int, frame: HasPayload, when: Callable[[int], Millis]) -> Report:
    """What a frame of a keypad or a shoe says. `when(device_ms)` is this machine's boot time of the device's."""
    read = _KINDS[device_kind].get(frame.kind)
    if read is None:
        device = payloads.DEVICE_NAMES[device_kind]
        return Unreadable(f"kind 0x{frame.kind:02x} is none of a {device}'s; is its firmware newer?")
    try:
        return read(frame.payload, when)
    except ValueError as error:
        return Unreadable(str(error))


_When = Callable[[int], Millis]


def _key(payload: bytes, when: _When) -> Report:
    code, device_ms = payloads.read_key(payload)
    try:
        return KeyDown(when(device_ms), Key(code), device_ms)
    except ValueError:
        raise ValueError(f"key: no key has code {code}; is the keypad's firmware newer?") from None


def _card(payload: bytes, when: _When) -> Report:
    tag, device_ms, doubtful = payloads.read_card(payload)
    return CardPassed(when(device_ms), None if doubtful else tag_of(tag), doubtful)


def _cards(payload: bytes, when: _When) -> Report:
    tags, device_ms = payloads.read_cards(payload)
    return CardsTogether(when(device_ms), tuple([tag_of(tag) for tag in tags]))


def _card_back(payload: bytes, when: _When) -> Report:
    tag, device_ms, was_out = payloads.read_card_back(payload)
    return CardBack(when(device_ms), tag_of(tag), was_out)


def _lid(payload: bytes, when: _When) -> Report:
    is_open, device_ms = payloads.read_switch(payload)
    return LidMoved(when(device_ms), is_open)


def _deck(payload: bytes, when: _When) -> Report:
    seated, device_ms = payloads.read_switch(payload)
    return DeckMoved(when(device_ms), seated)


def _cut_card(payload: bytes, when: _When) -> Report:
    return CutCardPassed(when(payloads.read_moment(payload)))


def _lost(payload: bytes, when: _When) -> Report:
    count, why, _ = payloads.read_lost(payload)
    return ReportsLost(count, WHY_LOST.get(why, "for a reason that this program does not know"))


_KINDS: dict[int, dict[int, Callable[[bytes, _When], Report]]] = {
    payloads.KEYPAD: {frames.KEY: _key, frames.LOST: _lost},
    payloads.SHOE: {
        frames.CARD: _card,
        frames.CARDS: _cards,
        frames.CARD_BACK: _card_back,
        frames.LID: _lid,
        frames.DECK: _deck,
        frames.CUT_CARD: _cut_card,
        frames.LOST: _lost,
    },
}
