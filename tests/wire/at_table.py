"""What a table makes of a deal, from what its shoe reports of it.

Nine players, keypad and shoe; no camera, so that nothing but the shoe knows a card. All check or call down to the
river, and the dealer keys it. Cards that came together are taken apart, and each lies where it belongs.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from feltwire.config import TableConfig
from feltwire.lab.table.wired import WiredTable
from feltwire.table.table_io import FrameCame
from firmware_bridge.decks import CARDS as DECK
from firmware_bridge.frames import CARD, CARD_BACK, CARDS, LOST, Frame
from firmware_bridge.reports import CardPassed
from table_core.messages import UNKNOWN_CARD, BoardDealt, CardText, Chips, Key, Level, Noticed, Seat, SeatStack
from table_core.tracker.dealing.evidence import HANDS_UNCOUNTED
from tests.firmware_bridge.deals.dealer import Happened
from tests.firmware_bridge.deals.judge import NEAR_MS
from tests.firmware_bridge.pico.bench import UIDS

PLAYERS = 9
HOLE_CARDS = 2 * PLAYERS
STREETS = {
    22: slice(19, 22),
    24: slice(23, 24),
    26: slice(25, 26),
}  # cards out by then: those that lie on the board
CONFIG = TableConfig(
    "v",
    "01",
    "",
    tuple(SeatStack(Seat(seat), Chips(20_000)) for seat in range(1, PLAYERS + 1)),
    (Level(1, Chips(50), Chips(100)),),
    3,
)
PRESS_MS = 800
STREET_MS = 3_000  # the dealer reads what is asked
_TIME_AT = {CARD: 8, CARDS: 0, CARD_BACK: 8, LOST: 5}  # where a report has the device's time


class Believed(NamedTuple):
    """`board`: cards that the table published and that do not lie there. `owners`: places of hole cards at which
    it takes another card to lie than does; `uncounted`: it says that it does not know whose they are. `streets`:
    how many it published, without a card that it does not know."""

    board: list[str]
    owners: list[int]
    uncounted: bool
    streets: int

    @property
    def wrong(self) -> list[str]:
        owners = [] if self.uncounted else [f"place {place} is another hole card" for place in self.owners]
        return [*self.board, *owners]


def played(truth: Sequence[Happened], frames: Sequence[Frame]) -> Believed:
    """The hand at a table that hears these reports of that deal."""
    with tempfile.TemporaryDirectory(prefix="feltwire-wire-") as folder:
        return _Hand(Path(folder), truth, frames).played()


class _Table(WiredTable):
    """`says`: the shoe reports what is in `frame`, now."""

    def __init__(self, folder: Path) -> None:
        super().__init__(CONFIG, folder, frozenset({"keypad", "shoe"}))
        tags = self.registry.decks["red"].cards
        self.cards = dict(zip(UIDS, DECK, strict=True))
        self._tags = {uid: tags[card].reveal() for uid, card in self.cards.items()}

    def says(self, frame: Frame) -> None:
        payload = frame.payload
        for uid, tag in self._tags.items():
            payload = payload.replace(uid, tag)
        if (at := _TIME_AT.get(frame.kind)) is not None:
            payload = payload[:at] + self.now.to_bytes(4, "little") + payload[at + 4 :]
        self._report("shoe", frame.kind, payload)

    def give(self, something: Any) -> list[Any]:
        """It sees every card leave, as our shoe says of itself."""
        if isinstance(something, FrameCame) and isinstance(something.report, CardPassed):
            something = replace(something, report=replace(something.report, counted=True))
        return super().give(something)

    def keys(self, *keys: Key) -> None:
        for key in keys:
            self.advance(self.now + PRESS_MS)
            self.press(key)


class _Hand:
    def __init__(self, folder: Path, truth: Sequence[Happened], frames: Sequence[Frame]) -> None:
        self._table = _Table(folder)
        self._truth = truth
        self._frames = list(frames)
        self._out: list[bytes | None] = []  # the tags of the cards that lie on the table, in order

    def played(self) -> Believed:
        table, began = self._table, len(self._table.events)
        table.keys(Key.NEW_HAND)
        for happened, then in zip(self._truth, [*self._truth[1:], None], strict=True):
            before = len(self._out)
            self._lies(happened)
            self._hear(happened.at // 1_000 + NEAR_MS)
            if then is None or then.what != "returned":
                self._keyed(before)
        owners = list(self._wrong_owners())
        table.keys(Key.SEAT_1, Key.AWARD, Key.NEW_HAND)
        events = table.events[began:]
        uncounted = any(isinstance(one, Noticed) and one.kind == HANDS_UNCOUNTED for one in events)
        known = [one for one in events if isinstance(one, BoardDealt) and UNKNOWN_CARD not in one.cards]
        return Believed(list(self._wrong_board(events)), owners, uncounted, len(known))

    def _lies(self, happened: Happened) -> None:
        if happened.what in ("out", "together"):
            self._out += happened.uids
        elif happened.what == "returned":
            self._out.pop()

    def _hear(self, until_ms: int) -> None:
        """Reports up to this time of the device's, at the pace at which they came."""
        while self._frames and _at(self._frames[0]) <= until_ms:
            self._table.advance(self._table.now + 100)
            self._table.says(self._frames.pop(0))

    def _keyed(self, before: int) -> None:
        """What follows once as many cards lie there."""
        if before < HOLE_CARDS <= len(self._out):
            self._table.keys(*[Key.CHECK_CALL] * PLAYERS)
        for street in STREETS:
            if before < street <= len(self._out):
                self._street()
                self._table.keys(*[Key.CHECK_CALL] * PLAYERS)

    def _street(self) -> None:
        """It is out; where the table says that it is not, once more."""
        table, board = self._table, len(self._table.view.board)
        for _ in range(2):
            if len(table.view.board) == board:
                table.advance(table.now + STREET_MS)
                table.press(Key.STREET)

    def _wrong_owners(self) -> Iterator[int]:
        cards, vault = self._table.cards, self._table.vault
        for place, uid in enumerate(self._out[:HOLE_CARDS], start=1):
            lies = DECK[0] if uid is None else cards[uid]
            is_it = vault.is_card(place, lies)
            if is_it is False or (uid is None and is_it):
                yield place

    def _wrong_board(self, events: Sequence[Any]) -> Iterator[str]:
        streets = [one for one in events if isinstance(one, BoardDealt)]
        for street, places in zip(streets, STREETS.values(), strict=False):
            lie = {CardText(self._table.cards[uid]) for uid in self._out[places] if uid is not None}
            for _ in {*street.cards} - {UNKNOWN_CARD} - lie:
                yield f"a card of the {street.street} does not lie there"


def _at(frame: Frame) -> int:
    """The device's time in a report."""
    at = _TIME_AT.get(frame.kind, 0)
    return int.from_bytes(frame.payload[at : at + 4], "little")
