"""Serial ports `sim://NAME` for pyserial: simulated devices in the same process, without a terminal between.

pyserial finds this module by its name, once `firmware_bridge.sim.line` has been imported.
"""

from __future__ import annotations

import errno
import select
import socket

import serial

ends: dict[str, socket.socket] = {}  # the host's end of each line that is plugged in


class Serial(serial.SerialBase):  # type: ignore[misc]
    """What `DeviceLink` and other drivers use of a port."""

    def open(self) -> None:
        end = ends.get(self.portstr.removeprefix("sim://"))
        if end is None:
            raise serial.SerialException(errno.ENOENT, f"{self.portstr}: nothing is plugged in")
        self._end = end.dup()
        self.is_open = True

    def close(self) -> None:
        if self.is_open:
            self._end.close()
        self.is_open = False

    def _reconfigure_port(self, force_update: bool = False) -> None:
        """A line in memory has no speed."""

    @property
    def in_waiting(self) -> int:
        return 4096 if select.select([self._end], [], [], 0)[0] else 0

    def read(self, size: int = 1) -> bytes:
        if not size or not select.select([self._end], [], [], self.timeout)[0]:
            return b""
        data = self._end.recv(size)
        if not data:
            raise serial.SerialException(errno.EIO, "the line broke")
        return data

    def write(self, data: bytes) -> int:
        try:
            return self._end.send(data)
        except BlockingIOError:
            raise serial.SerialTimeoutException("the line is full") from None
        except OSError as error:
            raise serial.SerialException(error.errno, "the line broke") from error
