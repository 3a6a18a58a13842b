"""What keypad and shoe share of the Pico: its clock, why it started, its supply, the hash of what it runs."""

import sys
import time

from machine import ADC, Pin, mem32, reset_cause

try:
    from machine import PWRON_RESET, WDT_RESET
except ImportError:  # a port that names no causes
    PWRON_RESET = WDT_RESET = None

from firmware_bridge import payloads

SAFE_PIN = 22  # to ground while power comes: nothing is started, and the prompt answers on USB
LOW_MV = 4400  # of the 5 V supply behind the Pico's diode: below it the readers' field gets weak
WATCHDOG_MS = 5000
MOST_RESTARTS = 3  # by the watchdog, each within SETTLED_MS: then safe mode
SETTLED_MS = 60000
_SCRATCH = 0x4005800C  # a register that outlives the watchdog's reset, and is zero when power comes (RP2040)
_MARK = 0x5AFE0000
_SUPPLY_ADC = 29  # a third of VSYS
_HEAT_ADC = 4


class Clock:
    """Milliseconds and microseconds since the start that never wrap; the port's counters do."""

    def __init__(self):
        self._raw_ms = time.ticks_ms()
        self._raw_us = time.ticks_us()
        self._ms = 0
        self._us = 0

    def ms(self):
        raw = time.ticks_ms()
        self._ms += time.ticks_diff(raw, self._raw_ms)
        self._raw_ms = raw
        return self._ms

    def us(self):
        raw = time.ticks_us()
        self._us += time.ticks_diff(raw, self._raw_us)
        self._raw_us = raw
        return self._us

    def us_of(self, raw):
        """The time of a counter that was read a moment ago, in an interrupt."""
        return self._us + time.ticks_diff(raw, self._raw_us)


class Restarts:
    """Counts restarts by the watchdog, so that a device that cannot run does not try for ever."""

    def __init__(self):
        held = mem32[_SCRATCH]
        again = reset_cause() == WDT_RESET and held & 0xFFFF0000 == _MARK
        self.count = (held & 0xFF) + 1 if again else 0
        self._settled = False
        mem32[_SCRATCH] = _MARK | self.count

    @property
    def too_many(self):
        return self.count >= MOST_RESTARTS

    def settle(self, now_ms):
        """The device has run for long enough: a later restart is the first again."""
        if not self._settled and now_ms >= SETTLED_MS:
            self._settled = True
            mem32[_SCRATCH] = _MARK


def started():
    """Why it started, as HEALTH says it."""
    cause = reset_cause()
    if cause == WDT_RESET:
        return payloads.WATCHDOG
    return payloads.POWER_ON if cause == PWRON_RESET else payloads.OTHER_RESET


def is_safe_start():
    return not Pin(SAFE_PIN, Pin.IN, Pin.PULL_UP).value()


class Supply:
    """Writes supply and temperature into HEALTH, with the fault that they mean."""

    def __init__(self):
        self._supply = ADC(_SUPPLY_ADC)
        self._heat = ADC(_HEAT_ADC)

    def measure(self, health):
        health.supply_mv = self._supply.read_u16() * 3 * 3300 // 65535
        heat_mv = self._heat.read_u16() * 3300 // 65535
        health.celsius = (
            27 - (heat_mv - 706) * 1000 // 1721
        )  # the RP2040's diode: 706 mV at 27 degrees, -1.721 a degree
        low = health.supply_mv < LOW_MV
        health.faults = health.faults | payloads.LOW_SUPPLY if low else health.faults & ~payloads.LOW_SUPPLY


def source_hash(files):
    """The first 8 bytes of the SHA-256 of these files, each name and content; zero where it cannot be made."""
    try:
        from hashlib import sha256

        digest = sha256()
        chunk = bytearray(256)
        for name in files:
            digest.update(name.encode() + b"\x00")
            with open(_path(name), "rb") as file:
                count = file.readinto(chunk)
                while count:
                    digest.update(memoryview(chunk)[:count])
                    count = file.readinto(chunk)
        return digest.digest()[: payloads.HASH_BYTES]
    except (ImportError, OSError):
        return bytes(payloads.HASH_BYTES)


def _path(name):
    folders = [""]
    folders.extend(sys.path)
    for folder in folders:
        path = folder + "/" + name if folder else name
        try:
            with open(path, "rb"):
                return path
        except OSError:
            continue
    return name
