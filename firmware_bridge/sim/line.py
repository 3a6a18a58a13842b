"""A cable that can be unplugged: a pseudo-terminal whose far end is a path that a table opens, or a line in
memory."""

from __future__ import annotations

import os
import socket
import tty
from pathlib import Path

import serial

from firmware_bridge.sim import protocol_sim

if __package__ not in serial.protocol_handler_packages:
    serial.protocol_handler_packages.append(__package__)


class PtyLine:
    """The device's end of a serial line. The host's end is `path`, a link to whichever terminal is plugged
    in.

    The terminal's other end is held open here too, so that the line outlives a host that dies; bytes that
    nobody reads fill its buffer and are then dropped, as a serial port drops them.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._ours: int | None = None
        self._theirs: int | None = None

    @property
    def fd(self) -> int | None:
        """The descriptor to wait on; None while unplugged."""
        return self._ours

    def plug(self) -> None:
        if self._ours is not None:
            return
        self._ours, self._theirs = os.openpty()
        tty.setraw(self._theirs)  # no echo and no line editing before a host has set the port up
        os.set_blocking(self._ours, False)
        fresh = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(os.ttyname(self._theirs))
        fresh.replace(self.path)

    def unplug(self) -> None:
        if self._ours is None or self._theirs is None:
            return
        if self.path.is_symlink() and os.readlink(self.path) == os.ttyname(self._theirs):
            self.path.unlink(missing_ok=True)  # unless another device has taken this place
        os.close(self._ours)
        os.close(self._theirs)
        self._ours = self._theirs = None

    def read(self) -> bytes:
        """The host's bytes; empty for none."""
        if self._ours is None:
            return b""
        try:
            return os.read(self._ours, 4096)
        except BlockingIOError:
            return b""

    def write(self, data: bytes) -> None:
        """Put bytes on the line; what does not fit in its buffer is lost."""
        if self._ours is None or not data:
            return
        try:
            os.write(self._ours, data)
        except BlockingIOError:
            return


class MemoryLine:
    """The same without a terminal: the host's end is `sim://NAME`, in this process."""

    def __init__(self, url: str) -> None:
        self.path = Path(url)
        self._name = url.removeprefix("sim://")
        self._ours: socket.socket | None = None

    @property
    def fd(self) -> int | None:
        return None if self._ours is None else self._ours.fileno()

    def plug(self) -> None:
        if self._ours is None:
            self._ours, theirs = socket.socketpair()
            self._ours.setblocking(False)
            theirs.setblocking(False)
            protocol_sim.ends[self._name] = theirs

    def unplug(self) -> None:
        if self._ours is not None:
            self._ours.close()
            self._ours = None
            protocol_sim.ends.pop(self._name).close()

    def read(self) -> bytes:
        try:
            return b"" if self._ours is None else self._ours.recv(4096)
        except BlockingIOError:
            return b""

    def write(self, data: bytes) -> None:
        if self._ours is None or not data:
            return
        try:
            self._ours.send(data)
        except BlockingIOError:
            return


def line_to(port: str | Path) -> PtyLine | MemoryLine:
    """The device's end of a line: `sim://NAME`, or the path of a terminal."""
    return MemoryLine(str(port)) if str(port).startswith("sim://") else PtyLine(port)
