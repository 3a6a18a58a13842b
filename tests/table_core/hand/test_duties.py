"""What a ruling has a seat owe at its next turn holds for whoever says that it acted."""

from __future__ import annotations

import pytest

from table_core.hand.hand import Hand
from table_core.messages import (
    Act,
    Acted,
    Action,
    Chips,
    DealBoard,
    DutiesSet,
    Duty,
    KillHand,
    Owes,
    Refusal,
    Report,
    Ruled,
    Seat,
    SetAway,
    SetDuties,
    Source,
)
from table_core.projections.table_state import TableState
from table_core.rulebook import load_rulebook
from table_core.rulings import second_version
from tests.table_core.table import done, level, new_hand, play, refused

STACKS = {1: 10_000, 2: 10_000, 3: 10_000, 4: 10_000}  # the button is at 4; 1 opens each street
RULE = "wfp.betting.7a"
NO_RAISE, MUST_CALL = Duty(Owes.NO_RAISE, RULE), Duty(Owes.MUST_CALL, RULE)
CALLS = Duty(Owes.CALL, RULE, until_wager=True)
BETS = Duty(Owes.BET, RULE, Chips(300), until_wager=True)


def on_the_flop(stacks: dict[int, int] = STACKS) -> Hand:
    hand = new_hand(stacks, level(50, 100))
    play(hand, "3 call", "4 call", "1 call", "2 check", "board AhKdQc")
    return hand


def owes(hand: Hand, seat: int, *duties: Duty) -> None:
    done(hand.push(SetDuties(Seat(seat), duties)))


def acts(hand: Hand, line: str) -> list[tuple[int, Action, int, Source]]:
    return [(one.seat, one.action, one.to, one.source) for one in play(hand, line) if isinstance(one, Acted)]


@pytest.mark.parametrize("source", Source)
def test_no_source_bets_raises_or_folds_against_a_duty(source: Source) -> None:
    hand = on_the_flop()
    owes(hand, 2, MUST_CALL)
    play(hand, "1 bet 200")
    for action in (Action.RAISE, Action.FOLD):
        answer = hand.push(Act(Seat(2), action, None, source))
        assert isinstance(answer, Refusal)
        assert answer.rule == RULE
    assert acts(hand, "2 call")[0][:3] == (2, Action.CALL, 200)


def test_the_legal_actions_are_those_that_a_duty_leaves() -> None:
    hand = on_the_flop()
    owes(hand, 2, NO_RAISE)
    play(hand, "1 bet 200")
    legal = hand.legal()
    assert legal is not None
    assert (legal.call, legal.min_to, legal.max_to) == (200, None, None)
    play(hand, "2 fold")


def test_who_must_call_may_check_or_fold_where_nobody_has_bet() -> None:
    hand = on_the_flop()
    owes(hand, 2, MUST_CALL)
    play(hand, "1 check")
    assert refused(hand, "2 bet 200").rule == RULE
    play(hand, "2 fold")


def test_a_call_of_all_the_chips_is_no_raise() -> None:
    hand = on_the_flop({**STACKS, 2: 250})
    owes(hand, 2, NO_RAISE)
    play(hand, "1 bet 200")
    assert acts(hand, "2 all-in") == [(2, Action.CALL, 150, Source.KEY)]


def test_a_duty_is_over_with_the_turn_and_with_the_street() -> None:
    hand = on_the_flop()
    owes(hand, 2, NO_RAISE)
    owes(hand, 4, NO_RAISE)
    play(hand, "1 bet 200", "2 call", "3 raise 600")
    assert list(hand.duties) == [4]
    play(hand, "4 fold", "1 fold", "2 raise 1200", "3 call")
    owes(hand, 3, NO_RAISE)  # between two streets it is for the next one
    play(hand, "board 2c", "2 check")
    refused(hand, "3 bet 300")
    done(hand.push(Report(DealBoard(("3c",)))))
    assert not hand.duties


def test_what_a_seat_is_bound_to_is_done_as_its_turn_comes() -> None:
    hand = on_the_flop()
    owes(hand, 3, BETS)
    assert acts(hand, "1 check") == [(1, Action.CHECK, 0, Source.KEY)]
    assert acts(hand, "2 check") == [(2, Action.CHECK, 0, Source.KEY), (3, Action.BET, 300, Source.ENGINE)]
    assert hand.to_act == 4
    hand.pop()
    assert hand.to_act == 2


def test_it_is_done_at_once_where_the_turn_has_come() -> None:
    hand = on_the_flop()
    play(hand, "1 bet 200")
    set_, called = done(hand.push(SetDuties(Seat(2), (CALLS,))))
    assert isinstance(set_, DutiesSet)
    assert isinstance(called, Acted)
    assert (called.seat, called.action, called.to, hand.to_act) == (2, Action.CALL, 200, 3)


def test_one_bound_seat_behind_another_and_the_end_of_the_street() -> None:
    hand = on_the_flop()
    for seat in (2, 3, 4):
        owes(hand, seat, CALLS)
    assert [seat for seat, *_ in acts(hand, "1 check")] == [1, 2, 3, 4]
    assert hand.awaiting_board


@pytest.mark.parametrize("line", ["1 bet 200", "1 all-in"])
def test_chips_that_go_in_before_the_turn_lift_what_binds_and_leave_the_limit(line: str) -> None:
    hand = on_the_flop()
    owes(hand, 2, CALLS, NO_RAISE)
    play(hand, line)
    assert hand.to_act == 2
    assert hand.duties == {2: (NO_RAISE,)}


def test_what_holds_behind_a_check_alone_does_not_hold_behind_a_fold() -> None:
    for line, done_ in (("1 check", [2]), ("1 fold", [])):
        hand = on_the_flop()
        owes(hand, 2, Duty(Owes.CALL, RULE, behind_check=True))
        assert [one[0] for one in acts(hand, line)[1:]] == done_


def test_a_later_ruling_is_in_the_place_of_an_earlier_one() -> None:
    hand = on_the_flop()
    owes(hand, 2, MUST_CALL)
    owes(hand, 2)
    play(hand, "1 bet 200", "2 fold")
    assert 2 in hand.folded


@pytest.mark.parametrize(("to", "made"), [(40, 100), (300, 300), (50_000, 9_900)])
def test_a_bound_bet_is_at_least_the_least_and_at_most_all_in(to: int, made: int) -> None:
    hand = on_the_flop()
    owes(hand, 2, Duty(Owes.BET, RULE, Chips(to)))
    assert acts(hand, "1 check")[1] == (2, Action.BET, made, Source.ENGINE)


def test_a_bound_raise_to_which_the_betting_is_closed_is_a_call() -> None:
    hand = on_the_flop({**STACKS, 3: 360})
    play(hand, "1 bet 200", "2 call", "3 all-in")
    owes(hand, 1, Duty(Owes.BET, RULE, Chips(900)))
    assert acts(hand, "4 fold")[1] == (1, Action.CALL, 260, Source.ENGINE)


def test_a_bound_seat_whose_player_is_away_acts_when_the_player_is_back() -> None:
    hand = on_the_flop()
    owes(hand, 2, BETS)
    done(hand.push(SetAway(Seat(2))))
    assert len(acts(hand, "1 check")) == 1
    _, bet = done(hand.push(SetAway(Seat(2), away=False)))
    assert isinstance(bet, Acted)
    assert bet.to == 300


def test_a_dead_hand_before_a_bound_seat_brings_its_turn() -> None:
    hand = on_the_flop()
    owes(hand, 2, BETS)
    events = done(hand.push(KillHand(Seat(1), "thrown forward")))
    assert [one.to for one in events if isinstance(one, Acted)] == [300]


def test_a_dead_hand_owes_nothing() -> None:
    hand = on_the_flop()
    play(hand, "1 fold")
    assert isinstance(hand.push(SetDuties(Seat(1), (CALLS,))), Refusal)


def test_a_replayed_hand_is_the_live_one_with_what_followed() -> None:
    hand, again = on_the_flop(), on_the_flop()
    events = [*done(hand.push(SetDuties(Seat(3), (BETS,)))), *play(hand, "1 check", "2 check")]
    for event in events:
        again.apply(event)
    assert again.snapshot() == hand.snapshot()
    again.pop()
    hand.pop()
    assert again.snapshot() == hand.snapshot()
    assert hand.to_act == 2


@pytest.mark.parametrize(
    ("book", "option", "amount", "owed"),
    [
        ("wfp", "no_raise", None, [Owes.NO_RAISE]),
        ("wfp", "binds_check", None, [Owes.CALL, Owes.NO_RAISE]),
        ("wfp", "binds_call", None, [Owes.CALL, Owes.NO_RAISE]),
        ("wfp", "binds_bet", 300, [Owes.BET]),
        ("wfp", "binds_bet", None, []),  # the dealer keys how much
        ("home", "must_call", None, [Owes.MUST_CALL, Owes.MUST_CALL]),
        ("home", "binds_bet", 300, [Owes.CALL, Owes.BET]),
        ("home", "check_if_checked", None, [Owes.NO_RAISE]),
        ("rpl", "warning", None, []),
    ],
)
def test_a_ruling_of_the_second_version_of_the_messages_holds_as_it_did(
    book: str, option: str, amount: int | None, owed: list[Owes]
) -> None:
    table = TableState("hall", "01", load_rulebook(book), hand=on_the_flop())
    ruled = Ruled("out_of_turn", option, "", RULE, Seat(2), None if amount is None else Chips(amount))
    (*effects,) = second_version.effects(ruled, table)
    assert [duty.owes for effect in effects if isinstance(effect, DutiesSet) for duty in effect.duties] == owed
