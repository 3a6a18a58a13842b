"""What passes the shoe's mouth: pure logic, edges of the beams and answers of tags in, events out.

Two beams lie behind each other, 8 mm apart: a card is longer, and a gap between two cards that are drawn one by
one is wider. So each edge of a card interrupts or frees one beam and then the other, and their order is its
direction:

    inner, then both     a head comes out           outer, then both     something is pushed in
    inner free first     a tail goes out            outer free first     a head goes back

A *passage* lasts from the moment when a beam is interrupted until both are free. Where it began and where it ended
says what it was. A tag counts for the passage during which it answered; the antennas reach no further than a card
whose edges are at the beams. What is not certain is said so: which tag, how many cards, or which way.
"""

CARD_UM = 63500  # a card's length along the path
BEAMS_UM = 8000  # from one beam to the other
SETTLE_US = 300  # a level that holds for less is dust or a reflection
# Percent of a card's length, by the speeds of head and tail: between these it may be two cards that lie over each
# other. What is longer stood still on its way.
_LONG, _LONGEST = 112, 205
_FASTEST_BACK_US = 40000  # no card is pushed back by its whole length in less

OUT, TOGETHER, BACK, RETURNED, CUT, UNSURE = 1, 2, 3, 4, 5, 6
_INNER, _OUTER = 0, 1


class Event:
    """`what` happened `at` (us). `tags` of the cards, in the order in which they answered."""

    def __init__(self, what, at, tags):
        self.what = what
        self.at = at
        self.tags = tags


class Passage:
    def __init__(self, at, from_inside):
        self.start = at
        self.from_inside = from_inside
        self.tags = []
        self.collided = False
        self.head = None  # the time between both beams at its head, where it came straight out
        self.tail_at = None  # when the inner beam was free again
        self.straight = from_inside
        self.whole = False  # both beams were interrupted at once
        self.rejoined_at = None  # the inner beam was interrupted again while the tail was between the beams
        self.both = self.dark = 0  # for how long both beams were interrupted, and for how long of it was it dark
        self.counted = at  # up to when

    def saw(self, tags, several):
        """These tags answered, or several at once that nobody could tell apart."""
        for tag in tags:
            if tag not in self.tags:
                self.tags.append(tag)
        self.collided = self.collided or several


class Passages:
    """`edge`, `until` and `darkness` in the order of time; they give the events that are certain by then."""

    def __init__(self):
        self._level = [0, 0]
        self._last = [0, 0]  # level as last seen, settled or not
        self._pending = []  # (at, beam, level) that may still be a glitch
        self._now = None  # the passage that goes on
        self._dark = 0
        self.glitches = 0

    @property
    def passing(self):
        """The passage that goes on; None: the mouth is free."""
        return self._now

    # ------------------------------------------------------------------------------------------ inputs

    def edge(self, beam, level, at):
        """A beam was interrupted (1) or is free (0)."""
        events = self.until(at)
        if level == self._last[beam]:
            return events  # its other edge was too short for an interrupt
        self._last[beam] = level
        for place in range(len(self._pending) - 1, -1, -1):
            if self._pending[place][1] == beam:
                del self._pending[place]
                self.glitches += 1
                return events
        self._pending.append((at, beam, level))
        return events

    def until(self, at):
        """Time has passed up to `at`: levels that have held since count."""
        events = []
        while self._pending and at - self._pending[0][0] >= SETTLE_US:
            when, beam, level = self._pending.pop(0)
            self._count(when)
            self._level[beam] = level
            events += self._settled(beam, level, when)
        return events

    def darkness(self, dark, at):
        """The sensor for the cut card sees nothing that reflects, or something does."""
        self._count(at)
        self._dark = dark

    # ------------------------------------------------------------------------------------------- logic

    def _count(self, at):
        """The sensor lies between the beams: while both are interrupted, what it sees is a card."""
        now = self._now
        if now is None or at <= now.counted:
            return
        if self._level[_INNER] and self._level[_OUTER]:
            now.both += at - now.counted
            if self._dark:
                now.dark += at - now.counted
        now.counted = at

    def _settled(self, beam, level, at):
        now = self._now
        if now is None:
            self._now = Passage(at, beam == _INNER) if level else None
            return []
        if level:
            self._covered(now, beam, at)
            return []
        if not self._level[_INNER] and not self._level[_OUTER]:
            return self._over(now, beam, at)
        if beam == _INNER:
            now.tail_at = at
            return []
        return self._outer_free(now, at)

    def _covered(self, now, beam, at):
        both = self._level[_INNER] and self._level[_OUTER]
        if both and beam == _OUTER and now.straight and now.head is None:
            now.head = at - now.start
        elif both and beam == _INNER and now.whole:
            now.rejoined_at = at  # the tail went back a little, or the next card's head is there
            now.straight = False
        now.whole = now.whole or both

    def _outer_free(self, now, at):
        """The outer beam is free while the inner is not: the head went back, or this card is out and the next
        one's head is there."""
        rejoined = now.rejoined_at
        if rejoined is not None and at - rejoined < _FASTEST_BACK_US:
            events = self._out(now, at)
            self._now = Passage(rejoined, True)
            return events
        now.straight = False
        if rejoined is not None:
            now.rejoined_at = -1  # it can be either: said when it is over
        return []

    def _over(self, now, beam, at):
        self._now = None
        if not now.whole:
            return []  # a finger, a card's edge: nothing passed
        inside_now = beam == _INNER  # the last beam to be free is on the side where it went
        if now.rejoined_at == -1:
            return [Event(UNSURE, at, now.tags)]
        if now.from_inside and not inside_now:
            return self._out(now, at)
        if now.from_inside:
            return [Event(BACK, at, now.tags)]
        return [Event(RETURNED, at, now.tags)] if inside_now else []

    def _out(self, now, at):
        length = self._length(now, at)
        if not now.tags and not now.collided and now.dark * 2 > now.both:
            return [Event(CUT, at, [])]
        if len(now.tags) > 1 or now.collided:
            return [Event(TOGETHER, at, now.tags)]
        events = [Event(OUT, at, now.tags)]
        if _LONG < length <= _LONGEST:
            events.append(Event(UNSURE, at, []))
        return events

    def _length(self, now, at):
        """Percent of a card's length, from the speeds of head and tail; 0 where it did not go straight out."""
        if not now.straight or now.head is None or now.tail_at is None or at <= now.tail_at or now.head <= 0:
            return 0
        lasted = now.tail_at - now.start
        fast, slow = BEAMS_UM * lasted // now.head, BEAMS_UM * lasted // (at - now.tail_at)
        return (fast + slow) * 50 // CARD_UM
