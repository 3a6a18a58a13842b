"""The hand engine: commands in, events or a refusal out, in place and with undo.

>>> from table_core.messages import Act, Action, Level, Seat, SeatStack, StartHand
>>> from table_core.rulebook import load_rulebook
>>> hand = Hand(load_rulebook("base"))
>>> seats = tuple(SeatStack(Seat(number), 10_000) for number in (1, 2, 3))
>>> events = hand.push(StartHand(1, Seat(1), Seat(2), Seat(3), Level(1, 100, 200), seats))
>>> hand.to_act, hand.bets[3]
(1, 200)
>>> hand.push(Act(Seat(1), Action.CHECK)).reason
'Seat 1 cannot check: 200 to call.'
>>> events = hand.push(Act(Seat(1), Action.RAISE, 600))
>>> hand.pop()
>>> hand.legal().min_to
400
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from table_core.hand import absence, opening
from table_core.hand.betting import judge
from table_core.hand.dealing import deal_board, expose_card, muck_hand, read_board, table_hand
from table_core.hand.engine import Answer, Engine
from table_core.hand.reducers.betting import reduce_action
from table_core.hand.reducers.by_event import REDUCERS, begins_step
from table_core.hand.reducers.opening import posted
from table_core.hand.reports import report
from table_core.hand.resume import resume_hand
from table_core.hand.rulings import (
    call_misdeal,
    close_deal,
    correct_bet,
    kill_hand,
    retrieve_hand,
    set_away,
    set_duties,
)
from table_core.hand.settling import award_pots, chop_blinds, result_only
from table_core.hand.state import NOBODY, NOT_YET
from table_core.messages import (
    Act,
    Acted,
    AnyEvent,
    AnyHandCommand,
    AwardPots,
    CallMisdeal,
    ChangeLevel,
    ChopBlinds,
    CloseDeal,
    CorrectBet,
    DealBoard,
    DealClosed,
    ExposeCard,
    HandStarted,
    HandTabled,
    KillHand,
    LevelChanged,
    MuckHand,
    Post,
    ReadBoard,
    Refusal,
    Report,
    ResultOnly,
    ResumeHand,
    RetrieveHand,
    SetAway,
    SetDuties,
    StartHand,
    TableHand,
)

__all__ = ["Answer", "Hand"]


class Hand(Engine):
    """One table's hand, from the first riffle to the last pot; then the next one.

    `push` decides a command and applies its events in place; `pop` takes the last push back, exactly. `apply`
    applies recorded events by the same code, so that a replayed hand is the live one, undo included.
    `smallest_chip` is the smallest denomination in play: odd chips are not broken further.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<Hand {self.number}: {self.street}, seat {self.to_act} to act>"

    def push(self, command: AnyHandCommand) -> Answer:
        """Decide `command` and apply it. A refusal leaves everything as it was; no command raises."""
        state = self.state
        if state.away and not state.dealt and type(command) in _BEHIND_THE_DEAL:
            return self._deal_is_over(command)
        if type(command) is not Act:
            return _DECIDE[type(command)](self, command)
        acted: Any = judge(state, command)
        if type(acted) is Acted:
            self.journal.steps.append(acted)
            reduce_action(state, state.to_act, acted)
            usual = state.to_act != NOBODY and not state.away and not state.duties
            return (acted,) if usual else self.followed()
        return acted  # type: ignore[no-any-return]

    def _deal_is_over(self, command: AnyHandCommand) -> Answer:
        """Nothing counted the cards of the deal: by what happens now it is complete, and that is all where one
        player alone is there."""
        state = self.state
        closed = close_deal(self, CloseDeal())
        if not state.under_way:
            return closed
        self.pop()
        if type(command) is not Act:
            return _DECIDE[type(command)](self, command)
        acted, passed_over = judge(state, command), absence.passed_over(state)
        if isinstance(acted, Refusal):
            return acted
        events = self.begin(acted)
        self.follow(DealClosed(), events)
        self.drop_absent(absence.dies_with_deal(state) | passed_over, events)
        self.go_on(events)
        return tuple(events)

    def decide(self, command: AnyHandCommand) -> Answer:
        """What `push` would answer; the hand stays as it is."""
        with self.trial():
            return self.push(command)

    def apply(self, event: AnyEvent) -> None:
        """Apply one recorded event; events that are not about the hand change nothing."""
        reducer = REDUCERS.get(type(event))
        if reducer is None:
            return
        state, journal = self.state, self.journal
        if not begins_step(state, event):
            if journal.steps:
                journal.of_last_step().append(event)
        elif isinstance(event, Acted | HandTabled):
            journal.steps.append(event)
        else:
            if isinstance(event, HandStarted):
                journal.clear()
            journal.begin(state, event)
        reducer(state, event)

    def start(self, started: HandStarted) -> Answer:
        """The riffle: antes and blinds are posted at once."""
        unit = opening.unit_of(self.rulebook, started.level, self.smallest_chip)
        if unit > 1:
            started = replace(started, unit=unit)
        self.journal.clear()  # hands reach back to the riffle; the riffle itself can be taken back
        return self._begin_anew(self.begin(started), started)

    def _change_level(self, command: ChangeLevel) -> Answer:
        """Blinds and antes are posted at another level, while nothing but them has happened."""
        start, state = self.state.start, self.state
        cites = self.rulebook.cites
        if not state.under_way or not isinstance(start, HandStarted):
            return self.refuse("No hand has begun.", cites.hand_start)
        if state.folded or state.closed or state.faced.count(NOT_YET) != len(state.faced) or self._counted(start):
            return self.refuse("The hand is in play: its level stays.", cites.hand_start)
        changed = replace(start, level=command.level)
        wrong = opening.judge_level(self.rulebook, changed)
        unit = opening.unit_of(self.rulebook, command.level, self.smallest_chip)
        return wrong or self._begin_anew(self.begin(LevelChanged(command.level, command.source, unit)), changed)

    def _counted(self, start: HandStarted) -> bool:
        """Whether a stack was counted since the hand began."""
        state, ring = self.state, self.state.ring
        had = [back + paid for back, paid in zip(state.stacks, state.paid, strict=True)]
        for post in opening.posts(self.rulebook, start, ring.seats):
            if post.what is Post.BIG_BLIND_ANTE or post.dead:
                had[ring.index[post.seat]] += post.amount
        return any(had[ring.index[seat.seat]] != seat.stack for seat in start.seats)

    def _begin_anew(self, events: list[AnyEvent], started: HandStarted) -> Answer:
        for post in opening.posts(self.rulebook, started, self.state.ring.seats):
            posted(self.state, post)
            events.append(post)
        for out in opening.out_after_ante(self.rulebook, started) + opening.out_without_chips(self.state):
            self.follow(out, events)
        self.go_on(events)
        return tuple(events)

    def _start(self, command: StartHand) -> Answer:
        if self.state.under_way:
            return self.refuse(f"Hand {self.number} is not finished.", self.rulebook.cites.hand_start)
        started: Any = opening.judge(self.rulebook, command)
        return started if type(started) is Refusal else self.start(started)


# What happens only when every hand is complete.
_BEHIND_THE_DEAL: Final = (Act, DealBoard, TableHand, MuckHand, AwardPots, ResultOnly)
_DECIDE: Final[dict[type, Callable[[Hand, Any], Answer]]] = {
    StartHand: Hand._start,
    DealBoard: deal_board,
    ReadBoard: read_board,
    TableHand: table_hand,
    MuckHand: muck_hand,
    ExposeCard: expose_card,
    AwardPots: award_pots,
    ResultOnly: result_only,
    ChangeLevel: Hand._change_level,
    ChopBlinds: chop_blinds,
    SetAway: set_away,
    CloseDeal: close_deal,
    KillHand: kill_hand,
    SetDuties: set_duties,
    RetrieveHand: retrieve_hand,
    CorrectBet: correct_bet,
    CallMisdeal: call_misdeal,
    ResumeHand: resume_hand,
    Report: report,
}
