"""Runs under MicroPython with pins and line replaced: the keypad's own main, a press, its frame, its lamp."""

import sys

held = set()  # (row pin, column pin) of keys held down
driven = set()  # row pins that are high


class Pin:
    OUT, IN, PULL_DOWN = "out", "in", "down"

    def __init__(self, number, mode, pull=None, value=0):
        self.number = number
        self.shown = value

    def value(self, level=None):
        if level is None:
            return int(any((row, self.number) in held for row in driven))
        self.shown = int(level)
        (driven.add if level else driven.discard)(self.number)
        return None


class Uart:
    def __init__(self):
        self.inbox = b""
        self.outbox = b""

    def any(self):
        return len(self.inbox)

    def read(self):
        data, self.inbox = self.inbox, b""
        return data

    def write(self, data):
        self.outbox += data


class Clock:
    ms = 0

    def now(self):
        return self.ms


class Machine:
    pass


Machine.Pin = Pin
Machine.UART = Uart
sys.modules["machine"] = Machine

import main  # noqa: E402

from firmware_bridge.frames import ACK, LAMP, Decoder, encode  # noqa: E402

uart, led, clock = Uart(), Pin("LED", Pin.OUT), Clock()
keypad = main.Keypad(uart, main.Matrix(), led, clock, 7)
uart.inbox = encode(ACK, 7, 1)  # that it has restarted
heard = Decoder()


def turn(ms):
    clock.ms += ms
    keypad.step()
    sent, uart.outbox = uart.outbox, b""
    return heard.feed(sent)


for frame in turn(0):
    print("greets:", frame.kind, frame.payload[14:].decode() if frame.kind == 1 else len(frame.payload))
held = {(3, 11)}  # second row, fourth column: FOLD
quiet = turn(1) + turn(1)
held = set()  # it bounces
quiet += turn(1)
held = {(3, 11)}
quiet += turn(1) + turn(4)
print("before it has settled:", quiet)
frames = turn(1) + turn(1)
print("then:", [(f.kind, f.seq, f.payload.hex()) for f in frames])
print("again:", [(f.kind, f.seq) for f in turn(100)])
uart.inbox = encode(ACK, frames[0].boot, 2) + encode(LAMP, 0, 0, bytes((0, 0, 255, 0, 0)))
print("acknowledged:", turn(1) + turn(5000), "lamp:", led.shown)

ticks = main.Ticks()
print("ticks:", ticks.now() >= 0)
