"""The RFID shoe on a Raspberry Pi Pico: two light barriers, two PN5180 readers, frames out on UART 0
(docs/wire.md).

Wiring: the pins below, and hardware/firmware/README.md.
"""

import gc
import time

from beams import Beams
from board import Clock, is_safe_start
from lamps import Lamps
from machine import SPI, Pin
from passages import BACK, CUT, OUT, RETURNED, TOGETHER, Passages
from pn5180 import Pn5180
from readers import INNER, OUTER, Readers, whose_turn
from serving import Line, SafeMode

from firmware_bridge import payloads
from firmware_bridge.debounce import Debouncer
from firmware_bridge.frames import CARD, CARD_BACK, CARDS, CUT_CARD, DECK, LID

FIRMWARE = "feltwire-shoe 1.0"
FILES = ("beams.py", "main.py", "passages.py", "pn5180.py", "readers.py")
CAPABILITIES = (
    payloads.SEES_EVERY_CARD
    | payloads.HAS_TWO_ANTENNAS
    | payloads.HAS_LID
    | payloads.SEES_DECK
    | payloads.SEES_CUT_CARD
    | payloads.HAS_LAMPS
)

SCK_PIN, MOSI_PIN, MISO_PIN = 2, 3, 4  # SPI 0, both readers
INNER_READER = (5, 6, 7, 8)  # NSS, BUSY, RST, IRQ
OUTER_READER = (9, 10, 11, 12)
BEAM_PINS = (13, 14)  # inner, outer; high while interrupted
LID_PIN = 15  # to ground while the lid is closed
DECK_PIN = 16  # to ground while a card lies in the shoe
DARK_PIN = 17  # low while something white is above it: no cut card
LAMP_PIN = 18  # one WS2812

SPI_HZ = 4000000
SWITCH_MS = 20  # lid and deck must hold for so long
COVERED_MS = 10000  # a beam that is interrupted for longer is dirty, or a card lies there
IDLE_MS = 300  # after so long without a card there is time to collect garbage
READ, UNREAD = (0, 20, 60), (80, 0, 0)  # on the lamp


class Shoe:
    def __init__(self, line, beams, readers, lamps, clock):
        self._line = line
        self._device = line.device
        self._beams = beams
        self._readers = readers
        self._lamps = lamps
        self._clock = clock
        self._passages = Passages()
        self._switches = Debouncer(SWITCH_MS)
        self._lid = Pin(LID_PIN, Pin.IN, Pin.PULL_UP)
        self._deck = Pin(DECK_PIN, Pin.IN, Pin.PULL_UP)
        self._dark = Pin(DARK_PIN, Pin.IN)
        self._was_dark = 0
        self._expects = False  # a card is on its way
        self._busy_at = 0  # when a card was last in the mouth (ms)
        self._collected = True

    def step(self):
        """One turn: beams, readers, switches, line."""
        self._follow()
        now = self._clock.ms()
        if self._passages.passing is None:
            self._rest(now)
        else:
            self._busy_at, self._collected = now, False
            self._say_covered(now - self._passages.passing.start // 1000 > COVERED_MS)
            self._read()
        self._line.step(_no_buzzer)

    # ------------------------------------------------------------------------------------------- beams

    def _follow(self):
        """What the beams have seen up to now."""
        for beam, level, at in self._beams.edges(self._clock):
            self._happened(self._passages.edge(beam, level, at))
        now = self._clock.us()
        dark = self._dark.value()
        if dark != self._was_dark:
            self._was_dark = dark
            self._passages.darkness(dark, now)
        self._happened(self._passages.until(now))
        if self._beams.missed:
            self._beams.missed = False
            self._device.lose(payloads.UNCERTAIN, now // 1000)
        passing = self._passages.passing is not None
        if passing != self._expects:
            self._expects = passing
            self._device.expect(passing)

    def _happened(self, events):
        for event in events:
            self._report(event, event.at // 1000)

    def _report(self, event, at):
        device, tag = self._device, event.tags[0] if event.tags else payloads.NO_TAG
        if event.what == OUT:
            self._count(1, 0 if event.tags else 1)
            device.report(CARD, payloads.card(tag, at), at)
        elif event.what == TOGETHER:
            tags = event.tags[: payloads.MOST_CARDS]
            unread = max(0, 2 - len(tags))
            self._count(len(tags) + unread, unread)
            device.report(CARDS, payloads.cards(tags + [payloads.NO_TAG] * unread, at), at)
        elif event.what in (BACK, RETURNED):
            device.report(CARD_BACK, payloads.card_back(tag, at, event.what == RETURNED), at)
        elif event.what == CUT:
            device.report(CUT_CARD, payloads.moment(at), at)
        else:
            device.lose(payloads.UNCERTAIN, at)

    def _count(self, cards, unread):
        health = self._device.health
        health.passages += cards
        health.unread += unread
        health.bounces = self._passages.glitches
        self._lamps.flash(UNREAD if unread else READ, self._clock.ms())

    # ------------------------------------------------------------------------------------------ readers

    def _read(self):
        passage, now = self._passages.passing, self._clock.us()
        number = whose_turn(passage, now, self._readers.works)
        if number is None:
            return
        found = self._readers.look(number)
        if found is None:
            return
        if number == INNER:
            self._follow()  # the inner reader reaches the card that comes, not the one that has left meanwhile
            passage = self._passages.passing
        if passage is not None:
            passage.saw(*found)

    # ------------------------------------------------------------------------------------------ the rest

    def _rest(self, now):
        """The mouth is free: the beams' interrupts end the pause in time."""
        time.sleep_ms(1)
        self._readers.rest(now)
        self._say_faults()
        for pin, kind, closed in ((self._lid, LID, 0), (self._deck, DECK, 1)):
            level = pin.value()
            for change in self._switches.edge(kind, 1 - level if closed else level, now):
                self._device.report(change.pin, payloads.switch(change.level == 1, change.at_ms), now)
        if not self._collected and now - self._busy_at > IDLE_MS:
            self._collected = True
            gc.collect()

    def _say_faults(self):
        works = self._readers.works
        self._line.fault(payloads.READER_1_SILENT, not works[INNER])
        self._line.fault(payloads.READER_2_SILENT, not works[OUTER])
        self._say_covered(False)

    def _say_covered(self, long):
        for beam, fault in ((0, payloads.BEAM_1_COVERED), (1, payloads.BEAM_2_COVERED)):
            self._line.fault(fault, long and self._beams.level(beam) == 1)


def _no_buzzer(_frame):
    pass


def start():
    """The shoe, ready to be stepped; None where it is not to start."""
    if is_safe_start():
        return None
    clock, lamps = Clock(), Lamps(Pin(LAMP_PIN), 1)
    lamps.dark()
    line = Line(payloads.SHOE, FIRMWARE, CAPABILITIES, FILES, lamps, clock)
    if line.restarts.too_many:
        return SafeMode(line)
    spi = SPI(0, baudrate=SPI_HZ, polarity=0, phase=0, sck=Pin(SCK_PIN), mosi=Pin(MOSI_PIN), miso=Pin(MISO_PIN))
    readers = Readers([Pn5180(spi, *INNER_READER), Pn5180(spi, *OUTER_READER)], clock)
    return Shoe(line, Beams(BEAM_PINS), readers, lamps, clock)


def main():
    shoe = start()
    while shoe is not None:
        shoe.step()


if __name__ == "__main__":
    main()
