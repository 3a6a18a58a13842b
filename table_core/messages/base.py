"""What every message is built of: seats, chips, times, cards as text, and the structs below all others."""

from __future__ import annotations

from typing import Annotated, NewType

from msgspec import Meta, Struct

Seat = NewType("Seat", int)
Chips = NewType("Chips", int)
Millis = NewType("Millis", int)
CardText = Annotated[str, Meta(pattern=r"^([2-9TJQKA][cdhs]|\?\?)$")]
UNKNOWN_CARD = "??"


class Frozen(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Base of every struct that does not carry a type tag. Frozen facts form no cycles: `gc=False`."""


class Message(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, gc=False):
    """Base of every struct that is one of several kinds and carries its type."""


class Event(Message, frozen=True):
    """A recorded fact. Events are public: none names a card that is not on the board, tabled or exposed.

    `flag` is the rule that a reported fact breaks; empty when it breaks none.
    """
