"""The keypad's and the shoe's real firmware, under MicroPython, at a table."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from feltwire.config import TableConfig
from feltwire.lab.table.wired import WiredTable
from feltwire.ledger.table_ledger import Ledger
from feltwire.table.devices.keypad_lights import ASKING_TONE, ASKS, REFUSED, REFUSED_TONE, TURN
from feltwire.table.table_io import Touched
from feltwire.tools.deck import files
from firmware_bridge.decks import DeckRegistry, generate
from firmware_bridge.sim.firmware import ROOT, Firmware, source_hash
from firmware_bridge.sim.firmware_device import FirmwareDevice
from firmware_bridge.sim.firmware_process import FirmwareWire
from firmware_bridge.sim.pico.board import Board
from firmware_bridge.sim.pico.modules import modules_of
from firmware_bridge.sim.pico.timeline import TimeLine
from table_core.messages import (
    UNKNOWN_CARD,
    AnyEvent,
    BoardDealt,
    CardDealt,
    CardText,
    Chips,
    DeviceStateChanged,
    Key,
    Level,
    Noticed,
    Refused,
    Seat,
    SeatStack,
    Source,
    decode_envelope,
)
from table_core.rulings.register import REASONS
from table_core.tracker.waits import LOOKED_MS, STREET_TWICE_MS
from tests.feltwire.processes import PATIENCE_S, Process, table_settings
from tests.ports import free_port

STACKS = tuple(SeatStack(Seat(seat), Chips(20_000)) for seat in range(1, 12))
CONFIG = TableConfig("v", "01", "", STACKS, (Level(1, Chips(50), Chips(100)),), 3)
FIRMWARE_KEYS = Firmware("keypad", modules_of(Board(TimeLine()))).load("matrix").KEYS
PAUSE_MS = 3_000  # a dealer reads what is asked
PAGE = (ROOT / "display" / "dealer" / "dealer.html").read_text()


class KeypadWire(FirmwareWire):
    """`waiting` until its keys were pressed and are acknowledged."""

    def __init__(self, boot: int) -> None:
        super().__init__("keypad", boot)
        self._now = self._busy_until = 0

    @property
    def waiting(self) -> int:
        return int(self._now < self._busy_until)

    def press(self, keys: tuple[Key, ...], now: int) -> None:
        self.happens(*[f"press {int(key)}" for key in keys])
        self._busy_until = now + 85 * len(keys) + 60

    def transmit(self, now: int) -> bytes:
        self._now = now
        return super().transmit(now)

    def greet(self) -> None:
        """The table asks who it is."""


class Keyed(WiredTable):
    """A table whose keypad is the firmware's."""

    def _wire(self, name: str, boot: int) -> Any:
        assert name == "keypad"
        return KeypadWire(boot)

    def keys(self, keys: tuple[Key, ...]) -> None:
        self.wire.press(keys, self.now)
        self._serve("keypad")
        self._deliver("keypad")

    @property
    def wire(self) -> KeypadWire:
        return self.wires["keypad"]  # type: ignore[return-value]


class Function(NamedTuple):
    """What the dealer screen sends, and the keys that say the same."""

    touch: Touched
    keys: tuple[Key, ...]


def digits(number: int) -> tuple[Key, ...]:
    """As a dealer types it: with the keys for two and three zeros."""
    text = str(number)
    zeros = 3 if text.endswith("000") else 2 if text.endswith("00") else 0
    typed = [Key(int(digit)) for digit in text[: len(text) - zeros]]
    return (*typed, *{3: [Key.D000], 2: [Key.D00]}.get(zeros, []))


def does(name: Key, seat: int | None = None, amount: int | None = None, reason: str = "") -> Function:
    """A seat by its key where it is odd, and as a number with SEAT where it is even; then an amount, in a ruling
    with the number of the reason as hundreds."""
    said = () if seat is None else (Key(Key.SEAT_1 + seat - 1),) if seat % 2 else (*digits(seat), Key.SEAT)
    hundreds = 100 * (REASONS.index(reason) + 1) if reason else 0
    number = () if amount is None else digits(amount + hundreds)
    touch = Touched(name, None if seat is None else Seat(seat), None if amount is None else Chips(amount))
    return Function(msgspec.structs.replace(touch, reason=reason), (*said, *number, name))


def seat_key(name: Key, seat: int) -> Function:
    """The same, of a seat whose number is even."""
    return Function(Touched(name, Seat(seat)), (Key(Key.SEAT_1 + seat - 1), name))


STACKED = [does(Key.COUNT, seat, 1_000 * seat) for seat in range(1, 12)]
FIRST_HAND = [
    Function(Touched(Key.BUTTON_HERE, Seat(3)), (Key.D9, Key.CLEAR, Key.D3, Key.BUTTON_HERE)),
    seat_key(Key.AWAY, 10),
    does(Key.NEW_HAND),
    does(Key.FLOOR),
    does(Key.FLOOR),
    seat_key(Key.TIME, 6),
    does(Key.FOLD),
    does(Key.BET_RAISE, amount=600),
    does(Key.UNDO),
    does(Key.BET_RAISE, amount=700),
    does(Key.STREET, 9),
    does(Key.FLOOR, 7, 43),
    does(Key.COUNT, amount=300),
    does(Key.STREET, amount=2, reason="players agree"),
    does(Key.CHECK_CALL),
    does(Key.STREET, 4),
    does(Key.CHECK_CALL),
    does(Key.FOLD),
]
CHECKED = [does(Key.STREET), does(Key.CHECK_CALL), does(Key.CHECK_CALL), does(Key.CHECK_CALL)]
SHOWDOWN = [
    seat_key(Key.TABLED, 4),
    does(Key.TABLED, 7),
    does(Key.MUCK, 9),
    does(Key.STREET),
    does(Key.SPLIT, 4),
    does(Key.SPLIT, 7),
    does(Key.POT_PUSHED),
]
SECOND_HAND = [
    does(Key.OLD_LEVEL),
    does(Key.NEW_HAND),
    does(Key.ALL_IN),
    seat_key(Key.CHECK_CALL, 8),
    does(Key.STREET, 7),
    seat_key(Key.OUT_OF_HAND, 2),
    *[does(Key.STREET)] * 3,
    does(Key.TABLED, 7),
    does(Key.TABLED, 8),
    does(Key.STREET),
    does(Key.AWARD, 7),
]
FUNCTIONS = [*STACKED, *FIRST_HAND, *CHECKED * 3, *SHOWDOWN, *SECOND_HAND]


def told(events: list[AnyEvent]) -> list[str]:
    """Events in words, whoever pressed and when; without who is there."""
    words = [repr(event) for event in events if not isinstance(event, DeviceStateChanged)]
    return [re.sub(r"_at=\d+", "", word).replace(repr(Source.SCREEN), repr(Source.KEY)) for word in words]


@pytest.fixture
def keyed(tmp_path: Path) -> Iterator[Keyed]:
    table = Keyed(CONFIG, tmp_path / "keyed", frozenset({"keypad"}))
    yield table
    table.wire.close()


def test_every_function_of_the_dealer_screen_is_at_the_firmwares_keys(keyed: Keyed, tmp_path: Path) -> None:
    touched = WiredTable(CONFIG, tmp_path / "touched", frozenset({"keypad"}))
    for function in FUNCTIONS:
        later = max(keyed.now, touched.now) + PAUSE_MS
        keyed.advance(later)
        touched.advance(later)
        keyed.keys(function.keys)
        touched.give(function.touch)
        assert told(keyed.events) == told(touched.events), function
    on_the_page = set(re.findall(r'key\("(\w+)"', PAGE))
    assert {function.touch.key.name for function in FUNCTIONS} == on_the_page
    assert {key for function in FUNCTIONS for key in function.keys} == {
        key for row in FIRMWARE_KEYS for key in row if key is not None
    }


DECK = DeckRegistry.parse(generate(7, decks=1)).decks["red"]
HOLE_CARDS, BURN_AND_FLOP = ("2c", "3c", "4c", "5c", "6c", "7c"), ("Qc", "Ah", "Kd", "9s")
RECORDED = (0, 60, 0)
OWN_LAMP = 0


def settings(folder: Path, port: int) -> str:
    """Three players, a deck, keypad and shoe."""
    files.save(folder / "decks.toml", DeckRegistry([DECK]))
    devices = f'[keypad]\nport = "{folder}/keypad"\n[shoe]\nport = "{folder}/shoe"\n'
    nobody = f'[broker]\nurl = "mqtt://127.0.0.1:{free_port()}"\n'
    return f'decks = "{folder}/decks.toml"\n{table_settings(folder, devices + nobody, port)}'


def waits(device: FirmwareDevice, fact: Callable[[], bool], words: str) -> None:
    def shown() -> bool:
        device.check()
        return fact()

    with device.changed:
        assert device.changed.wait_for(shown, PATIENCE_S), words


class RealTable:
    """A table's process, and its keypad and shoe."""

    def __init__(self, folder: Path, process: Process, keypad: FirmwareDevice, shoe: FirmwareDevice) -> None:
        self.folder, self.process, self.keypad, self.shoe = folder, process, keypad, shoe

    def deal(self, *cards: str) -> None:
        self.shoe.deal(*[tag(card) for card in cards])

    def acts(self, key: Key, then: int) -> None:
        self.keypad.press(key)
        waits(self.keypad, lambda: self.keypad.lamps[then] == TURN, f"the action is on seat {then}")

    def shows(self, fits: Callable[[dict[str, Any]], bool]) -> None:
        self.process.shows("table/01", fits)

    def dealt(self, count: int) -> None:
        """So many cards have a place in the ledger."""
        deadline = time.monotonic() + PATIENCE_S
        while sum(isinstance(one, CardDealt) for one in self.events()) < count:
            assert time.monotonic() < deadline, f"{count} cards are not in the ledger"
            time.sleep(0.05)

    def ends(self) -> list[AnyEvent]:
        """The process ends; what its ledger has."""
        assert self.process.end() == 0
        return self.events()

    def events(self) -> list[AnyEvent]:
        ledger = Ledger.open(self.folder / "table-data" / "table-01.ledger", read_only=True)
        try:
            return [decode_envelope(raw).data for _, _, raw in ledger.raw_events()]
        finally:
            ledger.close()


def tag(card: str) -> bytes:
    return DECK.cards[CardText(card)].reveal()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[RealTable]:
    port = free_port()
    process = Process("table", tmp_path, port, settings(tmp_path, port))
    with (
        FirmwareDevice("keypad", tmp_path / "keypad") as keypad,
        FirmwareDevice("shoe", tmp_path / "shoe") as shoe,
        process,
    ):
        process.shows(
            "table/01", lambda view: [view["devices"].get(one) for one in ("keypad", "shoe")] == ["ok"] * 2
        )
        yield RealTable(tmp_path, process, keypad, shoe)


def test_a_hand_with_the_firmwares_keypad_and_shoe_at_a_tables_process(table: RealTable) -> None:
    keypad = table.keypad
    table.acts(Key.NEW_HAND, then=1)
    waits(keypad, lambda: (OWN_LAMP, RECORDED) in keypad.shown, "it is recorded")
    table.deal(*HOLE_CARDS)
    table.shows(lambda view: all(len(seat.get("cards", ())) == 2 for seat in view["seats"]))
    table.acts(Key.CHECK_CALL, then=2)
    assert keypad.lamps[1] == (0, 0, 0)
    table.acts(Key.CHECK_CALL, then=3)
    keypad.press(Key.OLD_LEVEL)
    waits(keypad, lambda: (OWN_LAMP, REFUSED) in keypad.shown, "it is refused")
    waits(keypad, lambda: keypad.tones.count(REFUSED_TONE[0]) == 1, "and heard")
    keypad.press(Key.CHECK_CALL)
    table.deal(*BURN_AND_FLOP)
    waits(keypad, lambda: (OWN_LAMP, ASKS) in keypad.shown, "the table asks whether the flop is out")
    waits(keypad, lambda: keypad.tones.count(ASKING_TONE[0]) == ASKING_TONE[3], "and is heard")
    time.sleep(2 * LOOKED_MS / 1_000)  # the dealer reads it
    keypad.press(Key.STREET)
    table.shows(lambda view: view["board"] == [*BURN_AND_FLOP[1:]])
    waits(keypad, lambda: keypad.lamps[OWN_LAMP] == (0, 0, 0) and keypad.lamps[2] == TURN, "the game goes on")
    came = [one.detail for one in table.ends() if isinstance(one, DeviceStateChanged) and one.state == "ok"]
    for device in ("keypad", "shoe"):
        named = rf"feltwire-{device} \d\.\d \({source_hash(device)}\), boot \w+"
        assert len([words for words in came if re.fullmatch(named, words)]) == 1, came


@pytest.mark.parametrize("where", ["hole cards", "last hole card and burn", "flop"])
def test_two_cards_on_each_other_that_passed_as_one_make_no_wrong_card(where: str, table: RealTable) -> None:
    """The tag of one is dead, so that the shoe cannot tell. The dealer takes the two apart: by count one card
    fewer is out than lies there."""

    cards = [*HOLE_CARDS, *BURN_AND_FLOP]
    pair = {"hole cards": 2, "last hole card and burn": 5, "flop": 7}[where]
    hole_cards = len(HOLE_CARDS) + (pair == 5)

    def deal(first: int, behind: int) -> None:
        for at in range(first, behind):
            if at == pair:
                table.shoe.deal_together(None, tag(cards[at + 1]), apart_um=0)
            elif at != pair + 1:
                table.deal(cards[at])
        table.dealt(behind - (pair < behind))

    table.acts(Key.NEW_HAND, then=1)
    deal(0, hole_cards)
    table.acts(Key.CHECK_CALL, then=2)
    table.acts(Key.CHECK_CALL, then=3)
    table.keypad.press(Key.CHECK_CALL)
    deal(hole_cards, len(cards))
    table.keypad.press(Key.STREET)
    waits(table.keypad, lambda: (OWN_LAMP, REFUSED) in table.keypad.shown, "by count the flop is not out")
    time.sleep(STREET_TWICE_MS / 1_000)  # sooner it would be the same press twice
    table.keypad.press(Key.STREET)
    table.shows(lambda view: view["board"] == [UNKNOWN_CARD] * 3)
    table.acts(Key.FOLD, then=3)
    table.keypad.press(Key.FOLD)
    table.shows(lambda view: view["pot"] == 0)
    table.keypad.press(Key.NEW_HAND)
    table.shows(lambda view: view["hand"] == 2)
    events = table.ends()
    assert [one.cards for one in events if isinstance(one, BoardDealt)] == [(UNKNOWN_CARD,) * 3]
    refused = [one.reason for one in events if isinstance(one, Refused)]
    again = "If it lies there, STREET once more: its cards are unknown then"
    assert refused == [f"By the devices the flop is not out. {again}"]
    said = [one.kind for one in events if isinstance(one, Noticed)]
    assert "hands_uncounted" in said, "the relay releases no hand of such a deal"
