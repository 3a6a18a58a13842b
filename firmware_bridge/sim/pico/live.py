"""A device's firmware on its simulated board, in real time: its serial line and what happens to it come from
outside.

What happens to it is told in lines:

    press CODE                     a finger presses a key and lets it go
    contact CODE T,LEVEL ...       the contact of a key changes, T microseconds from now
    deal TAG ...                   cards are drawn one by one; `-` for one without a working tag
    together TAG TAG               two cards are drawn at once
    back TAG                       a card is drawn halfway and pushed back
    return TAG                     a card is pushed into the mouth from outside
    cut                            the cut card is drawn
    lid 0|1, deck 0|1              the lid is open, a deck lies in the shoe
    power                          it is switched off and on again

It says `lamp N R G B` and `tone HERTZ` when those change.
"""

import sys

from firmware_bridge.sim.pico.air import Air
from firmware_bridge.sim.pico.board import Board
from firmware_bridge.sim.pico.card_path import BEHIND, CARD, Card
from firmware_bridge.sim.pico.fram import Fram
from firmware_bridge.sim.pico.keypad_rig import KeypadRig
from firmware_bridge.sim.pico.shoe_rig import DECK_PIN, LID_PIN, ShoeRig
from firmware_bridge.sim.pico.timeline import TimeLine
from firmware_bridge.sim.pico.wires import Cable

FINGER_US = 40_000  # a press lasts so long, and the next one comes so long after it
PEAK = 12_000  # the field at a tag right above an antenna
GONE = 160_000
DRAW_US = 150_000  # from one card to the next
SPEED_UM_MS = 1_000  # micrometres a millisecond
_AHEAD_US = 2_000
_QUIET_US = 200_000
_AT_ONCE_US = 500_000  # the watchdog is fed in between


class Host:
    """Where the device is."""

    def us(self) -> int:
        """Real time."""
        raise NotImplementedError

    def line(self) -> bytes:
        """What came over the serial line."""
        raise NotImplementedError

    def say(self, data: bytes) -> None:
        raise NotImplementedError

    def world(self) -> str:
        """What happens to the device, as far as it is told by now."""
        raise NotImplementedError

    def tell(self, text: str) -> None:
        raise NotImplementedError

    def sleep(self, ms: int) -> None:
        raise NotImplementedError


class Stepped:
    """The firmware of a device that is switched on."""

    def step(self) -> None:
        raise NotImplementedError


class Starts:
    """How firmware starts: `ByImport`, or as `firmware_bridge.sim.firmware` does it."""

    def keys(self, board: Board) -> tuple[tuple[int | None, ...], ...]:
        """The keypad's matrix."""
        raise NotImplementedError

    def start(self, board: Board) -> Stepped:
        raise NotImplementedError


class ByImport(Starts):
    """As on a Pico: each start imports everything anew."""

    def __init__(self, device: str) -> None:
        self._kept = set(sys.modules)

    def _forget(self, board: Board) -> None:
        for name in list(sys.modules):
            if name not in self._kept:
                del sys.modules[name]
        sys.modules.update(board.modules())  # type: ignore[arg-type]

    def keys(self, board: Board) -> tuple[tuple[int | None, ...], ...]:
        self._forget(board)
        keys: tuple[tuple[int | None, ...], ...] = __import__("matrix").KEYS
        return keys

    def start(self, board: Board) -> Stepped:
        self._forget(board)
        started: Stepped = __import__("main").start()
        return started


class _Line(Cable):
    def __init__(self, host: Host) -> None:
        self._host = host

    def write(self, data: bytes) -> None:
        self._host.say(data)

    def read(self) -> bytes:
        return self._host.line()


class Live:
    """`device` is `keypad` or `shoe`. `turn` is called again and again."""

    def __init__(self, device: str, host: Host, starts: Starts) -> None:
        self._device = device
        self._host = host
        self._starts = starts
        self._fram = Fram()
        self._boot = host.us() % 1_000_003 + 1
        self._rest = ""
        self._switch_on()

    def _switch_on(self) -> None:
        self._boot += 1
        board = Board(TimeLine(), _Line(self._host), self._fram)
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
        self._began = self._host.us() - board.time.now

    def turn(self, duration: int) -> None:
        """Run for about so many microseconds of real time."""
        end = self._host.us() + duration
        while self._host.us() < end:
            self._happens(self._host.world())
            self._firmware.step()
            self._show()
            ahead = self.board.time.now - (self._host.us() - self._began)
            if ahead > _AHEAD_US:
                self._host.sleep(ahead // 1_000)
            elif ahead < 0:
                self._catch_up(-ahead)

    def _catch_up(self, behind: int) -> None:
        """Where this machine is too slow, only time in which nothing happens is left out: a card that passes is
        never jumped over, it passes slowly."""
        time = self.board.time
        coming = time.next_at()
        idle = behind if coming is None else coming - time.now - _QUIET_US
        if idle > 0:
            time.passes(min(behind, idle, _AT_ONCE_US))

    def _show(self) -> None:
        board = self.board
        if board.strip != self._lamps:
            for number, colour in enumerate(board.strip):
                if number >= len(self._lamps) or self._lamps[number] != colour:
                    self._host.tell(f"lamp {number} {colour[0]} {colour[1]} {colour[2]}\n")
            self._lamps = board.strip
        for hertz, _ in board.tones[self._tones :]:
            self._host.tell(f"tone {hertz}\n")
        self._tones = len(board.tones)

    # ------------------------------------------------------------------------------- what happens to it

    def _happens(self, text: str) -> None:
        *lines, self._rest = (self._rest + text).split("\n")
        for line in lines:
            words = line.split(" ")
            self._do(words[0], words[1:])

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
        else:
            self.shoe.deal(self._cards(what, [_uid(word) for word in words]))

    def _cards(self, what: str, uids: list[bytes | None]) -> list[Card]:
        if what == "deal":
            return [self._drawn(uid, self._slot(DRAW_US)) for uid in uids]
        at = self._slot(2 * DRAW_US)
        if what == "together":
            return [self._drawn(uid, at + 20_000 * place) for place, uid in enumerate(uids)]
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
