"""A case: one incident at one table, with the facts that a ruling may look at and the rule ids that it cites."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from table_core.hand.hand import Hand
from table_core.hand.rulings import acted_preflop, too_late
from table_core.messages import (
    Acted,
    Action,
    AnyEvent,
    AnyHandCommand,
    BoardDealt,
    CallMisdeal,
    CardText,
    Counted,
    ExposeCard,
    HandResumed,
    HandStarted,
    LevelChanged,
    Millis,
    Posted,
    Refusal,
    Seat,
    SetDuties,
    Source,
    Street,
)
from table_core.projections.table import TableProjection
from table_core.projections.table_state import Logged
from table_core.record.course import Did, last_waiting, waiting
from table_core.record.deal import Deal
from table_core.rulebook import BASE, Rulebook, load_rulebook
from table_core.rulings.cites import citations, cited, speaks

HOLE_CARDS = 2


class Push(Struct, frozen=True):
    """Ask the hand engine."""

    command: AnyHandCommand


class Record(Struct, frozen=True):
    """Record an event that is not the engine's."""

    event: AnyEvent


class TakeBack(Struct, frozen=True):
    """Cut the event with this number and everything of the hand after it; cards stay where they were dealt."""

    seq: int


class Correct(Struct, frozen=True):
    """The cards lie as `deal` has them. Those that lie face up on the board and belong elsewhere are not read as
    board cards again until they were taken away; where `some_stay`, until a card lies there that did not."""

    deal: Deal
    some_stay: bool = False


class StartClock(Struct, frozen=True):
    """The clock on a player begins."""

    seat: Seat


Step = Push | Record | TakeBack | Correct | StartClock
_TELLS = (ExposeCard, SetDuties)  # commands that move no chips and kill no hand


class Option(Struct, frozen=True):
    """One option of a ruling: text for the screen, the rule that allows it, and its steps."""

    key: str
    text: str
    rule: str
    steps: tuple[Step, ...] = ()
    replaced: str = ""
    impounded: int = 0
    carried: int = 0
    asks: str = ""  # what must be entered before this option can be chosen; empty where everything is known
    practice: bool = False  # the book has no rule; this is the usual practice
    drawn: bool = False  # a person says which of several it was: chance decides, or nobody saw it
    acts: bool = False  # tried on a copy of the hand it moved chips or the turn
    effect: str = ""  # what it changes there, for a button

    @property
    def harms(self) -> bool:
        """It moves chips, changes an action, kills or gives back a hand, or takes back a street."""
        return bool(self.acts or self.impounded or self.carried) or any(_harms(step) for step in self.steps)


def _harms(step: Step) -> bool:
    match step:
        case TakeBack():
            return True
        case Push():
            return not isinstance(step.command, _TELLS)
        case Record():
            return isinstance(step.event, Counted)
    return False


def taken_by_street(options: Sequence[Option]) -> Option | None:
    """The option that STREET alone takes: the default, where it hurts nobody and its words say what it does. Else
    the option's own number says which: STREET may have been pressed for the street."""
    return None if not options or options[0].asks or options[0].drawn or options[0].harms else options[0]


def listed(seats: Sequence[Seat]) -> str:
    """`seat 3`, `seats 1, 3 and 6`: words of an option."""
    *others, last = sorted(seats)
    return f"seats {', '.join(map(str, others))} and {last}" if others else f"seat {last}"


class NoHand(LookupError):
    """A ruling asks about the hand, and none has begun, or BUTTON put the last one out of sight."""


class Case(Struct, frozen=True):
    """`cause` tells apart what the incident can come from; `place` is the card of the deal that it is about and
    `card` its face where it lies open. `deal` is the record of what was dealt. `first_motion` is the bet as the
    first motion made it, `put_in` what lies in front of the seat now. `act` is the number of the action that the
    incident was raised about, `on_board` how many board cards lay there then.
    """

    table: TableProjection
    incident: str
    cause: str = ""
    seat: Seat | None = None
    amount: int | None = None
    place: int | None = None
    card: CardText = ""
    deal: Deal = Deal().whole
    seen_board: tuple[CardText, ...] = ()  # face up on the board, dealt or not
    first_motion: int | None = None
    put_in: int | None = None
    loose: int = 0  # cards that left the shoe between hands
    opened_at: Millis = Millis(0)
    came_in: int = 0  # motions in which the chips of the seat's last action came; 0: nobody saw them come
    one_chip: bool = False  # a single chip lies in front of the seat
    gone: tuple[Seat, ...] = ()  # seats whose cards the camera saw in this hand and sees no more
    to_come: int = 0  # motions in which chips came that no action of the seat accounts for yet
    act: int | None = None
    on_board: int | None = None
    two_before_four: bool = False  # by count and camera the four newest cards are a flop of four behind two burns

    # ------------------------------------------------------------------------------------- the book

    @property
    def book(self) -> Rulebook:
        return self.table.rulebook

    def policy(self, name: str) -> Any:
        """What the book sets for `name`, None where it and `base` are silent."""
        rule = getattr(self.book.policies, name)
        return None if rule is None else rule.value

    def rule(self, name: str) -> str:
        """The rule behind a parameter; the fairness of the book where it is silent."""
        for section in (self.book.policies, self.book.rules):
            found = getattr(section, name, None)
            if found is not None:
                return str(found.rule)
        return self.cite("fairness")

    def own(self, name: str) -> bool:
        """Whether the book itself has this parameter, or a rule about this key of `cites.toml`."""
        spoken = name in self.book.spoken or name in self.book.house
        return spoken or (name in citations() and speaks(self.book.id, name))

    def cite(self, key: str) -> str:
        """The rule that this book has about `key`, else the one that `base` follows."""
        return cited(self.book.id, key)

    # ------------------------------------------------------------------------------------- the hand

    @property
    def hand(self) -> Hand:
        """The hand in progress or just over. Raise `NoHand` before the first."""
        if self.table.hand is None:
            raise NoHand("no hand has begun")
        return self.table.hand

    @property
    def in_hand(self) -> bool:
        return self.table.in_hand

    @property
    def the_seat(self) -> Seat:
        """The seat that the incident is about. Raise `LookupError` without one."""
        if self.seat is None:
            raise LookupError("this incident needs a seat")
        return self.seat

    @property
    def players(self) -> int:
        return len(self.hand.seats) if self.table.hand is not None else 0

    @property
    def betting_open(self) -> bool:
        """Whether somebody is to act."""
        return self.in_hand and self.hand.legal() is not None

    def has_acted(self, seat: Seat) -> bool:
        return any(act.seat == seat for act in self.table.acts())

    @property
    def street_over(self) -> bool:
        """A street has been dealt since the incident was raised, and not as the run-out of an all-in."""
        return self.on_board is not None and len(self.hand.board) > self.on_board and not self.ran_out

    @property
    def ran_out(self) -> bool:
        """Streets came behind the last action because there was no more betting: they belong to that action."""
        if not self.in_hand or not self.hand.betting_over:
            return False
        log = reversed([logged.event for logged in self.table.hand_log])
        last = next((event for event in log if isinstance(event, Acted | BoardDealt | HandResumed)), None)
        return isinstance(last, BoardDealt)

    def last_act(self, seat: Seat) -> tuple[Logged, Acted] | None:
        """The action of a seat on this street that the incident is about, else its last one; with its log entry.

        Earlier streets stand, but for those that ran out behind an all-in.
        """
        acts: list[tuple[Logged, Acted]] = []
        ran_out = self.ran_out
        for logged in reversed(self.table.hand_log):
            ran_out = ran_out and not isinstance(logged.event, Acted)
            if isinstance(logged.event, BoardDealt | HandResumed) and not ran_out:
                break
            if isinstance(logged.event, Acted) and logged.event.seat == seat:
                acts.append((logged, logged.event))
        return next((one for one in acts if one[0].seq == self.act), acts[0] if acts else None)

    @property
    def early(self) -> Did | None:
        """What the seat did before its turn, by what was said; its turn has not come since."""
        return last_waiting(self.table.hand_log, self.seat)

    @property
    def early_behind(self) -> list[Did]:
        """What other seats did so."""
        return [one for one in waiting(self.table.hand_log) if one.seat != self.seat]

    def is_to_act(self, seat: Seat) -> bool:
        legal = self.hand.legal()
        return legal is not None and legal.seat == seat

    def passed_over(self, seat: Seat) -> Logged | None:
        """What the books have on this street for a seat whose turn somebody passed over: an action that was filled
        in for it, a check or fold, or what the next player did and was keyed without a seat."""
        for logged in reversed(self.table.hand_log):
            event = logged.event
            if isinstance(event, BoardDealt):
                return None
            if isinstance(event, Acted) and event.seat == seat:
                put_nothing_in = event.action in (Action.CHECK, Action.FOLD)
                filled_in = event.source is Source.ASSUMED
                return logged if put_nothing_in or filled_in or not self.is_to_act(seat) else None
        return None

    def as_of(self, seq: int) -> Hand:
        """The hand as it was after event `seq`."""
        return self.table.hand_as_of(seq)

    def acted_since(self, logged: Logged) -> int:
        """How many players have acted after that event."""
        return len(self.acts_since(logged))

    def acts_since(self, logged: Logged) -> list[Acted]:
        later = [other.event for other in self.table.hand_log if other.seq > logged.seq]
        return [event for event in later if isinstance(event, Acted)]

    def street_dealt(self, street: Street) -> Logged | None:
        """The event of a street's cards, None while the engine has none."""
        for logged in self.table.hand_log:
            if isinstance(logged.event, BoardDealt) and logged.event.street is street:
                return logged
        return None

    def contributed(self, seat: Seat) -> int:
        """Chips of a seat in this deal."""
        given = 0
        for logged in self.table.hand_log:
            event = logged.event
            if isinstance(event, LevelChanged):
                given = 0  # antes and blinds are posted anew
            elif isinstance(event, Posted) and event.seat == seat:
                given += event.amount
            elif isinstance(event, Acted) and event.seat == seat:
                given += event.added
        return given

    def misdeal_possible(self, rule: str) -> bool:
        """Whether a misdeal by this rule can be called still."""
        late = too_late(self.misdeal_deadline(rule), *acted_preflop(self.hand))
        return not late and not isinstance(self.hand.decide(CallMisdeal()), Refusal)

    def misdeal_deadline(self, rule: str) -> Rulebook:
        """The book whose deadline counts for a misdeal by this rule. A book that sets no end to its own misdeals
        sets none to those that it does not know: usual practice ends them."""
        ends = self.book.rules.misdeal_deadline_actions.value or rule.startswith(f"{self.book.id}.")
        return self.book if ends else load_rulebook(BASE)

    def misdeal_disputed(self) -> bool:
        """Too many have acted for a misdeal by one sentence of the book, and by another, which counts only players
        behind the blinds, not (ccp.misdeals.1, 2b): a person decides."""
        start = self.table.hand_log[0].event if self.table.hand_log else None
        counts = self.policy("misdeal_deadline_counts") == "behind_the_blinds"
        if not counts or not isinstance(start, HandStarted) or not self.in_hand:
            return False
        blinds = {start.small_blind, start.big_blind, *start.extra_small_blinds, *start.extra_big_blinds}
        if blinds.issuperset(self.hand.seats):
            return False  # heads-up nobody is behind them
        behind = {act.seat for act in self.table.acts()} - blinds
        late = isinstance(self.hand.decide(CallMisdeal()), Refusal)
        return late and len(behind) < self.book.rules.misdeal_deadline_actions.value

    def ruled_before(self, incident: str, *options: str) -> int:
        """How often this hand has a ruling on the incident (with one of these options)."""
        return sum(
            1
            for ruled in self.table.rulings()
            if ruled.incident == incident and (not options or ruled.option in options)
        )

    def penalties_before(self, penalties: Sequence[str]) -> int:
        """How many steps of these the player at the seat has been given, at most so many that the last is left."""
        given = [ruled.option for ruled in self.table.seat_rulings if ruled.seat == self.seat]
        steps = [penalties.index(one) + 1 for one in given if one in penalties]
        return min(max(steps, default=0), len(penalties) - 1)

    def stack(self, seat: Seat) -> int:
        return self.table.seats[seat].stack

    def to_call(self, seat: Seat) -> Action:
        """A call where there is something to call, else a check."""
        return Action.CALL if self.hand.to_call(seat) else Action.CHECK


def misdeal(why: str) -> Push:
    """Everyone takes their chips back; the deal is played again with the same button and blinds."""
    return Push(CallMisdeal(why, Source.DIRECTOR))
