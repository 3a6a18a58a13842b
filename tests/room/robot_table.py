"""A table in memory that the dealing robot works at: its keypad, shoe, camera and screen are one call away."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from feltwire.config import TableConfig
from feltwire.lab.recording import NodeStep, Recording, salts
from feltwire.lab.simroom.dealer.hands import Hands
from feltwire.lab.simroom.dealer.pace import Pace
from feltwire.lab.simroom.felt.felt import FeltCard, PhysicalFelt
from feltwire.lab.table.memory import BEGAN_MS
from feltwire.lab.table.wired import WiredTable
from feltwire.table.table_io import Commit, ProcessStarted, TableInput
from firmware_bridge.decks import generate
from table_core.messages import AnyEvent, At, Key, Millis, TableView, Zone, ZoneReading

DECKS_SEED = 1
DEVICES = frozenset({"keypad", "shoe", "camera"})
TICK_MS = 300  # of table time that pass with every glance at the screen
FINGER_MS = 150  # from one key to the next


class RobotTable(WiredTable):
    """Records what was done and what went into the node, in order."""

    def __init__(self, config: TableConfig, runtime: Path, *, seed: int | None = None) -> None:
        self.commits: list[Commit] = []
        self.steps = [NodeStep(At("test", Millis(BEGAN_MS)), ProcessStarted())]
        self.did: list[str] = []
        self._seed = seed
        self._seen: dict[str, tuple[tuple[str, ...], int]] = {}
        super().__init__(config, runtime, DEVICES, DECKS_SEED, os.urandom if seed is None else salts(seed))

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
        self.advance(self.now + TICK_MS)
        return self.view

    def zone(self, name: str, cards: list[FeltCard]) -> None:
        up = tuple(card.card for card in cards if card.face_up)
        reading = (up, len(cards) - len(up))
        if self._seen.get(name, ((), 0)) != reading:
            self._seen[name] = reading
            self.see(ZoneReading(Zone.parse(name), up, face_down=reading[1]))

    def give(self, something: TableInput | None) -> list[AnyEvent]:
        self.steps.append(NodeStep(At(self.name, self.now), something))
        return super().give(something)

    def recording(self) -> Recording:
        """What went in so far, of a table that was made with a seed."""
        assert self._seed is not None
        return Recording(self.config, generate(DECKS_SEED, decks=2), self.boot, self._seed, tuple(self.steps))

    def _commit(self, commit: Commit) -> None:
        super()._commit(commit)
        self.commits.append(commit)


class _Pace(Pace):
    """Faults last in table time."""

    def __init__(self, table: RobotTable) -> None:
        super().__init__(0)
        self._table = table

    def hold(self, seconds: float) -> None:
        self._table.advance(self._table.now + round(seconds * 1000))


class _Keys:
    def __init__(self, table: RobotTable) -> None:
        self._table = table

    def press(self, key: int) -> tuple[int, int]:
        self._table.did.append(Key(key).name)
        self._table.press(Key(key))
        self._table.advance(self._table.now + FINGER_MS)
        return 1, 1

    def wait_acked(self, timeout: float | None = None) -> bool:
        return True


class _Shoe:
    def __init__(self, table: RobotTable) -> None:
        self._table = table

    def deal(self, uid: bytes | None) -> tuple[int, int]:
        self._table.did.append("card")
        assert uid is not None
        self._table.tag(uid)
        return 1, 1

    def wait_acked(self, timeout: float | None = None) -> bool:
        return True

    def unplug(self) -> None:
        self._table.unplug("shoe")

    def plug(self) -> None:
        self._table.plug("shoe")


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
