"""Commands of the station to a table. Each is carried out once and answered by an event or a refusal that cites
it.

A command that a person gave while looking at the table is refused where the table has changed since, or where it
comes too late. Its age follows from the station's beats; before the first beat the age is unknown, and the command
is left for the station to send again. A level is refused where the table has a later schedule.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from feltwire.runtime.boot_offset import Offset
from feltwire.table.unit_of_work import TableUnitOfWork
from table_core.messages import (
    HIGHEST_HAND,
    MOST_CHIPS,
    AnswerScreen,
    AnyTableCommand,
    AskCount,
    Beat,
    ChangeSeats,
    Chips,
    ClockFollowed,
    Counted,
    Envelope,
    Expiry,
    FollowClock,
    Level,
    LevelBegan,
    MakeRuling,
    Millis,
    Noticed,
    OpenClip,
    Refused,
    Rewind,
    Rewound,
    ScheduleSet,
    Seat,
    SeatsChanged,
    SeatsSet,
    SeatStack,
    SetAway,
    SetHand,
    SetLevel,
    SetPresence,
    SetSchedule,
    SetSeats,
    Source,
    TakeBackRuling,
    TakePicture,
    decode,
)
from table_core.projections.table import HAND_EVENTS, TableProjection
from table_core.projections.words import describe
from table_core.tournament.clock import entry_fault
from table_core.tracker.dealing.deal import set_away
from table_core.tracker.dealing.evidence import close_deal
from table_core.tracker.hands.level import level_came
from table_core.tracker.hands.rewinding import rewind
from table_core.tracker.hands.undo import take_back_ruling
from table_core.tracker.memory.rulings import OpenIncident
from table_core.tracker.ruling.director import directed
from table_core.tracker.ruling.resuming import resume_hand
from table_core.tracker.state import TrackerState
from table_core.tracker.tracker import settle

RULE = "base.command"
KEPT = 100
SILENT_MS = 5_000  # without a beat
UNHEARD_MS = 2_600  # without a beat: screens say so within three seconds
PLAY = (*HAND_EVENTS, SeatsSet, SeatsChanged, Counted, Rewound)  # what a person who decides must have seen


class Staleness:
    """Whether a command still fits the table. It needs every event and the station's beats."""

    def __init__(self) -> None:
        self._played = (0, 0)  # the last event of the play: epoch, seq
        self._what, self._by = "", ""  # in words, and what led to it
        self._station: Offset | None = None
        self.silent_from = Millis(0)  # when a station that says nothing more is taken for silent
        self.unheard_from = Millis(0)  # when the screen says so; before its first word too
        self._schedule = 0  # its revision

    def recorded(self, envelopes: Iterable[Envelope]) -> None:
        for envelope in envelopes:
            if isinstance(envelope.data, PLAY):
                self._played = (envelope.epoch, envelope.seq)
                if envelope.cause != self._by:  # not what follows from it
                    self._what, self._by = describe(envelope.data) or self._what, envelope.cause
            elif isinstance(envelope.data, ScheduleSet):
                self._schedule = envelope.data.revision

    def beat(self, beat: Beat, now: Millis) -> None:
        if self._station is None or self._station.boot != beat.boot:
            self._station = Offset(beat.boot)
        sent = self._station.heard(beat, now)
        self.silent_from = max(self.silent_from, Millis(sent + SILENT_MS))
        self.unheard_from = max(self.unheard_from, Millis(sent + UNHEARD_MS))

    def of(self, command: AnyTableCommand, now: Millis) -> str | None:
        """The reason why `command` is refused, `""` when it fits, None while its age is unknown."""
        if isinstance(command, SetLevel | FollowClock):
            return self._of_schedule(command)
        if isinstance(command, AskCount | TakePicture | OpenClip | AnswerScreen):
            return self._late(command.expires, now)
        if not isinstance(command, SetSeats | SetHand | MakeRuling | TakeBackRuling | Rewind):
            return ""
        if command.if_seq is not None and (command.if_epoch or 0, command.if_seq) < self._played:
            return f"The table has gone on since that was decided ({self._what}): look again"
        return self._late(command.expires, now)

    def _late(self, expires: Expiry | None, now: Millis) -> str | None:
        if expires is None:
            return ""
        if self._station is None:
            return None
        late = self._station.boot != expires.boot or now - self._station.ms > expires.at
        return "That came too late to be carried out: decide again" if late else ""

    def _of_schedule(self, command: SetLevel | FollowClock) -> str | None:
        if command.revision > self._schedule:
            return None  # its schedule is on the way
        if command.revision == self._schedule:
            return ""
        what = f"Level {command.level.no}" if isinstance(command, SetLevel) else "The clock"
        return (
            f"{what} is of an older schedule (revision {command.revision}; this table has "
            f"revision {self._schedule}): the level stays as it is"
        )

    def time_at(self, boot: str, now: Millis) -> Millis | None:
        """The station's time of this boot at `now`; None before its first beat."""
        if self._station is None or self._station.boot != boot:
            return None
        return Millis(now - self._station.ms)


class Carried:
    """The ids of the latest commands that were carried out or refused. A command with a known id is not
    repeated."""

    def __init__(self, ids: Iterable[str] = ()) -> None:
        self._ids = list(ids)[-KEPT:]

    @classmethod
    def of(cls, note: bytes) -> Carried:
        return cls(decode(note, list[str]))

    @classmethod
    def answered_in(cls, envelopes: Iterable[Envelope]) -> Carried:
        """The commands that these events answer."""
        causes = dict.fromkeys(envelope.cause for envelope in envelopes)
        return cls(cause.removeprefix("command/") for cause in causes if cause.startswith("command/"))

    def knows(self, command_id: str) -> bool:
        return command_id in self._ids

    def add(self, command_id: str) -> None:
        self._ids = [*self._ids[1 - KEPT :], command_id]

    def kept(self) -> bytes:
        """The note for the ledger."""
        return msgspec.json.encode(self._ids)


def carry_out(unit: TableUnitOfWork, state: TrackerState, command: AnyTableCommand, now: Millis) -> None:
    """Carry out `command`; it is answered also where it changes nothing."""
    match command:
        case SetSeats() if any(seated.stack > MOST_CHIPS for seated in command.seats):
            unit.record(Refused(f"A stack is {MOST_CHIPS:,} chips at most", RULE, cause=command.id))
        case SetSeats(hand=int(hand)) | ChangeSeats(hand=int(hand)) if hand > HIGHEST_HAND:
            unit.record(Refused(f"A hand's number is {HIGHEST_HAND:,} at most", RULE, cause=command.id))
        case SetSeats(hand=0):
            unit.record(Refused("The next hand's number is 1 at least", RULE, cause=command.id))
        case SetSeats(level=Level() as level) if fault := entry_fault(level):
            unit.record(Refused(f"The level: {fault}", RULE, cause=command.id))
        case SetSeats():
            resume_from(unit, state, command)
        case ChangeSeats():
            change_seats(unit, state, command)
        case SetPresence():
            set_presence(unit, state, command)
            settle(unit, state, now)
        case SetHand():
            refusal = resume_hand(unit, state, command.hand)
            if refusal is not None:
                unit.record(Refused(refusal.reason, refusal.rule, cause=command.id))
            settle(unit, state, now)
        case SetSchedule():
            unit.record(ScheduleSet(command.revision, command.levels))
        case SetLevel():
            unit.record(LevelBegan(command.level))
            level_came(unit, state, now)
            settle(unit, state, now)
        case FollowClock():
            unit.record(
                ClockFollowed(
                    command.revision,
                    command.mark,
                    command.wait,
                    command.rule,
                    command.last_hand,
                    command.break_rule,
                    command.kept_here,
                )
            )
        case MakeRuling():
            opened = OpenIncident(command.incident, command.seat, command.amount, opened_at=now)
            directed(unit, state, opened, command.option, now, command.ruler, command.reason, command.note)
            settle(unit, state, now)
        case TakeBackRuling():
            take_back_ruling(unit, state, now)
            settle(unit, state, now)
        case Rewind():
            rewind(unit, state, command.seq, command.instead, command.id)
            settle(unit, state, now)
        case OpenClip():
            unit.record(Noticed("clip_opened", "The director opened the camera's last three minutes"))
        case AskCount():
            ask_count(unit, command)
        case _:
            unit.record(Refused("This table does not know that command", RULE))
    if not unit.commit.entries:
        unit.record(Noticed("ruling_waits", "A ruling waits its turn"))


def ask_count(unit: TableUnitOfWork, wanted: AskCount) -> None:
    """Tell the dealer that the director asks for a count; the count itself answers."""
    if wanted.seat not in unit.table.seats:
        unit.record(Refused(f"Nobody sits at seat {wanted.seat}", RULE, cause=wanted.id))
        return
    when = " when this hand is over" if unit.table.in_hand else ""
    text = f"The director asks for a count{when}: {wanted.seat}, SEAT, amount, COUNT"
    unit.record(Noticed("count_asked", text, wanted.seat))


def resume_from(unit: TableUnitOfWork, state: TrackerState, wanted: SetSeats) -> None:
    """*Resume from here*: a hand in progress ends unobserved."""
    table: TableProjection = unit.table
    close_deal(unit, state)
    gap = table.in_hand
    if gap:
        unit.record(Noticed("hand_not_observed", f"Hand {table.hand_number} ends unobserved"))
    seats = tuple(sorted(wanted.seats, key=lambda seated: seated.seat))
    unit.record(SeatsSet(seats, wanted.button, wanted.hand, wanted.level, gap, source=Source.DIRECTOR))
    state.end_hand()


def change_seats(unit: TableUnitOfWork, state: TrackerState, wanted: ChangeSeats) -> None:
    """Between two hands: players leave, sit down, and get chips."""
    table: TableProjection = unit.table
    fault = _seats_fault(table, wanted)
    if fault:
        unit.record(Refused(fault, RULE, cause=wanted.id))
        return
    close_deal(unit, state)
    now = {one.seat: one for one in table.stacks_all()}
    leaving = now if wanted.everybody else {one.seat for one in wanted.leave}
    left = tuple(now[seat] for seat in now if seat in leaving)
    kept = {one.player: one.stack for one in left if one.player}
    taken = tuple(SeatStack(one.seat, kept.get(one.player, one.stack), one.player) for one in wanted.take)
    if wanted.everybody:  # a new draw: the stacks are the station's
        taken = wanted.take
    said = wanted.marks, wanted.waits, wanted.away, wanted.smallest_chip, wanted.no_cards
    unit.record(SeatsChanged(left, taken, wanted.add, wanted.button, wanted.hand, *said))
    state.end_hand()


def set_presence(unit: TableUnitOfWork, state: TrackerState, wanted: SetPresence) -> None:
    """A player is away or back by the director's word, in the hand in progress too."""
    table: TableProjection = unit.table
    held = table.seats.get(wanted.seat)
    if held is None or held.player != wanted.player:
        unit.record(Refused(f"{wanted.player} does not sit in seat {wanted.seat}", RULE, cause=wanted.id))
        return
    set_away(unit, state, SetAway(wanted.seat, wanted.away, Source.DIRECTOR, wanted.no_cards))


def _seats_fault(table: TableProjection, wanted: ChangeSeats) -> str:
    """Why the seats cannot be changed like that; empty where they can."""
    if (wanted.after_epoch, wanted.after_seq) != table.seats_changed_at:
        return "The seats have changed since that was decided"
    now = table.seats
    if any(one.seat not in now or now[one.seat].player != one.player for one in wanted.leave):
        return "A player who is to leave does not sit there"
    back = next((one.seat for one in wanted.leave if not one.stack and now[one.seat].stack), None)
    if back is not None:
        return f"Seat {back} has chips again: the award that took them was taken back"
    staying: dict[Seat, tuple[str, int]] = {}
    if not wanted.everybody:
        leaving = {one.seat for one in wanted.leave}
        staying = {seat: (held.player, held.stack) for seat, held in now.items() if seat not in leaving}
    for one in wanted.take:
        if one.seat in staying and staying[one.seat][1] > 0:
            return f"Seat {one.seat} is taken"
        staying[one.seat] = one.player, one.stack
    if len({one.seat for one in wanted.take}) < len(wanted.take):
        return "A seat is named twice"
    for change in wanted.add:
        player, stack = staying.get(change.seat, ("", 0))
        if player != change.player or change.seat not in staying or not 0 <= stack + change.chips <= MOST_CHIPS:
            return f"Seat {change.seat} has no player {change.player} with so many chips"
        staying[change.seat] = player, Chips(stack + change.chips)
    if not {*wanted.waits, *wanted.away} <= {one.seat for one in wanted.take}:
        return "Who waits or is away has to be one who sits down"
    if not {*wanted.no_cards} <= {*wanted.away}:
        return "Who is dealt out has to be one who is away"
    if any(one.stack > MOST_CHIPS for one in wanted.take):
        return f"A stack is {MOST_CHIPS:,} chips at most"
    return ""
