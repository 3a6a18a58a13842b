"""What every event of a tournament is made of: money, moments, seats."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from table_core.messages import Frozen, Message, Millis, Name, Seat

Cents = Annotated[int, Meta(ge=-(10**12), le=10**12)]
CENTS = 100  # of a dollar: rulebooks name dollars


def in_cents(dollars: float) -> int:
    """A book's dollars in cents.

    >>> in_cents(40), in_cents(40.15)
    (4000, 4015)
    """
    return round(dollars * CENTS)


class Instant(Frozen, frozen=True):
    """A moment: boot time of `boot` in milliseconds, and the wall clock's (since 1970, UTC) as an annotation."""

    boot: Name
    at: Millis
    wall: Millis


def elapsed_ms(since: Instant, now: Instant) -> int:
    """Milliseconds between two moments: by boot time within one boot, across a reboot by the wall clock."""
    return max(0, now.at - since.at if now.boot == since.boot else now.wall - since.wall)


class SeatAt(Frozen, frozen=True):
    """A seat of a table."""

    table: Name
    seat: Seat

    def __str__(self) -> str:
        return f"table {self.table} seat {self.seat}"


class TournamentEvent(Message, frozen=True):
    """A recorded fact of the tournament. `rule` is the rule that it rests on."""
