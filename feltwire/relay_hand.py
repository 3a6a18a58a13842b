"""One hand as the relay follows it: what may be released of it, and the picture of it afterwards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from msgspec.structs import replace

from table_core.commitment import Opening
from table_core.messages import (
    UNKNOWN_CARD,
    Acted,
    Action,
    AnyEvent,
    BoardDealt,
    BoardRead,
    CardDealt,
    CardText,
    Chips,
    DealCorrected,
    HandEnded,
    HandMucked,
    HandStarted,
    HandTabled,
    Millis,
    Misdealt,
    OverlaySeat,
    OverlayView,
    PotAwarded,
    Rewound,
    Seat,
    SeatsSet,
    SeatStack,
    Street,
)


@dataclass(slots=True)
class HandRecord:
    """Every event from its first riffle to the next. `ended_at` is the relay's boot time when it saw the end;
    `riffled` is the ruling deadline: the next hand has begun."""

    table: str
    started: HandStarted
    events: dict[int, AnyEvent] = field(default_factory=dict)
    ended_at: Millis | None = None
    riffled: bool = False

    def add(self, seq: int, event: AnyEvent, now: Millis) -> None:
        self.events[seq] = event
        if isinstance(event, Rewound):
            for cut in event.cut:
                self.events.pop(cut, None)
        if not self._any(HandEnded):
            self.ended_at = None
        elif self.ended_at is None or isinstance(event, HandEnded):
            self.ended_at = now

    @property
    def void(self) -> bool:
        """Taken back, misdealt, or closed by the director as not observed: it is never released."""
        return (
            not self._any(HandStarted)
            or self._any(Misdealt)
            or any(e.gap for e in self.events.values() if isinstance(e, SeatsSet))
        )

    def _any(self, kind: type[AnyEvent]) -> bool:
        return any(isinstance(event, kind) for event in self.events.values())

    # ------------------------------------------------------------------------------ what may go out

    def board(self) -> tuple[CardText, ...]:
        board: tuple[CardText, ...] = ()
        for event in self.events.values():
            if isinstance(event, BoardDealt):
                board += event.cards
            elif isinstance(event, BoardRead):
                board = event.cards
        return board

    def folded(self) -> frozenset[Seat]:
        """Seats that folded or mucked."""
        return frozenset(
            event.seat
            for event in self.events.values()
            if (isinstance(event, Acted) and event.action is Action.FOLD) or isinstance(event, HandMucked)
        )

    def tabled(self) -> dict[Seat, tuple[CardText, ...]]:
        return {event.seat: event.cards for event in self.events.values() if isinstance(event, HandTabled)}

    def places(self, *, folded: bool) -> dict[str, CardDealt]:
        """Places whose cards may be released, by commitment: of the last attempt, to seats that kept their
        hands (with `folded`: to every seat) and to the board. Burns and earlier attempts stay sealed."""
        dealt = [event for event in self.events.values() if isinstance(event, CardDealt)]
        last = max((event.attempt for event in dealt), default=1)
        moved = self._moved()
        now = {
            event.place: replace(event, to=moved.get(event.place, event.to))
            for event in dealt
            if event.attempt == last
        }
        kept = {f"seat-{seat.seat}" for seat in self.started.seats}
        if not folded:
            kept -= {f"seat-{seat}" for seat in self.folded()}
        return {
            event.commitment: event
            for event in now.values()
            if event.commitment is not None and event.to in kept | {"board"}
        }

    def _moved(self) -> dict[int, str]:
        """Where rulings put cards that had been dealt elsewhere."""
        corrections = [event for event in self.events.values() if isinstance(event, DealCorrected)]
        return {moved.place: moved.to for correction in corrections for moved in correction.moved}

    def allowed(self, openings: Iterable[Opening], *, folded: bool) -> list[tuple[CardDealt, Opening]]:
        """The openings that keep a public promise of this hand and may go out, in the order of the deal."""
        places, board = self.places(folded=folded), self.board()
        allowed = {}
        for opening in openings:
            promised = places.get(opening.commitment())
            if promised is None:
                continue
            # A board card that was put back is not on the board: it stays sealed.
            if promised.to != "board" or opening.card in board:
                allowed[promised.place] = (promised, opening)
        return [allowed[place] for place in sorted(allowed)]

    # -------------------------------------------------------------------------------- afterwards

    def recap(self, released: Iterable[tuple[CardDealt, Opening]], *, delay_s: float | None) -> OverlayView:
        """The hand when it was over, with the cards that were tabled or released."""
        hole: dict[str, list[CardText]] = {}
        for place, opening in released:
            hole.setdefault(place.to, []).append(opening.card)
        stacks: dict[Seat, Chips] = {}
        won: dict[Seat, int] = {}
        pot, last = 0, ""
        for event in self.events.values():
            if isinstance(event, HandEnded):
                stacks = {share.seat: share.amount for share in event.stacks}
            elif isinstance(event, PotAwarded):
                pot, last = pot + event.amount, event.hand or last
                for share in event.shares:
                    won[share.seat] = won.get(share.seat, 0) + share.amount
        tabled, folded = self.tabled(), self.folded()

        def seat_of(seated: SeatStack) -> OverlaySeat:
            cards = tuple(hole.get(f"seat-{seated.seat}", ()))
            if not cards or UNKNOWN_CARD in cards:
                cards = tabled.get(seated.seat, cards)
            return OverlaySeat(
                seat=seated.seat,
                player=seated.player,
                stack=stacks.get(seated.seat, seated.stack),
                cards=cards,
                folded=seated.seat in folded,
                won=Chips(won.get(seated.seat, 0)),
            )

        return OverlayView(
            table=self.table,
            feed=self.table,
            hand=self.started.hand,
            street=Street.DONE,
            board=self.board(),
            pot=Chips(pot),
            seats=tuple(seat_of(seated) for seated in self.started.seats),
            delay_s=delay_s,
            level=self.started.level,
            last=last,
        )
