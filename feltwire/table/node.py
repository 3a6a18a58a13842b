"""The table process without its I/O: inputs from devices, screens and the station; commits and messages as
effects.

One input is one step: the tracker takes it, the engine decides, and all that follows is one `Commit`. Effects that
report it (the device's acknowledgement, the events on the bus, the dealer screen) come after the commit. The node
reads no clock, opens no file and knows no card that lies face down.

State is in `memory`, output to the bus in `publisher`, the end of a step in `work`, leases in `takeover`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import asdict

from feltwire.config import TableConfig
from feltwire.ledger.signing import Signer
from feltwire.ledger.table_ledger import ObservationRecord
from feltwire.runtime.broker.pace import RateLimit
from feltwire.runtime.node_io import TOO_LATE, BusDown, BusUp, Quarantined, Reply, Say, ScreensSeen
from feltwire.runtime.parts import Parts
from feltwire.runtime.views import Views
from feltwire.table import silent_station
from feltwire.table.commands import RULE, carry_out
from feltwire.table.devices.frame_order import FrameOrder, FrameSequencer
from feltwire.table.devices.shoe_reports import of_shoe, words_of_loss
from feltwire.table.last_presses import last_presses
from feltwire.table.lease import Lease
from feltwire.table.memory import TableMemory
from feltwire.table.notes import Notes
from feltwire.table.publisher import TablePublisher
from feltwire.table.table_io import (
    RELAY,
    AckFrame,
    BeatCame,
    CommandCame,
    DeviceSaid,
    Effect,
    EyesLooked,
    FrameCame,
    FramesLost,
    HealthSeen,
    LaterStation,
    PageSent,
    ProcessStarted,
    RelayAcked,
    RelayHasAll,
    RulingsAsked,
    SayBirth,
    ScreenAnswered,
    SendClip,
    SendEvents,
    SendPicture,
    StationAcked,
    TableInput,
    Touched,
    ZoneCame,
)
from feltwire.table.takeover import Takeover
from feltwire.table.unit_of_work import Vault
from feltwire.table.work import TableWork
from firmware_bridge.reports import (
    CardBack,
    CardPassed,
    CardsTogether,
    CutCardPassed,
    DeckMoved,
    KeyDown,
    LidMoved,
    Report,
    ReportsLost,
    Unreadable,
)
from table_core.messages import (
    AnswerScreen,
    AnyTableCommand,
    At,
    ChangeSeats,
    DeviceChanged,
    DeviceState,
    Grant,
    History,
    Key,
    KeyPressed,
    LaterVersion,
    Malformed,
    Millis,
    Noticed,
    OpenClip,
    Origin,
    Refused,
    Resend,
    ScreenTouched,
    SetPresence,
    StoredEvent,
    TakePicture,
    ZoneSeen,
    decode_command,
    encode,
    is_written,
)
from table_core.projections.table import TableProjection
from table_core.tracker.dealing.evidence import frames_lost
from table_core.tracker.hands import standing
from table_core.tracker.state import TrackerState
from table_core.tracker.tracker import wake, wake_at

CLIPS = (2, 10_000)  # that are sent at once, and the pause between more
PICTURES = (3, 1_000)  # that are sent at once, and the pause between more
RESENDS = (5, 1_000)  # pages of events that one asker is given at once, and the pause between more
NOT_YET = "This key can be used once the director has confirmed the upgrade"
UNDO_MS = 5_000  # an award that was wrong is seen while the pot is pushed (decision 44)


def begins_the_next_hand(given: TableInput | None) -> bool:
    """NEW HAND, or a card that leaves the shoe."""
    match given:
        case FrameCame(report=KeyDown(key=Key.NEW_HAND)) | Touched(key=Key.NEW_HAND):
            return True
        case FrameCame(report=CardPassed() | CardsTogether()):
            return True
    return False


class TableNode:
    """One table. `known` gives the recorded sequence numbers of a device's boot, `stamp` annotates boot time;
    `ledger` and `key` are this machine's, without them it is a table that no station knows."""

    def __init__(
        self,
        config: TableConfig,
        vault: Vault,
        *,
        known: Callable[[str, int], Sequence[int] | frozenset[int]],
        stamp: Callable[[Millis], At],
        boot: int,
        ledger: str = "",
        key: Signer | None = None,
        views: Views | None = None,
        parts: Parts | None = None,
    ) -> None:
        self.views = views = views if views is not None else Views()
        self._parts = parts or Parts()
        self.lease = Lease(config.table, ledger, key.public if key is not None else "")
        self.memory = TableMemory(config)
        self._vault = vault
        self._publisher = TablePublisher(self.memory, self.lease, views, key)
        self._work = TableWork(self.memory, self.lease, self._publisher, vault, stamp, key, views)
        self._takeover = Takeover(self.memory, self.lease, self._publisher, self._work)
        self._order = FrameSequencer(known)
        self._boot = boot
        self._restored_to = 0
        self._own_seq: dict[str, int] = {}
        self._resends: dict[str, RateLimit] = {}  # by who asks: the station, the relay
        self._pictures = RateLimit(*PICTURES)
        self._clips = RateLimit(*CLIPS)
        self._later: dict[int, ChangeSeats | SetPresence] = {}  # when the hand is over; by seat, 0 for all
        self._over_at: Millis | None = None  # the hand before, in this process
        self._later_said = False
        self._far: set[str] = set()  # devices of which it was said that they count wrongly

    @property
    def table(self) -> TableProjection:
        """The table as of its last event; the tracker's readers ask a unit of work for it by the same name."""
        return self.memory.projection

    @property
    def state(self) -> TrackerState:
        """What the tracker remembers beside the events."""
        return self.memory.state

    # ---------------------------------------------------------------------------------- recovery

    def recover(
        self, events: Sequence[tuple[StoredEvent, str]], stored: Callable[[str], bytes | None], epoch: int = 0
    ) -> tuple[str, ...]:
        """Load the ledger: its events with their hashes, and the notes `stored` beside them. A ledger that was
        restored from a backup goes on in `epoch`, of which it has no event yet. The answer: notes that cannot be
        read. They are to be kept elsewhere, since the next step writes over them."""
        notes = Notes(stored)
        self.memory.recover(events, notes, self._vault)
        self._restored_to = epoch if events and epoch > self.table.epoch else 0
        notes.read("charge", self.lease.recover)
        self._work.recover(notes.read("presses", last_presses))
        self.memory.unread_notes = tuple(notes.unread)
        return self.memory.unread_notes

    def open_table(self, now: Millis) -> list[Effect]:
        """The first step of a process: a new ledger gets its seats and levels from the configuration, a restored
        one begins its epoch."""
        if self.table.over and not self.table.in_hand:
            self._over_at = now  # when the award came is not in memory: UNDO has its whole time once more
        if self._restored_to:
            self.memory.turn_to(self._restored_to)
        unit = self._work.begin(now, "config")
        if self._restored_to:
            self._restored_to, unit.commit.drop_boxes = 0, True
            self.memory.open_epoch(unit, self.lease)
        elif not self.table.seq:
            self.memory.begin(unit, self.lease)
        elif self.lease.plays:
            if self.table.unobserved:
                unit.commit.drop_boxes = True
                self.memory.close_unobserved(unit)
            self.memory.open_under(unit)
        effects = self._work.finish(unit, now)
        return effects if self.lease.plays else [*effects, self._work.fenced()]

    # -------------------------------------------------------------------------------------- steps

    def step(self, given: TableInput | None, now: Millis) -> tuple[list[Effect], Millis | None]:
        if given is None and self._restored_to:  # nothing is due before its epoch begins
            return [], None
        effects: list[Effect] = []
        if begins_the_next_hand(given):  # the award stands
            self._over_at = None
            effects += self._what_waited(now)
        played = self.table.in_hand
        effects += self._take(given, now)
        if played and not self.table.in_hand:
            self._over_at = now
        effects += self._what_waited(now)
        return [*effects, *self._hand_stands(now)], self._wake_at(now)

    def _what_waited(self, now: Millis) -> list[Effect]:
        """Carry out what waited for the end of the hand: presence at once, seats once no UNDO of the award is
        waited for any more (decision 44)."""
        if not self._later or not self.lease.plays or self.table.in_hand:
            return []
        due = {seat: one for seat, one in self._later.items() if seat or not self._may_be_undone(now)}
        self._later = {seat: one for seat, one in self._later.items() if seat not in due}
        return [effect for later in due.values() for effect in self._command(later, now)]

    def _hand_stands(self, now: Millis) -> list[Effect]:
        """Record that the hand before stands where none follows, once no UNDO of its award is waited for."""
        if (
            not self.lease.plays
            or not standing.follows_nothing(self.table, self.state)
            or self._may_be_undone(now)
        ):
            return []
        unit = self._work.begin(now, "timer")
        unit.record(standing.end_stands(self.table))
        return self._work.finish(unit, now)

    def _may_be_undone(self, now: Millis) -> bool:
        """Whether the hand before ended so lately that its dealer may take the award back."""
        return self._over_at is not None and now < self._over_at + UNDO_MS

    def _take(self, given: TableInput | None, now: Millis) -> list[Effect]:
        match given:
            case ProcessStarted():
                return self.open_table(now)
            case FrameCame():
                return self._frame(given, now)
            case Touched():
                return self._touched(given, now)
            case RulingsAsked():
                return self._rulings_asked(given, now)
            case ZoneCame() if not self.lease.plays:
                return []
            case ZoneCame():
                return self._zone(given, now)
            case EyesLooked():
                self.state.look.looked(given.until, given.unsettled)
            case DeviceSaid():
                return self._device(given.device, given.state, given.detail, now)
            case FramesLost() if self.lease.plays:
                return self._work.frames_lost(given, now)
            case HealthSeen():
                return self._publisher.health(given, now)
            case ScreensSeen():
                return self._publisher.screens(given, now)
            case CommandCame():
                return self._lease_came(given.payload, now) if given.lease else self._command_came(given, now)
            case BeatCame():
                self.memory.staleness.beat(given.beat, now)
                return [*self._publisher.beat(given.beat), *self._woken(now)]
            case StationAcked():
                return self._publisher.acknowledged(given, now)
            case RelayAcked():
                return self._publisher.relay_acknowledged(given, now)
            case RelayHasAll():
                self._publisher.relay_has_all(given)
                return []
            case PageSent():
                self._publisher.page_sent(given)
                return []
            case LaterStation():
                return self._later_station(given.words, now)
            case Quarantined():
                return self._put_aside(given, now)
            case BusUp():
                self._publisher.connected()
                recorded = self._device("bus", DeviceState.OK, "", now)
                return [*recorded, *self._publisher.ask_for_the_table(now), *self._publisher.speak_up(now)]
            case BusDown():
                self._publisher.disconnected()
                return self._device("bus", DeviceState.CONNECTING, given.why, now)
        return self._woken(now)

    def _woken(self, now: Millis) -> list[Effect]:
        run = self._parts.run
        return [
            *run("what the hand waits for", lambda: self._hand_due(now)),
            *run("the levels of a silent station", lambda: self._level_due(now)),
            *run("whether the station is heard", lambda: self._work.station_heard(now)),
            *run("what is said again", lambda: self._publisher.say_again(now)),
        ]

    def _hand_due(self, now: Millis) -> list[Effect]:
        due = wake_at(self.state)
        if self.lease.plays and due is not None and due <= now:
            unit = self._work.begin(now, "timer")
            wake(unit, self.state, now)
            return self._work.finish(unit, now)
        return []

    def _level_due(self, now: Millis) -> list[Effect]:
        turns = silent_station.turns_at(self.table, self.memory.staleness, now) if self.lease.plays else None
        if turns is not None and turns <= now:
            unit = self._work.begin(now, "schedule")
            silent_station.turn(unit, self.memory.state, self.memory.staleness, now)
            return self._work.finish(unit, now)
        return []

    def _wake_at(self, now: Millis) -> Millis | None:
        times = [self._publisher.wake_at(), self._work.unheard_at()]
        if self.lease.plays:
            times += [wake_at(self.state), silent_station.turns_at(self.table, self.memory.staleness, now)]
            waits = self._later or standing.follows_nothing(self.table, self.state)
            if waits and self._over_at is not None and self._may_be_undone(now):
                times.append(Millis(self._over_at + UNDO_MS))
        return min((time for time in times if time is not None), default=None)

    # ------------------------------------------------------------------------------------ devices

    def _frame(self, frame: FrameCame, now: Millis) -> list[Effect]:
        turn = self._order.turn(frame.device, frame.boot, frame.seq, now)
        if turn is FrameOrder.WAIT:
            return []
        if turn is FrameOrder.FAR:
            return self._numbered_wrongly(frame.device, now)
        self._far.discard(frame.device)
        ack = AckFrame(frame.device, frame.boot, frame.seq)
        if turn is FrameOrder.REPEAT:
            return [ack]
        origin = Origin(frame.device, frame.boot, frame.seq)
        if not self.lease.plays:
            return [*self._left_unread(origin, now), ack]
        return [*self._report(frame.report, origin, now, lost=turn is FrameOrder.AFTER_GAP), ack]

    def _report(self, report: Report, origin: Origin, now: Millis, *, lost: bool) -> list[Effect]:
        """What a device reported, in its turn: `lost`, frames before it never came."""
        match report:
            case KeyDown():
                pressed = KeyPressed(origin, report.at, report.key, report.device_ms)
                return self._work.observed(pressed, origin, now, lost=lost)
            case CardPassed() | CardsTogether() | CardBack() | LidMoved() | DeckMoved() | CutCardPassed():
                seen, boxes = of_shoe(report, origin, self._vault)
                return self._work.observed(seen, origin, now, boxes=boxes, lost=lost)
            case ReportsLost():
                return self._left_unread(origin, now, Noticed("device_gap", words_of_loss(origin.device, report)))
            case Unreadable():
                why = f"The {origin.device} sent an unreadable message: {report.why}"
                return self._left_unread(origin, now, Noticed("device_message", why))

    def _numbered_wrongly(self, device: str, now: Millis) -> list[Effect]:
        if not self.lease.plays or device in self._far:
            return []
        self._far.add(device)
        unit = self._work.begin(now, device)
        frames_lost(unit, self.memory.state, device)
        why = f"The {device} sends wrong message numbers: they are refused. Switch it off and on"
        unit.record(Noticed("device_message", why))
        return self._work.finish(unit, now)

    def _put_aside(self, given: Quarantined, now: Millis) -> list[Effect]:
        """Acknowledge a frame at which the node raised; its device would send it for ever."""
        if not self.lease.plays:
            return []
        notice = Noticed("put_aside", given.words)
        frame = given.given
        if isinstance(frame, FrameCame):
            if self._order.turn(frame.device, frame.boot, frame.seq, now) not in (
                FrameOrder.NEW,
                FrameOrder.AFTER_GAP,
            ):
                return []
            ack = AckFrame(frame.device, frame.boot, frame.seq)
            return [*self._left_unread(Origin(frame.device, frame.boot, frame.seq), now, notice), ack]
        answer: list[Effect] = []
        if isinstance(frame, Touched) and frame.id:
            answer.append(Reply(frame.id, given.answer("table"), refused=True))
        if isinstance(frame, CommandCame) and not frame.lease:
            answer = self._refuse(frame, given.answer("table"), now)
        if not given.worth_saying:
            return answer
        unit = self._work.begin(now, "put_aside")
        unit.record(notice)
        return [*answer, *self._work.finish(unit, now)]

    def _refuse(self, given: CommandCame, why: str, now: Millis) -> list[Effect]:
        """Answer a command at which the node raised; the station would send it for ever."""
        try:
            command = decode_command(given.payload)
        except Malformed:
            return []
        return [] if self.memory.carried.knows(command.id) else self._carry_out(command, now, why)

    def _left_unread(self, origin: Origin, now: Millis, notice: Noticed | None = None) -> list[Effect]:
        """Acknowledge a frame without using it: it cannot be read, or this machine is not the leaseholder."""
        unit = self._work.begin(now, origin.text())
        if notice is not None:
            unit.record(notice)
            frames_lost(unit, self.memory.state, origin.device)
        unit.commit.observations.append(ObservationRecord(origin.device, origin.boot, origin.seq, b"{}"))
        return self._work.finish(unit, now)

    def _zone(self, given: ZoneCame, now: Millis) -> list[Effect]:
        origin = self._origin("camera")
        seen = ZoneSeen(**asdict(given.reading), origin=origin, at=now)
        return self._work.observed(seen, origin, now)

    def _touched(self, given: Touched, now: Millis) -> list[Effect]:
        """Answered after its commit. A touch that waited too long no longer fits the screen and is refused."""
        if not self.lease.plays:
            return [Reply(given.id, self.lease.words, refused=True)]
        if given.until is not None and given.until < now:
            return [Reply(given.id, TOO_LATE, refused=True)]
        if not is_written(f"Key.{given.key.name}"):
            return [Reply(given.id, NOT_YET, refused=True)]
        return [*self._touch(given, now), Reply(given.id, "")]

    def _rulings_asked(self, given: RulingsAsked, now: Millis) -> list[Effect]:
        if not self.lease.plays:
            return [Reply(given.id, self.lease.words, refused=True)]
        return [Reply(given.id, encode(self._work.choices(given.seat, given.words, now)).decode())]

    def _touch(self, given: Touched, now: Millis) -> list[Effect]:
        origin = self._origin("screen")
        touch = ScreenTouched(origin, now, given.key, given.seat, given.amount, given.question, given.reason)
        return self._work.observed(touch, origin, now, by=given.by)

    def _device(self, device: str, state: DeviceState, detail: str, now: Millis) -> list[Effect]:
        seen = DeviceChanged(self._origin(device), now, device, state, detail)
        return self._work.device(seen, now)

    def _origin(self, device: str) -> Origin:
        self._own_seq[device] = self._own_seq.get(device, 0) + 1
        return Origin(device, self._boot, self._own_seq[device])

    # -------------------------------------------------------------------------------- the station

    def _later_station(self, words: str, now: Millis) -> list[Effect]:
        """Said once, on the screen and to the station, which reads the messages of earlier versions."""
        if self._later_said or not self.lease.plays:
            return []
        self._later_said = True
        unit = self._work.begin(now, "version")
        text = f"The station has a later version ({words}): update this table. It plays on by itself"
        unit.record(Noticed("later_version", text))
        return self._work.finish(unit, now)

    def _command_came(self, given: CommandCame, now: Millis) -> list[Effect]:
        try:
            command = decode_command(given.payload)
        except LaterVersion as error:
            return self._later_station(str(error), now)
        except Malformed as error:
            # No event: what nobody of the room wrote fills no ledger.
            return [
                Say(f"a command of the station cannot be read ({error}); ignored", "warning", "malformed command")
            ]
        match command:
            case Grant() | History() | AnswerScreen():
                return []  # only the station says who is the table or its screen, on a topic of its own
            case _ if not self.lease.plays:
                return []
            case Resend():
                return self._resend(command, given.source, now)
            case TakePicture():
                return self._take_picture(command, now)
        return self._command(command, now)

    def _lease_came(self, raw: bytes, now: Millis) -> list[Effect]:
        try:
            command = decode_command(raw)
        except Malformed:
            return []
        epoch, effects = self.table.epoch, self._lease_of(command, now)
        if self.table.epoch != epoch:
            self._order.forget()
        return effects

    def _lease_of(self, command: AnyTableCommand, now: Millis) -> list[Effect]:
        match command:
            case Grant():
                return self._takeover.granted(command, now)
            case History():
                return self._takeover.history(command, now)
            case AnswerScreen() if self.lease.speaks and self.memory.staleness.of(command, now) == "":
                return [ScreenAnswered(command)]
        return []

    def _resend(self, wanted: Resend, asker: str, now: Millis) -> list[Effect]:
        if not self.lease.speaks or not self._resends.setdefault(asker, RateLimit(*RESENDS)).take(now):
            return []
        birth: list[Effect] = [SayBirth(wanted.id)] if wanted.birth else []
        events = SendEvents(wanted.epoch, wanted.from_seq, to_relay=asker == RELAY)
        return [*birth, events, *self._publisher.private(now)]

    def _take_picture(self, wanted: TakePicture, now: Millis) -> list[Effect]:
        """Answered unless nobody can look for it any longer; recorded nowhere."""
        late = self.memory.staleness.of(wanted, now)
        return [SendPicture(wanted.id)] if self.lease.speaks and not late and self._pictures.take(now) else []

    def _command(self, command: AnyTableCommand, now: Millis) -> list[Effect]:
        """Carry a command out once. One whose age is unknown is left for the station to send again."""
        memory = self.memory
        if memory.carried.knows(command.id):
            return []
        match command:
            case ChangeSeats(leave=leave) if self.table.in_hand or (leave and self._may_be_undone(now)):
                self._later[0] = command  # the station sends it again where this machine is killed first
                return []
            case SetPresence(next_hand=True, seat=seat) if self.table.in_hand:
                self._later[seat] = command
                return []
        stale = memory.staleness.of(command, now)
        opens = isinstance(command, OpenClip)
        if opens and not self.lease.speaks:
            return []
        if opens:  # sent once; one whose age is unknown is carried out
            stale = stale or self._why_no_clip(now)
        if stale is None:
            return []
        sends = [SendClip(command.id, stale)] if opens else []
        return [*self._carry_out(command, now, stale), *sends]

    def _carry_out(self, command: AnyTableCommand, now: Millis, refused: str) -> list[Effect]:
        """One step; `refused` says why it is not carried out."""
        memory = self.memory
        unit = self._work.begin(now, f"command/{command.id}", getattr(command, "by", ""))
        if refused:
            unit.record(Refused(refused, RULE, cause=command.id))
        else:
            carry_out(unit, memory.state, command, now)
        memory.carried.add(command.id)
        unit.commit.notes["commands"] = memory.carried.kept()
        return self._work.finish(unit, now)

    def _why_no_clip(self, now: Millis) -> str:
        """Why the clip cannot be opened now; empty where it can."""
        if not self.memory.config.clip_key:
            return "This table keeps no clip of its camera"
        return "" if self._clips.take(now) else "The clip was opened a moment ago: wait ten seconds"
