"""The host's end of one serial line: opens it, keeps it open, and hands over the device's frames.

`DeviceLink` does not detect repetitions: frames arrive as often as the device sends them. The table drops
repetitions by `(device, boot, seq)` and acknowledges after its commit.
"""

from __future__ import annotations

import errno
import logging
import termios
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, NoReturn, Self

import serial

from firmware_bridge import handshake, health_words, payloads
from firmware_bridge.clock_map import ClockMap
from firmware_bridge.frames import (
    ACK,
    HEALTH,
    HELLO,
    HELLO_REQUEST,
    LAMP,
    SOUND,
    TIME,
    TIME_REQUEST,
    Decoder,
    Frame,
    encode,
    u32,
)
from firmware_bridge.handshake import Hello
from firmware_bridge.pace import FrameRateLimit
from firmware_bridge.tap import MaskedTap
from supervised.thread import SupervisedThread
from table_core.messages import DeviceState

log = logging.getLogger(__name__)

_FIRST_RETRY_S = 0.05
_LAST_RETRY_S = 0.5
_ASK_MS = 500.0  # how often a device that has not answered is asked who it is
_CHECK_MS = 2_000.0  # how often one that answers is asked how it is
_SILENT_MS = 5_000.0  # a device from which nothing sound came for so long does not respond
_BURST = 200  # frames that a device may send without being answered, then
_PER_S = 40  # so many a second: an honest one sends one at a time and waits
_SHUT_OUT_MS = 10_000.0
_LOST_LINE = (OSError, termios.error)  # serial.SerialException is an OSError


class LinkError(Exception):
    """A link that cannot be made: what, where and what to do."""


class ReceivedFrame:
    """A frame to be recorded and acknowledged. Opaque: its payload may be a tag, so it neither prints nor
    pickles.

    `received_ms` is this machine's CLOCK_BOOTTIME in milliseconds when the frame's last byte had been read.
    """

    __slots__ = ("boot", "device", "kind", "payload", "received_ms", "seq")

    def __init__(self, device: str, kind: int, boot: int, seq: int, payload: bytes, received_ms: float) -> None:
        self.device = device
        self.kind = kind
        self.boot = boot
        self.seq = seq
        self.payload = payload
        self.received_ms = received_ms

    def __repr__(self) -> str:
        return f"ReceivedFrame({self.device}/{self.boot:x}/{self.seq}, kind=0x{self.kind:02x})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a received frame may hold a card's tag and is not pickled or copied")


def boot_ms() -> float:
    """This machine's CLOCK_BOOTTIME in milliseconds."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME) / 1e6


class DeviceLink:
    """One device on `port` (a path, or any URL that pyserial opens), looked after by a thread of its own.

    >>> link = DeviceLink("keypad", "/dev/ttyACM0", expect=payloads.KEYPAD, on_frame=print)  # doctest: +SKIP

    `on_frame` gets every frame that wants an acknowledgement, repetitions too; `on_state` each change of
    state with words for it; `on_bytes` what arrived as hex text with tags masked (one call a frame); `on_lost`
    how many frames a device of protocol 1 says that it lost since it said so last. All four are called from the
    link's thread and must not block. With `expect`, a device of another kind on this line is reported and not
    listened to. `now` gives the boot time in
    milliseconds, if not this machine's. Raise `LinkError` when `port` is nothing pyserial could open.
    """

    def __init__(
        self,
        device: str,
        port: str,
        *,
        on_frame: Callable[[ReceivedFrame], None],
        on_state: Callable[[DeviceState, str], None] | None = None,
        on_bytes: Callable[[str], None] | None = None,
        on_lost: Callable[[int], None] | None = None,
        expect: int | None = None,
        baud: int = 115200,
        now: Callable[[], float] | None = None,
    ) -> None:
        self._now = boot_ms if now is None else now
        self.device = device
        self.port = port
        self.hello: Hello | None = None
        self.health: payloads.Health | None = None
        self.heard_ms = 0.0  # when the last sound frame came
        self.acknowledged = self.damaged = 0  # reports, and frames that came damaged, in the device's boot
        self.clock = ClockMap()
        self.state = DeviceState.OFF
        self._on_frame = on_frame
        self._on_state = on_state
        self._on_bytes = on_bytes
        self._on_lost = on_lost
        self._lost = (0, 0)  # the boot that said so, and how many frames it had lost
        self._expect = expect
        self._detail = ""
        self._decoder = Decoder()
        self._tap = MaskedTap()
        self._welcome = False  # a device of the right kind has said hello on this connection
        self._odd_health = False  # it has said a HEALTH that cannot be read
        self._pace = FrameRateLimit(_BURST, _PER_S)
        self._shut_until = 0.0
        self._heard_at = self._asked_at = 0.0
        self._token = 0
        self._time_asked: dict[int, float] = {}  # token of a question for the time -> when it was asked
        self._writing = threading.Lock()
        self._line: Any = None  # the open serial line; replaced only under `_writing`
        self._closed = self._prepare(baud)
        self._stopping = threading.Event()
        self._thread = SupervisedThread(self._run, f"link-{device}", stopping=self._stopping, failed=self._failed)

    def __repr__(self) -> str:
        return f"DeviceLink({self.device!r}, {self.port!r}, {self.state})"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Close the line and wait for the thread; a link is not started again."""
        self._stopping.set()
        with self._writing:
            if self._line is not None and hasattr(self._line, "cancel_read"):
                self._line.cancel_read()
        self._thread.join(5)
        self._tell(DeviceState.OFF, "")

    def ack(self, boot: int, seq: int) -> bool:
        """Acknowledge a frame. False when the line is down: the device will send the frame again."""
        self._pace.answered()
        self.acknowledged += 1
        return self._write(encode(ACK, boot, seq))

    def lamp(self, number: int, colour: tuple[int, int, int], *, blinking: bool = False) -> bool:
        """Light lamp `number` (0: the device's own, n: seat n) in red, green, blue of 0..255; black is
        off."""
        return self._write(encode(LAMP, 0, 0, payloads.lamp(number, *colour, blinking)))

    def sound(self, hertz: int, on_ms: int, off_ms: int = 0, times: int = 1) -> bool:
        """A tone of `on_ms`, then silence of `off_ms`, so many `times`; 0 times: silence."""
        return self._write(encode(SOUND, 0, 0, payloads.sound(hertz, on_ms, off_ms, times)))

    def when(self, device_ms: int) -> float:
        """This machine's boot time (ms) of the device's time; now, where the device has not told its time."""
        now = self._now()
        mapped = self.clock.host_ms(device_ms, now)
        return now if mapped is None else mapped

    # ------------------------------------------------------------------------------------ the thread

    def _run(self) -> None:
        retry_s = _FIRST_RETRY_S
        while not self._stopping.is_set():
            try:
                self._open()
                retry_s = _FIRST_RETRY_S
                self._listen()
            except _LOST_LINE as error:
                self._tell(DeviceState.CONNECTING, f"{self.port}: {_words(error)}")
            finally:
                self._close()
            self._stopping.wait(retry_s)
            retry_s = min(retry_s * 2, _LAST_RETRY_S)
        self._tell(DeviceState.OFF, "")

    def _failed(self) -> None:
        """Something behind it raised: the device may be well, but nothing of it arrives."""
        self._welcome = False
        faults = f"{self._thread.faults} times" if self._thread.faults > 1 else "once"
        self._tell(
            DeviceState.NOT_RESPONDING,
            f"{self.port}: this program failed at what came, {faults}; the log says where",
        )

    def _prepare(self, baud: int) -> Any:
        try:
            # exclusive: two table processes must not share one keypad
            return serial.serial_for_url(
                self.port, do_not_open=True, baudrate=baud, timeout=0.5, write_timeout=0.1, exclusive=True
            )
        except ValueError as error:
            raise LinkError(
                f"{self.device}: {self.port}: {error}; give a device path or a pyserial URL"
            ) from error

    def _open(self) -> None:
        self._closed.open()
        self._decoder, self._tap = Decoder(), MaskedTap()
        self._welcome = self._odd_health = False
        self._heard_at = self._now()
        with self._writing:
            self._line = self._closed
        self._tell(DeviceState.CONNECTING, f"{self.port}: open, asking who is there")
        self._ask()

    def _close(self) -> None:
        with self._writing:
            self._line = None
        self._closed.close()

    def _listen(self) -> None:
        while not self._stopping.is_set():
            data = self._closed.read(1)
            if data:
                data += self._closed.read(self._closed.in_waiting)
                self._take(data, self._now())
            self._check_pulse(self._now())

    def _take(self, data: bytes, now: float) -> None:
        if now < self._shut_until:
            return
        bad = self._decoder.bad
        frames = self._decoder.feed(data)
        self.damaged += self._decoder.bad - bad
        if not self._pace.spend(len(frames) + self._decoder.bad - bad, now):
            self._shut_out(now)
            return
        if self._on_bytes is not None:
            for text in self._tap.feed(data):
                self._on_bytes(text)
        for frame in frames:
            self._heard_at = self.heard_ms = now
            if frame.kind == HELLO:
                self._greeted(frame)
            elif frame.kind == HEALTH:
                self._note_health(frame)
            elif frame.kind == TIME:
                self._note_time(frame, now)
            elif self._welcome:
                self._pass_on(frame, now)

    def _shut_out(self, now: float) -> None:
        """Ignore a device that sends too much for a while, so that the table receives all others."""
        self._shut_until = now + _SHUT_OUT_MS
        self._decoder, self._tap, self._pace = Decoder(), MaskedTap(), FrameRateLimit(_BURST, _PER_S)
        self._welcome = False
        text = f"{self.port}: it sends without end and is not heard for {_SHUT_OUT_MS / 1000:.0f} s"
        self._tell(DeviceState.NOT_RESPONDING, text)

    def _pass_on(self, frame: Frame, now: float) -> None:
        if self.state is not DeviceState.OK and self.hello is not None:
            self._tell(DeviceState.OK, self._introduction())
        if 0 < frame.kind < ACK and frame.seq > 0:  # else an echo of our own, or a status kind we do not know
            self._on_frame(ReceivedFrame(self.device, frame.kind, frame.boot, frame.seq, frame.payload, now))

    def _greeted(self, frame: Frame) -> None:
        try:
            hello = handshake.read(frame.payload, frame.boot)
        except ValueError as error:
            self._tell(DeviceState.NOT_RESPONDING, str(error))
            return
        refusal = handshake.refusal(hello, self._expect, self.port)
        self._welcome = not refusal
        if refusal:
            self._tell(DeviceState.NOT_RESPONDING, refusal)
            return
        if self.hello is None or self.hello.boot != hello.boot:
            self.clock, self.health = ClockMap(), None
            self.acknowledged = self.damaged = 0
            self._time_asked.clear()
        self.hello = hello
        self._tell(DeviceState.OK, self._introduction())
        self._ask_time()

    def _introduction(self) -> str:
        """The device, and what it finds wrong with itself."""
        assert self.hello is not None
        faults = health_words.faults(self.health.faults) if self.health is not None else ""
        return f"{self.hello.words}; {faults}" if faults else self.hello.words

    def _note_health(self, frame: Frame) -> None:
        try:
            self.health = payloads.read_health(frame.payload)
        except ValueError as error:
            if not self._odd_health:  # once a connection: a device that says it for ever fills no log
                log.warning("%s: %s", self.device, error)
            self._odd_health = True
            return
        if self.state is DeviceState.OK and self.hello is not None:
            self._tell(DeviceState.OK, self._introduction())
        boot, before = self._lost
        lost = self.health.lost
        self._lost = (frame.boot, lost)
        more = lost - before if boot == frame.boot else lost
        tells = self.hello is not None and self.hello.can(payloads.TELLS_LOSS)
        if more > 0 and self._welcome and self._on_lost is not None and not tells:
            self._on_lost(more)

    def _note_time(self, frame: Frame, now: float) -> None:
        """A question is answered once, by the boot that introduced itself."""
        try:
            token, device_ms = payloads.read_time(frame.payload)
        except ValueError:
            return
        asked = self._time_asked.pop(token, None)
        if asked is not None and self.hello is not None and self.hello.boot == frame.boot:
            self.clock.answered(asked, device_ms, now)

    def _check_pulse(self, now: float) -> None:
        if now < self._shut_until:
            return
        if now - self._heard_at >= _SILENT_MS and self.state is not DeviceState.NOT_RESPONDING:
            self._tell(DeviceState.NOT_RESPONDING, f"{self.port}: open, but no device answers")
        if now - self._asked_at >= (_CHECK_MS if self.state is DeviceState.OK else _ASK_MS):
            self._ask()

    def _ask(self) -> None:
        self._asked_at = self._now()
        # The zero in front ends whatever half frame the line still holds.
        self._write(b"\x00" + encode(HELLO_REQUEST, 0, 0))

    def _ask_time(self) -> None:
        if self.hello is None or not self.hello.can(payloads.TELLS_TIME):
            return
        self._token = (self._token + 1) & 0xFFFFFFFF
        self._time_asked = {self._token: self._now()}
        self._write(encode(TIME_REQUEST, 0, 0, u32(self._token)))

    def _write(self, data: bytes) -> bool:
        with self._writing:
            if self._line is None:
                return False
            try:
                self._line.write(data)
            except _LOST_LINE:
                return False  # the reading thread meets the same fault and reconnects
            return True

    def _tell(self, state: DeviceState, detail: str) -> None:
        if (state, detail) == (self.state, self._detail):
            return
        self.state, self._detail = state, detail
        log.info("%s: %s %s", self.device, state, detail)
        if self._on_state is not None:
            self._on_state(state, detail)


def _words(error: BaseException) -> str:
    match getattr(error, "errno", None):
        case errno.ENOENT | errno.ENXIO | errno.ENODEV:
            return "not there; plug it in"
        case errno.EACCES | errno.EPERM:
            return "not allowed; add this user to the group dialout"
        case errno.EBUSY | errno.EAGAIN:
            return "in use by another process; stop that one"
        case _:
            return "the line broke; reconnecting"
