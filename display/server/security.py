"""Security headers of every answer, and the same-origin check of requests."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_OURS = "same-origin"
ON_AIR = "/air/"
TEMPLATE = "/template/"  # its page names the script that it holds, and says nothing of who may frame it
# The demo's landing page shows the pages of other processes, which have other ports on this machine.
LOCAL_FRAMES = ("'self'", "http://127.0.0.1:*", "http://localhost:*")


class SecurityHeaders:
    """Adds the content security policy and its companions to every answer.

    `frames` are the sources whose pages may frame ours and be framed by ours (the demo's landing page). The pages
    on air alone take styles that a streaming program puts into them (OBS: *custom CSS*); what those name, pictures
    and fonts, still comes from here only.
    """

    def __init__(self, app: ASGIApp, frames: Sequence[str] = LOCAL_FRAMES) -> None:
        self._app = app
        allowed = " ".join(frames)
        self._ancestors = f"frame-ancestors {allowed}"
        self._policy = (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
            "font-src 'self'; form-action 'self'; base-uri 'none'; "
            f"frame-src {allowed}; {self._ancestors}"
        )
        self._policy_on_air = self._policy.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                on_air = scope["path"].startswith(ON_AIR)
                own = headers.get("content-security-policy") if scope["path"].startswith(TEMPLATE) else None
                policy = self._policy_on_air if on_air else self._policy
                headers["content-security-policy"] = f"{own}; {self._ancestors}" if own else policy
                headers["x-content-type-options"] = "nosniff"
                headers["referrer-policy"] = "no-referrer"
                headers["cross-origin-opener-policy"] = "same-origin"
                headers["cross-origin-resource-policy"] = "same-origin"
                headers.setdefault("cache-control", "no-cache")
            await send(message)

        await self._app(scope, receive, send_with_headers)


def same_origin(request: Request) -> bool:
    """False for a request that a page of another origin sent. Scripts, which send no origin, pass."""
    said = request.headers
    ours = f"{request.scope['scheme']}://{said.get('host', '')}"
    return said.get("origin", ours).lower() == ours.lower() and said.get("sec-fetch-site", _OURS) == _OURS
