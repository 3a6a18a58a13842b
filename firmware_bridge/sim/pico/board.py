"""The Pico itself: pins, buses, clock and watchdog. The firmware sees them through `modules.py`."""

from firmware_bridge.sim.pico.fram import Fram
from firmware_bridge.sim.pico.pn5180 import Pn5180
from firmware_bridge.sim.pico.timeline import TimeLine
from firmware_bridge.sim.pico.wires import Cable, Loose, Wire


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

    # ----------------------------------------------------------------------- what MicroPython's modules ask

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
