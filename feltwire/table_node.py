"""The table process without its I/O: what devices, screens and the station say in; commits and messages out.

One input is one step: the tracker takes it, the engine decides, and everything that follows is one `Commit`.
Only behind the commit stand the effects that tell somebody: the device's acknowledgement, the events on the bus,
the dealer screen. The node itself reads no clock, opens no file and knows no card that lies face down.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from feltwire.chain import hash_of
from feltwire.config import TableConfig, rulebook_of
from feltwire.inorder import InOrder, Turn
from feltwire.ledger import NewEpoch, ObservationRecord
from feltwire.node_io import BusDown, BusUp
from feltwire.table_charge import Charge, Pull
from feltwire.table_commands import RULE, Carried, Staleness, carry_out
from feltwire.table_desk import StepDesk, Vault
from feltwire.table_io import (
    AckFrame,
    BeatCame,
    ClearOutbox,
    CommandCame,
    Commit,
    DeviceSaid,
    Effect,
    ForgetHand,
    FrameCame,
    LeaveBus,
    LightSeat,
    Opening,
    Publish,
    RelayAcked,
    SayBirth,
    SendEvents,
    SendOutbox,
    SendSealed,
    Show,
    StationAcked,
    Touched,
    ZoneCame,
)
from feltwire.table_screen import TableScreen, became
from table_core.messages import (
    AnyObservation,
    At,
    DeviceChanged,
    DeviceState,
    Envelope,
    EpochBegan,
    Grant,
    History,
    LevelBegan,
    Millis,
    Noticed,
    OpenRuling,
    Origin,
    Refused,
    Resend,
    ScheduleSet,
    ScreenTouched,
    SeatsSet,
    Source,
    TableView,
    ZoneSeen,
    decode_command,
    decode_envelope,
    encode,
)
from table_core.projections.table import TableFold
from table_core.tracker.state import TrackerState, decode_state, encode_state
from table_core.tracker.tracker import observe, wake, wake_at

RESEND_MS = 2_000  # events that the station has not acknowledged go out again after this long


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
        self._rulebook = rulebook_of(config)
        self.fold = self._empty_fold(config)
        self.state = TrackerState()
        self._config = config
        self._vault = vault
        self._order = InOrder(known)
        self._stamp = stamp
        self._boot = boot
        self._own_seq: dict[str, int] = {}
        self._carried = Carried()
        self._staleness = Staleness()
        self._charge = Charge(config.table, ledger)
        self._devices: dict[str, DeviceChanged] = {}  # what each said last
        self._bus_up = False
        self._acked = 0
        self._sent_at = Millis(0)
        self._screen = TableScreen(self._charge)

    @property
    def table(self) -> TableFold:
        return self.fold

    def _empty_fold(self, config: TableConfig) -> TableFold:
        chip, hints = config.smallest_chip, config.hints
        return TableFold(config.venue, config.table, self._rulebook, smallest_chip=chip, hints=hints, epoch=1)

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
            self._carried = Carried.of(commands)
        self._charge.recover(notes("charge"))

    def open_table(self, now: Millis) -> list[Effect]:
        """The first step of a process: a new ledger gets its seats and levels from the configuration."""
        desk = self._desk(now, "config")
        if not self.fold.seq:
            self._set_up(desk)
        effects = self._finish(desk, now)
        return effects if self._charge.plays else [*effects, self._screen.fenced(self.fold)]

    def _set_up(self, desk: StepDesk) -> None:
        config = self._config
        desk.record(ScheduleSet(0, config.levels))
        desk.record(LevelBegan(next(level for level in config.levels if not level.is_break)))
        desk.record(SeatsSet(config.seats, config.button, hand=1))

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
            case ZoneCame() | Touched() if not self._charge.plays:
                return []
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
            case BusUp() | BusDown():
                return self._bus(given, now)
        return self._woken(now)

    def _frame(self, frame: FrameCame, now: Millis) -> list[Effect]:
        turn = self._order.turn(frame.device, frame.boot, frame.seq, now)
        if turn is Turn.WAIT:
            return []
        if turn is Turn.REPEAT:
            return [AckFrame(frame.device, frame.boot, frame.seq)]
        origin = Origin(frame.device, frame.boot, frame.seq)
        if not self._charge.plays:
            return self._set_aside(origin, now)
        try:
            seen, boxes = frame.read(origin)
        except ValueError as error:
            return self._unreadable(origin, str(error), now)
        effects = self._observed(seen, origin, now, boxes=boxes, lost=turn is Turn.AFTER_GAP)
        return [*effects, AckFrame(frame.device, frame.boot, frame.seq)]

    def _set_aside(self, origin: Origin, now: Millis) -> list[Effect]:
        """This machine is not the table: the frame is done with, and nobody ever looks into it."""
        desk = self._desk(now, origin.text())
        desk.commit.observations.append(ObservationRecord(origin.device, origin.boot, origin.seq, b"{}"))
        return [*self._finish(desk, now), AckFrame(origin.device, origin.boot, origin.seq)]

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
        told: list[Effect] = [_told_of_device(seen)] if self._speaking else []
        self._devices[seen.device] = seen
        if not self._charge.plays:
            return []
        if self.fold.devices.get(seen.device) is seen.state:
            return told
        return [*self._observed(seen, seen.origin, now), *told]

    def _woken(self, now: Millis) -> list[Effect]:
        effects: list[Effect] = []
        due = wake_at(self.state)
        if self._charge.plays and due is not None and due <= now:
            desk = self._desk(now, "timer")
            wake(desk, self.state, now)
            effects += self._finish(desk, now)
        if self._behind() and now - self._sent_at >= RESEND_MS:
            self._sent_at = now
            effects.append(SendOutbox())
        asks_at = self._charge.asks_at()
        if asks_at is not None and asks_at <= now:
            effects += self._ask_for_the_table(now)
        return effects

    def _wake_at(self, now: Millis) -> Millis | None:
        times = [wake_at(self.state) if self._charge.plays else None, self._charge.asks_at()]
        if self._behind():
            times.append(Millis(self._sent_at + RESEND_MS))
        known = [time for time in times if time is not None]
        return min(known) if known else None

    def _behind(self) -> bool:
        return self._speaking and self._acked < self.fold.seq

    @property
    def _speaking(self) -> bool:
        return self._bus_up and self._charge.speaks

    # ------------------------------------------------------------------------------- bus, station

    def _bus(self, given: BusUp | BusDown, now: Millis) -> list[Effect]:
        self._bus_up = isinstance(given, BusUp)
        state = DeviceState.OK if self._bus_up else DeviceState.CONNECTING
        why = given.why if isinstance(given, BusDown) else ""
        effects = self._device(DeviceChanged(self._origin("bus"), now, "bus", state, why), now)
        if not self._bus_up:
            self._charge.disconnected()
            return effects
        return [*effects, *self._ask_for_the_table(now), *self._speak_up(now)]

    def _ask_for_the_table(self, now: Millis) -> list[Effect]:
        """Say which machine this is; the station answers who is the table. Or ask on for the table's history."""
        self._charge.asked(now)
        if self._charge.pull is not None:
            return [Publish("handover", encode(self._charge.pull.wanted()))]
        return [SayBirth()]

    def _speak_up(self, now: Millis) -> list[Effect]:
        if not self._speaking:
            return []
        self._sent_at = now
        devices = map(_told_of_device, self._devices.values())
        return [self._state(), *devices, *self._tell_ruling(), SendOutbox()]

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
        match command:
            case Grant():
                return self._told_who_is_the_table(command, now)
            case History():
                return self._history(command, now)
            case _ if not self._charge.plays:
                return []
            case Resend() if not self._charge.speaks:
                return []
            case Resend():
                birth: list[Effect] = [SayBirth()] if command.birth else []
                return [*birth, SendEvents(command.epoch, command.from_seq), *self._tell_ruling()]
        if self._carried.knows(command.id):
            return []
        stale = self._staleness.of(command, now)
        if stale is None:
            return []  # the station says it again
        desk = self._desk(now, f"command/{command.id}")
        if stale:
            desk.record(Refused(stale, RULE, cause=command.id))
        else:
            carry_out(desk, self.state, command, now)
        self._carried.add(command.id)
        desk.commit.notes["commands"] = self._carried.kept()
        return self._finish(desk, now)

    # ---------------------------------------------------------------------------- who is the table

    def _told_who_is_the_table(self, grant: Grant, now: Millis) -> list[Effect]:
        charge = self._charge
        if grant.epoch < charge.epoch:
            return []  # an old word that was under way
        if grant.ledger != charge.ledger:
            return self._fenced(grant, now)
        if grant.epoch == self.fold.epoch:
            if charge.speaks:
                return []
            charge.granted(grant.epoch)
            desk = self._desk(now, "grant")
            return [*self._finish(desk, now, charge=True), *self._speak_up(now)]
        if grant.head == self.fold.head:
            return self._begin_epoch(grant, None, now)
        if charge.pull is None or charge.pull.grant.epoch < grant.epoch:
            charge.pull = Pull(grant)
        return [*self._pulled(now), *self._ask_for_the_table(now)]

    def _fenced(self, grant: Grant, now: Millis) -> list[Effect]:
        before = self._charge.kept(), self._charge.words
        self._charge.fence(grant)
        effects: list[Effect] = []
        if (self._charge.kept(), self._charge.words) != before:
            effects += self._finish(self._desk(now, "grant"), now, charge=True)
            effects += [self._screen.fenced(self.fold), LightSeat(None)]
        if grant.leave:
            self._bus_up = False
            self._charge.disconnected()
            effects.append(LeaveBus())
        return effects

    def _history(self, page: History, now: Millis) -> list[Effect]:
        pull = self._charge.pull
        if pull is None or page.ledger != self._charge.ledger or not pull.take(page.events):
            return []
        return self._pulled(now) or [self._screen.fenced(self.fold), *self._ask_for_the_table(now)]

    def _pulled(self, now: Millis) -> list[Effect]:
        """Become the table once its whole history is here."""
        pull = self._charge.pull
        if pull is None or not pull.complete:
            return []
        return self._begin_epoch(pull.grant, tuple(pull.rows), now)

    def _begin_epoch(self, grant: Grant, history: tuple[bytes, ...] | None, now: Millis) -> list[Effect]:
        """Go on as the table in a new epoch. What another machine had in hand was not observed to its end."""
        if history is not None:
            self._become(history)
        self.fold.epoch, self.fold.seq, self._acked = grant.epoch, 0, 0
        self._charge.granted(grant.epoch)
        desk = self._desk(now, "grant")
        desk.commit.new_epoch = NewEpoch(grant.epoch, history)
        desk.commit.drop_boxes = True
        desk.commit.notes["commands"] = self._carried.kept()
        desk.record(EpochBegan(grant.ledger))
        if not self.fold.seats:
            self._set_up(desk)
        elif self.fold.in_hand:
            number = self.fold.hand_number
            desk.record(Noticed("hand_not_observed", f"Hand {number} was not observed to its end: count stacks"))
            desk.record(SeatsSet(self.fold.stacks_all(), None, gap=True, source=Source.ASSUMED))
        self.state = TrackerState()
        effects = [*self._finish(desk, now, charge=True), *self._speak_up(now)]
        for seen in list(self._devices.values()):
            effects += self._device(seen, now)
        return effects

    def _become(self, history: tuple[bytes, ...]) -> None:
        self.fold = self._empty_fold(self._config)
        self._staleness = Staleness()
        envelopes = [decode_envelope(raw) for raw in history]
        for envelope, raw in zip(envelopes, history, strict=True):
            self.fold.apply(envelope, hash_of(raw))
        self._staleness.recorded(envelopes)
        self._carried = Carried.told_by(envelopes)

    # ------------------------------------------------------------------------------------ helpers

    def _desk(self, now: Millis, cause: str) -> StepDesk:
        return StepDesk(self.fold, self._vault, self._config.venue, self._stamp(now), cause)

    def _origin(self, device: str) -> Origin:
        self._own_seq[device] = self._own_seq.get(device, 0) + 1
        return Origin(device, self._boot, self._own_seq[device])

    def _finish(self, desk: StepDesk, now: Millis, *, charge: bool = False) -> list[Effect]:
        """The commit, and behind it what the world is told. `charge`: who is the table has changed."""
        commit = desk.commit
        if charge:
            commit.notes["charge"] = self._charge.kept()
        commit.notes["tracker"] = encode_state(self.state)
        effects: list[Effect] = [commit]
        if commit.drop_boxes:
            effects.append(ForgetHand())
        public = self.fold.view()
        own = self._screen.drawn(desk, self.state, public)
        changed, ruling_changed = self._screen.shows(own)
        if commit.envelopes or changed:
            effects.append(Show(encode(own), f"{self.fold.epoch}.{self.fold.seq}"))
        if commit.envelopes:
            self._staleness.recorded(commit.envelopes)
            effects += self._publish(commit, public, now)
            effects += [*became(commit), *self._screen.lamp(self.fold)]
        return [*effects, *self._tell_ruling()] if ruling_changed else effects

    def _publish(self, commit: Commit, public: TableView, now: Millis) -> list[Effect]:
        if not self._speaking:
            return []
        self._sent_at = now
        events = [Publish("event", raw) for raw in commit.told]
        sealed = [SendSealed(len(commit.sealed))] if commit.sealed else []
        return [*events, *sealed, Publish("state", encode(public), retain=True)]

    def _tell_ruling(self) -> list[Effect]:
        """The director's page shows the open matter as the dealer screen does; nobody else hears of it."""
        if not self._speaking:
            return []
        return [Publish("ruling", encode(OpenRuling(self.fold.epoch, self.fold.seq, self._screen.ruling)))]


def _told_of_device(seen: DeviceChanged) -> Publish:
    health = {"state": seen.state, "detail": seen.detail}
    return Publish(f"device/{seen.device}", msgspec.json.encode(health), retain=True)
