"""What every way of staging a fault shares: the moment that it needs, and whether it came."""

from __future__ import annotations

from feltwire.lab.simroom.play.script import HandScript, ScriptedAct
from table_core.messages import Chips
from table_core.rulebook import Rulebook
from tests.faults.course import Turn, course
from tests.faults.dealing import CleanDealing
from tests.faults.room import Room


class Staging(CleanDealing):
    """A hand with one fault in it."""

    @classmethod
    def fits(cls, script: HandScript, book: Rulebook, chip: Chips) -> bool:
        """Whether the fault can happen in this hand."""
        return bool(cls.moments(script, book, chip))

    @classmethod
    def moments(cls, script: HandScript, book: Rulebook, chip: Chips) -> list[int]:
        """The turns of the script at which it can happen."""
        turns = course(script, book, chip)
        return [turn.no for turn in turns if cls.suits(turn, turns)]

    @classmethod
    def suits(cls, turn: Turn, turns: list[Turn]) -> bool:
        """Whether it can happen at this turn."""
        del turn, turns
        return True

    def __init__(self, room: Room, script: HandScript, book: Rulebook, chip: Chips, seed: int) -> None:
        super().__init__(room, script, book, chip, seed)
        found = self.moments(script, book, chip)
        self.at = self.chance.choice(found) if found else -1
        self.turn = -1  # of the script, the one that is played

    def before_act(self, todo: list[ScriptedAct]) -> None:
        self.turn = len(self.script.acts) - len(todo)
        if self.is_now():
            self.interrupt(todo)

    def interrupt(self, todo: list[ScriptedAct]) -> None:
        """The moment, before the player acts."""

    def act(self, act: ScriptedAct) -> None:
        legal = self.observer.hand.legal()
        if self.is_now() and legal is not None and legal.min_to is not None:
            self.act_wrongly(act, legal.min_to)
        else:
            super().act(act)

    def act_wrongly(self, act: ScriptedAct, least: Chips) -> None:
        """The moment, when the player acts; a raise is to `least` at least."""
        super().act(act)

    def say(self, act: ScriptedAct) -> None:
        if self.is_now():
            self.say_wrongly(act)
        else:
            super().say(act)

    def say_wrongly(self, act: ScriptedAct) -> None:
        """The moment, when the dealer keys what the player did."""
        super().say(act)

    def is_now(self) -> bool:
        """The moment has come, for the first time."""
        return self.turn == self.at and not self.staged

    def stage(self, what: str) -> None:
        self.staged, self.what = True, what
