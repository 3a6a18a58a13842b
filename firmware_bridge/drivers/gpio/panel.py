"""What lamps and buzzer show now: pure, asked again and again. Colours and times are those of the keypad's own
firmware (hardware/firmware/keypad)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from firmware_bridge.drivers.gpio.wiring import Wiring
from firmware_bridge.drivers.interface import Colour

OWN = 0
BLINK_MS = 250
RECORDED_MS = 120
RECORDED: Colour = (0, 255, 0)
DARK: Colour = (0, 0, 0)
_HALF = 128


class _Tone(NamedTuple):
    began: int
    on_ms: int
    off_ms: int
    times: int


class Panel:
    """Lamps that are on or off: a colour becomes those of red, green and blue that are at least half in it."""

    def __init__(self, wiring: Wiring) -> None:
        self._wiring = wiring
        self._lamps: dict[int, tuple[Colour, bool]] = {}
        self._recorded_at: int | None = None
        self._tone: _Tone | None = None

    def lamp(self, number: int, colour: Colour, blinking: bool) -> None:
        self._lamps[number] = (colour, blinking)

    def recorded(self, now_ms: int) -> None:
        """A press is in the ledger: the own lamp says so for a moment."""
        self._recorded_at = now_ms

    def sound(self, on_ms: int, off_ms: int, times: int, now_ms: int) -> None:
        """Instead of whatever sounds."""
        self._tone = _Tone(now_ms, on_ms, off_ms, times)

    def levels(self, now_ms: int) -> Mapping[int, bool]:
        """Pin -> whether it is on."""
        levels = {pin: any(self._shown(seat, now_ms)) for seat, pin in self._wiring.seat_lamps.items()}
        own = self._shown(OWN, now_ms)
        if self._recorded_at is not None and now_ms - self._recorded_at < RECORDED_MS:
            own = RECORDED
        if len(self._wiring.lamp) == 1:
            levels[self._wiring.lamp[0]] = any(own)
        else:
            levels |= {pin: part >= _HALF for pin, part in zip(self._wiring.lamp, own, strict=False)}
        if self._wiring.buzzer is not None:
            levels[self._wiring.buzzer] = self._sounds(now_ms)
        return levels

    def _shown(self, number: int, now_ms: int) -> Colour:
        colour, blinking = self._lamps.get(number, (DARK, False))
        return DARK if blinking and now_ms // BLINK_MS % 2 else colour

    def _sounds(self, now_ms: int) -> bool:
        tone = self._tone
        if tone is None:
            return False
        turn, since = divmod(now_ms - tone.began, max(1, tone.on_ms + tone.off_ms))
        return turn < tone.times and since < tone.on_ms
