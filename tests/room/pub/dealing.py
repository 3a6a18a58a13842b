"""Hands that players deal among themselves at a table without a device: a phone's keys are all that it knows."""

from __future__ import annotations

import random
from collections.abc import Callable

from feltwire.lab.demo.night.dealer import DealtHand, NightDealer, SeatedHand
from feltwire.lab.simroom.config import SimroomConfig
from feltwire.lab.simroom.dealer import keying
from feltwire.lab.simroom.dealer.attentive import MOST_TRIES
from feltwire.lab.simroom.dealer.dealing import Moment, TableStuck
from feltwire.lab.simroom.dealer.glance import glance_at_screen, in_hand
from feltwire.lab.simroom.dealer.hands import Hands
from feltwire.lab.simroom.dealer.performed import DealerWorkload, Performed
from feltwire.lab.simroom.dealer.robot import FOLLOW_S
from table_core.messages import Chips, Key, Seat, Street, TableView

MOST_PRESSES = 300  # in a hand


class HandByPhone(SeatedHand):
    """Every act is keyed. Cards are not: who wins is said with AWARD."""

    def agrees(self, view: TableView) -> bool:
        """But for the board, of which the table knows nothing."""
        if not in_hand(view):
            return super().agrees(view)
        true = self.moves[-1].glance
        return glance_at_screen(view)._replace(board=true.board) == true

    def say_street(self) -> None:
        if not self.observer.betting_over:
            self.press(Key.STREET)
            self.reconcile()

    def say_tabled(self, seat: Seat) -> None:
        """Everybody sees it; the table is told who wins."""

    def say_mucked(self, seat: Seat) -> None:
        """Likewise."""

    def show_down(self) -> None:
        if self.observer.at_showdown and not self.observer.hand.all_in and _open(self.view):
            self.press(Key.STREET)
            self.follow(lambda view: view.street is Street.SHOWDOWN, Moment.CORRECTED)
        super().show_down()

    def push_pot(self) -> None:
        for _ in range(MOST_TRIES):
            view = self.view
            if not in_hand(view):
                return
            question = view.question
            if question is not None and question.key is Key.STREET:
                self.press(Key.STREET)
            else:
                self.name_winners(question.question if question is not None else 0)
            self.follow(lambda view: not in_hand(view), Moment.POT_KEYED)
        self.give_up("the hand does not end on the screen")

    def give_up(self, why: str) -> None:
        raise TableStuck(f"hand {self.script.hand}: {why}: {self.view}")


def _open(view: TableView) -> bool:
    return in_hand(view) and view.street is not Street.SHOWDOWN


class HandByScreen:
    """A hand with somebody who is away: players do what the screen asks for, and say who has won. What lies there
    in the end is what the screen then shows."""

    def __init__(self, hands: Hands, view: TableView, seed: str) -> None:
        self.hand = view.hand
        self._hands = hands
        self._chance = random.Random(seed)
        self._presses = 0

    def play(self) -> Performed:
        named = set[Seat]()
        while self._here(view := self._hands.view):
            if self._presses > MOST_PRESSES:
                raise TableStuck(f"hand {self.hand}: after {MOST_PRESSES} presses it is still there: {view}")
            self._press(view, named)
            self._hands.watch(self._after(view), FOLLOW_S)
        stacks = {one.seat: one.stack for one in view.seats} if view.hand == self.hand else {}
        return Performed(
            hand=self.hand, stacks=stacks, board=(), tabled={}, shown_board=(), shown_hands={},
            shown_stacks=stacks, tally=DealerWorkload(presses=self._presses),
        )  # fmt: skip

    def _after(self, view: TableView) -> Callable[[TableView], bool]:
        return lambda now: now.as_of != view.as_of or not self._here(now)

    def _here(self, view: TableView) -> bool:
        return view.hand == self.hand and in_hand(view)

    def _press(self, view: TableView, named: set[Seat]) -> None:
        self._presses += 1
        if view.question is not None and view.question.key is Key.STREET:
            self._hands.press(Key.STREET)
        elif view.legal is not None:
            self._hands.press(self._chance.choice((Key.FOLD, Key.CHECK_CALL, Key.CHECK_CALL)))
        elif view.street is Street.SHOWDOWN or view.question is not None or self._all_in(view):
            seats = [one.seat for one in view.seats if one.in_hand and not one.folded]
            seat = self._chance.choice([seat for seat in seats if seat not in named] or seats)
            named.add(seat)
            self._hands.press(*keying.seat_keys(seat, Key.AWARD))
        else:
            self._hands.press(Key.STREET)

    def _all_in(self, view: TableView) -> bool:
        live = [one for one in view.seats if one.in_hand and not one.folded]
        return sum(not one.all_in for one in live) <= 1


class PhoneDealer(NightDealer):
    """Whoever sits at the table and has the phone."""

    hand_type = HandByPhone

    def __init__(self, config: SimroomConfig, hands: Hands) -> None:
        super().__init__(config, hands)
        self.with_absent = 0  # hands

    def hand_of(self, view: TableView, before: TableView, chip: Chips) -> DealtHand:
        if any(one.away and one.in_hand for one in view.seats):
            self.with_absent += 1
            return HandByScreen(self._hands, view, f"{self._config.seed}/{view.hand}")
        return super().hand_of(view, before, chip)
