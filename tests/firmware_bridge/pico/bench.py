"""The shoe's firmware on its simulated board, in this process, with a host that acknowledges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from firmware_bridge.frames import ACK, Decoder, Frame, encode
from firmware_bridge.sim.firmware import Firmware
from firmware_bridge.sim.pico.air import Air
from firmware_bridge.sim.pico.board import Board
from firmware_bridge.sim.pico.card_path import BEHIND, Card
from firmware_bridge.sim.pico.fram import Fram
from firmware_bridge.sim.pico.modules import modules_of
from firmware_bridge.sim.pico.shoe_rig import ShoeRig
from firmware_bridge.sim.pico.timeline import TimeLine
from firmware_bridge.sim.pico.wires import Loose
from tests.firmware_bridge.deals.dealer import GONE

PEAK = 12_000
UIDS = [bytes((0xE0, 4, 1, 0x50, 7, 9, number, number * 7 % 256)) for number in range(52)]


def drawn(uid: bytes | None, at: int, speed: float = 0.6, **more: Any) -> Card:
    """A card that is drawn out at `speed` metres a second."""
    end = at + int((GONE - BEHIND) / speed)
    return Card(uid, more.pop("peak", PEAK), [(at, BEHIND), (end, GONE)], **more)


class _NoGarbage:
    """The firmware collects its garbage between two cards; here that would be this whole process's, each time."""

    def collect(self) -> None: ...


class ShoeBench:
    """`frames`: every report once, in the order of arrival. A restart keeps `fram` and loses all else."""

    def __init__(self, *, acknowledges: bool = True, seed: int = 1, fram: Fram | None = None) -> None:
        self.acknowledges = acknowledges
        self.frames: list[Frame] = []
        self.said: list[Frame] = []  # status frames and repetitions too
        self._seed = seed
        self.fram = Fram() if fram is None else fram
        self.boot = 0
        self.scratch: dict[int, int] = {}
        self._names: set[tuple[int, int]] = set()
        self.switch_on()

    def switch_on(self, cause: int = 1) -> None:
        """Power comes (1), or the watchdog has bitten (3)."""
        self.boot += 1
        self.time, self.cable = TimeLine(), Loose()
        self.board = Board(self.time, self.cable, self.fram, cause)
        self.board.boot = self.boot
        self.board.scratch = self.scratch if cause == 3 else {}
        self.scratch = self.board.scratch
        self.rig = ShoeRig(self.board, Air(self._seed))
        self.firmware = Firmware("shoe", {**modules_of(self.board), "gc": _NoGarbage()})
        self.main = self.firmware.load("main")
        self._decoder = Decoder()

    def start(self) -> Any:
        self.shoe = self.main.start()
        return self.shoe

    def deal(self, *cards: Card) -> None:
        self.rig.deal(list(cards))

    def run(self, until: int) -> None:
        """Let the firmware run until its clock shows so many microseconds."""
        if not hasattr(self, "shoe"):
            self.start()
        while self.time.now < until:
            self.step()

    def run_until(self, fact: Callable[[], bool]) -> None:
        for _ in range(100_000):
            if fact():
                return
            self.step()
        raise AssertionError("it never happened")

    def step(self) -> None:
        self.shoe.step()
        for frame in self._decoder.feed(self.cable.take()):
            self.said.append(frame)
            if frame.seq:
                self._report(frame)

    def _report(self, frame: Frame) -> None:
        if (frame.boot, frame.seq) not in self._names:
            self._names.add((frame.boot, frame.seq))
            self.frames.append(frame)
        if self.acknowledges:
            self.cable.to_pico += encode(ACK, frame.boot, frame.seq)

    @property
    def chips_wronged(self) -> list[str]:
        """What the driver did against the data sheet."""
        return [wrong for chip in self.board.chips for wrong in chip.wrong]
