"""The dealing robot: deals one hand in real time, at devices that speak bytes, with the faults it is asked for.

What it knows of the table's mind is what any dealer sees: the public screen.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from feltwire.lab.simroom.dealer import keying
from feltwire.lab.simroom.dealer.attentive import AttentiveDealing, Shows
from feltwire.lab.simroom.dealer.dealing import Moment, keys_of
from feltwire.lab.simroom.dealer.glance import done_with, in_hand, is_on_record, is_tabled
from feltwire.lab.simroom.dealer.hands import Hands
from feltwire.lab.simroom.dealer.mischief import Fault, Mischief
from feltwire.lab.simroom.dealer.pace import ADMIRE_S, THINK_S
from feltwire.lab.simroom.dealer.performed import DealerWorkload, Performed
from feltwire.lab.simroom.play.script import HandScript, ScriptedAct
from table_core.messages import CardText, Chips, Key, Level, QuestionView, Seat, Street, TableView
from table_core.rulebook import Rulebook
from table_core.tracker.asking.questions import Question

log = logging.getLogger(__name__)

FOLLOW_S = 3.0  # people bear so much until the screen follows a key; then something is wrong
READ_S = 4.0  # the camera's reading of still cards reaches the screen this fast, or the dealer helps
STARTS_S = 6.0
LOOKS_UP_S = 1.5  # until a dealer notices a wrong press
MOST_TABLED = 4  # presses for one hand
PAUSES_S = {Moment.THINK: THINK_S, Moment.STREET_OVER: THINK_S, Moment.SHOWN: ADMIRE_S}

Plan = Callable[[Level], HandScript]


class RobotDealing(AttentiveDealing):
    """One hand, dealt with `hands`. `play()` once.

    `plan(level)` gives the script for a level: `level` first, and the one that the screen shows should it differ.
    """

    def __init__(
        self, hands: Hands, rulebook: Rulebook, *, plan: Plan, level: Level, fault: Fault, smallest_chip: Chips
    ) -> None:
        super().__init__(hands, plan(level), rulebook, smallest_chip)
        self._hands = hands
        self._plan = plan
        self._fault = fault
        self._faults: list[Mischief] = []  # that were done
        self._questions = 0

    @property
    def hand(self) -> int:
        return self.script.hand

    def play(self) -> Performed:
        self.deal()
        hands = self._hands
        hands.mend_all()
        hands.settle_shoe()
        shown = self.view
        view = self.count_what_differs()
        self.felt.collect_cards()
        hands.look()
        return Performed(
            hand=self.hand,
            stacks=dict(self.felt.stacks),
            board=self.observer.board,
            tabled=dict(self.observer.tabled),
            shown_board=shown.board,
            shown_hands={s.seat: s.cards for s in shown.seats if is_tabled(shown, s.seat)},
            shown_stacks={s.seat: s.stack for s in view.seats},
            tally=DealerWorkload(self.presses, self.corrections, self._questions, self.counted, self._faults),
        )

    # -------------------------------------------------------------------------------- along the hand

    def is_this(self, hand: int, before: int) -> bool:
        return hand == self.hand

    def begun(self, view: TableView) -> None:
        if view.level is not None and view.level != self.script.level:
            self.script = self._plan(view.level)
            self.deck = list(self.script.deck)
            self.set_up()
        super().begun(view)
        self.look()  # the blinds are in

    def pitch(self, seat: Seat, lap: int) -> None:
        order = self.script.dealt
        if lap == 1 and seat == order[len(order) // 2] and self._takes(Mischief.EXPOSE_CARD):
            self._expose(seat, self.top())
        else:
            super().pitch(seat, lap)

    def _expose(self, seat: Seat, card: CardText) -> None:
        """A card turns over while it is pitched; everybody has seen it, and it is turned back."""
        self.felt.deal(seat, card, face_up=True)
        self._hands.show_and_wait()
        self._hands.pace.hold(LOOKS_UP_S)
        self.felt.turn_down(seat)
        self.look()

    def dealt(self) -> None:
        """The camera must have seen that the board of the hand before is gone."""
        self._hands.show_and_wait()

    def act(self, act: ScriptedAct) -> None:
        super().act(act)
        for kind in (Mischief.BLOCK_CAMERA, Mischief.PULL_SHOE):  # they last a while and fit any moment
            if self._takes(kind):
                self._hands.trouble(kind)

    def say(self, act: ScriptedAct) -> None:
        """Press the keys of `act`, unless a fault interferes; then see that the screen agrees."""
        if not self.observer.hand.ended and self._takes(Mischief.FORGET_KEY):
            return
        wrong = self._neighbour(act)
        if wrong is not None and self._takes(Mischief.WRONG_SEAT):
            self.press(*keying.seat_keys(wrong, Key.FOLD))
            self._hands.pace.hold(LOOKS_UP_S)
        else:
            self.press(*keys_of(act))
        self.reconcile()

    def _neighbour(self, act: ScriptedAct) -> Seat | None:
        """A live seat that is not the one acting, for a finger that slips."""
        others = [seat for seat in self.observer.live_seats if seat != act.seat]
        return others[-1] if len(others) > 1 else None

    def burn(self, street: Street) -> None:
        if not self._takes(Mischief.SKIP_BURN):
            super().burn(street)

    def say_street(self) -> None:
        if not self._hands.has_camera:
            self.press(Key.STREET)
        super().say_street()

    def say_tabled(self, seat: Seat) -> None:
        """Say it until the hand of `seat` is on the screen; without a camera nothing is, and it is on record."""
        said = done_with if self._hands.has_camera else is_on_record
        self.press(*keying.seat_keys(seat, Key.TABLED))
        self.show()
        for _ in range(MOST_TABLED):
            if self.watch(lambda view: said(view, seat)):
                return
            self.press(*keying.seat_keys(seat, Key.TABLED))

    def say_mucked(self, seat: Seat) -> None:
        self.press(*keying.seat_keys(seat, Key.MUCK))

    def push_pot(self) -> None:
        """POT PUSHED in any case."""
        self.press(Key.POT_PUSHED)
        self.follow(lambda view: not in_hand(view), Moment.POT_KEYED)
        super().push_pot()

    def give_up(self, why: str) -> None:
        """The stacks are counted."""
        log.warning("hand %d: %s", self.hand, why)

    def count_what_differs(self) -> TableView:
        """The screen, once its stacks are those on the felt."""
        true = self.felt.stacks

        def right(view: TableView) -> bool:
            return all(true.get(s.seat, s.stack) == s.stack for s in view.seats)

        view, agreed = self._hands.watch(right, FOLLOW_S)
        if agreed:
            return view
        self.count_stacks({s.seat: true.get(s.seat, s.stack) for s in view.seats})
        return self._hands.watch(right, FOLLOW_S)[0]

    # ------------------------------------------------------------------------------ keys and screen

    def answer(self, question: QuestionView) -> bool:
        """Press the key that the screen asks for.

        Whether others acted before a seat is asked after a key for the wrong seat; the right key answers it.
        """
        if question.kind == Question.MISSED_BEFORE:
            return False
        self._questions += 1
        self.press(question.key)
        self._hands.watch(lambda v: v.question is None or v.question.question != question.question, FOLLOW_S)
        return True

    def press_keys(self, *keys: Key) -> None:
        self.presses += 1
        self._hands.press(*keys)

    def follow(self, shows: Shows, moment: Moment) -> TableView:
        """Less long where the screen asks something, but for a hand that begins."""
        if moment is Moment.NEW_HAND_KEYED:
            return self._hands.watch(shows, STARTS_S)[0]
        return self._hands.watch(lambda view: shows(view) or self._is_new(view), FOLLOW_S)[0]

    def watch(self, shows: Shows) -> bool:
        view, _ = self._hands.watch_camera(lambda view: shows(view) or self._is_new(view), READ_S)
        return shows(view) or (self.mind() and self.watch(shows))

    def _is_new(self, view: TableView) -> bool:
        """Whether the screen asks something that was not answered yet."""
        return view.question is not None and view.question.question not in self.asked

    # --------------------------------------------------------------------------------- cards and time

    def show(self) -> None:
        self._hands.show()

    def next_deck(self) -> None:
        self._hands.next_deck()

    def pause(self, moment: Moment) -> None:
        if moment in PAUSES_S:
            self._hands.pace.pause(PAUSES_S[moment])

    def _takes(self, kind: Mischief) -> bool:
        """Whether `kind` is to be done now; noted when it is."""
        if not self._fault.take(kind):
            return False
        self._faults.append(kind)
        return True
