"""What a process was doing when it ended, over its lives: a small file in its data folder.

What ended three lives in a row is left out in the next one, which says so: a record that is read at the start, an
input that comes again with every start, a part of the node. It is tried again when the process is started after
that. Written at the phases of a start and when a process fails, never for an input.
"""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

from feltwire.ledger.store import DamagedRecord, LedgerError

log = logging.getLogger(__name__)

LIVES = 3  # in a row, that ended at the same place
MOST = 30  # ends that are remembered


class _Lives(msgspec.Struct):
    """`doing` is the phase of a start under way; `ends` what earlier lives ended at, the last one last."""

    doing: str = ""
    ends: list[str] = msgspec.field(default_factory=list)


class Starts:
    """The file at `path`; without one nothing is remembered."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._starting = True
        known = self._read()
        if known.doing:  # it was killed there, or raised what nobody caught
            known.ends = [*known.ends[1 - MOST :], known.doing]
        self._lives = _Lives(ends=known.ends)
        self.left_out = self._in_a_row()
        if self.left_out:
            what = self.left_out.removeprefix(RUNNING)
            log.error("the last %d lives ended at %s: it is left out now", LIVES, what)
            self._lives.ends = []  # the next start tries it again

    def _in_a_row(self) -> str:
        last = self._lives.ends[-LIVES:]
        return last[0] if len(last) == LIVES and len(set(last)) == 1 else ""

    @contextlib.contextmanager
    def doing(self, what: str) -> Iterator[bool]:
        """A phase of the start; whether it is to be left out. Once the process has started it is that of a node
        that is made anew, and nothing is written."""
        if not self._starting:
            yield what == self.left_out
            return
        self._lives.doing = what
        self._write()
        try:
            yield what == self.left_out
        except (SystemExit, KeyboardInterrupt, LedgerError) as end:  # somebody ended it, or the disk
            if not isinstance(end, DamagedRecord):
                self._lives.doing = ""
                self._write()
            raise
        self._lives.doing = ""

    def started(self) -> None:
        """Every phase is over. Ends within phases count no longer."""
        self._starting = False
        self._lives.ends = [end for end in self._lives.ends if end.startswith(RUNNING)]
        self._write()

    def ended(self, what: str) -> None:
        """This life ends at `what`."""
        self._lives.ends = [*self._lives.ends[1 - MOST :], f"{RUNNING}{what}"]
        self._write()

    def lived(self) -> None:
        """It has run for a minute: whatever it ended at before, it did not again."""
        if self._lives.ends:
            self._lives.ends = []
            self._write()

    @property
    def failed_lives(self) -> int:
        """Lives before this one that ended by a fault, in a row, the last ones that are remembered."""
        return len(self._lives.ends)

    @property
    def left_out_while_running(self) -> str:
        """What ended the last lives behind their starts; empty where nothing did."""
        return self.left_out.removeprefix(RUNNING) if self.left_out.startswith(RUNNING) else ""

    def _read(self) -> _Lives:
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=_Lives) if self._path else _Lives()
        except (OSError, msgspec.DecodeError):
            return _Lives()

    def _write(self) -> None:
        """Not synced: what counts is the end of this process, not of the machine."""
        if self._path is None:
            return
        fresh = self._path.with_name(f"{self._path.name}.new")
        try:
            with os.fdopen(os.open(fresh, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "wb") as file:
                file.write(msgspec.json.encode(self._lives))
            fresh.replace(self._path)
        except OSError as error:
            log.warning("%s: cannot be written (%s)", self._path, error.strerror)


RUNNING = "while running: "
