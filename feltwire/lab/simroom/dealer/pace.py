"""The speed of a simulated dealer, and how to stop it."""

from __future__ import annotations

import threading

PRESS_S = 0.8  # between two presses at a brisk live table
CARD_S = 0.1  # between two cards pitched
THINK_S = 0.3  # a player's time to act; players at a brisk table act as the dealer looks
ADMIRE_S = 2.0  # everybody looks at the tabled hands


class Stopped(Exception):
    """The room is closing; the robot puts down its cards."""


class Pace:
    """Human pauses divided by `speed`; 0 means no pause at all (as fast as acknowledged)."""

    def __init__(self, speed: float) -> None:
        if speed < 0:
            raise ValueError(f"speed {speed} is below 0; 1 is a live table, 0 as fast as acknowledged")
        self.speed = speed
        self._stop = threading.Event()
        self._last_hand = threading.Event()

    def pause(self, seconds: float) -> None:
        """Let `seconds` of table time pass; raise `Stopped` when the room closes meanwhile."""
        if self._stop.wait(seconds / self.speed if self.speed else 0):
            raise Stopped

    def hold(self, seconds: float) -> None:
        """Let real `seconds` pass at any speed: faults last as long as they last.

        Raise `Stopped` when the run ends first.
        """
        if self._stop.wait(seconds):
            raise Stopped

    def check(self) -> None:
        """Raise `Stopped` when the run was ended."""
        if self._stop.is_set():
            raise Stopped

    def wait_stop(self) -> None:
        """Until the room closes."""
        self._stop.wait()

    def end_after_hand(self) -> None:
        """The hand being dealt is the last one."""
        self._last_hand.set()

    @property
    def deals_on(self) -> bool:
        """Whether another hand may begin."""
        return not self._last_hand.is_set()

    def stop(self) -> None:
        self._stop.set()
