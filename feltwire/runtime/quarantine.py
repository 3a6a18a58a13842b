"""Inputs at which a node raised: kept for an engineer, counted, and never given to the node again.

The bytes of a bus message are kept in a folder that only the process's user can read. Nothing is kept of a
device's frame, because a shoe's frame holds a card. The exception's text is written nowhere, because it may quote
the input; the log names the line of code that raised.
"""

from __future__ import annotations

import hashlib
import logging
import os
import traceback
from collections import OrderedDict
from pathlib import Path
from typing import Any

from feltwire.runtime.boottime import boot_millis
from feltwire.runtime.fair_queue import source_of

log = logging.getLogger(__name__)

MOST_FILES = 50
MOST_KNOWN = 1_000


class Quarantine:
    """`folder` None: only counts (a wall clock has no data folder)."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._known: OrderedDict[bytes, None] = OrderedDict()
        self.count = 0

    def knows(self, given: Any) -> bool:
        """True when the same bytes from the same source made the node raise before."""
        return bool(self._known) and digest_of(given) in self._known

    def refuse(self, digest: str) -> None:
        """An input with this digest (hex) ended the process before."""
        self._known[bytes.fromhex(digest)] = None

    def keep(self, given: Any, error: BaseException) -> str:
        """Count and keep the input; returns the text for the page."""
        source = source_of(given) or ("time" if given is None else f"this process ({type(given).__name__})")
        self.count_fault(f"an input of {source}", error)
        if given is None:
            return f"A fault while nothing came: what falls due waits longer ({self.count} since the start)"
        if hasattr(given, "payload"):
            self._known[digest_of(given)] = None
            if len(self._known) > MOST_KNOWN:
                self._known.popitem(last=False)
            self._write(given)
        return f"A message of {source} could not be processed and was quarantined ({self.count} since the start)"

    def count_fault(self, what: str, error: BaseException) -> None:
        """Count it; the log gets its kind and its place in the code."""
        self.count += 1
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(where.filename).name}:{where.lineno} in {where.name}"
        log.error("put aside: %s (%s at %s)", what, type(error).__name__, place)

    def _write(self, given: Any) -> None:
        if self._folder is None:
            return
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            for old in sorted(self._folder.iterdir())[: 1 - MOST_FILES]:
                old.unlink()
            name = self._folder / f"{boot_millis():015d}-{self.count:06d}.message"
            with os.fdopen(os.open(name, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600), "wb") as file:
                file.write(str(getattr(given, "topic", source_of(given))).encode() + b"\n" + given.payload)
        except OSError as error:
            log.error("the quarantined input cannot be written: %s", error.strerror)


def digest_of(given: Any) -> bytes:
    """Names an input: by its source, its topic and its bytes."""
    said = f"{source_of(given)}\n{getattr(given, 'topic', '')}\n".encode(errors="replace")
    return hashlib.sha256(said + getattr(given, "payload", b"")).digest()
