"""Records the clip: what everybody may see of the table, twice a second, in a thread of its own."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from pathlib import Path

from nacl.public import PublicKey

from display.app import Picture
from feltwire.runtime.clip_box import SHARE_BYTES, ClipFrame, sealed
from feltwire.table.clip.ring import ClipRing
from supervised.thread import SupervisedThread, where
from table_core.messages import MOST_CIPHER, ClipSegment, Millis

log = logging.getLogger(__name__)

EVERY_S = 0.5
SEGMENT_MS = 2_000
_OVERHEAD = 2_048  # bytes of a segment beside its pictures


class ClipRecorder:
    """`picture()` gives the newest picture of what everybody may see, masked, from any thread; None for none.
    `now()` is boot time."""

    def __init__(
        self,
        table: str,
        folder: Path,
        shares: Path,
        *,
        station: PublicKey,
        boot: str,
        picture: Callable[[], Picture | None],
        now: Callable[[], Millis],
    ) -> None:
        self._table = table
        self._station = station
        self._boot = boot
        self._picture = picture
        self._now = now
        self._ring = ClipRing(folder, shares, boot)
        self._ring.expire(now())
        self._lock = threading.Lock()
        self._frames: list[ClipFrame] = []
        self._began = now()
        self._version = -1
        self._said = ""
        self._stopping = threading.Event()
        self._thread = SupervisedThread(self._run, "clip", stopping=self._stopping)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Nobody looks after the clip any longer: it is destroyed."""
        self._stopping.set()
        self._thread.join(5)
        with self._lock:
            self._frames = []
            self._ring.destroy()

    def segments(self) -> list[tuple[ClipSegment, bytes]]:
        """What is kept up to now, the newest first, each with the table's half of its key."""
        with self._lock:
            self._seal()
            self._ring.expire(self._now())
            return self._ring.newest()

    def _run(self) -> None:
        while not self._stopping.wait(EVERY_S):
            try:
                self.look()
            except Exception as error:  # noqa: BLE001  (a picture's fault is said, and nothing of the picture)
                self._say(f"the clip is not kept: {where(error)}")

    def look(self) -> None:
        """Take the newest picture, if there is another one; seal what is long enough; destroy what is old."""
        picture = self._picture()
        with self._lock:
            now = self._now()
            if picture is not None and picture.version != self._version:
                self._version = picture.version
                self._take(picture, now)
            if self._frames and now - self._began >= SEGMENT_MS:
                self._seal()
            self._ring.expire(now)

    def _take(self, picture: Picture, now: Millis) -> None:
        held = sum(len(frame.jpeg) for frame in self._frames)
        if held + len(picture.jpeg) + _OVERHEAD > MOST_CIPHER:
            self._seal()
        if len(picture.jpeg) + _OVERHEAD > MOST_CIPHER:
            return
        if not self._frames:
            self._began = now
        self._frames.append(ClipFrame(picture.wall, picture.jpeg))

    def _seal(self) -> None:
        """Encrypt what was taken since the last segment; the pictures are forgotten whatever comes."""
        frames, self._frames = tuple(self._frames), []
        if not frames:
            return
        share = os.urandom(SHARE_BYTES)
        segment = sealed(
            frames,
            table=self._table,
            boot=self._boot,
            began=self._began,
            ended=self._now(),
            station=self._station,
            share=share,
        )
        try:
            self._ring.append(segment, share)
        except OSError as error:
            self._say(f"the clip is not kept: {error.strerror or error}")
        else:
            self._say("")

    def _say(self, why: str) -> None:
        if why != self._said:
            self._said = why
            log.warning("%s", why or "the clip is kept again")
