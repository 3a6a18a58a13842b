"""The unit of work: the table's state, what one step records of it, and the sealed cards.

The process under the table implements it. The tracker itself does no I/O, keeps no clock and never holds a card
that lies face down.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

from table_core.messages import AnyEvent, AnyHandCommand, CardText, Refusal
from table_core.projections.table import TableProjection


class Why(StrEnum):
    """Why cards may be opened before the relay releases them."""

    STREET_CONFIRMED = "street_confirmed"  # the dealer confirmed that this street lies face up
    SEEN_FACE_UP = "seen_face_up"  # the camera sees every card of the street face up but cannot read one
    ACTED_ON = "acted_on"  # the camera sees the card face up but cannot read it, and betting on it is keyed
    TABLED = "tabled"  # the seat tabled: the key said so, and the camera or a second press confirmed it


class SealedCards(Protocol):
    """The part of the vault that the tracker may use. Places count the cards of this deal from 1."""

    def is_card(self, place: int, card: CardText) -> bool | None:
        """Whether the card at `place` is `card`, which somebody sees face up; None when it is not known. Only of a
        place that is to be public by now (decision 58)."""
        ...

    def open_places(self, places: Sequence[int], why: Why) -> tuple[CardText, ...]:
        """The cards at `places`, which `why` makes public; `"??"` for those that nobody read."""
        ...


class UnitOfWork(Protocol):
    """Where the tracker decides and records, in the order of the calls."""

    @property
    def table(self) -> TableProjection: ...

    @property
    def cards(self) -> SealedCards: ...

    @property
    def cause(self) -> str:
        """The observation or command that this step works at."""
        ...

    def push(self, command: AnyHandCommand) -> Refusal | None:
        """Ask the hand engine; its events are recorded and applied before this returns."""
        ...

    def record(self, event: AnyEvent) -> None:
        """Record and apply one event that is not the engine's."""
        ...

    def begin_deal(self, hand: int, carry: Sequence[int] = ()) -> None:
        """The first riffle of `hand`. The cards of the last hand are kept until its deal stands; a `Rewound` of
        its beginning takes them up again.

        Handles in `carry` passed the shoe before the hand was known to have begun; they become handles 1, 2, … of
        its deal.
        """
        ...

    def deal(self, handle: int, place: int, to: str) -> str | None:
        """Bind a card that left the shoe to its place and destination; its commitment (hex), None for an unread
        card. Again for the same card: its place has another destination."""
        ...

    def take_back(self, handle: int) -> None:
        """The card went back into the shoe: nothing is known of its place any more."""
        ...
