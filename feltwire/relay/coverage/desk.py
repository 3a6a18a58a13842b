"""The lines of the coverage: when each goes out, and what becomes of it.

A line goes out once it is as old as the wait (the air delay, or nothing) and its grace is over; with the mode
`hold`, or where somebody holds it, only by a press, and never before the wait is over. Before that it follows its
facts silently. What is out and is not so any more is withdrawn at once, or corrected once its new facts are as old
as the wait, where everybody sees it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import msgspec
from msgspec.structs import replace

from feltwire.relay.coverage.news import Cards, HandNews, News, Note
from feltwire.relay.coverage.wording import wording
from table_core.coverage import CoverageDesk, CoverageLine, EarlierText, LineAtDesk, LineState
from table_core.messages import Few, Frozen, Millis, Name, Number, Text

AUTO, HOLD = "auto", "hold"
MODES = (AUTO, HOLD)
MOST_LINES = 5_000  # that are kept in memory and on the page
SHOWN_AT_THE_DESK = 100
MOST_EARLIER = 20
_OUT = (LineState.OUT, LineState.WITHDRAWN, LineState.REMOVED)


class Kept(Frozen, frozen=True):
    """A line as it is stored. `began` and `boot`: when its source came, in boot time; `text` is a person's, empty
    for that of the facts; `said` and `kind` are what went out last; `approved`: somebody let it out; `held`:
    somebody holds it. `corrected`: when the facts of a line that went out became others, which it does not say
    yet."""

    id: Name
    news: News
    began: Millis
    boot: Name
    happened: Millis
    event: Name = ""  # the tournament that it is of
    state: LineState = LineState.WAITS
    held: bool = False
    approved: bool = False
    text: dict[Name, Text] = msgspec.field(default_factory=dict)
    by: Name = ""
    stale: bool = False
    pinned: bool = False
    no: Number = 0
    at: Millis = Millis(0)
    said: dict[Name, Text] = msgspec.field(default_factory=dict)
    kind: Name = ""
    corrected: Millis | None = None
    changed: Millis | None = None
    before: Few[EarlierText] = ()

    @property
    def is_open(self) -> bool:
        """It may still go out."""
        return self.state in (LineState.WAITS, LineState.HELD)

    @property
    def words(self) -> dict[str, str]:
        """What it says, or would say."""
        return {**wording(self.news, self.id), **self.text}


@dataclass(slots=True)
class Lines:
    """`wait_ms`: None while nothing may go out."""

    boot: str
    mode: str = AUTO
    grace_ms: int = 20_000
    wait_ms: Millis | None = None
    all: dict[str, Kept] = field(default_factory=dict)
    _open: dict[str, None] = field(default_factory=dict)  # the lines that may still go out
    _corrected: dict[str, None] = field(default_factory=dict)  # those that do not say their newest facts yet
    last_no: int = 0
    event: str = ""

    def resume(self, kept: Iterable[Kept], now: Millis) -> None:
        """The lines of earlier runs. Of another boot nobody knows how long ago they began: they wait anew."""
        for line in kept:
            self._keep(line if line.boot == self.boot else self._begun_anew(line, now))
            self.last_no = max(self.last_no, line.no)

    def _begun_anew(self, line: Kept, now: Millis) -> Kept:
        corrected = None if line.corrected is None else now
        return replace(line, boot=self.boot, began=now, corrected=corrected)

    def begin(self, event: str) -> Iterator[Kept]:
        """The tournament has this name from now on; what was told before it had one is of it."""
        nameless, self.event = not self.event, event
        for line in [*self.all.values()] if nameless else []:
            if not line.event:
                yield self._keep(replace(line, event=event))

    # ---------------------------------------------------------------------------------- their source

    def change(self, line: str, news: News | None, now: Millis, wall: Millis) -> Iterator[Kept]:
        """The source of a line says this now; None: it says nothing of it any more."""
        before = self.all.get(line)
        if before is None or before.state is LineState.DROPPED:
            if news is not None and (before is None or not before.by):
                held = before is not None and before.held
                yield self._keep(Kept(line, news, now, self.boot, wall, self.event, held=held))
        elif before.is_open:
            if news is None:  # what a person had worded waits for a person where its facts come again
                held = before.held or bool(before.text)
                yield self._keep(replace(before, state=LineState.DROPPED, held=held, by=""))
            elif news != before.news:
                stale = before.stale or (bool(before.text) and wording(news, line) != wording(before.news, line))
                yield self._keep(replace(before, news=news, stale=stale))
        elif before.state is LineState.OUT and news is None:
            yield self._keep(replace(before, state=LineState.WITHDRAWN, changed=wall, corrected=None))
        elif before.state is LineState.WITHDRAWN and news is None and before.corrected is not None:
            yield self._keep(replace(before, corrected=None))
        elif before.state is not LineState.REMOVED and news is not None:
            yield from self._follow(before, news, now)

    def _follow(self, before: Kept, news: News, now: Millis) -> Iterator[Kept]:
        """A line that went out follows its facts, also where a person had worded it: once they are as old as the
        wait."""
        after = replace(before, news=news)
        told = (kind_of(news), wording(news, before.id))
        withdrawn = before.state is LineState.WITHDRAWN and before.corrected is None
        if withdrawn or told != (kind_of(before.news), wording(before.news, before.id)):
            after = replace(after, corrected=now, text={})
        if after != before:
            yield self._keep(after)

    # ------------------------------------------------------------------------------------ going out

    def due(self, now: Millis, wall: Millis) -> Iterator[Kept]:
        """The lines that go out now, or are corrected."""
        for line in [self.all[one] for one in self._corrected]:
            at = self._corrected_at(line)
            if at is not None and at <= now:
                yield self._correct(line, wall)
        for line in self.waiting():
            at = self._due_at(line)
            if at is not None and at <= now:
                yield self._go_out(line, wall)
            elif at is None and line.state is LineState.WAITS and self._waits_for_a_person(line, now):
                yield self._keep(replace(line, state=LineState.HELD))

    def next_due(self) -> Millis | None:
        """When something is to be looked at."""
        if self.wait_ms is None:
            return None
        times = [at for one in self._corrected if (at := self._corrected_at(self.all[one])) is not None]
        for line in self.waiting():
            at = self._due_at(line)
            if at is not None:
                times.append(at)
            elif line.state is LineState.WAITS:
                times.append(Millis(line.began + self._wait_of(line)))
        return min(times, default=None)

    def waiting(self) -> list[Kept]:
        """What may still go out, in the order in which it came about."""
        return [self.all[line] for line in self._open]

    def _due_at(self, line: Kept) -> Millis | None:
        if self.wait_ms is None or (line.stale and not line.approved):
            return None
        if line.approved:
            return Millis(line.began + self._wait_of(line))
        if self.mode == HOLD or line.held:
            return None
        return Millis(line.began + self._wait_of(line) + self.grace_ms)

    def _corrected_at(self, line: Kept) -> Millis | None:
        """When a line that went out says its newest facts."""
        if self.wait_ms is None or line.corrected is None:
            return None
        return Millis(line.corrected + self._wait_of(line))

    def _wait_of(self, line: Kept) -> int:
        assert self.wait_ms is not None
        return 0 if isinstance(line.news, Note) else self.wait_ms

    def _waits_for_a_person(self, line: Kept, now: Millis) -> bool:
        return self.wait_ms is not None and line.began + self._wait_of(line) <= now

    def _go_out(self, line: Kept, wall: Millis) -> Kept:
        self.last_no += 1
        said, kind = line.words, kind_of(line.news)
        return self._keep(replace(line, state=LineState.OUT, no=self.last_no, at=wall, said=said, kind=kind))

    def _correct(self, line: Kept, wall: Millis) -> Kept:
        now = replace(line, state=LineState.OUT, kind=kind_of(line.news), corrected=None)
        return self._keep(_say(now, line.words, wall))

    # -------------------------------------------------------------------------------- what people do

    def write(self, line: str, text: Mapping[str, str], by: str, now: Millis, wall: Millis) -> Kept:
        """A line of a person's own: it goes out at once."""
        return self._keep(Kept(line, Note(dict(text)), now, self.boot, wall, self.event, approved=True, by=by))

    def edit(self, line: Kept, text: Mapping[str, str], by: str, wall: Millis) -> Kept:
        """A person words it, in the languages that are there. Empty: the words of its facts again."""
        mine = {language: words for language, words in text.items() if words}
        now = replace(line, text=mine, by=by, stale=False)
        if line.state is not LineState.OUT:
            return self._keep(now)
        others = now.words if line.corrected is None else line.said  # no newer fact goes out with an edit
        return self._keep(_say(now, {**others, **mine}, wall))

    def hold(self, line: Kept, by: str) -> Kept:
        return self._keep(replace(line, held=True, approved=False, by=by))

    def let_out(self, line: Kept, by: str) -> Kept:
        return self._keep(replace(line, held=False, approved=True, by=by))

    def pin(self, line: Kept, pinned: bool, by: str) -> Kept:
        return self._keep(replace(line, pinned=pinned, by=by))

    def remove(self, line: Kept, by: str, wall: Millis) -> Kept:
        """What is out is taken away where everybody sees it, what is not is dropped."""
        if line.is_open:
            return self._keep(replace(line, state=LineState.DROPPED, by=by))
        gone = replace(line, state=LineState.REMOVED, by=by, changed=wall, pinned=False, corrected=None)
        return self._keep(gone)

    def _keep(self, line: Kept) -> Kept:
        self.all[line.id] = line
        if line.is_open:
            self._open.setdefault(line.id)
        else:
            self._open.pop(line.id, None)
        if line.corrected is not None:
            self._corrected.setdefault(line.id)
        else:
            self._corrected.pop(line.id, None)
        if len(self.all) > MOST_LINES:
            oldest = next((one for one in self.all.values() if not one.is_open), None)
            if oldest is not None:
                del self.all[oldest.id]
                self._corrected.pop(oldest.id, None)
        return line

    # ---------------------------------------------------------------------------------------- shown

    def public(self) -> tuple[CoverageLine, ...]:
        """What everybody sees, the newest first. What was removed says nothing any more."""
        return tuple([_public(line) for line in self._out()])

    def _out(self) -> list[Kept]:
        """What went out of this tournament, the newest first."""
        out = (line for line in self.all.values() if line.state in _OUT and line.event == self.event)
        return sorted(out, key=lambda line: -line.no)

    def desk(self, now: Millis) -> CoverageDesk:
        """What people see who decide what goes out."""
        waiting = [self._at_the_desk(line, now) for line in self.waiting()]
        shown = [self._at_the_desk(line, now) for line in self._out()[:SHOWN_AT_THE_DESK]]
        wait_s = None if self.wait_ms is None else self.wait_ms / 1_000
        return CoverageDesk(self.mode, wait_s, self.grace_ms / 1_000, tuple(waiting), tuple(shown))

    def _at_the_desk(self, line: Kept, now: Millis) -> LineAtDesk:
        due = self._due_at(line) if line.is_open else self._corrected_at(line)
        table, hand = _where(line.news)
        return LineAtDesk(
            id=line.id,
            kind=_kind(line),
            state=line.state,
            text=line.words if line.is_open else line.said,
            told=wording(line.news, line.id),
            happened=line.happened,
            source=source_of(line.news),
            due_ms=None if due is None else max(due - now, 0),
            by=line.by,
            approved=line.approved,
            stale=line.stale,
            pinned=line.pinned,
            table=table,
            hand=hand,
        )


def _say(line: Kept, words: dict[str, str], wall: Millis) -> Kept:
    """A line that is out says this from now on; what it said before stays readable."""
    if words == line.said:
        return line
    earlier = (*line.before, EarlierText(wall, line.said))[-MOST_EARLIER:]
    return replace(line, said=words, changed=wall, before=earlier)


def _public(line: Kept) -> CoverageLine:
    table, hand = _where(line.news)
    gone = line.state is LineState.REMOVED
    return CoverageLine(
        no=line.no,
        id=line.id,
        kind=_kind(line),
        state=line.state,
        happened=line.happened,
        at=line.at,
        text={} if gone else line.said,
        changed=line.changed,
        before=() if gone else line.before,
        pinned=line.pinned,
        table="" if gone else table,
        hand=None if gone else hand,
    )


def _kind(line: Kept) -> str:
    return line.kind or kind_of(line.news)


def kind_of(news: News) -> str:
    """The kind of a line, as feeds and style sheets name it."""
    return news.kind if isinstance(news, HandNews) else str(type(news).__struct_config__.tag)


def _where(news: News) -> tuple[str, int | None]:
    return (news.hand.table, news.hand.hand) if isinstance(news, HandNews | Cards) else ("", None)


def source_of(news: News) -> str:
    """The events that say so, as `feltwire verify` numbers them."""
    if not isinstance(news, HandNews | Cards):
        return ""
    hand = news.hand
    return f"table {hand.table}, epoch {hand.epoch}, events {hand.from_seq}–{hand.seq}"
