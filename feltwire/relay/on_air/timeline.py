"""What a table showed and when, with the hole cards of released hands joined to the moment of their deal.

It is the only source of what is on air. A picture of it is what stood at some time `when`, as it may be shown
`now`: on air `when` is now less the air delay, a replay asks for another time, and the code is the same. A card
comes in by `release` alone, so that one that has not been released by now is a back, whatever time is asked for
(decision 90).

Times are the relay's boot time in ms: no step of a wall clock moves anything. `At` is an event: epoch and number.
"""

from __future__ import annotations

import bisect
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeVar

from msgspec.structs import replace

from feltwire.relay.on_air.seat_facts import acted_last
from table_core.messages import UNKNOWN_CARD, CardText, Millis, Seat, SeatView, Street, TableView

MOST_MOMENTS = 20_000  # of one table, one an event: some four hours of play
MOST_HANDS = 2_000  # released, and begun
_FOR_THE_DEALER: dict[str, Any] = {
    "question": None,
    "notices": (),
    "devices": {},
    "head": "",
    "predicted": "",
    "shows": (),
    "last": "",
    "wishes": (),
    "no_hand": "",
    "waiting": "",
    "typed": "",
    "outcome": "",
    "next_step": "",
    "floor": False,
}
AT_THE_END = (Street.SHOWDOWN, Street.DONE)

At = tuple[int, int]  # epoch, seq


class Moment(NamedTuple):
    """What the table showed from `at` on, until the next moment. `wall`: that time by the relay's wall clock, a
    label; `acted`: who acted last on this street; `called`: since when the clock runs on the seat to act."""

    at: Millis
    view: TableView
    wall: Millis | None = None
    acted: Seat | None = None
    called: Millis | None = None

    @property
    def as_of(self) -> At:
        return self.view.epoch, self.view.as_of


class _At(Protocol):
    @property
    def at(self) -> Millis: ...


M = TypeVar("M", bound=_At)


def moment_at(moments: Sequence[M], when: Millis) -> M | None:
    """The moment of this time, in moments in order; None before the first."""
    index = bisect.bisect_right(moments, when, key=lambda moment: moment.at)
    return moments[index - 1] if index else None


def next_after(moments: Sequence[_At], when: Millis) -> Millis | None:
    """When the first moment behind this time begins."""
    index = bisect.bisect_right(moments, when, key=lambda moment: moment.at)
    return moments[index].at if index < len(moments) else None


class HoleCard(NamedTuple):
    """A released card; the seat has it since the event `at`, which dealt it or moved it there."""

    at: At
    card: CardText


class ReleasedHand(NamedTuple):
    """The hole cards of a hand by seat, in deal order. `from_deal`: they show from their deal on; else from the
    showdown on, since a back among faces would tell before who folds. `last`: its last event that came."""

    number: int
    cards: Mapping[Seat, tuple[HoleCard, ...]]
    from_deal: bool
    last: At

    def is_of(self, moment: Moment) -> bool:
        """Whether it stood then. A number may be dealt again, and how that hand began may not have come: behind
        the last event only its own end stands, in its own epoch."""
        view, at = moment.view, moment.as_of
        ended = at[0] == self.last[0] and view.street is Street.DONE
        return self.number == view.hand and (at <= self.last or ended)


class Picture(NamedTuple):
    """`view` as of a time, with the hole cards that may be shown. `cards`: those that are known of each seat, of
    one that has folded, too. `released`: the hand's cards are out, whether they show here or not. `moment`: what
    stood then."""

    view: TableView
    cards: Mapping[Seat, tuple[CardText, ...]]
    released: bool
    moment: Moment


@dataclass(slots=True)
class Timeline:
    """One table's past.

    >>> Timeline().at(Millis(5_000)) is None
    True
    """

    moments: deque[Moment] = field(default_factory=deque)
    version: int = 0  # grows when a picture of the past may be another one than before
    _began: list[At] = field(default_factory=list)  # the first event of each hand, in order
    _released: dict[At, ReleasedHand] = field(default_factory=dict)  # by that event

    # ------------------------------------------------------------------------------ what happens

    def show(self, view: TableView, now: Millis, wall: Millis | None = None) -> Moment:
        """The table shows this from now on. What only concerns its dealer is left out."""
        before = self.moments[-1] if self.moments else None
        at = now if before is None else max(now, before.at)
        bare = replace(view, **_FOR_THE_DEALER)
        if before is not None and before.view == bare:
            return before  # a restart hears again what the broker has
        moment = Moment(at, bare, wall, _acted(before, view), _called(before, view, at))
        self.moments.append(moment)
        if len(self.moments) > MOST_MOMENTS:
            self.moments.popleft()
        return moment

    def forget(self, before: Millis) -> None:
        """Drop what ended before this time."""
        while len(self.moments) > 1 and self.moments[1].at <= before:
            self.moments.popleft()

    def begin(self, at: At) -> None:
        """A hand began with this event."""
        if at not in self._began:
            bisect.insort(self._began, at)
        for gone in self._began[:-MOST_HANDS]:
            self._released.pop(gone, None)
        del self._began[:-MOST_HANDS]

    def take_back(self, at: At) -> None:
        """The hand that began with this event did not."""
        if at in self._began:
            self._began.remove(at)

    def release(self, began: At, hand: ReleasedHand) -> None:
        """These cards are public from now on. The hand may have begun before this run followed the table."""
        self.begin(began)
        self._released[began] = hand
        self.version += 1

    # ---------------------------------------------------------------------------- what it looked like

    def changes_after(self, when: Millis) -> Millis | None:
        """When the next moment begins."""
        return next_after(self.moments, when)

    def at(self, when: Millis) -> Moment | None:
        """What stood at this time; None where nothing is known of it."""
        return moment_at(self.moments, when)

    def end_of(self, began: At) -> Moment | None:
        """The moment that shows the end of the hand that began with this event: its last one with winners."""
        for moment in reversed(self.moments):
            if moment.as_of < began:
                return None
            won = any(seat.won for seat in moment.view.seats)
            if won and moment.view.street is Street.DONE and self.hand_of(moment) == began:
                return moment
        return None

    def hand_of(self, moment: Moment) -> At | None:
        """The first event of the hand that stood then."""
        place = bisect.bisect_right(self._began, moment.as_of) - 1
        return self._began[place] if place >= 0 else None

    def picture(self, moment: Moment) -> Picture:
        """That moment, as it may be shown now."""
        view, began = moment.view, self.hand_of(moment)
        hand = self._released.get(began) if began is not None else None
        if hand is None or not hand.is_of(moment):
            return Picture(view, _known(view.seats), False, moment)
        shown = hand.from_deal or view.street in AT_THE_END
        if not shown:
            return Picture(view, _known(view.seats), True, moment)
        seats = tuple(_with_cards(hand, view, moment.as_of))
        by_then = {
            seat: tuple([one.card for one in held if one.at <= moment.as_of]) for seat, held in hand.cards.items()
        }
        return Picture(replace(view, seats=seats), by_then | _known(seats), True, moment)


def _acted(before: Moment | None, view: TableView) -> Seat | None:
    """Who acted last on this street, this state included."""
    now = acted_last(before.view if before is not None else None, view)
    same = before is not None and (before.view.hand, before.view.street) == (view.hand, view.street)
    return now if now is not None or before is None or not same else before.acted


def _called(before: Moment | None, view: TableView, at: Millis) -> Millis | None:
    if view.called is None:
        return None
    runs = before is not None and before.view.epoch == view.epoch and before.view.called == view.called
    return before.called if before is not None and runs else at


def _with_cards(hand: ReleasedHand, view: TableView, as_of: At) -> Iterator[SeatView]:
    """The seats of a moment with the hole cards that they had by then; cards that lay face up stay as they were
    read. Behind the end those are shown, too, that a seat had given away before, where they are released."""
    for seat in view.seats:
        dealt = [one.card for one in hand.cards.get(seat.seat, ()) if one.at <= as_of]
        if UNKNOWN_CARD not in seat.cards:
            gave_away = view.street is Street.DONE and not seat.cards
            yield replace(seat, cards=tuple(dealt)) if gave_away and dealt else seat
            continue
        faces = [*dict.fromkeys([*(card for card in seat.cards if card != UNKNOWN_CARD), *dealt])]
        backs = len(seat.cards) - len(faces)
        yield replace(seat, cards=(*faces[: len(seat.cards)], *[UNKNOWN_CARD] * max(backs, 0)))


def _known(seats: Iterable[SeatView]) -> dict[Seat, tuple[CardText, ...]]:
    return {seat.seat: seat.cards for seat in seats if seat.cards and UNKNOWN_CARD not in seat.cards}
