"""The clip as it is sent to the station."""

from __future__ import annotations

from collections.abc import Iterator

from feltwire.table.clip.recorder import ClipRecorder
from table_core.messages import ClipPart


def parts_of(recorder: ClipRecorder | None, epoch: int, answers: str, why: str) -> Iterator[ClipPart]:
    """Every segment, the newest first; a part without one where there is none, with the reason (`why`: what is
    wrong with the camera)."""
    segments = recorder.segments() if recorder is not None else []
    for no, (segment, share) in enumerate(segments, start=1):
        yield ClipPart(epoch, answers, no, len(segments), segment, share)
    if not segments:
        yield ClipPart(epoch, answers, why=why or "There is no picture of the last three minutes")
