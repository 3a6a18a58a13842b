"""Pairing: a screen that nobody is signed in on shows a code; somebody who may enters it on another screen.

The code says which screen is meant and is no secret: it opens nothing by itself. What the waiting browser gets its
session with is a ticket that only it has.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from display.identity.signin import SignInRefused

CODE_S = 120
DIGITS = 6
_MOST = 50  # screens that wait at a time
_MOST_OF_ADDRESS = 5


@dataclass
class Waiting:
    """A screen that shows a code. `person`: whom it was paired as; empty while it waits."""

    ticket: str
    code: str
    until: float
    address: str
    browser: str
    person: str = ""


class Pairing:
    """`now` gives seconds."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._waiting: list[Waiting] = []

    def ask(self, address: str, browser: str, ticket: str = "") -> Waiting:
        """A screen wants a code; the one with this `ticket` gives its old one up. Raise `SignInRefused` where too
        many wait."""
        self._waiting = [one for one in self._open() if one.ticket != ticket]
        if len(self._waiting) >= _MOST or sum(one.address == address for one in self._waiting) >= _MOST_OF_ADDRESS:
            raise SignInRefused(f"Too many screens wait to be paired. Try again in {CODE_S} seconds.", CODE_S)
        taken = {one.code for one in self._waiting}
        code = next(code for code in iter(_draw, "") if code not in taken)
        waiting = Waiting(secrets.token_urlsafe(24), code, self._now() + CODE_S, address, browser)
        self._waiting.append(waiting)
        return waiting

    def shown(self, code: str) -> Waiting | None:
        """The screen that shows `code` and waits."""
        plain = "".join(code.split())
        return next((one for one in self._open() if one.code == plain and not one.person), None)

    def take(self, ticket: str) -> Waiting | None:
        """The screen with this ticket, once it was paired it is forgotten; None: its code has run out."""
        one = next((one for one in self._open() if secrets.compare_digest(one.ticket, ticket)), None)
        if one is not None and one.person:
            self._waiting.remove(one)
        return one

    def _open(self) -> list[Waiting]:
        return [one for one in self._waiting if self._now() < one.until]


def _draw() -> str:
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"
