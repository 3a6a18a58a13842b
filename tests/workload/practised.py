"""A practised dealer without a camera (docs/dealer.md): hands first, keys while somebody thinks.

A row of folds or checks is not keyed one by one but said when it stops: `7 STREET`, the action is on seat 7. What
is unkeyed when a street ends waits until the next one lies there.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from feltwire.lab.simroom.dealer.glance import in_hand
from feltwire.lab.simroom.dealer.keying import seat_keys
from feltwire.lab.simroom.play.script import ScriptedAct
from table_core.messages import Action, Key, Seat, Street
from tests.workload import people as model
from tests.workload.dealer import HandDealt

_ROWS = (Action.FOLD, Action.CHECK)  # acts that come in rows, and are said by who comes after them
_WAGERS = (Action.BET, Action.RAISE)
_ROW = 2  # acts; one is a key as well


@dataclass(frozen=True)
class Left:
    """Acts of a street that is over, unkeyed; its betting came round to `bettor`."""

    acts: list[ScriptedAct]
    bettor: Seat


class PractisedHand(HandDealt):
    """One hand, dealt by somebody who has done it for a month."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._bettor = self.script.big_blind  # nobody comes round to it on later streets without a bet
        self._left = Left([], self._bettor)
        self._acted_at = self._now
        self._shown_at = 0.0  # since when the first hand is being turned up
        self._shoe = "shoe" in self._table.devices

    # ---------------------------------------------------------------------------------- while they act

    def heard(self, act: ScriptedAct) -> None:
        super().heard(act)
        self.effort.acts += 1
        self.effort.folds += act.action is Action.FOLD
        self._acted_at = self._now
        if act.action in _WAGERS:
            self._bettor = act.seat

    def betting(self, todo: list[ScriptedAct]) -> None:
        self._acting = True
        self._beside.start(self._players(todo))
        self._catch_up()
        while self._acting:
            if self._row_stopped():
                self._key_next()
            else:
                self.wait(model.REACT_S / 3)
        while self._shoe and any(act.action not in _ROWS for act in _before_closing(self._todo)):
            self._key_next()  # behind the board a call would be said to be keyed late
        self._left, self._todo = Left(self._todo, self._bettor), []
        self.gather()

    def _row_stopped(self) -> bool:
        """Somebody did something else, or has been thinking for a while."""
        row = _row(self._todo)
        return len(row) < len(self._todo) or (bool(row) and self._now - self._acted_at >= 1000 * model.ROW_STOPS_S)

    def _key_next(self) -> None:
        """The row that waits, or the act that waits first; what closes the street is left to its end."""
        self.wait(model.REACT_S)
        open_acts = self._todo if self._acting else _before_closing(self._todo)
        if not open_acts:
            return
        row = _row(open_acts) or open_acts[:1]
        self._todo = self._todo[len(row) :]
        self._key_row(row, self._todo[0].seat if self._todo else self.observer.to_act)

    def _key_row(self, row: Sequence[ScriptedAct], coming: Seat | None, least: int = _ROW) -> None:
        """By whom the action came to where it is worth it, else act by act."""
        if coming is None or len(row) < least or row[0].action not in _ROWS:
            for act in row:
                self.key(act)
            return
        self.effort.keys_for_folds += row[0].action is Action.FOLD
        if self._people.slips():
            self.slip(*seat_keys(self._behind(coming), Key.STREET))
        self.press(*seat_keys(coming, Key.STREET))

    def _behind(self, seat: Seat) -> Seat:
        """The next one with cards: a finger slips to its number."""
        live = self.observer.live_seats
        return next((other for other in live if other > seat), live[0])

    # ------------------------------------------------------------------------------ when a street is over

    def _catch_up(self) -> None:
        """What was left of the street before, and the street with it where only the dealer's word opens it."""
        left, self._left = self._left, Left([], self.script.big_blind)
        acts, hand = left.acts, self.observer.hand
        if acts:
            self.wait(max(0.0, model.REACT_S - (self._now - self._acted_at) / 1000))
        least = 1 if not (hand.ended or hand.betting_over) else _ROW  # it brings the street as well
        before = _before_closing(acts)
        while before:
            row = _row(before) or before[:1]
            coming = acts[len(row)].seat if len(row) < len(acts) else None  # a bet that nobody is left to call
            before, acts = before[len(row) :], acts[len(row) :]
            self._key_row(row, coming, least if self._shoe else _ROW)
        if acts and acts[0].action is Action.FOLD:
            self._key_row(acts, left.bettor, least)
        elif acts and hand.betting_over:
            self._key_row(acts, None)  # nothing but the call lets the hands be turned up
        elif acts:
            self.press(Key.STREET)
        if self._shoe and len(self.view.board) < len(hand.board):
            self.wait(model.LOOK_S)
            self.press(Key.STREET)

    def say_street(self) -> None:
        if self.observer.betting_over:
            super().say_street()

    def show_all_in_hands(self) -> None:
        if self.observer.betting_over:
            self._catch_up()
            super().show_all_in_hands()
            self.answer()

    def show_down(self) -> None:
        if not self.observer.at_showdown:
            return
        self._shown_at = self._now
        if self._shoe or not self._checked_through():
            self._catch_up()
            self.open_showdown()
        else:
            self._left = Left([], self._left.bettor)  # the award says so
        self.turn_hands_up()
        self.answer()  # one press for all hands that were keyed

    def table(self, seat: Seat) -> None:
        """Its key is pressed while the player turns the cards up; so is, with the first, what closes the river."""
        began, self._shown_at = self._shown_at or self._now, 0.0
        if self._shoe:
            self.press(*seat_keys(seat, Key.TABLED))
        beside_s = min((self._now - began) / 1000, model.TURN_UP_S)
        self.effort.base_s += model.SHOW_S
        self.wait(model.SHOW_S - beside_s)
        self.turn_up(seat)

    def _checked_through(self) -> bool:
        """Nothing but checks is unkeyed, and the screen has the river."""
        on_river = self.view.street is Street.RIVER and self._betting_open()
        return on_river and all(act.action is Action.CHECK for act in self._left.acts)

    def push_pot(self) -> None:
        """No camera will say anything more: nobody waits for the screen."""
        if not self._presses:
            return
        self._catch_up()
        if in_hand(self.view) and self._shoe:
            self.wait(model.LOOK_S)
        self.put_right()


def _row(acts: Sequence[ScriptedAct]) -> list[ScriptedAct]:
    """The folds, or checks, that the acts begin with."""
    if not acts or acts[0].action not in _ROWS:
        return []
    return list(itertools.takewhile(lambda act: act.action is acts[0].action, acts))


def _before_closing(acts: Sequence[ScriptedAct]) -> list[ScriptedAct]:
    """What one press at a street's end does not stand for: all but the last call, row of checks or of folds."""
    closing = 1 if acts and acts[-1].action is Action.CALL else 0
    if not closing and acts and acts[-1].action in _ROWS:
        closing = len(list(itertools.takewhile(lambda act: act.action is acts[-1].action, reversed(acts))))
    return list(acts[: len(acts) - closing])
