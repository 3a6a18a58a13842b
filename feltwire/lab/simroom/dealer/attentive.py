"""A dealer who keys every act and looks at the screen: answers, takes back and presses again until it is right."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping

from feltwire.lab.simroom.dealer import keying
from feltwire.lab.simroom.dealer.dealing import Dealing, Devices, Moment, TableStuck, keys_of
from feltwire.lab.simroom.dealer.glance import Move, glance_at_hand, glance_at_screen, in_hand
from feltwire.lab.simroom.play.script import HandScript, ScriptedAct
from table_core.messages import Chips, Key, QuestionView, Seat, TableView
from table_core.rulebook import Rulebook
from table_core.tracker.asking.questions import Question

MOST_TRIES = 12  # presses of one key, and corrections in a row

Shows = Callable[[TableView], bool]


class AttentiveDealing(Dealing):
    """Follows on the screen what happened, move by move. `corrections`: presses to put the screen right;
    `counted`: stacks that had to be counted; `presses`: of keys, the digits before them not counted."""

    def __init__(self, devices: Devices, script: HandScript, rulebook: Rulebook, smallest_chip: Chips) -> None:
        super().__init__(devices, script, rulebook, smallest_chip)
        self.presses = self.corrections = self.counted = 0
        self.moves: list[Move] = []
        self.asked: set[int] = set()  # questions that were dealt with

    # -------------------------------------------------------------------------------- along the hand

    def riffle(self) -> None:
        """NEW HAND, until the screen shows that the hand has begun, with the button where it lies."""
        self.next_deck()
        before = self.view.hand

        def begun(view: TableView) -> bool:
            return in_hand(view) and self.is_this(view.hand, before)

        for _ in range(MOST_TRIES):
            self.press(Key.NEW_HAND)
            view = self.follow(begun, Moment.NEW_HAND_KEYED)
            if begun(view):
                self.begun(view)
                return
            self.mind()
        raise TableStuck(f"hand {self.script.hand} does not begin on the screen")

    def is_this(self, hand: int, before: int) -> bool:
        """Whether the screen's `hand` is the one that begins; `before` was there."""
        return hand != before

    def begun(self, view: TableView) -> None:
        """The screen shows the hand."""
        if view.button != self.script.button:
            raise TableStuck(f"hand {self.script.hand}: the screen has the button at seat {view.button}")

    def say(self, act: ScriptedAct) -> None:
        """Unless the screen has it already."""
        if self.agrees(self.view):
            return
        self.press(*keys_of(act))
        self.reconcile()

    def say_street(self) -> None:
        self.follow_board()
        self.reconcile()

    def follow_board(self) -> None:
        """Wait until the camera has read the street; help with STREET where it cannot."""
        size = len(self.observer.board)
        for _ in range(MOST_TRIES):
            if self.watch(lambda view: len(view.board) >= size):
                return
            view = self.view
            if view.legal is not None or not in_hand(view):
                return  # what the screen has of the betting is put right first
            if len(view.board) < size:
                self.press(Key.STREET)
        if len(self.view.board) < size and in_hand(self.view):
            self.give_up("the street does not come to the screen")

    def push_pot(self) -> None:
        """POT PUSHED where the screen still has the hand open."""
        for _ in range(MOST_TRIES):
            if not in_hand(self.view):
                return
            if not self.mind():
                self.press(Key.POT_PUSHED)
            self.follow(lambda view: not in_hand(view), Moment.POT_KEYED)
        self.give_up("the hand does not end on the screen")

    def give_up(self, why: str) -> None:
        raise TableStuck(f"hand {self.script.hand}: {why}")

    # ------------------------------------------------------------------------------------ the screen

    def moved(self, keys: tuple[Key, ...], act: ScriptedAct | None) -> None:
        self.moves.append(Move(glance_at_hand(self.observer.hand), keys, act))

    def agrees(self, view: TableView) -> bool:
        return glance_at_screen(view) == self.moves[-1].glance

    def reconcile(self) -> None:
        """Put the screen right. Where that does not succeed the stacks are counted after the hand."""
        for _ in range(MOST_TRIES):
            view = self.view
            if self.agrees(view) or self._pushed_already(view):
                return
            view = self.follow(self.agrees, Moment.CORRECTED)
            if self.agrees(view) or self.mind():
                continue
            self.corrections += 1
            taken = self.taken(self.view)
            if taken is None:
                self.press(Key.UNDO)
            else:
                self.press(*(self.moves[taken].keys or (Key.STREET,)))
            self.follow(self.agrees, Moment.CORRECTED)

    def _pushed_already(self, view: TableView) -> bool:
        """The screen has ended the hand before the dealer has."""
        over = not in_hand(view) and not self.observer.hand.ended and self.observer.betting_over
        return over and glance_at_screen(view).folded == self.moves[-1].glance.folded

    def taken(self, view: TableView) -> int | None:
        """How many moves the screen has taken; None when it shows what never was."""
        shown = glance_at_screen(view)
        behind = (at for at in range(len(self.moves) - 1, 0, -1) if self.moves[at - 1].glance == shown)
        return next(behind, None)

    def count_stacks(self, stacks: Mapping[Seat, Chips]) -> None:
        """Count every one of `stacks` that the screen has differently."""
        shown = {seat.seat: seat.stack for seat in self.view.seats}
        for seat, stack in stacks.items():
            if shown.get(seat) != stack:
                self.counted += 1
                self.press_keys(*keying.count_keys(seat, stack))

    # ------------------------------------------------------------------------------------- questions

    def mind(self) -> bool:
        """Answer what the screen asks, once a question; whether a key was pressed."""
        question = self.view.question
        if question is None or question.question in self.asked:
            return False
        self.asked.add(question.question)
        self.notice()
        now = self.view.question
        if now is None or now.question != question.question:
            return False
        if question.kind.partition("-")[0] == Question.AWARD:
            if not self.observer.hand.ended:
                self.award()
            self.name_winners(question.question)
            return True
        return self.answer(question)

    def notice(self) -> None:
        """Time passes until the dealer has read a question."""

    @abstractmethod
    def answer(self, question: QuestionView) -> bool:
        """Whether a key was pressed."""

    # ------------------------------------------------------------------------------- supplied by each

    def press(self, *keys: Key) -> None:
        """What the dealer keys during the hand."""
        self.press_keys(*keys)

    @abstractmethod
    def press_keys(self, *keys: Key) -> None:
        """Keys one after the other, as fast as fingers are; one of `presses`."""

    @abstractmethod
    def next_deck(self) -> None:
        """The other deck is dealt from."""

    @abstractmethod
    def follow(self, shows: Shows, moment: Moment) -> TableView:
        """Give the screen the time of `moment`, or until it `shows` what was keyed; what it shows then."""

    @abstractmethod
    def watch(self, shows: Shows) -> bool:
        """Wait until the screen `shows` what the camera sees, and answer what is asked; whether it does."""
