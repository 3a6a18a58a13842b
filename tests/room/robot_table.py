"""A table in memory: the real node, tracker and vault; a shoe, a keypad and a camera that are one call away."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from pathlib import Path

from feltwire.config import TableConfig
from feltwire.lab.recording import NodeStep, Recording, salts
from feltwire.lab.simroom.dealer.hands import Hands
from feltwire.lab.simroom.dealer.pace import Pace
from feltwire.lab.simroom.felt.felt import FeltCard, PhysicalFelt
from feltwire.lab.table.memory import BEGAN_MS, MemoryTable
from feltwire.table.table_io import (
    CardPassed,
    Commit,
    DeviceSaid,
    FrameCame,
    FrameReport,
    KeyDown,
    ProcessStarted,
    TableInput,
    ZoneCame,
)
from feltwire.table.vault import Vault
from firmware_bridge.decks import DeckRegistry, generate
from firmware_bridge.shoe import Uid
from table_core.messages import (
    AnyEvent,
    At,
    DeviceState,
    Key,
    Millis,
    TableView,
    Zone,
    ZoneReading,
)

DECKS = generate(1, decks=2)
TICK_MS = 300  # of table time that pass with every glance at the screen


class RobotTable(MemoryTable):
    """Keypad, shoe, eye and screen of the robot at once; records what was done, in order."""

    def __init__(self, config: TableConfig, runtime: Path, *, seed: int | None = None) -> None:
        self.registry = DeckRegistry.parse(DECKS)
        self.commits: list[Commit] = []
        self._seed = seed
        self.steps = [NodeStep(At("test", Millis(BEGAN_MS)), ProcessStarted())]
        self.did: list[str] = []
        self.plugged = True
        self._held: list[bytes] = []
        self._seq = {name: itertools.count(1) for name in ("keypad", "shoe")}
        self._seen: dict[str, tuple[tuple[str, ...], int]] = {}
        random = os.urandom if seed is None else salts(seed)
        super().__init__(config, Vault(self.registry, config.table, None, runtime, random))
        for device in ("keypad", "shoe", "camera"):
            self.give(DeviceSaid(device, DeviceState.OK))

    def hands(self) -> Hands:
        return Hands(
            felt=PhysicalFelt(),
            keypad=_Keys(self),
            shoe=_Shoe(self),
            eye=_Eye(self),
            screen=self,
            pace=_Pace(self),
            decks=self.registry.deck_names,
            tag=lambda deck, card: self.registry.tag_of(deck, card).reveal(),
            now=lambda: self.now / 1000,
        )

    def read(self) -> TableView:
        self.now = Millis(self.now + TICK_MS)
        self.give(None)
        return self.view

    def key(self, key: Key) -> None:
        self.did.append(key.name)
        self._frame("keypad", KeyDown(Millis(self.now), key))

    def card(self, uid: bytes) -> None:
        if not self.plugged:
            self._held.append(uid)
            return
        self._frame("shoe", CardPassed(Millis(self.now), Uid(uid)))

    def plug(self) -> None:
        self.plugged = True
        held, self._held = self._held, []
        for uid in held:
            self.card(uid)

    def zone(self, name: str, cards: list[FeltCard]) -> None:
        up = tuple(card.card for card in cards if card.face_up)
        reading = (up, len(cards) - len(up))
        if self._seen.get(name, ((), 0)) != reading:
            self._seen[name] = reading
            self.give(ZoneCame(ZoneReading(Zone.parse(name), up, face_down=reading[1])))

    def _frame(self, device: str, report: FrameReport) -> None:
        self.give(FrameCame(device, 1, next(self._seq[device]), report))

    def give(self, something: TableInput | None) -> list[AnyEvent]:
        self.steps.append(NodeStep(At(self.name, self.now), something))
        return super().give(something)

    def recording(self) -> Recording:
        """What went in so far, of a table that was made with a seed."""
        assert self._seed is not None
        return Recording(self.config, DECKS, self.boot, self._seed, tuple(self.steps))

    def _commit(self, commit: Commit) -> None:
        super()._commit(commit)
        self.commits.append(commit)


class _Pace(Pace):
    """Faults last in table time."""

    def __init__(self, table: RobotTable) -> None:
        super().__init__(0)
        self._table = table

    def hold(self, seconds: float) -> None:
        self._table.now = Millis(self._table.now + round(seconds * 1000))


class _Keys:
    def __init__(self, table: RobotTable) -> None:
        self._table = table

    def press(self, key: int) -> tuple[int, int]:
        self._table.key(Key(key))
        return 1, 1

    def wait_acked(self, timeout: float | None = None) -> bool:
        return True


class _Shoe:
    def __init__(self, table: RobotTable) -> None:
        self._table = table

    def deal(self, uid: bytes | None) -> tuple[int, int]:
        self._table.did.append("card")
        assert uid is not None
        self._table.card(uid)
        return 1, 1

    def wait_acked(self, timeout: float | None = None) -> bool:
        return True

    def unplug(self) -> None:
        self._table.plugged = False

    def plug(self) -> None:
        self._table.plug()


class _Eye:
    def __init__(self, table: RobotTable) -> None:
        self._table = table
        self._covered = False

    def show(self, felt: PhysicalFelt, *, covered: bool = False) -> None:
        self._covered = covered
        self._table.did.append("covered" if covered else "show")
        if covered:
            return
        self._table.zone("board", felt.board)
        for seat in range(1, 10):
            self._table.zone(f"seat-{seat}-cards", felt.hands.get(seat, []))  # type: ignore[call-overload]

    def wait_seen(self, check: Callable[[], None]) -> None:
        check()
