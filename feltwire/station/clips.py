"""Clips that the director has opened: decrypted in memory, never on the disk, forgotten after 15 minutes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from feltwire.runtime.clip_box import ClipFrame, ClipKey
from feltwire.station.station_io import ClipAsked, ClipCame, CloseClip
from table_core.messages import ClipPart, ClipShot, ClipView, Millis

MOST_OPEN = 2  # of some megabytes each
FORGOTTEN_MS = 900_000
MOST_PARTS = 200


@dataclass(slots=True)
class _Clip:
    opening: str
    by: str
    at: Millis
    of: int = 0
    why: str = ""
    parts: dict[int, tuple[ClipFrame, ...]] = field(default_factory=dict)  # by number, 1 is the newest


class Clips:
    """`show(table, view)` is called where what pages are shown of a clip changes. Usable from several threads. The
    repr shows nothing."""

    def __init__(self, key: ClipKey, show: Callable[[str, ClipView], None]) -> None:
        self._key = key
        self._show = show
        self._clips: dict[str, _Clip] = {}  # by table, the one opened last at the end
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return "Clips(••)"

    def take(self, effect: ClipAsked | ClipCame | CloseClip, now: Millis) -> None:
        """A clip was asked for, a part of it came, or it is closed."""
        with self._lock:
            changed = {effect.table}
            match effect:
                case ClipAsked(table, opening, by):
                    self._clips.pop(table, None)
                    self._clips[table] = _Clip(opening, by, now)
                    changed |= self._forget(list(self._clips)[:-MOST_OPEN])
                case ClipCame(table, part):
                    self._came(table, part)
                case CloseClip(table):
                    self._forget([table])
        self._show_all(changed)

    def forget_old(self, now: Millis) -> None:
        """Forget clips that were opened long ago."""
        with self._lock:
            gone = self._forget([table for table, clip in self._clips.items() if now - clip.at >= FORGOTTEN_MS])
        self._show_all(gone)

    def _came(self, table: str, part: ClipPart) -> None:
        clip = self._clips.get(table)
        if clip is None or part.answers != clip.opening:
            return
        clip.of, clip.why = part.of, part.why
        if part.segment is None or not 0 < part.no <= MOST_PARTS:
            return
        frames = self._key.open(part.segment, part.share) if part.segment.table == table else None
        if frames is None:
            clip.why = "Some of it is sealed for another station"
        clip.parts[part.no] = frames or ()

    def _forget(self, tables: Iterable[str]) -> set[str]:
        return {table for table in tables if self._clips.pop(table, None) is not None}

    def _show_all(self, tables: Iterable[str]) -> None:
        for table in tables:
            self._show(table, self.view(table))

    def view(self, table: str) -> ClipView:
        with self._lock:
            clip = self._clips.get(table)
            if clip is None:
                return ClipView()
            shots = tuple(
                ClipShot(f"{no}-{at}", frame.wall)
                for no, frames in sorted(clip.parts.items(), reverse=True)
                for at, frame in enumerate(frames)
            )
            return ClipView(clip.opening, clip.by, len(clip.parts), clip.of, shots, clip.why)

    def picture(self, table: str, opening: str, shot: str) -> bytes | None:
        """One picture of an open clip, JPEG; None where there is no such one."""
        part, _, at = shot.partition("-")
        if not (part.isascii() and part.isdecimal() and at.isascii() and at.isdecimal()):
            return None
        with self._lock:
            clip = self._clips.get(table)
            frames = clip.parts.get(int(part), ()) if clip is not None and clip.opening == opening else ()
            return frames[int(at)].jpeg if int(at) < len(frames) else None
