"""PINs: a press that needs one waits for it, and one proof is for that press alone. Kept as argon2 hashes, never
logged.

What needs a PIN is decided by the process that carries the press out, by what the press would do. It answers with
the effect; the page sends the PIN with the id of the press to `/pin`, and then the same press again.
"""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import VerificationError
from msgspec.structs import replace

from display.identity.guesses import Guesses
from display.identity.signin import Caller, SignIn, SignInRefused

FRESH_S = 15 * 60  # how long access to the file of the first link counts
ASKED_S = 120  # between the press and the PIN
PROVEN_S = 60  # between the PIN and the same press again
MOST_ASKED = 200  # presses that wait for a PIN; the oldest is forgotten
SHORTEST, LONGEST = 4, 12
_HASHER = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)  # 0.1 s on a Raspberry Pi


@dataclass
class _Asked:
    """A press that waits for its PIN, or whose PIN was given: `said` is the digest of what was pressed, `effect`
    what it would do."""

    said: str
    effect: str
    until: float
    proven: bool = False


class Pins:
    """Presses that wait for a PIN. `required`: nobody moves money without one."""

    def __init__(self, signin: SignIn, *, required: bool = False) -> None:
        self._signin = signin
        self._now = signin.ticks
        self._required = required
        self._asked: dict[tuple[str, str], _Asked] = {}  # by session and press
        self._wrong = Guesses(free=5, first_s=60, longest_s=300, now=signin.ticks)

    def effect_proven(self, caller: Caller, press: str, said: object) -> str | None:
        """The effect for which the PIN of this press was given, which uses the proof up; empty where none was,
        None where the caller is asked for none."""
        assert caller.person is not None
        assert caller.session is not None
        if not (caller.person.pin or self._required) or (caller.person.pin and self._has_the_file(caller)):
            return None
        asked = self._asked.pop((caller.session.key, press), None)
        fits = asked is not None and asked.proven and asked.said == _digest(said) and self._now() < asked.until
        return asked.effect if asked is not None and fits else ""

    def ask(self, caller: Caller, press: str, said: object, effect: str) -> str:
        """The press waits for the PIN now; what the caller must do, as text."""
        assert caller.person is not None
        assert caller.session is not None
        if not caller.person.pin:
            return "Set a PIN first: this room asks for one where money moves."
        self._asked[caller.session.key, press] = _Asked(_digest(said), effect, self._now() + ASKED_S)
        while len(self._asked) > MOST_ASKED:
            del self._asked[next(iter(self._asked))]
        return f"Enter the PIN of {caller.name}."

    def _has_the_file(self, caller: Caller) -> bool:
        """Access to the file of the first link implies access to the file of PINs, so a forgotten PIN may be
        set again."""
        session = caller.session
        return session is not None and session.filed and self._signin.now() < session.made_at + FRESH_S

    async def prove(self, caller: Caller, pin: str, press: str) -> None:
        """Check the caller's `pin` for a press that waits for it. Raise `SignInRefused` where it is wrong, after
        too many wrong ones, and where no such press waits."""
        assert caller.session is not None
        await self._check(caller, pin)
        asked = self._asked.get((caller.session.key, press))
        if asked is None or asked.proven or self._now() >= asked.until:
            raise SignInRefused("That press does not wait for a PIN any more: press again.")
        asked.proven, asked.until = True, self._now() + PROVEN_S

    async def _check(self, caller: Caller, pin: str) -> None:
        assert caller.person is not None
        wait = self._wrong.wait(caller.person.id)
        if wait:
            raise SignInRefused(f"Too many wrong PINs. Try again in {wait} seconds.", wait)
        self._wrong.wrong(caller.person.id)  # before it is looked at: guesses side by side count too
        if not caller.person.pin or not await asyncio.to_thread(_fits, caller.person.pin, pin):
            self._signin.record(caller, "PIN", "wrong", refused=True)
            raise SignInRefused("That is not the PIN.")
        self._wrong.right(caller.person.id)
        self._signin.record(caller, "PIN", "proven")

    async def set(self, caller: Caller, pin: str, old: str) -> None:
        """Raise `SignInRefused` for an invalid PIN, or a wrong `old` one."""
        assert caller.person is not None
        if not (pin.isascii() and pin.isdigit() and SHORTEST <= len(pin) <= LONGEST):
            raise SignInRefused(f"A PIN has {SHORTEST} to {LONGEST} digits.")
        if caller.person.pin and not self._has_the_file(caller):
            await self._check(caller, old)
        hashed = await asyncio.to_thread(_HASHER.hash, pin)
        self._signin.keep(replace(caller.person, pin=hashed))
        self._signin.record(caller, "PIN", "set")


def _fits(hashed: str, pin: str) -> bool:
    try:
        return _HASHER.verify(hashed, pin)
    except VerificationError:
        return False


def _digest(said: object) -> str:
    return hashlib.sha256(msgspec.json.encode(said)).hexdigest()
