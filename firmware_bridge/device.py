"""The line protocol of every device under the table (docs/wire.md). Plain Python that MicroPython runs.

The firmware and the simulated devices run this file. It is pure: bytes and times in, bytes out. A device sends its
reports in frames numbered from 1 in each boot, **one at a time**: the next only after the host has acknowledged
the previous one, which the host does when the frame is in its ledger. So nothing is lost or reordered, however
often cable or host fail.
"""

from firmware_bridge import payloads
from firmware_bridge.frames import ACK, HEALTH, HELLO, HELLO_REQUEST, LAMP, Decoder, Frame, encode

FIRST_RESEND_MS = 100
LAST_RESEND_MS = 1000


class Device:
    """One device's line protocol; `room` is the number of frames that it can hold while no host listens.

    Times are the device's own milliseconds and never go back. `resent` and `lost` count frames.
    """

    def __init__(self, device_kind: int, firmware: str, boot: int, room: int = 64) -> None:
        self.boot = boot
        self.resent = 0
        self.lost = 0
        self._hello = payloads.hello(device_kind, firmware)
        self._room = room
        self._seq = 0
        self._waiting: list[Frame] = []  # oldest first
        self._patience = FIRST_RESEND_MS
        self._due_at = 0
        self._sends = 0  # of the oldest frame
        self._greet = True
        self._decoder = Decoder()

    @property
    def waiting(self) -> int:
        """Frames that the host has not acknowledged."""
        return len(self._waiting)

    @property
    def oldest(self) -> tuple[int, int] | None:
        """`(boot, seq)` of the frame that is sent until it is acknowledged."""
        return (self._waiting[0].boot, self._waiting[0].seq) if self._waiting else None

    def report(self, kind: int, payload: bytes) -> int | None:
        """Queue a report; its sequence number, or None when the queue is full and the report is lost."""
        if len(self._waiting) >= self._room:
            self.lost += 1
            return None
        self._seq += 1
        self._waiting.append(Frame(kind, self.boot, self._seq, payload))
        return self._seq

    def receive(self, data: bytes, now: int) -> list[Frame]:
        """Take bytes from the host; returns the LAMP frames among them, for the caller to carry out."""
        lamps: list[Frame] = []
        for frame in self._decoder.feed(data):
            if frame.kind == ACK:
                self._acknowledged(frame)
            elif frame.kind == HELLO_REQUEST:
                self.greet()
            elif frame.kind == LAMP:
                lamps.append(frame)
        return lamps

    def transmit(self, now: int) -> bytes:
        """The bytes to write now; empty when nothing is due."""
        out = bytearray()
        if self._greet:
            self._greet = False
            out.append(0)  # ends whatever half frame the line still holds
            out.extend(encode(HELLO, self.boot, 0, self._hello))
            out.extend(encode(HEALTH, self.boot, 0, self._health(now)))
        if self._waiting and now >= self._due_at:
            out.extend(self._oldest_again(now))
        return bytes(out)

    def wake_at(self) -> int | None:
        """When `transmit` has something to write if nothing else happens; None: never."""
        if self._greet:
            return 0
        return self._due_at if self._waiting else None

    def greet(self) -> None:
        """A host listens (again): send HELLO and the oldest frame without waiting."""
        self._greet = True
        self._patience = FIRST_RESEND_MS
        self._due_at = 0

    def restart(self, boot: int, keep: bool) -> None:
        """Restart after a power cycle. `keep`: unacknowledged frames survived, as in flash; they keep their
        numbers and go first."""
        if not keep:
            self.lost += len(self._waiting)
            self._waiting = []
        self.boot = boot
        self._seq = 0
        self._sends = 0
        self._decoder = Decoder()
        self.greet()

    def _acknowledged(self, ack: Frame) -> None:
        if self.oldest == (ack.boot, ack.seq):
            self._waiting.pop(0)
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
            self.resent += 1
        sent = encode(frame.kind, frame.boot, frame.seq, frame.payload)
        return b"\x00" + sent if again else sent

    def _health(self, now: int) -> bytes:
        return payloads.health(now, len(self._waiting), self.resent, self._decoder.bad, self.lost)
