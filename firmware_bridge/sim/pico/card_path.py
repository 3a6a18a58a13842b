"""Cards on their way out of the shoe: which beam each interrupts when, and the field of each antenna at its tag.

Lengths are micrometres, times microseconds. The path runs outwards; 0 is where a card's head interrupts beam A. A
card lies across the path, so it travels along its short side, and its tag sits in its middle.

The field of a flat antenna at a flat tag that slides over it is their mutual inductance: highest with their
middles on each other, zero where as much flux enters the tag's coil as leaves it, weak and reversed beyond.
"""

from firmware_bridge.sim.pico.tag import Field

CARD = 63_500
BEAM_A = 0
BEAM_B = 8_000
BEAMS = (BEAM_A, BEAM_B)
DARK_AT = 4_000  # where the sensor for the cut card looks
ANTENNAS = (-12_000, 20_000)  # the middles of the two antennas
BEHIND = -20_000  # where a card's head lies before it is drawn: its tag is beyond the antennas
_NULL = 26_000  # offset at which antenna and tag do not couple
_SPREAD = 20_000


class Motion:
    """Where a card's head is, along straight lines between `knots`: (time, position), in the order of time."""

    def __init__(self, knots: list[tuple[int, int]]) -> None:
        self.knots = knots

    def head(self, at: int) -> int:
        before = self.knots[0]
        if at <= before[0]:
            return before[1]
        for after in self.knots:
            if after[0] >= at:
                span = after[0] - before[0]
                return after[1] if span == 0 else before[1] + (after[1] - before[1]) * (at - before[0]) // span
            before = after
        return before[1]

    def crossings(self, position: int) -> list[tuple[int, int]]:
        """When the head reaches `position`, and in which direction: [(time, 1 outwards or -1 back)]."""
        found = []
        before = self.knots[0]
        for after in self.knots[1:]:
            (t0, s0), (t1, s1) = before, after
            if s0 < position <= s1:
                found.append((t0 + (t1 - t0) * (position - s0) // (s1 - s0), 1))
            elif s1 < position <= s0:
                found.append((t0 + (t1 - t0) * (s0 - position) // (s0 - s1), -1))
            before = after
        return found


class Card(Field):
    """A card that moves. `uid`: of its tag, None: it has none, or a dead one. `peak`: the field of an antenna at
    the tag right above it, in thousandths of the least in which the tag works. `dark`: it is the cut card."""

    def __init__(
        self, uid: bytes | None, peak: int, knots: list[tuple[int, int]], length: int = CARD, dark: bool = False
    ) -> None:
        self.uid = uid
        self.peak = peak
        self.motion = Motion(knots)
        self.length = length
        self.dark = dark

    def __repr__(self) -> str:
        return "Card(••)"

    def strength(self, reader: int, at: int) -> int:
        return self.peak * coupling(self.motion.head(at) - self.length // 2 - ANTENNAS[reader]) // 1_000

    def covers(self) -> list[tuple[int, int, int]]:
        """What it does to the beams: [(time, beam 0 or 1, 1 begins to cover it or -1 ends)]."""
        changes = []
        for beam, position in enumerate(BEAMS):
            for at, way in self.motion.crossings(position):
                changes.append((at, beam, way))
            for at, way in self.motion.crossings(position + self.length):
                changes.append((at, beam, -way))
        return changes


def coupling(offset: int) -> int:
    """Antenna to tag, in thousandths of the best, for the distance of their middles along the path."""
    x = offset / _NULL
    y = offset / _SPREAD
    return int(abs(1_000 * (1 - x * x) / (1 + y * y) ** 2.5))


def beam_edges(cards: list[Card]) -> list[tuple[int, int, int]]:
    """The edges of both beams: [(time, beam, 1 interrupted or 0 free)], in the order of time."""
    changes = []
    for card in cards:
        changes.extend(card.covers())
    changes.sort()
    covering = [0, 0]
    edges = []
    for at, beam, way in changes:
        before = covering[beam]
        covering[beam] += way
        if (before > 0) != (covering[beam] > 0):
            edges.append((at, beam, 1 if covering[beam] > 0 else 0))
    return edges
