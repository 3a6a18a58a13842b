"""The dealer's keypad on a Raspberry Pi Pico: 44 keys, twelve lamps, a buzzer; frames out on UART 0
(docs/wire.md).

Wiring: the pins below and in matrix.py, and hardware/firmware/README.md.
"""

from board import Clock, is_safe_start
from buzzer import Buzzer
from lamps import Lamps
from machine import Pin
from matrix import Matrix
from serving import Line, SafeMode

from firmware_bridge import payloads
from firmware_bridge.debounce import Debouncer
from firmware_bridge.frames import KEY

FIRMWARE = "feltwire-keypad 2.0"
FILES = ("buzzer.py", "main.py", "matrix.py")
CAPABILITIES = payloads.HAS_LAMPS | payloads.HAS_SOUND | payloads.HAS_SEAT_KEYS

LAMP_PIN = 18  # WS2812: the keypad's own lamp, then seats 1 to 11
BUZZER_PIN = 19
LAMPS = 12
SETTLE_MS = 5
HELD_MS = 20000  # a key that is down for longer has something lying on it


class Keypad:
    def __init__(self, line, matrix, buzzer, clock):
        self._line = line
        self._matrix = matrix
        self._buzzer = buzzer
        self._clock = clock
        self._contacts = Debouncer(SETTLE_MS)
        self._down = {}  # key -> since when
        self._expects = False  # a contact has changed and has not held for long enough yet
        for code, level in matrix.scan():
            if level:  # held while power comes: no press
                self._contacts.rests_closed(code)
                self._down[code] = 0

    def step(self):
        """One turn: keys, line, lamps, buzzer."""
        now = self._clock.ms()
        for code, level in self._matrix.scan():
            for change in self._contacts.edge(code, level, now):
                self._changed(change, now)
        expects = self._contacts.next_due() is not None
        if expects != self._expects:
            self._expects = expects
            self._line.device.expect(expects)
        health = self._line.device.health
        health.bounces = self._contacts.bounces
        self._line.fault(payloads.KEY_HELD, any(now - since > HELD_MS for since in self._down.values()))
        self._buzzer.step(self._line.step(self._sound))

    def _changed(self, change, now):
        if change.level:
            self._down[change.pin] = change.at_ms
            self._line.device.report(KEY, payloads.key(change.pin, change.at_ms), now)
        else:
            self._down.pop(change.pin, None)

    def _sound(self, frame):
        hertz, on_ms, off_ms, times = payloads.read_sound(frame.payload)
        self._buzzer.sound(hertz, on_ms, off_ms, times, self._clock.ms())


def start():
    """The keypad, ready to be stepped; None where it is not to start."""
    if is_safe_start():
        return None
    clock, lamps = Clock(), Lamps(Pin(LAMP_PIN), LAMPS)
    lamps.dark()
    buzzer = Buzzer(Pin(BUZZER_PIN))
    line = Line(payloads.KEYPAD, FIRMWARE, CAPABILITIES, FILES, lamps, clock)
    if line.restarts.too_many:
        return SafeMode(line)
    return Keypad(line, Matrix(), buzzer, clock)


def main():
    keypad = start()
    while keypad is not None:
        keypad.step()


if __name__ == "__main__":
    main()
