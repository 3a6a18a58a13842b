"""One hand as the relay follows it: which cards may be released, and what of them is on air afterwards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from msgspec.structs import replace

from feltwire.relay.on_air.timeline import HoleCard, ReleasedHand
from table_core.commitment import Opening
from table_core.hand.deal import is_to_seat, seat_of, to_seat
from table_core.messages import (
    Acted,
    Action,
    AnyEvent,
    At,
    BoardDealt,
    BoardRead,
    CardDealt,
    CardText,
    DealCorrected,
    Envelope,
    HandEnded,
    HandKilled,
    HandMucked,
    HandResumed,
    HandStarted,
    HandTabled,
    Millis,
    Misdealt,
    Noticed,
    ResultEntered,
    Rewound,
    Seat,
    SeatsSet,
)
from table_core.projections.table_state import HAND_STANDS
from table_core.tracker.dealing.evidence import HANDS_UNCOUNTED


class Promised(NamedTuple):
    """A card's place as it was dealt, and as rulings left it."""

    dealt: CardDealt
    now: CardDealt


@dataclass(slots=True, eq=False)
class HandRecord:
    """Every event from its first riffle, in `epoch`, to the next. `ended_at` is the relay's boot time when it saw
    the end. `folded_too`: folded hands are released too. `stays_sealed`: nothing of it is released, for it is not
    known under which delay it began."""

    table: str
    epoch: int
    started: HandStarted
    folded_too: bool = False
    stays_sealed: bool = False
    events: dict[tuple[int, int], AnyEvent] = field(default_factory=dict)  # by epoch and seq
    cut: dict[tuple[int, int], dict[tuple[int, int], AnyEvent]] = field(default_factory=dict)  # by their `Rewound`
    last: tuple[int, int] = (0, 0)
    ended_at: Millis | None = None
    began: tuple[int, int] = (0, 0)  # its first event: epoch, seq
    stood: tuple[int, int] = (0, 0)  # where the table last said that its end stands
    promised: set[str] = field(default_factory=set)  # every commitment, those taken back too
    dealt_since: At | None = None  # when it began, and ended, by the table's clock
    dealt_until: At | None = None

    def add(self, envelope: Envelope, now: Millis) -> None:
        event = envelope.data
        self.last = (envelope.epoch, envelope.seq)
        self.events[self.last] = event
        if isinstance(event, CardDealt) and event.commitment is not None:
            self.promised.add(event.commitment)
        if isinstance(event, HandStarted):
            self.dealt_since = envelope.at
        if isinstance(event, HandEnded):
            self.dealt_until = envelope.at
        if isinstance(event, Noticed) and event.kind == HAND_STANDS:
            self.stood = self.last
        if isinstance(event, Rewound):
            self._rewind(envelope.epoch, envelope.seq, event)
        if not self._any(HandEnded):
            self.ended_at = None
        elif self.ended_at is None or isinstance(event, HandEnded):
            self.ended_at = now

    def _rewind(self, epoch: int, seq: int, event: Rewound) -> None:
        """Events that it names count no more; what a `Rewound` among them had cut counts again."""
        named = [(epoch, one) for one in event.cut]
        for at in named:
            self.events |= self.cut.pop(at, {})
        self.cut[epoch, seq] = {at: self.events.pop(at) for at in named if at in self.events}
        self.events = dict(sorted(self.events.items()))

    @property
    def took_ms(self) -> int:
        """From NEW HAND to its end, by the table's clock; 0 where that is not known."""
        since, until = self.dealt_since, self.dealt_until
        if self.ended_at is None or since is None or until is None or since.boot != until.boot:
            return 0
        return max(0, until.ms - since.ms)

    @property
    def taken_back(self) -> bool:
        """Whether NEW HAND was taken back."""
        return not self._any(HandStarted)

    @property
    def stands(self) -> bool:
        """Whether the table's record says, behind the end that counts, that UNDO does not take it back."""
        if self.stood not in self.events:
            return False
        ended = [at for at, event in self.events.items() if isinstance(event, HandEnded)]
        return bool(ended) and self.stood > ended[-1]

    @property
    def void(self) -> bool:
        """Whether it was taken back, misdealt, or closed by the director as not observed; then it is never
        released."""
        return (
            self.taken_back
            or self._any(Misdealt)
            or any(e.gap for e in self.events.values() if isinstance(e, SeatsSet))
        )

    @property
    def only_tabled(self) -> bool:
        """Whether only tabled hands are released: it is not certain whose hole cards are whose, or who folded,
        because the hand was resumed or only its result was keyed."""
        return (
            self._any(ResultEntered)
            or self._any(HandResumed)
            or any(e.kind == HANDS_UNCOUNTED for e in self.events.values() if isinstance(e, Noticed))
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
        """Seats that folded or mucked, or whose hand was dead by a ruling or because the player was away."""
        return frozenset(
            event.seat
            for event in self.events.values()
            if (isinstance(event, Acted) and event.action is Action.FOLD)
            or isinstance(event, HandMucked | HandKilled)
        )

    def tabled(self) -> dict[Seat, tuple[CardText, ...]]:
        return {event.seat: event.cards for event in self.events.values() if isinstance(event, HandTabled)}

    @property
    def attempt(self) -> int:
        """The last attempt, which is the one that counts."""
        return max((e.attempt for e in self.events.values() if isinstance(e, CardDealt)), default=1)

    def places(self, *, folded: bool) -> dict[str, Promised]:
        """Places whose cards may be released, by commitment: of the last attempt, to the board and to seats
        that kept their hands (with `folded`: to every seat). Burns and earlier attempts stay sealed."""
        dealt = [event for event in self.events.values() if isinstance(event, CardDealt)]
        last, moved = self.attempt, self._moved()
        now = {
            event.place: Promised(event, replace(event, to=moved.get(event.place, event.to)))
            for event in dealt
            if event.attempt == last
        }
        kept = {to_seat(seat.seat) for seat in self.started.seats}
        if not folded:
            kept -= {to_seat(seat) for seat in self.folded()}
        return {
            place.dealt.commitment: place
            for place in now.values()
            if place.dealt.commitment is not None and place.now.to in kept | {"board"}
        }

    def _moved(self) -> dict[int, str]:
        """The destination of cards that a ruling moved."""
        corrections = [event for event in self.events.values() if isinstance(event, DealCorrected)]
        return {moved.place: moved.to for correction in corrections for moved in correction.moved}

    def allowed(self, openings: Iterable[Opening], *, folded: bool) -> list[tuple[CardDealt, Opening]]:
        """The openings that match a public commitment of this hand and may be released, in deal order."""
        places, board = self.places(folded=folded), self.board()
        tabled = {to_seat(seat): cards for seat, cards in self.tabled().items()}
        allowed = {}
        for opening in openings:
            promised = places.get(opening.commitment())
            if promised is None or not self._is_of(opening, promised.dealt):
                continue
            to = promised.now.to
            if self.only_tabled and to != "board" and opening.card not in tabled.get(to, ()):
                continue
            # A board card that was put back is not on the board: it stays sealed.
            if to != "board" or opening.card in board:
                allowed[promised.now.place] = (promised.now, opening)
        return [allowed[place] for place in sorted(allowed)]

    def _is_of(self, opening: Opening, dealt: CardDealt) -> bool:
        """Whether the table, hand, place and destination in the box match the signed events, so that a
        commitment repeated in another hand or for another seat opens nothing."""
        said = (opening.table, opening.epoch, opening.hand, opening.attempt, opening.place, opening.to)
        at = (self.table, self.epoch, self.started.hand, dealt.attempt, dealt.place, dealt.to)
        return said == at

    # -------------------------------------------------------------------------------- afterwards

    def on_air(self, released: Iterable[tuple[CardDealt, Opening]]) -> ReleasedHand:
        """The hole cards that were released, each from the event on that dealt it or moved it to its seat."""
        dealt = {
            event.place: at
            for at, event in self.events.items()
            if isinstance(event, CardDealt) and event.attempt == self.attempt
        }
        for at, event in self.events.items():
            if isinstance(event, DealCorrected):
                dealt |= {moved.place: at for moved in event.moved if moved.place in dealt}
        hole: dict[Seat, tuple[HoleCard, ...]] = {}
        for place, opening in released:
            if is_to_seat(place.to):
                seat = seat_of(place.to)
                hole[seat] = (*hole.get(seat, ()), HoleCard(dealt[place.place], opening.card))
        return ReleasedHand(
            self.started.hand, hole, from_deal=self.folded_too and not self.only_tabled, last=self.last
        )
