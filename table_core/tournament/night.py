"""A tournament: commands are decided into events, and the state follows from the events alone.

`Night.do` decides a command; what it returns is to be recorded before anybody sees it. A night that is replayed
from its records is the same night. An undo is an event too: the state is computed again without what it names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Any

from msgspec import structs

from table_core.messages import MOST_STORED, Frozen, Name, Number, Refusal, Said, Unencodable, encode
from table_core.rulebook import BASE, Rulebook, load_rulebook
from table_core.tournament import by_hand, control, disputes, flights, hand_for_hand, opening, penalties
from table_core.tournament.chips import bank, colour_up, counts
from table_core.tournament.decision import ConflictError, Decision
from table_core.tournament.events import (
    BustConfirmed,
    ClockChanged,
    Instant,
    MoveConfirmed,
    MoveLeft,
    MoveSeated,
    Redone,
    TimeOutCarried,
    TournamentEvent,
    Undone,
    Unread,
)
from table_core.tournament.field import (
    absences,
    busts,
    corrections,
    entries,
    finishing,
    out_by_hand,
    rebuys,
    registration,
    reinstated,
    unsold,
    waiting_list,
)
from table_core.tournament.money import best_hand, bounties, prizes
from table_core.tournament.seats import button, draw, moves, seating, standing, swap
from table_core.tournament.state import Facts, State
from table_core.tournament.subjects import changed

PARTS = (
    *(control, disputes, hand_for_hand, by_hand, flights),
    *(opening, registration, waiting_list, entries, unsold, rebuys, absences, draw),
    *(standing, button, seating, moves, swap),
    *(out_by_hand, busts, finishing, reinstated, corrections),
    *(prizes, bounties, best_hand, bank, colour_up, counts, penalties),
)
COMMANDS: Mapping[type, Any] = {kind: do for part in PARTS for kind, do in part.COMMANDS.items()}
REDUCERS: Mapping[type, Any] = {
    **{kind: do for part in PARTS for kind, do in part.REDUCERS.items()},
    Redone: lambda state, event, now: None,
    Unread: lambda state, event, now: None,
}


MOST_LOST = 50  # records that rest on one that cannot be read, one by one


class Undo(Frozen, frozen=True):
    """Take back what a command did: the number of any of its records. `player`: of several who were confirmed as
    out together, this one alone."""

    record: Number
    why: Said = ""
    player: Name = ""


class Redo(Frozen, frozen=True):
    """Do again what the undo with this record took back."""

    record: Number


class Replace(Frozen, frozen=True):
    """Take back what a command did and do these others instead, all of it or nothing: the wrong one of two."""

    record: Number
    instead: tuple[Any, ...]
    why: Said = ""


class Recorded:
    """One event with when, by which command and by whom it came. Numbers count from 1. `raw` is the event as it is
    stored; empty where it was read."""

    __slots__ = ("at", "by", "command", "event", "no", "raw")

    def __init__(
        self, no: int, at: Instant, command: str, by: str, event: TournamentEvent, raw: bytes = b""
    ) -> None:
        self.no, self.at, self.command, self.by, self.event, self.raw = no, at, command, by, event, raw


def _conflicts(error: ConflictError) -> Refusal:
    """What was decided does not fit what is so: a refusal, as of everything else that cannot be done now."""
    return Refusal(reason=f"That cannot be done now: {error}.", rule="")


def without_event(one: Recorded) -> Recorded:
    """In the place of a record that is left out."""
    return Recorded(one.no, one.at, one.command, one.by, Unread())


class Night:
    """A tournament as its records tell it. `book` is the rulebook before the event is opened."""

    def __init__(self, book: Rulebook | None = None) -> None:
        self._book = book or load_rulebook(BASE)
        self.records: list[Recorded] = []
        self._undone: set[int] = set()
        self.state = State(self._book)

    @classmethod
    def replayed(cls, records: Iterable[Recorded], book: Rulebook | None = None) -> Night:
        """The night that these records tell. Raise `ConflictError` for records that contradict each other."""
        night = cls(book)
        night.records = list(records)
        night._undone = {
            no for record in night.records if isinstance(record.event, Undone) for no in record.event.records
        }
        night.state = night._without(night._undone)
        return night

    @classmethod
    def as_far_as_told(cls, records: Iterable[Recorded], book: Rulebook | None = None) -> tuple[Night, list[int]]:
        """The night that these records tell without those that cannot be read, and those that contradict what is
        left. Their numbers are the answer's second half; they keep their places."""
        night = cls(book)
        night.records = list(records)
        night._undone = {no for one in night.records if isinstance(one.event, Undone) for no in one.event.records}
        lost = {one.no for one in night.records if isinstance(one.event, Unread)}
        while (conflict := night._first_conflict()) is not None:
            over = len(lost) >= MOST_LOST  # then nothing that follows can be relied on
            gone = [one for one in night.records[conflict.no - 1 :] if over or one is conflict]
            for one in gone:
                night.records[one.no - 1] = without_event(one)
            lost |= {one.no for one in gone}
        night.state = night._without(night._undone)
        return night, sorted(lost)

    def _first_conflict(self) -> Recorded | None:
        """The first record that does not fit those before it."""
        state = State(self._book)
        for record in self.records:
            if record.no in self._undone or isinstance(record.event, Undone):
                continue
            try:
                REDUCERS[type(record.event)](state, record.event, record.at)
            except (ArithmeticError, AttributeError, ConflictError, LookupError, TypeError, ValueError):
                return record
        return None

    def do(
        self,
        command: Any,
        now: Instant,
        facts: Facts,
        *,
        id_: str = "",
        by: str = "",
        why_not: Callable[[Sequence[Any]], Refusal | None] = lambda decided: None,
    ) -> tuple[Recorded, ...] | Refusal:
        """Decide a command and apply what it does; a refusal changes nothing. `why_not` judges the events that it
        was decided into, before they are applied; one that could not be read again is refused."""
        decided = self._decide(command, now, facts)
        if isinstance(decided, Refusal):
            return decided
        if (refusal := why_not(decided)) is not None:
            return refusal
        first = len(self.records) + 1
        try:
            raws = [encode(event, MOST_STORED) for event in decided]
        except Unencodable as error:
            return Refusal(reason=f"Nothing was done, for it cannot be recorded: {error}.", rule="")
        new = tuple(
            Recorded(no, now, id_, by, event, raw)
            for no, (event, raw) in enumerate(zip(decided, raws, strict=True), first)
        )
        undone = {no for record in new if isinstance(record.event, Undone) for no in record.event.records}
        self.records += new
        self._undone |= undone
        try:
            if undone:
                self.state = self._without(self._undone)
            else:
                self._with(self.state, decided, now)
        except (KeyError, ConflictError) as error:  # the night goes on without what the command decided
            del self.records[first - 1 :]
            self._undone -= undone
            self.state = self._without(self._undone)
            if isinstance(error, ConflictError):
                return _conflicts(error)
            raise  # a fault of the command
        return new + self._last_stop(now, id_, by)

    def _last_stop(self, now: Instant, id_: str, by: str) -> tuple[Recorded, ...]:
        """There is a winner: the clock stands. Whatever command has left it running stops it, and taken back with
        that command it runs on."""
        clock = self.state.clock
        if self.state.finished is None or clock is None or not clock.mark.running:
            return ()
        stands = clock.pause(now.at)
        event = ClockChanged(stands.levels, stands.mark, "there is a winner")
        last = Recorded(len(self.records) + 1, now, id_, by, event, encode(event, MOST_STORED))
        self._with(self.state, (last.event,), now)
        self.records.append(last)
        return (last,)

    def _decide(self, command: Any, now: Instant, facts: Facts) -> Decision:
        if isinstance(command, Undo):
            return self._undo(command)
        if isinstance(command, Redo):
            return self._redo(command, now)
        if isinstance(command, Replace):
            return self._replace(command, now, facts)
        if not self.state.opened and not isinstance(command, opening.Open):
            return Refusal(reason="There is no event yet: open one.", rule="")
        decided: Decision = COMMANDS[type(command)](
            self.state, command, now, by_hand.facts_of(self.state, facts, now)
        )
        return decided

    def _undo(self, command: Undo) -> Decision:
        """Everything that the command of this record did, if nothing later rests on it."""
        after = self.without(command.record)
        if isinstance(after, Refusal):
            return after
        group = self.group(command.record)
        out = [
            (one.event, one.at) for one in self.records if one.no in group and isinstance(one.event, BustConfirmed)
        ]
        others = [
            event
            for confirmed, at in out
            if command.player in confirmed.players
            for event in busts.out_all_the_same(after, confirmed, command.player, at)
        ]
        return (Undone(tuple(sorted(group)), command.why), *others)

    def _replace(self, command: Replace, now: Instant, facts: Facts) -> Decision:
        """Each of the new commands is decided where those before it have been done."""
        undone = self._undo(Undo(command.record, command.why))
        if isinstance(undone, Refusal):
            return undone
        state, events = self._without(self._undone | self.group(command.record)), [*undone]
        hands = [f"{one.table}-{one.hand}" for one in command.instead if isinstance(one, busts.ReportBust)]
        for one in command.instead:
            if isinstance(one, busts.DropBust) and one.bust in hands:
                one = structs.replace(one, instead=True)
            decided = COMMANDS[type(one)](state, one, now, by_hand.facts_of(state, facts, now))
            if isinstance(decided, Refusal):
                return decided
            try:
                self._with(state, decided, now)
            except ConflictError as error:
                return _conflicts(error)
            events += decided
        return tuple(events)

    def _redo(self, command: Redo, now: Instant) -> Decision:
        """The events that were taken back, as new records, where nothing has been done since about the same."""
        undo = next((record for record in self.records if record.no == command.record), None)
        if undo is None or not isinstance(undo.event, Undone):
            return Refusal(reason=f"Record {command.record} took nothing back.", rule="")
        if not self.can_redo(undo):
            return Refusal(reason="That has been done again already.", rule="")
        before = [self.records[no - 1].event for no in sorted(self.taken_back(undo.no))]
        events = [event for event in before if not isinstance(event, Redone)]
        about = {subject for event in events for subject in changed(event)}
        since = (one for one in self.records[undo.no :] if self.stands(one.no) and about & {*changed(one.event)})
        if (other := next(since, None)) is not None:
            return Refusal(reason=f"Record {other.no} has come since and is about the same: do it anew.", rule="")
        if any(isinstance(event, ClockChanged) and event.mark.boot != now.boot for event in events):
            return Refusal(reason="The station was started again since: do it anew.", rule="")
        try:
            self._with(self._without(self._undone), events, now)
        except (KeyError, ConflictError) as error:
            return Refusal(reason=f"It cannot be done again: {error}.", rule="")
        return (Redone(undo.no), *events)

    def can_redo(self, undo: Recorded) -> bool:
        """Whether what this record took back has not been done again."""
        again = Redone(undo.no)
        standing = (record for record in self.records[undo.no :] if self.stands(record.no))
        return isinstance(undo.event, Undone) and all(record.event != again for record in standing)

    def decided(self, command: Any, now: Instant, facts: Facts) -> Decision:
        """What a command would record; nothing is done."""
        return self._decide(command, now, facts)

    def foreseen(self, command: Any, now: Instant, facts: Facts) -> State | Refusal:
        """The state that a command would give; nothing is done."""
        if isinstance(command, Undo) and not command.player:
            return self.without(command.record)
        decided = self._decide(command, now, facts)
        if isinstance(decided, Refusal):
            return decided
        gone = {no for event in decided if isinstance(event, Undone) for no in event.records}
        done = [event for event in decided if not isinstance(event, Undone)]
        try:
            return self._with(self._without(self._undone | gone), done, now)
        except ConflictError as error:
            return _conflicts(error)

    @staticmethod
    def _with(state: State, events: Iterable[TournamentEvent], now: Instant) -> State:
        for event in events:
            REDUCERS[type(event)](state, event, now)
        return state

    def without(self, no: int) -> State | Refusal:
        """The state that an undo of record `no` would give; nothing is undone."""
        group = self.group(no)
        if not group:
            return Refusal(reason=f"There is no record {no} to take back.", rule="")
        if (later := self._later_clock(group)) is not None:
            what = f"Record {later} has set the clock or the schedule since, and holds"
            return Refusal(reason=f"{what}. Take that back first, or change it by hand.", rule="")
        try:
            return self._without(self._undone | group)
        except ConflictError as error:
            return Refusal(reason=f"Something later rests on it: {error}. Take that back first.", rule="")

    def _later_clock(self, group: set[int]) -> int | None:
        """The last change of the clock behind those in `group`: each says all of the clock, so that one before it
        has no effect any more."""
        changes = [one.no for one in self.records if isinstance(one.event, ClockChanged) and self.stands(one.no)]
        here = [no for no in changes if no in group]
        later = [no for no in changes if no not in group]
        return later[-1] if here and later and later[-1] > here[-1] else None

    def stands(self, no: int) -> bool:
        """Whether record `no` is not taken back."""
        return no not in self._undone

    @property
    def undone(self) -> Set[int]:
        """The numbers of the records that are taken back."""
        return self._undone

    def taken_back(self, no: int) -> set[int]:
        """The records that record `no` took back; empty where it is no undo."""
        event = next((record.event for record in self.records if record.no == no), None)
        return set(event.records) if isinstance(event, Undone) else set()

    def group(self, no: int) -> set[int]:
        """The records of the command that made record `no`, those that stand; empty for an undo. What tables said
        of its moves goes along: whoever got up, or sits at the new table, goes back."""
        found = next((record for record in self.records if record.no == no), None)
        if found is None or no in self._undone or isinstance(found.event, Undone):
            return set()
        of_moves = self._reports_of_moves()
        moved = next((confirmed for confirmed, reports in of_moves.items() if no in reports), no)
        command = self.records[moved - 1].command
        of_command = (one for one in self.records if command and one.command == command)
        same = {one.no for one in of_command if not isinstance(one.event, Undone)} or {moved}
        reports = (of_moves.get(one, ()) for one in same)
        return same.union(*reports) - self._undone

    def _reports_of_moves(self) -> dict[int, list[int]]:
        """The records of what became of each move, by the record that confirmed it."""
        found: dict[int, list[int]] = {}
        confirmed: dict[str, int] = {}  # move -> its record
        reported = 0  # the move whose report came last
        for record in self.records:
            match record.event:
                case _ if record.no in self._undone:
                    pass
                case MoveConfirmed(move=move):
                    confirmed[move] = record.no
                case MoveLeft(move=move) | MoveSeated(move=move) if move in confirmed:
                    reported = confirmed[move]
                    found.setdefault(reported, []).append(record.no)
                    continue
                case TimeOutCarried() if reported:
                    found[reported].append(record.no)
                    continue
            reported = 0
        return found

    def _without(self, undone: set[int]) -> State:
        """The state of all records but these. Raise `ConflictError` where a later one rests on one of them."""
        state = State(self._book)
        for record in self.records:
            if record.no in undone or isinstance(record.event, Undone):
                continue
            try:
                REDUCERS[type(record.event)](state, record.event, record.at)
            except (KeyError, ConflictError) as error:
                words = str(error) if isinstance(error, ConflictError) else f"{error} is not there"
                raise ConflictError(f"record {record.no}: {words}") from error
        return state
