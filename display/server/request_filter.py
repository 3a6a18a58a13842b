"""Checks every request before the pages: the host name, the form, the rate of its address.

Refusals are plain text, and nothing in them depends on what the process shows.
"""

from __future__ import annotations

import asyncio
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
from display.server.rates import OF_PHONES, STREAMS, Rate, Rates, is_own_screen, is_stream, who_is

_REFUSAL = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
}
_SIGNING_IN = ("/sign-in",)
_DATA = ("/api/", "/events", "/picture/", "/clip/", "/me/")  # fetched by our own pages, never opened by a link
_OURS = ("same-origin", "none")  # `none`: typed into the address bar


class RequestLimits(NamedTuple):
    """Limits of the requests of an address, and of open streams.

    This machine's own screen is counted for streams and signing in only; `own` streams are reserved for it.
    Requests and streams of a signed-in session are counted by session, apart from all others; streams of players'
    phones (`phones`) apart from both, and by no address: a hall may be one.
    """

    reads: Rate = Rate(per_s=30.0, burst=300)
    presses: Rate = Rate(per_s=10.0, burst=60)
    signing_in: Rate = Rate(per_s=0.5, burst=30)
    streams: int = 256
    streams_per_address: int = 32
    own: int = 32
    phones: int = 400


# Where every phone of the hall asks, perhaps all behind one address: a page is eight requests.
REQUESTS_OF_PHONES = RequestLimits(reads=Rate(per_s=60.0, burst=600))


class PhoneStream:
    """An open stream of a phone: woken where there is news, and ended where another takes its place."""

    KEY = "feltwire.phone"  # of a request's scope

    def __init__(self) -> None:
        self.news = asyncio.Event()
        self.ends = False

    def end(self) -> None:
        self.ends = True
        self.news.set()


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
        player_of: Callable[[HTTPConnection], str] = lambda _: "",
    ) -> None:
        self._app = app
        self._hosts = hosts
        self._limits = limits or RequestLimits()
        self._now = now
        self._session_of = session_of
        self._player_of = player_of
        self._reads, self._presses, self._signing_in = map(Rates, self._limits[:3])
        self._streams: Counter[str] = Counter()  # by address
        self._signed_in: Counter[str] = Counter()  # by session
        self._phones: dict[PhoneStream, bool] = {}  # whether the player is proven

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused = self._refusal(scope)
        if refused is not None:
            await refused(scope, receive, send)
            return
        # Pages are small: parts of them serve nobody but those who make work of it.
        scope["headers"] = [
            (name, value) for name, value in scope["headers"] if name not in (b"range", b"if-range")
        ]
        if scope["path"] == OF_PHONES and scope["method"] == "GET":
            await self._phone(scope, receive, send)
        elif scope["path"] in STREAMS and scope["method"] == "GET":
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

    async def _phone(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A stream of a phone. Where all are taken, one with a player's code takes the place of the oldest without
        one."""
        proven = bool(self._player_of(HTTPConnection(scope)))
        if len(self._phones) >= self._limits.phones:
            oldest = next((stream for stream, is_proven in self._phones.items() if not is_proven), None)
            if not proven or oldest is None:
                full = "as many phones are here as this process serves"
                await refusal(429, full, **{"retry-after": "30"})(scope, receive, send)
                return
            del self._phones[oldest]
            oldest.end()
        stream = scope[PhoneStream.KEY] = PhoneStream()
        self._phones[stream] = proven
        try:
            await self._app(scope, receive, send)
        finally:
            self._phones.pop(stream, None)

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
        if is_stream(path) and scope["method"] == "HEAD":
            return refusal(405, "a stream is read with GET")
        return self._too_often(scope, path, scope["method"])

    def _too_often(self, scope: Scope, path: str, method: str) -> PlainTextResponse | None:
        """Who is signed in is counted by session: strangers behind the same address take nothing of it."""
        who = _who(scope)
        own = is_own_screen(who)
        if path in _SIGNING_IN:
            rate, granted, what = self._limits.signing_in, self._signing_in, "tries to sign in"
        elif method not in ("GET", "HEAD"):
            rate, granted, what = self._limits.presses, self._presses, "presses"
        else:
            rate, granted, what = self._limits.reads, self._reads, "requests"
        if own and path not in _SIGNING_IN:
            return None
        session = "" if path in _SIGNING_IN else self._session_of(HTTPConnection(scope))
        if granted.grant(f"session {session}" if session else who, self._now()):
            return None
        wait = math.ceil(1 / rate.per_s)
        # Requests that lie behind this one on its connection would cost as much as they are many.
        headers = {"retry-after": str(wait), "connection": "close"}
        return refusal(429, f"too many {what} from this address; wait {wait} s", **headers)


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
