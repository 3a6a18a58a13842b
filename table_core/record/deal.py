"""One record of what was dealt: where the card of each place lies, and where the cards to come go.

A card is known by its place: the first that leaves the deck has place 1. Every dealing error, and every ruling
that puts one right, is one of a few operations on the order of these places. Each gives another `Deal`, so that
two errors in one deal compose. What operations change is recorded as one `DealCorrected` (`change_to`), and
`corrected` applies it again: an event that is taken back takes its error along. The record holds handles, never
faces.

>>> from table_core.hand.deal import deal_order
>>> deal = Deal.planned_as(deal_order((1, 2), button=2), handles=(1, 2, 3, 4, 5, 6, 7))
>>> deal.street("flop"), deal.burned("flop", 1).street("flop")
([6, 7, 8], [7, 8, 9])
>>> deal.burned("flop", 1).burned("turn", -1).street("turn") == deal.street("turn")
True
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from table_core.hand.deal import is_to_seat, to_seat
from table_core.messages import DealCorrected, Moved, Seat, Street

STREETS: Final = (Street.FLOP, Street.TURN, Street.RIVER)
BOARD_SIZE: Final = {Street.FLOP: 3, Street.TURN: 4, Street.RIVER: 5}
NEW_CARDS: Final = {Street.FLOP: 3, Street.TURN: 1, Street.RIVER: 1}
BOARD_BEFORE: Final = {street: BOARD_SIZE[street] - NEW_CARDS[street] for street in STREETS}
MOST_BURNED: Final = 2  # before a street, whatever went wrong
NEXT_BURN: Final = "next burn"  # a card burned too many: it serves as the next, on the table or back on the deck
UNKNOWN_TIME: Final = -1
_WHOLE: Final = BOARD_SIZE[Street.RIVER]


class Deal(Struct, frozen=True):
    """`planned` is where the card of each place was to go as the hand began, `order` where it lies or will lie:
    `seat-4`, `burn`, `board`, or where a ruling puts it. `handles` are of the cards that have left the deck, 0 for
    one that nobody read; `left_at` the event before each of them left it; `never_passed` the places of cards that
    lie there although no shoe saw them leave. `named`: places of which somebody has said where their card lies;
    `shuffles`: how often the stub was shuffled."""

    planned: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    handles: tuple[int, ...] = ()
    left_at: tuple[int, ...] = ()
    never_passed: tuple[int, ...] = ()
    named: frozenset[int] = frozenset()
    shuffles: int = 0

    @staticmethod
    def planned_as(
        planned: tuple[str, ...],
        corrections: Iterable[DealCorrected] = (),
        handles: tuple[int, ...] = (),
        left_at: tuple[int, ...] = (),
        never_passed: tuple[int, ...] = (),
    ) -> Deal:
        """The deal of a hand as it was planned, and corrected since."""
        deal = Deal(planned, planned, handles, left_at, never_passed)
        for correction in corrections:
            deal = deal.corrected(correction)
        return deal.whole

    # ------------------------------------------------------------------------------------ what lies where

    @property
    def out(self) -> int:
        """How many cards have left the deck."""
        return len(self.handles)

    @property
    def lying(self) -> tuple[str, ...]:
        """Where the cards lie that have left the deck."""
        return (*self.order[: self.out], *["stub"] * (self.out - len(self.order)))

    @property
    def rest(self) -> tuple[str, ...]:
        """Where the cards go that are still in the deck."""
        return self.order[self.out :]

    @property
    def hole_cards(self) -> int:
        """How many cards are out when every hand is complete: one that was replaced is among them."""
        return max((place for place, to in enumerate(self.order, 1) if is_to_seat(to)), default=0)

    @property
    def last_hole_card(self) -> int:
        """The last place of a hole card, as planned or as it lies, whichever is later."""
        planned = max((place for place, to in enumerate(self.planned, 1) if is_to_seat(to)), default=0)
        return max(self.hole_cards, planned)

    @property
    def taken_from_seats(self) -> list[str]:
        """Where cards were to go that lie at no seat now, because somebody said so."""
        planned = zip(self.planned, self.lying, strict=False)
        return [to for place, (to, lies) in enumerate(planned, 1) if place in self.named and not is_to_seat(lies)]

    def to(self, place: int) -> str:
        """Where the card of a place lies or will lie; `stub` behind the last that has another."""
        return self.order[place - 1] if 0 < place <= len(self.order) else "stub"

    def places(self, to: str) -> list[int]:
        """Places of the cards that have left the deck and lie there."""
        return [place for place, lies in enumerate(self.lying, 1) if lies == to]

    def seat(self, seat: Seat) -> list[int]:
        """Places of the cards of a seat, dealt or not."""
        return [place for place, to in enumerate(self.order, 1) if to == to_seat(seat)]

    def street(self, street: Street) -> list[int]:
        """Places of the board cards of a street, dealt or not."""
        board = [place for place, to in enumerate(self.order, 1) if to == "board"]
        return board[BOARD_BEFORE[street] : BOARD_SIZE[street]]

    def behind(self, street: Street) -> tuple[str, ...]:
        """Where the cards go behind a street."""
        return self.order[self.street(street)[-1] :]

    def due(self, street: Street) -> int:
        """How many burns come right before a street."""
        before = self.order[: self.street(street)[0] - 1]
        return next((burns for burns, to in enumerate(reversed(before)) if to != "burn"), len(before))

    def off(self, street: Street) -> int | None:
        """How many cards more than due were burned up to a street, by the count: 0 where its cards are those that
        would have come, also behind a wrong burn that was made up for. None where none of it is out. A card that
        never passed came in the place of its burn. Behind a reshuffle each street counts by itself, and one that
        is dealt anew, behind cards that went back, has no burn due."""
        places = self.street(street)
        if places[0] > self.out:
            return None
        before, burns = self.order[: places[0] - 1], self.due(street)
        if self.shuffles:
            anew = not burns and before[-1:] in (("stub",), ("barred",))
            return 0 if anew else burns - 1
        never = sum(self.hole_cards < place <= places[-1] for place in self.never_passed)
        return before.count("burn") + before.count(NEXT_BURN) - never - STREETS.index(street) - 1

    def since(self, board: int) -> int:
        """How many cards have left the deck since a board of so many was out."""
        lie = self.places("board")
        before = self.hole_cards if not board else lie[board - 1] if len(lie) >= board else self.out
        return max(self.out - before, 0)

    def is_out(self, street: Street) -> bool:
        """Whether every card of a street has left the deck, read or not."""
        return self.street(street)[-1] <= self.out

    def is_read(self, place: int) -> bool:
        """Whether the card has left the deck and the shoe has read it."""
        return 0 < place <= self.out and self.handles[place - 1] != 0

    def left(self, place: int) -> int:
        """The event before the card left the deck; `UNKNOWN_TIME` where it has not, or nobody saw it."""
        return self.left_at[place - 1] if 0 < place <= len(self.left_at) else UNKNOWN_TIME

    def out_before(self, seq: int) -> int:
        """How many cards had left the deck before event `seq`."""
        return next((out for out, left in enumerate(self.left_at) if left >= seq), len(self.left_at))

    # ------------------------------------------------------------------------- what errors and rulings do

    def lies(self, to: str, *places: int) -> Deal:
        """These cards lie elsewhere: shown, scrap, barred, back on the deck."""
        lying = [to if place in places else lies for place, lies in enumerate(self.lying, 1)]
        return self.goes_by((*lying, *self.rest), named=places)

    def burned(self, street: Street, by: int) -> Deal:
        """Before a street so many cards more were burned than the record had, or less: its cards and all behind
        them lie as many places later, or earlier."""
        first = self.street(street)[0] - 1
        less = min(max(-by, 0), self.due(street))
        now = *self.order[: first - less], *["burn"] * by, *self.order[first:]
        return self.goes_by(now, range(first - less + 1, self.out + 1)) if by > 0 or less else self

    def comes(self, *to: str, after: int = 0) -> Deal:
        """The deck gives these next, or after so many cards, and then what it would have given."""
        return self.goes_by((*self.lying, *self.rest[:after], *to, *self.rest[after:]))

    def goes_on(self, *to: str) -> Deal:
        """The deck gives these from now on."""
        return self.goes_by((*self.lying, *to))

    def is_burn(self, place: int) -> Deal:
        """The card is the burn that is due next: what its place was for comes where that burn was due."""
        order = list(self.order)
        if "burn" in order[place - 1 :]:
            due = order.index("burn", place - 1)
            order[place - 1], order[due] = order[due], order[place - 1]
        return self.goes_by(order, named=(place,))

    def replaced_behind_the_deal(self, place: int, seat: Seat) -> Deal:
        """A hole card is the burn that comes next, and the seat gets the card behind the last hole card."""
        hands = [to for to in self.rest if is_to_seat(to)]
        behind = [to for to in self.rest if not is_to_seat(to)]
        if "burn" in behind:
            behind.remove("burn")
        return self.goes_on(*hands, to_seat(seat), *behind).lies("burn", place)

    def without(self, seat: Seat) -> Deal:
        """No card went to the seat."""
        return self.goes_by([to for to in self.order if to != to_seat(seat)])

    def again(self, street: Street, places: Iterable[int], *, to: str = "stub", burns: int = 0) -> Deal:
        """The street is dealt again out of the reshuffled stub, behind so many burns; its cards at `places` lie
        elsewhere. What was to follow the street follows it still."""
        new = (*("burn",) * burns, *("board",) * NEW_CARDS[street], *self.behind(street))
        return self.lies(to, *places).goes_on(*new).shuffled()

    def shuffled(self) -> Deal:
        """The stub is shuffled: cards that were put back may come again."""
        return replace(self, shuffles=self.shuffles + 1)

    def goes_by(self, order: Iterable[str], named: Iterable[int] = ()) -> Deal:
        """The same cards in this order."""
        return replace(self, order=tuple(order), named=self.named.union(named))

    @property
    def whole(self) -> Deal:
        """Whatever was ruled, and however often: five cards make the board, and behind them is the stub."""
        order = [*self.order]
        missing = _WHOLE - order.count("board")
        if missing > 0:
            order += ["stub"] * (self.out - len(order)) + ["board"] * missing
        while order and order[-1] == "stub":
            order.pop()
        return replace(self, order=tuple(order))

    # ------------------------------------------------------------------------------------------ its events

    def corrected(self, event: DealCorrected) -> Deal:
        """The deal behind the event."""
        order = [*[*self.order, *["stub"] * event.after][: event.after], *event.rest]
        for moved in event.moved:
            order[moved.place - 1] = moved.to
        named = [moved.place for moved in event.moved]
        return replace(self.goes_by(order, named), shuffles=self.shuffles + event.reshuffled)

    def change_to(self, other: Deal, public: Mapping[int, str]) -> DealCorrected:
        """The event that makes the other deal of this one. `public`: where the events have the cards, by place;
        they may know of a ruling that was taken back."""
        other, said = other.whole, other.named - self.named
        moved = [
            Moved(place, to)
            for place, (to, was) in enumerate(zip(other.lying, self.lying, strict=True), 1)
            if place in said or not to == was == public.get(place, was)
        ]
        return DealCorrected(self.out, other.rest, tuple(moved), reshuffled=other.shuffles > self.shuffles)
