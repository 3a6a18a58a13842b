"""A dealer practises: what is keyed rightly is right, what is not is named, and nobody gets stuck."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from display.actions import Touch
from feltwire.lab.practise.practice import GIVEN_UP_MS, Practice, Shown
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
NUMBERS = {"conduct": 84, "dropped": 57, "show_request": 61}


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
        if happens.incident:
            if self.practice.table.open_ruling is None:
                self.press(Key.FLOOR, seat=happens.seat, amount=NUMBERS[happens.incident])
            self.wait(1_500)
            self.press(Key.STREET, amount=0)
            return
        number: int | None = None
        for part in happens.keys.replace("; then", ",").split(", "):
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
    assert {"New hand", "Fold", "Check / Call", "Street", "Award, Split"} <= {one.key for one in page.score}


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
    return pupil.practice.next.key is Key.AWARD and len(script.tables) > 2 and hand is not None and not hand.all_in


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
    assert len(pupil.practice.course.acts) > 2
