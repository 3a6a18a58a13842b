"""The state of one table, and what can be read from it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from table_core.hand.button import Positions
from table_core.hand.deal import deal_order
from table_core.hand.hand import Hand
from table_core.messages import (
    Acted,
    AnyEvent,
    CardDealt,
    Chips,
    ClockFollowed,
    DealCorrected,
    DeskWish,
    DeviceState,
    HandResumed,
    HandStarted,
    HandTabled,
    Hint,
    Level,
    NoticeView,
    Post,
    Posted,
    PotAwarded,
    QuestionView,
    Ruled,
    Seat,
    SeatStack,
)
from table_core.rulebook import Rulebook


@dataclass(slots=True)
class SeatState:
    """A seat between hands; during a hand the chips are the hand's."""

    player: str
    stack: int
    away: bool = False
    counted_after: int = 0  # number of the hand after which it was counted
    no_cards: bool = False  # dealt out while away
    waits: bool = False  # came in: gets no cards between button and small blind (wfp.blindrules.5)


def copies_of(seats: dict[Seat, SeatState]) -> dict[Seat, SeatState]:
    return {seat: replace(state) for seat, state in seats.items()}


@dataclass(frozen=True, slots=True)
class Logged:
    """An effective event of the hand in progress, with what led to it."""

    seq: int
    cause: str
    event: AnyEvent


HAND_STANDS = "hand_stands"  # a notice: UNDO does not take the end of this hand back


class Cut(NamedTuple):
    """What one `Rewound` took from the log, and what led to it; where it is cut itself, they count again."""

    cause: str
    events: list[Logged]


class Stood(NamedTuple):
    """Where button and blinds were before a hand: what its positions follow from."""

    button: Seat | None
    small_blind: Seat | None
    big_blind: Seat | None
    vacated: Seat | None
    button_set: bool
    belonged_at: Seat | None
    posted_before: dict[Seat, set[Post]]


class VoidDeal(NamedTuple):
    """The last deal was void: the next one has its positions, as long as the same players have chips."""

    positions: Positions
    seats: frozenset[Seat]


@dataclass(slots=True)
class TableState:
    """The state of one table; `TableProjection` computes it from events."""

    venue: str
    table: str
    rulebook: Rulebook  # of the table, as its events say; the one given where they do not
    smallest_chip: int = 1
    hints: tuple[Hint, ...] = ()
    epoch: int = 0
    seq: int = 0
    head: str = ""
    seats: dict[Seat, SeatState] = field(default_factory=dict)
    seats_changed_at: tuple[int, int] = (0, 0)  # epoch and seq of the event with which seats changed last
    hand: Hand | None = None
    hand_log: list[Logged] = field(default_factory=list)
    awards_before: tuple[PotAwarded, ...] = ()  # of the hand before the one in hand_log
    places: dict[int, CardDealt] = field(default_factory=dict)
    button: Seat | None = None
    small_blind: Seat | None = None
    big_blind: Seat | None = None
    button_set: bool = True  # the button was put where it is; it does not move for the next hand
    posted_before: dict[Seat, set[Post]] = field(default_factory=dict)  # in the hand before the button was put
    vacated: Seat | None = None  # where the dead small blind of the last hand was due: its player had left
    belonged_at: Seat | None = None  # by a ruling the button of the hand that is over belonged there
    rulebook_sha256: str = ""  # of the rulebook on record, empty where none is
    hand_number: int = 0
    hands_played: int = 0
    next_level: Level | None = None
    schedule: tuple[Level, ...] = ()
    schedule_revision: int = 0
    clock: ClockFollowed | None = None  # of a tournament
    question: QuestionView | None = None
    questions_asked: int = 0
    notices: list[NoticeView] = field(default_factory=list)
    devices: dict[str, DeviceState] = field(default_factory=dict)
    floor: bool = False
    wishes: tuple[DeskWish, ...] = ()
    said: tuple[AnyEvent, ...] = ()  # what a person should read of the last step
    said_before: tuple[AnyEvent, ...] = ()  # likewise of the one before it that did something
    said_soon: bool = False  # whether that step was behind the one before it sooner than that can be read
    said_in: tuple[str, str, int] = ("", "", 0)  # that step: its cause and its time
    stood: Stood | None = None  # before the hand in progress or the last one; of void deals, before the first
    again: VoidDeal | None = None
    carried: int = 0  # chips carried to the pot of the next hand
    carried_for: tuple[Seat, ...] = ()  # players of a forfeited deal, who alone play for these chips
    closed_to: tuple[Seat, ...] = ()  # as carried_for, of the hand in progress, in case it is void as well
    impounded: int = 0  # chips that a ruling keeps out of every stack
    seat_rulings: list[Ruled] = field(default_factory=list)  # of every hand, for a player's record
    seats_before: dict[Seat, SeatState] = field(default_factory=dict)  # this hand was resumed; undo restores them
    cut: dict[int, Cut] = field(default_factory=dict)  # by what was rewound in this hand: the number of its event
    before_hand: TableState | None = None  # as NEW HAND found it, until the deal stands (`deal_stands`), or BUTTON
    before_by: str = ""  # what that NEW HAND or BUTTON was
    before_seq: int = 0  # of its first event
    passed_over: bool = False  # an event, and no hand has begun since, nor were seats set
    unobserved: bool = False  # the same, and no hand has ended
    over: bool = False  # a hand has ended, and none has begun since
    stood_at: int = 0  # of that, the event that says that its end stands (`HAND_STANDS`); 0 where none does

    @property
    def in_hand(self) -> bool:
        """A hand has begun and its pots are not yet awarded."""
        return self.hand is not None and not self.hand.ended

    def cut_by(self, cause: str) -> list[int]:
        """The numbers of what this press, touch or command has rewound in this hand."""
        return [seq for seq, cut in self.cut.items() if cut.cause == cause]

    @property
    def level(self) -> Level | None:
        """The level of the hand in progress, else the one that the next hand begins with."""
        return self.hand.level if self.in_hand and self.hand is not None else self.next_level

    def stands(self) -> Stood:
        """Where button and blinds are now."""
        return Stood(*(getattr(self, name) for name in Stood._fields))

    def why_no_hand(self) -> tuple[str, str] | None:
        """Why no new hand is to begin, with the rule; None where one may."""
        clock = self.clock
        if clock is None:
            return None
        if clock.wait:
            return clock.wait, clock.rule
        played_up_to_there = clock.last_hand is not None and self.hand_number >= clock.last_hand
        if played_up_to_there and self.again is None:  # a void deal was none
            return "Hand for hand: wait until every table has finished its hand", clock.rule
        return ("It is break: no hand begins", clock.break_rule) if clock.break_rule and self.in_break else None

    @property
    def in_break(self) -> bool:
        """By the clock that the table follows it is a break of the schedule."""
        clock = self.clock
        if clock is None or clock.revision != self.schedule_revision:
            return False
        return clock.mark.index < len(self.schedule) and self.schedule[clock.mark.index].is_break

    @property
    def plays_no_more(self) -> bool:
        """The table is closed or broken: fewer than two players have chips."""
        return sum(seat.stack > 0 for seat in self.seats.values()) < 2

    def began(self) -> HandStarted | HandResumed:
        """The beginning of this hand, as far as this table knows it."""
        began = self.hand_log[0].event
        assert isinstance(began, HandStarted | HandResumed)
        return began

    def stacks_at_start(self) -> tuple[SeatStack, ...]:
        """Stacks as this hand began; where its beginning was not observed, with the bets and without the pots. Who
        came in by a statement of the whole hand, behind its beginning, has what that stated."""
        players = {seat: state.player for seat, state in self.seats.items()}
        found: dict[Seat, SeatStack] = {}
        for logged in self.hand_log:
            if isinstance(logged.event, HandStarted):
                found |= {seated.seat: seated for seated in logged.event.seats}
            elif isinstance(logged.event, HandResumed):
                for seated in logged.event.seats:
                    player = players.get(seated.seat, seated.player)
                    stack = Chips(seated.stack + seated.bet)
                    found.setdefault(seated.seat, SeatStack(seated.seat, stack, player))
        return tuple(found.values())

    def stacks_all(self) -> tuple[SeatStack, ...]:
        """Every seat with its stack, empty ones too."""
        return tuple(
            SeatStack(seat, Chips(self.seats[seat].stack), self.seats[seat].player) for seat in sorted(self.seats)
        )

    def corrections(self) -> tuple[DealCorrected, ...]:
        """Rulings' changes to this deal, in order."""
        return tuple([logged.event for logged in self.hand_log if isinstance(logged.event, DealCorrected)])

    def acts(self) -> list[Acted]:
        """The actions of this hand, in order."""
        return [logged.event for logged in self.hand_log if isinstance(logged.event, Acted)]

    def hand_as_of(self, seq: int) -> Hand:
        """The hand as it was after event `seq`."""
        hand = Hand(self.rulebook, smallest_chip=self.smallest_chip)
        for logged in self.hand_log:
            if logged.seq <= seq and (not hand.ended or isinstance(logged.event, HandTabled)):
                hand.apply(logged.event)
        return hand

    def rulings(self) -> tuple[Ruled, ...]:
        """The rulings of this hand, in order."""
        return tuple([logged.event for logged in self.hand_log if isinstance(logged.event, Ruled)])

    def won(self) -> dict[Seat, int]:
        """The chips that the pots of this hand, or of the last one, gave to each winner."""
        awards = (logged.event for logged in self.hand_log if isinstance(logged.event, PotAwarded))
        won: dict[Seat, int] = {}
        for share in (share for award in awards for share in award.shares):
            won[share.seat] = won.get(share.seat, 0) + share.amount
        return won

    def destination(self, place: int) -> str:
        """Where the card at `place` belongs now; empty before it left the deck."""
        return self.placed().get(place, "")

    def placed(self) -> dict[int, str]:
        """Where every card of this deal lies now, by place."""
        placed = {place: dealt.to for place, dealt in self.places.items()}
        for correction in self.corrections():
            placed.update({moved.place: moved.to for moved in correction.moved if moved.place in placed})
        return placed

    def destinations(self) -> tuple[str, ...]:
        """The planned destination of each place of this hand's deal."""
        if self.hand is None or not self.hand_log:
            return ()
        began = self.began()
        return deal_order([seated.seat for seated in began.seats], began.button)

    def blinds_posted(self) -> dict[Seat, set[Post]]:
        """Blinds of the hand that is just over, by seat; none where its deal was void."""
        found: dict[Seat, set[Post]] = {}
        if self.again is None:
            for logged in self.hand_log:
                if isinstance(logged.event, Posted):
                    found.setdefault(logged.event.seat, set()).add(logged.event.what)
        return found
