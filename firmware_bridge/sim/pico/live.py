"""A device's firmware on its simulated board, in real time: its serial line and what happens to it come from
outside.

What happens to it is told in words:

    press CODE                     a finger presses a key and lets it go
    contact CODE T,LEVEL ...       the contact of a key changes, T microseconds from now
    deal TAG ...                   cards are drawn one by one; `-` for one without a working tag
    together UM TAG TAG            two cards are drawn at once, the second so many micrometres behind the first
    back TAG                       a card is drawn halfway and pushed back
    return TAG                     a card is pushed into the mouth from outside
    cut                            the cut card is drawn
    lid 0|1, deck 0|1              the lid is open, a deck lies in the shoe
    power                          it is switched off and on again

It says `lamp N R G B` and `tone HERTZ` when those change.

Where nothing happens its time passes at once, however long its main loop would have turned: a device at rest costs
next to nothing, and on a slow machine a card passes slowly but is never jumped over.
"""

import sys

from firmware_bridge.sim.pico.air import Air
from firmware_bridge.sim.pico.board import Board
from firmware_bridge.sim.pico.card_path import BEHIND, CARD, Card
from firmware_bridge.sim.pico.fram import Fram
from firmware_bridge.sim.pico.keypad_rig import KeypadRig
from firmware_bridge.sim.pico.modules import modules_of
from firmware_bridge.sim.pico.shoe_rig import DECK_PIN, LID_PIN, ShoeRig
from firmware_bridge.sim.pico.timeline import TimeLine
from firmware_bridge.sim.pico.wires import Loose

FINGER_US = 40_000  # a press lasts so long, and the next one comes so long after it
PEAK = 12_000  # the field at a tag right above an antenna
GONE = 160_000
DRAW_US = 150_000  # from one card to the next
SPEED_UM_MS = 1_000  # micrometres a millisecond
_BATCH_US = 2_000  # where something happens, a turn comes so often
_AT_REST_US = 50_000  # and so often where nothing does
_QUIET_US = {"keypad": 12_000, "shoe": 30_000}  # so long after something happened all contacts have settled
_BEFORE_US = {"keypad": 3_000, "shoe": 200_000}  # nothing is left out so shortly before something happens
_AT_ONCE_US = 500_000  # the watchdog is fed in between
_MOST_STEPS = 60  # in a turn


class Stepped:
    """The firmware of a device that is switched on."""

    def step(self) -> None:
        raise NotImplementedError


class Starts:
    """How firmware starts, as on a Pico: each start imports everything anew."""

    def __init__(self) -> None:
        self._kept = set(sys.modules)

    def _forget(self, board: Board) -> None:
        for name in list(sys.modules):
            if name not in self._kept:
                del sys.modules[name]
        sys.modules.update(modules_of(board))  # type: ignore[arg-type]

    def keys(self, board: Board) -> tuple[tuple[int | None, ...], ...]:
        """The keypad's matrix."""
        self._forget(board)
        keys: tuple[tuple[int | None, ...], ...] = __import__("matrix").KEYS
        return keys

    def start(self, board: Board) -> Stepped:
        self._forget(board)
        started: Stepped = __import__("main").start()
        return started


class Live:
    """`device` is `keypad` or `shoe`. `turn` is called again and again."""

    def __init__(self, device: str, boot: int) -> None:
        self._device = device
        self._starts = Starts()
        self._fram = Fram()
        self._boot = boot
        self._now = 0
        self._said = b""
        self._told: list[str] = []
        self._switch_on()

    def turn(self, now: int, came: bytes, told: list[str]) -> tuple[int, bytes, list[str]]:
        """Run up to `now`, microseconds of real time. `came` over its serial line; `told` is what happens to it.
        When the next turn is to come if nothing else happens; what it sends; what it says."""
        self._now = now
        self._catch_up(0)
        for line in told:
            words = line.split(" ")
            self._do(words[0], words[1:])
        self._cable.to_pico += came
        if came or told:
            self._stirred = self.board.time.now
            self._catch_up(1)
        sent, said = self._said, self._told
        self._said, self._told = b"", []
        return self._next(), sent, said

    def _switch_on(self) -> None:
        self._boot += 1
        self._cable = Loose()
        board = Board(TimeLine(), self._cable, self._fram)
        board.boot = self._boot
        self.board = board
        self._lamps: list[tuple[int, int, int]] = []
        self._tones = 0
        self._free_at = 0  # when the next finger or card may come
        if self._device == "keypad":
            self.keypad = KeypadRig(board, self._starts.keys(board))
        else:
            self.shoe = ShoeRig(board, Air(self._boot))
        self._firmware = self._starts.start(board)
        self._began = self._now - board.time.now
        self._stirred = board.time.now  # when something last happened

    def _catch_up(self, least: int) -> None:
        """Run up to now, `least` steps and not too many."""
        steps = 0
        while steps < _MOST_STEPS and (steps < least or self._behind() > 0):
            self._leave_out()
            self._step()
            steps += 1

    def _behind(self) -> int:
        """How far the board's time is behind."""
        return self._now - self._began - self.board.time.now

    def _step(self) -> None:
        time = self.board.time
        coming = time.next_at()
        self._firmware.step()
        sent = self._cable.take()
        self._said += sent
        if self._show() or sent or time.next_at() != coming:
            self._stirred = time.now

    def _idle(self) -> int:
        """How long nothing will happen, as far as is known; 0 where something has just happened."""
        time = self.board.time
        if time.now - self._stirred < _QUIET_US[self._device]:
            return 0
        coming = time.next_at()
        return _AT_ONCE_US if coming is None else max(0, coming - time.now - _BEFORE_US[self._device])

    def _leave_out(self) -> None:
        idle = min(self._behind(), self._idle(), _AT_ONCE_US)
        if idle > 0:
            self.board.time.passes(idle)

    def _next(self) -> int:
        pause = max(_BATCH_US, min(self._idle(), _AT_REST_US))
        return self._began + self.board.time.now + pause

    def _show(self) -> bool:
        """Say what has changed at lamps and buzzer; whether anything has."""
        board, told = self.board, len(self._told)
        if board.strip != self._lamps:
            for number, colour in enumerate(board.strip):
                if number >= len(self._lamps) or self._lamps[number] != colour:
                    self._told.append(f"lamp {number} {colour[0]} {colour[1]} {colour[2]}")
            self._lamps = board.strip
        for hertz, _ in board.tones[self._tones :]:
            self._told.append(f"tone {hertz}")
        self._tones = len(board.tones)
        return len(self._told) > told

    # ------------------------------------------------------------------------------- what happens to it

    def _do(self, what: str, words: list[str]) -> None:
        if what == "power":
            self._switch_on()
        elif what == "press":
            at = self._slot(2 * FINGER_US)
            self.keypad.touch(int(words[0]), [(at, 1), (at + FINGER_US, 0)])
        elif what == "contact":
            edges = [(int(at), int(level)) for at, level in [word.split(",") for word in words[1:]]]
            at = self._slot(edges[-1][0] + FINGER_US)
            self.keypad.touch(int(words[0]), [(at + after, level) for after, level in edges])
        elif what == "lid":
            self.shoe.set(LID_PIN, self.shoe.lid, int(words[0]), self.board.time.now)
        elif what == "deck":
            self.shoe.set(DECK_PIN, self.shoe.deck, 1 - int(words[0]), self.board.time.now)
        elif what == "together":
            at = self._slot(2 * DRAW_US)
            behind = at + int(words[0]) * 1_000 // SPEED_UM_MS
            self.shoe.deal([self._drawn(_uid(words[1]), at), self._drawn(_uid(words[2]), behind)])
        else:
            self.shoe.deal(self._cards(what, [_uid(word) for word in words]))

    def _cards(self, what: str, uids: list[bytes | None]) -> list[Card]:
        if what == "deal":
            return [self._drawn(uid, self._slot(DRAW_US)) for uid in uids]
        at = self._slot(2 * DRAW_US)
        if what == "cut":
            return [Card(None, 0, _out(at), dark=True)]
        half = CARD // 2
        if what == "back":
            turn = at + (half - BEHIND) * 1_000 // SPEED_UM_MS
            return [Card(uids[0], PEAK, [(at, BEHIND), (turn, half), (2 * turn - at, BEHIND)])]
        inside = at + (GONE - BEHIND) * 1_000 // SPEED_UM_MS
        return [Card(uids[0], PEAK, [(at, GONE), (inside, BEHIND)])]

    def _drawn(self, uid: bytes | None, at: int) -> Card:
        return Card(uid, PEAK if uid else 0, _out(at))

    def _slot(self, duration: int) -> int:
        """The next moment for something that takes so long."""
        at = max(self._free_at, self.board.time.now + 10_000)
        self._free_at = at + duration
        return at


def _out(at: int) -> list[tuple[int, int]]:
    return [(at, BEHIND), (at + (GONE - BEHIND) * 1_000 // SPEED_UM_MS, GONE)]


def _uid(word: str) -> bytes | None:
    return None if word == "-" else bytes.fromhex(word)
