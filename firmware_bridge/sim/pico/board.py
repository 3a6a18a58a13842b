"""The Pico itself: pins, buses, clock and watchdog, as MicroPython's modules `machine`, `neopixel`, `time` and
`os` show them to the firmware.

Time passes with every call of the hardware, by about what MicroPython takes on the RP2040 for the call and the
lines around it. These figures are estimates on the long side; no board was there to measure.
"""

from firmware_bridge.sim.pico.fram import ADDRESS, BYTES, Fram
from firmware_bridge.sim.pico.pn5180 import Pn5180
from firmware_bridge.sim.pico.timeline import TimeLine
from firmware_bridge.sim.pico.wires import Cable, Loose, Wire

PIN_US = 8
TICKS_US = 8
SPI_US = 50
I2C_US = 60
UART_US = 250  # asked once in a turn of the main loop: it stands for the rest of that turn
LAMP_US = 35  # each WS2812 takes 30
_TICKS_WRAP = 1 << 30
PWRON_RESET, WDT_RESET = 1, 3


class WatchdogReset(Exception):
    """Nobody fed the watchdog."""


class Handler:
    """An interrupt handler: any function of one argument."""

    def __call__(self, pin: object) -> None:
        raise NotImplementedError


class Board:
    """`join` wires before the firmware starts. `frozen_us`: the board's clock when its watchdog bit."""

    def __init__(
        self, time: TimeLine, cable: Cable | None = None, fram: Fram | None = None, cause: int = 1
    ) -> None:
        self.time = time
        self.cable = Loose() if cable is None else cable
        self.fram = Fram() if fram is None else fram
        self.cause = cause
        self.boot = 1
        self.scratch: dict[int, int] = {}  # registers that outlive the watchdog's reset
        self.adc = {29: 5000 * 65535 // 9900, 4: 706 * 65535 // 3300}
        self.strip: list[tuple[int, int, int]] = []
        self.tones: list[tuple[int, int]] = []  # (hertz, 0: silent; microseconds)
        self.chips: list[Pn5180] = []  # on the SPI bus
        self._wires: dict[int, Wire] = {}
        self._handlers: dict[int, tuple[Handler, object]] = {}
        self._waiting: list[int] = []  # pins whose interrupt is still to be served
        self._serving = False
        self._fed_at = 0
        self._timeout: int | None = None

    def join(self, number: int, wire: Wire) -> None:
        self._wires[number] = wire

    def passes(self, duration: int) -> None:
        """The firmware uses time; the watchdog watches."""
        self.time.passes(duration)
        if self._timeout is not None and self.time.now - self._fed_at > self._timeout:
            raise WatchdogReset

    def changed(self, number: int) -> None:
        """The level of an input changed: its interrupt, where it has one. One that comes while another is served
        waits for its end, and once is enough."""
        if number not in self._handlers:
            return
        if number not in self._waiting:
            self._waiting.append(number)
        if self._serving:
            return
        self._serving = True
        while self._waiting:
            handler, pin = self._handlers[self._waiting.pop(0)]
            handler(pin)
        self._serving = False

    # --------------------------------------------------------------------------- what the modules ask

    def level(self, number: int, otherwise: int) -> int:
        wire = self._wires.get(number)
        return otherwise if wire is None else wire.level()

    def drive(self, number: int, level: int) -> None:
        wire = self._wires.get(number)
        if wire is not None:
            wire.driven(level)

    def handle(self, number: int, handler: Handler, pin: object) -> None:
        self._handlers[number] = (handler, pin)

    def watch(self, timeout_us: int) -> None:
        self._timeout = timeout_us
        self._fed_at = self.time.now

    def feed(self) -> None:
        self._fed_at = self.time.now

    def exchange(self, data: bytes, baudrate: int) -> bytes:
        """Bytes on the SPI bus: the chip that is selected answers."""
        answer = b"\xff" * len(data)
        for chip in self.chips:
            if chip.selected:
                answer = chip.exchange(data, baudrate)
        return answer

    def modules(self) -> dict[str, object]:
        """Name -> module, for the firmware's imports."""
        return {
            "machine": machine_of(self),
            "neopixel": neopixel_of(self),
            "time": time_of(self),
            "os": os_of(self),
        }


def time_of(board: Board) -> object:
    """The module `time`."""

    class Time:
        @staticmethod
        def ticks_ms() -> int:
            board.passes(TICKS_US)
            return board.time.now // 1000 % _TICKS_WRAP

        @staticmethod
        def ticks_us() -> int:
            board.passes(TICKS_US)
            return board.time.now % _TICKS_WRAP

        @staticmethod
        def ticks_diff(later: int, earlier: int) -> int:
            return (later - earlier + _TICKS_WRAP // 2) % _TICKS_WRAP - _TICKS_WRAP // 2

        @staticmethod
        def sleep_ms(duration: int) -> None:
            board.passes(duration * 1000)

        @staticmethod
        def sleep_us(duration: int) -> None:
            board.passes(duration)

    return Time


def os_of(board: Board) -> object:
    """The module `os`, as far as the firmware uses it: the boot number is `board.boot`."""

    class Os:
        @staticmethod
        def urandom(count: int) -> bytes:
            return board.boot.to_bytes(count, "little")

    return Os


def neopixel_of(board: Board) -> object:
    """The module `neopixel`."""

    class NeoPixel:
        def __init__(self, pin: object, count: int) -> None:
            self._colours = [(0, 0, 0)] * count

        def __setitem__(self, number: int, colour: tuple[int, int, int]) -> None:
            self._colours[number] = colour

        def write(self) -> None:
            board.passes(LAMP_US * len(self._colours))
            board.strip = list(self._colours)

    class Module:
        pass

    Module.NeoPixel = NeoPixel  # type: ignore[attr-defined]
    return Module


def machine_of(board: Board) -> object:
    """The module `machine`."""

    class Pin:
        OUT, IN, PULL_UP, PULL_DOWN, IRQ_RISING, IRQ_FALLING = 1, 0, 1, 2, 8, 4

        def __init__(self, number: int, mode: int = 0, pull: int | None = None, value: int | None = None) -> None:
            self.number = number
            self._otherwise = 1 if pull == self.PULL_UP else 0
            self._shown = self._otherwise
            if mode == self.OUT:
                self.value(0 if value is None else value)

        def value(self, level: int | None = None) -> int:
            board.passes(PIN_US)
            if level is None:
                return board.level(self.number, self._otherwise)
            self._shown = int(level)
            board.drive(self.number, self._shown)
            return self._shown

        def irq(self, handler: Handler, trigger: int, hard: bool = False) -> None:
            board.handle(self.number, handler, self)

    class SPI:
        def __init__(
            self, number: int, baudrate: int, polarity: int, phase: int, sck: Pin, mosi: Pin, miso: Pin
        ) -> None:
            self._baudrate = baudrate
            self._works = polarity == 0 and phase == 0

        def write(self, data: bytes) -> None:
            board.passes(SPI_US)
            board.exchange(bytes(data), self._baudrate)

        def readinto(self, buffer: bytearray, sent: int) -> None:
            board.passes(SPI_US)
            answer = board.exchange(bytes((sent,)) * len(buffer), self._baudrate)
            for at, byte in enumerate(answer):
                buffer[at] = byte if self._works else 0xFF

    class I2C:
        def __init__(self, number: int, scl: Pin, sda: Pin, freq: int) -> None:
            self._frequency = freq

        def _there(self, address: int, at: int, addrsize: int) -> None:
            board.passes(I2C_US)
            if address != ADDRESS or board.fram.absent or addrsize != 16 or not 0 <= at < BYTES:
                raise OSError(5)

        def readfrom_mem(self, address: int, at: int, count: int, *, addrsize: int) -> bytes:
            self._there(address, at, addrsize)
            return board.fram.read(board.time, at, count, self._frequency)

        def writeto_mem(self, address: int, at: int, data: bytes, *, addrsize: int) -> None:
            self._there(address, at, addrsize)
            board.fram.write(board.time, at, bytes(data), self._frequency)

    class UART:
        def __init__(self, number: int, baudrate: int, tx: Pin, rx: Pin, rxbuf: int, txbuf: int) -> None:
            self._came = b""

        def any(self) -> int:
            board.passes(UART_US)
            self._came += board.cable.read()
            return len(self._came)

        def read(self) -> bytes:
            data, self._came = self._came, b""
            return data

        def write(self, data: bytes) -> None:
            board.cable.write(bytes(data))

    class WDT:
        def __init__(self, timeout: int) -> None:
            board.watch(timeout * 1000)

        def feed(self) -> None:
            board.feed()

    class ADC:
        def __init__(self, channel: int) -> None:
            self._channel = channel

        def read_u16(self) -> int:
            return board.adc[self._channel]

    class PWM:
        def __init__(self, pin: Pin) -> None:
            self._hertz = 0

        def freq(self, hertz: int) -> None:
            self._hertz = hertz

        def duty_u16(self, duty: int) -> None:
            board.tones.append((self._hertz if duty else 0, board.time.now))

    class Registers:
        def __getitem__(self, address: int) -> int:
            return board.scratch.get(address, 0)

        def __setitem__(self, address: int, value: int) -> None:
            board.scratch[address] = value

    def reset_cause() -> int:
        return board.cause

    class Module:
        pass

    parts = {
        "Pin": Pin,
        "SPI": SPI,
        "I2C": I2C,
        "UART": UART,
        "WDT": WDT,
        "ADC": ADC,
        "PWM": PWM,
        "mem32": Registers(),
        "reset_cause": reset_cause,
        "PWRON_RESET": PWRON_RESET,
        "WDT_RESET": WDT_RESET,
    }
    for name, part in parts.items():
        setattr(Module, name, part if name != "reset_cause" else staticmethod(reset_cause))
    return Module
