"""Faults of people: keys that are forgotten, late, in quick succession, or wrong; and hands without any."""

from __future__ import annotations

from feltwire.lab.simroom.dealer import keying
from feltwire.lab.simroom.dealer.dealing import keys_of
from feltwire.lab.simroom.play.script import HandScript, ScriptedAct
from table_core.messages import Action, Chips, Key, QuestionView, Seat, Street
from table_core.rulebook import Rulebook
from tests.faults.course import Turn
from tests.faults.dealing import KEY_MS, NOTICE_MS, READ_MS
from tests.faults.kinds import Kind
from tests.faults.staged.staging import Staging


class ForgottenFold(Staging):
    """A fold is not keyed; the next player checks, calls or raises and that is."""

    kind = Kind.FORGOTTEN_FOLD

    @classmethod
    def suits(cls, turn: Turn, turns: list[Turn]) -> bool:
        later = turns[turn.no + 1 :][:1]
        goes_on = bool(later) and later[0].street is turn.street and later[0].act.action is not Action.FOLD
        return turn.act.action is Action.FOLD and goes_on and len(turn.live) > 2

    def say_wrongly(self, act: ScriptedAct) -> None:
        self.stage(f"seat {act.seat}")


class ForgottenCall(Staging):
    """A check or call is not keyed, the next player's action is; the dealer looks up when the table says
    something, or when the street is over."""

    kind = Kind.FORGOTTEN_CALL

    @classmethod
    def suits(cls, turn: Turn, turns: list[Turn]) -> bool:
        later = turns[turn.no + 1 :][:1]
        return turn.passive and bool(later) and later[0].street is turn.street and len(turn.live) > 2

    _blind = False

    def say_wrongly(self, act: ScriptedAct) -> None:
        self.stage(f"seat {act.seat}")
        self._blind = True
        self._said = self._last_word()

    def say(self, act: ScriptedAct) -> None:
        if not self._blind:
            super().say(act)
            return
        self.press(*keys_of(act))
        self.wait(300, 900)
        self.look_up()

    def look_up(self) -> None:
        """The dealer looks at the screen when it says something new."""
        if self._blind and self._last_word() != self._said:
            self._blind = False
            self.mind()
            self.reconcile()

    def _last_word(self) -> tuple[int, int]:
        view = self.room.view
        return (view.notices[-1].seq if view.notices else 0, view.question.question if view.question else 0)

    def follow_board(self) -> None:
        self._blind = False
        super().follow_board()

    def is_true(self, question: QuestionView) -> bool:
        return question.kind == "missed_key"

    def push_pot(self) -> None:
        self._blind = False
        super().push_pot()
        self.reconcile()


class ForgottenLast(Staging):
    """The last check or call of a street is not keyed: the next street comes."""

    kind = Kind.FORGOTTEN_LAST

    @classmethod
    def suits(cls, turn: Turn, turns: list[Turn]) -> bool:
        return turn.closes and turn.passive and turn.street is not Street.RIVER

    def say_wrongly(self, act: ScriptedAct) -> None:
        self.stage(f"seat {act.seat} on the {self.observer.hand.street}")


class LateKeys(ForgottenLast):
    """The last key of a street is pressed when the next street's cards are out."""

    kind = Kind.LATE_KEYS

    def follow_board(self) -> None:
        if self.staged and self.missing() and len(self.missing()) > 1:
            self.wait(300, 3_500)
            missing = [move for move in self.missing() if move.act is not None]
            if missing and not self.mind():
                self.press(*missing[0].keys)
        super().follow_board()


class BatchedKeys(Staging):
    """Everything of a round from here on is keyed when the round is over."""

    kind = Kind.BATCHED_KEYS
    _batch: tuple[tuple[Key, ...], ...] | None = None

    @classmethod
    def suits(cls, turn: Turn, turns: list[Turn]) -> bool:
        return turn.left >= 3

    def say(self, act: ScriptedAct) -> None:
        if self.is_now():
            self._batch = ()
            self.stage(f"from seat {act.seat} on")
        if self._batch is None:
            super().say(act)
            return
        self._batch = (*self._batch, keys_of(act))
        hand = self.observer.hand
        if hand.legal() is None or hand.ended:
            batch, self._batch = self._batch, None
            for keys in batch:
                self.press(*keys)
            self.reconcile()

    def push_pot(self) -> None:
        super().push_pot()
        self.reconcile()


class WrongKey(Staging):
    """FOLD for CALL, CALL for FOLD, an amount with a digit wrong: seen on the screen and taken back."""

    kind = Kind.WRONG_KEY

    def say_wrongly(self, act: ScriptedAct) -> None:
        wrong = Key.CHECK_CALL if act.action not in (Action.CHECK, Action.CALL) else Key.FOLD
        self.stage(f"seat {act.seat}: {wrong.name} for {act.action}")
        self.press(wrong)
        self.wait(*NOTICE_MS)
        self.reconcile()


class WrongSeatKey(Staging):
    """A key with the neighbour's seat: refused; then the right key."""

    kind = Kind.WRONG_SEAT_KEY

    @classmethod
    def suits(cls, turn: Turn, turns: list[Turn]) -> bool:
        return len(turn.live) > 2 and turn.act.action in (Action.FOLD, Action.CHECK, Action.CALL)

    def say_wrongly(self, act: ScriptedAct) -> None:
        others = [seat for seat in self.observer.live_seats if seat not in (act.seat, self.observer.to_act)]
        if others:
            wrong = self.chance.choice(others)
            self.stage(f"seat {wrong} for seat {act.seat}")
            self.press(*keying.seat_keys(wrong, keys_of(act)[-1]))
            self.wait(*NOTICE_MS)
        super().say_wrongly(act)


class ForgottenNewHand(Staging):
    """The deal begins without NEW HAND; the betting is keyed."""

    kind = Kind.FORGOTTEN_NEW_HAND

    def riffle(self) -> None:
        if self.staged:
            super().riffle()
            return
        self.room.next_deck()
        self.stage("NEW HAND")
        self.wait(*KEY_MS)


class ForgottenMuck(Staging):
    """At the showdown a hand is thrown away, and nobody presses anything."""

    kind = Kind.FORGOTTEN_MUCK

    @classmethod
    def fits(cls, script: HandScript, book: Rulebook, chip: Chips) -> bool:
        return bool(script.mucks)

    def say_mucked(self, seat: Seat) -> None:
        self.stage(f"seat {seat}")

    def push_pot(self) -> None:
        if not self.staged:
            super().push_pot()
            return
        self.leaves_open = True
        self.wait(READ_MS, 2 * READ_MS)


class Unkeyed(Staging):
    """Hands that nobody keys; after the last of them button and stacks are set right by hand."""

    kind = Kind.UNKEYED
    counts = True

    def riffle(self) -> None:
        self.room.next_deck()
        self.stage("no key")

    def press(self, *keys: Key) -> None:
        """Nobody presses."""

    def say(self, act: ScriptedAct) -> None:
        """Nobody looks."""

    def say_tabled(self, seat: Seat) -> None:
        """Nobody looks."""

    def mind(self) -> bool:
        return False

    def reconcile(self) -> None:
        """Nobody looks."""

    def follow_board(self) -> None:
        self.wait(500, 3_000)

    def push_pot(self) -> None:
        """Nobody looks."""
