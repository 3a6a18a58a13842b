"""A table in one thread: the real node, a ledger in memory, and a clock that moves when it is told to.

Scenarios, the fuzz, the dealer workload, the fault campaign and the leak tests use it. `MemoryTable` takes inputs
of the node; `feltwire.lab.table.wired` adds devices that speak bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from feltwire.config import TableConfig
from feltwire.lab.strict_views import StrictViews
from feltwire.runtime.broker.topics import PRIVATE_LEAVES, leaf_of
from feltwire.runtime.node_io import Publish, Reply, Show
from feltwire.runtime.views import Views
from feltwire.table.node import TableNode
from feltwire.table.table_io import AckFrame, CommandCame, Commit, ForgetHand, RulingsAsked
from table_core.messages import (
    AnyEvent,
    AnyTableCommand,
    At,
    Envelope,
    Millis,
    OpenRuling,
    RulingChoices,
    RulingView,
    Seat,
    TableView,
    encode,
)

BEGAN_MS = 1_000


class MemoryTable:
    """The node of `config` over `vault`; `now` is its boot time in milliseconds.

    What it recorded, in order: `envelopes` and their `events`; `stored` are the envelopes with their hashes,
    `notes` and `boxes` the rest of the ledger. What it sent: `published`, `private` (to the station alone),
    `acked` (frames by device, in order: boot and sequence number), `screen` and `ruling_screen` (the newest
    snapshots, JSON; empty before the first). A view that raises, raises: `views` that do not are for tests that
    plant a fault.
    """

    views: Views = StrictViews()

    def __init__(
        self,
        config: TableConfig,
        vault: Any,
        *,
        now: int = BEGAN_MS,
        boot: int = 7,
        name: str = "test",
        ledger: str = "",
    ) -> None:
        self.config, self.vault = config, vault
        self.now = Millis(now)
        self.boot = boot  # the process's number, which its own frames carry
        self.name = name  # of the boot, in the time of an event
        self.ledger_id = ledger
        self._begin_records()
        self.start()

    def _begin_records(self) -> None:
        self.wake_at: Millis | None = None
        self.envelopes: list[Envelope] = []
        self.events: list[AnyEvent] = []
        self.stored: list[tuple[Envelope, str]] = []
        self.notes: dict[str, bytes] = {}
        self.boxes: list[bytes] = []
        self.published: list[bytes] = []
        self.private: list[bytes] = []
        self.acked: dict[str, list[tuple[int, int]]] = {}
        self.screen = b""
        self.ruling_screen = b""
        self._decoded: tuple[bytes, TableView] | None = None

    def start(self) -> None:
        """The process starts, from what the ledger has."""
        self.node = TableNode(
            self.config,
            self.vault,
            known=self._known,
            stamp=lambda now: At(self.name, now),
            boot=self.boot,
            ledger=self.ledger_id,
            views=self.views,
        )
        if self.stored:
            self.node.recover(list(self.stored), self.notes.get)
        self._take(self.node.open_table(self.now))

    # ------------------------------------------------------------------------------------- what happens

    def give(self, something: Any) -> list[AnyEvent]:
        """One input of the node, None for nothing but time; the events that came of it."""
        before = len(self.events)
        effects, self.wake_at = self.node.step(something, self.now)
        self._take(effects)
        return self.events[before:]

    def advance(self, to: int) -> list[AnyEvent]:
        """Time passes until `to`; the node is woken when it asked to be."""
        before = len(self.events)
        while self.wake_at is not None and self.wake_at <= to:
            self.now = max(self.now, self.wake_at)
            self.give(None)
        self.now = Millis(max(self.now, to))
        return self.events[before:]

    def command(self, command: AnyTableCommand) -> list[AnyEvent]:
        """The station's."""
        return self.give(CommandCame(encode(command)))

    def choices(self, seat: Seat | None = None, words: str = "") -> RulingChoices:
        """What a person at its screen may have ruled on now."""
        effects, self.wake_at = self.node.step(RulingsAsked(seat, words, id="asked"), self.now)
        said = next(effect.text for effect in effects if isinstance(effect, Reply))
        return msgspec.json.decode(said, type=RulingChoices)

    # ------------------------------------------------------------------------------------- what it says

    @property
    def view(self) -> TableView:
        """The public view."""
        return self.node.table.view()

    @property
    def shown(self) -> TableView:
        """What the table's own screen shows."""
        if not self.screen:
            return self.view
        if self._decoded is None or self._decoded[0] is not self.screen:
            self._decoded = (self.screen, msgspec.json.decode(self.screen, type=TableView))
        return self._decoded[1]

    @property
    def open_ruling(self) -> RulingView | None:
        """The open incident on the table's own screen."""
        return msgspec.json.decode(self.ruling_screen, type=OpenRuling).ruling if self.ruling_screen else None

    # ------------------------------------------------------------------------------------------ effects

    def _known(self, device: str, boot: int) -> Sequence[int] | frozenset[int]:
        """Frames of `device` that the ledger has."""
        return frozenset(seq for of, seq in self.acked.get(device, ()) if of == boot)

    def _take(self, effects: Sequence[Any]) -> None:
        for effect in effects:
            self._perform(effect)

    def _perform(self, effect: Any) -> None:
        match effect:
            case Commit():
                self._commit(effect)
            case ForgetHand():
                self.vault.forget_hand()
            case AckFrame():
                self.acked.setdefault(effect.device, []).append((effect.boot, effect.seq))
            case Publish():
                sent = self.private if leaf_of(effect.topic) in PRIVATE_LEAVES else self.published
                sent.append(effect.payload)
            case Show() if effect.channel.startswith("ruling/"):
                self.ruling_screen = effect.snapshot
            case Show() if effect.channel.startswith("table/"):
                self.screen = effect.snapshot
            case _:
                pass

    def _commit(self, commit: Commit) -> None:
        if commit.drop_boxes:
            self.boxes.clear()
        self.boxes += commit.boxes
        self.notes.update(commit.notes)
        self.stored += [(entry.envelope, entry.hash) for entry in commit.entries]
        self.envelopes += commit.envelopes
        self.events += [envelope.data for envelope in commit.envelopes]
