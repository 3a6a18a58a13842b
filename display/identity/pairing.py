"""Screens without a session that wait for a person: each shows a code, on which somebody acts elsewhere.

The code only names the screen and is no secret. The waiting browser gets its session with a ticket, a cookie that
only it has; only its hash is kept. For pairing a person enters the code, for admission a person compares it.
"""

from __future__ import annotations

import hashlib
import secrets
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from display.identity.signin import SignInRefused

CODE_S = 120
DIGITS = 6
_MOST = 1_000  # screens that wait at a time; the oldest of whoever has most makes room
_MOST_OF_ADDRESS = 5


@dataclass
class Waiting:
    """A screen that shows a code. `id` names it and opens nothing; `person`: the identity it was paired with,
    empty while it waits."""

    ticket: str  # SHA-256 of it
    code: str
    asked: float
    until: float
    address: str
    browser: str
    person: str = ""
    id: str = field(default_factory=lambda: secrets.token_hex(12))


class Pairing:
    """`now` gives seconds. A code has so many `digits` and lasts `lasts_s`; at most `most` screens wait."""

    def __init__(
        self, now: Callable[[], float], *, digits: int = DIGITS, lasts_s: int = CODE_S, most: int = _MOST
    ) -> None:
        self._now = now
        self._digits = digits
        self._lasts_s = lasts_s
        self._most = most
        self._waiting: list[Waiting] = []

    def ask(
        self, address: str, browser: str, ticket: str = "", taken: Collection[str] = ()
    ) -> tuple[Waiting, str]:
        """A new code for a screen, none of those `taken`, and the ticket for it; an earlier code of the same
        `ticket` ends. Raise `SignInRefused` where too many of this address wait."""
        self._waiting = [one for one in self.waiting() if one.ticket != _digest(ticket)]
        of = Counter(one.address for one in self._waiting)
        if of[address] >= _MOST_OF_ADDRESS:
            text = f"Too many screens of this address wait already. Try again in {self._lasts_s} seconds."
            raise SignInRefused(text, self._lasts_s)
        if len(self._waiting) >= self._most:
            self._waiting.remove(max(self._waiting, key=lambda one: of[one.address]))
        shown = {one.code for one in self._waiting} | {*taken}
        code = next(code for code in iter(self._draw, "") if code not in shown)
        fresh, now = secrets.token_hex(24), self._now()
        waiting = Waiting(_digest(fresh), code, now, now + self._lasts_s, address, browser)
        self._waiting.append(waiting)
        return waiting, fresh

    def shown(self, code: str) -> Waiting | None:
        """The screen that shows `code` and waits."""
        plain = "".join(code.split())
        return next((one for one in self.waiting() if one.code == plain and not one.person), None)

    def of(self, ticket: str) -> Waiting | None:
        """The screen with this ticket; None: its code has expired."""
        digest = _digest(ticket)
        return next((one for one in self.waiting() if secrets.compare_digest(one.ticket, digest)), None)

    def take(self, ticket: str) -> Waiting | None:
        """As `of`; one that was paired is then forgotten."""
        one = self.of(ticket)
        if one is not None and one.person:
            self.forget(one)
        return one

    def forget(self, one: Waiting) -> None:
        self._waiting.remove(one)

    def waiting(self) -> list[Waiting]:
        """Those whose code has not expired, the oldest first."""
        return [one for one in self._waiting if self._now() < one.until]

    def _draw(self) -> str:
        return f"{secrets.randbelow(10**self._digits):0{self._digits}}"


def _digest(ticket: str) -> str:
    return hashlib.sha256(ticket.encode(errors="replace")).hexdigest()
