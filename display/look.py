"""The venue's look at every process that has pages: `/look.css`, its pictures, and the channel `look`."""

from __future__ import annotations

import threading
from hashlib import sha256
from io import BytesIO
from typing import Any

import msgspec
import segno
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from display.colours import DARK, LIGHT, readable, words_on
from display.push import Hub
from table_core.messages import RoomLook

CHANNEL = "look"
_NO_STORE = {"cache-control": "no-store"}


class Look:
    """The newest `RoomLook`, from any thread; a process that has heard none has the program's own."""

    def __init__(self, hub: Hub | None = None) -> None:
        self._hub = hub
        self._lock = threading.Lock()
        self.take(RoomLook())

    @property
    def now(self) -> RoomLook:
        with self._lock:
            return self._now

    def take(self, look: RoomLook) -> None:
        with self._lock:
            self._now = look
        if self._hub is not None:
            self._hub.publish(CHANNEL, msgspec.json.encode(look_view(look)))

    def routes(self) -> list[Route]:
        return [
            Route("/look.css", self._css),
            Route("/look/logo", self._picture("logo")),
            Route("/look/sponsor", self._picture("sponsor")),
            Route("/look/phone.svg", self._phone_code),
        ]

    async def _css(self, _: Request) -> Response:
        return Response(look_css(self.now), media_type="text/css", headers=_NO_STORE)

    def _picture(self, name: str) -> Any:
        async def picture(_: Request) -> Response:
            found = bytes(getattr(self.now, name))
            if not found:
                return JSONResponse({"error": f"this venue has no {name}"}, 404)
            return Response(found, media_type="image/webp", headers=_NO_STORE)

        return picture

    async def _phone_code(self, _: Request) -> Response:
        """The QR code of the players' page."""
        if not (page := self.now.phone_page):
            return JSONResponse({"error": "players' phones have no page here"}, 404)
        svg = BytesIO()
        segno.make(page, micro=False, error="m").save(svg, kind="svg", omitsize=True, border=4, light="#fff")
        return Response(svg.getvalue(), media_type="image/svg+xml", headers=_NO_STORE)


def look_view(look: RoomLook) -> dict[str, Any]:
    """What pages read: `logo` and `sponsor` are the versions of those pictures, empty where there is none."""
    plain: dict[str, Any] = msgspec.to_builtins(look)
    return plain | {name: _version(getattr(look, name)) for name in ("logo", "sponsor")}


def _version(picture: bytes) -> str:
    return sha256(picture).hexdigest()[:12] if picture else ""


def look_css(look: RoomLook) -> str:
    """The venue's colours as custom properties. `--venue-2-text` (base.css, light.css) is colour 2 as words on the
    page's own ground."""
    one, two = look.colour_1, look.colour_2
    values = {"venue-1": one, "on-venue-1": words_on(one), "venue-2": two, "on-venue-2": words_on(two)}
    values |= {"venue-2-on-dark": readable(two, DARK), "venue-2-on-light": readable(two, LIGHT)}
    return f":root {{ {' '.join(f'--{name}: {value};' for name, value in values.items())} }}\n"
