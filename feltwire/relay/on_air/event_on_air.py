"""What is on air of the tournament: its clock, places and money as they were an air delay ago."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from msgspec.structs import replace

from feltwire.relay.on_air.event_timeline import EventMoment, EventTimeline, clock_at
from feltwire.relay.on_air.players import Players
from feltwire.relay.on_air.seat_facts import tenths
from feltwire.runtime.node_io import Show
from feltwire.runtime.views import Part, Views
from table_core.messages import (
    Chips,
    ClockState,
    Eliminated,
    EventView,
    FieldPlayer,
    Millis,
    Payout,
    Standing,
    TournamentField,
    encode_page,
)
from table_core.tournament.money.icm import icm, to_cents

CHANNEL = "event"
WAKING = Part("When the tournament on air changes next")
MOST_BY_ICM = 10  # players: a final table

_Shown = tuple[Millis | None, Millis | None, int]  # the moment's time, how far back, who the players are


class EventOnAir:
    """One way out of the tournament's timeline; what was shown last, and until when pages count on by
    themselves."""

    def __init__(
        self,
        views: Views,
        channel: str = CHANNEL,
        timeline: EventTimeline | None = None,
        players: Players | None = None,
    ) -> None:
        self._views = views
        self._channel = channel
        self._part = Part(f"The tournament on the channel {channel}")
        self.timeline = timeline if timeline is not None else EventTimeline()
        self._players = players if players is not None else Players()
        self._shown: _Shown = (None, None, 0)
        self._until: Millis | None = None
        self._said: EventView | None = None  # without what runs on by itself; None: it could not be shown

    def show(self, now: Millis, air_ms: Millis | None) -> Iterator[Show]:
        """The view, where it is another one than pages count on to by themselves."""
        moment = self.timeline.at(Millis(now - air_ms)) if air_ms is not None else None
        if moment is None and self._shown[0] is None:
            return  # nothing is shown
        shown = (moment.at if moment is not None else None, air_ms, self._players.version)
        due = self._until is not None and now >= self._until
        if self._shown == shown and not due:
            return
        stays = self._shown[:2] == shown[:2] and not due
        self._shown = shown
        self._until = min(self.wake_at(now, air_ms), default=None)
        before, self._said = self._said, None

        def drawn() -> bytes:
            view = self._view(moment, now, air_ms)
            self._said = replace(view, left_ms=0, wall_ms=None)
            return encode_page(view)

        snapshot = self._views.snapshot(self._part, drawn)
        # The same once more would tell that somebody is new in the field.
        if not (stays and before is not None and before == self._said):
            yield Show(self._channel, snapshot)

    def wake_at(self, now: Millis, air_ms: Millis | None) -> list[Millis]:
        """When there will be another one."""
        if air_ms is None:
            return []
        changes = self._views.all(WAKING, lambda: self.timeline.changes_after(Millis(now - air_ms)))
        return [Millis(at + air_ms) for at in changes]

    def _view(self, moment: EventMoment | None, now: Millis, air_ms: Millis | None) -> EventView:
        if moment is None or air_ms is None:
            return EventView(None if air_ms is None else air_ms / 1_000)
        return event_view(moment, Millis(now - air_ms), air_ms / 1_000, self._players)


def event_view(moment: EventMoment, when: Millis, air_s: float | None, players: Players) -> EventView:
    """The tournament as it was `when`."""
    view, field = EventView(air_s), moment.field
    clock = clock_at(moment, when)
    if clock is not None:
        view = _with_clock(view, clock)
    if field is not None:
        view = _with_field(view, field, players)
    wall = None if moment.wall is None else Millis(moment.wall + when - moment.at)
    return replace(view, wall_ms=wall)


def _with_clock(view: EventView, clock: ClockState) -> EventView:
    left, payouts = clock.players_left, clock.payouts
    return replace(
        view,
        level=clock.level,
        next_level=clock.next_level,
        left_ms=clock.left_ms,
        running=clock.running,
        on_break=clock.level.is_break,
        players_left=left,
        entrants=clock.entrants,
        average_stack=clock.average_stack,
        average_bb=tenths(clock.average_stack, clock.level),
        chips=clock.chips,
        payouts=tuple([Payout(place, cents) for place, cents in enumerate(payouts, 1)]),
        next_out=_pays(payouts, left) if payouts and left else None,
        pay_jump=_pays(payouts, left - 1) - _pays(payouts, left) if payouts and left > 1 else None,
        to_the_money=max(left - len(payouts), 0) if payouts else None,
    )


def _pays(payouts: Sequence[int], place: int) -> int:
    return payouts[place - 1] if place <= len(payouts) else 0


def _with_field(view: EventView, field: TournamentField, players: Players) -> EventView:
    seated = [one for one in field.players if one.stack]
    worth = _worth(field, seated)
    out = [one for one in field.out if one.place is not None]
    return replace(
        view,
        name=field.event,
        standings=tuple(
            [
                Standing(
                    place,
                    players.of(one.player, one.name).name,
                    Chips(one.stack or 0),
                    one.table,
                    one.seat,
                    players.of(one.player, one.name).country,
                    worth.get(one.player),
                )
                for place, one in zip(_places(seated), seated, strict=True)
            ]
        ),
        out=tuple(
            [
                Eliminated(one.place or 0, one.name, one.prize, players.of(one.player, one.name).country)
                for one in out
            ]
        ),
    )


def _places(seated: Sequence[FieldPlayer]) -> list[int]:
    """Counted from 1; equal stacks have one place."""
    places = [1] * len(seated)
    for at, (before, one) in enumerate(pairwise(seated), 1):
        places[at] = places[at - 1] if one.stack == before.stack else at + 1
    return places


def _worth(field: TournamentField, seated: Sequence[FieldPlayer]) -> dict[str, int]:
    """What the stacks of a final table are worth by the chip model, in cents by player; empty elsewhere, and where
    the players have shared the money."""
    everybody = field.left == len(seated) and 1 < field.left <= MOST_BY_ICM
    if not everybody or not field.payouts or field.deal or field.entry_open:
        return {}
    stacks = tuple([one.stack or 0 for one in seated])
    return dict(zip([one.player for one in seated], _cents(stacks, field.payouts[: field.left]), strict=True))


@lru_cache(maxsize=64)
def _cents(stacks: tuple[int, ...], prizes: tuple[int, ...]) -> tuple[int, ...]:
    return to_cents(icm(stacks, prizes), sum(prizes))
