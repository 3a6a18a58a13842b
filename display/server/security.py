"""Security headers of every answer, and the same-origin check of requests."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_OURS = "same-origin"
ON_AIR, FEED = "/air/", "/feed/"
TEMPLATE = "/template/"  # its page names the script that it holds, and says nothing of who may frame it
OPEN = (ON_AIR, FEED)  # what the origins may read that the relay's settings name
FILES = "file:"
_PREFLIGHT = {
    "access-control-allow-methods": "GET, HEAD",
    "access-control-allow-headers": "If-None-Match, Last-Event-ID, Cache-Control",
    "access-control-max-age": "600",
}
# The demo's landing page shows the pages of other processes, which have other ports on this machine.
LOCAL_FRAMES = ("'self'", "http://127.0.0.1:*", "http://localhost:*")


class SecurityHeaders:
    """Adds the content security policy and its companions to every answer, and lets named origins read what is
    open to them.

    `frames` are the sources whose pages may frame ours and be framed by ours (the demo's landing page). The pages
    on air alone take styles that a streaming program puts into them (OBS: *custom CSS*); what those name, pictures
    and fonts, still comes from here only.

    `origins` may read `/feed` and `/air` from their own pages, and frame them: exactly these, never with
    cookies. Every other path, and every other origin, is as if there were none. `file:` frames only: a page on a
    disk has no origin that could be named."""

    def __init__(self, app: ASGIApp, frames: Sequence[str] = LOCAL_FRAMES, origins: Sequence[str] = ()) -> None:
        self._app = app
        self._origins = frozenset(origins) - {FILES}
        allowed = " ".join(frames)
        self._ancestors = f"frame-ancestors {allowed}"
        self._policy = (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
            "font-src 'self'; form-action 'self'; base-uri 'none'; "
            f"frame-src {allowed}; {self._ancestors}"
        )
        self._policy_on_air = self._policy.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
        if origins:
            self._policy_on_air += f" {' '.join(origins)}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        said, path = Headers(scope=scope), scope["path"]
        is_open = path.startswith(OPEN)
        origin = said.get("origin", "") if is_open else ""
        named = origin if origin in self._origins else ""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                on_air = path.startswith(ON_AIR)
                own = headers.get("content-security-policy") if path.startswith(TEMPLATE) else None
                policy = self._policy_on_air if on_air else self._policy
                headers["content-security-policy"] = f"{own}; {self._ancestors}" if own else policy
                headers["x-content-type-options"] = "nosniff"
                headers["referrer-policy"] = "no-referrer"
                headers["cross-origin-opener-policy"] = "same-origin"
                headers["cross-origin-resource-policy"] = "cross-origin" if named else "same-origin"
                headers.setdefault("cache-control", "no-cache")
                if is_open:
                    headers.add_vary_header("Origin")
                if named:
                    headers["access-control-allow-origin"] = named
                    headers["access-control-expose-headers"] = "ETag"
            await send(message)

        app = self._answer(scope, said, named) if is_open else self._app
        await app(scope, receive, send_with_headers)

    def _answer(self, scope: Scope, said: Headers, named: str) -> ASGIApp:
        """What answers a request for something that is open."""
        method = scope["method"]
        if method == "OPTIONS":
            return Response(status_code=204, headers=_PREFLIGHT) if named else _not_named(403)
        if scope["path"].startswith(FEED):
            if method not in ("GET", "HEAD"):
                return _not_named(405)
            if not named and _is_of_another_page(scope, said):
                return _not_named(403)
        return self._app


def _not_named(status: int) -> Response:
    text = {403: "refused: a page of another site asked for this", 405: "this is read with GET"}[status]
    return PlainTextResponse(f"{text}\n", status, headers={"cache-control": "no-store"})


def _is_of_another_page(scope: Scope, said: Headers) -> bool:
    """Whether a page of another origin asks, and not a person who follows a link. Browsers say so by `Origin`,
    and to an https address by `Sec-Fetch-Site`."""
    ours = f"{scope['scheme']}://{said.get('host', '')}"
    if said.get("origin", ours).lower() != ours.lower():
        return True
    follows_a_link = (said.get("sec-fetch-mode"), said.get("sec-fetch-dest")) == ("navigate", "document")
    return said.get("sec-fetch-site", _OURS) not in (_OURS, "none") and not follows_a_link


def same_origin(request: Request) -> bool:
    """False for a request that a page of another origin sent. Scripts, which send no origin, pass."""
    said = request.headers
    ours = f"{request.scope['scheme']}://{said.get('host', '')}"
    return said.get("origin", ours).lower() == ours.lower() and said.get("sec-fetch-site", _OURS) == _OURS
