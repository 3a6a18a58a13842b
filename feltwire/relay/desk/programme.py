"""What the producer has on air, and the cut.

It stands between the node and whoever watches: every overlay passes `show`, and while the cut is held a black one
goes out in its place. So the cut needs neither the node nor a page: it holds where the node is busy, and for a
page that does not listen to it. It is published before anything else is done, kept on the disk, and held over
restarts until a person releases it; where the file cannot be read it is held.

Every method is thread-safe, and none but `keep` waits for the disk.
"""

from __future__ import annotations

import dataclasses
import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import RLock

from msgspec.structs import replace

from display.actions import ActionRefused
from display.broadcast_page import BroadcastPress
from display.feed import FEATURE
from display.push import Hub
from feltwire.ledger.store import LedgerError
from feltwire.private_files import replace as write_whole
from feltwire.relay.desk.audit import Audit
from feltwire.relay.on_air.table_on_air import OVERLAY, PREVIEW
from feltwire.runtime.node_io import Publish, Show
from table_core.messages import (
    Chips,
    DeskLine,
    DeskView,
    EventView,
    Few,
    Frozen,
    LongestHand,
    LowerThird,
    Malformed,
    Millis,
    Name,
    OverlayView,
    ProgrammeView,
    Shown,
    Street,
    Text,
    decode,
    encode,
    encode_page,
)

log = logging.getLogger(__name__)

PROGRAMME = "programme.json"  # in the data folder
LOWER_THIRD, TICKER = "lower-third", "ticker"  # elements: on while they have a text
MOST_PREPARED, MOST_TICKER, MOST_ELEMENTS = 40, 40, 60
LINES_SHOWN = 40  # of the audit
LONGEST_THIRD_S = 24 * 3600


class Kept(Frozen, frozen=True):
    """What is on the disk."""

    on_air: ProgrammeView
    staged: ProgrammeView
    prepared: Few[LowerThird] = ()
    ticker: Few[Shown] = ()
    longest: LongestHand | None = None


def read_kept(path: Path) -> Kept:
    """What is on the disk. Raise `OSError` or `Malformed`."""
    return decode(path.read_bytes(), Kept)


class Programme:
    """`hub` shows to pages, `bus` sends to the broker, on the `topic` of a table's overlay; `now` is boot
    time."""

    def __init__(
        self,
        path: Path,
        tables: Sequence[Name],
        audit: Audit,
        *,
        hub: Hub,
        bus: Callable[[Publish], None],
        topic: Callable[[Name], str],
        now: Callable[[], Millis],
    ) -> None:
        self._path = path
        self._tables = tables
        self._audit = audit
        self._hub = hub
        self._bus = bus
        self._topic = topic
        self._now = now
        self._lock = RLock()
        self._disk = RLock()
        self._seen: dict[
            str, tuple[Show, float]
        ] = {}  # the newest of each channel, behind the cut too; since when
        self._sent: dict[str, Publish] = {}  # the newest overlay for the broker, by topic
        self._third_until: Millis | None = None
        self._unkept = ""
        self._kept = self._read()
        self._show_state()

    @property
    def on_air(self) -> ProgrammeView:
        return self._kept.on_air

    @property
    def longest(self) -> LongestHand | None:
        """The longest hand of the event, over restarts."""
        return self._kept.longest

    def keep_longest(self, longest: LongestHand) -> None:
        with self._lock:
            self._kept = replace(self._kept, longest=longest)
        self.keep()

    # ------------------------------------------------------------------------------- what passes it

    def show(self, shown: Show) -> None:
        """Show this to pages, or nothing in its place."""
        with self._lock:
            self._seen[shown.channel] = shown, time.monotonic()
            self._pass(*self._seen[shown.channel])

    def send(self, sent: Publish) -> None:
        """Send an overlay to the broker, or a black one."""
        with self._lock:
            self._sent[sent.topic] = sent
            self._bus(_blackened(sent) if self.on_air.cut else sent)

    def send_again(self) -> None:
        """The broker is back: what it retains may be of before. With the cut it is black for every table."""
        with self._lock:
            self._send_all()

    def _send_all(self) -> None:
        if self.on_air.cut:
            topics = {self._topic(table) for table in self._tables}
            for sent in (Publish(topic, b"", retain=True) for topic in sorted(topics)):
                self._bus(_blackened(sent))
            return
        for sent in self._sent.values():
            self._bus(sent)

    def _pass(self, shown: Show, at: float) -> None:
        for channel in (shown.channel, *self._copies(shown.channel)):
            cut = self.on_air.cut and not channel.startswith(PREVIEW)
            snapshot = encode_page(black(channel)) if cut else shown.snapshot
            self._hub.publish(channel, snapshot, event_id="" if cut else shown.event_id, at=None if cut else at)

    @property
    def _points_to(self) -> dict[str, Name]:
        return {OVERLAY: self._kept.on_air.feature, PREVIEW: self._kept.staged.feature}

    def _copies(self, channel: str) -> list[str]:
        """The channel of the feature that this table's is, too."""
        return [f"{kind}/{FEATURE}" for kind, table in self._points_to.items() if channel == f"{kind}/{table}"]

    def _pass_again(self) -> None:
        for kind, table in self._points_to.items():
            if f"{kind}/{table}" not in self._seen:  # nothing of it is known: the table before is not the feature
                self._hub.publish(f"{kind}/{FEATURE}", encode(black(f"{kind}/{FEATURE}")))
        for shown, at in self._seen.values():
            self._pass(shown, at)
        self._send_all()

    def _show_state(self) -> None:
        """Channels `programme`, `staged` and `desk`."""
        on_air, kept = self.on_air, self._kept
        public = replace(on_air, lower_third=None, ticker=()) if on_air.cut else on_air
        lines = [DeskLine(one.at.wall, one.who, one.what, one.text) for one in self._audit.newest[:LINES_SHOWN]]
        desk = DeskView(on_air, kept.staged, kept.prepared, kept.ticker, tuple(lines), self._unkept)
        for channel, view in (("programme", public), ("staged", kept.staged), ("desk", desk)):
            self._hub.publish(channel, encode_page(view))

    # -------------------------------------------------------------------------------- what is pressed

    def cut(self, held: bool) -> str:
        """Everything off, at once; or on again. What it says is for `keep`."""
        with self._lock:
            if held == self.on_air.cut:
                raise ActionRefused("It is cut already." if held else "Nothing is cut.")
            self._kept = replace(self._kept, on_air=replace(self.on_air, cut=held))
            self._pass_again()
            self._show_state()
        return "nothing is on air" if held else "on air again"

    def press(self, press: BroadcastPress) -> str:
        """Carry a press out; what it changed, for the audit. Raise `ActionRefused`."""
        with self._lock:
            before = self._kept
            match press.do:
                case "take":
                    text = self._take()
                case "prepare":
                    text = self._prepare(press)
                case "forget":
                    text = self._forget(press)
                case "ticker_lines":
                    text = self._ticker_lines(press)
                case _:
                    text = self._change(press)
            if before.on_air.feature != self.on_air.feature or before.staged.feature != self._kept.staged.feature:
                self._pass_again()
            self._show_state()
        return text

    def _take(self) -> str:
        before, staged = self.on_air, self._kept.staged
        shown = before.lower_third
        if shown is not None and replace(shown, until=None) == staged.lower_third:
            staged = replace(staged, lower_third=shown)  # it goes on: its time does not begin again
        if replace(before, cut=False) == staged:
            raise ActionRefused("What is staged is on air already.")
        self._put_on_air(replace(staged, cut=before.cut))
        return _changed(before, self.on_air)

    def _change(self, press: BroadcastPress) -> str:
        """A press that changes what is staged, or both that and what is on air."""
        before = self._kept
        self._kept = replace(before, staged=self._with(before.staged, press))
        if press.staged:
            return _changed(before.staged, self._kept.staged)
        self._put_on_air(self._with(before.on_air, press))
        return _changed(before.on_air, self.on_air)

    def _with(self, view: ProgrammeView, press: BroadcastPress) -> ProgrammeView:
        match press.do:
            case "look":
                if press.feature is not None and press.feature not in self._tables:
                    raise ActionRefused(
                        f"There is no table {press.feature[:20]!r} here; there are: {', '.join(self._tables)}."
                    )
                given = {
                    "feature": press.feature,
                    "layout": press.layout,
                    "skin": press.skin,
                    "stack": press.stack,
                }
                return replace(view, **{name: value for name, value in given.items() if value is not None})
            case "element":
                if not press.element or (
                    press.element not in view.elements and len(view.elements) >= MOST_ELEMENTS
                ):
                    raise ActionRefused("Name an element, such as board.", about="element")
                return replace(view, elements=view.elements | {press.element: press.on})
            case "lower_third":
                third = LowerThird(press.title, press.line, _seconds(press)) if press.on else None
                if third is not None and not third.title:
                    raise ActionRefused("A lower third has a title.", about="title")
                return replace(view, lower_third=third, elements=view.elements | {LOWER_THIRD: press.on})
            case "ticker":
                if press.on and not self._kept.ticker:
                    raise ActionRefused("Write a line for the ticker first.", about="lines")
                ticker = self._kept.ticker if press.on else ()
                return replace(view, ticker=ticker, elements=view.elements | {TICKER: press.on})
        raise ActionRefused(f"There is no press {press.do!r}.")

    def _put_on_air(self, view: ProgrammeView) -> None:
        third = view.lower_third
        if third == self.on_air.lower_third:  # it leaves when it was to leave, whatever else is pressed
            self._kept = replace(self._kept, on_air=view)
            return
        self._third_until = None
        if third is not None and third.for_s:
            self._third_until = Millis(self._now() + third.for_s * 1_000)
            view = replace(
                view, lower_third=replace(third, until=round(time.time() * 1_000) + third.for_s * 1_000)
            )
        self._kept = replace(self._kept, on_air=view)

    def _prepare(self, press: BroadcastPress) -> str:
        if not press.title:
            raise ActionRefused("A lower third has a title.", about="title")
        if len(self._kept.prepared) >= MOST_PREPARED:
            raise ActionRefused(f"{MOST_PREPARED} lower thirds are prepared: delete one first.")
        third = LowerThird(press.title, press.line, _seconds(press))
        if third in self._kept.prepared:
            raise ActionRefused("That lower third is prepared already.", about="title")
        self._kept = replace(self._kept, prepared=(*self._kept.prepared, third))
        return f"{_third(third)}"

    def _forget(self, press: BroadcastPress) -> str:
        left = tuple(one for one in self._kept.prepared if (one.title, one.line) != (press.title, press.line))
        if left == self._kept.prepared:
            raise ActionRefused("That lower third is not prepared any more.")
        self._kept = replace(self._kept, prepared=left)
        return f"“{press.title}”"

    def _ticker_lines(self, press: BroadcastPress) -> str:
        """The lines of the ticker; one that is on air shows them at once."""
        lines = tuple(line for line in press.lines if line.strip())[:MOST_TICKER]

        def shown(view: ProgrammeView) -> ProgrammeView:
            return replace(view, ticker=lines) if view.ticker else view

        kept = self._kept
        self._kept = replace(kept, ticker=lines, on_air=shown(kept.on_air), staged=shown(kept.staged))
        return f"{len(lines)} lines"

    def look(self) -> None:
        """Take a lower third off air whose time is over."""
        with self._lock:
            if self._third_until is None or self._now() < self._third_until:
                return
            self._third_until = None
            third, staged = self.on_air.lower_third, self._kept.staged
            same = (
                third is not None
                and staged.lower_third is not None
                and (third.title, third.line) == (staged.lower_third.title, staged.lower_third.line)
            )
            self._kept = replace(
                self._kept, on_air=_without_third(self.on_air), staged=_without_third(staged) if same else staged
            )
            self._show_state()
        self.keep()

    # ------------------------------------------------------------------------------------- the disk

    def keep(self, who: str = "", what: str = "", text: str = "") -> str:
        """Put what was pressed on the disk, with a line of the audit; where the disk refuses, words for a
        person."""
        with self._disk:
            try:
                with self._lock:
                    content = encode(self._kept)
                write_whole(self._path, content, mode=0o600)
                if what:
                    self._audit.note(who, what, text)
                unkept = ""
            except (OSError, LedgerError) as error:
                unkept = f"It is not on the relay's disk ({error}): a restart does not know it."
                log.warning("what the producer pressed is not on the disk: %s", error)
        with self._lock:
            self._unkept = unkept
            self._show_state()
        return unkept

    def _read(self) -> Kept:
        first = ProgrammeView(feature=self._tables[0] if self._tables else "")
        try:
            kept = read_kept(self._path)
        except FileNotFoundError:
            return Kept(first, first)
        except (OSError, Malformed) as error:
            log.error("%s cannot be read (%s): nothing is on air until a producer releases it", self._path, error)
            return Kept(replace(first, cut=True), first)
        return replace(kept, on_air=self._still(kept.on_air, first), staged=self._still(kept.staged, first))

    def _still(self, view: ProgrammeView, first: ProgrammeView) -> ProgrammeView:
        """A table that is followed no more is no feature; a lower third with an end has ended meanwhile."""
        third = view.lower_third
        ended = third is not None and third.until is not None
        feature = view.feature if view.feature in self._tables else first.feature
        return replace(_without_third(view) if ended else view, feature=feature)


def black(channel: str) -> OverlayView | EventView:
    """Nothing to show on `event`, or on `overlay/07`."""
    kind, _, feed = channel.rpartition("/")
    return OverlayView(feed, feed, 0, Street.DONE, (), Chips(0), (), None) if kind else EventView(None)


def _blackened(sent: Publish) -> Publish:
    return dataclasses.replace(sent, payload=encode(black(sent.topic)))


def _without_third(view: ProgrammeView) -> ProgrammeView:
    return replace(view, lower_third=None, elements=view.elements | {LOWER_THIRD: False})


def _changed(before: ProgrammeView, after: ProgrammeView) -> Text:
    """What is another, from what to what."""
    said = []
    for name in ("feature", "layout", "skin", "stack"):
        old, new = getattr(before, name), getattr(after, name)
        said += [f"{name} {old or 'as the page has it'} → {new or 'as the page has it'}"] if old != new else []
    texts = (before.lower_third, before.ticker) != (after.lower_third, after.ticker)
    for name in sorted({*before.elements, *after.elements}):
        if name in (LOWER_THIRD, TICKER) and texts:
            continue  # told below
        if before.elements.get(name) != after.elements.get(name):
            said.append(f"{name} {'on' if after.elements.get(name, True) else 'off'}")
    if before.lower_third != after.lower_third:
        said.append(f"lower third {_third(before.lower_third)} → {_third(after.lower_third)}")
    if before.ticker != after.ticker:
        said.append(f"ticker {len(before.ticker)} → {len(after.ticker)} lines")
    return ", ".join(said) or "nothing changed"


def _seconds(press: BroadcastPress) -> int:
    if press.for_s > LONGEST_THIRD_S:
        raise ActionRefused(
            f"A lower third stays {LONGEST_THIRD_S:,} s at most; 0: until it is taken off.", about="for_s"
        )
    return press.for_s


def _third(third: LowerThird | None) -> str:
    return "none" if third is None else f"“{third.title}”"
