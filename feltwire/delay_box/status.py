"""How the delay box is: in words, for `/healthz`, and in figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from feltwire.config import DelayConfig
from feltwire.delay_box.line import DelayLine
from feltwire.delay_box.ring import Ring
from feltwire.runtime.pages.figures import Figure
from table_core.messages import Millis

SILENT_MS = 5_000  # without a byte for so long a source is gone, or an output stuck


@dataclass
class BoxStatus:
    """Written by the threads of the video, read by pages. Boot time."""

    source_at: Millis | None = None  # something came from it
    output_at: Millis | None = None  # it took something
    playing: bool = False  # the picture goes out, and not the slate
    gaps: int = 0
    delay: Millis | None = None  # from the camera on

    def source_up(self, now: Millis) -> bool:
        return self.source_at is not None and now - self.source_at < SILENT_MS

    def output_up(self, now: Millis) -> bool:
        return self.output_at is not None and now - self.output_at < SILENT_MS

    def picture_in(self, now: Millis, line: DelayLine) -> Millis | None:
        """Until the picture is there; None where nobody knows."""
        if self.playing:
            return Millis(0)
        due = line.next_due()
        return None if due is None else Millis(max(due - now, 0))

    def behind_ms(self, line: DelayLine, latency: int) -> int:
        """How far the video is behind the graphics, where the floor lets it go out no sooner."""
        wait, delay = line.wait, self.delay
        return 0 if wait is None or delay is None else max(wait + latency - delay, 0)

    def troubles(self, now: Millis, line: DelayLine, ring: Ring, latency: int) -> Iterator[str]:
        if not self.source_up(now):
            yield "no video comes from the source"
        if not self.output_up(now):
            yield "the output takes no video"
        if line.wait is None:
            yield "no picture goes out: the delay is not known"
        if behind := self.behind_ms(line, latency):
            yield f"the video is {behind} ms behind the graphics: the air delay is that much too near the floor"
        if ring.refused:
            yield f"video is lost: {ring.refused}"

    def figures(self, now: Millis, line: DelayLine, ring: Ring) -> Iterator[Figure]:
        yield Figure("feltwire_delay_source_up", self.source_up(now))
        yield Figure("feltwire_delay_output_up", self.output_up(now))
        yield Figure("feltwire_delay_picture", self.playing)
        yield Figure("feltwire_delay_gaps_total", self.gaps)
        yield Figure("feltwire_delay_lost_total", ring.lost + line.late)
        yield Figure("feltwire_delay_ring_used", round(ring.used / ring.capacity, 3))
        yield Figure("feltwire_delay_slowest_seconds", line.slowest(now) / 1_000)
        if self.delay is not None:
            yield Figure("feltwire_delay_seconds", self.delay / 1_000)

    def said(self, now: Millis, line: DelayLine, ring: Ring, config: DelayConfig) -> dict[str, object]:
        """For the page: plain numbers and words."""
        oldest, newest, picture_in = ring.oldest(), ring.newest(), self.picture_in(now, line)
        return {
            "delay_s": None if self.delay is None else self.delay / 1_000,
            "floor_s": config.air_floor_s,
            "latency_ms": config.latency_ms,
            "source_up": self.source_up(now),
            "output_up": self.output_up(now),
            "playing": self.playing,
            "picture_in_s": None if picture_in is None else round(picture_in / 1_000, 1),
            "holds_s": 0 if oldest is None or newest is None else round((newest - oldest) / 1_000, 1),
            "longest_s": config.longest_s,
            "used": round(ring.used / ring.capacity, 3),
            "gaps": self.gaps,
            "lost": ring.lost + line.late,
            "slowest_ms": line.slowest(now),
            "behind_ms": self.behind_ms(line, config.latency_ms),
            "why": [*self.troubles(now, line, ring, config.latency_ms)],
        }
