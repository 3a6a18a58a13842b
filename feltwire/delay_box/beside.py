"""What goes out beside the video, where it is asked for: subtitles of what the graphics show, and timecode.

Both follow the stream's own time: the picture that goes out now has the time of now there (`Playout`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from feltwire.delay_box.ltc import RATE, sound_of, timecode
from feltwire.delay_box.programs import Child, timecode_call
from feltwire.delay_box.transport_stream import CLOCK, WRAPS
from table_core.messages import UNKNOWN_CARD, Millis, OverlayView

MOST_WAITING = 96_000  # bytes: a second of sound that nobody takes
PAUSE_S = 2.0
Now = Callable[[], Millis]
Shown = Callable[[], int | None]
Lost = Callable[[str], object]


def words_of(view: OverlayView) -> str:
    """What the graphics show of a hand, in one or two lines: the cards that are out, and the last act. Empty where
    nothing is on air."""
    if not view.seats:
        return ""
    cards = [
        f"{seat.player or f'Seat {seat.seat}'} {_faces(seat.cards)}" for seat in view.seats if _faces(seat.cards)
    ]
    board = [f"board {_faces(view.board)}"] if _faces(view.board) else []
    return "\n".join(filter(None, (", ".join([*cards, *board]), view.last)))


def _faces(cards: tuple[str, ...]) -> str:
    return " ".join(card for card in cards if card != UNKNOWN_CARD)


class Cues:
    """A WebVTT file that grows by a cue whenever what the graphics show changes."""

    def __init__(self, path: Path, now: Millis) -> None:
        self._path, self._began = path, now
        self._words, self._since = "", now
        stream = now * CLOCK % WRAPS
        path.write_text(f"WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:{stream},LOCAL:00:00:00.000\n", "utf-8")

    def show(self, words: str, now: Millis) -> None:
        """The graphics say this from now on."""
        if words == self._words:
            return
        if self._words and now > self._since:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(f"\n{self._time(self._since)} --> {self._time(now)}\n{_escaped(self._words)}\n")
        self._words, self._since = words, now

    def _time(self, at: Millis) -> str:
        seconds, ms = divmod(at - self._began, 1_000)
        return f"{seconds // 3_600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{ms:03}"


def _escaped(words: str) -> str:
    """A name is anybody's text: it begins no tag, and ends no cue."""
    safe = words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "\n".join(line for line in safe.splitlines() if line.strip())


def send_timecode(output: str, fps: int, ends: threading.Event, now: Now, shown: Shown, lost: Lost) -> None:
    """Send timecode as sound until `ends` is set. `shown` is the time of day of the picture that goes out now, in
    ms; None: there is none, and the sound is silence. `lost` is told why nothing goes out, before each new try."""
    while not ends.is_set():
        child = Child(timecode_call(output), output, reads=True)
        try:
            _send(child, fps, ends, now, shown)
        finally:
            said = child.end()
        if not ends.is_set():
            lost(said or "it takes nothing")
        ends.wait(PAUSE_S)


def _send(child: Child, fps: int, ends: threading.Event, now: Now, shown: Shown) -> None:
    began, sent, waiting = now(), 0, b""
    while not ends.is_set() and not child.has_ended:
        due = (now() - began) * fps // 1_000
        sent = max(sent, due - fps)  # what was missed while the machine slept is left out
        while sent <= due:
            time = shown()
            waiting += bytes(2 * RATE // fps) if time is None else sound_of(timecode(time, fps), fps)
            sent += 1
        try:
            waiting = waiting[child.write(waiting) :] if waiting else waiting
        except OSError:
            return
        waiting = waiting if len(waiting) < MOST_WAITING else b""
        ends.wait(0.5 / fps)
