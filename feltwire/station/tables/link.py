"""What the station knows of one table: the collected events, the missing ones, and the commands sent to it.

No I/O: `StationNode` turns it into messages.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from feltwire.runtime.broker.backoff import ASK_AGAIN_MS, Backoff
from feltwire.runtime.node_io import ScreensSeen
from feltwire.station.director.arguments import RewindWanted
from feltwire.station.tournament.table_watch import TableWatch
from table_core.messages import (
    AnyTableCommand,
    DeviceState,
    Envelope,
    FollowClock,
    HandStarted,
    HealthView,
    Millis,
    OpenRuling,
    Program,
    Refusal,
    Refused,
    Ruled,
    SeatsSet,
    SetLevel,
    SetSchedule,
    StoredEvent,
    TableHistory,
    TableRuling,
    TableView,
    UnreadEvent,
)
from table_core.projections.history import HistoryCollector
from table_core.projections.table import TableProjection
from table_core.projections.words import describe
from table_core.rulebook import Rulebook
from table_core.tournament.clock import same_course
from table_core.tournament.state import TableFacts
from table_core.tracker.hands.rewinding import RULE, plan, points, sentences

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ProgramSeen:
    """The program that a machine said at a boot time of this one."""

    program: Program
    at: Millis


class ReadModel:
    """The table's projection of its collected events.

    Collecting does not depend on it. An event that cannot be read, or does not fit, is passed over and counted:
    until the next hand begins or ends, `fault` says that the table is not known.
    """

    def __init__(self, projection: TableProjection, watch: TableWatch) -> None:
        self._projection = projection
        self.watch = watch
        self._history = HistoryCollector()
        self._seen = 0  # events
        self._view: TableView | None = None
        self._viewed = 0  # as of so many events
        self._given: Ruled | None = None
        self._given_as_of = 0
        self._facts = TableFacts(watch.table)
        self.passed_over: list[str] = []  # events that could not be applied
        self._lost = False  # what shows the table, or watches it, raised

    def other_rulebook(self, book: Rulebook, sha256: str) -> str:
        """The name of the rulebook that the table plays under where that is another than `book`, and one of them
        is of the director's own: a file that was changed on one machine. Else empty."""
        played, on_record = self._projection.rulebook, self._projection.rulebook_sha256
        if not on_record or on_record == sha256 or not (book.recorded or played.recorded):
            return ""
        return played.name

    def holds(self, command: AnyTableCommand) -> bool:
        """Whether the table is already in the commanded state; it then need not answer."""
        match command:
            case SetSchedule():
                return (self._projection.schedule_revision, self._projection.schedule) == (
                    command.revision,
                    command.levels,
                )
            case SetLevel():
                return self._projection.next_level == command.level
            case FollowClock():
                return self._follows(command)
            case _:
                return False

    def _follows(self, command: FollowClock) -> bool:
        known = self._projection.clock
        if known is None or not same_course(self._projection.schedule, known.mark, command.mark):
            return False
        return all(
            getattr(known, name) == getattr(command, name) for name in known.__struct_fields__ if name != "mark"
        )

    @property
    def given(self) -> Ruled | None:
        """The director's last effective ruling in this hand. Computed when needed: every look at the room asks."""
        if self._given_as_of != self._seen:
            by_director = [one for one in self._projection.rulings() if one.by == "director"]
            self._given, self._given_as_of = by_director[-1] if by_director else None, self._seen
        return self._given

    @property
    def fault(self) -> str:
        """Why the table is not known as it is; empty where it is."""
        return (
            "what it reported cannot be read, or does not fit" if self._lost or self._projection.unobserved else ""
        )

    def apply(self, stored: StoredEvent, raw_hash: str) -> None:
        self._seen += 1
        if self._projection.take(stored, raw_hash) and isinstance(stored, Envelope):
            if self._begins_anew(stored):
                self._lost = False
            with self._contained(stored):
                self.watch.saw(stored, self._projection)
                self._history.apply(stored, self._projection.hand_number)
        else:
            self._pass_over(stored)

    @staticmethod
    def _begins_anew(stored: Envelope) -> bool:
        return isinstance(stored.data, HandStarted | SeatsSet)

    def _pass_over(self, stored: StoredEvent, kind: str = "it cannot be read, or does not fit") -> None:
        number = f"{stored.epoch}/{stored.seq}"
        if number not in self.passed_over:
            self.passed_over.append(number)
            log.error("table %s: event %s: %s", self._projection.table, number, kind)

    def history(self) -> TableHistory:
        """What was recorded last, with its sources."""
        known = self._projection
        return self._history.view(known.table, points(known.hand_log))

    @property
    def table(self) -> TableProjection:
        return self._projection

    def going_back(self, wanted: RewindWanted) -> Sequence[str] | Refusal:
        """What going back would do, in sentences; or why that cannot be, also where play has gone on since the
        director looked."""
        table = self._projection
        later = [one for one in table.hand_log if wanted.if_seq is not None and one.seq > wanted.if_seq]
        if later and wanted.if_epoch == table.epoch:
            words = next((said for one in later if (said := describe(one.event))), "the hand")
            return Refusal(f"Table {table.table} has gone on since you looked ({words}): look again", RULE)
        planned = plan(table, wanted.seq, wanted.instead)
        return planned if isinstance(planned, Refusal) else sentences(table, planned)

    def facts(self) -> TableFacts:
        """What the tournament is told of the table; as of the last event that could be applied."""
        if not self.fault:
            with self._contained(self._newest):
                self._facts = self.watch.facts(self._projection)
        return self._facts

    @property
    def seats_changed_at(self) -> tuple[int, int]:
        """The last event with which seats changed: epoch, seq."""
        return self._projection.seats_changed_at

    @property
    def view(self) -> TableView | None:
        """As of the last event that could be applied; None before the first. Computed when needed."""
        if self._viewed != self._seen and not self.fault:
            with self._contained(self._newest):
                self._view, self._viewed = self._projection.view(), self._seen
        return self._view

    @property
    def _newest(self) -> UnreadEvent:
        """The place of the last event."""
        known = self._projection
        return UnreadEvent(known.venue, known.table, known.epoch, known.seq, known.head)

    @contextmanager
    def _contained(self, stored: StoredEvent) -> Iterator[None]:
        try:
            yield
        except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
            self._lost = True
            self._pass_over(stored, type(error).__name__)


@dataclass(slots=True)
class Outgoing:
    """A command that the table has not answered yet."""

    command: AnyTableCommand
    backoff: Backoff = field(default_factory=Backoff)

    def due(self, now: Millis, *, heard: bool) -> bool:
        """A table that is heard and has not the clock plays an earlier level: it is told each second."""
        if heard and isinstance(self.command, SetSchedule | SetLevel | FollowClock):
            return self.backoff.said_at is None or now - self.backoff.said_at >= ASK_AGAIN_MS
        return self.backoff.due(now)


@dataclass(slots=True)
class TableLink:
    """One table as the station sees it. `epoch` and `seq` are those of the last event collected from it.

    `answered` are the ids of this station's commands that an event of the table cites; `own` recognises them.
    `held` are those that the table need not be told, as of the last event collected.
    """

    table: str
    model: ReadModel
    own: Callable[[str], bool]
    epoch: int = 1
    seq: int = 0
    online: bool = False
    heard_at: Millis | None = None
    reported: tuple[int, int] = (1, 0)  # the last event that the table is known to have: epoch, seq
    head_hash: str = ""  # of the last event collected
    offered: tuple[int, int] = (0, 0)  # the last event that waits for its commit without a gap before it
    offered_hash: str = ""
    asking: Backoff = field(default_factory=Backoff)
    fencing: Backoff = field(default_factory=Backoff)
    answered: set[str] = field(default_factory=set)
    held: set[str] = field(default_factory=set)
    outgoing: dict[str, Outgoing] = field(default_factory=dict)
    devices: dict[str, DeviceState] = field(default_factory=dict)
    health: HealthView | None = None
    screens: ScreensSeen | None = None
    program: ProgramSeen | None = None
    open: OpenRuling | None = None
    cannot_show: str = ""  # the id of what it cannot show
    alerts: dict[str, str] = field(default_factory=dict)  # kind of trouble -> words for the director

    # -------------------------------------------------------------------------------- collecting

    @property
    def head(self) -> tuple[int, int]:
        return self.epoch, self.seq

    @property
    def collected_head(self) -> tuple[int, int]:
        """The last event collected: epoch, seq; (0, 0) where there is none."""
        return self.head if self.seq else (0, 0)

    @property
    def complete(self) -> bool:
        """Whether no event is known to be missing."""
        return self.head >= self.reported

    @property
    def misses_events(self) -> bool:
        """Whether an event is missing that is not on its way to the disk."""
        return max(self.head, self.offered) < self.reported

    def offer(self, envelope: StoredEvent, raw_hash: str) -> None:
        """This event of the table waits for its commit."""
        self.report(envelope.epoch, envelope.seq)
        last = self.offered_hash if self.offered > self.head else self.head_hash
        if envelope.prev == last:
            self.offered, self.offered_hash = (envelope.epoch, envelope.seq), raw_hash

    def not_taken(self) -> None:
        """The ledger did not take what was offered."""
        self.offered = 0, 0

    def report(self, epoch: int, seq: int) -> None:
        """The table is known to have this event, whether collected or not."""
        self.reported = max(self.reported, (epoch, seq))

    def collected(self, envelope: StoredEvent, raw_hash: str, now: Millis) -> str | None:
        """Take one committed event in order; the id of the command that it answers, if any."""
        self.epoch, self.seq, self.head_hash = envelope.epoch, envelope.seq, raw_hash
        self.report(*self.head)
        self.held.clear()
        if self.complete:
            self.asking.reset()
        else:
            self.asking.moved(now)
        self.model.apply(envelope, raw_hash)
        return self._answer(envelope) if isinstance(envelope, Envelope) else None

    def _answer(self, envelope: Envelope) -> str | None:
        event = envelope.data
        cause = event.cause if isinstance(event, Refused) and event.cause else envelope.cause
        cause = cause.removeprefix("command/")
        if not self.own(cause):
            return None
        self.answered.add(cause)
        wanted = self.outgoing.pop(cause, None)
        self.alerts.pop("refused", None)
        if (
            isinstance(event, Refused) and wanted is not None
        ):  # one that was replaced meanwhile is nobody's concern
            self.alerts["refused"] = f"Table {self.table} refused: {event.reason}"
        return cause

    def missing(self) -> Iterator[tuple[int, int]]:
        """`(epoch, from_seq)` of what to ask for; later epochs come with it."""
        if self.misses_events:
            epoch, seq = max(self.head, self.offered)
            yield epoch, seq + 1

    # ------------------------------------------------------------------------------- commanding

    def wants(self, commands: Iterable[AnyTableCommand]) -> None:
        """Set the commands that the table has not answered; others are superseded and forgotten. A level is
        sent when the table has the schedule that it belongs to."""
        wanted = {command.id: command for command in commands if not self._is_settled(command.id)}
        for command in [command for command in wanted.values() if self.model.holds(command)]:
            self.held.add(command.id)
            del wanted[command.id]
        if any(isinstance(command, SetSchedule) for command in wanted.values()):
            on_it = (SetLevel, FollowClock)
            wanted = {id_: command for id_, command in wanted.items() if not isinstance(command, on_it)}
        kept = {id_: self.outgoing[id_] for id_ in wanted if id_ in self.outgoing}
        self.outgoing = {id_: kept.get(id_) or Outgoing(command) for id_, command in wanted.items()}

    def _is_settled(self, command: str) -> bool:
        return command in self.answered or command in self.held

    def renew(self) -> None:
        """The table or the network is back: ask and send again at once."""
        self.asking.reset()
        for outgoing in self.outgoing.values():
            outgoing.backoff.reset()

    # ------------------------------------------------------------------------------------ showing

    def opened(self, ruling: OpenRuling) -> None:
        """Take the table's open incident; an older message that comes late changes nothing."""
        if self.open is None or (ruling.epoch, ruling.as_of) >= (self.open.epoch, self.open.as_of):
            self.open = ruling

    def rulings(self) -> TableRuling:
        return TableRuling(self.table, self.open.ruling if self.open is not None else None, self.model.given)

    @property
    def answers(self) -> bool:
        """Whether it is on the broker, and has answered a beat of this station."""
        return self.online and self.heard_at is not None

    def said_something(self) -> None:
        """Perhaps long ago, where a cable was out: only an answered beat says that the table is there now."""
        self.online = True

    def answered_beat(self, at: Millis) -> None:
        """The table answered the station's beat of this time, whenever that came."""
        self.heard_at, self.online = max(at, self.heard_at or at), True

    def problems(self) -> Iterator[str]:
        """Problems of this table for the director."""
        yield from self.alerts.values()
        if not self.complete and self.asking.wait_ms > 2 * ASK_AGAIN_MS:
            yield f"Table {self.table}: some of its records are missing here; the station asks for them."
        if self.model.fault:
            yield (
                f"Table {self.table}: {self.model.fault}. Its records are kept; what is shown of it here stands "
                "still, and it is told no seats, until its next hand begins or ends. Its dealer screen says more."
            )
        if passed_over := self.model.passed_over:
            which = ", ".join(passed_over[:3]) + (f" and {len(passed_over) - 3} more" if passed_over[3:] else "")
            yield (
                f"Table {self.table}: event {which} of its records cannot be read here. Everything else is kept, "
                "and can be verified: compare its stacks (docs/storage.md)."
            )
