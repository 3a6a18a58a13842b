"""Video that waits, encrypted on the disk. The key is in memory alone: behind a power cut, or once the process is
gone, nobody can read what lies there, and a ring starts empty.

Its file has its whole size from the start and no name: a disk that cannot hold it is found before the show.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import threading
from collections import deque
from pathlib import Path
from typing import NamedTuple

from nacl.bindings import (
    crypto_aead_xchacha20poly1305_ietf_ABYTES,
    crypto_aead_xchacha20poly1305_ietf_decrypt,
    crypto_aead_xchacha20poly1305_ietf_encrypt,
    crypto_aead_xchacha20poly1305_ietf_KEYBYTES,
    crypto_aead_xchacha20poly1305_ietf_NPUBBYTES,
)
from nacl.exceptions import CryptoError

from feltwire.errors import UsageError
from feltwire.runtime.concealed import Concealed
from table_core.messages import Millis

TAG = crypto_aead_xchacha20poly1305_ietf_ABYTES


class _Kept(NamedTuple):
    arrived: Millis
    run: int
    number: int
    offset: int
    length: int  # on the disk


class Ring:
    """A queue of pieces, oldest first. Each is what arrived at one time, of one *run*: within a run nothing is
    missing. From any thread.

    What finds no room, or what the disk refuses, is not kept, and the next piece begins another run. So it is
    with the older ones: they stay.
    """

    def __init__(self, folder: Path, capacity: int) -> None:
        """`capacity` in bytes. Raise `UsageError` where the disk has no room for it."""
        path = folder / "ring"
        path.unlink(missing_ok=True)
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        path.unlink()
        try:
            # Asked first: whoever takes what is there until no more is left fills a disk that others write to.
            if shutil.disk_usage(folder).free < capacity:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.posix_fallocate(self._file, 0, capacity)
        except OSError as error:
            os.close(self._file)
            free = shutil.disk_usage(folder).free // 1_000_000
            raise UsageError(
                f"{folder}: the video that waits needs {capacity // 1_000_000} MB, and {free} MB are free "
                f"({error.strerror}); set less for longest_s or most_mbit_s, or another folder as `data`"
            ) from error
        self.capacity = capacity
        self._key = Concealed(secrets.token_bytes(crypto_aead_xchacha20poly1305_ietf_KEYBYTES))
        self._lock = threading.Lock()
        self._kept: deque[_Kept] = deque()
        self._end = 0  # where the next piece goes
        self._number = 0
        self._run = 0
        self.lost = 0  # pieces that were not kept, or could not be read
        self.refused = ""  # why the last piece was not kept; empty: it was

    def new_run(self) -> None:
        """What is put from now on does not go on from what was put before."""
        with self._lock:
            self._run += 1

    def put(self, arrived: Millis, data: bytes) -> bool:
        """Keep a piece; False where it is lost."""
        with self._lock:
            offset = self._room(len(data) + TAG)
            if offset is None:
                return self._lose("it is full: longest_s or most_mbit_s is set too small")
            one = _Kept(arrived, self._run, self._number, offset, len(data) + TAG)
            self._number += 1
            sealed = crypto_aead_xchacha20poly1305_ietf_encrypt(data, _said(one), _nonce(one), self._key.reveal())
            try:
                written = os.pwrite(self._file, sealed, offset)
            except OSError as error:
                return self._lose(f"the disk refuses it ({error.strerror})")
            if written < len(sealed):
                return self._lose("the disk took a part of it only")
            self._kept.append(one)
            self._end = offset + len(sealed)
            self.refused = ""
            return True

    def _lose(self, why: str) -> bool:
        self.lost += 1
        self.refused = why
        self._run += 1
        return False

    def _room(self, size: int) -> int | None:
        """Where so many bytes fit; a piece lies in one place."""
        if not self._kept:
            return 0 if size <= self.capacity else None
        first = self._kept[0].offset
        if self._end > first:
            if self._end + size <= self.capacity:
                return self._end
            return 0 if size < first else None
        return self._end if self._end + size < first else None

    def oldest(self) -> Millis | None:
        """When the oldest piece arrived; None where there is none."""
        with self._lock:
            return self._kept[0].arrived if self._kept else None

    def newest(self) -> Millis | None:
        with self._lock:
            return self._kept[-1].arrived if self._kept else None

    def drop(self) -> None:
        """The oldest piece is not wanted any more."""
        with self._lock:
            self._kept.popleft()

    def pop(self) -> tuple[int, bytes] | None:
        """The oldest piece and its run; None where the disk gives it back changed, or not at all."""
        with self._lock:
            one = self._kept.popleft()
            try:
                sealed = os.pread(self._file, one.length, one.offset)
                data = crypto_aead_xchacha20poly1305_ietf_decrypt(
                    sealed, _said(one), _nonce(one), self._key.reveal()
                )
            except (OSError, CryptoError):
                self.lost += 1
                return None
            return one.run, data

    @property
    def used(self) -> int:
        """Bytes that wait."""
        with self._lock:
            return sum(one.length for one in self._kept) if len(self._kept) < 2 else self._span()

    def _span(self) -> int:
        first = self._kept[0].offset
        return self._end - first if self._end > first else self.capacity - first + self._end

    def close(self) -> None:
        with self._lock:
            os.close(self._file)
            self._kept.clear()
            self._file = -1


def _said(one: _Kept) -> bytes:
    """What is signed with a piece: its time cannot be changed on the disk."""
    return b"%d %d" % (one.arrived, one.run)


def _nonce(one: _Kept) -> bytes:
    return one.number.to_bytes(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES, "big")
