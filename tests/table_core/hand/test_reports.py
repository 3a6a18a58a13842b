"""Reports are recorded with the rule they break, hands are resumed or closed from outside."""

import pytest

from table_core.hand.hand import Hand
from table_core.messages import (
    Act,
    Acted,
    Action,
    AnyEvent,
    At,
    BoardDealt,
    Chips,
    Counted,
    Envelope,
    HandEnded,
    HandResumed,
    Level,
    PotAwarded,
    Refusal,
    Report,
    Reported,
    ResultEntered,
    ResultOnly,
    ResumedPot,
    ResumedSeat,
    ResumeHand,
    Seat,
    Share,
    Source,
    Street,
    decode_envelope,
    encode,
)
from tests.table_core.table import BASE, done, level, new_hand, play, refused

THREE = {1: 5_000, 2: 5_000, 3: 5_000}
FLOP = "board 2c7d9h"


def report(
    hand: Hand, seat: int, action: Action, to: int | None = None, *, all_in: bool = False
) -> list[AnyEvent]:
    act = Act(Seat(seat), action, None if to is None else Chips(to))
    return list(done(hand.push(Report(act, all_in))))


# --------------------------------------------------------------------------------------------- reports


def test_a_report_of_what_the_rules_allow_is_an_ordinary_action() -> None:
    hand = new_hand(THREE, level(50, 100))
    (acted,) = report(hand, 3, Action.RAISE, 300)
    assert isinstance(acted, Acted)
    assert acted.flag == ""


@pytest.mark.parametrize(
    ("seat", "action", "to", "rule"),
    [
        (1, Action.CALL, None, "rpl.housebetting.8"),  # out of turn
        (3, Action.CHECK, None, "wfp.betting.3"),  # facing the big blind
        (3, Action.RAISE, 150, "tda.43"),  # less than a raise
    ],
)
def test_what_the_table_accepted_is_recorded_with_the_rule_that_it_breaks(
    seat: int, action: Action, to: int | None, rule: str
) -> None:
    hand = new_hand(THREE, level(50, 100))
    before = hand.snapshot()
    assert isinstance(hand.push(Act(Seat(seat), action, None if to is None else Chips(to))), Refusal)
    (acted,) = report(hand, seat, action, to)
    assert isinstance(acted, Acted)
    assert acted.flag == rule
    assert hand.to_act is not None
    hand.pop()
    assert hand.snapshot() == before


def test_after_an_action_out_of_turn_the_turn_stays_where_it_was() -> None:
    hand = new_hand(THREE, level(50, 100))
    report(hand, 1, Action.RAISE, 400)
    assert hand.to_act == 3
    play(hand, "3 call", "2 call")
    assert hand.awaiting_board


def test_an_all_in_is_counted_differently() -> None:
    """14,800 where arithmetic says 15,000; and 15,200: 200 chips that the books did not have."""
    for counted, was in ((14_800, 200), (15_200, -200)):
        hand = new_hand({1: 20_000, 2: 20_000, 3: 15_000}, level(50, 100))
        before = hand.snapshot()
        acted, count = report(hand, 3, Action.RAISE, counted, all_in=True)
        assert isinstance(acted, Acted)
        assert (acted.to, acted.all_in, acted.flag) == (counted, True, "wfp.betting.4b")
        assert isinstance(count, Counted)
        assert (count.stack, count.was) == (0, was)
        envelope = Envelope(1, "v", "t", 1, 1, At("b", 0), "", count)
        assert decode_envelope(encode(envelope)) == envelope
        assert hand.stacks[3] == 0
        assert hand.all_in == (3,)
        now = hand.legal()
        assert now is not None
        assert now.call == counted - 50
        hand.pop()
        assert hand.snapshot() == before


def test_a_street_before_its_time_closes_the_betting_as_it_stands() -> None:
    hand = new_hand(THREE, level(50, 100))
    play(hand, "3 call")
    (dealt,) = play(hand, f"report {FLOP}")
    assert isinstance(dealt, BoardDealt)
    assert dealt.flag == "wfp.irregularities.15"
    assert [(pot.amount, pot.eligible) for pot in hand.pots] == [(250, (1, 2, 3))]
    assert hand.to_act == 1


def test_a_pot_pushed_to_a_seat_that_had_folded() -> None:
    hand = new_hand(THREE, level(50, 100))
    play(hand, "3 fold", "1 call", "2 check", FLOP)
    award, ended = play(hand, "report award 3")
    assert isinstance(award, PotAwarded)
    assert (award.flag, award.shares) == ("wfp.showdown.4", (Share(Seat(3), Chips(200)),))
    assert isinstance(ended, HandEnded)
    assert hand.stacks == {1: 4_900, 2: 4_900, 3: 5_200}


def test_what_no_hand_can_take_in_is_written_down() -> None:
    hand = new_hand(THREE, level(50, 100))
    before = hand.snapshot()
    (written,) = play(hand, "report 9 call")
    assert written == Reported("act", "rpl.housebetting.8")
    assert hand.snapshot() == before


def test_reports_travel_and_old_events_still_decode() -> None:
    acted = Acted(Seat(1), Action.CALL, Chips(5), Chips(5), False, Act(Seat(1), Action.CALL).source, "tda.43")
    envelope = Envelope(1, "v", "t", 1, 1, At("b", 0), "", acted)
    raw = encode(envelope)
    assert decode_envelope(raw) == envelope
    old = decode_envelope(raw.replace(b',"flag":"tda.43"', b""))
    assert isinstance(old.data, Acted)
    assert old.data.flag == ""


# ----------------------------------------------------------------------------------- counts and results


def test_a_count_re_bases_a_stack_in_the_middle_of_a_hand() -> None:
    hand = new_hand(THREE, level(50, 100))
    hand.apply(Counted(Seat(3), Chips(700), Chips(5_000), Source.DIRECTOR))
    assert hand.stacks[Seat(3)] == 700
    now = hand.legal()
    assert now is not None
    assert now.max_to == 700


def test_a_hand_that_nobody_keyed_is_closed_by_its_winner() -> None:
    hand = new_hand(THREE, level(50, 100))
    play(hand, "3 raise 300")
    entered, ended = done(hand.push(ResultOnly((Seat(1),))))
    assert isinstance(entered, ResultEntered)
    assert (entered.gap, entered.change) == (True, 0)
    assert isinstance(ended, HandEnded)
    assert hand.stacks == {1: 5_400, 2: 4_900, 3: 4_700}


def test_counts_stand_and_the_winner_takes_what_nobody_counted() -> None:
    hand = new_hand(THREE, level(50, 100))
    before = hand.snapshot()
    done(hand.push(ResultOnly((Seat(2),), (Share(Seat(1), Chips(4_000)), Share(Seat(3), Chips(3_500))))))
    assert hand.stacks == {1: 4_000, 2: 7_500, 3: 3_500}
    hand.pop()
    entered, _ = done(hand.push(ResultOnly((), (Share(Seat(1), Chips(4_000)), Share(Seat(2), Chips(100))))))
    assert isinstance(entered, ResultEntered)
    assert entered.change == 4_000 + 100 + 5_000 - 15_000
    hand.pop()
    assert hand.snapshot() == before
    for wrong in (
        ResultOnly(),
        ResultOnly((Seat(9),)),
        ResultOnly((Seat(1),), (Share(Seat(2), Chips(-1)),)),
        ResultOnly((Seat(1),), (Share(Seat(2), Chips(15_001)),)),
    ):
        assert isinstance(hand.push(wrong), Refusal)


# ----------------------------------------------------------------------------------------------- resume


def resumed(**other: object) -> ResumeHand:
    """The flop, 300 in the middle of which seat 4 can win 90; seat 2 bet 200 and seat 5 is to act."""
    facts: dict[str, object] = {
        "hand": 12,
        "button": Seat(1),
        "small_blind": Seat(2),
        "big_blind": Seat(4),
        "level": Level(2, Chips(50), Chips(100)),
        "street": Street.FLOP,
        "board": ("2c", "7d", "??"),
        "seats": (
            ResumedSeat(Seat(1), Chips(900), live=False),
            ResumedSeat(Seat(2), Chips(800), Chips(200)),
            ResumedSeat(Seat(4), Chips(0)),
            ResumedSeat(Seat(5), Chips(700)),
        ),
        "pots": (
            ResumedPot(Chips(90), (Seat(2), Seat(4), Seat(5))),
            ResumedPot(Chips(210), (Seat(2), Seat(5))),
        ),
        "to_act": Seat(5),
        "last_raise": Chips(200),
    }
    return ResumeHand(**{**facts, **other})  # type: ignore[arg-type]


@pytest.mark.parametrize("in_progress", [False, True])
def test_a_hand_is_resumed_from_where_the_table_stands(in_progress: bool) -> None:
    hand = new_hand(THREE, level(50, 100)) if in_progress else Hand(BASE)
    before = hand.snapshot()
    (gap,) = done(hand.push(resumed()))
    assert isinstance(gap, HandResumed)
    assert gap.gap
    now = hand.legal()
    assert now is not None
    assert (now.seat, now.call, now.min_to, now.max_to) == (5, 200, 400, 700)
    play(hand, "5 call", "board Ts", "2 check", "5 bet 500", "2 call", "board 3d")
    assert [(pot.amount, pot.eligible) for pot in hand.pots] == [(90, (2, 4, 5)), (1_610, (2, 5))]
    play(hand, "4 table AhAd", "2 table 7c7h", "report 5 muck")
    assert isinstance(hand.push(Act(Seat(2), Action.CHECK)), Refusal)
    for _ in range(10):
        hand.pop()
    assert hand.snapshot() == before


def test_a_resumed_hand_before_the_flop_gives_the_big_blind_its_option() -> None:
    hand = Hand(BASE)
    seats = tuple(ResumedSeat(Seat(seat), Chips(900), Chips(bet)) for seat, bet in ((1, 100), (2, 50), (3, 100)))
    done(
        hand.push(
            resumed(street=Street.PREFLOP, board=(), seats=seats, pots=(), big_blind=Seat(3), to_act=Seat(2))
        )
    )
    play(hand, "2 call")
    now = hand.legal()
    assert now is not None
    assert (now.seat, now.can_check, now.min_to) == (3, True, 300)


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"board": ("2c",)}, "The board has 3 cards on the flop, not 1."),
        ({"board": ("2c", "2c", "7d")}, "A board card is named wrongly or twice."),
        ({"street": Street.DONE}, "A finished hand is not resumed: set the seats instead."),
        ({"to_act": Seat(4)}, "Seat 4 has no hand or no chips to act with."),
        ({"big_blind": Seat(8)}, "Blinds are seats of the hand."),
        ({"pots": (ResumedPot(Chips(9), (Seat(1),)),)}, "Every pot has chips and a live hand that can win it."),
        ({"last_raise": Chips(0)}, "The last raise was of one chip or more."),
    ],
)
def test_what_cannot_be_resumed_is_refused(wrong: dict[str, object], reason: str) -> None:
    answer = Hand(BASE).push(resumed(**wrong))
    assert isinstance(answer, Refusal)
    assert answer.reason == reason


def test_a_refusal_tells_rule_reason_and_what_is_legal() -> None:
    answer = refused(new_hand(THREE, level(50, 100)), "3 raise 150")
    assert (answer.reason, answer.rule) == ("Raise to at least 200.", "tda.43")
    assert answer.legal is not None
    assert answer.legal.min_to == 200
