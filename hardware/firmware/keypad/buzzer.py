"""The buzzer: a tone for so long, then silence, so many times."""

from machine import PWM

_LOUD = 32768


class Buzzer:
    def __init__(self, pin):
        self._pwm = PWM(pin)
        self._pwm.duty_u16(0)
        self._tone = (0, 0, 0)
        self._left = 0
        self._sounds = False
        self._until = 0

    def sound(self, hertz, on_ms, off_ms, times, now):
        """Instead of whatever sounds."""
        self._tone = (max(20, min(hertz, 15000)), on_ms, off_ms)
        self._left = times
        self._sounds = False
        self._until = now
        self._pwm.duty_u16(0)

    def step(self, now):
        if now < self._until or not (self._left or self._sounds):
            return
        hertz, on_ms, off_ms = self._tone
        if self._sounds:
            self._sounds = False
            self._pwm.duty_u16(0)
            self._until = now + off_ms
        else:
            self._left -= 1
            self._sounds = True
            self._pwm.freq(hertz)
            self._pwm.duty_u16(_LOUD)
            self._until = now + on_ms
