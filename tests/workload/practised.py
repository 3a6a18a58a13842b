"""A practised dealer without a camera (docs/dealer.md): hands first, keys while somebody thinks.

A row of folds or checks is not keyed one by one but said when it stops: `7 STREET`, the action is on seat 7. What
is unkeyed when a street ends waits until the next one lies there.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from feltwire.lab.simroom.dealer.keying import seat_keys
from feltwire.lab.simroom.play.script import ScriptedAct
from table_core.messages import Action, Key, Seat, Street
from tests.workload import people as model
from tests.workload.dealer import HandDealt, Waits

_ROWS = (Action.FOLD, Action.CHECK)  # acts that come in rows, and are said by who comes after them
_CLOSING = (Action.CHECK, Action.CALL)  # what STREET stands for
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
        self._bettor = self._script.big_blind  # nobody comes round to it on later streets without a bet
        self._left = Left([], self._bettor)
        self._acted_at = self._now
        self._shown_at = 0.0  # since when the first hand is being turned up
        self._shoe = "shoe" in self._table.devices

    # ---------------------------------------------------------------------------------- while they act

    def _heard(self, act: ScriptedAct) -> None:
        super()._heard(act)
        self.told.acts += 1
        self.told.folds += act.action is Action.FOLD
        self._acted_at = self._now
        if act.action in _WAGERS:
            self._bettor = act.seat

    def _betting_round(self) -> Waits:
        self._acting = True
        self._start(self._players())
        yield from self._catch_up()
        while self._acting:
            if self._row_stopped():
                yield from self._key_next()
            else:
                yield model.REACT_S / 3
        while self._shoe and any(act.action not in _ROWS for act in _before_closing(self._todo)):
            yield from self._key_next()  # behind the board a call would be said to be keyed late
        self._left, self._todo = Left(self._todo, self._bettor), []
        if any(self._felt.bets.values()):
            yield from self._task(model.GATHER_S)
            self._felt.gather()
            self._moved()

    def _row_stopped(self) -> bool:
        """Somebody did something else, or has been thinking for a while."""
        row = _row(self._todo)
        return len(row) < len(self._todo) or (bool(row) and self._now - self._acted_at >= 1000 * model.ROW_STOPS_S)

    def _key_next(self) -> Waits:
        """The row that waits, or the act that waits first; what closes the street is left to its end."""
        yield model.REACT_S
        open_acts = self._todo if self._acting else _before_closing(self._todo)
        if not open_acts:
            return
        row = _row(open_acts) or open_acts[:1]
        self._todo = self._todo[len(row) :]
        yield from self._key_row(row, self._todo[0].seat if self._todo else self.truth.hand.to_act)

    def _key_row(self, row: Sequence[ScriptedAct], coming: Seat | None, least: int = _ROW) -> Waits:
        """By whom the action came to where it is worth it, else act by act."""
        if coming is None or len(row) < least or row[0].action not in _ROWS:
            for act in row:
                yield from self._key(act)
            return
        self.told.keys_for_folds += row[0].action is Action.FOLD
        if self._people.slips():
            yield from self._slip(*seat_keys(self._behind(coming), Key.STREET))
        yield from self._press(*seat_keys(coming, Key.STREET))

    def _behind(self, seat: Seat) -> Seat:
        """The next one with cards: a finger slips to its number."""
        live = self.truth.hand.live_seats
        return next((other for other in live if other > seat), live[0])

    # ------------------------------------------------------------------------------ when a street is over

    def _catch_up(self) -> Waits:
        """What was left of the street before, and the street with it where only the dealer's word opens it."""
        left, self._left = self._left, Left([], self._script.big_blind)
        acts, hand = left.acts, self.truth.hand
        if acts:
            yield max(0.0, model.REACT_S - (self._now - self._acted_at) / 1000)
        least = 1 if not (hand.ended or hand.betting_over) else _ROW  # it brings the street as well
        before = _before_closing(acts)
        while before:
            row = _row(before) or before[:1]
            coming = acts[len(row)].seat if len(row) < len(acts) else None  # a bet that nobody is left to call
            before, acts = before[len(row) :], acts[len(row) :]
            yield from self._key_row(row, coming, least if self._shoe else _ROW)
        if acts and acts[0].action is Action.FOLD:
            yield from self._key_row(acts, left.bettor, least)
        elif acts and hand.betting_over:
            yield from self._key_row(acts, None)  # nothing but the call lets the hands be turned up
        elif acts:
            yield from self._press(Key.STREET)
        if self._shoe and len(self._table.shown.board) < len(hand.board):
            yield model.LOOK_S
            yield from self._press(Key.STREET)

    def _see_street(self, size: int) -> Waits:
        if self.truth.hand.betting_over:
            yield from super()._see_street(size)

    def _turn_up_all_in(self) -> Waits:
        yield from self._catch_up()
        yield from super()._turn_up_all_in()
        yield from self._answer()

    def _showdown(self) -> Waits:
        self._shown_at = self._now
        if self._shoe or not self._checked_through():
            yield from self._catch_up()
            yield from super()._showdown()
        else:
            self._left = Left([], self._left.bettor)  # the award says so
            yield from self._show_down()

    def _show_down(self) -> Waits:
        yield from super()._show_down()
        yield from self._answer()  # one press for all hands that were keyed

    def _table_hand(self, seat: Seat) -> Waits:
        """Its key is pressed while the player turns the cards up; so is, with the first, what closes the river."""
        began, self._shown_at = self._shown_at or self._now, 0.0
        if self._shoe:
            yield from self._press(*seat_keys(seat, Key.TABLED))
        beside_s = min((self._now - began) / 1000, model.TURN_UP_S)
        self.told.base_s += model.SHOW_S
        yield model.SHOW_S - beside_s
        self._turned_up(seat)

    def _checked_through(self) -> bool:
        """Nothing but checks is unkeyed, and the screen has the river."""
        on_river = self._table.shown.street is Street.RIVER and self._betting_open()
        return on_river and all(act.action is Action.CHECK for act in self._left.acts)

    def _close(self, winners: list[Seat]) -> Waits:
        """No camera will say anything more: nobody waits for the screen."""
        yield from self._catch_up()
        if self._open() and self._shoe:
            yield model.LOOK_S
        yield from self._put_right(winners)


def _row(acts: Sequence[ScriptedAct]) -> list[ScriptedAct]:
    """The folds, or checks, that the acts begin with."""
    if not acts or acts[0].action not in _ROWS:
        return []
    return list(itertools.takewhile(lambda act: act.action is acts[0].action, acts))


def _before_closing(acts: Sequence[ScriptedAct]) -> list[ScriptedAct]:
    """What one press at the end of the street does not stand for: all but the last checks and calls, or folds."""
    kinds = _CLOSING if acts and acts[-1].action in _CLOSING else (Action.FOLD,)
    closing = list(itertools.takewhile(lambda act: act.action in kinds, reversed(acts)))
    return list(acts[: len(acts) - len(closing)])
