"""The memory for reports: a ferroelectric MB85RC256V on I2C 0 (GP20 SDA, GP21 SCL), written byte by byte.

Flash would not do: on the RP2040 writing it stops the interrupts that time the beams, the stock MicroPython has no
room in it beside its file system, and what a file system overwrites stays readable. In this memory a tag that was
overwritten is gone.
"""

from machine import I2C, Pin

from firmware_bridge.report_log import Memory

SDA_PIN, SCL_PIN = 20, 21
ADDRESS = 0x50


class Fram(Memory):
    size = 32768

    def __init__(self):
        self._bus = I2C(0, sda=Pin(SDA_PIN), scl=Pin(SCL_PIN), freq=1000000)

    def there(self):
        """Whether the memory answers."""
        try:
            self._bus.readfrom_mem(ADDRESS, 0, 1, addrsize=16)
        except OSError:
            return False
        return True

    def read(self, at, count):
        return self._bus.readfrom_mem(ADDRESS, at, count, addrsize=16)

    def write(self, at, data):
        self._bus.writeto_mem(ADDRESS, at, data, addrsize=16)
