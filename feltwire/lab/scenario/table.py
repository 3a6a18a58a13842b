"""A table in one thread: the real node, with keys, cards, camera readings and time given by the test."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from feltwire.config import TableConfig
from feltwire.lab.table.memory import MemoryTable
from feltwire.runtime.node_io import BusUp
from feltwire.table.table_io import (
    CommandCame,
    DeviceSaid,
    FrameCame,
    Touched,
    ZoneCame,
)
from firmware_bridge.payloads import UID_BYTES
from firmware_bridge.reports import CardPassed, KeyDown, Report
from firmware_bridge.shoe import Uid
from table_core.messages import (
    UNKNOWN_CARD,
    AnyEvent,
    CardText,
    Chips,
    DeviceState,
    Grant,
    Key,
    Millis,
    SealedCard,
    Seat,
    Zone,
    ZoneReading,
    encode,
)
from table_core.projections.next_hand import able_to_play
from table_core.tracker import waits
from table_core.tracker.unit_of_work import Why

DIGITS = {str(code): Key(code) for code in range(10)}
LEDGER = "memory"
FRAME_MS = 10  # from one device message to the next


@dataclass(frozen=True)
class Bound:
    """A card bound to its place."""

    commitment: str | None
    sealed: tuple[SealedCard, ...] = ()
    boxes: tuple[bytes, ...] = ()


@dataclass(frozen=True)
class Passed:
    """A card left the shoe."""

    handle: int
    note: str
    deck: str = ""
    boxes: tuple[bytes, ...] = ()


class MemoryVault:
    """Sealed cards as the vault keeps them, without its secrets: the cards of this deal by handle.

    `by_handle` and `places` are what a test may look at; a card that goes to a new place leaves the old one.
    """

    def __init__(self) -> None:
        self.by_handle: dict[int, CardText] = {}
        self.places: dict[int, CardText] = {}
        self.opened: list[tuple[tuple[int, ...], Why]] = []
        self._place_of_handle: dict[int, int] = {}
        self._tags: dict[bytes, tuple[CardText, str, str]] = {}
        self._before: tuple[dict[int, CardText], dict[int, CardText], dict[int, int]] = {}, {}, {}

    def __repr__(self) -> str:
        return f"MemoryVault(cards={len(self.by_handle)})"

    def begin_hand(self, epoch: int, hand: int, attempt: int = 1, carry: Sequence[int] = ()) -> tuple[bytes, ...]:
        self._before = self.by_handle, self.places, self._place_of_handle
        self.by_handle = {new: self.by_handle[old] for new, old in enumerate(carry, start=1)}
        self.places, self._place_of_handle = {}, {}
        return ()

    def deal_stands(self) -> tuple[bytes, ...]:
        self._before = {}, {}, {}
        return ()

    def take_back_deal(self) -> tuple[bytes, ...]:
        self.by_handle, self.places, self._place_of_handle = self._before
        return ()

    def tag(self, card: CardText, note: str = "", deck: str = "") -> Uid:
        """A tag of its own for one passage of `card`; `""` for one that the reader missed. With a `note` the
        registry says that of it."""
        raw = len(self._tags).to_bytes(UID_BYTES)
        self._tags[raw] = card, note, deck
        return Uid(raw)

    def take(self, uid: Uid | None) -> Passed:
        """A card that passed already is a repeat."""
        if uid is None:
            return Passed(0, "unread")
        card, note, deck = self._tags[uid.reveal()]
        if note == "other_deck" or not card:
            return Passed(0, note or "unread", deck)
        again = 0 if note else next((handle for handle, passed in self.by_handle.items() if passed == card), 0)
        handle = again or len(self.by_handle) + 1
        self.by_handle[handle] = card
        return Passed(handle, "repeat" if again else note, deck)

    def handle_of(self, uid: Uid | None) -> int:
        card = self._tags[uid.reveal()][0] if uid is not None else ""
        return next((handle for handle, passed in self.by_handle.items() if passed == card), 0)

    def place(self, handle: int, place: int, to: str) -> Bound:
        old = self._place_of_handle.get(handle)
        if old is not None:
            self.places.pop(old, None)
        self._place_of_handle[handle] = place
        self.places[place] = self.by_handle[handle]
        return Bound(hashlib.sha256(f"{place} salted {id(self)}".encode()).hexdigest())

    def take_back(self, handle: int) -> tuple[bytes, ...]:
        self.places.pop(self._place_of_handle.pop(handle, 0), None)
        return ()

    def forget_hand(self) -> None:
        """It has no recovery keys."""

    def wear(self, public: frozenset[CardText], places: Collection[int]) -> None:
        """Its decks never wear."""

    def cover(self, faces: bytes) -> bytes:
        return faces

    uncover = cover

    def is_card(self, place: int, card: CardText) -> bool | None:
        return None if place not in self.places else self.places[place] == card

    def power_cut(self) -> None:
        """The recovery key is gone: nobody knows any more which cards have passed."""
        before, _, placed = self._before
        self._before = dict.fromkeys(before, UNKNOWN_CARD), {}, placed
        self.by_handle = dict.fromkeys(self.by_handle, UNKNOWN_CARD)
        self.places = {}

    def open_places(self, places: Sequence[int], why: Why) -> tuple[CardText, ...]:
        self.opened.append((tuple(places), why))
        return tuple(self.places.get(place, UNKNOWN_CARD) for place in places)


class TableInMemory(MemoryTable):
    """A table with every device in `devices` there and well; cards and readings are given by their text."""

    devices_boot = 5
    vault: MemoryVault
    _by_touch = False  # without a keypad every press is a touch

    def __init__(self, config: TableConfig, devices: Sequence[str]) -> None:
        self._sent = {"keypad": 0, "shoe": 0}
        self._by_touch = "keypad" not in devices
        self._seat: Seat | None = None  # both typed, for the key that is touched next
        self._amount: Chips | None = None
        super().__init__(config, MemoryVault(), boot=9, name="boot", ledger=LEDGER)
        self._report_devices(devices)

    def restart(self, config: TableConfig, devices: Sequence[str]) -> list[AnyEvent]:
        """The process begins again under `config`, with what its ledger has, and its devices report."""
        before, self.config = len(self.events), config
        self.boot += 1
        self.start()
        self._report_devices(devices)
        return self.events[before:]

    def _report_devices(self, devices: Sequence[str]) -> None:
        for device in devices:
            self.give(DeviceSaid(device, DeviceState.OK))

    # ---------------------------------------------------------------------------- what happens there

    def connect(self) -> list[AnyEvent]:
        """The broker is there, and the station says that this machine is the table."""
        events = self.give(BusUp())
        return events + self.give(CommandCame(encode(Grant("grant", LEDGER, self.view.epoch)), lease=True))

    def press(self, *keys: Key | str, blind: bool = False, in_a_row: bool = False) -> list[AnyEvent]:
        """Keys in order; a string of digits is typed digit by digit. The first comes when the refusal of the key
        before has been read, unless `in_a_row`; STREET when a ruling that is asked for has been read, unless it is
        pressed `blind`. Without a keypad they are touches of the table's own screen."""
        before = len(self.events)
        refused_at = self.node.state.presses.refused_at
        if refused_at is not None and not in_a_row:
            self.wait(max(refused_at + waits.LOOKED_MS - self.now, 0))
        for key in keys:
            if key is Key.STREET and not blind:
                self._read()
            if self._by_touch:
                self._touch(key)
                continue
            for one in [DIGITS[digit] for digit in key] if isinstance(key, str) else [key]:
                self.now = Millis(self.now + FRAME_MS)
                self._frame("keypad", KeyDown(self.now, one))
        return self.events[before:]

    def _touch(self, key: Key | str) -> None:
        """Digits and SEAT are kept for the key that follows, which goes out with them."""
        if isinstance(key, str):
            self._amount = Chips(int(key))
        elif key is Key.SEAT:
            self._seat, self._amount = None if self._amount is None else Seat(self._amount), None
        elif key.seat is not None:
            self._seat = Seat(key.seat)
        else:
            self.now = Millis(self.now + FRAME_MS)
            self.touch(key, self._seat, self._amount)
            self._seat, self._amount = None, None

    def touch(self, key: Key, seat: Seat | None = None, amount: Chips | None = None) -> list[AnyEvent]:
        """A key on the table's own screen, with what it is about."""
        question = self.view.question
        asked = question.question if question is not None else None
        return self.give(Touched(key, seat, amount, asked))

    def deal(self, *cards: CardText, note: str = "", deck: str = "", counted: bool = False) -> list[AnyEvent]:
        """Cards leave the shoe; `""` for one that the reader missed, again one that passed already: a repeat.
        `counted`: the shoe sees its cards leave."""
        before = len(self.events)
        for card in cards:
            self.now = Millis(self.now + FRAME_MS)
            self._frame("shoe", CardPassed(self.now, self.vault.tag(card, note, deck), counted=counted))
        return self.events[before:]

    def tags(self, *cards: CardText) -> tuple[Uid | None, ...]:
        """A tag for one passage of each of the cards."""
        return tuple([self.vault.tag(card) for card in cards])

    def shoe_says(self, report: Callable[[Millis], Report]) -> list[AnyEvent]:
        """The shoe reports something else than a card that left alone."""
        before = len(self.events)
        self.now = Millis(self.now + FRAME_MS)
        self._frame("shoe", report(self.now))
        return self.events[before:]

    def see(self, zone: str, *cards: CardText, unread: int = 0, backs: int = 0) -> list[AnyEvent]:
        """The camera reads a zone, named as in a scenario: `seat-4-cards`."""
        return self.give(ZoneCame(ZoneReading(Zone.parse(zone), cards, unread, backs)))

    def see_chips(
        self, zone: str, chips: int, *, pieces: int = 1, motions: int = 1, odd: str = ""
    ) -> list[AnyEvent]:
        """The camera reads a zone with chips in it."""
        return self.give(
            ZoneCame(ZoneReading(Zone.parse(zone), chips=Chips(chips), pieces=pieces, motions=motions, odd=odd))
        )

    def wait(self, ms: int) -> list[AnyEvent]:
        """Let time pass; the node is woken when it asked to be."""
        return self.advance(self.now + ms)

    def start_hand(self, *hole_cards: CardText) -> None:
        """NEW HAND, then the hole cards in deal order, seen as backs in front of the seats."""
        self.press(Key.NEW_HAND)
        self.deal(*hole_cards)
        for seat in able_to_play(self.node.table):
            self.see(f"seat-{seat}-cards", backs=2)

    # ------------------------------------------------------------------------------------- what it says

    def stacks(self) -> list[int]:
        """Chips behind, by seat."""
        return [seat.stack for seat in self.view.seats]

    def of(self, kind: type, events: Sequence[AnyEvent] | None = None) -> list[Any]:
        """Events of one kind, of all that were recorded or of `events`."""
        return [event for event in (self.events if events is None else events) if isinstance(event, kind)]

    def seats(self) -> tuple[Seat, ...]:
        return tuple(sorted(self.node.table.seats))

    def _read(self) -> None:
        """A person reads what is asked, and presses STREET once for each street."""
        presses, question = self.node.state.presses, self.node.table.question
        if question is None or not presses.looked_at(self.now):
            self.wait(max(presses.street_at + waits.STREET_TWICE_MS - self.now, 0))
        if question is None or presses.looked_at(self.now):
            return
        if question.kind == "ruling" or presses.meant_another(self.now):
            self.wait(presses.front_since + waits.LOOKED_MS - self.now)

    def _frame(self, device: str, report: Report) -> None:
        self._sent[device] += 1
        self.give(FrameCame(device, self.devices_boot, self._sent[device], report))
