"""The projection of one table: its state computed from its events, for decisions and pages.

Replaying a ledger gives the same state, always. A `rewound` event cuts events from the effective log; the hand is
then computed again from its start, which costs as much as one hand (about a hundred events).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from table_core.hand.button import Positions, corrected_positions, first_positions, next_positions
from table_core.hand.deal import deal_order, to_seat
from table_core.hand.hand import Hand
from table_core.messages import (
    UNKNOWN_CARD,
    Acted,
    Answered,
    AnyEvent,
    AnyHandCommand,
    Asked,
    AwaySet,
    BetCorrected,
    BetReturned,
    BettingClosed,
    BoardDealt,
    BoardRead,
    CardDealt,
    CardExposed,
    CardText,
    Chips,
    Counted,
    DealClosed,
    DealCorrected,
    DeviceState,
    DeviceStateChanged,
    Envelope,
    FloorCalled,
    HandEnded,
    HandKilled,
    HandMucked,
    HandResumed,
    HandRetrieved,
    HandsBeaten,
    HandStarted,
    HandTabled,
    Hint,
    Level,
    LevelBegan,
    Misdealt,
    Noticed,
    NoticeView,
    Post,
    Posted,
    PotAwarded,
    QuestionView,
    Report,
    Reported,
    ResultEntered,
    ResumeHand,
    Rewound,
    RulebookSet,
    Ruled,
    ScheduleSet,
    Seat,
    SeatsSet,
    SeatStack,
    SeatView,
    Source,
    StartHand,
    Street,
    TableView,
)
from table_core.parameters import ButtonMethod
from table_core.projections import words
from table_core.rulebook import Rulebook, RulebookError, load_rulebook

NOTICES_KEPT = 12
HAND_EVENTS = (
    HandStarted,
    HandResumed,
    Posted,
    Acted,
    BetReturned,
    BettingClosed,
    BoardDealt,
    BoardRead,
    HandTabled,
    HandMucked,
    HandKilled,
    HandRetrieved,
    BetCorrected,
    DealClosed,
    CardExposed,
    Reported,
    Misdealt,
    HandsBeaten,
    PotAwarded,
    ResultEntered,
    HandEnded,
    Ruled,
    DealCorrected,
)
_SEAT_EVENTS = (Counted, AwaySet)  # about a seat, and about the hand where one is in progress


@dataclass(slots=True)
class SeatState:
    """A seat between hands; during a hand the chips are the hand's."""

    player: str
    stack: int
    away: bool = False
    counted_after: int = 0  # number of the hand after which it was counted


def copies_of(seats: dict[Seat, SeatState]) -> dict[Seat, SeatState]:
    return {seat: replace(state) for seat, state in seats.items()}


@dataclass(frozen=True, slots=True)
class Logged:
    """An effective event of the hand in progress, with what led to it."""

    seq: int
    cause: str
    event: AnyEvent


@dataclass(slots=True)
class TableProjection:
    """The state of one table. Apply every envelope in order; read `view()`."""

    venue: str
    table: str
    rulebook: Rulebook  # of the table, as its events say; the one given where they do not
    smallest_chip: int = 1
    hints: tuple[Hint, ...] = ()
    epoch: int = 0
    seq: int = 0
    head: str = ""
    seats: dict[Seat, SeatState] = field(default_factory=dict)
    hand: Hand | None = None
    hand_log: list[Logged] = field(default_factory=list)
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
    question: QuestionView | None = None
    questions_asked: int = 0
    notices: list[NoticeView] = field(default_factory=list)
    devices: dict[str, DeviceState] = field(default_factory=dict)
    floor: bool = False
    last: str = ""
    again: Positions | None = None  # the last deal was void: the next one has its button and blinds
    carried: int = 0  # chips that stay for the pot of the next hand
    carried_for: tuple[Seat, ...] = ()  # of a forfeited deal: its players, who alone play for them
    closed_to: tuple[Seat, ...] = ()  # the same of the hand in progress, for it may be void as well
    impounded: int = 0  # chips that a ruling keeps out of every stack
    seat_rulings: list[Ruled] = field(default_factory=list)  # of every hand, for a player's record
    seats_before: dict[Seat, SeatState] = field(
        default_factory=dict
    )  # this hand was resumed, which undo takes back
    removed: dict[str, list[AnyEvent]] = field(default_factory=dict)  # by rulings of this hand, by their cause

    # ------------------------------------------------------------------------------------- folding

    def apply(self, envelope: Envelope, head: str, *, pushed: Hand | None = None) -> None:
        """Apply one event; `head` is the SHA-256 (hex) of its stored bytes. `pushed` is the hand of this table
        (`hand_for`) that decided the event, and so has it already."""
        self.epoch, self.seq, self.head = envelope.epoch, envelope.seq, head
        event = envelope.data
        if not isinstance(event, CardDealt):  # too many to read
            self.last = words.describe(event) or self.last
        if isinstance(event, Rewound):
            self._rewind(frozenset(event.cut), envelope.cause)
        elif isinstance(event, HAND_EVENTS) or (self.hand is not None and isinstance(event, _SEAT_EVENTS)):
            self._apply_to_hand(Logged(envelope.seq, envelope.cause, event), pushed)
        else:
            self._apply_to_table(envelope.seq, event)

    def _apply_to_hand(self, logged: Logged, pushed: Hand | None) -> None:
        event = logged.event
        if isinstance(event, HandStarted) or (isinstance(event, HandResumed) and not self.in_hand):
            self._begin(event, pushed)
        if self.hand is None:
            return
        self._log(logged, pushed)

    def _log(self, logged: Logged, pushed: Hand | None = None) -> None:
        event, hand = logged.event, self.hand
        assert hand is not None
        self.hand_log.append(logged)
        if isinstance(event, _SEAT_EVENTS):
            self._apply_to_table(logged.seq, event)
        elif isinstance(event, HandResumed):
            self._resume(event)
        if pushed is None and (not hand.ended or isinstance(event, HandTabled)):  # a winner may show afterwards
            hand.apply(event)
        if isinstance(event, HandEnded):
            self._end(event)
        elif isinstance(event, Ruled):
            self.impounded += event.impounded
            self.carried += event.carried
            if event.carried > 0:
                self.carried_for = tuple(hand.seats)
            self.seat_rulings = [*self.seat_rulings[-99:], event]

    def _begin(self, event: HandStarted | HandResumed, pushed: Hand | None) -> None:
        self.hand = pushed or self._new_hand()
        self.hand_log = []
        self.places = {}
        self.removed = {}
        self.seats_before = {}
        self.again, self.carried = None, 0
        self.closed_to, self.carried_for = self.carried_for, ()
        self.question = None
        self._take_positions(event)

    def _take_positions(self, event: HandStarted | HandResumed) -> None:
        if event.hand != self.hand_number:  # else it is the same hand, folded again
            self._note_vacated(event)
        self.hand_number = event.hand
        self.button, self.small_blind, self.big_blind = event.button, event.small_blind, event.big_blind
        self.button_set, self.posted_before, self.belonged_at = False, {}, None

    def _note_vacated(self, event: HandStarted | HandResumed) -> None:
        left = self.big_blind not in {told.seat for told in event.seats}
        if event.small_blind is not None:
            self.vacated = None
        elif left and self.big_blind != event.big_blind:
            self.vacated = self.big_blind

    def _resume(self, event: HandResumed) -> None:
        """A hand goes on from what a person entered, also in the middle of one; it may name players anew."""
        self._take_positions(event)
        if not self.seats_before:
            self.seats_before = copies_of(self.seats)
        for told in event.seats:
            seat = self.seats.setdefault(told.seat, SeatState(told.player, told.stack))
            seat.player, seat.stack = told.player or seat.player, told.stack

    def _end(self, event: HandEnded) -> None:
        self.hands_played += 1
        self.question = None
        self.carried = event.carried
        if any(isinstance(logged.event, Misdealt) for logged in self.hand_log):
            self.carried_for = self.closed_to if event.carried else ()
            started = self._began()
            assert isinstance(started, HandStarted)  # nobody knows what to give back where the start was not seen
            self.again = Positions(
                started.button,
                started.small_blind,
                started.big_blind,
                started.extra_small_blinds,
                started.extra_big_blinds,
            )
        for share in event.stacks:
            self.seats[share.seat].stack = share.amount
        self._correct_button()

    def _correct_button(self) -> None:
        """A ruling named the right button of this hand. A void deal is dealt again with it; after a hand that
        stood, the next one has the button there and its blinds, so that every player has each position once
        (ccp.irregularities.1)."""
        ruled = [one for one in self.rulings() if one.incident == "button_wrong" and one.amount]
        if not ruled:
            return
        seat = Seat(int(ruled[-1].amount or 0))
        if self.again is not None:
            self.button, self.button_set, self.again = seat, True, None
        else:
            self.belonged_at, self.posted_before = seat, self._blinds_posted()

    def _began(self) -> HandStarted | HandResumed:
        """The beginning of this hand, as far as this table knows it."""
        began = self.hand_log[0].event
        assert isinstance(began, HandStarted | HandResumed)
        return began

    def stacks_at_start(self) -> tuple[SeatStack, ...]:
        """Stacks as this hand began; where its beginning was not observed, with the bets and without the pots."""
        began = self._began()
        if isinstance(began, HandStarted):
            return began.seats
        players = {seat: state.player for seat, state in self.seats.items()}
        return tuple(
            [
                SeatStack(told.seat, Chips(told.stack + told.bet), players.get(told.seat, told.player))
                for told in began.seats
            ]
        )

    def _apply_to_table(self, seq: int, event: AnyEvent) -> None:
        match event:
            case CardDealt():
                self.places[event.place] = event
            case Asked():
                self.questions_asked = event.question
                self.question = QuestionView(event.question, event.kind, event.text, event.key)
            case Answered():
                self.question = None
            case Noticed():
                notice = NoticeView(seq, event.kind, event.text, event.seat, event.rule)
                self.notices = [*self.notices[1 - NOTICES_KEPT :], notice]
            case SeatsSet():
                self._set_seats(event)
            case Counted():
                self.seats[event.seat].stack = event.stack
                self.seats[event.seat].counted_after = self.hand_number
            case AwaySet():
                self.seats[event.seat].away = event.away
            case ScheduleSet():
                self.schedule, self.schedule_revision = event.levels, event.revision
            case LevelBegan():
                self.next_level = event.level
            case FloorCalled():
                self.floor = event.on
            case DeviceStateChanged():
                self.devices[event.device] = event.state
            case RulebookSet():
                self._take_rulebook(event)

    def _take_rulebook(self, event: RulebookSet) -> None:
        """Hands from now on are played under this book. A book that this program does not have, or has otherwise,
        is remembered by its hash alone."""
        self.rulebook_sha256 = event.sha256
        try:
            book = load_rulebook(event.rulebook).with_house(msgspec.json.decode(event.house, type=dict[str, Any]))
        except (RulebookError, msgspec.DecodeError):
            return
        if book.sha256() == event.sha256:
            self.rulebook = book

    def _set_seats(self, event: SeatsSet) -> None:
        if event.source is Source.DIRECTOR and (event.button is not None or self.belonged_at is None):
            self.posted_before = {}
        elif event.button is not None and self.hand is not None:
            self.posted_before = self._blinds_posted()
        self.hand, self.hand_log, self.places, self.question = None, [], {}, None
        self.seats_before = {}
        self.seats = {s.seat: SeatState(s.player, s.stack) for s in event.seats}
        if event.button is not None:
            self.button, self.button_set, self.again = event.button, True, None
            self.belonged_at = None
        if event.hand is not None:
            self.hand_number = event.hand - 1
        for seat in self.seats.values():
            seat.counted_after = self.hand_number
        if event.level is not None:
            self.next_level = event.level

    def _blinds_posted(self) -> dict[Seat, set[Post]]:
        """Blinds of the hand that is just over, by seat; none where its deal was void."""
        found: dict[Seat, set[Post]] = {}
        if self.again is None:
            for logged in self.hand_log:
                if isinstance(logged.event, Posted):
                    found.setdefault(logged.event.seat, set()).add(logged.event.what)
        return found

    def _rewind(self, cut: frozenset[int], cause: str) -> None:
        kept = [logged for logged in self.hand_log if logged.seq not in cut]
        gone = [logged.event for logged in self.hand_log if logged.seq in cut]
        if any(logged.cause == cause for logged in kept):  # a ruling took it back, and stands before it
            self.removed[cause] = [*self.removed.get(cause, []), *gone]
        if self.hand is not None and self.hand.ended:
            self.hands_played -= 1
        self.impounded -= sum(
            logged.event.impounded for logged in self.hand_log if isinstance(logged.event, Ruled)
        )
        self.hand = self._new_hand() if kept else None
        undone = [logged.event for logged in self.hand_log if isinstance(logged.event, Ruled)]
        self.seat_rulings = [ruled for ruled in self.seat_rulings if ruled not in undone]
        self.hand_log, self.again, self.carried, self.belonged_at = [], None, 0, None
        self.carried_for = ()
        self.seats = copies_of(self.seats_before) or self.seats
        for event in reversed(gone):
            if isinstance(event, AwaySet) and event.seat in self.seats:
                self.seats[event.seat].away = not event.away
            elif isinstance(event, Counted) and event.seat in self.seats and event.source is not Source.ENGINE:
                self.seats[event.seat].stack = Chips(event.was)  # of a seat that is not in the hand, too
        for logged in kept:
            self._replay(logged)

    def _replay(self, logged: Logged) -> None:
        if isinstance(logged.event, HandStarted):
            self._take_positions(logged.event)
            for seated in logged.event.seats:
                self.seats[seated.seat].stack = seated.stack
        self._log(logged)

    # ------------------------------------------------------------------------------------ deciding

    def hand_for(self, command: AnyHandCommand) -> Hand:
        """The hand that decides `command`: a new one where it may begin a hand, else this table's. Its events
        go to `apply` one by one, with this hand as `pushed`."""
        what = command.what if isinstance(command, Report) else command
        begins = isinstance(what, StartHand | ResumeHand) and not self.in_hand
        if self.hand is None or begins or isinstance(command, StartHand):
            return self._new_hand()
        return self.hand

    def _new_hand(self) -> Hand:
        return Hand(self.rulebook, smallest_chip=self.smallest_chip)

    # ----------------------------------------------------------------------------------- questions

    @property
    def in_hand(self) -> bool:
        """A hand has begun and its pots are not yet awarded."""
        return self.hand is not None and not self.hand.ended

    @property
    def level(self) -> Level | None:
        """The level of the hand in progress, else the one that the next hand begins with."""
        return self.hand.level if self.in_hand and self.hand is not None else self.next_level

    def able_to_play(self) -> tuple[Seat, ...]:
        """Seats with chips, in order. Players who are away are dealt in (the TD takes them out). For the chips of
        a forfeited deal only its players are dealt in, where the book says so (ccp.irregularities.7)."""
        live = tuple(seat for seat in sorted(self.seats) if self.seats[seat].stack > 0)
        entitled = tuple(seat for seat in live if seat in self.carried_for)
        closed = self.carried and self.carried_for and self.rulebook.rules.forfeited_pot_closed.value
        return entitled if closed and len(entitled) >= 2 else live

    def without_right(self) -> tuple[Seat, ...]:
        """Seats with chips that get no hand in the next deal."""
        able = self.able_to_play()
        return tuple(seat for seat in sorted(self.seats) if self.seats[seat].stack > 0 and seat not in able)

    def positions(self) -> Positions:
        """Button and blinds of the next hand; raise `ValueError` with fewer than two players."""
        live = self.able_to_play()
        if self.again is not None and _still_fits(self.again, live):
            return self.again
        if self.button_set or self.big_blind is None or self.button is None:
            return self._from_button(live)
        if self.belonged_at is not None:
            return self._after_wrong_button(self.belonged_at, live)
        return next_positions(self.button, self.small_blind, self.big_blind, live, self.rulebook, self.vacated)

    def _after_wrong_button(self, belonged: Seat, live: Sequence[Seat]) -> Positions:
        """Positions after a hand whose button belonged elsewhere: those due then, which nobody has had. A seat
        that posted a blind in that hand does not post it again."""
        dealt_in = self.hand.seats if self.hand is not None else live
        proper = first_positions(belonged, dealt_in)
        if not _still_fits(proper, live):  # one of these players is out
            proper = next_positions(proper.button, proper.small_blind, proper.big_blind, live, self.rulebook)
        return self._less_what_was_posted(proper, live)

    def _from_button(self, live: Sequence[Seat]) -> Positions:
        """Positions with the button where it was put. Where a person at the table put it there behind a hand, it
        lay wrong: who has posted a blind does not post it again (wfp.irregularities.1)."""
        return self._less_what_was_posted(first_positions(self._button_seat(live), live), live)

    def _less_what_was_posted(self, proper: Positions, live: Sequence[Seat]) -> Positions:
        """`proper` without blinds that somebody posted already in the hand with the wrong button."""
        if len(live) < 3 or all(Post.BIG_BLIND in self.posted_before.get(seat, ()) for seat in live):
            return proper
        return corrected_positions(proper, self.posted_before, live)

    def _button_seat(self, live: Sequence[Seat]) -> Seat:
        """The seat with the disc. It may be empty (tda.32); where the book wants the button at a player, it is
        at the previous one."""
        if self.button is None:
            return live[-1]
        if self.rulebook.rules.button.value is not ButtonMethod.MOVING:
            return self.button
        return max((seat for seat in live if seat <= self.button), default=live[-1])

    def stacks_next(self) -> tuple[SeatStack, ...]:
        return tuple(
            SeatStack(seat, Chips(self.seats[seat].stack), self.seats[seat].player) for seat in self.able_to_play()
        )

    def stacks_all(self) -> tuple[SeatStack, ...]:
        """Every seat with its stack, empty ones too."""
        return tuple(
            SeatStack(seat, Chips(self.seats[seat].stack), self.seats[seat].player) for seat in sorted(self.seats)
        )

    def corrections(self) -> tuple[DealCorrected, ...]:
        """Rulings' changes to this deal, in order."""
        return tuple([logged.event for logged in self.hand_log if isinstance(logged.event, DealCorrected)])

    def rulings(self) -> tuple[Ruled, ...]:
        """The rulings of this hand, in order."""
        return tuple([logged.event for logged in self.hand_log if isinstance(logged.event, Ruled)])

    def destination(self, place: int) -> str:
        """Where the card at `place` belongs now; empty before it left the deck."""
        return self._placed().get(place, "")

    def _placed(self) -> dict[int, str]:
        """Where every card of this deal lies now, by place."""
        placed = {place: dealt.to for place, dealt in self.places.items()}
        for correction in self.corrections():
            placed.update({moved.place: moved.to for moved in correction.moved if moved.place in placed})
        return placed

    def destinations(self) -> tuple[str, ...]:
        """The planned destination of each place of this hand's deal."""
        if self.hand is None or not self.hand_log:
            return ()
        began = self._began()
        return deal_order([seated.seat for seated in began.seats], began.button)

    # ----------------------------------------------------------------------------------------- view

    def view(self) -> TableView:
        """The public snapshot, as of the last event."""
        hand = self.hand
        pots = tuple(Chips(pot.amount) for pot in hand.pots) if hand is not None and not hand.ended else ()
        in_front = sum(hand.bets.values()) if hand is not None and not hand.ended else 0
        backs = Counter(self._placed().values())
        return TableView(
            venue=self.venue,
            table=self.table,
            epoch=self.epoch,
            as_of=self.seq,
            head=self.head,
            rulebook=self.rulebook.id,
            hand=self.hand_number,
            street=hand.street if hand is not None else Street.DONE,
            level=self.level,
            next_hand_level=self.next_level,
            button=self.button,
            small_blind=self.small_blind,
            big_blind=self.big_blind,
            seats=tuple(self._seat_view(seat, backs) for seat in sorted(self.seats)),
            board=tuple(hand.board) if hand is not None else (),
            pots=pots,
            pot=Chips(sum(pots) + in_front),
            legal=hand.legal() if hand is not None else None,
            question=self.question,
            last=self.last,
            notices=tuple(self.notices),
            devices=dict(self.devices),
            floor=self.floor,
            hands_played=self.hands_played,
        )

    def _seat_view(self, seat: Seat, backs: Mapping[str, int]) -> SeatView:
        state, hand = self.seats[seat], self.hand
        if hand is None or seat not in hand.stacks:
            stack, since = Chips(state.stack), state.counted_after
            return SeatView(seat, state.player, stack, away=state.away, counted_after=since)
        return SeatView(
            seat=seat,
            player=state.player,
            stack=Chips(state.stack if hand.ended else hand.stacks[seat]),
            bet=Chips(0 if hand.ended else hand.bets[seat]),
            in_hand=seat in hand.live_seats,
            folded=seat in hand.folded,
            all_in=seat in hand.all_in and not hand.ended,
            away=state.away,
            cards=self._cards_of(seat, hand, backs),
            last=self._last_of(seat),
            won=Chips(self._won_by(seat)),
            counted_after=state.counted_after,
        )

    def _cards_of(self, seat: Seat, hand: Hand, backs: Mapping[str, int]) -> tuple[CardText, ...]:
        if seat in hand.tabled:
            return hand.tabled[seat]
        if seat in hand.folded or seat in hand.mucked:
            return ()
        return (UNKNOWN_CARD,) * backs[to_seat(seat)]

    def _last_of(self, seat: Seat) -> str:
        """The seat's last action on this street (folds stay for the hand)."""
        for logged in reversed(self.hand_log):
            event = logged.event
            if isinstance(event, Acted) and event.seat == seat:
                return words.acted(event)
            if isinstance(event, BoardDealt):
                return ""
        return ""

    def _won_by(self, seat: Seat) -> int:
        awards = (logged.event for logged in self.hand_log if isinstance(logged.event, PotAwarded))
        return sum(share.amount for award in awards for share in award.shares if share.seat == seat)


def _still_fits(void: Positions, live: Sequence[Seat]) -> bool:
    """Whether the next deal may have the button and blinds of the void one: the seats that owe a blind are
    there, and the table is heads-up, where the button owes one, as it was before."""
    was_heads_up = void.button in (void.small_blind, void.big_blind)
    return {void.big_blind, void.small_blind} <= {*live, None} and was_heads_up == (len(live) == 2)
