"""The parts of every message: seats, chips, times, cards as text, and the base structs.

Every number, text and list has a bound here: input from outside is refused while it is read, and no message
exceeds what a database, a browser or a process's memory can hold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NewType, TypeVar

from msgspec import Meta, Struct

MOST_CHIPS = 10**12  # largest count; a pot is at most a hundred such stacks
HIGHEST_SEAT_NAMED = 99
HIGHEST_HAND = 10**9  # that a person sets: numbers count on from there
HIGHEST_EPOCH = 10**9  # that a machine may claim
LATEST = 4_102_444_800_000  # the year 2100: a wall time that a person or a file states
_EXACT = 2**53 - 1  # the largest whole number that every browser holds exactly

Seat = NewType("Seat", Annotated[int, Meta(ge=0, le=HIGHEST_SEAT_NAMED)])
Chips = NewType("Chips", Annotated[int, Meta(ge=0, le=_EXACT)])
Millis = NewType("Millis", Annotated[int, Meta(ge=-_EXACT, le=_EXACT)])
Number = Annotated[int, Meta(ge=0, le=_EXACT)]  # a count, an epoch, a place in a sequence
Signed = Annotated[int, Meta(ge=-_EXACT, le=_EXACT)]
# In log lines: no control characters. `$` alone would let a line feed at the end pass.
Name = Annotated[str, Meta(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$(?!\n)")]
CommandId = Annotated[str, Meta(max_length=180, pattern=r"^[^\x00-\x1f\x7f]*$(?!\n)")]  # and a cause names it
Text = Annotated[str, Meta(max_length=4_000)]
# What a person states is narrower than what is recorded of it: words are added, amounts and numbers summed.
Said = Annotated[str, Meta(max_length=1_000)]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]  # minutes, hands, rounds
HandNumber = Annotated[int, Meta(ge=0, le=HIGHEST_HAND)]
SignedAmount = Annotated[int, Meta(ge=-MOST_CHIPS, le=MOST_CHIPS)]
if TYPE_CHECKING:
    Amount = Chips
    Wall = Millis
else:  # msgspec takes one upper bound a type
    Amount = Annotated[int, Meta(ge=0, le=MOST_CHIPS)]
    Wall = Annotated[int, Meta(ge=0, le=LATEST)]  # what every calendar can say, with a schedule on top of it
BookText = Annotated[str, Meta(max_length=100_000)]  # what a director's own rulebook says, as JSON
CardText = Annotated[str, Meta(max_length=2, pattern=r"^([2-9TJQKA][cdhs]|\?\?)$")]
UNKNOWN_CARD = "??"

_T = TypeVar("_T")
Few = Annotated[tuple[_T, ...], Meta(max_length=100)]  # seats, cards, pots
Many = Annotated[tuple[_T, ...], Meta(max_length=10_000)]  # levels of a schedule, events that are taken back


class Frozen(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Base of every struct that does not carry a type tag. Frozen facts form no cycles: `gc=False`."""


class Message(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, gc=False):
    """Base of every struct that is one of several kinds and carries its type."""


class Event(Message, frozen=True):
    """A recorded fact. Events are public: none names a card that is not on the board, tabled or exposed.

    `flag` is the rule that a reported fact breaks; empty when it breaks none.
    """
