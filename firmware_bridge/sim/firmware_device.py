"""A device whose real firmware runs under MicroPython, behind a cable that can be unplugged.

The firmware, its board and its parts live in a process of Node (`node/live.mjs`); bytes of its serial line go to
and from a pseudo-terminal. What happens to the device is told as a finger or a dealer does it.
"""

from __future__ import annotations

import os
import select
import socket
import subprocess
import threading
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

from firmware_bridge.sim import micropython
from firmware_bridge.sim.line import PtyLine

_LIVE = Path(__file__).with_name("node") / "live.mjs"


class FirmwareDevice:
    """`device` is `keypad` or `shoe`. Plugged in from the start; runs until `close()`.

    `lamps[number]` is what a lamp shows now; `tones` all tones that sounded, in hertz.
    """

    def __init__(self, device: str, link_path: str | Path) -> None:
        self.lamps: dict[int, tuple[int, int, int]] = {}
        self.tones: list[int] = []
        self.changed = threading.Condition()
        self._line = PtyLine(link_path)
        self._line.plug()
        self._serial, their_serial = socket.socketpair()
        self._world, their_world = socket.socketpair()
        for end in (their_serial, their_world, self._serial, self._world):
            end.setblocking(False)
        self._wake_r, self._wake_w = os.pipe()
        self._cable = True
        self._closing = False
        self._process = self._start(device, their_serial, their_world)
        self._thread = threading.Thread(target=self._run, name=f"firmware-{device}", daemon=True)
        self._thread.start()

    @staticmethod
    def _start(device: str, serial: socket.socket, world: socket.socket) -> subprocess.Popen[bytes]:
        files = [f"{name}={path}" for name, path in micropython.board_files(device).items()]
        command = ["node", str(_LIVE), str(micropython.interpreter()), device, *files]
        # The descriptors 3 and 4 of the process, whatever they are here.
        fitted = f'exec "$@" 3<&{serial.fileno()} 4<&{world.fileno()}'
        process = subprocess.Popen(
            ["bash", "-c", fitted, "bash", *command], pass_fds=(serial.fileno(), world.fileno())
        )
        serial.close()
        world.close()
        return process

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
        self._thread.join(timeout=5)
        self._world.close()
        self._serial.close()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._line.unplug()
        os.close(self._wake_r)
        os.close(self._wake_w)

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

    def deal_together(self, first: bytes, second: bytes) -> None:
        self._tell(f"together {first.hex()} {second.hex()}")

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
        self._world.sendall(line.encode() + b"\n")

    def _set_cable(self, plugged: bool) -> None:
        with self.changed:
            self._cable = plugged
            self._wake()
            self.changed.wait_for(lambda: (self._line.fd is not None) == self._cable or self._closing)

    def _wake(self) -> None:
        os.write(self._wake_w, b"\x00")

    def _run(self) -> None:
        said = ""
        while not self._closing:
            waiter = select.poll()
            waiter.register(self._wake_r, select.POLLIN)
            waiter.register(self._serial, select.POLLIN)
            waiter.register(self._world, select.POLLIN)
            if self._line.fd is not None:
                waiter.register(self._line.fd, select.POLLIN)
            ready = [fd for fd, _ in waiter.poll()]
            if self._wake_r in ready:
                os.read(self._wake_r, 4096)
                self._fit_cable()
            if self._line.fd in ready:
                self._serial.sendall(self._line.read())
            if self._serial.fileno() in ready:
                data = self._serial.recv(4096)
                if not data:
                    return
                self._line.write(data)
            if self._world.fileno() in ready:
                *lines, said = (said + self._world.recv(4096).decode()).split("\n")
                self._hear(lines)

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
                elif what == "tone" and numbers != ["0"]:
                    self.tones.append(int(numbers[0]))
            self.changed.notify_all()


def _hex(tag: bytes | None) -> str:
    return "-" if tag is None else tag.hex()
