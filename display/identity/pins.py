"""PINs for commands that move money: each proof counts for one press, kept as an argon2 hash, never logged."""

from __future__ import annotations

import asyncio

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError
from msgspec.structs import replace

from display.identity.guesses import Guesses
from display.identity.signin import Caller, SignIn, SignInRefused

FRESH_S = 15 * 60  # how long access to the file of the first link counts
PROVEN_S = 60  # between the PIN and the press that it is for
SHORTEST, LONGEST = 4, 12
_HASHER = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)  # 0.1 s on a Raspberry Pi


class Pins:
    """Sessions that have just given a PIN. `required`: nobody moves money without one."""

    def __init__(self, signin: SignIn, *, required: bool = False) -> None:
        self._signin = signin
        self._now = signin.ticks
        self._required = required
        self._proven: dict[str, float] = {}  # session: until
        self._wrong = Guesses(free=5, first_s=60, longest_s=300, now=signin.ticks)

    def spent(self, caller: Caller) -> str:
        """Uses up the PIN given for this press. What the caller must do first, as text; empty for nothing."""
        assert caller.person is not None
        assert caller.session is not None
        if not caller.person.pin:
            return "Set a PIN first: this room asks for one where money moves." if self._required else ""
        proven = self._now() < self._proven.pop(caller.session.key, 0.0)
        return "" if proven or self._has_the_file(caller) else f"Enter the PIN of {caller.name}."

    def _has_the_file(self, caller: Caller) -> bool:
        """Access to the file of the first link implies access to the file of PINs, so a forgotten PIN may be
        set again."""
        session = caller.session
        return session is not None and session.filed and self._signin.now() < session.made_at + FRESH_S

    async def prove(self, caller: Caller, pin: str) -> None:
        """Check the caller's `pin`. Raise `SignInRefused` where it is wrong, or after too many wrong ones."""
        assert caller.person is not None
        assert caller.session is not None
        wait = self._wrong.wait(caller.person.id)
        if wait:
            raise SignInRefused(f"Too many wrong PINs. Try again in {wait} seconds.", wait)
        self._wrong.wrong(caller.person.id)  # before it is looked at: guesses side by side count too
        if not caller.person.pin or not await asyncio.to_thread(_fits, caller.person.pin, pin):
            self._signin.record(caller, "PIN", "wrong", refused=True)
            raise SignInRefused("That is not the PIN.")
        self._wrong.right(caller.person.id)
        self._proven = {key: until for key, until in self._proven.items() if until > self._now()}
        self._proven[caller.session.key] = self._now() + PROVEN_S
        self._signin.record(caller, "PIN", "proven")

    async def set(self, caller: Caller, pin: str, old: str) -> None:
        """Raise `SignInRefused` for an invalid PIN, or a wrong `old` one."""
        assert caller.person is not None
        if not (pin.isascii() and pin.isdigit() and SHORTEST <= len(pin) <= LONGEST):
            raise SignInRefused(f"A PIN has {SHORTEST} to {LONGEST} digits.")
        if caller.person.pin and not self._has_the_file(caller):
            await self.prove(caller, old)
        hashed = await asyncio.to_thread(_HASHER.hash, pin)
        self._signin.keep(replace(caller.person, pin=hashed))
        self._signin.record(caller, "PIN", "set")


def _fits(hashed: str, pin: str) -> bool:
    try:
        return _HASHER.verify(hashed, pin)
    except VerificationError:
        return False
