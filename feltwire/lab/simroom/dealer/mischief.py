"""Faults on command: requested at any time, carried out at the next moment of a hand that they fit."""

from __future__ import annotations

import threading

from display.actions import Mischief

__all__ = ["WORDS", "Fault", "Mischief"]

BLOCKED_S = 8.0
PULLED_S = 6.0

# What the robot will do about it, in words for the panel.
WORDS = {
    Mischief.SKIP_BURN: "no burn before the next street",
    Mischief.EXPOSE_CARD: "a card is turned over in the next deal",
    Mischief.FORGET_KEY: "the next key is not pressed",
    Mischief.WRONG_SEAT: "the next key names the wrong seat",
    Mischief.BLOCK_CAMERA: f"somebody leans over the table for {BLOCKED_S:.0f} s",
    Mischief.PULL_SHOE: f"the shoe's cable is out for {PULLED_S:.0f} s",
}


class Fault:
    """What should go wrong and has not yet; from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wanted: list[Mischief] = []

    def ask(self, kind: Mischief) -> str:
        """Ask for `kind`; in words, what will happen. Raise `ValueError` for what a robot cannot do."""
        if kind not in WORDS:
            raise ValueError(f"the dealer cannot do {kind}")
        with self._lock:
            self._wanted.append(kind)
        return WORDS[kind]

    def wants(self, kind: Mischief) -> bool:
        with self._lock:
            return kind in self._wanted

    def take(self, kind: Mischief) -> bool:
        """True once for every time that `kind` was asked for."""
        with self._lock:
            if kind not in self._wanted:
                return False
            self._wanted.remove(kind)
            return True
