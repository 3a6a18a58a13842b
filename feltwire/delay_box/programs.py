"""The program `ffmpeg`, which brings the video and sends it on, without encoding it anew.

It is Debian's program, and a child process of ours: it dies with this process and leaves no core dump, and what it
says is told without the addresses, which may hold a password.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from typing import IO
from urllib.parse import urlsplit

from feltwire.errors import UsageError

FFMPEG = "ffmpeg"
SCHEMES = ("srt", "rtmp", "rtmps", "rtsp", "rtsps", "udp", "rtp", "tcp", "")  # "": a file
TIMECODE_SCHEMES = ("srt", "udp", "")
OUT_SCHEMES = ("srt", "rtmp", "rtmps", "udp", "tcp", "")
DATAGRAM = 1_316  # seven packets: what SRT and UDP carry at once
ANY_ADDRESS = ("0.0.0.0", "::")  # the box listens there
SLATE_TAKES_S = 120.0
_PR_SET_PDEATHSIG = 1
# Streams get the same numbers everywhere, and times that begin where the piece does.
_TO_STREAM = (
    *("-c", "copy", "-f", "mpegts", "-mpegts_start_pid", "256", "-muxdelay", "0", "-muxpreload", "0"),
    *("-max_interleave_delta", "1", "-flush_packets", "1"),
)
_QUIET = (FFMPEG, "-hide_banner", "-nostats", "-loglevel", "error")


def scheme_of(address: str) -> str:
    """`srt` of `srt://cam:7000`; empty for a file."""
    return urlsplit(address).scheme if "://" in address else ""


def check_address(setting: str, address: str, schemes: Sequence[str]) -> None:
    """Raise `UsageError` for an address that `ffmpeg` is not to open."""
    named = [*(f"{scheme}://…" for scheme in schemes if scheme), "a file"]
    if not address or scheme_of(address) not in schemes or address.startswith("-"):
        raise UsageError(f"{setting} = {without_secrets(address)!r}: write one of {', '.join(named)}")


def without_secrets(address: str) -> str:
    """An address as it may be shown: without name, password, key of the stream or anything that is asked for.

    >>> without_secrets("rtmp://bob:pw@live.example:1935/app/key-17?x=y"), without_secrets("/srv/cam.ts")
    ('rtmp://live.example:1935', '/srv/cam.ts')
    """
    if "://" not in address:
        return address
    host = urlsplit(address).netloc.rpartition("@")[2]
    return f"{scheme_of(address)}://{host}"


def need_program() -> None:
    """Raise `UsageError` where the program is not there."""
    if shutil.which(FFMPEG) is None:
        raise UsageError(f"{FFMPEG}: not found; apt-get install ffmpeg")


def source_call(address: str) -> list[str]:
    """Brings `address` as a transport stream, to standard output. A file is played at its own speed, again and
    again."""
    streams = ("-map", "0:v:0", "-map", "0:a:0?")
    return [*_QUIET, "-nostdin", *_opens(address), *streams, *_TO_STREAM, "pipe:1"]


def decode_call(width: int, height: int) -> list[str]:
    """Brings the pictures of the transport stream on standard input, grey, each as soon as it can be seen."""
    soon = ("-threads", "1", "-flags", "low_delay", "-fflags", "+nobuffer")
    probe = ("-probesize", "500000", "-analyzeduration", "500000")
    form = ("-map", "0:v:0", "-vsync", "0", "-vf", f"scale={width}:{height}", "-f", "rawvideo", "-pix_fmt", "gray")
    return [*_QUIET, *soon, *probe, "-f", "mpegts", "-i", "pipe:0", *form, "pipe:1"]


def _opens(address: str) -> list[str]:
    ways: dict[str, tuple[str, ...]] = {
        "": ("-re", "-stream_loop", "-1"),
        "rtsp": ("-rtsp_transport", "tcp"),
        "rtsps": ("-rtsp_transport", "tcp"),
        "rtmp": ("-listen", "1") if _listens(address) else (),
    }
    probe = ("-fflags", "+nobuffer", "-probesize", "1000000", "-analyzeduration", "1000000")
    return [*probe, *ways.get(scheme_of(address), ()), "-i", address]


def timecode_call(address: str) -> list[str]:
    """Sends samples of 16 bits, 48,000 a second, as they are: a WAV file, or a transport stream with PCM."""
    samples = ("-f", "s16le", "-ar", "48000", "-ac", "1", "-i", "pipe:0")
    form = ("-ac", "2", "-c:a", "s302m", "-strict", "experimental", "-f", "mpegts")
    return [
        *_QUIET,
        "-y",
        *samples,
        *(form if scheme_of(address) else ("-f", "wav")),
        "-flush_packets",
        "1",
        address,
    ]


def _listens(address: str) -> bool:
    return urlsplit(address).hostname in ANY_ADDRESS


def output_call(address: str) -> list[str]:
    """Sends the transport stream on standard input to `address`; not a bit of it is changed where that takes such
    a stream."""
    if scheme_of(address).startswith("rtmp"):
        probe = ("-fflags", "+nobuffer", "-probesize", "500000", "-analyzeduration", "500000")
        listens = ("-listen", "1") if _listens(address) else ()
        return [*_QUIET, *probe, "-f", "mpegts", "-i", "pipe:0", "-c", "copy", *listens, "-f", "flv", address]
    raw = ("-f", "data", "-raw_packet_size", f"{DATAGRAM}", "-blocksize", f"{10 * DATAGRAM}", "-i", "pipe:0")
    as_it_is = ("-map", "0", "-c", "copy", "-f", "data", "-flush_packets", "1")
    return [*_QUIET, "-y", *raw, *as_it_is, address]


def _ends_with(parent: int) -> None:
    """In the child: it dies with this process, and leaves no core dump (the limit is inherited)."""
    libc = ctypes.CDLL(None)
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


class Child:
    """One run of `ffmpeg`, from the thread that starts it: it dies with that thread."""

    def __init__(
        self, call: Sequence[str], address: str, *, reads: bool = False, behind: Child | None = None
    ) -> None:
        """`reads`: it reads what we write; else we read what it writes. It reads what the one that it is `behind`
        writes."""
        parent, pipe = os.getpid(), subprocess.PIPE
        self._address = address
        self._said: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  (`end` closes it)
        self._process: subprocess.Popen[bytes] = subprocess.Popen(
            call,
            stdin=pipe if reads else behind.pipe if behind is not None else subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if reads else pipe,
            stderr=self._said,
            start_new_session=True,
            preexec_fn=(lambda: _ends_with(parent)) if sys.platform == "linux" else None,
            pipesize=-1,
        )
        end: IO[bytes] | None = self._process.stdin if reads else self._process.stdout
        assert end is not None
        self.pipe: int = end.fileno()
        if reads:
            fcntl.fcntl(self.pipe, fcntl.F_SETFL, fcntl.fcntl(self.pipe, fcntl.F_GETFL) | os.O_NONBLOCK)

    @property
    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def read(self, most: int, patience_s: float) -> bytes | None:
        """What it wrote; empty: it ended; None: nothing came for so long."""
        if not select.select([self.pipe], [], [], patience_s)[0]:
            return None
        return os.read(self.pipe, most)

    def write(self, data: bytes) -> int:
        """How much of it was taken. Raise `OSError` where it has ended."""
        try:
            return os.write(self.pipe, data)
        except BlockingIOError:
            return 0

    def end(self) -> str:
        """Kill it; the last line that it said."""
        self._process.kill()
        self._process.wait()
        for end in (self._process.stdin, self._process.stdout):
            if end is not None:
                end.close()
        self._said.seek(0, os.SEEK_END)
        self._said.seek(max(0, self._said.tell() - 4_000))
        lines = self._said.read().decode("utf-8", "replace").strip().splitlines()
        self._said.close()
        return last_words(lines[-1] if lines else "", self._address)


def last_words(line: str, address: str) -> str:
    """A line of `ffmpeg` without the address."""
    plain = "".join(letter if letter.isprintable() else " " for letter in line.replace(address, "it"))
    return " ".join("…" if "://" in word else word for word in plain.split())[:200]


def made(call: Sequence[str], what: str) -> bytes:
    """What a call of `ffmpeg` writes. Raise `UsageError` where it fails."""
    try:
        done = subprocess.run(
            call, stdin=subprocess.DEVNULL, capture_output=True, timeout=SLATE_TAKES_S, check=False
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise UsageError(f"{what}: {FFMPEG} cannot make it ({type(error).__name__}); try it by hand") from error
    if done.returncode != 0 or not done.stdout:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise UsageError(f"{what}: {FFMPEG} cannot make it ({said[-1][:300] if said else 'it says nothing'})")
    return done.stdout


def slate_call(*, picture: str, width: int, height: int, fps: str, video: str, audio: bool) -> list[str]:
    """Makes two seconds of black, or of a picture, with silence."""
    size = f"{width}:{height}"
    shown = (
        ("-loop", "1", "-framerate", fps, "-i", picture)
        if picture
        else ("-f", "lavfi", "-i", f"color=c=black:s={width}x{height}:r={fps}")
    )
    fit = f"scale={size}:force_original_aspect_ratio=decrease,pad={size}:(ow-iw)/2:(oh-ih)/2,format=yuv420p"
    silence = ("-f", "lavfi", "-i", "anullsrc=r=48000:cl=stereo", "-c:a", "aac", "-b:a", "128k") if audio else ()
    codec = {"h264": ("libx264",), "hevc": ("libx265", "-x265-params", "log-level=error")}[video]
    encode = ("-preset", "veryfast", "-bf", "0", "-g", "25")
    container = ("-f", "mpegts", "-mpegts_start_pid", "256", "-muxdelay", "0", "-muxpreload", "0", "pipe:1")
    return [*_QUIET, "-nostdin", *shown, *silence, "-vf", fit, "-t", "2", "-c:v", *codec, *encode, *container]
