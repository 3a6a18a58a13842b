"""What holds for every hand, however it is played: chips are conserved, replay is live, undo is exact, and no
command raises or changes anything when it is refused."""

import contextlib
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from table_core.hand.hand import Hand
from table_core.messages import Act, Action, Chips, Refusal, ResumeHand, Source, StartHand
from table_core.rulebook import load_rulebook, rulebook_ids
from tests.table_core.hand.any_hand import any_proposal, any_start, play_any, take_back_all
from tests.table_core.table import BASE

books = st.sampled_from(rulebook_ids())
chances = st.randoms(use_true_random=False)
bounded = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@given(books, chances)
@bounded
def test_any_play_conserves_chips_and_can_be_taken_back_and_replayed(book: str, chance: random.Random) -> None:
    played = play_any(book, chance)
    take_back_all(played.hand, played.snapshots)
    replayed = Hand(played.rulebook)
    for event in played.events:
        replayed.apply(event)
    take_back_all(replayed, played.snapshots)


@given(chances)
@bounded
def test_no_command_before_the_first_hand_raises_or_changes_anything(chance: random.Random) -> None:
    hand = Hand(BASE)
    empty = hand.snapshot()
    for _ in range(15):
        command = any_proposal(chance)
        if not isinstance(command, StartHand | ResumeHand):
            assert isinstance(hand.push(command), Refusal)
            assert hand.snapshot() == empty


@given(books, chances)
@bounded
def test_a_trial_leaves_the_hand_as_it_was_however_it_ends(book: str, chance: random.Random) -> None:
    hand = Hand(load_rulebook(book))
    for command in (any_start(chance), any_proposal(chance), any_proposal(chance)):
        hand.push(command)
    before, steps = hand.snapshot(), len(hand.journal.steps)
    with hand.trial():
        hand.push(any_proposal(chance))
        within = hand.snapshot()
        with contextlib.suppress(ZeroDivisionError), hand.trial():
            _push_some_and_fail(hand, chance)
        assert hand.snapshot() == within
    assert hand.snapshot() == before
    for _ in range(steps):
        hand.pop()
    assert not hand.started


def _push_some_and_fail(hand: Hand, chance: random.Random) -> None:
    for _ in range(10):
        hand.push(any_proposal(chance))
        if hand.journal.steps and chance.random() < 0.3:
            hand.pop()
    raise ZeroDivisionError


def test_a_step_from_before_a_trial_cannot_be_taken_back_in_it() -> None:
    hand = Hand(BASE)
    hand.push(any_start(random.Random(1)))
    before = hand.snapshot()
    with hand.trial(), pytest.raises(IndexError):
        hand.pop()
    assert hand.snapshot() == before


@given(books, chances)
@bounded
def test_whatever_is_called_legal_is_accepted_and_what_is_not_is_refused(book: str, chance: random.Random) -> None:
    hand = Hand(load_rulebook(book))
    hand.push(any_start(chance))
    for _ in range(12):
        now = hand.legal()
        if now is None:
            break
        assert isinstance(hand.decide(Act(now.seat, Action.CHECK)), tuple) is now.can_check
        assert isinstance(hand.decide(Act(now.seat, Action.CALL)), tuple)
        if now.min_to is not None and now.max_to is not None:
            assert isinstance(hand.decide(Act(now.seat, Action.RAISE, now.min_to)), tuple)
            assert isinstance(hand.decide(Act(now.seat, Action.RAISE, now.max_to)), tuple)
            if now.min_to < now.max_to:
                below = Act(now.seat, Action.RAISE, Chips(now.min_to - 1))
                assert isinstance(hand.decide(below), Refusal)
        action = chance.choice([Action.CALL, Action.RAISE])
        to = now.min_to if action is Action.RAISE else None
        hand.push(Act(now.seat, action if to else Action.CALL, to, Source.KEY))
