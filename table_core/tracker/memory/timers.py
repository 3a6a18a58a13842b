"""Checks that are due later, each once. `tracker.wake` carries them out."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from table_core.messages import Zone
from table_core.tracker.kept import Millis, Seat
from table_core.tracker.memory.camera.look import Look
from table_core.tracker.memory.slice import Slice


class Check(StrEnum):
    """What a timer is for."""

    MISSING_KEYS = "missing_keys"  # the street is out and betting is open: ask for the keys
    UNREAD_STREET = "unread_street"  # the street is out and not read: ask for it
    STREET_SAID = "street_said"  # STREET was pressed, and its street has not come
    STREET_LIES = "street_lies"  # STREET was pressed for a street that the camera has not looked at since
    KEYS_END = "keys_end"  # no more keys of the queue come
    EMPTY_SEAT = "empty_seat"  # a seat's cards have been gone for long enough
    DEAL_ENDS = "deal_ends"  # the deal has ended
    DEAL_COUNT = "deal_count"  # cards lie still: they can be counted
    BLINDS = "blinds"  # the camera has had time to read the blinds
    DISC = "disc"  # the disc has had time to be moved
    CLOCK_WARNING = "clock_warning"
    CLOCK_UP = "clock_up"
    BET = "bet"  # of a seat: chips and keys are compared
    TABLED = "tabled"  # of a seat: TABLED was pressed, and no hand is seen
    EXPOSED = "exposed"  # of a seat: a hand lies face up, and no showdown follows
    DEVICE_LOST = "device_lost"  # of a device: its line has not come back


# What follows where the camera sees nothing more: due on its clock.
_ON_CAMERA = frozenset(
    {
        Check.MISSING_KEYS,  # it may see folds and chips
        Check.UNREAD_STREET,
        Check.STREET_SAID,
        Check.STREET_LIES,
        Check.EMPTY_SEAT,
        Check.DEAL_COUNT,
        Check.BLINDS,
        Check.DISC,
        Check.BET,
        Check.TABLED,
        Check.EXPOSED,
    }
)

# Not those that follow a key, nor what is said each time.
_LOOKS_AGAIN = _ON_CAMERA - {Check.STREET_SAID, Check.STREET_LIES, Check.DISC}


class Timer(msgspec.Struct, frozen=True, omit_defaults=True):
    check: Check
    due: Millis
    seat: Seat | None = None
    device: str = ""

    def is_due(self, look: Look, now: Millis) -> bool:
        clock = look.time(now, self._zone) if self.check in _ON_CAMERA else now
        return self.due <= clock

    def latest(self, look: Look) -> Millis:
        """When it is due at the latest."""
        return look.latest(self.due, self._zone) if self.check in _ON_CAMERA else self.due

    @property
    def _zone(self) -> Zone | None:
        """Where the camera must have seen to its end what lies there."""
        if self.check in (Check.UNREAD_STREET, Check.STREET_LIES):
            return Zone.BOARD
        return Zone.cards(self.seat) if self.check is Check.TABLED and self.seat is not None else None


class Timers(Slice):
    """Timers in the order in which they were first started; timers due together run in this order."""

    running: tuple[Timer, ...] = ()

    def find(self, check: Check, seat: Seat | None = None, device: str = "") -> Timer | None:
        return next(
            (one for one in self.running if (one.check, one.seat, one.device) == (check, seat, device)), None
        )

    def start(self, check: Check, due: int, seat: Seat | None = None, device: str = "") -> None:
        """Start a timer. One that runs already keeps its order and is now due at `due`."""
        known, new = self.find(check, seat, device), Timer(check, Millis(due), seat, device)
        if known is None:
            self.running = (*self.running, new)
        else:
            self.running = tuple([new if one is known else one for one in self.running])

    def stop(self, check: Check, seat: Seat | None = None, device: str = "") -> bool:
        """Stop a timer; whether it ran."""
        known = self.find(check, seat, device)
        if known is not None:
            self.running = tuple([one for one in self.running if one is not known])
        return known is not None

    def changes_since(self, found: tuple[Timer, ...]) -> tuple[tuple[Timer, ...], tuple[Timer, ...]]:
        """Which of `found` run no more, and which run that were not there."""
        gone = tuple([one for one in found if self.find(one.check, one.seat, one.device) is None])
        new = tuple([one for one in self.running if one not in found])
        return gone, new

    def fell_due_since(self, found: tuple[Timer, ...], at: Millis, now: Millis) -> tuple[Timer, ...]:
        """Which of `found` came to nothing since `at`: what they were about is looked at again."""
        return tuple([one for one in found if one.check in _LOOKS_AGAIN and at < one.due <= now])

    def go_back(self, gone: tuple[Timer, ...], new: tuple[Timer, ...]) -> None:
        """Start again what was stopped, and stop what was started and still runs as it was."""
        self.running = tuple([one for one in self.running if one not in new])
        for one in gone:
            if self.find(one.check, one.seat, one.device) is None:
                self.running = (*self.running, one)

    def fallen_due(self, look: Look, now: Millis) -> tuple[Timer, ...]:
        return tuple([one for one in self.running if one.is_due(look, now)])

    def next_due(self, look: Look) -> Millis | None:
        return min((one.latest(look) for one in self.running), default=None)

    def lines_as_in(self, other: Timers) -> None:
        """Lines to devices are broken or whole as they are there."""
        lines = [one for one in other.running if one.check is Check.DEVICE_LOST]
        self.running = (*[one for one in self.running if one.check is not Check.DEVICE_LOST], *lines)

    def end_hand(self) -> None:
        """A line that is broken stays broken."""
        self.running = tuple([one for one in self.running if one.check is Check.DEVICE_LOST])

    forget_play = end_hand
