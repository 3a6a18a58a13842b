"""The simulated dealer's keypad and screen: presses keys and checks that the screen shows the result."""

from __future__ import annotations

from feltwire.lab.simroom.dealer.glance import Glance, glance_at_hand, glance_at_screen
from feltwire.lab.simroom.dealer.hands import Hands
from feltwire.lab.simroom.dealer.performed import DealerWorkload
from table_core.hand.hand import Hand
from table_core.messages import Key, TableView
from table_core.tracker.asking.questions import Question

FOLLOW_S = 1.0  # the screen follows a key this fast, or something is wrong
MOST_CORRECTIONS = 12


class Desk:
    """Follows one hand: what happened, move by move, and the keys that say so.

    `reconcile` answers, takes back and presses again until the screen shows what happened.
    """

    def __init__(self, hands: Hands, tally: DealerWorkload) -> None:
        self._hands = hands
        self._tally = tally
        self._asked: set[int] = set()  # questions that were answered
        self._looks: list[Glance] = []  # how the screen should look after each move
        self._keys: list[tuple[Key, ...]] = []

    def press(self, *keys: Key) -> None:
        self._tally.presses += 1
        self._hands.press(*keys)

    def see(self) -> TableView:
        """The screen as it is now."""
        return self._hands.watch(lambda _: True, FOLLOW_S)[0]

    def moved(self, truth: Hand, keys: tuple[Key, ...]) -> None:
        """Something happened that `keys` tell the table (none where its devices see it); `truth` is how it is."""
        self._looks.append(glance_at_hand(truth))
        self._keys.append(keys)

    def reconcile(self) -> bool:
        """Put the screen right; False where that does not succeed (the stacks are then counted after the hand)."""
        for _ in range(MOST_CORRECTIONS):
            if self._agrees():
                return True
            view = self.see()
            if self.answer(view):
                continue
            self._tally.corrections += 1
            taken = self._taken(view)
            if taken is None:
                self.press(Key.UNDO)
            elif self._keys[taken]:
                self.press(*self._keys[taken])
            else:
                self.press(Key.STREET)
        return self._agrees()

    def is_new(self, view: TableView) -> bool:
        """Whether the screen asks something that was not answered yet."""
        return view.question is not None and view.question.question not in self._asked

    def answer(self, view: TableView) -> bool:
        """Press the key that the screen asks for, once for each question; whether one was pressed.

        Whether others acted before a seat is asked after a key for the wrong seat; the right key answers it.
        """
        question = view.question
        if question is None or question.question in self._asked or question.key is Key.AWARD:
            return False
        if question.kind == Question.MISSED_BEFORE:
            self._asked.add(question.question)
            return False
        self._asked.add(question.question)
        self._tally.questions += 1
        self.press(question.key)
        self._hands.watch(lambda v: v.question is None or v.question.question != question.question, FOLLOW_S)
        return True

    def _agrees(self) -> bool:
        wanted = self._looks[-1]
        view, _ = self._hands.watch(lambda v: glance_at_screen(v) == wanted or self.is_new(v), FOLLOW_S)
        return glance_at_screen(view) == wanted

    def _taken(self, view: TableView) -> int | None:
        """How many moves the screen has taken; None when it shows what never was."""
        shown = glance_at_screen(view)
        behind = (taken for taken in range(len(self._looks) - 1, 0, -1) if self._looks[taken - 1] == shown)
        return next(behind, None)
