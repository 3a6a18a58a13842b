"""The model of the PN5180 does what the data sheet says, before any driver of ours talks to it.

The host here moves raw SPI frames, so that each test is a statement of the data sheet or of ISO/IEC 15693-3.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from firmware_bridge.sim.pico import iso15693
from firmware_bridge.sim.pico import pn5180_registers as reg
from firmware_bridge.sim.pico.air import Air
from firmware_bridge.sim.pico.pn5180 import Pn5180
from firmware_bridge.sim.pico.tag import Field, Steady, Tag
from firmware_bridge.sim.pico.timeline import TimeLine

STRONG = 4_000
A = bytes.fromhex("e004010203040506")
B = bytes.fromhex("e004010203040516")  # sent low byte first: differs from A in bit 4 of the first byte
ONE_SLOT = bytes((0x26, 0x01, 0x00))
SIXTEEN_SLOTS = bytes((0x06, 0x01, 0x00))
EOF_ONLY = 0xFFFFFB3F  # clears start symbol and data in TX_CONFIG


class Host:
    """One chip, one air, and a host that moves frames as the data sheet recommends."""

    def __init__(self, seed: int = 1) -> None:
        self.time = TimeLine()
        self.air = Air(seed)
        self.chip = Pn5180(self.time, self.air)
        self.wait(lambda: not self.chip.busy())

    def wait(self, fact: Callable[[], bool]) -> None:
        for _ in range(100_000):
            if fact():
                return
            self.time.passes(1)
        raise AssertionError("it never happened")

    def frame(self, data: bytes) -> bytes:
        self.chip.select(True)
        answer = self.chip.exchange(data, 2_000_000)
        self.wait(lambda: bool(self.chip.busy()))
        self.chip.select(False)
        self.wait(lambda: not self.chip.busy())
        return answer

    def write(self, register: int, value: int, how: int = reg.WRITE_REGISTER) -> None:
        self.frame(bytes((how, register)) + value.to_bytes(4, "little"))

    def read(self, register: int) -> int:
        self.frame(bytes((reg.READ_REGISTER, register)))
        return int.from_bytes(self.frame(b"\xff" * 4), "little")

    def ready(self) -> None:
        """ISO 15693, field on, tags have had power for long enough."""
        self.frame(bytes((reg.LOAD_RF_CONFIG, reg.ISO15693_TX, reg.ISO15693_RX)))
        self.frame(bytes((reg.RF_ON, 0)))
        self.time.passes(iso15693.READY_US)

    def send(self, data: bytes) -> None:
        self.write(reg.SYSTEM_CONFIG, reg.IDLE)
        self.write(reg.SYSTEM_CONFIG, reg.TRANSCEIVE)
        self.write(reg.IRQ_CLEAR, 0xFFFFF)
        self.frame(bytes((reg.SEND_DATA, 0)) + data)

    def ask(self, data: bytes) -> bytes | None:
        """The data of the response, None when none came."""
        self.send(data)
        self.time.passes(9_000)
        if not self.read(reg.IRQ_STATUS) & reg.RX_IRQ:
            return None
        count = self.read(reg.RX_STATUS) & reg.RX_BYTES
        self.frame(bytes((reg.READ_DATA, 0)))
        return self.frame(b"\xff" * count)


@pytest.fixture
def host() -> Host:
    return Host()


# ------------------------------------------------------------------------------------- the host interface


def test_a_register_is_written_masked_and_read_in_frames_of_its_own(host: Host) -> None:
    host.write(reg.IRQ_ENABLE, 0x0F0F)
    host.write(reg.IRQ_ENABLE, 0xF000, reg.WRITE_REGISTER_OR_MASK)
    host.write(reg.IRQ_ENABLE, 0xFF0F, reg.WRITE_REGISTER_AND_MASK)
    assert host.read(reg.IRQ_ENABLE) == 0xFF0F
    assert host.chip.wrong == []


def test_busy_rises_with_a_frame_and_falls_when_it_is_carried_out(host: Host) -> None:
    host.chip.select(True)
    assert not host.chip.busy()
    host.chip.exchange(bytes((reg.LOAD_RF_CONFIG, 0x0D, 0x8D)), 7_000_000)
    host.time.passes(5)
    assert host.chip.busy()
    host.chip.select(False)
    host.time.passes(900)
    assert host.chip.busy(), "the RF configuration comes from the EEPROM, which takes its time"
    host.time.passes(200)
    assert not host.chip.busy()


def test_a_frame_that_begins_while_the_chip_is_busy_is_lost_and_an_error(host: Host) -> None:
    host.chip.select(True)
    host.chip.exchange(bytes((reg.RF_ON, 0)), 2_000_000)
    host.time.passes(10)
    host.chip.select(False)
    host.chip.select(True)
    host.chip.exchange(bytes((reg.RF_OFF, 0)), 2_000_000)
    host.time.passes(10)
    host.chip.select(False)
    host.time.passes(1_000)
    assert host.chip.wrong == ["a frame began while BUSY was high"]
    assert host.read(reg.RF_STATUS) & reg.TX_RF_STATUS, "the second frame was not carried out"
    assert host.read(reg.IRQ_STATUS) & reg.GENERAL_ERROR_IRQ


def test_a_frame_whose_nss_is_lifted_too_early_is_lost(host: Host) -> None:
    host.chip.select(True)
    host.chip.exchange(bytes((reg.RF_ON,)), 7_000_000)
    host.chip.select(False)
    assert host.chip.wrong == ["NSS was lifted before BUSY was high"]


def test_the_clock_may_not_be_faster_than_seven_megahertz(host: Host) -> None:
    host.chip.select(True)
    host.chip.exchange(bytes((reg.READ_REGISTER, 0)), 8_000_000)
    assert host.chip.wrong[0] == "the clock is faster than 7 MHz"


@pytest.mark.parametrize(
    "frame",
    [
        bytes((reg.WRITE_REGISTER, 0x7F, 0, 0, 0, 0)),
        bytes((reg.WRITE_REGISTER, reg.RX_STATUS, 0, 0, 0, 0)),
        bytes((reg.WRITE_REGISTER, 1, 0)),
        bytes((reg.READ_REGISTER, 0x7F)),
        bytes((reg.READ_EEPROM, 250, 20)),
        bytes((reg.LOAD_RF_CONFIG, 0x1D, 0x8D)),
        bytes((reg.LOAD_RF_CONFIG, 0x0D, 0x0D)),
        bytes((reg.SEND_DATA, 0)) + ONE_SLOT,  # without the command transceive
        bytes((0x55, 0)),
    ],
    ids=lambda frame: frame[:3].hex(),
)
def test_an_instruction_whose_condition_is_not_met_raises_the_general_error(host: Host, frame: bytes) -> None:
    host.write(reg.IRQ_ENABLE, reg.GENERAL_ERROR_IRQ)
    assert not host.chip.irq()
    host.frame(frame)
    assert host.chip.irq()
    host.write(reg.IRQ_CLEAR, reg.GENERAL_ERROR_IRQ)
    assert not host.chip.irq()


def test_after_a_reset_the_chip_boots_and_has_forgotten_everything(host: Host) -> None:
    host.write(reg.IRQ_ENABLE, reg.RX_IRQ)
    host.ready()
    host.chip.reset_pin(0)
    host.time.passes(5)
    host.chip.reset_pin(1)
    assert not host.chip.busy(), "5 us are no reset"
    host.chip.reset_pin(0)
    host.time.passes(20)
    host.chip.reset_pin(1)
    assert host.chip.busy()
    host.time.passes(2_500)
    assert host.read(reg.IRQ_STATUS) == reg.IDLE_IRQ
    assert host.read(reg.IRQ_ENABLE) == 0
    assert not host.read(reg.RF_STATUS) & reg.TX_RF_STATUS


def test_the_versions_stand_in_the_eeprom(host: Host) -> None:
    host.frame(bytes((reg.READ_EEPROM, reg.PRODUCT_VERSION, 2)))
    assert host.frame(b"\xff\xff") == b"\x05\x03"


# ---------------------------------------------------------------------------------------------- the air


def test_an_inventory_of_one_slot_brings_the_tags_uid_low_byte_first(host: Host) -> None:
    host.air.put(Tag(A, Steady(STRONG)), host.time.now)
    host.ready()
    assert host.ask(ONE_SLOT) == bytes((0, 0, *reversed(A)))
    assert host.chip.wrong == []


def test_transmission_and_response_take_the_time_of_their_bits(host: Host) -> None:
    host.air.put(Tag(A, Steady(STRONG)), host.time.now)
    host.ready()
    host.send(ONE_SLOT)
    start = host.time.now
    host.write(reg.IRQ_ENABLE, reg.TX_IRQ)
    host.wait(lambda: bool(host.chip.irq()))
    # 76 us SOF, five bytes of 302 us (CRC included), 38 us EOF
    assert 1_560 <= host.time.now - start <= 1_700
    host.write(reg.IRQ_ENABLE, reg.RX_IRQ)
    host.wait(lambda: bool(host.chip.irq()))
    # 321 us later 151 us SOF, twelve bytes, 151 us EOF
    assert 5_700 <= host.time.now - start <= 6_000
    assert host.read(reg.RX_STATUS) == 10, "ten bytes without their CRC, and no error"


def test_without_a_tag_nothing_is_received(host: Host) -> None:
    host.ready()
    assert host.ask(ONE_SLOT) is None
    assert host.read(reg.IRQ_STATUS) & (reg.TX_IRQ | reg.RX_IRQ | reg.RX_SOF_DET_IRQ) == reg.TX_IRQ


@pytest.mark.parametrize("missing", ["field", "configuration", "crc", "start symbol"])
def test_a_tag_answers_only_what_it_understands(host: Host, missing: str) -> None:
    host.air.put(Tag(A, Steady(STRONG)), host.time.now)
    if missing == "field":
        host.frame(bytes((reg.LOAD_RF_CONFIG, reg.ISO15693_TX, reg.ISO15693_RX)))
    elif missing == "configuration":
        host.frame(bytes((reg.RF_ON, 0)))
    else:
        host.ready()
    if missing == "crc":
        host.write(reg.CRC_TX_CONFIG, 0)
    elif missing == "start symbol":
        host.write(reg.TX_CONFIG, reg.TX_DATA_ENABLE)
    host.time.passes(1_000)
    assert host.ask(ONE_SLOT) is None


def test_two_tags_of_one_strength_collide_at_their_first_different_bit(host: Host) -> None:
    for uid in (A, B):
        host.air.put(Tag(uid, Steady(STRONG)), host.time.now)
    host.ready()
    host.ask(ONE_SLOT)
    status = host.read(reg.RX_STATUS)
    assert status & reg.RX_COLLISION_DETECTED
    assert status & reg.RX_DATA_INTEGRITY_ERROR
    assert status >> reg.RX_COLL_POS_SHIFT & 0x7F == 16 + 4, "behind flags and DSFID"


def test_of_two_tags_the_much_stronger_is_received_and_the_other_unnoticed(host: Host) -> None:
    host.air.put(Tag(A, Steady(STRONG)), host.time.now)
    host.air.put(Tag(B, Steady(1_500)), host.time.now)
    host.ready()
    assert host.ask(ONE_SLOT) == bytes((0, 0, *reversed(A)))
    host.ask(bytes((0x22, iso15693.STAY_QUIET)) + bytes(reversed(A)))
    assert host.ask(ONE_SLOT) == bytes((0, 0, *reversed(B)))


def _slots(host: Host) -> dict[int, bytes]:
    """Slot -> response, of an inventory of 16 slots in which no slot collides."""
    found = {}
    first = host.ask(SIXTEEN_SLOTS)
    if first is not None:
        found[0] = first
    host.write(reg.TX_CONFIG, EOF_ONLY, reg.WRITE_REGISTER_AND_MASK)
    for slot in range(1, 16):
        answer = host.ask(b"")
        if answer is not None:
            found[slot] = answer
    return found


def test_in_sixteen_slots_each_tag_answers_in_the_slot_of_its_first_four_bits(host: Host) -> None:
    lower = bytes.fromhex("e00401020304050a")
    for uid in (A, lower):
        host.air.put(Tag(uid, Steady(STRONG)), host.time.now)
    host.ready()
    assert _slots(host) == {6: bytes((0, 0, *reversed(A))), 10: bytes((0, 0, *reversed(lower)))}


def test_a_mask_chooses_among_tags_and_moves_the_slot(host: Host) -> None:
    for uid in (A, B):
        host.air.put(Tag(uid, Steady(STRONG)), host.time.now)
    host.ready()
    # the low four bits of both are 6; the next four tell them apart: slots 0 and 1
    host.send(bytes((0x06, 0x01, 4, 0x06)))
    host.time.passes(9_000)
    assert host.read(reg.RX_STATUS) == 10
    assert host.ask(bytes((0x26, 0x01, 8, 0x16))) == bytes((0, 0, *reversed(B)))


def test_an_eof_that_comes_too_soon_is_not_heard(host: Host) -> None:
    host.air.put(Tag(bytes.fromhex("e004010203040501"), Steady(STRONG)), host.time.now)
    host.ready()
    host.write(reg.IRQ_ENABLE, reg.TX_IRQ)
    host.send(SIXTEEN_SLOTS)
    host.write(reg.TX_CONFIG, EOF_ONLY, reg.WRITE_REGISTER_AND_MASK)
    host.wait(lambda: bool(host.chip.irq()))
    host.write(reg.SYSTEM_CONFIG, reg.IDLE)
    host.write(reg.SYSTEM_CONFIG, reg.TRANSCEIVE)
    host.frame(bytes((reg.SEND_DATA, 0)))
    host.time.passes(9_000)
    assert not host.read(reg.IRQ_STATUS) & reg.RX_IRQ, "within t3 of the request"
    assert host.ask(b"") is not None, "so slot 1 began one EOF later"


def test_a_quiet_tag_stays_quiet_until_it_is_told_or_has_lost_its_field(host: Host) -> None:
    host.air.put(Tag(A, Steady(STRONG)), host.time.now)
    host.ready()
    quiet = bytes((0x22, iso15693.STAY_QUIET)) + bytes(reversed(A))
    assert host.ask(quiet) is None, "it has no answer"
    assert host.ask(ONE_SLOT) is None
    assert host.ask(bytes((0x22, iso15693.RESET_TO_READY)) + bytes(reversed(A))) == b"\x00"
    assert host.ask(ONE_SLOT) is not None
    host.ask(quiet)
    host.frame(bytes((reg.RF_OFF, 0)))
    host.time.passes(100)
    host.ready()
    assert host.ask(ONE_SLOT) is not None


def test_a_tag_needs_a_millisecond_of_field_before_it_listens(host: Host) -> None:
    host.air.put(Tag(A, Steady(STRONG)), host.time.now)
    host.frame(bytes((reg.LOAD_RF_CONFIG, reg.ISO15693_TX, reg.ISO15693_RX)))
    host.frame(bytes((reg.RF_ON, 0)))
    assert host.ask(ONE_SLOT) is None
    assert host.ask(ONE_SLOT) is not None


class Leaving(Field):
    """Strong until `until`, then nothing."""

    def __init__(self, until: int) -> None:
        self.until = until

    def strength(self, reader: int, at: int) -> int:
        return STRONG if at < self.until else 0


def test_a_response_during_which_the_tag_leaves_is_damaged(host: Host) -> None:
    host.ready()
    host.air.put(Tag(A, Leaving(host.time.now + 5_000)), host.time.now)
    host.time.passes(1_500)
    host.ask(ONE_SLOT)
    assert host.read(reg.RX_STATUS) & reg.RX_DATA_INTEGRITY_ERROR


def test_the_weaker_the_field_the_more_often_a_tag_is_missed() -> None:
    missed = {}
    for strength in (900, 1_050, 1_300, 3_000):
        host = Host(seed=strength)
        host.air.put(Tag(A, Steady(strength)), host.time.now)
        host.ready()
        good = 0
        for _ in range(100):
            answer = host.ask(ONE_SLOT)
            good += answer is not None and not host.read(reg.RX_STATUS) & reg.RX_DATA_INTEGRITY_ERROR
        missed[strength] = 100 - good
    assert missed[900] == 100
    assert 100 > missed[1_050] > missed[1_300] > missed[3_000] == 0


def test_two_readers_that_send_at_once_disturb_each_other(host: Host) -> None:
    other = Host()
    other.time, other.air = host.time, host.air
    other.chip = Pn5180(host.time, host.air)
    host.time.passes(3_000)
    host.air.put(Tag(A, Steady(STRONG, STRONG)), host.time.now)
    host.ready()
    other.frame(bytes((reg.RF_ON, 0)))
    host.ask(ONE_SLOT)
    assert host.read(reg.RX_STATUS) & reg.RX_DATA_INTEGRITY_ERROR
    other.frame(bytes((reg.RF_OFF, 0)))
    assert host.ask(ONE_SLOT) == bytes((0, 0, *reversed(A)))


def test_what_the_chip_never_says_is_that_it_is_dead_or_stuck(host: Host) -> None:
    host.chip.dead = True
    host.chip.select(True)
    assert host.chip.exchange(b"\x04\x00", 2_000_000) == b"\xff\xff"
    assert not host.chip.busy()
    host.chip.dead, host.chip.stuck = False, True
    assert host.chip.busy()


def test_the_crc_is_the_one_of_iso_13239() -> None:
    assert iso15693.crc16(b"123456789") == 0x906E
