"""A dealer practises: simulated players play, the dealer keys it at a real table, and both records are compared.

What was keyed is right when the table's record is what happened, however it was said: `7 STREET` for a row of
folds is as right as a FOLD for each. In the last lesson the players go on while the dealer presses. Now and then
the practice presses a wrong key itself: a slip, which is right when it was put right before the page names it.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Callable

from display.actions import Touch
from feltwire.config import TableConfig
from feltwire.lab.practise.course import WAGERS, Course, Did, Happening, course
from feltwire.lab.practise.planting import PLANTED, TO_BE_NAMED, plant
from feltwire.lab.practise.score import KEY_WORDS, LESSON_WORDS, Lesson, LessonScore, Score
from feltwire.lab.scenario.table import TableInMemory
from feltwire.lab.simroom.play.bots import Bots
from feltwire.rulebooks import rulebook_named
from feltwire.table.table_io import Touched
from table_core.messages import (
    Acted,
    Action,
    Chips,
    Counted,
    Frozen,
    Key,
    Level,
    Millis,
    Refused,
    Ruled,
    RulingChoices,
    Seat,
    SeatStack,
)
from table_core.projections.next_hand import positions
from table_core.projections.words import chips

TABLE = "01"
CHIP = Chips(25)
STACK = Chips(5_000)
LEVEL = Level(1, Chips(50), Chips(100), minutes=20)
NAMES = ("Ada", "Ben", "Cleo", "Dev", "Eva", "Finn", "Gus", "Hana", "Ivo")
NEXT_MS = 900  # from what was keyed to what happens next
PACE_MS = 2_600  # between two actions in the last lesson
GIVEN_UP_MS = 60_000  # a record that is wrong for so long is left, and the next hand begins
NOTICE_MS = 10_000  # in which a dealer sees a slip before the page names it
LINES = 4  # of what happened, on the page
MISSED = 3  # of what was missed
TRIES = 60  # of a hand, for one with a key that the lesson still needs
_SOUGHT = {Key.BET_RAISE, Key.ALL_IN, Key.SPLIT}
_ROUND = (Key.FOLD, Key.CHECK_CALL, Key.BET_RAISE, Key.ALL_IN)


class KeyScore(Frozen, frozen=True):
    key: str
    right: int
    of: int


class Ended(Frozen, frozen=True):
    """A lesson that has ended: what it was, a score for each key, and what was missed."""

    words: str
    score: tuple[KeyScore, ...]
    missed: tuple[str, ...]


class Shown(Frozen, frozen=True):
    """The page: `happened` with the newest line last, of which the last `due` are still to be keyed; `wrong` where
    the record says something else, `keys` in the first lesson alone, `missed` in this lesson with the newest last;
    `ended` until the next hand begins."""

    lesson: str
    progress: str
    happened: tuple[str, ...]
    due: int
    keys: str
    wrong: str
    score: tuple[KeyScore, ...]
    missed: tuple[str, ...]
    ended: Ended | None
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
        self.score = Score(frozenset(KEY_WORDS) - ({Key.AWAY} if players == 2 else frozenset()))
        self.hands = 0
        self.ended: LessonScore | None = None
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
        """The next hand; where a player lost everything, or a pot left an odd chip to the next, all begin anew.
        Where the table would deal another hand, a new table."""
        there, all_chips = self._bots.seats, sum(one.stack for one in self._fresh)
        if len(there) < len(self._fresh) or sum(one.stack for one in there) != all_chips:
            self._bots.sit_down_again(self._fresh, self._bots.button)
        chance = random.Random(f"{self._seed}/{self.hands}")
        self.course = plant(self._next_course(), self._to_plant(chance), CHIP, chance)
        script = self.course.script
        if self.hands and not self._deals(script.seats, script.button):
            self.table = self._new_table(list(script.seats), script.button)
        self._hand = self.table.view.hand + 1
        self._at = self._until = 0  # what is to be keyed next, and what has happened
        self._shown_at = self._now()
        self._events_before = len(self.table.events)
        self._come()
        self._wrong_since: int | None = None

    def _next_course(self) -> Course:
        """What the players do next: where the lesson needs a rare key, something that has it if there is any."""
        sought = _SOUGHT & {*self.score.missing()}
        tries = range(TRIES if sought and self.hands else 1)
        courses = (course(self._bots.next_hand(LEVEL, attempt), self._rulebook, CHIP) for attempt in tries)
        first = next(courses)
        if not sought or any(one.key in sought for one in first.happenings):
            return first
        return next((one for one in courses if any(it.key in sought for it in one.happenings)), first)

    def _to_plant(self, chance: random.Random) -> list[Key]:
        """From the third hand: one thing a hand while keys are learned, later more; what is needed first."""
        if self.hands < 2:
            return []
        needed = [key for key in PLANTED if key in self.score.missing()]
        if self.score.lesson is Lesson.KEYS:
            return needed[:1]
        others = [key for key in PLANTED if key not in needed]
        return [*chance.sample(needed, min(len(needed), 2)), *[key for key in others if chance.random() < 0.2]]

    def _deals(self, seats: tuple[SeatStack, ...], button: Seat) -> bool:
        """Whether the table's own next hand is this one."""
        table = self.table.node.table
        there = {one.seat: one.stack for one in table.stacks_all()}
        return (
            not table.in_hand
            and there == {one.seat: one.stack for one in seats}
            and positions(table).button == button
        )

    def _come(self) -> None:
        """What is to be keyed next has just happened."""
        self._doubt = ""  # why it does not count as right
        self._raised = False  # the incident was called up
        self._slip_at: int | None = None
        if (slip := self.next.slip) is not None and not self.is_keyed():
            self.table.give(Touched(slip.key, slip.seat))
            self._slip_at = self._now() if self.wrong() else None

    def _add_to_score(self) -> None:
        missed = f"{self.next.words} {self._doubt}" if self._doubt else ""
        self.score.add(self.next.scored, missed=missed)

    def _go_on(self) -> None:
        """What happened last is on record."""
        self._add_to_score()
        self.ended = None
        if self._at + 1 < len(self.course.happenings):
            self._at += 1
            if self._at > self._until:
                self._until, self._shown_at = self._at, self._now()
            self._come()
        else:
            self._end_hand()

    def _end_hand(self) -> None:
        self.hands += 1
        self.ended = self.score.next_lesson()
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
        if said := self._away_wrongly():
            return said
        if not self._has_begun():
            return self._counted_wrongly()
        if said := self._ruled_wrongly():
            return said
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
        """Who has a dead hand on record, and neither folded nor threw it away."""
        hand = self.table.node.table.hand
        folded = {did.seat for did in recorded if did.action is Action.FOLD}
        if hand is None or hand.ended:
            return ""
        script = self.course.script
        gone = {entry.seat for entry in script.seats} - {*hand.live_seats} | {*hand.mucked}
        dead = gone - folded - {*script.mucks}
        return f"On record: the hand of seat {min(dead)} is dead. Undo" if dead else ""

    def _away(self) -> frozenset[Seat]:
        return frozenset({one.seat for one in self.table.view.seats if one.away})

    def _away_wrongly(self) -> str:
        """Who is away on record, or back, and is not: a key for it may still come, or have come early."""
        near = self.course.happenings[max(self._at - 1, 0) : self._until + 1]
        away = self._away()
        if away in [one.away for one in near]:
            return ""
        changed = min(away ^ near[-1].away)
        return f"On record: seat {changed} is {'away' if changed in away else 'back'}. Undo"

    def _counted_wrongly(self) -> str:
        there = {one.seat: one.stack for one in self.table.node.table.stacks_all()}
        for one in self.course.script.seats:
            if there.get(one.seat) != one.stack:
                has = chips(there.get(one.seat, 0))
                return f"On record: seat {one.seat} has {has}. It has {chips(one.stack)}: Undo"
        return ""

    def _ruled_wrongly(self) -> str:
        """A ruling that changes something, where nothing was to be changed."""
        made = [logged.event for logged in self.table.node.table.hand_log if isinstance(logged.event, Ruled)]
        wrong = next((one for one in made if one.incident in TO_BE_NAMED), None)
        return f"On record: {wrong.text}. Nothing changes: Undo, then 0 Nothing" if wrong else ""

    def _is_counted(self) -> bool:
        since, stacks = self.table.events[self._events_before :], self.course.script.seats
        has = next(one.stack for one in stacks if one.seat == self.next.seat)
        counted = [event for event in since if isinstance(event, Counted) and event.seat == self.next.seat]
        return any(event.stack == has for event in counted)

    def is_keyed(self) -> bool:
        happens, hand = self.next, self.table.node.table.hand
        if happens.key is Key.COUNT:
            return self._is_counted()
        if happens.key is Key.AWAY and self._away() != happens.away:
            return False
        if not self._has_begun() or hand is None:
            return False
        if happens.incident in TO_BE_NAMED:
            return self._raised and self.table.open_ruling is None
        enough = len(self._recorded()) >= happens.acts and len(hand.board) >= happens.board
        return enough and hand.ended >= happens.over

    # -------------------------------------------------------------------------------- what comes in

    def press(self, touch: Touch) -> None:
        """A key of the dealer's screen."""
        with self._lock:
            self._pass_time()
            slipped, was_wrong = self._is_fresh_slip(), self.wrong()
            came = self.table.give(Touched(touch.key, touch.seat, touch.amount, touch.question, touch.reason))
            refused = next((event for event in came if isinstance(event, Refused)), None)
            wrong = self.wrong()
            if refused is not None and not wrong and self.next.incident != "bet_size":
                self._doubt = self._doubt or refused.reason
            if slipped and wrong and touch.key is not Key.UNDO:
                self._doubt = self._doubt or was_wrong
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
        if wrong := self.wrong():
            if not self._is_fresh_slip():
                self._doubt = self._doubt or wrong
            self._wrong_since = now if self._wrong_since is None else self._wrong_since
            if now - self._wrong_since >= GIVEN_UP_MS:
                self._doubt = self._doubt or wrong
                self._add_to_score()
                self._end_hand()
            return
        if self.next.key is Key.COUNT and self._has_begun() and not self.is_keyed():
            self._doubt = "It was not counted"
            self._go_on()
        self._wrong_since = None
        while self._at < self._until and self.is_keyed():
            self._go_on()
        if self._at == self._until and self.is_keyed() and now - self._shown_at >= NEXT_MS:
            self._go_on()

    def _is_fresh_slip(self) -> bool:
        """A slip stands that the dealer may still see without help; in the first lesson without a limit."""
        if self._slip_at is None:
            return False
        return self.score.lesson is Lesson.KEYS or self._now() - self._slip_at < NOTICE_MS

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
            due = self._until + 1 - self._at
            happened = self.course.happenings[max(0, self._until + 1 - max(LINES, due)) : self._until + 1]
            right, of = self.score.all.total
            lesson = self.score.lesson
            slipped = "Your hand has touched a key. " if self._slip_at is not None else ""
            unsaid = lesson is not Lesson.KEYS and self._is_fresh_slip()
            wrong = "" if unsaid else self.wrong()
            return Shown(
                lesson=LESSON_WORDS[lesson],
                progress=self.score.progress(),
                happened=tuple([one.words for one in happened]),
                due=due,
                keys=self.next.keys if lesson is Lesson.KEYS else "",
                wrong=f"{slipped}{wrong}" if wrong else "",
                score=_by_key(self.score.all),
                missed=tuple(self.score.now.missed[-MISSED:]),
                ended=_ended(self.ended) if self.ended is not None else None,
                right=right,
                of=of,
                hands=self.hands,
                ready=lesson is Lesson.READY,
            )

    def screens(self) -> tuple[bytes, bytes]:
        """The dealer screen, and its open ruling."""
        with self._lock:
            return self.table.screen, self.table.ruling_screen


def _by_key(score: LessonScore) -> tuple[KeyScore, ...]:
    return tuple([KeyScore(KEY_WORDS[key], *tally) for key, tally in score.by_key.items()])


def _ended(score: LessonScore) -> Ended:
    right, of = score.total
    words = f"Lesson {score.lesson} is over: {right} of {of} right. Go on with the next"
    return Ended(words, _by_key(score), tuple(score.missed))
