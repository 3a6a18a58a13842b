"""An ISO 15693 tag in a card: what powers it, and what it answers."""

from firmware_bridge.sim.pico import iso15693
from firmware_bridge.sim.pico.iso15693 import (
    FLAG_ADDRESSED,
    FLAG_HIGH_RATE,
    FLAG_INVENTORY,
    FLAG_ONE_SLOT,
    FLAG_TWO_SUBCARRIERS,
    INVENTORY,
    READY_US,
    RESET_TO_READY,
    STAY_QUIET,
    with_crc,
)

MINIMUM = 1_000  # the field that a tag just works in
_STEP_US = 400  # how closely a tag's power is followed
_MOST_STEPS = 64


class Field:
    """The field of each reader at one tag, over time; subclasses say it."""

    def strength(self, reader: int, at: int) -> int:
        """In thousandths of the least field in which the tag works, while `reader` sends its carrier."""
        raise NotImplementedError


class Steady(Field):
    """The same field for ever: `strengths[n]` of reader n."""

    def __init__(self, *strengths: int) -> None:
        self.strengths = list(strengths)

    def strength(self, reader: int, at: int) -> int:
        return self.strengths[reader] if reader < len(self.strengths) else 0


class Tag:
    """`uid` as it is printed, most significant byte first (`E0…`)."""

    def __init__(self, uid: bytes, field: Field, dsfid: int = 0) -> None:
        self.uid = uid
        self.field = field
        self.quiet = False
        self._sent_uid = bytes(list(reversed(uid)))
        self._dsfid = dsfid
        self._powered_since: int | None = None
        self._followed_to = 0
        self._slot: int | None = None  # of the inventory that runs, counted down by each EOF
        self.deaf_until = 0  # t2 after its response, t3 after a request that it did not answer

    def __repr__(self) -> str:
        return "Tag(••)"

    def follow(self, readers: list[int], now: int) -> None:
        """Follow the tag's power up to `now`; since the last call these readers have sent their carrier."""
        span = now - self._followed_to
        if span <= 0:
            return
        steps = min(_MOST_STEPS, (span + _STEP_US - 1) // _STEP_US)
        start = self._followed_to
        for step in range(steps + 1):
            self._power(readers, start + span * step // steps)
        self._followed_to = now

    def _power(self, readers: list[int], at: int) -> None:
        if self.strength(readers, at) < MINIMUM:
            self._powered_since, self._slot, self.quiet = None, None, False
        elif self._powered_since is None:
            self._powered_since = at

    def strength(self, readers: list[int], at: int) -> int:
        return max([self.field.strength(reader, at) for reader in readers]) if readers else 0

    def ready(self, since: int) -> bool:
        """Whether it has had power long enough to take a request that began at `since`."""
        return self._powered_since is not None and self._powered_since + READY_US <= since >= self.deaf_until

    @property
    def powered(self) -> bool:
        return self._powered_since is not None

    def take(self, request: bytes) -> bytes | None:
        """What it answers to a request, CRCs included; None: nothing. An empty request is an EOF."""
        if not request:
            return self._next_slot()
        self._slot = None
        if len(request) < 4 or with_crc(request[:-2]) != request:
            return None
        flags, command, rest = request[0], request[1], request[2:-2]
        if flags & FLAG_TWO_SUBCARRIERS or not flags & FLAG_HIGH_RATE:
            return None  # a response that the reader, set to one subcarrier and the high rate, does not hear
        if flags & FLAG_INVENTORY:
            return self._inventory(flags, rest) if command == INVENTORY else None
        return self._other(flags, command, rest)

    def _inventory(self, flags: int, rest: bytes) -> bytes | None:
        if self.quiet or not rest:
            return None
        bits, mask = rest[0], rest[1:]
        if bits > 64 or len(mask) != (bits + 7) // 8:
            return None
        own = int.from_bytes(self._sent_uid, "little")
        if (own ^ int.from_bytes(mask, "little")) & ((1 << bits) - 1):
            return None
        if flags & FLAG_ONE_SLOT:
            return self._identity()
        self._slot = (own >> bits) & 15
        return self._identity() if self._slot == 0 else None

    def _next_slot(self) -> bytes | None:
        if self._slot is None or self._slot == 0:
            self._slot = None
            return None
        self._slot -= 1
        return self._identity() if self._slot == 0 else None

    def _identity(self) -> bytes:
        return with_crc(bytes((0, self._dsfid)) + self._sent_uid)

    def _other(self, flags: int, command: int, rest: bytes) -> bytes | None:
        addressed = bool(flags & FLAG_ADDRESSED)
        if addressed and rest[:8] != self._sent_uid:
            return None
        if command == STAY_QUIET:
            self.quiet = self.quiet or addressed  # it has no answer
            return None
        if self.quiet and not addressed:
            return None
        if command == RESET_TO_READY:
            self.quiet = False
            return with_crc(b"\x00")
        return with_crc(b"\x01\x01") if addressed else None  # error: not supported


def response_us(response: bytes) -> int:
    return iso15693.response_us(len(response))
