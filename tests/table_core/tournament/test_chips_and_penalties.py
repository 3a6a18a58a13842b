"""Chips that leave play, the account of all chips, penalties, hand for hand, schedules."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from table_core.messages import Chips, Level, Millis, Refusal, Seat, SeatStack
from table_core.notices import PenaltyKind
from table_core.rulebook import load_rulebook
from table_core.tournament.chips.account import chip_account, players_carried
from table_core.tournament.chips.colour_up import ColourUp
from table_core.tournament.clock import ScheduleError, TournamentClock, check_schedule
from table_core.tournament.events import ColouredUp, Instant, PenaltyGiven
from table_core.tournament.hand_for_hand import ChargeHand, SetHandForHand
from table_core.tournament.night import Undo
from table_core.tournament.penalties import EndTimeOut, GivePenalty, time_outs
from table_core.tournament.schedule import projected_end, suggested, with_colour_ups
from table_core.tournament.schedule_text import read_schedule, to_csv
from table_core.tournament.state import Status, TableFacts
from tests.table_core.tournament.test_prizes import Played

MINUTE = 60_000


class Night(Played):
    """A night whose one table reports stacks."""

    def __init__(self, book: str, stacks: list[int], **house: Any) -> None:
        super().__init__(book, len(stacks), **house)
        self.start()
        players = self.state.seats.tables["1"].players
        self.stacks = dict(zip(sorted(players), (Chips(stack) for stack in stacks), strict=True))
        self.facts = {"1": TableFacts("1", 4, False, 1, Seat(1), Seat(2), Seat(3), self.stacks)}
        self.at = 0

    def do(self, command: Any) -> Any:
        facts = getattr(self, "facts", {})
        at = getattr(self, "at", 0)
        now = Instant("boot", at, 1_700_000_000_000 + at)
        done = self.night.do(command, now, facts, id_=f"c{len(self.night.records)}")
        assert not isinstance(done, Refusal), done
        return done

    def colour_up(self, odd: dict[int, int], *cards: str, old: int = 25, new: int = 100, **how: Any) -> ColouredUp:
        counts = tuple(SeatStack(Seat(seat), Chips(count)) for seat, count in odd.items())
        event = self.do(ColourUp("1", Chips(old), Chips(new), counts, cards, **how))[0].event
        assert isinstance(event, ColouredUp)
        return event


def won(night: Night, event: ColouredUp) -> dict[int, int]:
    return {change.seat: change.chips for change in event.changes}


def test_chips_that_have_left_a_table_are_coloured_up_once_more_only_where_somebody_has_some() -> None:
    night = Night("rpl", [1_025, 1_000, 1_075])
    night.colour_up({1: 1, 3: 3})
    now = Instant("boot", 0, 1_700_000_000_000)
    refused = night.night.do(ColourUp("1", Chips(25), Chips(100), ()), now, night.facts, id_="again")
    assert isinstance(refused, Refusal)
    assert refused.reason == "Chips of 25 have left table 1: its smallest are 100. Who has some?"
    night.colour_up({2: 1})  # found under a card protector
    night.colour_up({}, old=100, new=500)


def test_rpl_every_odd_amount_is_rounded_up() -> None:
    """rpl.tournaments.10 (variation.md 91): $125 in $25s becomes $200; a player has at most three odd ones."""
    night = Night("rpl", [1_025, 1_000, 1_075])
    event = night.colour_up({1: 1, 3: 3})
    assert won(night, event) == {1: 75, 3: 25}
    assert night.state.chips.changed == 100


def test_wfp_the_highest_card_takes_the_first_new_chip() -> None:
    """wfp.procedures.6a to 6d: cards go clockwise from the left of the dealer, who does not play; the button, at
    seat 1, is no matter."""
    night = Night("wfp", [1_025, 1_025, 1_050])
    event = night.colour_up({1: 1, 2: 1, 3: 2}, "9h", "2c", "3d", "Kd")  # seats 1, 2, and 3 twice
    assert event.racing == (1, 2, 3, 3)
    assert won(night, event) == {1: -25, 2: -25, 3: 50}


def test_where_the_button_deals_its_left_gets_the_first_card() -> None:
    night = Night("ccp", [1_025, 1_025, 1_050])
    assert night.colour_up({1: 1, 2: 1, 3: 2}, "9h", "2c", "3d", "Kd").racing == (2, 3, 3, 1)


def test_wfp_half_of_a_new_chip_left_over_earns_one_more_and_less_nothing() -> None:
    """wfp.procedures.6d (variation.md 50)"""
    night = Night("wfp", [1_025, 1_025])
    assert won(night, night.colour_up({1: 1, 2: 1}, "9h", "2c")) == {1: 75, 2: -25}
    night = Night("wfp", [1_025, 1_000])
    assert won(night, night.colour_up({1: 1}, "Ah")) == {1: -25}


def test_wfp_nobody_is_raced_out() -> None:
    """wfp.procedures.6c: a player with nothing else gets a chip before anyone else."""
    night = Night("wfp", [25, 1_075])
    assert won(night, night.colour_up({1: 1, 2: 3}, "Ah", "Kh", "Qh", "2c"))[1] == 75


def test_wfp_a_regular_game_changes_two_odd_chips_for_one() -> None:
    """wfp.procedures.6e (variation.md 51)"""
    night = Night("wfp", [1_050, 1_075, 1_025])
    found = won(night, night.colour_up({1: 2, 2: 3, 3: 1}, "2c", nightly=True))
    assert found == {1: 50, 2: 25, 3: -25}


def test_wfp_only_players_with_one_odd_chip_race_in_a_regular_game() -> None:
    """wfp.procedures.6e, wfp.ties.1: no card is dealt to who exchanges, and diamonds beat clubs."""
    night = Night("wfp", [1_075, 1_025, 1_025])
    event = night.colour_up({1: 3, 2: 1, 3: 1}, "8c", "8d", nightly=True)
    assert event.racing == (2, 3)
    assert won(night, event) == {1: 25, 2: -25, 3: 75}


def test_all_pieces_may_be_named_full_lots_are_changed_and_the_rest_is_odd() -> None:
    """rpl.tournaments.10: 5, 3, 8, 2, 1, 4, 0, 6 and 7 pieces of 25; what is odd is rounded up."""
    night = Night("rpl", [1_125, 1_075, 1_200, 1_050, 1_025, 1_100, 1_000, 1_150, 1_175])
    event = night.colour_up(dict(enumerate((5, 3, 8, 2, 1, 4, 0, 6, 7), 1)))
    assert won(night, event) == {1: 75, 2: 25, 4: 50, 5: 75, 8: 50, 9: 25}
    assert night.state.chips.changed == 300


def test_nobody_has_more_chips_of_a_value_than_the_stack_is_worth() -> None:
    night = Night("wfp", [1_100, 1_000])
    odd = (SeatStack(Seat(2), Chips(41)),)
    refused = night.night.do(ColourUp("1", Chips(25), Chips(100), odd), Instant("b", 0, 0), night.facts)
    assert isinstance(refused, Refusal)


def test_every_chip_is_accounted_for() -> None:
    night = Night("rpl", [2_025, 1_975, 2_000])
    assert chip_account(night.state, night.facts).missing == 0
    event = night.colour_up({1: 1, 2: 3})
    stacks = {**night.stacks, **{one.seat: Chips(night.stacks[one.seat] + one.chips) for one in event.changes}}
    after = {"1": TableFacts("1", 5, True, 1, Seat(2), Seat(3), Seat(1), stacks, {}, Chips(0))}
    assert chip_account(night.state, after).missing == 0
    lost = {**after, "1": TableFacts("1", 5, True, 1, Seat(2), Seat(3), Seat(1), {**stacks, Seat(2): Chips(0)})}
    assert chip_account(night.state, lost).missing == 2_000
    gone = {"1": TableFacts("1", 6)}  # it has played, and nobody with chips is left there
    assert chip_account(night.state, gone).on_tables == 0


def test_home_a_chip_set_of_three_hundred_chips_is_enough_for_six() -> None:
    """home.suggest.a (variation.md 56): 16 x 5, 12 x 10, 8 x 25, 6 x 50 and 3 x 100 are 1,000."""
    rule = load_rulebook("home").tournament.starting_chips
    assert rule is not None
    stack = dict(rule.value)
    assert sum(value * count for value, count in stack.items()) == 1_000
    assert players_carried({5: 100, 10: 100, 25: 50, 50: 50, 100: 20}, stack) == 6


# ------------------------------------------------------------------------------------------------ penalties


def test_wfp_warning_then_ten_minutes_then_out_for_the_day() -> None:
    """wfp.infractions.3a (variation.md 55)"""
    night = Night("wfp", [2_000, 2_000, 2_000])
    first, second = (night.do(GivePenalty("p1", "foul language"))[0].event for _ in range(2))
    assert (first.kind, second.kind, second.minutes) == (PenaltyKind.WARNING, PenaltyKind.TIME_OUT, 10)
    night.at = 9 * MINUTE
    now = Instant("boot", night.at, 1_700_000_000_000 + night.at)
    assert [(due.player, due.left_ms) for due in time_outs(night.state, now, night.facts)] == [("p1", MINUTE)]
    night.do(EndTimeOut(second.penalty))
    third = night.do(GivePenalty("p1", "again", chips=Chips(2_000)))
    assert third[0].event.kind is PenaltyKind.OUT_FOR_DAY
    assert night.state.field.entrants["p1"].status is Status.OUT
    assert night.state.field.entrants["p1"].suspended
    without = {
        "1": TableFacts("1", 5, stacks={seat: Chips(2_000) for seat in night.state.seats.tables["1"].players})
    }
    assert chip_account(night.state, without).missing == 0, "the stack left play"


def test_a_penalty_that_is_taken_back_puts_the_player_back() -> None:
    night = Night("rpl", [2_000, 2_000])
    given = night.do(GivePenalty("p1", "threats", PenaltyKind.OUT, major=True, chips=Chips(2_000)))
    night.do(Undo(given[0].no))
    assert night.state.field.entrants["p1"].status is Status.PLAYING
    assert "p1" in night.state.seats.at


def test_time_outs_by_hands_are_served_at_the_table() -> None:
    night = Night("rpl", [2_000, 2_000])
    given = night.do(GivePenalty("p1", "showing cards", PenaltyKind.TIME_OUT, hands=2))[0].event
    assert isinstance(given, PenaltyGiven)
    now = Instant("boot", 0, 0)
    for hand, left in ((4, 2), (5, 1), (6, 0)):
        facts = {"1": TableFacts("1", hand)}
        assert [due.hands for due in time_outs(night.state, now, facts)] == [left]


# ------------------------------------------------------------------------------------------------ the clock


def test_hand_for_hand_charges_the_clock_by_the_hand() -> None:
    night = Night("rpl", [2_000, 2_000], hand_for_hand_minutes=3)
    night.do(SetHandForHand(on=True))
    night.at = 30 * MINUTE  # the clock stands
    night.do(ChargeHand())
    assert night.state.clock.read(night.at).left_ms == 17 * MINUTE
    night.do(SetHandForHand(on=False))
    night.at += MINUTE
    assert night.state.clock.read(night.at).left_ms == 16 * MINUTE


def test_a_schedule_as_a_table_of_text_is_the_same_schedule() -> None:
    levels = (
        Level(1, Chips(25), Chips(50), minutes=20),
        Level(0, Chips(0), Chips(0), minutes=10, is_break=True),
        Level(2, Chips(50), Chips(100), Chips(10), minutes=12.5),
    )
    assert read_schedule(to_csv(levels)) == levels
    with pytest.raises(ScheduleError, match="line 3: big_blind 'x'"):
        read_schedule("level,small_blind,big_blind,minutes\n1,1,2,20\n2,2,x,20\n")
    with pytest.raises(ScheduleError, match="'anti' is nothing of a schedule here"):
        read_schedule("level,sb,bb,anti,minutes\n1,1,2,1,20\n")


@pytest.mark.parametrize(("players", "stack", "hours"), [(9, 1_000, 3), (27, 2_000, 4), (100, 10_000, 6)])
def test_a_suggested_schedule_ends_in_time_with_twenty_big_blinds(players: int, stack: int, hours: int) -> None:
    levels = suggested(load_rulebook("ccp"), players=players, stack=stack, hours=hours, smallest_chip=25)
    played = [level for level in levels if not level.is_break]
    assert sum(level.minutes for level in played) == hours * 60
    assert all(one.big_blind < other.big_blind for one, other in pairwise(played))
    assert 10 <= players * stack / played[-1].big_blind <= 40
    assert len([level for level in levels if level.is_break]) == hours - 1, (
        "a break every 60 minutes (ccp.timer.4)"
    )


def level(no: int, big: int, minutes: float = 20) -> Level:
    return Level(no, Chips(big // 2), Chips(big), minutes=minutes)


BREAK = Level(0, Chips(0), Chips(0), minutes=10, is_break=True)


def test_chips_leave_play_in_the_first_break_after_which_nothing_needs_them() -> None:
    levels = with_colour_ups(
        (level(1, 50), BREAK, level(2, 150), BREAK, level(3, 200), BREAK, level(4, 1_000)), (500, 100, 25)
    )
    assert [entry.colour_up for entry in levels if entry.is_break] == [0, 25, 100]


def test_the_end_is_where_twenty_big_blinds_are_left_and_breaks_count() -> None:
    clock = TournamentClock.new((level(1, 50), BREAK, level(2, 200), level(3, 1_000)), boot="b", now=Millis(0))
    assert projected_end(clock, Millis(0), 4_000) == 50 * MINUTE
    assert projected_end(clock, Millis(0), 20_001) == 70 * MINUTE, "the last level at the latest"
    assert projected_end(clock.resume(Millis(0)), Millis(MINUTE), 1_000) == 20 * MINUTE


def test_a_level_goes_on_after_a_break_and_nowhere_else() -> None:
    check_schedule((level(1, 50, 10), BREAK, level(1, 50, 30), level(2, 100)))
    for wrong in ((level(1, 50), level(1, 50)), (level(1, 50), BREAK, level(1, 100))):
        with pytest.raises(ScheduleError, match="second level 1"):
            check_schedule(wrong)
