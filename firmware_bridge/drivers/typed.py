"""The drivers `typed-line` and `typed-keyboard`: any RFID reader that types the number of a tag.

In *line* mode the reader is a serial port and ends each number with a line break. In *keyboard* mode, as a
"keyboard wedge", it is a USB keyboard and ends each number with Enter. Such a reader says nothing of a card whose
tag it does not read, and types a tag again and again while it lies there: the same tag counts once within
`again_ms`.

Options: `format`, how the number is written: `hex` (as it is printed, `E0…` first), `hex-reversed`, `decimal`;
`again_ms`, 1,500 where it is not set.
"""

from __future__ import annotations

import fcntl
import logging
import os
import select
import struct
import threading
from collections.abc import Mapping
from typing import Any, Protocol

import serial

from firmware_bridge import payloads
from firmware_bridge.drivers.interface import DeviceCounts, DriverError, DriverSettings, Listener
from firmware_bridge.drivers.outbox import Outbox
from firmware_bridge.link import boot_ms
from firmware_bridge.reports import CardPassed, ReportsLost, Unreadable
from firmware_bridge.shoe import Uid
from supervised.thread import SupervisedThread
from table_core.messages import DeviceState, Millis

log = logging.getLogger(__name__)

FORMATS = ("hex", "hex-reversed", "decimal")
_AGAIN_MS = 1_500
_LONGEST = 64  # characters; more are no tag
_RETRY_S = 0.5
_POLL_S = 0.2


class Source(Protocol):
    """Where characters come from."""

    def open(self) -> None:
        """Raise OSError while it is not there."""

    def close(self) -> None: ...

    def read(self) -> str:
        """The characters that came; empty for none within a moment. Raise OSError when it is gone."""


class TypedReader:
    """A `ShoeDriver` over a `Source`."""

    def __init__(self, settings: DriverSettings, listener: Listener, source: Source) -> None:
        self._port = settings.port
        self._listener = listener
        self._source = source
        self._tags = TypedTags(settings)
        self._outbox = Outbox(listener, settings.device)
        self._stopping = threading.Event()
        self._thread = SupervisedThread(
            self._run, f"typed-{settings.device}", stopping=self._stopping, failed=self._failed
        )

    @property
    def counts(self) -> DeviceCounts | None:
        """It says nothing of itself: a reader that no card passes is silent."""
        return DeviceCounts(self._outbox.boot, reports=self._outbox.taken)

    def start(self) -> None:
        self._outbox.put(ReportsLost(0, "it tells nothing while this program is off"))
        self._outbox.start()
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join(5)
        self._outbox.stop()

    def acknowledge(self, boot: int, seq: int) -> None:
        self._outbox.acknowledge(boot, seq)

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._source.open()
                self._listener.state(DeviceState.OK, f"{self._port}: a reader that types")
                self._listen()
            except OSError as error:
                why = error.strerror or "it is gone"
                self._listener.state(DeviceState.CONNECTING, f"{self._port}: {why}; reconnecting")
            finally:
                self._source.close()
            self._stopping.wait(_RETRY_S)
        self._listener.state(DeviceState.OFF, "")

    def _failed(self) -> None:
        text = f"{self._port}: this program failed at what was typed; the log says where"
        self._listener.state(DeviceState.NOT_RESPONDING, text)

    def _listen(self) -> None:
        while not self._stopping.is_set():
            typed = self._source.read()
            if typed:
                self._listener.bytes(" ".join(["••"] * min(len(typed), _LONGEST)))
            for report in self._tags.typed(typed, boot_ms()):
                self._outbox.put(report)


class TypedTags:
    """Makes reports of characters: pure. Raise `DriverError` for options that there are not."""

    def __init__(self, settings: DriverSettings) -> None:
        self._format, self._again_ms = _options(settings)
        self._line = ""
        self._seen: dict[Uid, float] = {}  # when each tag was typed last

    def typed(self, characters: str, now: float) -> list[CardPassed | Unreadable]:
        """What came of these characters; `now` in milliseconds."""
        found: list[CardPassed | Unreadable] = []
        for character in characters:
            if character not in "\r\n":
                self._line = (self._line + character)[: _LONGEST + 1]
            elif self._line.strip():
                line, self._line = self._line, ""
                found += self._read(line, now)
        return found

    def _read(self, line: str, now: float) -> list[CardPassed | Unreadable]:
        uid = _uid(line, self._format)
        if uid is None:
            return [Unreadable(f"a line of {len(line)} characters is no tag, written {self._format}")]
        self._seen = {tag: at for tag, at in self._seen.items() if now - at < self._again_ms}
        again = uid in self._seen
        self._seen[uid] = now
        return [] if again else [CardPassed(Millis(int(now)), uid)]


def _uid(line: str, how: str) -> Uid | None:
    text = "".join(letter for letter in line if letter.isalnum())
    try:
        raw = int(text).to_bytes(payloads.UID_BYTES, "big") if how == "decimal" else bytes.fromhex(text)
    except (ValueError, OverflowError):
        return None
    if len(raw) != payloads.UID_BYTES or not any(raw):
        return None
    return Uid(raw[::-1] if how == "hex-reversed" else raw)


def _options(settings: DriverSettings) -> tuple[str, float]:
    known: Mapping[str, Any] = {"format": "hex", "again_ms": _AGAIN_MS}
    where = f"{settings.device}.options"
    for name in settings.options:
        if name not in known:
            raise DriverError(f"{where}: there is no {name!r}; there are {', '.join(known)}")
    chosen = {**known, **settings.options}
    if chosen["format"] not in FORMATS:
        raise DriverError(f"{where}: format {chosen['format']!r}; write one of {', '.join(FORMATS)}")
    again_ms = chosen["again_ms"]
    if not isinstance(again_ms, int) or isinstance(again_ms, bool) or again_ms < 0:
        raise DriverError(f"{where}: again_ms {again_ms!r}; write whole milliseconds, such as {_AGAIN_MS}")
    return chosen["format"], float(again_ms)


class SerialSource:
    """Characters of a serial port."""

    def __init__(self, settings: DriverSettings) -> None:
        try:
            self._line = serial.serial_for_url(
                settings.port, do_not_open=True, baudrate=settings.baud, timeout=_POLL_S, exclusive=True
            )
        except ValueError as error:
            raise DriverError(f"{settings.device}: {settings.port}: {error}; give a device path") from error

    def open(self) -> None:
        self._line.open()

    def close(self) -> None:
        self._line.close()

    def read(self) -> str:
        data = self._line.read(1)
        if data:
            data += self._line.read(self._line.in_waiting)
        return bytes(data).decode("ascii", "replace")


_EVENT = struct.Struct("llHHi")  # input_event of linux/input.h: time, type, code, value
_EV_KEY = 1
_PRESSED = 1
_EVIOCGRAB = 0x40044590
_ROW = (11, 2, 3, 4, 5, 6, 7, 8, 9, 10)  # key codes of 0 to 9
_PAD = (82, 79, 80, 81, 75, 76, 77, 71, 72, 73)
_LETTERS = {30: "a", 48: "b", 46: "c", 32: "d", 18: "e", 33: "f"}
_KEYS = {code: str(digit) for codes in (_ROW, _PAD) for digit, code in enumerate(codes)}
_KEYS |= _LETTERS | {28: "\n", 96: "\n"}


class KeyboardSource:
    """Characters of a keyboard of this machine's own (`/dev/input/event…`), which nobody else gets any more: what
    it types are hidden cards."""

    def __init__(self, settings: DriverSettings) -> None:
        self._path = settings.port
        self._fd: int | None = None
        self._rest = b""

    def open(self) -> None:
        self._fd = os.open(self._path, os.O_RDONLY | os.O_NONBLOCK)
        self._rest = b""
        self._hold(self._fd)

    def _hold(self, fd: int) -> None:
        fcntl.ioctl(fd, _EVIOCGRAB, 1)

    def close(self) -> None:
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def read(self) -> str:
        assert self._fd is not None
        if not select.select([self._fd], [], [], _POLL_S)[0]:
            return ""
        data = os.read(self._fd, 64 * _EVENT.size)
        if not data:
            raise OSError("it is gone")
        self._rest += data
        whole = len(self._rest) // _EVENT.size * _EVENT.size
        events, self._rest = self._rest[:whole], self._rest[whole:]
        pressed = [
            code for *_, kind, code, value in _EVENT.iter_unpack(events) if (kind, value) == (_EV_KEY, _PRESSED)
        ]
        return "".join(_KEYS.get(code, "") for code in pressed)


def line_shoe(settings: DriverSettings, listener: Listener) -> TypedReader:
    return TypedReader(settings, listener, SerialSource(settings))


def keyboard_shoe(settings: DriverSettings, listener: Listener) -> TypedReader:
    return TypedReader(settings, listener, KeyboardSource(settings))
