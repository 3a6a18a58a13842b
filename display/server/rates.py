"""Rate limits by address: a token bucket for each."""

from __future__ import annotations

from collections import OrderedDict
from ipaddress import IPv6Network
from typing import NamedTuple

from display.server.hosts import address_of

STREAMS = ("/events", "/feed/hands")
OF_PHONES = "/me/events"  # the stream of a player's phone
_MOST_REMEMBERED = 4096  # addresses; the one that was silent longest is forgotten first


class Rate(NamedTuple):
    per_s: float
    burst: int


class Rates:
    """Token buckets of one limit. `now` is monotonic seconds."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # tokens, and when

    def grant(self, who: str, now: float) -> bool:
        """Takes one token of `who`; False when none is left."""
        left, then = self._left.pop(who, (float(self._rate.burst), now))
        left = min(float(self._rate.burst), left + (now - then) * self._rate.per_s)
        granted = left >= 1.0
        self._left[who] = (left - 1.0 if granted else left, now)
        if len(self._left) > _MOST_REMEMBERED:
            self._left.popitem(last=False)
        return granted

    @property
    def remembered(self) -> int:
        return len(self._left)


def who_is(peer: str) -> str:
    """The key that limits count by: an address; of IPv6 its /64 network, since one machine has all of it."""
    address = address_of(peer)
    if address is None:
        return ""
    return str(address) if address.version == 4 else str(IPv6Network((int(address) >> 64 << 64, 64)))


def is_own_screen(who: str) -> bool:
    """Whether `who` is the browser of this machine, as it asks for `127.0.0.1` or `localhost`."""
    return who in _OWN_SCREEN


def is_stream(path: str) -> bool:
    return path in STREAMS or path == OF_PHONES


_OWN_SCREEN = frozenset({"127.0.0.1", who_is("::1")})
