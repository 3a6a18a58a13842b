"""The line to the table, and what a device does beside its own work: health, lamps, watchdog, safe mode."""

import os
import time

from board import WATCHDOG_MS, Restarts, Supply, source_hash, started
from fram import Fram
from machine import UART, WDT, Pin

from firmware_bridge import payloads
from firmware_bridge.device import Device
from firmware_bridge.frames import LAMP
from firmware_bridge.report_log import NoLog, ReportLog

BAUD = 115200
TX_PIN, RX_PIN = 0, 1
SHARED = (
    "firmware_bridge/__init__.py",
    "firmware_bridge/debounce.py",
    "firmware_bridge/device.py",
    "firmware_bridge/frames.py",
    "firmware_bridge/payloads.py",
    "firmware_bridge/report_log.py",
    "board.py",
    "fram.py",
    "lamps.py",
    "serving.py",
)
_MEASURE_MS = 1000
RECORDED = (0, 60, 0)
_ALARM = (60, 0, 0)


class Line:
    """`device` behind UART 0. `step` serves it once."""

    def __init__(self, device_kind, firmware, capabilities, files, lamps, clock, room=256):
        self._uart = UART(0, BAUD, tx=Pin(TX_PIN), rx=Pin(RX_PIN), rxbuf=1024, txbuf=2048)
        self.restarts = Restarts()
        self._lamps = lamps
        self._clock = clock
        self._supply = Supply()
        self._measure_at = 0
        self._acknowledged = 0
        memory = Fram()
        there = memory.there()
        log = ReportLog(memory) if there else NoLog()
        boot = int.from_bytes(os.urandom(4), "little") or 1
        self.device = Device(
            device_kind,
            firmware,
            boot,
            room,
            capabilities=capabilities,
            source=source_hash(sorted(SHARED + files)),
            log=log,
        )
        self.device.health.started = started()
        self.fault(payloads.NO_MEMORY, not there)
        self.fault(payloads.SAFE_MODE, self.restarts.too_many)
        self._watchdog = WDT(timeout=WATCHDOG_MS)

    def fault(self, bit, on):
        """Say in HEALTH that something is wrong, or that it no longer is."""
        health = self.device.health
        health.faults = health.faults | bit if on else health.faults & ~bit

    def alarm(self):
        self._lamps.set(0, *_ALARM, True)

    def step(self, obey):
        """One turn. `obey(frame)` carries out a SOUND."""
        self._watchdog.feed()
        now = self._clock.ms()
        self.restarts.settle(now)
        if now >= self._measure_at:
            self._measure_at = now + _MEASURE_MS
            self._supply.measure(self.device.health)
        if self._uart.any():
            for frame in self.device.receive(self._uart.read(), now):
                self._obey(frame, obey)
        out = self.device.transmit(now)
        if out:
            self._uart.write(out)
        if self.device.acknowledged != self._acknowledged:
            self._acknowledged = self.device.acknowledged
            self._lamps.flash(RECORDED, now)
        self._lamps.step(now)
        return now

    def _obey(self, frame, obey):
        try:
            if frame.kind == LAMP:
                self._lamps.set(*payloads.read_lamp(frame.payload))
            else:
                obey(frame)
        except ValueError:
            return  # a command that cannot be read is none


class SafeMode:
    """The device has restarted too often to try again. It answers, says why, and does nothing else."""

    def __init__(self, line):
        self._line = line
        line.alarm()

    def step(self):
        self._line.step(_nothing)
        time.sleep_ms(5)


def _nothing(_frame):
    """There is no buzzer."""
