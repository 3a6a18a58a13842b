"""Signing in as tournament director: a link that works once, then a signed cookie.

There is no password, so there is none to guess or to leave at its default. Whoever starts the station gets
the link; opening it makes that browser the TD's until the session ends. Everyone else is a viewer.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from enum import StrEnum

SESSION_S = 16 * 3600  # a long tournament day
_REMEMBERED = 1000  # used links that are still recognised as used


class Role(StrEnum):
    VIEWER = "viewer"
    TD = "td"


class SignInRefused(Exception):
    """A link that does not sign anybody in; the text says why and what to do."""


class SignIn:
    """Issues one-time links and recognises the cookies that they became.

    `secret` signs the cookies: the same one after a restart keeps the TD signed in; left out, a fresh one is
    drawn. `name` keeps apart the cookies of processes on one host, since browsers do not tell ports apart.
    `now` is the wall clock in seconds.
    """

    def __init__(
        self, *, secret: bytes | None = None, name: str = "station", now: Callable[[], float] = time.time
    ) -> None:
        self.cookie = f"feltwire-{name}"
        self._secret = secret if secret is not None else secrets.token_bytes(32)
        self._now = now
        self._open: set[bytes] = set()
        self._used: dict[bytes, None] = {}

    def new_link(self) -> str:
        """A path with a fresh token, `/td?token=…`; put the server's address in front."""
        token = secrets.token_urlsafe(24)
        self._open.add(_digest(token))
        return f"/td?token={token}"

    def redeem(self, token: str) -> str:
        """The cookie that `token` buys, once. Raise `SignInRefused` for a used or unknown one."""
        digest = _digest(token)
        if digest in self._used:
            raise SignInRefused("This link has been used. It signs in one browser, once; ask for a new one.")
        if digest not in self._open:
            raise SignInRefused("This link is not valid here. It may be mistyped or older than the last restart.")
        self._open.remove(digest)
        self._used[digest] = None
        while len(self._used) > _REMEMBERED:
            del self._used[next(iter(self._used))]
        return self._signed(f"{Role.TD}.{int(self._now() + SESSION_S)}.{secrets.token_hex(8)}")

    def role(self, cookie: str | None) -> Role:
        """TD for an unexpired cookie that this secret signed; viewer for anything else."""
        text, _, signature = (cookie or "").rpartition(".")
        if not hmac.compare_digest(self._signature(text).encode(), signature.encode()):
            return Role.VIEWER
        role, expires, _ = text.split(".")
        return Role(role) if self._now() < int(expires) else Role.VIEWER

    def _signed(self, text: str) -> str:
        return f"{text}.{self._signature(text)}"

    def _signature(self, text: str) -> str:
        return hmac.new(self._secret, text.encode(), hashlib.sha256).hexdigest()


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
