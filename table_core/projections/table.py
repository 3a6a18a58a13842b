"""The projection of one table: its state computed from its events, for decisions and pages.

Replaying a ledger gives the same state, always. A `rewound` event cuts events from the effective log; the hand is
then computed again from its start, which costs as much as one hand (about a hundred events).
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from table_core.hand.button import Positions
from table_core.hand.hand import Hand
from table_core.messages import (
    Acted,
    ActedOutOfTurn,
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
    BoardsAgreed,
    CardDealt,
    CardExposed,
    Chips,
    ClockFollowed,
    Counted,
    DealClosed,
    DealCorrected,
    DeskAsked,
    DeviceStateChanged,
    DutiesSet,
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
    LevelBegan,
    LevelChanged,
    Misdealt,
    Noticed,
    NoticeView,
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
    SeatsChanged,
    SeatsSet,
    SeatStack,
    Source,
    StartHand,
    StoredEvent,
    TableView,
    Wish,
)
from table_core.projections import table_view, words
from table_core.projections.step_words import AGAIN, READ_MS, does_something, refused
from table_core.projections.table_state import (
    HAND_STANDS,
    Cut,
    Logged,
    SeatState,
    Stood,
    TableState,
    VoidDeal,
    copies_of,
)
from table_core.rulebook import RulebookError, recorded_rulebook
from table_core.rulings import second_version

NOTICES_KEPT = 12
HAND_EVENTS = (
    HandStarted,
    HandResumed,
    Posted,
    Acted,
    ActedOutOfTurn,
    BetReturned,
    BettingClosed,
    BoardDealt,
    BoardRead,
    BoardsAgreed,
    HandTabled,
    HandMucked,
    HandKilled,
    DutiesSet,
    HandRetrieved,
    BetCorrected,
    LevelChanged,
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
_NOT_SAID = (CardDealt, Asked)
_SEAT_EVENTS = (Counted, AwaySet)  # about a seat, and about the hand where one is in progress
# A blind that is all-in closes the betting before a card is dealt.
_BEFORE_THE_DEAL = (HandStarted, Posted, BetReturned, BettingClosed, LevelChanged, Ruled)
_STANDS = (CardDealt, *[kind for kind in HAND_EVENTS if kind not in _BEFORE_THE_DEAL], SeatsSet, SeatsChanged)
_OF_ITS_HAND = (  # what a hand that begins finds of the one before it, and replaces
    *("hand", "hand_log", "awards_before", "places", "cut", "seats", "seats_before", "hand_number"),
    *("hands_played", *Stood._fields, "stood", "again", "carried", "carried_for", "closed_to"),
    *("passed_over", "unobserved", "over", "stood_at"),
)


def deal_stands(event: AnyEvent) -> bool:
    """Whether NEW HAND can be taken back no longer behind this event of its hand: a card has left the shoe, or
    somebody acted. Until then the hand before it is not over."""
    return isinstance(event, _STANDS)


@dataclass(slots=True)
class TableProjection(TableState):
    """Computes the state of one table: apply every envelope in order; read `view()`."""

    def apply(self, envelope: Envelope, head: str, *, pushed: Hand | None = None) -> None:
        """Apply one event; `head` is the SHA-256 (hex) of its stored bytes. `pushed` is the hand of this table
        (`hand_for`) that decided the event, and so has it already."""
        self.epoch, self.seq, self.head = envelope.epoch, envelope.seq, head
        event = envelope.data
        self._keep_hand_before(event, envelope.cause)
        self._say(envelope)
        if isinstance(event, Rewound):
            self._rewind(frozenset(event.cut), envelope)
        elif isinstance(event, HAND_EVENTS) or (self.hand is not None and isinstance(event, _SEAT_EVENTS)):
            self._apply_to_hand(Logged(envelope.seq, envelope.cause, event), pushed)
            if envelope.v <= second_version.VERSION and isinstance(event, Ruled):
                for effect in second_version.effects(event, self):
                    self._log(Logged(envelope.seq, envelope.cause, effect))
        else:
            self._apply_to_table(envelope.seq, event)

    def _say(self, envelope: Envelope) -> None:
        """Keep the events of the last step that a person should read: a question has its own place, and of cards
        from the shoe there are too many."""
        event, at = envelope.data, envelope.at
        by_itself = isinstance(event, Answered) and event.source is Source.ENGINE
        if by_itself or isinstance(event, _NOT_SAID) or not words.describe(event):
            return
        step = (envelope.cause, at.boot, at.ms)
        if step == self.said_in:
            self.said = (*self.said, event)
            if isinstance(event, HandStarted):
                self.said_before, self.said_soon = (), False
            return
        if does_something(self.said):
            self.said_before = self.said if any(isinstance(one, HAND_EVENTS) for one in self.said) else ()
        _, boot, ms = self.said_in
        self.said_soon = boot == at.boot and at.ms - ms < READ_MS
        if self.said_soon and refused(self.said):
            self.said_before = self.said  # why a press was refused is never lost
        if isinstance(event, HandStarted):  # cards that lay open in the hand before are in the deck again
            self.said_before, self.said_soon = (), False
        self.said, self.said_in = (event,), step

    def take(self, stored: StoredEvent, head: str) -> bool:
        """Apply a stored event as far as that can be. False where it was passed over: it cannot be read, or does
        not fit what went before."""
        if isinstance(stored, Envelope):
            try:
                self.apply(stored, head)
                return True
            except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError):
                pass  # what it left half done goes with the hand
        self.pass_over(stored, head)
        return False

    def pass_over(self, stored: StoredEvent, head: str) -> None:
        """What this event changed is unknown. A hand in progress is not known any more: its end is, where that can
        be read, and what begins anew behind it."""
        self.epoch, self.seq, self.head = stored.epoch, stored.seq, head
        self.before_hand, self.before_by = None, ""
        self._forget_hand()
        self.passed_over = self.unobserved = True

    def lose_hand(self) -> None:
        """Of a hand in progress not enough is known to go on with it."""
        if self.in_hand:
            self._forget_hand()
            self.passed_over = self.unobserved = True

    def _forget_hand(self) -> None:
        self.hand, self.hand_log, self.places, self.question = None, [], {}, None
        self.seats_before, self.again = {}, None
        self.over, self.stood_at = False, 0

    def _keep_hand_before(self, event: AnyEvent, cause: str) -> None:
        """Keep the table as NEW HAND found it, a hand that it left unobserved included, until the deal stands; and
        as BUTTON between hands found it."""
        by_key = isinstance(event, SeatsSet) and event.source in (Source.KEY, Source.SCREEN)
        if by_key or (isinstance(event, HandStarted) and (self.hand is not None or self.before_by != cause)):
            found = copy.copy(self)
            found.seats = copies_of(self.seats)
            if found.before_hand is not None:  # two are kept: NEW HAND behind BUTTON
                found.before_hand.before_hand = None
            self.before_hand, self.before_by, self.before_seq = found, cause, self.seq
        elif deal_stands(event):
            self.before_hand, self.before_by = None, ""

    def _apply_to_hand(self, logged: Logged, pushed: Hand | None) -> None:
        event = logged.event
        if isinstance(event, HandStarted) or (isinstance(event, HandResumed) and not self.in_hand):
            self._begin(event, pushed)
        if self.hand is not None:
            self._log(logged, pushed)
        elif self.passed_over and isinstance(event, HandEnded):
            self.unobserved = False
            self._end(event)

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
        if self.passed_over and isinstance(event, HandStarted):
            self._seat_as_dealt(event)
        self.passed_over = self.unobserved = self.over = False
        self.stood_at = 0
        self.hand = pushed or self._new_hand()
        self.awards_before = tuple([log.event for log in self.hand_log if isinstance(log.event, PotAwarded)])
        self.hand_log = []
        self.places = {}
        self.cut = {}
        self.seats_before = {}
        if self.again is None and event.hand != self.hand_number:
            self.stood = self.stands()
        self.again, self.carried = None, 0
        self.closed_to, self.carried_for = self.carried_for, ()
        self.question = None
        self.notices = [
            notice for notice in self.notices if notice.kind not in AGAIN
        ]  # of keys of the hand before
        self._take_positions(event)

    def _seat_as_dealt(self, event: HandStarted) -> None:
        """Who sits there with how much was not seen: the hand names everybody who is dealt in."""
        for seated in event.seats:
            seat = self.seats.setdefault(seated.seat, SeatState(seated.player, seated.stack))
            seat.player, seat.stack = seated.player, seated.stack

    def _take_positions(self, event: HandStarted | HandResumed) -> None:
        if event.hand != self.hand_number:  # else it is the same hand, applied again
            self._note_vacated(event)
        self.hand_number = event.hand
        self.button, self.small_blind, self.big_blind = event.button, event.small_blind, event.big_blind
        self.button_set, self.posted_before, self.belonged_at = False, {}, None
        for seated in event.seats:
            if seated.seat in self.seats:
                self.seats[seated.seat].waits = False

    def _note_vacated(self, event: HandStarted | HandResumed) -> None:
        left = self.big_blind not in {seated.seat for seated in event.seats}
        if event.small_blind is not None:
            self.vacated = None
        elif left and self.big_blind != event.big_blind:
            self.vacated = self.big_blind

    def _resume(self, event: HandResumed) -> None:
        """A hand goes on from what a person entered, also in the middle of one; it may name players anew."""
        self._take_positions(event)
        if not self.seats_before:
            self.seats_before = copies_of(self.seats)
        for seated in event.seats:
            seat = self.seats.setdefault(seated.seat, SeatState(seated.player, seated.stack))
            seat.player, seat.stack = seated.player or seat.player, seated.stack

    def _end(self, event: HandEnded) -> None:
        self.hands_played += 1
        self.over, self.question = True, None
        self.carried = event.carried
        if any(isinstance(logged.event, Misdealt) for logged in self.hand_log):
            self.carried_for = self.closed_to if event.carried else ()
            started = self.began()
            assert isinstance(started, HandStarted)  # without an observed start the stacks before it are unknown
            positions = Positions(
                started.button,
                started.small_blind,
                started.big_blind,
                started.extra_small_blinds,
                started.extra_big_blinds,
            )
            self.again = VoidDeal(positions, frozenset(seated.seat for seated in started.seats))
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
            self.belonged_at, self.posted_before = seat, self.blinds_posted()

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
                if event.kind == HAND_STANDS:
                    self.stood_at = seq
            case SeatsSet():
                self._set_seats(event)
            case SeatsChanged():
                self._change_seats(event)
            case Counted():
                self.seats[event.seat].stack = event.stack
                self.seats[event.seat].counted_after = self.hand_number
            case AwaySet():
                self.seats[event.seat].away, self.seats[event.seat].no_cards = event.away, event.no_cards
            case ScheduleSet():
                self.schedule, self.schedule_revision = event.levels, event.revision
            case LevelBegan():
                self.next_level = event.level
            case ClockFollowed():
                self.clock = event
            case FloorCalled():
                self.floor = event.on
            case DeskAsked():
                others = tuple(wish for wish in self.wishes if wish != event.wish)
                self.wishes = (*others, event.wish) if event.on else others
            case DeviceStateChanged():
                self.devices[event.device] = event.state
            case RulebookSet():
                self._take_rulebook(event)

    def _take_rulebook(self, event: RulebookSet) -> None:
        """Hands from now on are played under this book. A book that this program does not have, or has otherwise,
        is remembered by its hash alone."""
        self.rulebook_sha256 = event.sha256
        try:
            printed = recorded_rulebook(event.rulebook, event.own)
            book = printed.with_house(msgspec.json.decode(event.house, type=dict[str, Any]))
        except (RulebookError, msgspec.DecodeError):
            return
        if book.sha256() == event.sha256:
            self.rulebook = book

    def _set_seats(self, event: SeatsSet) -> None:
        self.seats_changed_at = (self.epoch, self.seq)
        self.passed_over = self.unobserved = False
        if event.source is Source.DIRECTOR and (event.button is not None or self.belonged_at is None):
            self.posted_before = {}
        elif event.button is not None and self.hand is not None:
            self.posted_before = self.blinds_posted()
        self.hand, self.hand_log, self.places, self.question = None, [], {}, None
        self.seats_before = {}
        # Only the director says anew who sits there; a key, and a hand left unobserved, leave players as they are.
        stay = {} if event.source is Source.DIRECTOR else self.seats
        if event.button is not None:
            self.button, self.button_set, self.again = event.button, True, None
            self.belonged_at = None
        if event.hand is not None:
            self.hand_number = event.hand - 1
        self.seats = {seated.seat: self._set(seated, stay.get(seated.seat)) for seated in event.seats}
        if event.level is not None:
            self.next_level = event.level

    def _set(self, seated: SeatStack, before: SeatState | None) -> SeatState:
        if before is None or before.player != seated.player:
            return SeatState(seated.player, seated.stack, counted_after=self.hand_number)
        return replace(before, stack=seated.stack)

    def _granted(self, event: SeatsChanged) -> None:
        """What the desk was asked for has come, or whom it was for has left."""
        left, came = {one.seat for one in event.left}, {one.seat for one in event.taken}
        more = {one.seat for one in event.added if one.chips > 0}
        done = {Wish.REBUY: left | came | more, Wish.SEAT_CHANGE: left, Wish.LATE_ENTRY: came}
        any_came = {Wish.LATE_ENTRY} if came else set()
        self.wishes = tuple(
            wish
            for wish in self.wishes
            if wish.seat not in done[wish.what] and not (wish.seat is None and wish.what in any_came)
        )

    def _change_seats(self, event: SeatsChanged) -> None:
        """The hand before is closed: who left took the chips along."""
        self.passed_over = self.unobserved = False
        self.hand, self.hand_log, self.places, self.question = None, [], {}, None
        self.seats_before = {}
        for gone in event.left:
            self.seats.pop(gone.seat, None)
        newcomers = {
            come.seat for come in event.taken
        }  # the chair of a player of the forfeited deal gives no right
        self.carried_for = tuple([seat for seat in self.carried_for if seat not in newcomers])
        for come in event.taken:
            away, waits = come.seat in event.away, come.seat in event.waits
            dealt_out = come.seat in event.no_cards
            self.seats[come.seat] = SeatState(
                come.player, come.stack, away, self.hand_number, waits=waits, no_cards=dealt_out
            )
        for changed in event.added:
            self.seats[changed.seat].stack += changed.chips
        self._granted(event)
        if event.button is not None:
            self.button, self.button_set, self.again = event.button, True, None
            self.belonged_at, self.posted_before = None, {}
        if event.hand is not None:
            self.hand_number = event.hand - 1
        self.smallest_chip = event.smallest_chip or self.smallest_chip
        self.seats_changed_at = (self.epoch, self.seq)

    def _rewind(self, cut: frozenset[int], by: Envelope) -> None:
        self.notices = [notice for notice in self.notices if notice.seq not in cut]
        began = {self.before_seq, *[logged.seq for logged in self.hand_log[:1]]}
        if self.before_hand is not None and not began.isdisjoint(cut):
            self._take_up(self.before_hand, [logged for logged in self.hand_log if logged.seq not in cut])
        back = [logged for seq in sorted(cut & self.cut.keys()) for logged in self.cut.pop(seq).events]
        there = sorted([*self.hand_log, *back], key=lambda logged: logged.seq)
        kept, out = [one for one in there if one.seq not in cut], [one for one in there if one.seq in cut]
        if kept == self.hand_log:
            return  # the press only asked or said something
        if out:
            self.cut[by.seq] = Cut(by.cause, out)
        gone = [logged.event for logged in self.hand_log if logged.seq in cut]
        if self.hand is not None and self.hand.ended:
            self.hands_played -= 1
        elif self.passed_over and not self.unobserved:  # of the hand that was not seen, the end was
            self.hands_played, self.unobserved = self.hands_played - 1, True
        self.impounded -= sum(
            logged.event.impounded for logged in self.hand_log if isinstance(logged.event, Ruled)
        )
        self.hand = self._new_hand() if kept else None
        stood, self.stood_at, self.over = self.stood_at, 0, False
        undone = [logged.event for logged in self.hand_log if isinstance(logged.event, Ruled)]
        self.seat_rulings = [ruled for ruled in self.seat_rulings if ruled not in undone]
        self.hand_log, self.again, self.carried, self.belonged_at = [], None, 0, None
        self.carried_for = ()
        self.seats = copies_of(self.seats_before) or self.seats
        for event in reversed(gone):
            if isinstance(event, AwaySet) and event.seat in self.seats:
                self.seats[event.seat].away = not event.away
            elif isinstance(event, Counted) and event.seat in self.seats and event.source is not Source.ENGINE:
                self.seats[event.seat].stack = Chips(event.was)  # also of a seat that is not in the hand
        for logged in kept:
            self._replay(logged)
        self.stood_at = stood if self.over else 0

    def _take_up(self, found: TableState, since: Sequence[Logged]) -> None:
        """NEW HAND, or BUTTON, is taken back: the hand before goes on, with what was said of seats `since`."""
        for name in _OF_ITS_HAND:
            setattr(self, name, getattr(found, name))
        self.before_hand, self.before_by, self.before_seq = found.before_hand, found.before_by, found.before_seq
        for logged in since:
            if self.hand is None:
                self._apply_to_table(logged.seq, logged.event)
            else:
                self._log(logged)

    def _replay(self, logged: Logged) -> None:
        if isinstance(logged.event, HandStarted):
            self._take_positions(logged.event)
            for seated in logged.event.seats:
                self.seats[seated.seat].stack = seated.stack
        self._log(logged)

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

    def view(self) -> TableView:
        """The public snapshot, as of the last event."""
        return table_view.view(self)
