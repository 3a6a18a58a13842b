"""The table process without its I/O: what devices, screens and the station say in; commits and messages out.

One input is one step: the tracker takes it, the engine decides, and everything that follows is one `Commit`.
Only behind the commit stand the effects that tell somebody: the device's acknowledgement, the events on the bus,
the dealer screen. The node itself reads no clock, opens no file and knows no card that lies face down.

What the table knows is in `table_memory`, what it says on the bus in `table_voice`, how a step is finished in
`table_work`, and who is the table in `table_takeover`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from feltwire.config import TableConfig
from feltwire.inorder import InOrder, Turn
from feltwire.ledger import ObservationRecord
from feltwire.node_io import BusDown, BusUp
from feltwire.table_charge import Charge
from feltwire.table_commands import RULE, carry_out
from feltwire.table_desk import Vault
from feltwire.table_io import (
    AckFrame,
    BeatCame,
    ClearOutbox,
    CommandCame,
    DeviceSaid,
    Effect,
    FrameCame,
    Opening,
    RelayAcked,
    SayBirth,
    SendEvents,
    StationAcked,
    Touched,
    ZoneCame,
)
from feltwire.table_memory import TableMemory
from feltwire.table_takeover import Takeover
from feltwire.table_voice import TableVoice
from feltwire.table_work import TableWork
from table_core.messages import (
    AnyTableCommand,
    At,
    DeviceChanged,
    DeviceState,
    Envelope,
    Grant,
    History,
    Millis,
    Noticed,
    Origin,
    Refused,
    Resend,
    ScreenTouched,
    ZoneSeen,
    decode_command,
)
from table_core.projections.table import TableFold
from table_core.tracker.state import TrackerState
from table_core.tracker.tracker import wake, wake_at


class TableNode:
    """One table. `known` gives the recorded sequence numbers of a device's boot, `stamp` annotates boot time."""

    def __init__(
        self,
        config: TableConfig,
        vault: Vault,
        *,
        known: Callable[[str, int], Sequence[int] | frozenset[int]],
        stamp: Callable[[Millis], At],
        boot: int,
        ledger: str = "",
    ) -> None:
        self.charge = Charge(config.table, ledger)
        self.memory = TableMemory(config)
        self._voice = TableVoice(self.memory, self.charge)
        self._work = TableWork(self.memory, self.charge, self._voice, vault, stamp)
        self._takeover = Takeover(self.memory, self.charge, self._voice, self._work)
        self._order = InOrder(known)
        self._boot = boot
        self._own_seq: dict[str, int] = {}

    @property
    def fold(self) -> TableFold:
        """The table as of its last event."""
        return self.memory.fold

    @property
    def table(self) -> TableFold:
        """The same, by the name under which the tracker's readers ask a desk for it."""
        return self.fold

    @property
    def state(self) -> TrackerState:
        """What the tracker remembers beside the events."""
        return self.memory.state

    # ---------------------------------------------------------------------------------- recovery

    def recover(self, events: Sequence[tuple[Envelope, str]], notes: Callable[[str], bytes | None]) -> None:
        """Become what the ledger says: its events with their hashes, and the notes kept beside them."""
        self.memory.recover(events, notes)
        self.charge.recover(notes("charge"))

    def open_table(self, now: Millis) -> list[Effect]:
        """The first step of a process: a new ledger gets its seats and levels from the configuration."""
        desk = self._work.desk(now, "config")
        if not self.fold.seq:
            self.memory.set_up(desk)
        effects = self._work.finish(desk, now)
        return effects if self.charge.plays else [*effects, self._work.fenced()]

    # -------------------------------------------------------------------------------------- steps

    def step(self, given: Any, now: Millis) -> tuple[list[Effect], Millis | None]:
        effects = self._take(given, now)
        return effects, self._wake_at()

    def _take(self, given: Any, now: Millis) -> list[Effect]:
        match given:
            case Opening():
                return self.open_table(now)
            case FrameCame():
                return self._frame(given, now)
            case ZoneCame() | Touched() if not self.charge.plays:
                return []
            case ZoneCame():
                return self._zone(given, now)
            case DeviceSaid():
                return self._device(given.device, given.state, given.detail, now)
            case Touched():
                return self._touch(given, now)
            case CommandCame():
                return self._command_came(given.raw, now)
            case BeatCame():
                self.memory.staleness.beat(given.beat, now)
                return self._woken(now)
            case StationAcked():
                return self._voice.acknowledged(given)
            case RelayAcked():
                return [ClearOutbox(given.epoch, given.seq, sealed=True)]
            case BusUp():
                self._voice.connected()
                told = self._device("bus", DeviceState.OK, "", now)
                return [*told, *self._voice.ask_for_the_table(now), *self._voice.speak_up(now)]
            case BusDown():
                self._voice.disconnected()
                return self._device("bus", DeviceState.CONNECTING, given.why, now)
        return self._woken(now)

    def _woken(self, now: Millis) -> list[Effect]:
        effects: list[Effect] = []
        due = wake_at(self.state)
        if self.charge.plays and due is not None and due <= now:
            desk = self._work.desk(now, "timer")
            wake(desk, self.state, now)
            effects += self._work.finish(desk, now)
        return [*effects, *self._voice.say_again(now)]

    def _wake_at(self) -> Millis | None:
        times = [wake_at(self.state) if self.charge.plays else None, self._voice.wake_at()]
        return min((time for time in times if time is not None), default=None)

    # ------------------------------------------------------------------------------------ devices

    def _frame(self, frame: FrameCame, now: Millis) -> list[Effect]:
        turn = self._order.turn(frame.device, frame.boot, frame.seq, now)
        if turn is Turn.WAIT:
            return []
        ack = AckFrame(frame.device, frame.boot, frame.seq)
        if turn is Turn.REPEAT:
            return [ack]
        origin = Origin(frame.device, frame.boot, frame.seq)
        if not self.charge.plays:
            return [*self._left_unread(origin, now), ack]
        try:
            seen, boxes = frame.read(origin)
        except ValueError as error:
            why = f"The {origin.device} sent what cannot be read: {error}"
            return [*self._left_unread(origin, now, Noticed("device_message", why)), ack]
        return [*self._work.observed(seen, origin, now, boxes=boxes, lost=turn is Turn.AFTER_GAP), ack]

    def _left_unread(self, origin: Origin, now: Millis, notice: Noticed | None = None) -> list[Effect]:
        """The frame is done with, and nobody ever looks into it: it cannot be read, or this machine is not the
        table."""
        desk = self._work.desk(now, origin.text())
        if notice is not None:
            desk.record(notice)
        desk.commit.observations.append(ObservationRecord(origin.device, origin.boot, origin.seq, b"{}"))
        return self._work.finish(desk, now)

    def _zone(self, given: ZoneCame, now: Millis) -> list[Effect]:
        origin = self._origin("camera")
        seen = ZoneSeen(
            origin,
            now,
            given.zone,
            given.cards,
            given.unread,
            given.face_down,
            given.chips,
            given.pieces,
            given.motions,
            given.odd,
            given.button,
        )
        return self._work.observed(seen, origin, now)

    def _touch(self, given: Touched, now: Millis) -> list[Effect]:
        origin = self._origin("screen")
        touch = ScreenTouched(origin, now, given.key, given.seat, given.amount, given.question, given.reason)
        return self._work.observed(touch, origin, now)

    def _device(self, device: str, state: DeviceState, detail: str, now: Millis) -> list[Effect]:
        seen = DeviceChanged(self._origin(device), now, device, state, detail)
        return self._work.device(seen, now)

    def _origin(self, device: str) -> Origin:
        self._own_seq[device] = self._own_seq.get(device, 0) + 1
        return Origin(device, self._boot, self._own_seq[device])

    # -------------------------------------------------------------------------------- the station

    def _command_came(self, raw: bytes, now: Millis) -> list[Effect]:
        try:
            command = decode_command(raw)
        except msgspec.DecodeError as error:
            desk = self._work.desk(now, "command")
            desk.record(Noticed("command_unreadable", f"A message of the station cannot be read: {error}"))
            return self._work.finish(desk, now)
        match command:
            case Grant():
                return self._takeover.granted(command, now)
            case History():
                return self._takeover.history(command, now)
            case _ if not self.charge.plays:
                return []
            case Resend():
                return self._resend(command)
        return self._command(command, now)

    def _resend(self, wanted: Resend) -> list[Effect]:
        if not self.charge.speaks:
            return []
        birth: list[Effect] = [SayBirth()] if wanted.birth else []
        return [*birth, SendEvents(wanted.epoch, wanted.from_seq), *self._voice.ruling()]

    def _command(self, command: AnyTableCommand, now: Millis) -> list[Effect]:
        """Once; a command that nobody can date yet the station says again."""
        memory = self.memory
        if memory.carried.knows(command.id):
            return []
        stale = memory.staleness.of(command, now)
        if stale is None:
            return []
        desk = self._work.desk(now, f"command/{command.id}")
        if stale:
            desk.record(Refused(stale, RULE, cause=command.id))
        else:
            carry_out(desk, memory.state, command, now)
        memory.carried.add(command.id)
        desk.commit.notes["commands"] = memory.carried.kept()
        return self._work.finish(desk, now)
