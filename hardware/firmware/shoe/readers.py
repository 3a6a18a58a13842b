"""Two readers, of which one sends its carrier at a time: which, when, and what they find."""

from pn5180 import COLLISION, READY_US, Silent

INNER, OUTER = 0, 1
TURNS_US = 15000  # they take turns where a card does not move on
RETRY_MS = 1000  # a reader that is silent is set up anew so often


def whose_turn(passage, now, works):
    """The inner reader while the card comes, the outer when it is half out, by the speed of its head; else they
    take turns. None where neither works."""
    if not (works[INNER] and works[OUTER]):
        return INNER if works[INNER] else OUTER if works[OUTER] else None
    lasts, head = now - passage.start, passage.head
    if passage.straight and head is None and lasts < TURNS_US:
        return INNER
    if passage.straight and head is not None and lasts < head * 13:  # 9 of them are a card's whole length
        return INNER if lasts * 2 < head * 9 else OUTER
    return lasts // TURNS_US % 2


class Readers:
    """`works[n]`: reader n answers. One that is silent is left out, and set up anew now and then."""

    def __init__(self, readers, clock):
        self._readers = readers
        self._clock = clock
        self.works = [reader.begin() for reader in readers]
        self._on = None
        self._ready_at = 0
        self._retry_at = 0

    def look(self, number):
        """Ask reader `number` who is there: `(tags, whether several answered at once)`. None while its carrier has
        not been on for long enough, or where it is silent."""
        try:
            if self._on != number:
                self._switch(number)
            if self._clock.us() < self._ready_at:
                return None
            return self._found(self._readers[number])
        except Silent:
            self.works[number] = False
            self._on = None
            return None

    def _found(self, reader):
        found = reader.look()
        if found is None:
            return [], False
        if found == COLLISION:
            return reader.sort(), True
        reader.silence(found)  # whatever else is there answers next
        return [found], False

    def _switch(self, number):
        if self._on is not None:
            self._readers[self._on].field(False)
        self._on = number
        self._readers[number].field(True)
        self._ready_at = self._clock.us() + READY_US

    def rest(self, now_ms):
        """No card is in the mouth: carriers off, silent readers tried again."""
        if self._on is not None:
            number, self._on = self._on, None
            try:
                self._readers[number].field(False)
            except Silent:
                self.works[number] = False
        if now_ms >= self._retry_at and not all(self.works):
            self._retry_at = now_ms + RETRY_MS
            for number, reader in enumerate(self._readers):
                self.works[number] = self.works[number] or reader.begin()
