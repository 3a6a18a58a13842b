"""The table process without its I/O: what devices, screens and the station say in; commits and messages out.

One input is one step: the tracker takes it, the engine decides, and everything that follows is one `Commit`.
Only behind the commit stand the effects that tell somebody: the device's acknowledgement, the events on the bus,
the dealer screen. The node itself reads no clock, opens no file and knows no card that lies face down.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from feltwire.config import TableConfig, rulebook_of
from feltwire.inorder import InOrder, Turn
from feltwire.ledger import ObservationRecord
from feltwire.table_commands import RULE, Staleness, carry_out
from feltwire.table_desk import StepDesk, Vault
from feltwire.table_io import (
    AckFrame,
    BeatCame,
    Became,
    BusChanged,
    ClearOutbox,
    CommandCame,
    Commit,
    DeviceSaid,
    Effect,
    ForgetHand,
    FrameCame,
    LightSeat,
    Opening,
    Publish,
    RelayAcked,
    SendEvents,
    SendOutbox,
    SendSealed,
    Show,
    StationAcked,
    Touched,
    ZoneCame,
)
from table_core.messages import (
    AnyObservation,
    At,
    DeviceChanged,
    DeviceState,
    Envelope,
    LevelBegan,
    Millis,
    Noticed,
    Origin,
    Refused,
    Resend,
    RulingView,
    ScheduleSet,
    ScreenTouched,
    Seat,
    SeatsSet,
    TableView,
    ZoneSeen,
    decode_command,
    encode,
)
from table_core.projections.table import TableFold
from table_core.projections.words import describe
from table_core.tracker.chips import predicted
from table_core.tracker.ruling import view_of
from table_core.tracker.state import TrackerState, decode_state, encode_state
from table_core.tracker.tracker import observe, wake, wake_at

RESEND_MS = 2_000  # events that the station has not acknowledged go out again after this long
COMMANDS_KEPT = 100  # ids of station commands remembered, so that one sent twice is done once


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
    ) -> None:
        rulebook = rulebook_of(config)
        self.fold = TableFold(config.venue, config.table, rulebook, smallest_chip=config.smallest_chip, epoch=1)
        self.state = TrackerState()
        self._config = config
        self._vault = vault
        self._order = InOrder(known)
        self._stamp = stamp
        self._boot = boot
        self._own_seq: dict[str, int] = {}
        self._commands: list[str] = []
        self._staleness = Staleness()
        self._bus_up = False
        self._acked = 0
        self._sent_at = Millis(0)
        self._lit: Seat | None = None
        self._own: tuple[RulingView | None, str] = (None, "")  # what stands on this table's screen only

    @property
    def table(self) -> TableFold:
        return self.fold

    # ---------------------------------------------------------------------------------- recovery

    def recover(self, events: Sequence[tuple[Envelope, str]], notes: Callable[[str], bytes | None]) -> None:
        """Become what the ledger says: its events with their hashes, and the notes kept beside them."""
        for envelope, head in events:
            self.fold.apply(envelope, head)
            self._staleness.recorded([envelope])
        tracker, commands = notes("tracker"), notes("commands")
        if tracker is not None:
            self.state = decode_state(tracker)
        if commands is not None:
            self._commands = msgspec.json.decode(commands, type=list[str])

    def open_table(self, now: Millis) -> list[Effect]:
        """The first step of a process: a new ledger gets its seats and levels from the configuration."""
        desk = self._desk(now, "config")
        config = self._config
        if not self.fold.seq:
            desk.record(ScheduleSet(0, config.levels))
            desk.record(LevelBegan(next(level for level in config.levels if not level.is_break)))
            desk.record(SeatsSet(config.seats, config.button, hand=1))
        return self._finish(desk, now)

    # -------------------------------------------------------------------------------------- steps

    def step(self, given: Any, now: Millis) -> tuple[list[Effect], Millis | None]:
        effects = self._take(given, now)
        return effects, self._wake_at(now)

    def _take(self, given: Any, now: Millis) -> list[Effect]:
        match given:
            case Opening():
                return self.open_table(now)
            case FrameCame():
                return self._frame(given, now)
            case ZoneCame():
                origin = self._origin("camera")
                seen = ZoneSeen(origin, now, given.zone, given.cards, given.unread, given.face_down, given.chips)
                seen = msgspec.structs.replace(seen, pieces=given.pieces, motions=given.motions, odd=given.odd)
                return self._observed(seen, origin, now)
            case DeviceSaid():
                origin = self._origin(given.device)
                return self._device(DeviceChanged(origin, now, given.device, given.state, given.detail), now)
            case Touched():
                origin = self._origin("screen")
                touch = ScreenTouched(
                    origin, now, given.key, given.seat, given.amount, given.question, given.reason
                )
                return self._observed(touch, origin, now)
            case CommandCame():
                return self._command(given.raw, now)
            case BeatCame():
                self._staleness.beat(given.beat, now)
                return self._woken(now)
            case StationAcked():
                return self._station_acked(given)
            case RelayAcked():
                return [ClearOutbox(given.epoch, given.seq, sealed=True)]
            case BusChanged():
                return self._bus(given, now)
        return self._woken(now)

    def _frame(self, frame: FrameCame, now: Millis) -> list[Effect]:
        turn = self._order.turn(frame.device, frame.boot, frame.seq, now)
        if turn is Turn.WAIT:
            return []
        if turn is Turn.REPEAT:
            return [AckFrame(frame.device, frame.boot, frame.seq)]
        origin = Origin(frame.device, frame.boot, frame.seq)
        try:
            seen, boxes = frame.read(origin)
        except ValueError as error:
            return self._unreadable(origin, str(error), now)
        effects = self._observed(seen, origin, now, boxes=boxes, lost=turn is Turn.AFTER_GAP)
        return [*effects, AckFrame(frame.device, frame.boot, frame.seq)]

    def _unreadable(self, origin: Origin, why: str, now: Millis) -> list[Effect]:
        desk = self._desk(now, origin.text())
        desk.record(Noticed("device_message", f"The {origin.device} sent what cannot be read: {why}"))
        desk.commit.observations.append(ObservationRecord(origin.device, origin.boot, origin.seq, b"{}"))
        return [*self._finish(desk, now), AckFrame(origin.device, origin.boot, origin.seq)]

    def _observed(
        self,
        seen: AnyObservation,
        origin: Origin,
        now: Millis,
        *,
        boxes: tuple[bytes, ...] = (),
        lost: bool = False,
    ) -> list[Effect]:
        desk = self._desk(now, origin.text())
        desk.commit.boxes += boxes
        if lost:
            desk.record(Noticed("device_gap", f"The {origin.device} lost messages before this one"))
        desk.commit.observations.append(ObservationRecord(origin.device, origin.boot, origin.seq, encode(seen)))
        observe(desk, self.state, seen, now)
        return self._finish(desk, now)

    def _device(self, seen: DeviceChanged, now: Millis) -> list[Effect]:
        """Device states are told on the bus as they come; only a change is an event."""
        health = {"state": seen.state, "detail": seen.detail}
        told = Publish(f"device/{seen.device}", msgspec.json.encode(health), retain=True)
        if self.fold.devices.get(seen.device) is seen.state:
            return [told]
        return [*self._observed(seen, seen.origin, now), told]

    def _woken(self, now: Millis) -> list[Effect]:
        effects: list[Effect] = []
        due = wake_at(self.state)
        if due is not None and due <= now:
            desk = self._desk(now, "timer")
            wake(desk, self.state, now)
            effects += self._finish(desk, now)
        if self._behind() and now - self._sent_at >= RESEND_MS:
            self._sent_at = now
            effects.append(SendOutbox())
        return effects

    def _wake_at(self, now: Millis) -> Millis | None:
        times = [wake_at(self.state)]
        if self._behind():
            times.append(Millis(self._sent_at + RESEND_MS))
        known = [time for time in times if time is not None]
        return min(known) if known else None

    def _behind(self) -> bool:
        return self._bus_up and self._acked < self.fold.seq

    # ------------------------------------------------------------------------------- bus, station

    def _bus(self, changed: BusChanged, now: Millis) -> list[Effect]:
        self._bus_up = changed.up
        state = DeviceState.OK if changed.up else DeviceState.CONNECTING
        effects = self._device(DeviceChanged(self._origin("bus"), now, "bus", state, changed.reason), now)
        if not changed.up:
            return effects
        self._sent_at = now
        return [*effects, self._state(), SendOutbox()]

    def _state(self) -> Publish:
        return Publish("state", encode(self.fold.view()), retain=True)

    def _station_acked(self, acked: StationAcked) -> list[Effect]:
        if acked.epoch != self.fold.epoch or acked.seq <= self._acked:
            return []
        self._acked = acked.seq
        return [ClearOutbox(acked.epoch, acked.seq)]

    def _command(self, raw: bytes, now: Millis) -> list[Effect]:
        try:
            command = decode_command(raw)
        except msgspec.DecodeError as error:
            desk = self._desk(now, "command")
            desk.record(Noticed("command_unreadable", f"A message of the station cannot be read: {error}"))
            return self._finish(desk, now)
        if isinstance(command, Resend):
            return [SendEvents(command.epoch, command.from_seq)]
        if command.id in self._commands:
            return []
        stale = self._staleness.of(command, now)
        if stale is None:
            return []  # the station says it again
        desk = self._desk(now, f"command/{command.id}")
        if stale:
            desk.record(Refused(stale, RULE, cause=command.id))
        else:
            carry_out(desk, self.state, command, now)
        self._commands = [*self._commands[1 - COMMANDS_KEPT :], command.id]
        desk.commit.notes["commands"] = msgspec.json.encode(self._commands)
        return self._finish(desk, now)

    # ------------------------------------------------------------------------------------ helpers

    def _desk(self, now: Millis, cause: str) -> StepDesk:
        return StepDesk(self.fold, self._vault, self._config.venue, self._stamp(now), cause)

    def _origin(self, device: str) -> Origin:
        self._own_seq[device] = self._own_seq.get(device, 0) + 1
        return Origin(device, self._boot, self._own_seq[device])

    def _finish(self, desk: StepDesk, now: Millis) -> list[Effect]:
        """The commit, and behind it what the world is told."""
        commit = desk.commit
        commit.notes["tracker"] = encode_state(self.state)
        effects: list[Effect] = [commit]
        if commit.drop_boxes:
            effects.append(ForgetHand())
        if not commit.envelopes:
            return [*effects, *self._changed_screen(desk)]
        self._staleness.recorded(commit.envelopes)
        public = self.fold.view()
        view = encode(public)
        own = self._own_screen(desk, public)
        self._own = (own.ruling, own.predicted)
        effects.append(Show(encode(own), f"{self.fold.epoch}.{self.fold.seq}"))
        if self._bus_up:
            self._sent_at = now
            effects += [Publish("event", raw) for raw in commit.told]
            effects += [SendSealed(len(commit.sealed))] if commit.sealed else []
            effects.append(Publish("state", view, retain=True))
        effects += self._told(commit)
        return effects

    def _changed_screen(self, desk: StepDesk) -> list[Effect]:
        """The table's own screen, where an observation changed only what stands there."""
        own = self._own_screen(desk, self.fold.view())
        if (own.ruling, own.predicted) == self._own:
            return []
        self._own = (own.ruling, own.predicted)
        return [Show(encode(own), f"{self.fold.epoch}.{self.fold.seq}")]

    def _own_screen(self, desk: StepDesk, public: TableView) -> TableView:
        """The view with what stands on this table's screen only: open matters and the predicted action."""
        guess = predicted(desk, self.state)
        words = f"Seat {guess[0].seat}: {guess[1]}?" if guess is not None else ""
        return msgspec.structs.replace(public, ruling=view_of(desk, self.state), predicted=words)

    def _told(self, commit: Commit) -> list[Effect]:
        cause = commit.envelopes[0].cause
        text = "; ".join(filter(None, (describe(envelope.data) for envelope in commit.envelopes)))
        effects: list[Effect] = [Became(cause.partition("/")[0], cause, text)] if text else []
        legal = self.fold.hand.legal() if self.fold.hand is not None else None
        seat = legal.seat if legal is not None else None
        if seat != self._lit:
            self._lit = seat
            effects.append(LightSeat(seat))
        return effects
