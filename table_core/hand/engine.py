"""The base of the hand engine: steps that can be taken back, and what follows from a step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

from table_core.hand import absence, betting, duties, showdown
from table_core.hand.face_up import CARD_BITS
from table_core.hand.reducers.betting import betting_closed
from table_core.hand.reducers.by_event import REDUCERS
from table_core.hand.state import NOBODY, HandState
from table_core.hand.undo import Journal, Trial
from table_core.hand.view import HandView
from table_core.messages import (
    UNKNOWN_CARD,
    Acted,
    AnyEvent,
    BettingClosed,
    CardText,
    Chips,
    HandEnded,
    HandKilled,
    Legal,
    PotAwarded,
    Refusal,
    Seat,
    Share,
    Source,
    Street,
)
from table_core.rulebook import Rulebook

_DONE: Final = Street.DONE

Answer = tuple[AnyEvent, ...] | Refusal


class Engine(HandView):
    """The state of one hand and the journal of its steps.

    `state` and `journal` are for the decision modules beside this one; all others read the properties.
    """

    __slots__ = ("journal", "rulebook", "smallest_chip")

    def __init__(self, rulebook: Rulebook, *, smallest_chip: int = 1) -> None:
        self.rulebook = rulebook
        self.smallest_chip = max(smallest_chip, 1)
        self.state = HandState(rulebook)
        self.journal = Journal()

    def legal(self) -> Legal | None:
        """What the seat to act may do; None when nobody is to act."""
        return betting.legal(self.state)

    def pop(self) -> None:
        """Take back the last push. Raise `IndexError` when there is none since the hand before this one."""
        self.journal.take_back(self.state)

    def trial(self) -> Trial:
        """`with hand.trial():` restores the hand at the end of the block, also after an exception."""
        return Trial(self)

    # ------------------------------------------------------------------------------------------- steps

    def begin(self, event: AnyEvent) -> list[AnyEvent]:
        """Apply the first event of a step, which can be taken back to here; the list of its events."""
        self.journal.begin(self.state, event)
        REDUCERS[type(event)](self.state, event)
        return self.journal.of_last_step()

    def follow(self, event: AnyEvent, events: list[AnyEvent]) -> None:
        """Apply an event that follows in this step; the journal's list `events` holds the step's events."""
        REDUCERS[type(event)](self.state, event)
        events.append(event)

    def step(self, event: AnyEvent) -> Answer:
        """A step of one event, with what follows from it."""
        state = self.state
        self.journal.begin(state, event)
        REDUCERS[type(event)](state, event)
        return self.followed() if state.away or state.duties or state.to_act == NOBODY else (event,)

    def followed(self) -> Answer:
        """The last step with its automatic consequences."""
        events = self.journal.of_last_step()
        self.go_on(events)
        return tuple(events)

    def go_on(self, events: list[AnyEvent]) -> None:
        """Automatic consequences: absent players fold when the action reaches them, all-in blinds behind it, a
        seat that a ruling has bound acts so, and betting closes."""
        state = self.state
        while state.to_act != NOBODY:
            if state.away and absence.dies_at_turn(state):
                self.drop_absent(1 << state.to_act, events)
            elif not state.duties or not self._act_as_bound(events):
                break
        if state.to_act == NOBODY and not state.closed:
            if state.away and state.dealt:
                self.drop_absent(absence.dies_without_turn(state), events)
            self._close_betting(events)

    def _act_as_bound(self, events: list[AnyEvent]) -> bool:
        for act in duties.bound(self.state):
            acted = betting.judge(self.state, act)
            if isinstance(acted, Acted):
                self.follow(acted, events)
                return True
        return False

    def drop_absent(self, indices: int, events: list[AnyEvent], rule: str = "") -> None:
        """The hands of absent players die, but for the last one."""
        state, rule = self.state, rule or self.rulebook.rules.presence.rule
        for seat in state.ring.seats_in(indices):
            if not state.alone:
                self.follow(HandKilled(seat, "player absent", rule, Source.ENGINE), events)

    def _close_betting(self, events: list[AnyEvent]) -> None:
        state = self.state
        returned = betting.uncalled(state) if state.high else None
        if returned is not None:
            self.follow(returned, events)
        pots: list[tuple[Any, int]] = state.pots_with_bets()
        amounts = (pots[0][0],) if len(pots) == 1 else tuple([amount for amount, _ in pots])
        closed = BettingClosed(state.street, amounts)
        betting_closed(state, closed)
        events.append(closed)
        if state.settling:
            self.finish(showdown.award_alone(state, self.smallest_chip), events)

    def finish(self, awards: showdown.Awards, events: list[AnyEvent], applied: int = 0) -> None:
        """Award the pots, but for the first `applied` awards, which are among `events` already, and end the hand;
        what nobody gets is carried to the next one."""
        carried = 0
        for number, award in enumerate(awards):
            if number >= applied:
                self.follow(award, events)
            if type(award) is PotAwarded and len(award.shares) != 1:
                carried += award.amount - sum([share.amount for share in award.shares])
        self.end(events, carried)

    def end(self, events: list[AnyEvent], carried: int = 0) -> None:
        """The hand is over with the stacks as they are."""
        state = self.state
        ring = state.ring
        seats, stacks = ring.seats, cast(list[Chips], state.stacks)
        shares = [Share(seats[index], stacks[index]) for index in ring.by_number]
        out = tuple([share.seat for share in shares if not share.amount]) if 0 in stacks else ()
        self.follow(HandEnded(state.start.hand, tuple(shares), out, Chips(carried)), events)

    # ----------------------------------------------------------------------------------------- refusals

    def refuse(self, reason: str, rule: str) -> Refusal:
        return betting.refuse(self.state, reason, rule)

    def gone(self, seat: Seat) -> str | None:
        """Why a seat has no live hand, None when it has one."""
        state = self.state
        index = state.ring.index.get(seat)
        if index is not None and state.live >> index & 1 and state.street is not _DONE:
            return None
        if not state.under_way:
            return "No hand is being played."
        if index is None:
            return f"Seat {seat} was not dealt in."
        if state.folded >> index & 1:
            return f"Seat {seat} has folded."
        if state.mucked >> index & 1:
            return f"Seat {seat} has mucked."
        return None

    def wrong_cards(
        self, cards: Sequence[CardText], without: Seat | None = None, *, board: bool = True
    ) -> str | None:
        """Why these cards cannot lie on the table; None when they can.

        They may not be on the board (unless `board` is False) or in a tabled hand other than that of `without`.
        """
        state = self.state
        shown = list(state.board) if board else []
        if state.tabled:
            skip = NOBODY if without is None else state.ring.index.get(without, NOBODY)
            for index, tabled in state.tabled.items():
                if index != skip:
                    shown += tabled
        for text in cards:
            if text in CARD_BITS and text not in shown:
                shown.append(text)
            elif text in CARD_BITS:
                return f"{text} lies on the table already."
            elif text != UNKNOWN_CARD:
                return f"{text!r} is not a card."
        return None
