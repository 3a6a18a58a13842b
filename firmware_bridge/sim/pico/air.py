"""Readers and tags near each other: who hears whom, collisions, weak fields.

What is known of the physics and is modelled:

- A tag works from a least field on, and loses what it was told (to be quiet, its slot) when the field falls below.
- Near that least field requests and responses are damaged now and then; the chance falls quickly with the field.
- Responses that overlap and are about as strong collide: the receiver follows their common bits up to the first
  difference. Where one is much stronger it is received, and the other unnoticed (capture).
- Two readers that send their carriers at once disturb each other's reception.
"""

from firmware_bridge.sim.pico.iso15693 import T1_US, T2_US, T3_US, request_us
from firmware_bridge.sim.pico.tag import MINIMUM, Tag, response_us

_CAPTURE = 2_500  # thousandths: the stronger of two responses by so much is received alone
_WEAK = ((1_080, 600), (1_200, 200), (1_400, 30), (2_000, 4))  # of 1000 frames in less field: damaged


class Heard:
    """What a reader receives of one response window. `start`, `end`: when (us). `data` with its CRC as received;
    `collision`: position of the first bit that differed, None for none; `damaged`: the signal was disturbed."""

    def __init__(self, start: int, end: int, data: bytes, collision: int | None, damaged: bool) -> None:
        self.start = start
        self.end = end
        self.data = data
        self.collision = collision
        self.damaged = damaged


class Air:
    """Tags come and go in `tags`. `seed` decides which frames in weak fields are damaged."""

    def __init__(self, seed: int = 1) -> None:
        self._tags: list[Tag] = []
        self._sending: list[int] = []  # readers whose carrier is on
        self._readers = 0
        self._state = (seed * 2654435761 + 12345) % 4294967296

    def new_reader(self) -> int:
        """The number of one more reader."""
        self._readers += 1
        return self._readers - 1

    def put(self, tag: Tag, now: int) -> None:
        self._follow(now)
        tag.follow([], now)
        self._tags.append(tag)

    def take_away(self, tag: Tag, now: int) -> None:
        self._follow(now)
        self._tags.remove(tag)
        tag.follow([], now)

    def carrier(self, reader: int, on: bool, now: int) -> None:
        """`reader` switches its carrier on or off."""
        self._follow(now)
        if on and reader not in self._sending:
            self._sending.append(reader)
        elif not on and reader in self._sending:
            self._sending.remove(reader)

    def request(self, reader: int, request: bytes, start: int) -> Heard | None:
        """`reader` sends `request` (with its CRC; empty: an EOF) from `start` on; the answer, None for none."""
        self._follow(start)
        ready = [tag for tag in self._tags if tag.ready(start)]
        end = start + request_us(len(request))
        self._follow(end)
        if reader not in self._sending:
            return None
        answers = [answer for answer in [self._answer(tag, reader, request, end) for tag in ready] if answer]
        return self._superposed(answers, end + T1_US)

    def _answer(self, tag: Tag, reader: int, request: bytes, end: int) -> tuple[int, bytes] | None:
        """How strongly and what `tag` answers to a request that ends at `end`. Where its field falls too low
        while it answers, the strength says so."""
        strength = tag.field.strength(reader, end)
        if not tag.powered or strength < MINIMUM or self._damages(strength):
            return None
        tag.deaf_until = end + T3_US
        answer = tag.take(request)
        if answer is None:
            return None
        over = end + T1_US + response_us(answer)
        tag.deaf_until = over + T2_US
        return min(strength, tag.field.strength(reader, over)), answer

    def _superposed(self, answers: list[tuple[int, bytes]], start: int) -> Heard | None:
        if not answers:
            return None
        answers.sort(key=_strongest_first)
        strength, data = answers[0]
        end = start + response_us(data)
        damaged = strength < MINIMUM or self._damages(strength) or len(self._sending) > 1
        if len(answers) == 1 or strength * 1_000 >= answers[1][0] * _CAPTURE:
            return Heard(start, end, data, None, damaged)
        merged, collision = _merged([answer for _, answer in answers])
        return Heard(start, end, merged, collision, damaged)

    def _follow(self, now: int) -> None:
        for tag in self._tags:
            tag.follow(self._sending, now)

    def _damages(self, strength: int) -> bool:
        for below, chance in _WEAK:
            if strength < below:
                return self._chance(1_000) < chance
        return False

    def _chance(self, below: int) -> int:
        self._state = (self._state * 1664525 + 1013904223) % 4294967296
        return (self._state >> 8) % below


def _strongest_first(answer: tuple[int, bytes]) -> int:
    return -answer[0]


def _merged(answers: list[bytes]) -> tuple[bytes, int | None]:
    """Responses on top of each other: the bits that all have in common, then noise; where they first differ."""
    longest = max([len(answer) for answer in answers])
    merged = bytearray(longest)
    first = None
    for at in range(longest):
        there = [answer[at] if at < len(answer) else 0 for answer in answers]
        for byte in there:
            merged[at] |= byte
        differ = 0
        for byte in there:
            differ |= byte ^ there[0]
        if differ and first is None:
            first = 8 * at + _lowest_bit(differ)
    return bytes(merged), first


def _lowest_bit(byte: int) -> int:
    bit = 0
    while not byte >> bit & 1:
        bit += 1
    return bit
