"""Requests of the pages at which their code raised, as faults of the process's views."""

from __future__ import annotations

import re

from feltwire.runtime.views import Part, Views

_PATH = re.compile(r"/[a-z_-]{0,30}(/[a-z0-9_.-]{1,30})?")


class PageFaults:
    """`display.server.not_shown.Faults`."""

    def __init__(self, views: Views) -> None:
        self._views = views

    def note(self, path: str, error: Exception) -> str:
        return f"{self._views.note(_part(path), error).words}."

    def well(self, path: str) -> None:
        self._views.well(_part(path))


def _part(path: str) -> Part:
    """Of what anybody may ask for only plain words go into the log and the queue."""
    found = _PATH.match(path)
    return Part(f"The page {found[0]}" if found is not None else "A page")
