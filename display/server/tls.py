"""The certificate of the pages, loaded again when its file changes, so that no restart is needed."""

from __future__ import annotations

import logging
import ssl
import time
from collections.abc import Callable
from pathlib import Path

log = logging.getLogger(__name__)

LOOK_EVERY_S = 10.0


class Certificate:
    """A certificate's files (with its chain) and its key.

    Raise `OSError` or `ssl.SSLError` for invalid files; if they become invalid later, the previous certificate
    stays in use.
    """

    def __init__(self, cert: Path, key: Path, now: Callable[[], float] = time.monotonic) -> None:
        self._cert, self._key, self._now = cert, key, now
        self._read_at = self._marks()
        self._looked = now()
        self._context = self._load()

    def context(self) -> ssl.SSLContext:
        """The TLS context for the next connection."""
        if self._now() - self._looked >= LOOK_EVERY_S:
            self._looked = self._now()
            self._look()
        return self._context

    def _look(self) -> None:
        try:
            marks = self._marks()
            if marks != self._read_at:
                self._context = self._load()
                self._read_at = marks
                log.info("the pages' certificate was renewed")
        except OSError as error:  # half written, or gone: the one in use is good until it ends
            log.warning("%s: the renewed certificate is not used (%s)", self._cert, error)

    def _marks(self) -> tuple[tuple[int, int, int], ...]:
        seen = [path.stat() for path in (self._cert, self._key)]
        return tuple((one.st_mtime_ns, one.st_size, one.st_ino) for one in seen)

    def _load(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.options |= ssl.OP_NO_RENEGOTIATION | ssl.OP_NO_COMPRESSION
        context.load_cert_chain(self._cert, self._key)
        return context
