"""MicroPython's modules `machine`, `neopixel`, `time` and `os`, as a board shows them to the firmware.

Time passes with every call of the hardware, by about what MicroPython takes on the RP2040 for the call and the
lines around it. These figures are estimates on the long side; no board was there to measure.
"""

from firmware_bridge.sim.pico.board import Board, Handler
from firmware_bridge.sim.pico.fram import ADDRESS, BYTES

PIN_US = 8
TICKS_US = 8
SPI_US = 50
I2C_US = 60
UART_US = 250  # asked once in a turn of the main loop: it stands for the rest of that turn
LAMP_US = 35  # each WS2812 takes 30
_TICKS_WRAP = 1 << 30


def modules_of(board: Board) -> dict[str, object]:
    """Name -> module, for the firmware's imports."""
    return {"machine": Machine(board), "neopixel": NeoPixels(board), "time": Time(board), "os": Os(board)}


class Time:
    """The module `time`."""

    def __init__(self, board: Board) -> None:
        self._board = board

    def ticks_ms(self) -> int:
        self._board.passes(TICKS_US)
        return self._board.time.now // 1000 % _TICKS_WRAP

    def ticks_us(self) -> int:
        self._board.passes(TICKS_US)
        return self._board.time.now % _TICKS_WRAP

    def ticks_diff(self, later: int, earlier: int) -> int:
        return (later - earlier + _TICKS_WRAP // 2) % _TICKS_WRAP - _TICKS_WRAP // 2

    def sleep_ms(self, duration: int) -> None:
        self._board.passes(duration * 1000)

    def sleep_us(self, duration: int) -> None:
        self._board.passes(duration)


class Os:
    """The module `os`, as far as the firmware uses it: random bytes are the board's boot number."""

    def __init__(self, board: Board) -> None:
        self._board = board

    def urandom(self, count: int) -> bytes:
        return self._board.boot.to_bytes(count, "little")


class OnBoard:
    """A class of a module. Each board has a subclass of it, and that knows the board."""

    board: Board


def on(board: Board, part: type[OnBoard]) -> type[OnBoard]:
    return type("OnThisBoard", (part,), {"board": board})


class NeoPixels:
    """The module `neopixel`."""

    def __init__(self, board: Board) -> None:
        self.NeoPixel = on(board, NeoPixel)


class NeoPixel(OnBoard):
    def __init__(self, pin: object, count: int) -> None:
        self._colours = [(0, 0, 0)] * count

    def __setitem__(self, number: int, colour: tuple[int, int, int]) -> None:
        self._colours[number] = colour

    def write(self) -> None:
        self.board.passes(LAMP_US * len(self._colours))
        self.board.strip = list(self._colours)


class Machine:
    """The module `machine`."""

    PWRON_RESET, WDT_RESET = 1, 3

    def __init__(self, board: Board) -> None:
        self._board = board
        self.Pin = on(board, Pin)
        self.SPI = on(board, SPI)
        self.I2C = on(board, I2C)
        self.UART = on(board, UART)
        self.WDT = on(board, WDT)
        self.ADC = on(board, ADC)
        self.PWM = on(board, PWM)
        self.mem32 = Registers(board)

    def reset_cause(self) -> int:
        return self._board.cause


class Pin(OnBoard):
    OUT, IN, PULL_UP, PULL_DOWN, IRQ_RISING, IRQ_FALLING = 1, 0, 1, 2, 8, 4

    def __init__(self, number: int, mode: int = 0, pull: int | None = None, value: int | None = None) -> None:
        self.number = number
        self._otherwise = 1 if pull == self.PULL_UP else 0
        self._shown = self._otherwise
        if mode == self.OUT:
            self.value(0 if value is None else value)

    def value(self, level: int | None = None) -> int:
        self.board.passes(PIN_US)
        if level is None:
            return self.board.level(self.number, self._otherwise)
        self._shown = int(level)
        self.board.drive(self.number, self._shown)
        return self._shown

    def irq(self, handler: Handler, trigger: int, hard: bool = False) -> None:
        self.board.handle(self.number, handler, self)


class SPI(OnBoard):
    def __init__(
        self, number: int, baudrate: int, polarity: int, phase: int, sck: Pin, mosi: Pin, miso: Pin
    ) -> None:
        self._baudrate = baudrate
        self._works = polarity == 0 and phase == 0

    def write(self, data: bytes) -> None:
        self.board.passes(SPI_US)
        self.board.exchange(bytes(data), self._baudrate)

    def readinto(self, buffer: bytearray, sent: int) -> None:
        self.board.passes(SPI_US)
        answer = self.board.exchange(bytes((sent,)) * len(buffer), self._baudrate)
        for at, byte in enumerate(answer):
            buffer[at] = byte if self._works else 0xFF


class I2C(OnBoard):
    def __init__(self, number: int, scl: Pin, sda: Pin, freq: int) -> None:
        self._frequency = freq

    def _there(self, address: int, at: int, addrsize: int) -> None:
        self.board.passes(I2C_US)
        if address != ADDRESS or self.board.fram.absent or addrsize != 16 or not 0 <= at < BYTES:
            raise OSError(5)

    def readfrom_mem(self, address: int, at: int, count: int, *, addrsize: int) -> bytes:
        self._there(address, at, addrsize)
        return self.board.fram.read(self.board.time, at, count, self._frequency)

    def writeto_mem(self, address: int, at: int, data: bytes, *, addrsize: int) -> None:
        self._there(address, at, addrsize)
        self.board.fram.write(self.board.time, at, bytes(data), self._frequency)


class UART(OnBoard):
    def __init__(self, number: int, baudrate: int, tx: Pin, rx: Pin, rxbuf: int, txbuf: int) -> None:
        self._came = b""

    def any(self) -> int:
        self.board.passes(UART_US)
        self._came += self.board.cable.read()
        return len(self._came)

    def read(self) -> bytes:
        data, self._came = self._came, b""
        return data

    def write(self, data: bytes) -> None:
        self.board.cable.write(bytes(data))


class WDT(OnBoard):
    def __init__(self, timeout: int) -> None:
        self.board.watch(timeout * 1000)

    def feed(self) -> None:
        self.board.feed()


class ADC(OnBoard):
    def __init__(self, channel: int) -> None:
        self._channel = channel

    def read_u16(self) -> int:
        return self.board.adc[self._channel]


class PWM(OnBoard):
    def __init__(self, pin: Pin) -> None:
        self._hertz = 0

    def freq(self, hertz: int) -> None:
        self._hertz = hertz

    def duty_u16(self, duty: int) -> None:
        self.board.tones.append((self._hertz if duty else 0, self.board.time.now))


class Registers:
    """The module's `mem32`: those registers that outlive a reset."""

    def __init__(self, board: Board) -> None:
        self._board = board

    def __getitem__(self, address: int) -> int:
        return self._board.scratch.get(address, 0)

    def __setitem__(self, address: int, value: int) -> None:
        self._board.scratch[address] = value
