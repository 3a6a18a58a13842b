"""A table in memory where cards go elsewhere than the books say: the real node, tracker and vault, their ledger, a
restart. Bytes of keypad and shoe go in; everything that comes out is searched for cards that never lay face up.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from feltwire.config import TableConfig
from feltwire.lab.table.memory import MemoryTable
from feltwire.lab.table.wired import KINDS
from feltwire.table.devices.frame_order import GIVE_UP_MS
from feltwire.table.table_io import (
    Commit,
    DeviceSaid,
    FrameCame,
    FramesLost,
    Touched,
    ZoneCame,
)
from feltwire.table.vault import Vault
from firmware_bridge import frames, payloads
from firmware_bridge.decks import DeckRegistry, generate
from firmware_bridge.link import ReceivedFrame
from firmware_bridge.reports import CardPassed, read_report
from table_core.messages import (
    UNKNOWN_CARD,
    AnyEvent,
    AnyTableCommand,
    BoardDealt,
    CardText,
    Chips,
    DeviceState,
    HandStarted,
    HandTabled,
    Key,
    Level,
    Millis,
    RulingView,
    Seat,
    SeatStack,
    Source,
    Zone,
    ZoneReading,
)
from table_core.tracker.state import decode_state

LEVEL = Level(1, Chips(100), Chips(200))
DEVICE_SETS: dict[str, tuple[str, ...]] = {
    "all": ("keypad", "shoe", "camera"),
    "shoe and keys": ("keypad", "shoe"),
    "camera and keys": ("keypad", "camera"),
    "keys": ("keypad",),
    "screen": (),
}
GLANCE_MS = 300
DIGITS = {str(code): Key(code) for code in range(10)}
# Not what follows a letter and a dot: `wfp.betting.7c` is a rule.
_CARD = re.compile(r"(?<![0-9A-Za-z+/=])(?<![a-z]\.)(?:[2-9TJQKA][cdhs]){1,7}(?![0-9A-Za-z+/=])")


def cards_named(text: str) -> set[CardText]:
    return {run[at : at + 2] for run in _CARD.findall(text) for at in range(0, len(run), 2)}


class CorruptedTable(MemoryTable):
    """`seats` players on the books. `deck` is dealt from the top by `draw`; what lies face up is in `face_up`.
    `counting`: the shoe is one of ours (docs/wire.md), which sees every card leave and come back."""

    def __init__(
        self,
        runtime: Path,
        seats: int,
        devices: Sequence[str] = DEVICE_SETS["all"],
        *,
        button: int = 1,
        rulebook: str = "base",
        counting: bool = False,
    ) -> None:
        stacks = tuple(SeatStack(Seat(seat), Chips(20_000)) for seat in range(1, seats + 1))
        config = TableConfig(
            venue="v",
            table="01",
            data="",
            seats=stacks,
            levels=(LEVEL,),
            button=Seat(button),
            smallest_chip=Chips(25),
            rulebook=rulebook,
        )
        self.devices = tuple(devices)
        self.counting = counting and "shoe" in devices
        self.registry = DeckRegistry.parse(generate(1, decks=2))
        self.face_up: set[CardText] = set()
        self._hand = 0
        self.leaked: list[tuple[CardText, str]] = []
        self.actions: list[str] = []  # what was done, for a report
        self.public_cards: Counter[str] = Counter()  # that events named: of the board, and by the shoe's word
        self._in_this_hand: set[CardText] = set()  # what lay face up since the books began their hand
        self._in_hand_before: set[CardText] = set()
        self._runtime = runtime
        self._seq = {name: itertools.count(1) for name in ("keypad", "shoe")}
        self._boot_of = {"keypad": 1, "shoe": 1}
        self._sent: list[FrameCame] = []  # by the shoe
        self.said: list[str] = []  # everything that was written, shown or sent
        self._held: list[tuple[int, bytes]] | None = None  # while it is unplugged the shoe keeps what it reports
        self._states: dict[str, DeviceState] = {}
        super().__init__(config, Vault(self.registry, config.table, None, runtime))

    # ---------------------------------------------------------------------------------- the process

    def restart(self, *, key: bool = True) -> None:
        """The process is killed and starts again from its ledger, after a power cut without the recovery key."""
        self.actions.append("restart" if key else "power cut")
        if not key:
            for path in self._runtime.glob("*.key"):
                path.unlink()
        self.vault = Vault(self.registry, self.config.table, None, self._runtime)
        self.vault.recover(self.boxes)
        self.boot += 1
        self.start()

    def start(self) -> None:
        """The process starts, and its devices say how they are."""
        super().start()
        for name in ("keypad", "shoe", "camera"):
            self.device(name, self._states.get(name, DeviceState.OK if name in self.devices else DeviceState.OFF))

    # ------------------------------------------------------------------------------------- what is done

    def riffle(self) -> None:
        """A fresh deck: nothing lies face up. The books may stay at the hand before for a while."""
        self.face_up = set()

    def press(self, *keys: Key | str) -> None:
        """Keys in order; a string of digits is typed."""
        for key in keys:
            for one in [DIGITS[digit] for digit in key] if isinstance(key, str) else [key]:
                self.actions.append(f"key {one.name}")
                self._frame("keypad", frames.KEY, payloads.key(one, self.now))
                self.now = Millis(self.now + 150)

    def touch(self, key: Key, seat: int | None = None, amount: int | None = None) -> None:
        """On the table's screen, as an answer to what it asks."""
        question = self.view.question
        self.actions.append(f"touch {key.name} {seat or ''} {amount or ''}")
        self.give(
            Touched(
                key,
                None if seat is None else Seat(seat),
                None if amount is None else Chips(amount),
                None if question is None else question.question,
            )
        )

    def say(self, key: Key, seat: int | None = None, amount: int | None = None) -> None:
        """By key, where there is a keypad; else by touch."""
        if "keypad" not in self.devices:
            self.touch(key, seat, amount)
            return
        typed = "" if seat is None else str(seat)
        if seat is not None and amount is not None:
            self.press(typed, Key.SEAT, str(amount), key)
        else:
            self.press(typed or ("" if amount is None else str(amount)), key)

    def draw(self, card: CardText, *, deck: int = 0) -> None:
        """A card passes the shoe's reader, which a table without one never hears of."""
        self.actions.append("card" if not deck else "card of the other deck")
        if "shoe" not in self.devices:
            return
        self._says(frames.CARD, payloads.card(self._tag(card, deck), self.now))

    def draw_together(self, *cards: CardText) -> None:
        self.actions.append(f"{len(cards)} cards together")
        self._says(frames.CARDS, payloads.cards([self._tag(card) for card in cards], self.now))

    def draw_doubtful(self) -> None:
        """A card leaves, and a tag answers that may be another's."""
        self.actions.append("card in doubt")
        self._says(frames.CARD, payloads.card(payloads.NO_TAG, self.now, doubtful=True))

    def card_back(self, card: CardText, *, was_out: bool) -> None:
        self.actions.append("card back" if was_out else "card drawn halfway")
        self._says(frames.CARD_BACK, payloads.card_back(self._tag(card), self.now, was_out))

    def switch(self, kind: int, on: bool) -> None:
        """The shoe's lid is opened or closed, or a deck lies in it or no more."""
        self.actions.append(f"{'lid' if kind == frames.LID else 'deck'} {on}")
        self._says(kind, payloads.switch(on, self.now))

    def cut_card(self) -> None:
        self.actions.append("cut card")
        self._says(frames.CUT_CARD, payloads.moment(self.now))

    def says_lost(self, count: int, why: int = payloads.QUEUE_FULL) -> None:
        """The shoe reports that so many reports are missing before this one."""
        self.actions.append(f"says {count} lost, reason {why}")
        self._says(frames.LOST, payloads.lost(count, why, self.now))

    def lose(self, count: int = 1) -> None:
        """Frames of the shoe never come."""
        self.actions.append(f"{count} frames lost")
        for _ in range(count):
            next(self._seq["shoe"])

    def had_no_room(self, count: int = 1) -> None:
        """The queue of a shoe of protocol 1 was full: such cards got no number, and its HEALTH counts them."""
        self.actions.append(f"no room for {count}")
        self.give(FramesLost("shoe", count))

    def pass_unread(self) -> None:
        """A card passes of which no tag answers."""
        self.actions.append("card unread")
        self._says(frames.CARD, payloads.card(payloads.NO_TAG, self.now))

    def restart_shoe(self) -> None:
        self.actions.append("shoe restarts")
        self._boot_of["shoe"] += 1
        self._seq["shoe"] = itertools.count(1)

    def send_again(self) -> None:
        """The shoe sends every frame once more, under its old number."""
        self.actions.append("shoe sends all again")
        for frame in self._sent:
            self.give(frame)

    def unplug(self) -> None:
        self.actions.append("shoe unplugged")
        if "shoe" in self.devices:
            self._held = [] if self._held is None else self._held
            self.device("shoe", DeviceState.CONNECTING)

    def plug(self) -> None:
        """The shoe sends what it kept."""
        if self._held is not None:
            self.actions.append("shoe plugged in")
            held, self._held = self._held, None
            self.device("shoe", DeviceState.OK)
            for kind, payload in held:
                self._says(kind, payload)

    def see(
        self, zone: str, *cards: CardText, unread: Sequence[CardText] = (), backs: int = 0, motions: int = 0
    ) -> None:
        """The camera reads a zone: `cards` by name, `unread` faces and `backs` by number."""
        self.show(*cards, *unread)
        if "camera" in self.devices and self._states["camera"] is DeviceState.OK:
            self.actions.append(f"{zone}: {len(cards)} read, {len(unread)} unread, {backs} backs")
            self.give(ZoneCame(ZoneReading(Zone.parse(zone), cards, len(unread), backs, motions=motions)))

    def show(self, *cards: CardText) -> None:
        """These lie face up, whoever sees it."""
        self.face_up |= set(cards)
        self._in_this_hand |= set(cards)

    def device(self, name: str, state: DeviceState) -> None:
        self._states[name] = state
        self.give(DeviceSaid(name, state))

    def state_of(self, name: str) -> DeviceState:
        return self._states[name]

    @property
    def ruling(self) -> RulingView | None:
        """The open incident, as the table shows it to who may rule."""
        return self.open_ruling

    def command(self, command: AnyTableCommand) -> list[AnyEvent]:
        self.actions.append(type(command).__name__)
        return super().command(command)

    def wait(self, ms: int = GLANCE_MS) -> None:
        for _ in range(max(1, ms // GLANCE_MS)):
            self.now = Millis(self.now + GLANCE_MS)
            self.give(None)

    # ------------------------------------------------------------------------------------- underneath

    def _tag(self, card: CardText, deck: int = 0) -> bytes:
        return self.registry.tag_of(self.registry.deck_names[deck], card).reveal()

    def _says(self, kind: int, payload: bytes) -> None:
        if self._held is not None:
            self._held.append((kind, payload))
            return
        self._frame("shoe", kind, payload)
        self.now = Millis(self.now + 200)

    def _frame(self, device: str, kind: int, payload: bytes) -> None:
        boot, seq = self._boot_of[device], next(self._seq[device])
        frame = ReceivedFrame(device, kind, boot, seq, payload, self.now)
        report = read_report(KINDS[device], frame, lambda _: self.now)
        if isinstance(report, CardPassed) and self.counting:
            report = replace(report, counted=True)
        came = FrameCame(device, boot, seq, report)
        if device == "shoe":
            self._sent.append(came)
        self.give(came)
        if seq not in self._known(device, boot):
            self.now = Millis(self.now + GIVE_UP_MS)
            self.give(came)  # not acknowledged: it waited for one before it

    def _perform(self, effect: Any) -> None:
        super()._perform(effect)
        self._look(effect)

    def _commit(self, commit: Commit) -> None:
        super()._commit(commit)
        decode_state(self.notes["tracker"], self.vault.uncover(self.notes["faces"]))  # as a restart reads it
        if any(isinstance(one.data, HandStarted) for one in commit.envelopes):
            self._in_hand_before, self._in_this_hand = self._in_this_hand, {*self.face_up}
        elif self.node.table.hand_number < self._hand:  # NEW HAND is taken back
            self._in_this_hand |= self._in_hand_before
        self._hand = self.node.table.hand_number
        for event in [one.data for one in commit.envelopes]:
            if isinstance(event, BoardDealt | HandTabled):
                named = len([card for card in event.cards if card != UNKNOWN_CARD])
                self.public_cards["board"] += named if isinstance(event, BoardDealt) else 0
                self.public_cards["shoe"] += named if Source.SHOE in event.sources else 0

    def _look(self, effect: Any) -> None:
        """Events name no card but those that lay face up in their hand; pages show the hand before, too."""
        strict, rest = _texts(effect)
        self.said += [*strict, *rest]
        for text in strict:
            self._accuse(text, self._in_this_hand)
        for text in rest:
            self._accuse(text, self._in_this_hand | self._in_hand_before)

    def _accuse(self, text: str, face_up: set[CardText]) -> None:
        self.leaked += [(card, text) for card in cards_named(text) - face_up]


def _texts(effect: Any) -> tuple[list[str], list[str]]:
    """The events of a commit; everything else that is written, shown or sent."""
    if not isinstance(effect, Commit):
        return [], [*_bytes_of(effect)]
    seen = [one.body.decode() for one in effect.observations]
    notes = [note.decode() for name, note in effect.notes.items() if name != "faces"]  # that one is a box
    return [entry.raw.decode() for entry in effect.entries], [*seen, *notes]


def _bytes_of(effect: Any) -> Iterator[str]:
    for name in ("payload", "snapshot"):
        raw = getattr(effect, name, None)
        if raw is not None:
            yield raw.decode()
            return
    yield repr(effect)
