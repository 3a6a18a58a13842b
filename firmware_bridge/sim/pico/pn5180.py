"""A PN5180 as its host sees it: SPI frames between edges of NSS, BUSY, IRQ, RST, registers, and its time.

Written from what the data sheet says about the host interface, before our driver:

- SPI mode 0, at most 7 Mbit/s, half duplex: a frame is an instruction, or the response to the one before.
- The host pulls NSS low, moves the bytes, waits for BUSY high, lifts NSS, and waits for BUSY low. While BUSY is
  high no frame may begin.
- An instruction whose condition is not met raises GENERAL_ERROR in IRQ_STATUS and does nothing.
- SEND_DATA needs the command *transceive* in SYSTEM_CONFIG and the transceiver in *wait for transmit*.
- The IRQ pin is high while a bit of IRQ_STATUS is set that IRQ_ENABLE enables.

What the data sheet gives no time for has a long time here; a driver may rely on BUSY and IRQ only.
`wrong` lists what the host did against the rules; the chip then behaves as unhelpfully as the real one may.
"""

from firmware_bridge.sim.pico.air import Air, Heard
from firmware_bridge.sim.pico.iso15693 import RESPONSE_SOF_US, request_us, with_crc
from firmware_bridge.sim.pico.pn5180_registers import (
    COMMAND,
    CRC_RX_CONFIG,
    CRC_TX_CONFIG,
    EEPROM_BYTES,
    FIRMWARE_VERSION,
    GENERAL_ERROR_IRQ,
    IDLE_IRQ,
    IRQ_CLEAR,
    IRQ_ENABLE,
    IRQ_STATUS,
    ISO15693_RX,
    ISO15693_TX,
    KEEP,
    LAST_REGISTER,
    LOAD_RF_CONFIG,
    PRODUCT_VERSION,
    READ_DATA,
    READ_EEPROM,
    READ_ONLY,
    READ_REGISTER,
    RF_OFF,
    RF_ON,
    RF_STATUS,
    RX_BYTES,
    RX_COLL_POS_SHIFT,
    RX_COLLISION_DETECTED,
    RX_DATA_INTEGRITY_ERROR,
    RX_IRQ,
    RX_SOF_DET_IRQ,
    RX_STATUS,
    SEND_DATA,
    STATE_IDLE,
    STATE_RECEIVING,
    STATE_TRANSMITTING,
    STATE_WAIT_RECEIVE,
    STATE_WAIT_TRANSMIT,
    SYSTEM_CONFIG,
    TRANSCEIVE,
    TRANSCEIVE_STATE_SHIFT,
    TX_CONFIG,
    TX_DATA_ENABLE,
    TX_IRQ,
    TX_RF_STATUS,
    TX_RFOFF_IRQ,
    TX_RFON_IRQ,
    TX_START_SYMBOL,
    WRITE_REGISTER,
    WRITE_REGISTER_AND_MASK,
    WRITE_REGISTER_OR_MASK,
)
from firmware_bridge.sim.pico.timeline import TimeLine

FASTEST_SPI = 7_000_000
_BUSY_RISES_US = 4  # after the first byte of a frame
_BOOT_US = 2_500
_SHORTEST_RESET_US = 10
_TAKES_US = {LOAD_RF_CONFIG: 1_000, RF_ON: 500, RF_OFF: 100, SEND_DATA: 60, READ_EEPROM: 200}
_TAKES_OTHERWISE_US = 30
_LENGTHS = {
    WRITE_REGISTER: 6,
    WRITE_REGISTER_OR_MASK: 6,
    WRITE_REGISTER_AND_MASK: 6,
    READ_REGISTER: 2,
    READ_EEPROM: 3,
    READ_DATA: 2,
    LOAD_RF_CONFIG: 3,
    RF_ON: 2,
    RF_OFF: 2,
}
_MOST_SENT = 260


class Refused(Exception):
    """An instruction whose condition is not met."""


class Pn5180:
    """`dead`: no chip answers (MISO high, BUSY low). `stuck`: BUSY stays high."""

    def __init__(self, time: TimeLine, air: Air) -> None:
        self.wrong: list[str] = []
        self.dead = False
        self.stuck = False
        self._time = time
        self._air = air
        self._reader = air.new_reader()
        self._eeprom = bytearray(range(16)) + bytearray(EEPROM_BYTES - 16)
        self._eeprom[PRODUCT_VERSION : PRODUCT_VERSION + 2] = b"\x05\x03"  # 3.5
        self._eeprom[FIRMWARE_VERSION : FIRMWARE_VERSION + 2] = b"\x00\x04"  # 4.0
        self._reset_since: int | None = None
        self._boot()

    def _boot(self) -> None:
        self._air.carrier(self._reader, False, self._time.now)
        self._registers = dict.fromkeys(range(LAST_REGISTER + 1), 0)
        self._irq = IDLE_IRQ
        self._rf_on = False
        self._protocol = (0, 0)
        self._state = STATE_IDLE
        self._coming: list[tuple[int, int]] = []  # when the transceiver's state changes, to what; in order
        self._heard: Heard | None = None
        self._received = b""
        self._rx_status = 0
        self._selected = False
        self._frame: bytearray | None = None  # an instruction that comes in; None: a response goes out
        self._first_byte_at: int | None = None
        self._response: bytes | None = None
        self._busy_until = self._time.now + _BOOT_US

    # ------------------------------------------------------------------------------------------ its pins

    def reset_pin(self, level: int) -> None:
        """RST, active low."""
        if level:
            since = self._reset_since
            self._reset_since = None
            if since is not None and self._time.now - since >= _SHORTEST_RESET_US:
                self._boot()
        elif self._reset_since is None:
            self._reset_since = self._time.now

    def power_dip(self) -> None:
        """The supply fell too low for a moment: everything is as after a reset."""
        self._boot()

    def busy(self) -> int:
        if self.dead:
            return 0
        if self.stuck or self._time.now < self._busy_until:
            return 1
        first = self._first_byte_at
        return int(self._selected and first is not None and self._time.now >= first + _BUSY_RISES_US)

    def irq(self) -> int:
        self._follow()
        return int(not self.dead and bool(self._irq & self._registers[IRQ_ENABLE]))

    @property
    def selected(self) -> bool:
        return self._selected

    def select(self, selected: bool) -> None:
        """NSS: `selected` is low."""
        if selected == self._selected:
            return
        if selected:
            self._begin()
        else:
            self._end()
        self._selected = selected

    def _begin(self) -> None:
        self._first_byte_at = None
        self._frame = bytearray() if self._response is None else None
        if self._time.now < self._busy_until or self._reset_since is not None:
            self._complain("a frame began while BUSY was high")
            self._frame = self._response = None

    def _end(self) -> None:
        first, frame, response = self._first_byte_at, self._frame, self._response
        self._first_byte_at = self._frame = None
        if first is None:
            return
        if self._time.now < first + _BUSY_RISES_US:
            self._complain("NSS was lifted before BUSY was high")
            self._response = None
        elif frame is None:
            self._response = None
            self._busy_until = self._time.now + _TAKES_OTHERWISE_US
            if response:
                self._complain("a response was not read to its end")
        else:
            self._follow()
            self._busy_until = self._time.now + _TAKES_US.get(frame[0], _TAKES_OTHERWISE_US)
            self._carry_out(bytes(frame))

    def exchange(self, sent: bytes, baudrate: int) -> bytes:
        """Bytes move in both directions; time passes."""
        answer = bytearray()
        for byte in sent:
            self._time.passes((8_000_000 + baudrate - 1) // baudrate)
            answer.append(self._byte(byte, baudrate))
        return bytes(answer)

    def _byte(self, byte: int, baudrate: int) -> int:
        if self.dead or not self._selected:
            return 0xFF
        if self._first_byte_at is None:
            self._first_byte_at = self._time.now
        if baudrate > FASTEST_SPI:
            self._complain("the clock is faster than 7 MHz")
            return 0xFF
        if self._frame is not None:
            self._frame.append(byte)
        elif self._response:
            answer = self._response[0]
            self._response = self._response[1:]
            return answer
        return 0xFF

    # ------------------------------------------------------------------------------------- instructions

    def _carry_out(self, frame: bytes) -> None:
        instruction = frame[0]
        wanted = _LENGTHS.get(instruction)
        try:
            if instruction == SEND_DATA:
                self._send(frame)
            elif wanted is None or len(frame) != wanted:
                raise Refused("no such instruction, or of another length")
            elif instruction in (WRITE_REGISTER, WRITE_REGISTER_OR_MASK, WRITE_REGISTER_AND_MASK):
                self._write(instruction, frame[1], int.from_bytes(frame[2:], "little"))
            elif instruction == READ_REGISTER:
                self._response = self._read(frame[1]).to_bytes(4, "little")
            elif instruction == READ_EEPROM:
                self._response = self._read_eeprom(frame[1], frame[2])
            elif instruction == READ_DATA:
                self._response = self._received or b"\xff"
            elif instruction == LOAD_RF_CONFIG:
                self._configure(frame[1], frame[2])
            else:
                self._switch_field(instruction == RF_ON)
        except Refused as why:
            self._complain(f"0x{instruction:02x}: {why}")

    def _complain(self, what: str) -> None:
        self.wrong.append(what)
        self._irq |= GENERAL_ERROR_IRQ

    def _write(self, how: int, address: int, value: int) -> None:
        if address > LAST_REGISTER or address in READ_ONLY:
            raise Refused(f"register 0x{address:02x} cannot be written")
        before = self._registers[address]
        if how == WRITE_REGISTER_OR_MASK:
            value |= before
        elif how == WRITE_REGISTER_AND_MASK:
            value &= before
        if address == IRQ_CLEAR:
            self._irq &= ~value
            return
        self._registers[address] = value
        if address == SYSTEM_CONFIG:
            self._command(value & COMMAND)

    def _command(self, command: int) -> None:
        self._coming, self._heard = [], None
        self._state = STATE_WAIT_TRANSMIT if command == TRANSCEIVE else STATE_IDLE

    def _read(self, address: int) -> int:
        if address > LAST_REGISTER:
            raise Refused(f"there is no register 0x{address:02x}")
        if address == IRQ_STATUS:
            return self._irq
        if address == RX_STATUS:
            return self._rx_status
        if address == RF_STATUS:
            return self._state << TRANSCEIVE_STATE_SHIFT | (TX_RF_STATUS if self._rf_on else 0)
        return self._registers[address]

    def _read_eeprom(self, address: int, length: int) -> bytes:
        if address + length > EEPROM_BYTES or not length:
            raise Refused("beyond the EEPROM")
        return bytes(self._eeprom[address : address + length])

    def _configure(self, sender: int, receiver: int) -> None:
        if not (sender <= 0x1C or sender == KEEP) or not (0x80 <= receiver <= 0x9C or receiver == KEEP):
            raise Refused("no such RF configuration")
        old_sender, old_receiver = self._protocol
        self._protocol = (
            old_sender if sender == KEEP else sender,
            old_receiver if receiver == KEEP else receiver,
        )
        self._registers[TX_CONFIG] = TX_START_SYMBOL | TX_DATA_ENABLE
        self._registers[CRC_TX_CONFIG] = self._registers[CRC_RX_CONFIG] = 1

    def _switch_field(self, on: bool) -> None:
        now = self._busy_until
        self._rf_on = on
        self._air.carrier(self._reader, on, now)
        self._irq |= TX_RFON_IRQ if on else TX_RFOFF_IRQ

    # -------------------------------------------------------------------------------------------- the air

    def _send(self, frame: bytes) -> None:
        data = frame[2:]
        if len(frame) < 2 or len(data) > _MOST_SENT or frame[1] > 7:
            raise Refused("no such data")
        if self._registers[SYSTEM_CONFIG] & COMMAND != TRANSCEIVE or self._state != STATE_WAIT_TRANSMIT:
            raise Refused("the transceiver does not wait for something to transmit")
        start = self._busy_until
        sent = self._as_sent(data)
        end = start + request_us(len(sent or b""))
        heard = None
        if sent is not None and self._rf_on and self._protocol == (ISO15693_TX, ISO15693_RX):
            heard = self._air.request(self._reader, sent, start)
        self._state, self._heard = STATE_TRANSMITTING, heard
        self._coming = [(end, STATE_WAIT_RECEIVE)]
        if heard is not None:
            self._coming += [(heard.start + RESPONSE_SOF_US, STATE_RECEIVING), (heard.end, STATE_WAIT_TRANSMIT)]

    def _as_sent(self, data: bytes) -> bytes | None:
        """What goes out: a request with its CRC, an EOF (empty), None: nothing that a tag understands."""
        config = self._registers[TX_CONFIG]
        if not config & (TX_START_SYMBOL | TX_DATA_ENABLE):
            return b""
        whole = config & TX_START_SYMBOL == TX_START_SYMBOL and config & TX_DATA_ENABLE
        if not whole or not data:
            return None
        return with_crc(data) if self._registers[CRC_TX_CONFIG] & 1 else data

    def _follow(self) -> None:
        """Let the transceiver do what it has done by now."""
        while self._coming and self._coming[0][0] <= self._time.now:
            _, self._state = self._coming.pop(0)
            if self._state == STATE_WAIT_RECEIVE:
                self._irq |= TX_IRQ
            elif self._state == STATE_RECEIVING:
                self._irq |= RX_SOF_DET_IRQ
            else:
                self._receive()

    def _receive(self) -> None:
        heard = self._heard
        self._heard = None
        if heard is None:
            return
        data, checked = heard.data, self._registers[CRC_RX_CONFIG] & 1
        if heard.damaged and len(data) > 3:
            data = data[:3] + bytes((data[3] ^ 0x10,)) + data[4:]
        status = 0
        if checked and (len(data) < 3 or with_crc(data[:-2]) != data):
            status |= RX_DATA_INTEGRITY_ERROR
        if heard.collision is not None:
            status |= RX_COLLISION_DETECTED | (heard.collision & 0x7F) << RX_COLL_POS_SHIFT
        self._received = data[:-2] if checked else data
        self._rx_status = status | (len(self._received) & RX_BYTES)
        self._irq |= RX_IRQ
