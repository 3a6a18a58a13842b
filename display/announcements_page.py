"""The announcements page: what the organiser says before the start, to read out or print."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from zoneinfo import ZoneInfo

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse

from display.push import Hub
from table_core.tournament.announcements import Announcements

CHANNEL = "announcements"


def announcements_page(render: Callable[..., HTMLResponse], hub: Hub) -> Callable[[Request], HTMLResponse]:
    """The page's handler; `render(request, template, **values)` draws it."""

    def page(request: Request) -> HTMLResponse:
        snapshot = hub.latest(CHANNEL)
        if snapshot is None:
            text = "The station has published nothing yet. Load this page again in a moment."
            return render(request, "shared/message.html", heading="No announcements", text=text)
        told = msgspec.json.decode(snapshot.data, type=Announcements)
        return render(request, "announcements/announcements.html", told=told, clock_time=_clock_in(told.zone))

    return page


def _clock_in(zone: str) -> Callable[[int], str]:
    """Wall times as `19:05` of a time zone; empty: UTC."""
    there = ZoneInfo(zone or "UTC")
    return lambda wall: datetime.fromtimestamp(wall / 1_000, there).strftime("%H:%M")
