"""Checks every request before the pages: the host name, the form, the rate of its address.

Refusals are plain text, and nothing in them depends on what the process shows.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from display.server.hosts import Hosts
from display.server.rates import Rate, Rates, is_own_screen, who_is

_REFUSAL = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
}
_STREAMS = ("/events", "/feed/hands")
_SIGNING_IN = ("/sign-in",)
_DATA = ("/api/", "/events", "/picture/", "/clip/")  # fetched by our own pages, never opened by a link
_OURS = ("same-origin", "none")  # `none`: typed into the address bar


class RequestLimits(NamedTuple):
    """Limits of the requests of an address, and of open streams.

    This machine's own screen is counted for streams and signing in only; `own` streams are reserved for it.
    Streams of a signed-in session are counted by session, apart from all others.
    """

    reads: Rate = Rate(per_s=30.0, burst=300)
    presses: Rate = Rate(per_s=10.0, burst=60)
    signing_in: Rate = Rate(per_s=0.5, burst=30)
    streams: int = 256
    streams_per_address: int = 32
    own: int = 32


class RequestFilter:
    """Passes valid requests to `app`, and answers the others with a refusal."""

    def __init__(
        self,
        app: ASGIApp,
        hosts: Hosts,
        limits: RequestLimits | None = None,
        now: Callable[[], float] = time.monotonic,
        *,
        session_of: Callable[[HTTPConnection], str] = lambda _: "",
    ) -> None:
        self._app = app
        self._hosts = hosts
        self._limits = limits or RequestLimits()
        self._now = now
        self._session_of = session_of
        self._reads, self._presses, self._signing_in = map(Rates, self._limits[:3])
        self._streams: Counter[str] = Counter()  # by address
        self._signed_in: Counter[str] = Counter()  # by session

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused = self._refusal(scope)
        if refused is not None:
            await refused(scope, receive, send)
            return
        # Pages are small: parts of them serve nobody but those who make work of it.
        scope["headers"] = [
            (name, value) for name, value in scope["headers"] if name not in (b"range", b"if-range")
        ]
        if scope["path"] in _STREAMS and scope["method"] in ("GET", "HEAD"):
            await self._stream(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _stream(self, scope: Scope, receive: Receive, send: Send) -> None:
        who, session = _who(scope), self._session_of(HTTPConnection(scope))
        streams, whose = (self._signed_in, session) if session else (self._streams, who)
        kept = 0 if session or is_own_screen(who) else self._limits.own
        if streams[whose] >= self._limits.streams_per_address:
            refused = f"this address has {streams[whose]} streams open, as many as an address may; close a page"
        elif streams.total() + kept >= self._limits.streams:
            refused = "as many pages are open as this process serves; close one"
        else:
            streams[whose] += 1
            try:
                await self._app(scope, receive, send)
            finally:
                streams[whose] -= 1
                if not streams[whose]:
                    del streams[whose]
            return
        await refusal(429, refused, **{"retry-after": "10"})(scope, receive, send)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        headers = Headers(scope=scope)
        host, called = headers.get("host", ""), str((scope["server"] or ("",))[0])
        if not self._hosts.allow(host, called):
            return refusal(421, _not_here(host, called))
        path: str = scope["path"]
        if not path.startswith("/"):
            return refusal(400, "the path must begin with /")
        if path.startswith(_DATA) and headers.get("sec-fetch-site", "none") not in _OURS:
            return refusal(403, "refused: a page of another site asked for this")
        if path in _STREAMS and scope["method"] == "HEAD":
            return refusal(405, "a stream is read with GET")
        return self._too_often(_who(scope), path, scope["method"])

    def _too_often(self, who: str, path: str, method: str) -> PlainTextResponse | None:
        own = is_own_screen(who)
        if path in _SIGNING_IN:
            rate, granted, what = self._limits.signing_in, self._signing_in, "tries to sign in"
        elif method not in ("GET", "HEAD"):
            rate, granted, what = self._limits.presses, self._presses, "presses"
        else:
            rate, granted, what = self._limits.reads, self._reads, "requests"
        if (own and path not in _SIGNING_IN) or granted.grant(who, self._now()):
            return None
        wait = math.ceil(1 / rate.per_s)
        return refusal(429, f"too many {what} from this address; wait {wait} s", **{"retry-after": str(wait)})


def _who(scope: Scope) -> str:
    return who_is(scope["client"][0] if scope["client"] else "")


def refusal(status: int, text: str, **more: str) -> PlainTextResponse:
    return PlainTextResponse(f"{text}\n", status, headers=_REFUSAL | more)


def _not_here(host: str, called: str) -> str:
    address = f"[{called}]" if ":" in called else called
    return (
        f"This process does not answer to the name {host[:80]!r}. Open it by its address, {address}, or write the "
        "name into `hosts` under [web] in its configuration."
    )
