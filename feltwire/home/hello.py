"""Asks a serial line who is there, where that disturbs nobody.

Opening a line can restart what is behind it, and a byte can move a machine. So a line is asked only where its USB
id is that of our devices, or the director said so; never while another process has it open.
"""

from __future__ import annotations

import contextlib
import getpass
import os
from pathlib import Path
from typing import NamedTuple

import serial

from feltwire.runtime.plugged import PluggedKind
from firmware_bridge import handshake, payloads
from firmware_bridge.conformance.probe import Probe
from firmware_bridge.frames import HELLO

ANSWERS_S = 2.0  # a device that was just plugged in starts meanwhile
BAUD = 115_200
_KINDS = {payloads.KEYPAD: PluggedKind.KEYPAD, payloads.SHOE: PluggedKind.SHOE}


class Answer(NamedTuple):
    """`kind` is None where nobody answered as a device of ours; `trouble` is why nothing can be done with it, and
    what to do. `lasting`: asked again it would say the same."""

    kind: PluggedKind | None
    words: str = ""
    trouble: str = ""
    lasting: bool = True


def asked(port: str) -> Answer:
    """Who is behind the serial line `port`."""
    if trouble := no_right(port):
        return Answer(None, trouble=trouble, lasting=False)
    if user := opened_by(port):
        return Answer(None, trouble=f"{user} has it open: end that first", lasting=False)
    try:
        with serial.serial_for_url(port, BAUD, timeout=0.05, write_timeout=0.5, exclusive=True) as line:
            probe = Probe(line)
            probe.ask()
            came = probe.first(ANSWERS_S, HELLO)
    except (OSError, ValueError) as error:  # pulled out, or somebody was faster
        return Answer(None, trouble=f"it cannot be opened ({_words(error)})", lasting=False)
    if came is None:
        return Answer(None)
    try:
        hello = handshake.read(came.frame.payload, came.frame.boot)
    except ValueError as error:
        return Answer(None, trouble=f"its HELLO cannot be read ({error}): update its firmware")
    kind = _KINDS.get(hello.device_kind)
    return Answer(kind, hello.words.partition(", boot")[0], handshake.refusal(hello, None, port))


def no_right(port: str) -> str:
    """Why this user may not use the device, and what to do; empty: it may."""
    if os.access(port, os.R_OK | os.W_OK):
        return ""
    import grp  # here: Windows has none, and says before that a room needs Linux

    try:
        group = grp.getgrgid(os.stat(port).st_gid).gr_name
    except (OSError, KeyError):
        return "it is not there any more, or this user may not see it"
    return f"this user may not use it: sudo usermod -aG {group} {getpass.getuser()}, then sign out and in again"


def opened_by(port: str) -> str:
    """The program of this user (of any user, for root) that has the device open, by its name; empty for none."""
    real = os.path.realpath(port)
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            for descriptor in (process / "fd").iterdir():
                if os.readlink(descriptor) == real:
                    return f"{(process / 'comm').read_text().strip()} (process {process.name})"
    return ""


def _words(error: Exception) -> str:
    return os.strerror(error.errno) if isinstance(error, OSError) and error.errno else type(error).__name__
