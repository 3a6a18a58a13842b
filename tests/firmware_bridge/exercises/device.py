"""Runs under CPython and MicroPython and must print the same: a device's talk with a host, on a fixed clock."""

from firmware_bridge import payloads
from firmware_bridge.debounce import Debouncer
from firmware_bridge.device import Device
from firmware_bridge.frames import ACK, HELLO_REQUEST, KEY, LAMP, TIME_REQUEST, Decoder, encode
from firmware_bridge.report_log import PLACE_BYTES, Memory, ReportLog


class Ram(Memory):
    size = 6 * PLACE_BYTES + 1

    def __init__(self):
        self.data = bytearray(self.size)

    def read(self, at, count):
        return bytes(self.data[at : at + count])

    def write(self, at, data):
        self.data[at : at + len(data)] = data


memory = Ram()


def switched_on(boot):
    return Device(payloads.KEYPAD, "exercise 1", boot, room=4, log=ReportLog(memory))


device = switched_on(0xDEADBEEF)


def show(now):
    sent = device.transmit(now)
    print(now, sent.hex() or "-", Decoder().feed(sent), device.oldest, device.waiting, device.wake_at())


show(0)
for code in (4, 16, 20, 32):
    print(device.report(KEY, payloads.key(code, 10 + code), 40))
for now in (50, 100, 150, 151, 400, 800, 2000, 2500, 3001):
    show(now)
device.receive(encode(ACK, 0xDEADBEEF, 2) + encode(ACK, 1, 1), 3002)
show(3003)
lit = device.receive(b"junk\x00" + encode(ACK, 0xDEADBEEF, 1) + encode(LAMP, 0, 0, bytes(5)), 3004)
print(lit)
show(3005)
device = switched_on(7)
print(device.report(KEY, payloads.key(12, 1), 1))
show(3006)
device.receive(encode(HELLO_REQUEST, 0, 0), 3007)
show(3008)
for boot, seq in ((0xDEADBEEF, 2), (0xDEADBEEF, 3), (7, 1)):
    device.receive(encode(ACK, boot, seq), 3009)
    show(3010)
device.receive(encode(TIME_REQUEST, 0, 0, b"\x01\x02\x03\x04"), 3010)
device = Device(payloads.KEYPAD, "exercise 1", 8, room=4)
device.report(KEY, payloads.key(12, 1), 5)
show(3011)
print(device.resent, device.health.lost)
print([byte for byte in memory.data if byte])

contacts = Debouncer(5)
for pin, level, at in ((1, 1, 0), (1, 0, 1), (2, 1, 2), (1, 1, 3), (1, 0, 30), (2, 0, 31), (2, 1, 33)):
    print(contacts.edge(pin, level, at), contacts.next_due())
print(contacts.due(100), contacts.next_due())
