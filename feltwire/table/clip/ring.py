"""The last three minutes of a table's camera: encrypted segments on its disk, the table's halves of their keys in
memory."""

from __future__ import annotations

import os
from collections import deque
from dataclasses import dataclass
from pathlib import Path

from feltwire.private_files import data_folder, open_secret, secret_folder
from feltwire.runtime.clip_box import SHARE_BYTES, as_stored, stored
from table_core.messages import ClipSegment, Malformed, Millis

LASTS_MS = 180_000
MOST_SEGMENTS = 120
LEAVES_BYTES = 64 * 1024 * 1024  # of the disk; the ledger comes first


class NoRoom(OSError):
    """The disk has room for the ledger only."""


@dataclass(frozen=True, slots=True)
class _Kept:
    no: int
    ended: Millis


class ClipRing:
    """`folder` holds the segments, `shares` (in tmpfs) the halves of their keys; only this table uses either.

    What a process before this one left is taken up if it is of this `boot`; anything else there is destroyed.
    Raise `UsageError` for folders that others may write in.
    """

    def __init__(self, folder: Path, shares: Path, boot: str) -> None:
        self._folder = folder
        self._shares = shares
        data_folder(folder)
        secret_folder(shares)
        self._kept: deque[_Kept] = deque()
        for no in sorted({*_numbers(folder, ".sealed"), *_numbers(shares, ".share")}):
            segment = self._read(no)
            if segment is None or segment.boot != boot:
                self._destroy(no)
            else:
                self._kept.append(_Kept(no, segment.ended))
        for partial in folder.glob("*.new"):
            partial.unlink()
        self._next = 1 + max((one.no for one in self._kept), default=0)

    def __len__(self) -> int:
        return len(self._kept)

    def append(self, segment: ClipSegment, share: bytes) -> None:
        """Keep a segment; the oldest goes where there are too many. Raise `OSError` where there is no room:
        nothing of it is kept then."""
        free = os.statvfs(self._folder)
        if free.f_bavail * free.f_frsize < LEAVES_BYTES:
            raise NoRoom("the disk is nearly full")
        no, raw = self._next, as_stored(segment)
        try:
            _write(self._shares / f"{no}.share", share)
            fresh = self._folder / f"{no}.new"
            _write(fresh, raw)
            fresh.replace(self._folder / f"{no}.sealed")
        except OSError:
            self._destroy(no)
            raise
        self._next += 1
        self._kept.append(_Kept(no, segment.ended))
        while len(self._kept) > MOST_SEGMENTS:
            self._destroy(self._kept.popleft().no)

    def expire(self, now: Millis) -> None:
        """Destroy what ended more than three minutes ago."""
        while self._kept and now - self._kept[0].ended > LASTS_MS:
            self._destroy(self._kept.popleft().no)

    def newest(self) -> list[tuple[ClipSegment, bytes]]:
        """Segments with the table's halves of their keys, the newest first."""
        found = []
        for one in reversed(self._kept):
            segment, share = self._read(one.no), self._share(one.no)
            if segment is not None and share is not None:
                found.append((segment, share))
        return found

    def destroy(self) -> None:
        """Destroy everything."""
        while self._kept:
            self._destroy(self._kept.popleft().no)

    def _read(self, no: int) -> ClipSegment | None:
        if self._share(no) is None:
            return None
        try:
            return stored((self._folder / f"{no}.sealed").read_bytes())
        except (OSError, Malformed):
            return None

    def _share(self, no: int) -> bytes | None:
        try:
            with os.fdopen(open_secret(self._shares / f"{no}.share", os.O_RDONLY), "rb") as file:
                share = file.read(SHARE_BYTES + 1)
        except OSError:
            return None
        return share if len(share) == SHARE_BYTES else None

    def _destroy(self, no: int) -> None:
        """The half of the key first: from then on nobody opens the segment."""
        share = self._shares / f"{no}.share"
        try:
            with os.fdopen(open_secret(share, os.O_WRONLY), "wb") as file:
                file.write(bytes(SHARE_BYTES))
        except OSError:
            pass  # it is not there
        for path in (share, self._folder / f"{no}.sealed", self._folder / f"{no}.new"):
            path.unlink(missing_ok=True)


def _numbers(folder: Path, suffix: str) -> list[int]:
    return [int(path.stem) for path in folder.glob(f"*{suffix}") if path.stem.isdecimal()]


def _write(path: Path, content: bytes) -> None:
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
