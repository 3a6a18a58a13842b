"""A ferroelectric memory on I2C (Fujitsu MB85RC256V, 32 KiB).

Each byte is written when its last bit has been moved: no page, no erasing, no waiting. Of a write that a power cut
interrupts all whole bytes are there.
"""

from firmware_bridge.sim.pico.timeline import TimeLine

ADDRESS = 0x50
BYTES = 32_768
_BITS = 9  # of a byte on the bus, its acknowledgement included


class PowerCut(Exception):
    """The board has no power any more."""


class Fram:
    """`cut_after`: so many more bytes are written before the power is cut; None: it stays. `torn`: the supply sags
    before it is gone, and the byte that is written then becomes this; None: it stays as it was."""

    def __init__(self) -> None:
        self.data = bytearray(BYTES)
        self.cut_after: int | None = None
        self.torn: int | None = None
        self.absent = False
        self.written = 0

    def write(self, time: TimeLine, at: int, data: bytes, frequency: int) -> None:
        time.passes((3 + len(data)) * _BITS * 1_000_000 // frequency)  # device address and two of memory address
        for offset, byte in enumerate(data):
            if self.cut_after is not None:
                if self.cut_after == 0:
                    if self.torn is not None:
                        self.data[(at + offset) % BYTES] = self.torn
                    raise PowerCut
                self.cut_after -= 1
            self.data[(at + offset) % BYTES] = byte
            self.written += 1

    def read(self, time: TimeLine, at: int, count: int, frequency: int) -> bytes:
        time.passes((4 + count) * _BITS * 1_000_000 // frequency)
        return bytes(self.data[at : at + count])
