"""What is on air of the tournament: its clock, places and money as they were an air delay ago."""

from __future__ import annotations

from collections.abc import Iterator

from feltwire.relay.event_timeline import EventMoment, EventTimeline, station_time
from feltwire.runtime.node_io import Show
from feltwire.runtime.views import Part, Views
from table_core.messages import Beat, ClockState, EventView, Millis, Payout, decode, encode_page
from table_core.projections.clock import run_on

CHANNEL = "event"
EVENT = Part("The tournament on air")
WAKING = Part("When the tournament on air changes next")
TENTHS = 10


class EventOnAir:
    """The tournament's timeline, and what of it was shown last: of which moment, and until when pages count on by
    themselves."""

    def __init__(self, views: Views) -> None:
        self._views = views
        self.timeline = EventTimeline()
        self._shown: tuple[EventMoment | None, Millis | None] | None = None
        self._until: Millis | None = None

    def beat(self, beat: Beat, now: Millis) -> None:
        self.timeline.beat(beat, now)

    def clock(self, raw: bytes, now: Millis, keep_ms: int) -> None:
        """A message on the topic of the clock. Raise `Malformed`."""
        self.timeline.show(decode(raw, ClockState), now)
        self.timeline.forget(Millis(now - keep_ms))

    def show(self, now: Millis, air_ms: Millis | None) -> Iterator[Show]:
        """The view, where it is another one than pages count on to by themselves."""
        moment = self.timeline.at(Millis(now - air_ms)) if air_ms is not None else None
        if moment is None and (self._shown is None or self._shown[0] is None):
            return  # nothing is shown
        if self._shown == (moment, air_ms) and (self._until is None or now < self._until):
            return
        self._shown = moment, air_ms
        self._until = min(self.wake_at(now, air_ms), default=None)
        yield Show(CHANNEL, self._views.snapshot(EVENT, lambda: encode_page(self._view(moment, now, air_ms))))

    def wake_at(self, now: Millis, air_ms: Millis | None) -> list[Millis]:
        """When there will be another one."""
        if air_ms is None:
            return []
        changes = self._views.all(WAKING, lambda: self.timeline.changes_after(Millis(now - air_ms)))
        return [Millis(at + air_ms) for at in changes]

    @staticmethod
    def _view(moment: EventMoment | None, now: Millis, air_ms: Millis | None) -> EventView:
        air_s = None if air_ms is None else air_ms / 1_000
        if moment is None or air_ms is None:
            return EventView(air_s)
        return event_view(moment, Millis(now - air_ms), air_s)


def event_view(moment: EventMoment, when: Millis, air_s: float | None) -> EventView:
    """The tournament as it was `when`."""
    clock = run_on(moment.clock, station_time(moment, when))
    big, payouts = clock.level.big_blind, clock.payouts
    left, next_out = clock.players_left, None
    if payouts:
        next_out = payouts[left - 1] if 0 < left <= len(payouts) else 0
    return EventView(
        air_s=air_s,
        level=clock.level,
        next_level=clock.next_level,
        left_ms=clock.left_ms,
        running=clock.running,
        on_break=clock.level.is_break,
        players_left=left,
        entrants=clock.entrants,
        average_stack=clock.average_stack,
        average_bb=clock.average_stack * TENTHS // big if big else None,
        chips=clock.chips,
        payouts=tuple(Payout(place, cents) for place, cents in enumerate(payouts, 1)),
        next_out=next_out,
        pay_jump=_jump(payouts, left),
        to_the_money=max(left - len(payouts), 0) if payouts else None,
    )


def _jump(payouts: tuple[int, ...], left: int) -> int | None:
    """What everybody who stays wins when one more goes."""
    if not payouts or left < 2:
        return None
    pays = [payouts[place - 1] if place <= len(payouts) else 0 for place in (left - 1, left)]
    return max(pays[0] - pays[1], 0)
