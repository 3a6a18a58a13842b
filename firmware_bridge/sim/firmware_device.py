"""A device whose real firmware runs under MicroPython, behind a cable that can be unplugged.

Its process runs in turns and waits in between; bytes of its serial line go to and from a pseudo-terminal. What
happens to the device is told as a finger or a dealer does it.
"""

from __future__ import annotations

import os
import select
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

from firmware_bridge.sim.firmware_process import FirmwareProcess
from firmware_bridge.sim.line import PtyLine


class FirmwareDevice:
    """`device` is `keypad` or `shoe`. Plugged in from the start; runs until `close()`.

    `lamps[number]` is what a lamp shows now, `shown` all that lamps have shown, in order: (lamp, colour);
    `tones` all tones that sounded, in hertz.
    """

    def __init__(self, device: str, link_path: str | Path) -> None:
        self.lamps: dict[int, tuple[int, int, int]] = {}
        self.shown: list[tuple[int, tuple[int, int, int]]] = []
        self.tones: list[int] = []
        self.changed = threading.Condition()
        self._line = PtyLine(link_path)
        self._line.plug()
        self._wake_r, self._wake_w = os.pipe()
        self._cable = True
        self._closing = False
        self._happens: list[str] = []
        self._failure: RuntimeError | None = None
        self._process = FirmwareProcess(device)
        self._thread = threading.Thread(target=self._run, name=f"firmware-{device}", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Switch off and remove the link."""
        self._closing = True
        self._wake()
        self._thread.join()  # a turn ends
        self._process.close()
        self._line.unplug()
        os.close(self._wake_r)
        os.close(self._wake_w)

    def check(self) -> None:
        """Raise `RuntimeError` with what it said where the firmware has ended."""
        if self._failure is not None:
            raise self._failure

    # ------------------------------------------------------------------------------- what happens to it

    def press(self, *codes: int) -> None:
        """Fingers on keys, one after the other."""
        for code in codes:
            self._tell(f"press {code}")

    def contact(self, code: int, edges: Iterable[tuple[int, int]]) -> None:
        """The contact of a key changes: [(microseconds from now, level)]."""
        self._tell(f"contact {code} " + " ".join(f"{at},{level}" for at, level in edges))

    def deal(self, *tags: bytes | None) -> None:
        """Cards are drawn one by one; None for one without a working tag."""
        self._tell("deal " + " ".join(_hex(tag) for tag in tags))

    def deal_together(self, first: bytes | None, second: bytes | None, apart_um: int = 20_000) -> None:
        """Two cards are drawn at once, the second so far behind the first."""
        self._tell(f"together {apart_um} {_hex(first)} {_hex(second)}")

    def push_back(self, tag: bytes, *, was_out: bool = False) -> None:
        self._tell(f"{'return' if was_out else 'back'} {tag.hex()}")

    def cut_card(self) -> None:
        self._tell("cut")

    def lid(self, *, opened: bool) -> None:
        self._tell(f"lid {int(opened)}")

    def deck(self, *, seated: bool) -> None:
        self._tell(f"deck {int(seated)}")

    def reboot(self) -> None:
        """Switch it off and on: what its memory holds survives."""
        self._tell("power")

    def unplug(self) -> None:
        self._set_cable(False)

    def plug(self) -> None:
        self._set_cable(True)

    # --------------------------------------------------------------------------------------- the inside

    def _tell(self, line: str) -> None:
        self.check()
        with self.changed:
            self._happens.append(line)
        self._wake()

    def _set_cable(self, plugged: bool) -> None:
        with self.changed:
            self._cable = plugged
            self._wake()
            self.changed.wait_for(lambda: (self._line.fd is not None) == plugged or self._failure is not None)

    def _wake(self) -> None:
        os.write(self._wake_w, b"\x00")

    def _run(self) -> None:
        began, came = time.monotonic(), b""
        while not self._closing:
            with self.changed:
                happens, self._happens = self._happens, []
            now = int((time.monotonic() - began) * 1_000_000)
            try:
                turn = self._process.turn(now, came, happens)
            except RuntimeError as error:
                with self.changed:
                    self._failure = error
                    self.changed.notify_all()
                return
            self._line.write(turn.sent)
            self._hear(turn.said)
            came = self._wait(turn.next_us / 1_000_000 - (time.monotonic() - began))

    def _wait(self, seconds: float) -> bytes:
        """Until something happens, or for so long; what came over the line."""
        waiter = select.poll()
        waiter.register(self._wake_r, select.POLLIN)
        if self._line.fd is not None:
            waiter.register(self._line.fd, select.POLLIN)
        ready = [fd for fd, _ in waiter.poll(max(0.0, seconds * 1_000))]
        came = self._line.read() if self._line.fd in ready else b""
        if self._wake_r in ready:
            os.read(self._wake_r, 4096)
            self._fit_cable()
        return came

    def _fit_cable(self) -> None:
        with self.changed:
            if self._cable:
                self._line.plug()
            else:
                self._line.unplug()
            self.changed.notify_all()

    def _hear(self, lines: list[str]) -> None:
        with self.changed:
            for line in lines:
                what, *numbers = line.split(" ")
                if what == "lamp":
                    number, red, green, blue = map(int, numbers)
                    self.lamps[number] = (red, green, blue)
                    self.shown.append((number, self.lamps[number]))
                elif what == "tone" and numbers != ["0"]:
                    self.tones.append(int(numbers[0]))
            self.changed.notify_all()


def _hex(tag: bytes | None) -> str:
    return "-" if tag is None else tag.hex()
