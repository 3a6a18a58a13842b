"""Who is out in which place, and chips raced."""

import pytest

from table_core.cards import parse_card
from table_core.messages import Seat
from table_core.tournament.chips.chip_race import race
from table_core.tournament.field.eliminations import Bust, FinishingPosition, knockout_credit, rank_busts
from table_core.tournament.policies import ChipRace, KnockoutCredit
from tests.table_core.rules.shown import BOOKS, book_of, with_tournament
from tests.table_core.tournament.test_prizes import Played


@pytest.mark.parametrize("book", ["ccp", "cpp"])
def test_who_has_every_chip_finishes_first(book: str) -> None:
    played = Played(book, 2)
    played.start()
    assert played.state.finished is None
    played.out("p2", "p1", hand=1)
    assert {name: entrant.place for name, entrant in played.state.field.entrants.items()} == {"p1": 1, "p2": 2}
    assert played.state.finished is not None


@pytest.mark.parametrize("book", ["ccp", "wfp", "rpl"])
def test_of_two_who_bust_in_one_hand_the_larger_starting_stack_ranks_higher(book: str) -> None:
    busts = [Bust("Ann", 900), Bust("Bo", 1_500)]
    assert rank_busts(busts, 7, book_of(book)) == (FinishingPosition(8, ("Bo",)), FinishingPosition(9, ("Ann",)))


@pytest.mark.parametrize("book", BOOKS)
def test_equal_stacks_tie(book: str) -> None:
    busts = [Bust("Ann", 900), Bust("Bo", 900), Bust("Cy", 100)]
    rulebook = book_of(book)
    assert rank_busts(busts, 7, rulebook) == (FinishingPosition(8, ("Ann", "Bo")), FinishingPosition(10, ("Cy",)))


@pytest.mark.parametrize("book", ["ccp"])
def test_the_knock_out_of_a_tied_pot_goes_to_the_larger_stack(book: str) -> None:
    """Of the winners with 4,000 and 2,500 after the hand, Bo with 4,000."""
    assert knockout_credit(("Bo", "Ann"), book_of(book)) == ("Bo",)
    shared = with_tournament(book, knockout_credit=KnockoutCredit.SHARED)
    assert knockout_credit(("Bo", "Ann"), shared) == ("Bo", "Ann")


def cards(**drawn: str) -> dict[Seat, int]:
    return {Seat(int(seat[1:])): parse_card(card) for seat, card in drawn.items()}


@pytest.mark.parametrize(("odd", "new"), [({1: 3, 2: 3}, 2), ({1: 2, 2: 3}, 1)])
def test_two_25s_left_over_in_a_race_earn_one_more_100_and_one_earns_nothing(
    odd: dict[int, int], new: int
) -> None:
    """wfp.procedures.6d (variation.md 50)"""
    raced = race(
        ChipRace.CARD_RACE,
        {Seat(s): n for s, n in odd.items()},
        25,
        100,
        cards(s1="Kh", s2="Ks"),  # type: ignore[arg-type]
    )
    assert sum(raced.values()) == new
    assert raced[Seat(2)] == 1  # the higher suit


def test_nobody_is_raced_out() -> None:
    """wfp.procedures.6c"""
    drawn = cards(s1="2c", s2="Ks")
    raced = race(ChipRace.CARD_RACE, {Seat(1): 1, Seat(2): 1}, 25, 100, drawn, frozenset({Seat(1)}))  # type: ignore[arg-type]
    assert raced == {1: 1}


def test_a_nightly_race_exchanges_two_odd_chips_and_more() -> None:
    """wfp.procedures.6e (variation.md 51)"""
    odd = {Seat(1): 2, Seat(2): 3, Seat(3): 1, Seat(4): 1}
    raced = race(ChipRace.EXCHANGE_OR_RACE, odd, 25, 100, cards(s1="2c", s2="3c", s3="4c", s4="5c"))  # type: ignore[arg-type]
    assert raced == {1: 1, 2: 1, 4: 1}


def test_rounding_up_125_in_25s_gives_200() -> None:
    """rpl.tournaments.10 (variation.md 91): a full lot, and one new chip for what is left."""
    assert race(ChipRace.ROUND_UP, {Seat(1): 1}, 25, 100, {}) == {1: 1}
