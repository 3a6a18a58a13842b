"""A device whose real firmware runs under MicroPython, behind a cable that can be unplugged.

The firmware, its board and its parts live in a process of Node (`node/live.mjs`) that runs in turns; bytes of its
serial line go to and from a pseudo-terminal. What happens to the device is told as a finger or a dealer does it.
"""

from __future__ import annotations

import os
import secrets
import select
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import IO, Self

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
        self._wake_r, self._wake_w = os.pipe()
        self._cable = True
        self._closing = False
        self._happens: list[str] = []
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  (until `close`)
        files = [f"{name}={path}" for name, path in micropython.board_files(device).items()]
        boot = str(secrets.randbelow(1 << 30))
        command = ["node", str(_LIVE), str(micropython.interpreter()), device, boot, *files]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, bufsize=0
        )
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
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        self._process.wait()
        self._errors.close()
        self._line.unplug()
        os.close(self._wake_r)
        os.close(self._wake_w)

    def check(self) -> None:
        """Raise `RuntimeError` with what it said where the firmware has ended."""
        if not self._thread.is_alive() and not self._closing:
            self._process.wait()
            self._errors.seek(0)
            raise RuntimeError(micropython.told(self._errors.read().decode(errors="replace")))

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
        self.check()
        with self.changed:
            self._happens.append(line)
        self._wake()

    def _set_cable(self, plugged: bool) -> None:
        with self.changed:
            self._cable = plugged
            self._wake()
            self.changed.wait_for(lambda: (self._line.fd is not None) == plugged or not self._thread.is_alive())

    def _wake(self) -> None:
        os.write(self._wake_w, b"\x00")

    def _run(self) -> None:
        answers, began, at, came = self._process.stdout, time.monotonic(), 0, b""
        assert answers is not None
        while not self._closing:
            with self.changed:
                happens, self._happens = self._happens, []
            now = int((time.monotonic() - began) * 1_000_000)
            answer = self._turn(f"{now} {came.hex() or '-'} {';'.join(happens)}\n", answers)
            if not answer.endswith("\n"):
                return  # it has ended; `check` says why
            word, sent, said = answer[:-1].split(" ", 2)
            self._line.write(b"" if sent == "-" else bytes.fromhex(sent))
            self._hear(said.split(";") if said else [])
            at = int(word)
            came = self._wait(at / 1_000_000 - (time.monotonic() - began))

    def _turn(self, asked: str, answers: IO[bytes]) -> str:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(asked.encode())
        except BrokenPipeError:
            return ""
        return answers.readline().decode()

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
                elif what == "tone" and numbers != ["0"]:
                    self.tones.append(int(numbers[0]))
            self.changed.notify_all()


def _hex(tag: bytes | None) -> str:
    return "-" if tag is None else tag.hex()
