"""A camera at the box's source, and whoever looks at its output: real `ffmpeg` at both ends.

Each picture of the camera shows the boot time at which it was made, as the clock page does; the viewer reads it.
"""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from feltwire.delay_box.filmed_clock import WRAPS, read_clock
from feltwire.runtime.boottime import boot_millis
from tests.delay_box.filmed import filmed

WIDTH, HEIGHT = 320, 180
_QUIET = ("ffmpeg", "-hide_banner", "-nostats", "-loglevel", "error")
_CODED = (
    *("-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-pix_fmt", "yuv420p"),
    *("-c:a", "aac", "-muxdelay", "0", "-muxpreload", "0"),
)


def encode_call(output: Sequence[str], fps: int) -> list[str]:
    """Takes grey pictures on standard input, and adds a tone."""
    pictures = ("-f", "rawvideo", "-pix_fmt", "gray", "-s", f"{WIDTH}x{HEIGHT}", "-r", f"{fps}", "-i", "pipe:0")
    tone = ("-f", "lavfi", "-i", "sine=r=48000")
    return [*_QUIET, *pictures, *tone, "-shortest", *_CODED, "-g", f"{fps // 2}", *output]


class Camera:
    """Films the time and sends it, from `start` until `stop`. Where nobody listens it tries again."""

    def __init__(self, output: Sequence[str], fps: int = 25) -> None:
        self._output, self._fps = output, fps
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> Camera:
        self._thread.start()
        return self

    def stop(self) -> None:
        self._ends.set()
        self._thread.join()

    def __enter__(self) -> Camera:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _run(self) -> None:
        while not self._ends.is_set():
            with subprocess.Popen(
                encode_call(self._output, self._fps), stdin=subprocess.PIPE, stderr=subprocess.DEVNULL
            ) as encoder:
                self._film(encoder)
                encoder.kill()
            self._ends.wait(0.2)

    def _film(self, encoder: subprocess.Popen[bytes]) -> None:
        assert encoder.stdin is not None
        at = boot_millis()
        try:
            while not self._ends.wait(max(at - boot_millis(), 0) / 1_000):
                encoder.stdin.write(filmed(boot_millis(), WIDTH, HEIGHT).tobytes())
                encoder.stdin.flush()
                at += 1_000 // self._fps
        except BrokenPipeError:
            return


class Seen(NamedTuple):
    """A picture that came at `at`. `age_ms`: since the camera made it; None: no clock is in it."""

    at: int
    age_ms: int | None
    black: bool


def viewed(source: Sequence[str]) -> Iterator[Seen]:
    """The pictures of a stream as they come, until it ends; close it to end it."""
    form = ("-map", "0:v:0", "-vsync", "0", "-vf", f"scale={WIDTH}:{HEIGHT}", "-f", "rawvideo", "-pix_fmt", "gray")
    soon = ("-threads", "1", "-flags", "low_delay", "-fflags", "+nobuffer")
    probe = ("-probesize", "500000", "-analyzeduration", "500000")
    size = WIDTH * HEIGHT
    with subprocess.Popen(
        [*_QUIET, *soon, *probe, *source, *form, "pipe:1"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as decoder:
        assert decoder.stdout is not None
        try:
            while len(data := decoder.stdout.read(size)) == size:
                at = boot_millis()
                picture = np.frombuffer(data, np.uint8).reshape(HEIGHT, WIDTH)
                shown = read_clock(picture)
                age = None if shown is None else (at - shown) % WRAPS
                yield Seen(at, age, black=bool(picture.max() < 40))
        finally:
            decoder.kill()
