"""The room's public page as files that any web host serves: HTML in each language, JSON, style sheet, script.

| file | is |
|---|---|
| `index.html`, `results.html`, `season.html` | in the venue's language; `index.de.html` and so on in each |
| `live.json`, `results.json`, `season.json` | the same for programs, with `written`: wall time in ms since 1970 |
| `look.css`, `logo.webp` | the venue's look |
| `static/…` | style sheets, typeface, script |

The pages read well without the script; it counts the clock down, takes a newer page over, and says when it is old.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from display.language import ENGLISH, LANGUAGES, TRANSLATED, environment
from display.look import look_css
from table_core.messages import RoomLook

HERE = Path(__file__).parent
PAGES = ("index", "results", "season")
SPOKEN = (ENGLISH, *TRANSLATED)
LOGO = "logo.webp"
# What stands beside the pages, by folder of `display`; the typeface is added where they are written.
STATIC: Mapping[str, tuple[str, ...]] = {
    "shared": ("base.css", "light.css", "icon.svg"),
    "public": ("public.css", "public.js"),
}
OLD_S = 180  # a page of a tournament that is on is written each minute
_templates = environment()


class Room(NamedTuple):
    """What is the same for all files: `written` is wall time in ms, `live` whether a tournament is on, `zone` that
    of times of day (empty: UTC), `language` that of `index.html`, `fresh_s` how long a page counts as new."""

    title: str
    written: int
    live: bool
    zone: str
    language: str
    look: RoomLook
    fresh_s: int = OLD_S


def public_files(room: Room, contents: Mapping[str, Any]) -> dict[str, bytes]:
    """Every file but those of `STATIC`, by name. `contents`: `feltwire/station/public_page/contents.py`."""
    files = dict(_pages(room, contents))
    for name in ("live", "results", "season"):
        said = {"written": room.written, "venue": room.title, name: contents[name]}
        text = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
        files[f"{name}.json"] = text.replace("<", "\\u003c").encode()  # whatever a host serves it as
    files["look.css"] = look_css(room.look).encode()
    if room.look.logo:
        files[LOGO] = bytes(room.look.logo)
    return files


def _pages(room: Room, contents: Mapping[str, Any]) -> Iterator[tuple[str, bytes]]:
    there = ZoneInfo(room.zone or "UTC")

    def clock_time(wall: int, form: str = "%H:%M") -> str:
        return datetime.fromtimestamp(wall / 1_000, there).strftime(form)

    for language in SPOKEN:
        for page in PAGES:
            html = _templates.get_template(f"public/{page}.html").render(
                lang=language,
                page=page,
                room=room,
                link=lambda name, lang=language: _file(name, lang),
                languages={one: LANGUAGES[one] for one in SPOKEN},
                clock_time=clock_time,
                iso=lambda wall: datetime.fromtimestamp(wall / 1_000, UTC).isoformat(timespec="seconds"),
                event=room.look.event or room.title,
                **contents,
            )
            yield _file(page, language), html.encode()
            if language == room.language:
                yield f"{page}.html", html.encode()


def _file(page: str, language: str) -> str:
    """`index.de.html`"""
    return f"{page}.{language}.html"
