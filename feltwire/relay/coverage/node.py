"""The coverage without its I/O: what tables and station say becomes lines, and lines go out.

It hears every table of the room, and knows cards only by what was tabled in public and by what the relay has
released: it holds no key. It is a node of its own beside the relay's, so that no fault here delays a release.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

from feltwire.relay.coverage.coverage_io import (
    DeskPressed,
    Effect,
    HandReleased,
    Input,
    KeepHeard,
    KeepLine,
    NoteAct,
    ShowCoverage,
    WaitSeen,
)
from feltwire.relay.coverage.covered import CoveredTable, line_name
from feltwire.relay.coverage.desk import AUTO, HOLD, MODES, Kept, Lines
from feltwire.relay.coverage.field import field_of
from feltwire.relay.coverage.hand_facts import facts_of
from feltwire.relay.coverage.phrases import LANGUAGES
from feltwire.relay.coverage.reporter import Change, Reporter
from feltwire.relay.hand import HandRecord
from feltwire.runtime.broker import topics
from feltwire.runtime.node_io import TOO_LATE, Arrived, Publish, Quarantined, Reply, Say
from table_core.coverage import ChipCount, CoverageView, LineState
from table_core.messages import (
    ClockState,
    LaterVersion,
    Leaseholder,
    Malformed,
    Millis,
    Resend,
    TableLeaseholder,
    TableState,
    TournamentField,
    decode,
    decode_stored,
    encode,
)

COUNTS_EACH_MS = 15_000  # the chip counts change at most so often
MOST_COUNTS = 600
LONGEST_TEXT = 600  # of a line that a person words
MOST_TABLES = 1_000


class _Counts(NamedTuple):
    at: Millis
    counts: tuple[ChipCount, ...]
    clock: ClockState | None
    wall: Millis


class CoverageNode:
    """`at_once`: public facts go out without the air delay. `wall` gives the wall time now."""

    def __init__(
        self,
        venue: str,
        boot: str,
        *,
        mode: str = AUTO,
        grace_ms: int = 20_000,
        at_once: bool = False,
        air_ms: Millis | None = None,
        cut: bool = False,
        wall: Callable[[], Millis] = lambda: Millis(0),
    ) -> None:
        self._venue = venue
        self._at_once = at_once
        self._air_ms = air_ms
        self._cut = cut
        self._wall = wall
        self._tables: dict[str, CoveredTable] = {}
        self.reporter = Reporter()
        self.lines = Lines(boot, mode, grace_ms, self._wait())
        self._counted: deque[_Counts] = deque(maxlen=MOST_COUNTS)
        self._shown: _Counts | None = None
        self._version = 0
        self._changed = self._desk_changed = True

    def resume(
        self, kept: Iterable[Kept], now: Millis, *, field: bytes | None, event: str = "", mode: str = ""
    ) -> None:
        """What is on the disk: the lines, the field as it was heard last, the name of its event, the mode."""
        self.lines.resume(kept, now)
        self.lines.event = self.reporter.event = event
        for line in self.lines.all.values():
            if line.event == event:
                self.reporter.resume(line.id, line.news, is_out=not line.is_open)
        if field is not None:
            with suppress(Malformed):
                self.reporter.know(field_of(decode(field, TournamentField)))
        if mode in MODES:
            self.lines.mode = mode

    @property
    def leaseholders(self) -> dict[str, Leaseholder]:
        """By table, as far as the station has named them."""
        return {name: table.who for name, table in self._tables.items() if table.who is not None}

    def step(self, given: Input | None, now: Millis) -> tuple[list[Effect], Millis | None]:
        effects: list[Effect] = []
        match given:
            case Arrived():
                effects += self._arrived(given, now)
            case HandReleased():
                line = line_name(given.table, given.lineage, given.began)
                effects += self._told(self.reporter.released(line, given.table, given.cards), now)
            case WaitSeen():
                self._air_ms, self._cut = given.air_ms, given.cut
                if self.lines.wait_ms != self._wait():
                    self.lines.wait_ms, self._desk_changed = self._wait(), True
            case DeskPressed():
                effects += self._pressed(given, now)
            case Quarantined():
                effects.append(Say(given.words, "warning", "quarantine"))
        effects += self._ask(now)
        effects += self._go_out(now)
        effects += self._show(now)
        return effects, self._wake_at(now)

    def _wait(self) -> Millis | None:
        if self._cut or self._air_ms is None:
            return None
        return Millis(0) if self._at_once else self._air_ms

    # ------------------------------------------------------------------------------ what comes in

    def _arrived(self, given: Arrived, now: Millis) -> Iterator[Effect]:
        try:
            leased = topics.table_of_leaseholder(given.topic)
            where = topics.split_table(given.topic)
            if leased is not None:
                lease = decode(given.payload, TableLeaseholder)
                if lease.table == leased:
                    self._table(leased).granted(lease.leaseholder)
            elif where is not None and where[1] in ("event", "state") and where[0] in self._tables:
                yield from self._from_table(self._tables[where[0]], where[1], given.payload, now)
            elif given.topic == topics.tournament(self._venue, "clock"):
                yield from self._told(self.reporter.follow_clock(decode(given.payload, ClockState)), now)
            elif given.topic == topics.tournament(self._venue, "field"):
                yield from self._field(given.payload, now)
        except LaterVersion as error:
            text = f"{given.topic} has a later version ({error}): update the relay, it is not covered"
            yield Say(text, "warning", f"later {given.topic}")
        except Malformed as error:
            text = f"the coverage ignored a message on {given.topic}: it is malformed ({error})"
            yield Say(text, "warning", f"malformed {given.topic}")

    def _table(self, name: str) -> CoveredTable:
        if name not in self._tables and len(self._tables) >= MOST_TABLES:
            raise Malformed(f"more than {MOST_TABLES} tables")
        return self._tables.setdefault(name, CoveredTable(self._venue, name))

    def _from_table(self, table: CoveredTable, leaf: str, raw: bytes, now: Millis) -> Iterator[Effect]:
        if leaf == "event":
            yield from self._hands(table, table.take(decode_stored(raw), raw, now), now)
            return
        view = table.between_hands(decode(raw, TableState), raw)
        if view is not None:
            self.reporter.seats(
                table.table,
                [(one.player, one.stack, one.seat) for one in view.seats if one.player],
            )
            self._count(now)

    def _hands(self, table: CoveredTable, hands: Iterable[HandRecord], now: Millis) -> Iterator[Effect]:
        for hand in hands:
            line, facts = table.line_of(hand), facts_of(hand)
            changes = (
                self.reporter.hand(line, facts) if facts else self.reporter.no_hand(table.table, line, hand.last)
            )
            yield from self._told(changes, now)

    def _field(self, raw: bytes, now: Millis) -> Iterator[Effect]:
        event = self.reporter.event
        changes = [*self.reporter.follow_field(field_of(decode(raw, TournamentField)), self._wall())]
        if event != self.reporter.event:
            self._changed = True
            yield KeepHeard("event", self.reporter.event.encode())
            for line in self.lines.begin(self.reporter.event):
                yield from self._kept(line)
        yield from self._told(changes, now)
        yield KeepHeard("field", raw)

    def _told(self, changes: Iterable[Change], now: Millis) -> Iterator[Effect]:
        for change in changes:
            for line in self.lines.change(change.line, change.news, now, self._wall()):
                yield from self._kept(line, shown=line.corrected is None)

    def _kept(self, line: Kept, *, shown: bool = True) -> Iterator[Effect]:
        """`shown`: what everybody sees of it may be another thing than before."""
        yield KeepLine(line)
        self._desk_changed = True
        self._changed = self._changed or (shown and not (line.is_open or line.state is LineState.DROPPED))

    def _ask(self, now: Millis) -> Iterator[Effect]:
        for table in self._tables.values():
            missing = table.asks(now)
            if missing is not None:
                resend = Resend(f"coverage-{now}", *missing)
                yield Publish(topics.table(self._venue, table.table, "resend"), encode(resend))
            else:
                yield from self._hands(table, table.gives_up(now), now)

    # ----------------------------------------------------------------------------- what goes out

    def _go_out(self, now: Millis) -> Iterator[Effect]:
        for line in self.lines.due(now, self._wall()):
            if line.state is LineState.OUT:
                self.reporter.went_out(line.id)
            yield from self._kept(line)

    def _count(self, now: Millis) -> None:
        """The chip counts as they are; they are shown once they are as old as the wait."""
        if self._counted and now - self._counted[-1].at < COUNTS_EACH_MS:
            return
        counts: list[ChipCount] = []
        place = 0
        for index, one in enumerate(self.reporter.all_stacks(), 1):
            place = place if counts and counts[-1].stack == one.stack else index
            counts.append(ChipCount(place, one.name, one.stack, one.table, one.seat))
        self._counted.append(_Counts(now, tuple(counts), self.reporter.clock, self._wall()))

    def _show(self, now: Millis) -> Iterator[Effect]:
        wait = self._wait()
        while wait is not None and self._counted and self._counted[0].at + wait <= now:
            self._shown, self._changed = self._counted.popleft(), True
        if not (self._changed or self._desk_changed):
            return
        view = None
        if self._changed:
            self._version += 1
            view = self._view()
        self._changed = self._desk_changed = False
        yield ShowCoverage(view, self.lines.desk(now))

    def _view(self) -> CoverageView:
        shown = self._shown
        clock = shown.clock if shown is not None else None
        return CoverageView(
            version=self._version,
            name=self.reporter.tournament.event,
            lines=self.lines.public(),
            counts=shown.counts if shown is not None else (),
            counted=shown.wall if shown is not None else None,
            level=clock.level if clock is not None else None,
            players_left=clock.players_left if clock is not None else 0,
            entrants=clock.entrants if clock is not None else 0,
        )

    def _wake_at(self, now: Millis) -> Millis | None:
        times = [table.wakes_at for table in self._tables.values()]
        times.append(self.lines.next_due())
        wait = self._wait()
        if wait is not None and self._counted:
            times.append(Millis(self._counted[0].at + wait))
        return min((time for time in times if time is not None), default=None)

    # ---------------------------------------------------------------------------------- the desk

    def _pressed(self, press: DeskPressed, now: Millis) -> Iterator[Effect]:
        if press.until < now:
            yield Reply(press.id, TOO_LATE, refused=True)
            return
        wall = self._wall()
        text = {language: press.text.get(language, "").strip() for language in LANGUAGES}
        why = self._cannot(press, text)
        if why:
            yield Reply(press.id, why, refused=True)
            return
        line = self.lines.all.get(press.line)
        if press.command == "mode":
            self.lines.mode, self._desk_changed = press.line, True
            yield KeepHeard("mode", press.line.encode())
            yield NoteAct(press.by, "coverage mode", press.line)
            words = "by themselves" if press.line == AUTO else "only by a press"
            yield Reply(press.id, f"Lines go out {words}.")
            return
        if press.command == "write":
            first = next(words for words in text.values() if words)
            text = {language: words or first for language, words in text.items()}
            kept = self.lines.write(f"note/{press.id}", text, press.by, now, wall)
        else:
            assert line is not None
            kept = self._carried_out(press, line, text, wall)
        yield from self._kept(kept)
        yield NoteAct(press.by, f"coverage {press.command}", f"{kept.id}: {kept.words['en']}"[:LONGEST_TEXT])
        yield Reply(press.id, _DONE[press.command])

    def _cannot(self, press: DeskPressed, text: dict[str, str]) -> str:
        if press.command == "mode":
            return "" if press.line in MODES else f"There is no mode {press.line[:40]!r}: {AUTO} or {HOLD}."
        if press.command not in _DONE:
            return f"There is nothing like {press.command[:40]!r} to do with a line."
        if any(len(words) > LONGEST_TEXT for words in text.values()):
            return f"A line has {LONGEST_TEXT} letters at most."
        if press.command == "write":
            return "" if any(text.values()) else "Write something first."
        line = self.lines.all.get(press.line)
        if line is None or line.state in (LineState.DROPPED, LineState.REMOVED):
            return "That line is not there any more."
        if press.command in ("hold", "out") and not line.is_open:
            return "That line is out already."
        if press.command == "edit" and line.state is LineState.WITHDRAWN:
            return "That line was withdrawn."
        return ""

    def _carried_out(self, press: DeskPressed, line: Kept, text: dict[str, str], wall: Millis) -> Kept:
        match press.command:
            case "edit":
                return self.lines.edit(line, text, press.by, wall)
            case "hold":
                return self.lines.hold(line, press.by)
            case "out":
                return self.lines.let_out(line, press.by)
            case "remove":
                return self.lines.remove(line, press.by, wall)
        return self.lines.pin(line, press.command == "pin", press.by)


_DONE = {
    "edit": "The line says so now.",
    "hold": "The line is held.",
    "out": "The line goes out, not before its time.",
    "pin": "The line stays on top.",
    "unpin": "The line does not stay on top any more.",
    "remove": "The line is taken away.",
    "write": "The line goes out.",
}
