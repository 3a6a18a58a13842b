"""A dealer practises: simulated players play, the dealer keys it at a real table, and both records are compared.

What was keyed is right when the table's record is what happened, however it was said: `7 STREET` for a row of
folds is as right as a FOLD for each. In the last lesson the players go on while the dealer presses.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable

from display.actions import Touch
from feltwire.config import TableConfig
from feltwire.lab.practise.course import WAGERS, Did, Happening, course
from feltwire.lab.practise.score import KEY_WORDS, LESSON_WORDS, Lesson, Score
from feltwire.lab.scenario.table import TableInMemory
from feltwire.lab.simroom.play.bots import Bots
from feltwire.rulebooks import rulebook_named
from feltwire.table.table_io import Touched
from table_core.messages import (
    Acted,
    Action,
    Chips,
    Frozen,
    Key,
    Level,
    Millis,
    Refused,
    RulingChoices,
    Seat,
    SeatStack,
)
from table_core.projections.next_hand import positions

TABLE = "01"
CHIP = Chips(25)
STACK = Chips(5_000)
LEVEL = Level(1, Chips(50), Chips(100), minutes=20)
NAMES = ("Ada", "Ben", "Cleo", "Dev", "Eva", "Finn", "Gus", "Hana", "Ivo")
NEXT_MS = 900  # from what was keyed to what happens next
PACE_MS = 2_600  # between two actions in the last lesson
GIVEN_UP_MS = 60_000  # a record that is wrong for so long is left, and the next hand begins
LINES = 4  # of what happened, on the page
_ROUND = (Key.FOLD, Key.CHECK_CALL, Key.BET_RAISE, Key.ALL_IN)


class KeyScore(Frozen, frozen=True):
    key: str
    right: int
    of: int


class Shown(Frozen, frozen=True):
    """The page: `happened` with the newest line last, `wrong` where the record says something else, `keys` in the
    first lesson alone."""

    lesson: str
    happened: tuple[str, ...]
    keys: str
    wrong: str
    score: tuple[KeyScore, ...]
    right: int
    of: int
    hands: int
    ready: bool


class Practice:
    """`press` from the page's thread, `tick` from a clock of `now` milliseconds; both may come at any time."""

    def __init__(self, rulebook: str, *, players: int, seed: int, now: Callable[[], int]) -> None:
        self._lock = threading.Lock()
        self._rulebook = rulebook_named(rulebook)
        self._name, self._now, self._seed = rulebook, now, seed
        seats = [SeatStack(Seat(no), STACK, NAMES[no - 1]) for no in range(1, players + 1)]
        self._fresh = seats
        self._bots = Bots(seats=seats, button=Seat(1), rulebook=self._rulebook, seed=seed, smallest_chip=CHIP)
        self.score = Score()
        self.hands = 0
        self.table = self._new_table(seats, Seat(1))
        self._begin()

    # ---------------------------------------------------------------------------------------- the hand

    def _new_table(self, seats: list[SeatStack], button: Seat) -> TableInMemory:
        config = TableConfig(
            "practice", TABLE, "unused", tuple(seats), (LEVEL,), len(NAMES), button, self._name, smallest_chip=CHIP
        )
        table = TableInMemory(config, ())
        self._ahead_ms = table.now - self._now()  # of the table's clock
        return table

    def _begin(self) -> None:
        """The next hand; who lost everything sits down again. Where the table would deal another, a new one."""
        if len(self._bots.seats) < len(self._fresh):
            self._bots.sit_down_again(self._fresh, self._bots.button)
        planted = random.Random(f"{self._seed}/{self.hands}") if self.score.lesson >= Lesson.PACE else None
        self.course = course(self._bots.next_hand(LEVEL), self._rulebook, CHIP, planted)
        script = self.course.script
        if self.hands and not self._deals(script.seats, script.button):
            self.table = self._new_table(list(script.seats), script.button)
        self._hand = self.table.view.hand + 1
        self._at = self._until = 0  # what is to be keyed next, and what has happened
        self._shown_at = self._now()
        self._doubted = self._raised = False  # the record was wrong since; the incident was called up
        self._wrong_since: int | None = None

    def _deals(self, seats: tuple[SeatStack, ...], button: Seat) -> bool:
        """Whether the table's own next hand is this one."""
        table = self.table.node.table
        there = {one.seat: one.stack for one in table.stacks_all()}
        return (
            not table.in_hand
            and there == {one.seat: one.stack for one in seats}
            and positions(table).button == button
        )

    def _go_on(self) -> None:
        """What happened last is on record."""
        self.score.said(self.next.key, right=not self._doubted)
        self._doubted = self._raised = False
        if self._at + 1 < len(self.course.happenings):
            self._at += 1
            if self._at > self._until:
                self._until, self._shown_at = self._at, self._now()
        else:
            self._end_hand()

    def _end_hand(self) -> None:
        self.hands += 1
        self._bots.settle({share.seat: share.amount for share in self.course.script.finishing})
        self._begin()

    @property
    def next(self) -> Happening:
        """What is to be keyed next."""
        return self.course.happenings[self._at]

    # -------------------------------------------------------------------------------------- the record

    def _has_begun(self) -> bool:
        return self.table.view.hand == self._hand and bool(self.table.node.table.hand_log)

    def _recorded(self) -> tuple[Did, ...]:
        acts = [logged.event for logged in self.table.node.table.hand_log if isinstance(logged.event, Acted)]
        return tuple([Did(act.seat, act.action, int(act.to) if act.action in WAGERS else 0) for act in acts])

    def wrong(self) -> str:
        """What stands on record and has not happened, with what to do; empty where there is none."""
        if self.table.view.hand > self._hand:
            return "On record: another hand has begun. Undo"
        if not self._has_begun():
            return ""
        happened, recorded, hand = self.course.acts, self._recorded(), self.table.node.table.hand
        for no, stands in enumerate(recorded):
            if no < len(happened) and happened[no] == stands:
                continue
            if no < self.course.happenings[self._until].acts:
                return f"On record: {stands}. What happened: {happened[no]}. Undo, then its key"
            return f"On record: {stands}. That has not happened: Undo"
        if without := self._without_a_hand(recorded):
            return without
        assert hand is not None
        if len(hand.board) > max(one.board for one in self.course.happenings if one.acts <= len(recorded)):
            return "On record: a street that is not out. Undo"
        finishing = {share.seat: share.amount for share in self.course.script.finishing}
        if hand.ended and dict(hand.stacks) != finishing:
            return "On record: somebody else has the pot. Undo"
        return ""

    def _without_a_hand(self, recorded: tuple[Did, ...]) -> str:
        """Who is away on record, or has a dead hand, and neither folded nor threw it away."""
        view, hand = self.table.view, self.table.node.table.hand
        folded = {did.seat for did in recorded if did.action is Action.FOLD}
        away = next((one.seat for one in view.seats if one.away), None)
        if away is not None:
            return f"On record: seat {away} is away. Undo"
        if hand is None or hand.ended:
            return ""
        script = self.course.script
        gone = {entry.seat for entry in script.seats} - {*hand.live_seats} | {*hand.mucked}
        dead = gone - folded - {*script.mucks}
        return f"On record: the hand of seat {min(dead)} is dead. Undo" if dead else ""

    def is_keyed(self) -> bool:
        happens, hand = self.next, self.table.node.table.hand
        if not self._has_begun() or hand is None:
            return False
        if happens.incident:
            return self._raised and self.table.open_ruling is None
        enough = len(self._recorded()) >= happens.acts and len(hand.board) >= happens.board
        return enough and hand.ended >= happens.over

    # -------------------------------------------------------------------------------- what comes in

    def press(self, touch: Touch) -> None:
        """A key of the dealer's screen."""
        with self._lock:
            self._pass_time()
            came = self.table.give(Touched(touch.key, touch.seat, touch.amount, touch.question, touch.reason))
            if any(isinstance(event, Refused) for event in came) and not self.wrong():
                self._doubted = True
            self._look()

    def rulings(self, seat: Seat | None, words: str) -> RulingChoices:
        """What may be ruled on, for the dealer's screen."""
        with self._lock:
            return self.table.choices(seat, words)

    def tick(self) -> None:
        """Time passes."""
        with self._lock:
            self._pass_time()
            self._look()

    def _pass_time(self) -> None:
        self.table.advance(Millis(self._now() + self._ahead_ms))

    def _look(self) -> None:
        """Compare the two records; go on where they agree."""
        now, ruling = self._now(), self.table.open_ruling
        self._raised = self._raised or (ruling is not None and ruling.incident == self.next.incident)
        self._players_go_on(now)
        if self.wrong():
            self._doubted = True
            self._wrong_since = now if self._wrong_since is None else self._wrong_since
            if now - self._wrong_since >= GIVEN_UP_MS:
                self.score.said(self.next.key, right=False)
                self._end_hand()
            return
        self._wrong_since = None
        while self._at < self._until and self.is_keyed():
            self._go_on()
        if self._at == self._until and self.is_keyed() and now - self._shown_at >= NEXT_MS:
            self._go_on()

    def _players_go_on(self, now: int) -> None:
        """In the last lesson a round of betting does not wait for its keys."""
        coming = self.course.happenings[self._until + 1 : self._until + 2]
        last = self.course.happenings[self._until].key
        if self.score.lesson < Lesson.PACE or not coming or now - self._shown_at < PACE_MS:
            return
        if coming[0].key in _ROUND and last in (*_ROUND, Key.STREET):
            self._until, self._shown_at = self._until + 1, now

    # ------------------------------------------------------------------------------------------ pages

    def shown(self) -> Shown:
        """What the page says."""
        with self._lock:
            happened = self.course.happenings[max(0, self._until + 1 - LINES) : self._until + 1]
            by_key, (right, of) = self.score.by_key, self.score.total
            return Shown(
                lesson=LESSON_WORDS[self.score.lesson],
                happened=tuple([one.words for one in happened]),
                keys=self.next.keys if self.score.lesson is Lesson.KEYS else "",
                wrong=self.wrong(),
                score=tuple([KeyScore(words, *by_key[key]) for key, words in KEY_WORDS.items() if key in by_key]),
                right=right,
                of=of,
                hands=self.hands,
                ready=self.score.lesson is Lesson.READY,
            )

    def screens(self) -> tuple[bytes, bytes]:
        """The dealer screen, and its open ruling."""
        with self._lock:
            return self.table.screen, self.table.ruling_screen
