"""What was shown and when, kept over a restart: so that what is on air goes on where it was.

Public facts alone: states that tables published, cards that were released by then, the tournament's clock and
field, players' figures. The folder is no record of anything: it may be deleted, and where it cannot be read or
written nothing but the picture of the last minutes is missing.

Records are appended to files of ten minutes each, every one with its length and a checksum; what a power cut left
half written ends its file. Boot times hold for one boot: after another one the figures alone are read.
"""

from __future__ import annotations

import logging
import os
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import zip_longest
from pathlib import Path

import msgspec

from feltwire.relay.on_air.timeline import At, ReleasedHand
from table_core.messages import ClockState, Malformed, Millis, TableView, TournamentField, decode
from table_core.statistics import Tally

log = logging.getLogger(__name__)

FOLDER = "on-air-past"  # in the data folder
SEGMENT_MS = 600_000
LONGEST = 16 * 1024 * 1024  # bytes of a record
_HEAD = struct.Struct("<II")  # length, CRC-32
_FIGURES = "figures"  # kept as long as the event


class Began(msgspec.Struct, frozen=True, tag=True):
    """The first record of a file: whose boot time its records have."""

    boot: str


class Seen(msgspec.Struct, frozen=True, tag=True):
    """A table showed this."""

    table: str
    at: Millis
    wall: Millis | None
    view: TableView


class HandBegan(msgspec.Struct, frozen=True, tag=True):
    """A hand began with this event; not `on`: that was taken back."""

    table: str
    began: At
    on: bool = True


class HandReleased(msgspec.Struct, frozen=True, tag=True):
    table: str
    began: At
    hand: ReleasedHand


class TableAnew(msgspec.Struct, frozen=True, tag=True):
    """Another chain of ledgers is the table: what it showed before is none of its own."""

    table: str


class EventSeen(msgspec.Struct, frozen=True, tag=True):
    """The station said this of the tournament."""

    at: Millis
    wall: Millis | None
    said: bytes  # as it came
    is_clock: bool = True


class HandCounted(msgspec.Struct, frozen=True, tag=True):
    """A hand counts in the players' figures."""

    table: str
    began: At
    at: Millis
    tallies: Mapping[str, Tally]
    event: str = ""  # its name; a figure of another one does not count on


class FiguresAnew(msgspec.Struct, frozen=True, tag=True):
    """Another event began."""


Past = Seen | HandBegan | HandReleased | TableAnew | EventSeen | HandCounted | FiguresAnew
_encoder = msgspec.msgpack.Encoder()
_decoder: msgspec.msgpack.Decoder[Past | Began] = msgspec.msgpack.Decoder(Past | Began)


def decode_event(seen: EventSeen) -> ClockState | TournamentField | None:
    """None where another version of this program wrote it."""
    try:
        return decode(seen.said, ClockState) if seen.is_clock else decode(seen.said, TournamentField)
    except Malformed:
        return None


class PastFiles:
    """`keep_ms`: how far back is of use; `now`: boot time. It never raises: what it cannot do is in the log,
    once."""

    def __init__(self, folder: Path, boot: str, now: Callable[[], Millis], keep_ms: Callable[[], int]) -> None:
        self._folder = folder
        self._boot = boot
        self._now = now
        self._keep_ms = keep_ms
        self._path: Path | None = None
        self._begun: set[Path] = set()  # files that this run writes to
        self._until = Millis(0)
        self._failed = False

    # ---------------------------------------------------------------------------------- reading

    def read(self) -> Iterator[Past]:
        """What was kept, in order. Of another boot the figures alone, as of its beginning."""
        for path in [*self._segments(), self._folder / _FIGURES]:
            boot = ""
            for record in self._records(path):
                if isinstance(record, Began):
                    boot = record.boot
                elif boot == self._boot:
                    yield record
                elif isinstance(record, HandCounted):
                    yield msgspec.structs.replace(record, at=Millis(0))

    def _segments(self) -> list[Path]:
        return sorted(self._folder.glob("[0-9]*"), key=lambda path: (len(path.name), path.name))

    def _records(self, path: Path) -> Iterator[Past | Began]:
        try:
            with path.open("rb") as file:
                while len(head := file.read(_HEAD.size)) == _HEAD.size:
                    length, check = _HEAD.unpack(head)
                    raw = file.read(min(length, LONGEST))
                    if len(raw) != length or zlib.crc32(raw) != check:
                        return
                    yield _decoder.decode(zlib.decompress(raw))
        except FileNotFoundError:
            return
        except (OSError, zlib.error, msgspec.DecodeError) as error:
            log.warning("%s: what was on air is not read from there (%s)", path, type(error).__name__)

    # ---------------------------------------------------------------------------------- writing

    def write(self, record: Past) -> None:
        figures = self._folder / _FIGURES
        try:
            if isinstance(record, FiguresAnew):
                figures.unlink(missing_ok=True)
                self._begun.discard(figures)
            else:
                self._append(figures if isinstance(record, HandCounted) else self._segment(), record)
            self._failed = False
        except (OSError, msgspec.MsgspecError, ValueError) as error:
            if not self._failed:
                log.warning("%s: what is on air is not kept over a restart (%s)", self._folder, error)
            self._failed = True
            self._begun.clear()  # a record may be torn: the next one is written behind the last whole one

    def _segment(self) -> Path:
        now = self._now()
        if self._path is None or now >= self._until:
            self._until = Millis(now + SEGMENT_MS)
            last = self._forget(now)
            self._path = self._folder / str(last + 1)
        return self._path

    def _forget(self, now: Millis) -> int:
        """Delete what is of no use any more: a file that was ended before, and everything of another boot. The
        number of the last one that there was."""
        segments = self._segments()
        for path, after in zip_longest(segments, segments[1:]):
            first = next(self._records(path), None)
            stale = not isinstance(first, Began) or first.boot != self._boot
            if stale or (after is not None and self._begins_at(after) <= now - self._keep_ms()):
                path.unlink()
        return int(segments[-1].name) if segments else 0

    def _begins_at(self, path: Path) -> Millis:
        times = (record.at for record in self._records(path) if isinstance(record, Seen | EventSeen))
        return next(times, self._now())

    def _append(self, path: Path, record: Past) -> None:
        if path in self._begun:
            _write(path, [record])
            return
        self._folder.mkdir(mode=0o700, exist_ok=True)
        if path.exists():
            os.truncate(path, _whole(path))
        _write(path, [Began(self._boot), record])
        self._begun.add(path)


def _write(path: Path, records: Iterable[Past | Began]) -> None:
    raws = [zlib.compress(_encoder.encode(record), 1) for record in records]
    with open(path, "ab", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
        file.write(b"".join([_HEAD.pack(len(raw), zlib.crc32(raw)) + raw for raw in raws]))


def _whole(path: Path) -> int:
    """Bytes up to the end of the last record that is whole."""
    raw, at = path.read_bytes(), 0
    while len(raw) >= at + _HEAD.size:
        length, check = _HEAD.unpack_from(raw, at)
        end = at + _HEAD.size + length
        if len(raw) < end or zlib.crc32(raw[at + _HEAD.size : end]) != check:
            break
        at = end
    return at
