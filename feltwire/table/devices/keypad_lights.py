"""What the table tells through the keypad: whose turn it is, that it asks something, that it refused a press, that
it counted one once.

That a press is recorded the keypad shows by itself: its report was acknowledged.
"""

from __future__ import annotations

import threading

from feltwire.table.table_io import KeypadLights
from firmware_bridge.drivers.interface import Colour, KeypadDriver

TURN: Colour = (0, 160, 80)
ASKS: Colour = (255, 140, 0)
REFUSED: Colour = (255, 0, 0)
AGAIN: Colour = (0, 80, 255)
DARK: Colour = (0, 0, 0)
OWN = 0  # the keypad's own lamp

ASKING_TONE = (1_800, 60, 60, 2)  # hertz, on, off (ms), times
REFUSED_TONE = (300, 250, 0, 1)
AGAIN_TONE = (900, 60, 60, 3)


class KeypadPanel:
    """Sends what changes. A keypad that comes back has forgotten its lamps: it is told again."""

    def __init__(self, keypad: KeypadDriver) -> None:
        self._keypad = keypad
        self._shown = KeypadLights()
        self._lock = threading.Lock()

    def show(self, lights: KeypadLights) -> None:
        with self._lock:
            before, self._shown = self._shown, lights
            if lights.turn != before.turn:
                self._turn(before, DARK)
                self._turn(lights, TURN)
            if _own_lamp(lights) != _own_lamp(before):
                self._own(lights)
            if lights.refused:
                self._keypad.sound(*REFUSED_TONE)
            elif lights.again:
                self._keypad.sound(*AGAIN_TONE)
            elif lights.asks and not before.asks:
                self._keypad.sound(*ASKING_TONE)

    def show_again(self) -> None:
        with self._lock:
            self._turn(self._shown, TURN)
            self._own(self._shown)

    def _turn(self, lights: KeypadLights, colour: Colour) -> None:
        if lights.turn is not None:
            self._keypad.lamp(lights.turn, colour)

    def _own(self, lights: KeypadLights) -> None:
        colour, blinking = _own_lamp(lights)
        self._keypad.lamp(OWN, colour, blinking=blinking)


def _own_lamp(lights: KeypadLights) -> tuple[Colour, bool]:
    """Colour, and whether it blinks."""
    if lights.refused or lights.again:
        return (REFUSED if lights.refused else AGAIN), False
    return (ASKS, True) if lights.asks else (DARK, False)
