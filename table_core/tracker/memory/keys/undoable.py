"""What each press of this hand found, so that UNDO can put it back."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from table_core.messages import DeskWish, Key, Level, QuestionView
from table_core.tracker.kept import Millis, Seat
from table_core.tracker.memory.camera.bets import Bets
from table_core.tracker.memory.camera.folds import Folds
from table_core.tracker.memory.keys.key_queue import KeyQueue
from table_core.tracker.memory.keys.keypad import Press
from table_core.tracker.memory.keys.presses import IdlePress
from table_core.tracker.memory.keys.thinking import Thinking
from table_core.tracker.memory.rulings import OpenIncident, Rulings
from table_core.tracker.memory.showdown import Showdown
from table_core.tracker.memory.slice import Slice
from table_core.tracker.memory.timers import Timer

MOST = 40  # presses that one hand keeps; a longer hand forgets its first ones


class BeforePress(msgspec.Struct, frozen=True, omit_defaults=True):
    """What only presses write, as it was: what devices say is not in it.

    `seq` and `last` are the numbers of the last event before the press and of the last one of its step; `said` and
    `by_last` how many notices of the hand were given by then. `rulings` holds no card.
    """

    seq: int
    key: Key
    cause: str
    at: Millis = Millis(0)
    last: int = 0
    said: int = 0
    by_last: int = 0
    question: QuestionView | None = None
    raised: str = ""  # the kind of the question that its own step asked
    floor: bool = False
    wishes: tuple[DeskWish, ...] = ()
    away: tuple[Seat, ...] = ()
    counts: int = 0  # how many stacks were counted
    level: Level | None = None  # of the next hand, where the key is of the old level; then, which one it set
    level_set: Level | None = None
    key_queue: KeyQueue = msgspec.field(default_factory=KeyQueue)
    thinking: Thinking = msgspec.field(default_factory=Thinking)
    idle: IdlePress | None = None
    waiting: tuple[Press, ...] = ()
    proposed: Press | None = None
    closing_asked: bool = False
    dealt: int = 0  # how many cards of the deal had left the shoe
    refused_street: tuple[str, Millis] = ("", Millis(0))  # for which STREET came too early
    bets: Bets | None = None  # of the street, where the press ended it
    burned_before: int = 0  # among the burns when the last street was dealt
    camera_away: bool = False  # since the last street was dealt
    timers: tuple[Timer, ...] = ()  # that ran before; kept, those of them that the press stopped
    ran: tuple[Timer, ...] = ()  # the others
    started: tuple[Timer, ...] = ()
    folds: Folds = msgspec.field(default_factory=Folds)
    showdown: Showdown = msgspec.field(default_factory=Showdown)
    rulings: Rulings = msgspec.field(default_factory=Rulings)
    closed: tuple[OpenIncident, ...] = ()  # incidents that the press closed
    pressed: tuple[Press, ...] = ()  # it, behind the SPLIT keys that are one phrase with it
    lost: tuple[BeforePress, ...] = ()  # the presses that were kept; then, those that it took back (a ruling)


class Undoable(Slice):
    presses: tuple[BeforePress, ...] = ()

    def keep(self, before: BeforePress) -> None:
        self.presses = (*self.presses[1 - MOST :], before)

    def lost(self, found: tuple[BeforePress, ...]) -> tuple[BeforePress, ...]:
        """Which of them are kept no more."""
        there = {one.last for one in self.presses}
        return tuple([one for one in found if one.last not in there])

    def taken_back(self, press: BeforePress) -> None:
        self.forget_since(press.last)
        self.presses = (*self.presses, *press.lost)

    def last_press(self) -> BeforePress | None:
        return self.presses[-1] if self.presses else None

    def with_splits(self, push: BeforePress) -> BeforePress:
        """POT PUSHED with the SPLIT keys right before it: they are taken back together."""
        while self.presses and self.presses[-1].key is Key.SPLIT:
            *others, split = self.presses
            self.presses = tuple(others)
            pressed = (*split.pressed, *push.pressed)
            push = replace(push, showdown=split.showdown, question=split.question, pressed=pressed)
        return push

    def forget_since(self, seq: int) -> None:
        """The events from this number on are not what these presses led to any more."""
        self.presses = tuple([one for one in self.presses if one.last < seq])

    def end_hand(self) -> None:
        self.presses = ()

    forget_play = end_hand
