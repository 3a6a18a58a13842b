"""Pairing: a screen without a session shows a code; a person who may pair screens enters it on another screen.

The code only names the screen and is no secret. The waiting browser gets its session with a ticket that only it
has.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from display.identity.signin import SignInRefused

CODE_S = 120
DIGITS = 6
_MOST = 1_000  # screens that wait at a time; the oldest of whoever has most makes room
_MOST_OF_ADDRESS = 5


@dataclass
class Waiting:
    """A screen that shows a code. `person`: the identity it was paired with; empty while it waits."""

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
        """A new code for a screen; an earlier code of the same `ticket` ends. Raise `SignInRefused` where too
        many of this address wait."""
        self._waiting = [one for one in self._open() if one.ticket != ticket]
        of = Counter(one.address for one in self._waiting)
        if of[address] >= _MOST_OF_ADDRESS:
            raise SignInRefused(f"Too many screens wait to be paired. Try again in {CODE_S} seconds.", CODE_S)
        if len(self._waiting) >= _MOST:
            self._waiting.remove(max(self._waiting, key=lambda one: of[one.address]))
        taken = {one.code for one in self._waiting}
        code = next(code for code in iter(_draw, "") if code not in taken)
        waiting = Waiting(secrets.token_hex(24), code, self._now() + CODE_S, address, browser)
        self._waiting.append(waiting)
        return waiting

    def shown(self, code: str) -> Waiting | None:
        """The screen that shows `code` and waits."""
        plain = "".join(code.split())
        return next((one for one in self._open() if one.code == plain and not one.person), None)

    def take(self, ticket: str) -> Waiting | None:
        """The screen with this ticket, which is then forgotten; None: its code has expired."""
        one = next((one for one in self._open() if secrets.compare_digest(one.ticket, ticket)), None)
        if one is not None and one.person:
            self._waiting.remove(one)
        return one

    def _open(self) -> list[Waiting]:
        return [one for one in self._waiting if self._now() < one.until]


def _draw() -> str:
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"
