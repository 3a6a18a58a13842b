"""The money of a night, worked by hand and from the books' examples (variation.md, worked examples)."""

from __future__ import annotations

from typing import Any

import pytest

from table_core.messages import Chips, Level, Refusal
from table_core.tournament.events import BountyWon, Instant, Out, Payment, Purchase, TablePlan
from table_core.tournament.field.busts import ConfirmBust, ReportBust
from table_core.tournament.field.entries import Enter
from table_core.tournament.field.finishing import DecidePlaces
from table_core.tournament.field.rebuys import Buy
from table_core.tournament.field.registration import Register
from table_core.tournament.money.bounties import EnterBounty, NameTargets
from table_core.tournament.money.icm import chip_chop, icm, to_cents, to_units
from table_core.tournament.money.prizes import (
    MakeDeal,
    PayPrize,
    cash_expected,
    championship,
    left_to_play_for,
    owed,
    payouts,
    pool,
    purse,
)
from table_core.tournament.night import Night, Recorded, Undo
from table_core.tournament.opening import Open, Start
from table_core.tournament.seats.draw import DrawSeats

LEVELS = (Level(no=1, small_blind=Chips(25), big_blind=Chips(50)),)
NOW = Instant("boot", 0, 1_700_000_000_000)


class Played:
    """A night without tables, played by commands."""

    def __init__(self, book: str, entrants: int, **house: Any) -> None:
        self.night = Night()
        plans = tuple(TablePlan(f"{no}", 10) for no in range(1, 5))
        self.do(Open("a night", book, plans, LEVELS, "seed", {"starting_stack": 2_000, **house}))
        for no in range(1, entrants + 1):
            self.enter(f"p{no}")

    def enter(self, player: str, *, member: bool = True) -> None:
        self.do(Register(player, member=member, adult=True))
        self.do(Enter(player))

    @property
    def state(self) -> Any:
        return self.night.state

    def do(self, command: Any) -> tuple[Recorded, ...]:
        done = self.night.do(command, NOW, {}, id_=f"c{len(self.night.records)}")
        assert not isinstance(done, Refusal), done
        return done

    def refused(self, command: Any) -> Refusal:
        done = self.night.do(command, NOW, {})
        assert isinstance(done, Refusal)
        return done

    def start(self) -> None:
        self.do(DrawSeats("a draw of its own"))
        self.do(Start())

    def out(self, player: str, *by: str, hand: int, stack: int = 100) -> tuple[Recorded, ...]:
        self.do(ReportBust("1", hand, (Out(player, Chips(stack), by),)))
        return self.do(ConfirmBust((f"1-{hand}",)))


def test_ccp_eight_tenths_are_paid_out_and_two_go_to_the_championship() -> None:
    """ccp.payout.4: 10 buy-ins and 2 rebuys at $25 are $300; ccp.payout.3: 96, 60, 48, 24, 12."""
    played = Played("ccp", 10)
    played.start()
    for player in ("p1", "p2"):
        played.do(Buy(player, Purchase.REBUY))
    assert (pool(played.state), purse(played.state), championship(played.state)) == (30_000, 24_000, 6_000)
    assert payouts(played.state) == (9_600, 6_000, 4_800, 2_400, 1_200)


@pytest.mark.parametrize(
    ("entrants", "dollars"),
    [
        (8, (250, 100, 50)),
        (9, (300, 100, 50)),
        (10, (300, 150, 50)),
        (12, (350, 200, 50)),
        (14, (400, 200, 50, 50)),
        (15, (450, 200, 50, 50)),
        (16, (450, 200, 100, 50)),
    ],
)
def test_home_prizes_are_whole_stakes(entrants: int, dollars: tuple[int, ...]) -> None:
    """home.prizes.2 and 3; $10 of the $60 are food and extra prizes (home.fees.5)."""
    played = Played("home", entrants)
    assert payouts(played.state) == tuple(dollar * 100 for dollar in dollars)
    assert sum(payouts(played.state)) == pool(played.state)


@pytest.mark.parametrize("entrants", range(1, 30))
def test_prizes_add_up_to_the_purse(entrants: int) -> None:
    played = Played("ccp", entrants, buy_in=7)
    assert sum(payouts(played.state)) == purse(played.state)
    assert purse(played.state) + championship(played.state) == pool(played.state)


def test_a_house_may_have_prizes_played_out() -> None:
    played = Played("base", 4, prize_deals="refused")
    played.start()
    shares = tuple(Payment(f"p{no}", 0) for no in range(1, 5))
    refused = played.refused(MakeDeal(shares, tuple(f"p{no}" for no in range(1, 5))))
    assert refused.rule == "house.prize_deals"


def test_before_anybody_plays_there_is_nothing_to_deal_about() -> None:
    played = Played("rpl", 0)
    assert played.refused(MakeDeal((), ())).reason == "Nobody plays for the prizes."


def test_rpl_a_deal_needs_everybody_and_leaves_the_places_to_play() -> None:
    """rpl.tournaments.33 and rpl.league.1"""
    played = Played("rpl", 8, buy_in=25, payouts=[60, 40])
    played.start()
    for hand, player in enumerate(("p8", "p7", "p6", "p5", "p4", "p3"), 1):
        played.out(player, "p1", hand=hand)
    assert left_to_play_for(played.state) == 20_000
    shares = (Payment("p1", 10_000), Payment("p2", 9_000))
    assert "p2" in played.refused(MakeDeal(shares, ("p1",))).reason
    played.do(MakeDeal(shares, ("p1", "p2"), "chip chop"))
    played.out("p1", "p2", hand=9)
    assert played.state.field.entrants["p2"].place == 1
    assert owed(played.state) == {"p1": 10_000, "p2": 10_000}, "the rest was played for"
    played.do(PayPrize("p1"))
    assert played.refused(PayPrize("p1")).reason == "Nothing is owed to p1."
    assert cash_expected(played.state) == 10_000


def test_ccp_two_targets_from_the_standing_and_the_last_tournament() -> None:
    """ccp.bounty.2 to 4: the leader also won the last event, so the runner-up who is present is B."""
    played = Played("ccp", 10)
    played.do(NameTargets(("away", "p3", "p1"), ("p3", "gone", "p5")))
    assert played.state.bounties.targets == {"A": "p3", "B": "p5"}


def bounty_night() -> Played:
    """Six hunters on target p1, who is A; p10 does not take part (ccp.bounty.5)."""
    played = Played("ccp", 10)
    played.do(NameTargets(("p1",), ("p2",)))
    for no in range(2, 8):
        played.do(EnterBounty(f"p{no}", "A"))
    played.start()
    return played


def money(records: tuple[Recorded, ...]) -> list[tuple[dict[str, int], int]]:
    won = [record.event for record in records if isinstance(record.event, BountyWon)]
    return [({share.player: share.amount for share in event.shares}, event.over) for event in won]


def test_ccp_who_eliminates_a_target_they_paid_on_wins_all_of_it() -> None:
    assert money(bounty_night().out("p1", "p4", hand=1)) == [({"p4": 1_200}, 0)]


def test_ccp_tied_winners_split_a_bounty_and_a_stranger_s_half_is_carried_over() -> None:
    """ccp.showdown.9; the book is silent on a winner outside the game (variation.md, gaps)"""
    assert money(bounty_night().out("p1", "p4", "p5", hand=1)) == [({"p4": 600, "p5": 600}, 0)]
    assert money(bounty_night().out("p1", "p4", "p10", hand=1)) == [({"p4": 600}, 600)]
    assert money(bounty_night().out("p1", "p10", hand=1)) == [({}, 1_200)]


def test_ccp_a_target_who_outlasts_every_hunter_collects() -> None:
    """ccp.bounty.6"""
    played = bounty_night()
    for hand, no in enumerate(range(2, 7), 1):
        assert money(played.out(f"p{no}", "p1", hand=hand)) == []
    assert money(played.out("p7", "p1", hand=9)) == [({"p1": 1_200}, 0)]


def test_ccp_a_target_does_not_hunt_its_own_head() -> None:
    played = Played("ccp", 10)
    played.do(NameTargets(("p1",), ("p2",)))
    assert "target" in played.refused(EnterBounty("p1", "A")).reason
    played.do(EnterBounty("p1", "B"))


def test_places_of_equal_stacks_are_paid_when_a_person_has_decided_them_shared_to_the_cent() -> None:
    """Two of equal stacks go out in one hand in places 2 and 3, which pay $60 and $48."""
    played = Played("ccp", 10)
    played.start()
    for player in ("p1", "p2"):
        played.do(Buy(player, Purchase.REBUY))
    for hand, no in enumerate(range(4, 11), 1):
        played.out(f"p{no}", "p1", hand=hand)
    played.do(ReportBust("1", 9, (Out("p2", Chips(900)), Out("p3", Chips(900)))))
    played.do(ConfirmBust(("1-9",)))
    assert {"p2", "p3"}.isdisjoint(owed(played.state))
    assert played.refused(PayPrize("p2")).rule == "ccp.winning.3"
    played.do(DecidePlaces(("p3", "p2")))
    assert (owed(played.state)["p3"], owed(played.state)["p2"]) == (6_000, 4_800)
    played.do(Undo(played.night.records[-1].no))
    played.do(DecidePlaces(("p2", "p3"), shared=True))
    assert {name: owed(played.state)[name] for name in ("p1", "p2", "p3")} == {
        "p1": 9_600,
        "p2": 5_400,
        "p3": 5_400,
    }


def test_shares_in_whole_units_add_up_and_the_odd_one_goes_to_the_largest_remainder() -> None:
    assert to_units((39_771.4, 36_309.5, 31_919.1), 108_000, 100) == (39_800, 36_300, 31_900)
    assert to_units((39_771.4, 36_309.5, 31_919.1), 108_000, 500) == (39_500, 36_500, 32_000)
    assert to_units((5_000.0, 2_550.0), 7_550, 100) == (5_000, 2_500)


def test_stacks_in_prize_money_as_the_model_s_authors_work_it() -> None:
    """Two players: first prize by the share of chips. Three: 50, 30, 20 of chips and of money."""
    assert icm((75, 25), (60, 40)) == pytest.approx((55, 45))
    assert icm((50, 30, 20), (50, 30, 20)) == pytest.approx((38.392857, 32.75, 28.857143))
    assert sum(icm((5_000, 1, 999, 3), (70, 30))) == pytest.approx(100)
    assert chip_chop((50, 30, 20), (50, 30, 20)) == pytest.approx((40, 32, 28))
    with pytest.raises(ValueError, match="1 to 15"):
        icm(range(1, 17), (1,))


@pytest.mark.parametrize(
    ("stacks", "prizes", "worth", "within"),
    [
        # Wikipedia, "Independent chip model": shares of 50, 30 and 20 per cent, prizes of 70 and 30
        ((50, 30, 20), (70, 30), (45, 32, 22), 1),
        # practicalwebtools.com, ICM calculator: the example that it opens with
        ((50_000, 30_000, 20_000), (500, 300, 200), (384, 328, 289), 0.5),
        # pailiku.com, ICM calculator: its final table of four, three places paid
        ((5_000, 3_000, 1_500, 500), (500, 300, 200), (377.78, 312.89, 225.60, 83.73), 0.005),
    ],
)
def test_stacks_in_prize_money_as_published(
    stacks: tuple[int, ...], prizes: tuple[int, ...], worth: tuple[float, ...], within: float
) -> None:
    assert icm(stacks, prizes) == pytest.approx(worth, abs=within)


@pytest.mark.parametrize(
    ("entrants", "per_cent"),
    [
        (8, (62.5, 25, 12.5)),
        (10, (60, 30, 10)),
        (12, (58.33, 33.33, 8.33)),
        (14, (57.14, 28.57, 7.14, 7.14)),
        (16, (56.25, 25, 12.5, 6.25)),
    ],
)
def test_home_prizes_in_per_cent(entrants: int, per_cent: tuple[float, ...]) -> None:
    """home.prizes.3 (variation.md, worked examples, 65)"""
    paid = payouts(Played("home", entrants).state)
    assert [100 * amount / sum(paid) for amount in paid] == pytest.approx(per_cent, abs=0.005)


def test_cents_add_up() -> None:
    assert to_cents((33.4, 33.3, 33.3), 100) == (34, 33, 33)
    assert to_cents((1 / 3,) * 3, 1) == (1, 0, 0)
