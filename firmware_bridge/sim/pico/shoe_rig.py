"""A shoe: readers, beams, switches and memory wired to a Pico, and what happens to them."""

from firmware_bridge.sim.pico.air import Air
from firmware_bridge.sim.pico.board import Board
from firmware_bridge.sim.pico.card_path import DARK_AT, Card, beam_edges
from firmware_bridge.sim.pico.pn5180 import Pn5180
from firmware_bridge.sim.pico.tag import Tag
from firmware_bridge.sim.pico.timeline import Happening
from firmware_bridge.sim.pico.wires import Contact, Wire

# Where hardware/firmware/shoe/main.py has them; a test holds the two against each other.
READERS = ((5, 6, 7, 8), (9, 10, 11, 12))  # NSS, BUSY, RST, IRQ
BEAM_PINS = (13, 14)
LID_PIN, DECK_PIN, DARK_PIN = 15, 16, 17
_APPROACH_US = 5_000  # a tag is in the air so long before its card moves
GONE_US = 100_000  # and so long after it has come to rest


class _Nss(Wire):
    def __init__(self, chip: Pn5180) -> None:
        self._chip = chip

    def driven(self, level: int) -> None:
        self._chip.select(not level)


class _Busy(Wire):
    def __init__(self, chip: Pn5180) -> None:
        self._chip = chip

    def level(self) -> int:
        return self._chip.busy()


class _Reset(Wire):
    def __init__(self, chip: Pn5180) -> None:
        self._chip = chip

    def driven(self, level: int) -> None:
        self._chip.reset_pin(level)


class _Irq(Wire):
    def __init__(self, chip: Pn5180) -> None:
        self._chip = chip

    def level(self) -> int:
        return self._chip.irq()


class _Set(Happening):
    """A contact changes."""

    def __init__(self, board: Board, number: int, contact: Contact, level: int) -> None:
        self._board = board
        self._number = number
        self._contact = contact
        self._level = level

    def happen(self, now: int) -> None:
        if self._contact.now != self._level:
            self._contact.now = self._level
            self._board.changed(self._number)


class _Comes(Happening):
    def __init__(self, air: Air, tag: Tag) -> None:
        self._air = air
        self._tag = tag

    def happen(self, now: int) -> None:
        self._air.put(self._tag, now)


class _Goes(_Comes):
    def happen(self, now: int) -> None:
        self._air.take_away(self._tag, now)


class ShoeRig:
    """`air` outlives the Pico: a restart makes a new rig in it."""

    def __init__(self, board: Board, air: Air) -> None:
        self.board = board
        self.air = air
        self.lid, self.deck, self.dark = Contact(0), Contact(1), Contact(1)  # nothing reflects
        self.beams = (Contact(0), Contact(0))
        for pins in READERS:
            chip = Pn5180(board.time, air)
            board.chips.append(chip)
            for number, wire in zip(pins, (_Nss(chip), _Busy(chip), _Reset(chip), _Irq(chip))):  # noqa: B905
                board.join(number, wire)
        for number, contact in zip(BEAM_PINS, self.beams):  # noqa: B905
            board.join(number, contact)
        board.join(LID_PIN, self.lid)
        board.join(DECK_PIN, self.deck)
        board.join(DARK_PIN, self.dark)

    def set(self, number: int, contact: Contact, level: int, at: int) -> None:
        """Let a contact change at `at`."""
        self.board.time.plan(at, _Set(self.board, number, contact, level))

    def edges(self, edges: list[tuple[int, int, int]]) -> None:
        """Let the beams change so: [(time, beam, level)]."""
        for at, beam, level in edges:
            self.set(BEAM_PINS[beam], self.beams[beam], level, at)

    def deal(self, cards: list[Card], edges: list[tuple[int, int, int]] | None = None) -> None:
        """Let these cards move, each at its time. `edges`: of the beams, where they are not those of the cards."""
        self.edges(beam_edges(cards) if edges is None else edges)
        for card in cards:
            start, end = card.motion.knots[0][0], card.motion.knots[-1][0]
            if card.uid is not None:
                tag = Tag(card.uid, card)
                self.board.time.plan(start - _APPROACH_US, _Comes(self.air, tag))
                self.board.time.plan(end + GONE_US, _Goes(self.air, tag))
        above = 0
        for at, change in _white_above(cards):
            above += change
            self.set(DARK_PIN, self.dark, 0 if above else 1, at)


def _white_above(cards: list[Card]) -> list[tuple[int, int]]:
    """When a white card comes above the sensor for the cut card, +1, and when it goes, -1."""
    changes = []
    for card in cards:
        if not card.dark:
            changes += card.motion.crossings(DARK_AT)
            changes += [(at, -way) for at, way in card.motion.crossings(DARK_AT + card.length)]
    return sorted(changes)
