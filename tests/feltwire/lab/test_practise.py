"""A dealer practises: what is keyed rightly is right, what is not is named, and nobody gets stuck."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from display.actions import Touch
from feltwire.lab.practise.planting import TO_BE_NAMED
from feltwire.lab.practise.practice import GIVEN_UP_MS, NOTICE_MS, Practice, Shown
from feltwire.lab.practise.score import LESSON_WORDS, Lesson
from table_core.messages import Chips, Key, Seat

KEYS = {
    "New hand": Key.NEW_HAND,
    "Fold": Key.FOLD,
    "Check / Call": Key.CHECK_CALL,
    "Bet / Raise": Key.BET_RAISE,
    "All-in": Key.ALL_IN,
    "Street": Key.STREET,
    "Award": Key.AWARD,
    "Split": Key.SPLIT,
    "Pot pushed": Key.POT_PUSHED,
}
WITHOUT_A_SEAT = (Key.FOLD, Key.CHECK_CALL, Key.STREET, Key.NEW_HAND, Key.POT_PUSHED, Key.OLD_LEVEL)
OF_A_SEAT = (Key.MUCK, Key.AWAY, Key.TABLED, Key.OUT_OF_HAND, Key.AWARD, Key.SPLIT, Key.TIME, Key.FOLD)


class Pupil:
    """A dealer at a practice; `wait` lets time pass."""

    def __init__(self, *, players: int = 6, seed: int = 1, book: str = "base") -> None:
        self.now = 0
        self.practice = Practice(book, players=players, seed=seed, now=lambda: self.now)

    @property
    def page(self) -> Shown:
        return self.practice.shown()

    def wait(self, ms: int) -> None:
        self.now += ms
        self.practice.tick()

    def press(self, key: Key, *, seat: int | None = None, amount: int | None = None) -> None:
        question = self.practice.table.view.question
        asked = question.question if question is not None else None
        told = Chips(amount) if amount is not None else None
        self.practice.press(Touch(key, Seat(seat) if seat is not None else None, told, asked))

    def key_rightly(self) -> None:
        """As the first lesson names it."""
        happens = self.practice.next
        match happens.key:
            case Key.COUNT:
                self.press(Key.COUNT, seat=happens.seat, amount=int(happens.keys.split(", ")[1]))
            case Key.AWAY:
                self.press(Key.AWAY, seat=happens.seat)
            case Key.FLOOR:
                self.rule()
            case _:
                self.press_named(happens.keys)

    def rule(self) -> None:
        happens = self.practice.next
        number, option = TO_BE_NAMED.get(happens.incident), 0
        if number is None:
            number, option = 74, 1
            self.press(Key.BET_RAISE, amount=int(happens.keys.split(", ")[0]))
        if self.practice.table.open_ruling is None:
            self.press(Key.FLOOR, seat=happens.seat, amount=number)
        self.wait(1_500)
        self.press(Key.STREET, amount=option)

    def press_named(self, keys: str) -> None:
        number: int | None = None
        for part in keys.replace("; then", ",").replace("More, ", "").split(", "):
            if part.isdigit():
                number = int(part)
                continue
            key = KEYS[part]
            named = key in (Key.AWARD, Key.SPLIT)
            self.press(key, seat=number if named else None, amount=None if named else number)
            number = None
            self.wait(1_600)

    def until(self, holds: Callable[[], bool], *, slips: float = 0.0, minutes: int = 60) -> None:
        """Key rightly, with now and then a key that is not, until it `holds`."""
        chance, ends = random.Random(1), self.now + minutes * 60_000
        while not holds():
            assert self.now < ends, self.page
            self.wait(700)
            if self.practice.wrong():
                self.press(Key.UNDO)
            elif chance.random() < slips:
                self.press(chance.choice(WITHOUT_A_SEAT))
                self.press(chance.choice(OF_A_SEAT), seat=chance.randint(1, 4))
            elif not self.practice.is_keyed():
                self.key_rightly()


@pytest.mark.parametrize(("players", "book"), [(2, "base"), (6, "wfp"), (9, "home")])
def test_whoever_keys_what_happens_is_ready_within_half_an_hour_and_has_everything_right(
    players: int, book: str
) -> None:
    pupil = Pupil(players=players, book=book)
    pupil.until(lambda: pupil.page.ready, minutes=30)
    page = pupil.page
    assert page.right == page.of
    assert page.lesson == LESSON_WORDS[Lesson.READY]
    assert {"New hand", "Fold", "All-in", "Street", "Split", "Ruling", "Count", "Slip put right"} <= {
        one.key for one in page.score
    }


def test_a_wrong_key_is_named_with_what_happened_and_counts_once() -> None:
    pupil = Pupil()
    pupil.until(lambda: pupil.practice.next.key is Key.FOLD)
    right, of = pupil.page.right, pupil.page.of
    seat = pupil.practice.course.acts[pupil.practice.next.acts - 1].seat
    pupil.press(Key.CHECK_CALL)
    assert f"On record: seat {seat} calls" in pupil.page.wrong
    assert f"What happened: seat {seat} folds" in pupil.page.wrong
    pupil.wait(5_000)
    assert (pupil.page.right, pupil.page.of) == (right, of), "it waits for the dealer"
    pupil.press(Key.UNDO)
    assert pupil.page.wrong == ""
    pupil.press(Key.FOLD)
    pupil.wait(1_000)
    assert (pupil.page.right, pupil.page.of) == (right, of + 1)


def test_the_first_lesson_alone_names_the_key() -> None:
    pupil = Pupil()
    assert pupil.page.keys == "New hand"
    pupil.until(lambda: pupil.page.lesson == LESSON_WORDS[Lesson.ALONE])
    assert pupil.page.keys == ""
    assert pupil.page.happened


def test_another_hand_that_was_begun_and_a_wrong_pot_are_named() -> None:
    pupil = Pupil()
    pupil.until(lambda: pupil.practice.next.key is Key.AWARD)
    winners = {int(part) for part in pupil.practice.next.keys.split(", ") if part.isdigit()}
    hand = pupil.practice.table.node.table.hand
    assert hand is not None
    loser = next(seat for seat in hand.live_seats if seat not in winners)
    pupil.press(Key.AWARD, seat=loser)
    assert "somebody else has the pot" in pupil.page.wrong
    pupil.wait(12_000)
    pupil.press(Key.NEW_HAND)
    assert "another hand has begun" in pupil.page.wrong
    pupil.press(Key.UNDO)
    assert "somebody else has the pot" in pupil.page.wrong
    pupil.press(Key.UNDO)
    assert pupil.page.wrong == ""


def showdown_of_several(pupil: Pupil) -> bool:
    """Three or more show, and nobody has to."""
    hand, script = pupil.practice.table.node.table.hand, pupil.practice.course.script
    there = pupil.practice.next.key is Key.AWARD and pupil.practice.next.slip is None
    return there and len(script.tables) > 2 and hand is not None and not hand.all_in


def test_a_player_who_is_away_and_a_hand_that_is_thrown_away_on_record_alone_are_named() -> None:
    pupil = Pupil()
    pupil.until(lambda: pupil.practice.next.key is Key.FOLD)
    pupil.press(Key.AWAY, seat=3)
    assert "seat 3 is away" in pupil.page.wrong
    pupil.press(Key.UNDO)
    assert pupil.page.wrong == ""
    pupil.until(lambda: showdown_of_several(pupil))
    pupil.press(Key.MUCK, seat=pupil.practice.course.script.tables[0])
    assert "is dead" in pupil.page.wrong
    pupil.press(Key.UNDO)
    assert pupil.page.wrong == ""


def test_a_record_that_nobody_mends_is_left_after_a_minute() -> None:
    pupil = Pupil()
    pupil.until(lambda: pupil.practice.next.key is Key.FOLD)
    pupil.press(Key.CHECK_CALL)
    hands = pupil.page.hands
    for _ in range(GIVEN_UP_MS // 1_000 + 2):
        pupil.wait(1_000)
    assert pupil.page.hands == hands + 1
    assert pupil.page.wrong == ""
    assert pupil.page.happened[-1].startswith("You have shuffled")


@pytest.mark.parametrize("seed", range(6))
def test_a_dealer_who_often_slips_is_never_stuck(seed: int) -> None:
    pupil = Pupil(seed=seed, players=3 + seed)
    pupil.until(lambda: pupil.page.hands >= 12, slips=0.12, minutes=120)
    assert pupil.page.right < pupil.page.of


def test_a_slip_is_right_when_it_is_put_right_before_it_is_named() -> None:
    pupil = Pupil()
    pupil.until(lambda: pupil.page.lesson == LESSON_WORDS[Lesson.ALONE])
    pupil.until(lambda: pupil.practice.next.scored is Key.UNDO)
    assert pupil.practice.wrong(), "the practice pressed a wrong key"
    assert pupil.page.wrong == "", "and says nothing of it yet"
    right, of = pupil.page.right, pupil.page.of
    pupil.press(Key.UNDO)
    pupil.key_rightly()
    pupil.wait(1_000)
    assert (pupil.page.right, pupil.page.of) == (right + 1, of + 1)
    pupil.until(lambda: pupil.practice.next.scored is Key.UNDO)
    right, of = pupil.page.right, pupil.page.of
    pupil.wait(NOTICE_MS)
    assert pupil.page.wrong.startswith("Your hand has touched a key. On record")
    pupil.press(Key.UNDO)
    pupil.key_rightly()
    pupil.wait(1_000)
    assert (pupil.page.right, pupil.page.of) == (right, of + 1)
    assert "On record" in pupil.page.missed[-1]


def test_a_lesson_ends_with_a_score_for_each_key_and_what_was_missed() -> None:
    pupil = Pupil()
    pupil.until(lambda: pupil.practice.next.key is Key.FOLD)
    pupil.press(Key.CHECK_CALL)
    pupil.press(Key.UNDO)
    pupil.until(lambda: pupil.page.ended is not None)
    ended = pupil.page.ended
    assert ended is not None
    assert ended.words.startswith("Lesson 1 is over")
    scores = {one.key: (one.right, one.of) for one in ended.score}
    assert scores["Fold"][0] == scores["Fold"][1] - 1
    assert {"All-in", "Split", "Ruling", "Away / back", "Count", "Slip put right"} <= {*scores}
    assert len(ended.missed) == 1
    assert "On record" in ended.missed[0]
    assert pupil.page.missed == ()
    pupil.until(lambda: pupil.practice.next.key is Key.FOLD)
    assert pupil.page.ended is None


def test_a_count_that_was_left_out_is_missed_and_a_wrong_one_is_named() -> None:
    pupil = Pupil()
    pupil.until(lambda: pupil.practice.next.key is Key.COUNT)
    pupil.press(Key.COUNT, seat=pupil.practice.next.seat, amount=40)
    assert "has 40" in pupil.page.wrong
    pupil.press(Key.UNDO)
    assert pupil.page.wrong == ""
    pupil.key_rightly()
    pupil.wait(1_000)
    pupil.until(lambda: pupil.practice.next.key is Key.COUNT)
    pupil.press(Key.NEW_HAND)
    pupil.wait(1_000)
    assert pupil.page.missed[-1].endswith("It was not counted")


def test_a_ruling_that_changes_something_is_named() -> None:
    pupil = Pupil()
    pupil.until(lambda: pupil.practice.next.incident == "conduct")
    pupil.press(Key.FLOOR, seat=pupil.practice.next.seat, amount=TO_BE_NAMED["conduct"])
    pupil.wait(1_500)
    pupil.press(Key.STREET, amount=1)
    assert "Nothing changes: Undo" in pupil.page.wrong
    pupil.press(Key.UNDO)
    pupil.wait(1_500)
    pupil.press(Key.STREET, amount=0)
    assert pupil.page.wrong == ""


def test_in_the_last_lesson_the_players_do_not_wait() -> None:
    pupil = Pupil()
    pupil.until(lambda: pupil.page.lesson == LESSON_WORDS[Lesson.PACE] and pupil.practice.next.key is Key.NEW_HAND)
    pupil.wait(1_000)
    pupil.press(Key.NEW_HAND)
    pupil.wait(1_000)
    before = pupil.page.happened
    for _ in range(12):
        pupil.wait(1_000)
    assert pupil.page.happened != before, "nothing was keyed, and they played on"
    due = pupil.page.happened[-pupil.page.due :]
    assert len(due) > 1, due
    assert due[0] == pupil.practice.next.words, "what is to be keyed first is still to be read"
    assert len(pupil.practice.course.acts) > 2
