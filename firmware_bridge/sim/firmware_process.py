"""A device's real firmware under MicroPython, turn by turn: whoever gives the turns gives its time."""

from __future__ import annotations

import secrets
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from firmware_bridge.frames import Frame
from firmware_bridge.sim import micropython

_LIVE = Path(__file__).with_name("node") / "live.mjs"


class Turn(NamedTuple):
    """`next_us`: when the next turn is to come if nothing else happens. `said`: what lamps and buzzer do."""

    next_us: int
    sent: bytes
    said: list[str]


class FirmwareProcess:
    """A process of Node with the firmware of `device` (`keypad`, `shoe`), its board and its parts. `boot`: the
    number before that of its first start."""

    def __init__(self, device: str, boot: int | None = None) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  (until `close`)
        files = [f"{name}={path}" for name, path in micropython.board_files(device).items()]
        number = str(secrets.randbelow(1 << 30) if boot is None else boot)
        command = ["node", str(_LIVE), str(micropython.interpreter()), device, number, *files]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, bufsize=0
        )

    def turn(self, now_us: int, came: bytes, happens: Iterable[str] = ()) -> Turn:
        """Run up to `now_us`. `came` over the serial line; `happens`: as `pico/live.py` tells. Raise
        `RuntimeError` with what it said where it has ended."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(f"{now_us} {came.hex() or '-'} {';'.join(happens)}\n".encode())
            answer = self._process.stdout.readline().decode()
        except BrokenPipeError:
            answer = ""
        if not answer.endswith("\n"):
            self._process.wait()
            self._errors.seek(0)
            raise RuntimeError(micropython.told(self._errors.read().decode(errors="replace")))
        next_us, sent, said = answer[:-1].split(" ", 2)
        return Turn(int(next_us), b"" if sent == "-" else bytes.fromhex(sent), said.split(";") if said else [])

    def close(self) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        self._process.wait()
        self._errors.close()


class FirmwareWire:
    """The device's end of a line in memory, with its firmware behind it. Its time is what it is told, in
    milliseconds."""

    def __init__(self, device: str, boot: int) -> None:
        self._process = FirmwareProcess(device, boot)
        self._came = b""
        self._happens: list[str] = []

    def happens(self, *words: str) -> None:
        """To the device, as `pico/live.py` tells."""
        self._happens += words

    def transmit(self, now: int) -> bytes:
        """What it sends up to `now`."""
        turn = self._process.turn(now * 1_000, self._came, self._happens)
        self._came, self._happens = b"", []
        return turn.sent

    def receive(self, data: bytes, now: int) -> list[Frame]:
        """Bytes of the host; it carries out their orders itself."""
        self._came += data
        return []

    def close(self) -> None:
        self._process.close()
