"""The line protocol of every device under the table (docs/wire.md). Plain Python that MicroPython runs.

The firmware and the simulated devices run this file. It is pure but for its log: bytes and times in, bytes out. A
device sends its reports in frames numbered from 1 in each boot, **one at a time**: the next only after the host
has acknowledged the previous one, which the host does when the frame is in its ledger. So nothing is lost or
reordered, however often cable or host fail. What is lost all the same, because the queue is full or the power
fails, is a report itself.
"""

from firmware_bridge import payloads
from firmware_bridge.frames import (
    ACK,
    HEALTH,
    HELLO,
    HELLO_REQUEST,
    LAMP,
    LOST,
    SOUND,
    TIME,
    TIME_REQUEST,
    Decoder,
    Frame,
    encode,
    read_u32,
)
from firmware_bridge.report_log import NoLog

FIRST_RESEND_MS = 100
LAST_RESEND_MS = 1000
_MOST_ANSWERS = 8  # to requests for the time that have not been sent


class Device:
    """One device's line protocol; `room` is the number of reports that it can hold while no host listens.

    Times are the device's own milliseconds and never go back. `health` is what HEALTH says; whoever measures
    supply or faults writes them there. `acknowledged` counts reports that the host has taken.
    """

    def __init__(
        self,
        device_kind: int,
        firmware: str,
        boot: int,
        room: int = 64,
        *,
        capabilities: int = 0,
        source: bytes = bytes(payloads.HASH_BYTES),
        log: NoLog | None = None,
    ) -> None:
        self.boot = boot
        self.acknowledged = 0
        self.health = payloads.Health(0)
        self._log = NoLog() if log is None else log
        can = capabilities | payloads.TELLS_LOSS | payloads.TELLS_TIME
        can |= payloads.KEEPS_REPORTS if self._log.keeps else 0
        self._hello = payloads.hello(device_kind, firmware, can, source)
        self._room = room
        self._seq = 0
        self._lost = 0  # reports for which there was no room, at the end of the queue
        self._patience = FIRST_RESEND_MS
        self._due_at = 0
        self._sends = 0  # of the oldest frame
        self._greet = True
        self._answers: list[bytes] = []
        self._decoder = Decoder()
        self._waiting = self._log.load()  # oldest first
        self._say_what_the_restart_cost()

    def _say_what_the_restart_cost(self) -> None:
        log = self._log
        if not log.keeps:
            self._tell_loss(0, payloads.RESTARTED, 0)
        if log.interrupted:
            self._tell_loss(log.interrupted, payloads.POWER_FAILED, 0)
        if log.damaged:
            self._tell_loss(log.damaged, payloads.MEMORY_DAMAGED, 0)
        self._lost = 0

    @property
    def waiting(self) -> int:
        """Reports that the host has not acknowledged."""
        return len(self._waiting)

    @property
    def resent(self) -> int:
        return self.health.resent

    @property
    def oldest(self) -> tuple[int, int] | None:
        """`(boot, seq)` of the frame that is sent until it is acknowledged."""
        return (self._waiting[0].boot, self._waiting[0].seq) if self._waiting else None

    def report(self, kind: int, payload: bytes, now: int) -> int | None:
        """Queue a report; its sequence number, or None when the queue is full and the report is lost. The last
        place of the queue is for the report that says how many were lost."""
        if len(self._waiting) >= self._room - 1:
            self._tell_loss(1, payloads.QUEUE_FULL, now)
            return None
        self._lost = 0
        return self._queue(kind, payload)

    def expect(self, on: bool) -> None:
        """A report is in the making, or no more: where the power fails in between, its loss is said."""
        self._log.expect(on)

    def lose(self, why: int, now: int) -> None:
        """Something is lost that the device knows of."""
        self._tell_loss(1, why, now)
        if len(self._waiting) < self._room:
            self._lost = 0  # what is lost later has a report of its own

    def receive(self, data: bytes, now: int) -> list[Frame]:
        """Take bytes from the host; returns the LAMP and SOUND frames among them, for the caller to carry out."""
        orders: list[Frame] = []
        for frame in self._decoder.feed(data):
            if frame.kind == ACK:
                self._acknowledged(frame)
            elif frame.kind == HELLO_REQUEST:
                self.greet()
            elif frame.kind == TIME_REQUEST:
                self._tell_time(frame, now)
            elif frame.kind in (LAMP, SOUND):
                orders.append(frame)
        return orders

    def transmit(self, now: int) -> bytes:
        """The bytes to write now; empty when nothing is due."""
        out = bytearray()
        if self._greet:
            self._greet = False
            out.append(0)  # ends whatever half frame the line still holds
            out.extend(encode(HELLO, self.boot, 0, self._hello))
            out.extend(encode(HEALTH, self.boot, 0, self._health(now)))
        for answer in self._answers:
            out.extend(encode(TIME, self.boot, 0, answer))
        self._answers = []
        if self._waiting and now >= self._due_at:
            out.extend(self._oldest_again(now))
        return bytes(out)

    def wake_at(self) -> int | None:
        """When `transmit` has something to write if nothing else happens; None: never."""
        if self._greet or self._answers:
            return 0
        return self._due_at if self._waiting else None

    def greet(self) -> None:
        """A host listens (again): send HELLO and the oldest frame without waiting."""
        self._greet = True
        self._patience = FIRST_RESEND_MS
        self._due_at = 0

    def _queue(self, kind: int, payload: bytes) -> int:
        self._seq += 1
        frame = Frame(kind, self.boot, self._seq, payload)
        self._log.keep(
            frame
        )  # before it is sent: a report that the host has seen is never sent under another number
        self._waiting.append(frame)
        return self._seq

    def _tell_loss(self, count: int, why: int, now: int) -> None:
        """A report of the loss, or one more in the report that is the last of a full queue."""
        self.health.lost += count
        self._lost += count
        if self._lost == count or len(self._waiting) < self._room:
            self._queue(LOST, payloads.lost(count, why, now))
            return
        last = self._waiting[-1]
        last.payload = payloads.lost(self._lost, payloads.QUEUE_FULL, now)
        self._log.keep(last)

    def _tell_time(self, request: Frame, now: int) -> None:
        if len(request.payload) >= 4 and len(self._answers) < _MOST_ANSWERS:
            self._answers.append(payloads.time(read_u32(request.payload, 0), now))

    def _acknowledged(self, ack: Frame) -> None:
        if self.oldest == (ack.boot, ack.seq):
            self._log.forget(self._waiting.pop(0))
            self.acknowledged += 1
            self._sends = 0
            self._patience = FIRST_RESEND_MS
            self._due_at = 0

    def _oldest_again(self, now: int) -> bytes:
        frame = self._waiting[0]
        again = self._sends > 0
        self._sends += 1
        self._due_at = now + self._patience
        self._patience = min(self._patience * 2, LAST_RESEND_MS)
        if again:
            self.health.resent += 1
        sent = encode(frame.kind, frame.boot, frame.seq, frame.payload)
        return b"\x00" + sent if again else sent

    def _health(self, now: int) -> bytes:
        how = self.health
        how.device_ms, how.waiting, how.bad = now, len(self._waiting), self._decoder.bad
        return payloads.health(how)
