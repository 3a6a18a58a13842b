"""A driver of the NXP PN5180 for ISO 15693: the shoe's reader.

The chip talks SPI (mode 0, at most 7 MHz) in frames: an instruction, or the answer to the one before. BUSY says
when a frame has been taken and when the next may come; IRQ is high while an enabled event waits. Requests and
answers: ISO/IEC 15693-3, high data rate, one subcarrier.

A reader is anything with these methods; the shoe knows no more of it:

    begin()          reset and set up; False where no chip answers
    field(on)        its carrier; a tag needs READY_US of it before it listens
    look()           one inventory of one slot: the tag that answers, `COLLISION`, or None
    sort()           an inventory of 16 slots: the tags that it could tell apart
    silence(tag)     that tag answers no more while it has power

Any of them raises `Silent` where the chip does not do what it should; `begin` sets it up anew.
"""

import time

from machine import Pin

READY_US = 1100
COLLISION = b""

_WRITE_REGISTER, _AND_MASK, _OR_MASK, _READ_REGISTER = 0x00, 0x02, 0x01, 0x04
_READ_EEPROM, _SEND_DATA, _READ_DATA, _LOAD_RF_CONFIG, _RF_ON, _RF_OFF = 0x07, 0x09, 0x0A, 0x11, 0x16, 0x17
_SYSTEM_CONFIG, _IRQ_ENABLE, _IRQ_STATUS, _IRQ_CLEAR = 0x00, 0x01, 0x02, 0x03
_RX_STATUS, _TX_CONFIG, _CRC_TX_CONFIG = 0x13, 0x18, 0x19
_IDLE, _TRANSCEIVE = 0, 3
_RX_IRQ, _RX_SOF_IRQ, _ERROR_IRQ = 1 << 0, 1 << 14, 1 << 17
_ALL_IRQ = 0x000FFFFF
_RX_BYTES, _RX_INTEGRITY, _RX_COLLISION = 0x1FF, 1 << 16, 1 << 18
_EOF_ONLY = 0xFFFFFB3F  # TX_CONFIG without start symbol and data
_WHOLE = 0x000004C0
_ISO15693_TX, _ISO15693_RX = 0x0D, 0x8D
_PRODUCT_VERSION = 0x10

_BUSY_US = 5000  # the longest that the chip may be busy
_RISE_US = 1000
_BOOT_US = 10000
_BYTE_US = 302
_EDGES_US = 114  # start and end of a request
_ANSWER_US = 321 + 151 + 150  # until the start of an answer, with something to spare
_REST_US = 12 * _BYTE_US + 151 + 400  # from there to its end
_T3_US = 330  # at least, from a request that nobody answered to the next end of a slot
_T2_US = 320  # and from the end of an answer

_INVENTORY = 0x01
_STAY_QUIET = 0x02
_ONE_SLOT = bytes((0x26, _INVENTORY, 0))
_SLOTS = bytes((0x06, _INVENTORY, 0))


class Silent(Exception):
    """The chip does not answer as it should."""


class Pn5180:
    def __init__(self, spi, nss, busy, reset, irq):
        self._spi = spi
        self._nss = Pin(nss, Pin.OUT, value=1)
        self._busy = Pin(busy, Pin.IN)
        self._reset = Pin(reset, Pin.OUT, value=1)
        self._irq = Pin(irq, Pin.IN)
        self._long = bytearray(6)  # a register's frame
        self._word = bytearray(4)
        self._answer = bytearray(10)

    # ---------------------------------------------------------------------------------- what the shoe uses

    def begin(self):
        try:
            self._reset.value(0)
            time.sleep_us(100)
            self._reset.value(1)
            time.sleep_us(100)
            self._wait(self._busy, 0, _BOOT_US)
            self._frame(bytes((_READ_EEPROM, _PRODUCT_VERSION, 2)))
            version = bytearray(2)
            self._response(version)
            if version in (b"\x00\x00", b"\xff\xff"):
                return False
            self._configure()
        except Silent:
            return False
        return True

    def field(self, on):
        """Before it sends, a chip that has restarted by itself gets its configuration again."""
        if on and not self._read(_CRC_TX_CONFIG) & 1:
            self._configure()
        self._frame(bytes((_RF_ON if on else _RF_OFF, 0)))

    def _configure(self):
        self._frame(bytes((_LOAD_RF_CONFIG, _ISO15693_TX, _ISO15693_RX)))

    def look(self):
        """A damaged answer is none: the tag is asked again."""
        tag, collision = self._ask(_ONE_SLOT)
        return COLLISION if collision else tag

    def sort(self):
        """Ends as soon as two tags are told apart: more do not come at once."""
        tags = []
        answered = self._take(self._ask(_SLOTS), tags)
        self._write(_AND_MASK, _TX_CONFIG, _EOF_ONLY)
        for _ in range(15):
            if len(tags) > 1:
                break
            time.sleep_us(_T2_US if answered else _T3_US - 300)
            answered = self._take(self._ask(b""), tags)
        self._write(_OR_MASK, _TX_CONFIG, _WHOLE)
        return tags

    def silence(self, tag):
        """A tag has no answer to this."""
        request = bytes((0x22, _STAY_QUIET)) + bytes(reversed(tag))
        self._send(request, 0)
        time.sleep_us(_EDGES_US + (len(request) + 2) * _BYTE_US + _T3_US)

    # -------------------------------------------------------------------------------------------- the air

    def _take(self, answer, tags):
        """Add the tag of a slot; whether anything answered."""
        tag, collision = answer
        if tag is not None and tag not in tags:
            tags.append(tag)
        return collision or tag is not None

    def _ask(self, request):
        """`(tag, collision)` of one slot; the tag as it is printed, None for none."""
        self._send(request, _RX_IRQ | _RX_SOF_IRQ | _ERROR_IRQ)
        on_air = _EDGES_US + (len(request) + 2) * _BYTE_US if request else 38
        if not self._event(on_air + _ANSWER_US):
            return None, False
        self._write(_WRITE_REGISTER, _IRQ_ENABLE, _RX_IRQ | _ERROR_IRQ)
        if not self._event(_REST_US):
            return None, False  # a start without an end: noise
        status = self._read(_RX_STATUS)
        if status & _RX_COLLISION:
            return None, True
        if status & _RX_INTEGRITY or status & _RX_BYTES != 10:
            return None, False
        self._frame(bytes((_READ_DATA, 0)))
        self._response(self._answer)
        if self._answer[0] & 1:  # an error
            return None, False
        return bytes(reversed(self._answer[2:])), False

    def _send(self, request, events):
        self._write(_WRITE_REGISTER, _SYSTEM_CONFIG, _IDLE)
        self._write(_WRITE_REGISTER, _SYSTEM_CONFIG, _TRANSCEIVE)
        self._write(_WRITE_REGISTER, _IRQ_CLEAR, _ALL_IRQ)
        self._write(_WRITE_REGISTER, _IRQ_ENABLE, events)
        self._frame(bytes((_SEND_DATA, 0)) + request)

    def _event(self, within_us):
        """Wait for an enabled event; False where none comes. Raise `Silent` where it is the chip's complaint."""
        start = time.ticks_us()
        while not self._irq.value():
            if time.ticks_diff(time.ticks_us(), start) > within_us:
                return False
        if self._read(_IRQ_STATUS) & _ERROR_IRQ:
            raise Silent("the chip refused an instruction")
        return True

    # -------------------------------------------------------------------------------------------- the bus

    def _write(self, how, register, value):
        frame = self._long
        frame[0], frame[1] = how, register
        for at in range(4):
            frame[2 + at] = value >> 8 * at & 0xFF
        self._frame(frame)

    def _read(self, register):
        self._frame(bytes((_READ_REGISTER, register)))
        self._response(self._word)
        return int.from_bytes(self._word, "little")

    def _frame(self, data):
        self._wait(self._busy, 0, _BUSY_US)
        self._nss.value(0)
        self._spi.write(data)
        self._taken()

    def _response(self, buffer):
        self._wait(self._busy, 0, _BUSY_US)
        self._nss.value(0)
        self._spi.readinto(buffer, 0xFF)
        self._taken()

    def _taken(self):
        try:
            self._wait(self._busy, 1, _RISE_US)
        finally:
            self._nss.value(1)
        self._wait(self._busy, 0, _BUSY_US)

    def _wait(self, pin, level, within_us):
        start = time.ticks_us()
        while pin.value() != level:
            if time.ticks_diff(time.ticks_us(), start) > within_us:
                raise Silent(f"BUSY stays {1 - level}")
