"""What of a table is on air, and what of it the producer previews: pictures of its timeline, an air delay and a
preview delay old."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from msgspec.structs import replace

from feltwire.relay.followed import FollowedTable
from feltwire.relay.on_air.overlay import overlay_of
from feltwire.relay.on_air.players import Players
from feltwire.relay.on_air.timeline import At, Moment
from feltwire.runtime.broker import topics
from feltwire.runtime.node_io import Publish, Show
from feltwire.runtime.views import Part, Views
from table_core.messages import Chips, Millis, OverlayView, Street, encode, encode_page

OVERLAY, PREVIEW = "overlay", "preview"  # channels, with a slash and the table
RECAP_MS = 8_000  # how long a released hand is shown


class _Shown(NamedTuple):
    """A picture is another one where one of these is: its moment, what was released since, how far back, who the
    players are."""

    moment: tuple[Millis, At] | None
    version: int
    back_ms: Millis | None
    known: int


@dataclass(slots=True)
class TableOnAir:
    """One way out of a table's timeline. `delay_s` is that of the cards. With `recaps` the end of a hand that is
    released behind its picture is shown once more; on the bus is what is on air alone."""

    venue: str
    table: FollowedTable
    players: Players
    views: Views
    delay_s: float | None
    channel: str = OVERLAY
    shown: _Shown | None = None
    said: OverlayView | None = None  # without what runs on by itself
    is_black: bool = True
    recap: Moment | None = None
    recap_until: int = 0

    def show(self, now: Millis, back_ms: Millis | None) -> Iterator[Publish | Show]:
        """The table as it was `back_ms` ago, where that is another picture than before; None: nothing."""
        timeline = self.table.timeline
        moment = timeline.at(Millis(now - back_ms)) if back_ms is not None else None
        # An air delay that has grown since lies before that end: it was not on air yet.
        if self.recap is not None and (self.recap_until <= now or self.recap.at + (back_ms or 0) > now):
            self.recap = None
        again = self.recap if back_ms is not None else None
        moment = again if again is not None else moment
        which = (moment.at, moment.as_of) if moment is not None else None
        shown = _Shown(which, timeline.version, back_ms, self.players.version)
        if shown == self.shown or (moment is None and self.is_black):
            return
        stays = self.shown is not None and (self.shown.moment, self.shown.back_ms) == (which, back_ms)
        self.shown, self.is_black = shown, moment is None
        view = (
            self._black(back_ms) if moment is None else self._seen(moment, now, back_ms, again=again is not None)
        )
        before, self.said = self.said, _without_times(view)
        # The same once more would tell when another hand was released, or who is new in the field: viewers are to
        # see that when it is on air.
        if not (stays and before == self.said):
            yield from self._sent(view, back_ms)

    def release(self, now: Millis, began: tuple[int, int], back_ms: Millis | None) -> None:
        """The hand that began with this event is released: show its end for a while, where the picture is
        beyond it already."""
        end = self.table.timeline.end_of(began)
        if end is not None and back_ms is not None and end.at + back_ms <= now:
            self.recap, self.recap_until = end, now + RECAP_MS

    def changes_at(self, now: Millis, back_ms: Millis | None) -> Iterator[Millis]:
        """When there is another picture by itself."""
        if self.recap is not None:
            yield Millis(self.recap_until)
        if back_ms is not None:
            behind = self.table.timeline.changes_after(Millis(now - back_ms))
            if behind is not None:
                yield Millis(behind + back_ms)

    def _seen(self, moment: Moment, now: Millis, back_ms: Millis | None, *, again: bool) -> OverlayView:
        table, view = self.table, moment.view
        over = table.over(table.timeline.hand_of(moment)) if view.street is Street.DONE else None
        cards_in = None if over is None else Millis(max(self._release_at(over.ended_at) - now, 0))
        return self.views.show(
            Part(f"The {self.channel} of table {table.table}", table.table),
            lambda: overlay_of(
                table.timeline.picture(moment),
                self.delay_s,
                air_ms=back_ms,
                cards_in_ms=cards_in,
                when=None if again or back_ms is None else Millis(now - back_ms),
                players=self.players,
                statistics=table.statistics,
                again=again,
            ),
            lambda fault: self._black(back_ms, view.hand, f"{fault.words}."),
        )

    def _release_at(self, ended_at: Millis | None) -> int:
        return (ended_at or 0) + round((self.delay_s or 0) * 1_000)

    def _black(self, back_ms: Millis | None, hand: int = 0, last: str = "") -> OverlayView:
        """Nothing to show; `last` says why, where it is a fault."""
        air_s, table = None if back_ms is None else back_ms / 1_000, self.table.table
        return OverlayView(table, table, hand, Street.DONE, (), Chips(0), (), self.delay_s, last=last, air_s=air_s)

    def _sent(self, view: OverlayView, back_ms: Millis | None) -> Iterator[Publish | Show]:
        table = self.table.table
        part = Part(f"The {self.channel} of table {table} as it is sent", table)

        def empty() -> OverlayView:
            return self._black(back_ms, view.hand, f"{part.words} cannot be shown.")

        if self.channel == OVERLAY:
            raw = self.views.show(part, lambda: encode(view), lambda _: encode(empty()))
            yield Publish(topics.overlay(self.venue, table), raw)
        page = self.views.show(part, lambda: encode_page(view), lambda _: encode_page(empty()))
        yield Show(f"{self.channel}/{table}", page)


def _without_times(view: OverlayView) -> OverlayView:
    """What the view says beyond times that pages count on; of a release only that it is awaited."""
    waits = None if view.cards_in_ms is None else Millis(0)
    return replace(view, cards_in_ms=waits, wall_ms=None, shot_clock=None)
