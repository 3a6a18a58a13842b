"""PokerStars-style text: what trackers demand of it."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from table_core.cards import parse_cards
from table_core.hand.hand import Hand
from table_core.histories.played import from_events, play
from table_core.histories.recorded import HistoryError, Where
from table_core.histories.stars_words import hand_words, header_time, player_names, roman
from table_core.histories.stars_write import stars_text
from table_core.ranking import describe
from tests.table_core.hand.random_hand import random_hand
from tests.table_core.histories.reading import parse_phh
from tests.table_core.histories.stars_tracker import Tracker
from tests.table_core.histories.test_phh import HAND
from tests.table_core.table import BASE, done, level, start
from tests.table_core.table import play as told


@given(st.integers(0, 2**32))
@settings(max_examples=300, deadline=None)
def test_a_strict_tracker_takes_every_line_and_finds_the_finishing_stacks(seed: int) -> None:
    hand = from_events(random_hand(seed, unread=False), where=Where("Friday", "07", 11))
    recorded = hand.recorded
    finishing = recorded.finishing_stacks or ()
    assert Tracker(stars_text([hand])).read() == dict(zip(recorded.table_seats, finishing, strict=True))


def test_a_whole_hand_as_trackers_know_it() -> None:
    (recorded,) = parse_phh(HAND.replace("hand = 12", "hand = 12\nlevel = 4\ntable = '7'"), "x.phh")
    lines = stars_text([play(recorded, BASE)]).splitlines()
    assert lines[0].endswith(
        "Freeroll  Hold'em No Limit - Level IV (10/20) - 1970/01/01 0:00:00 UTC [1969/12/31 19:00:00 ET]"
    )
    assert lines[1].endswith(" 7' 3-max Seat #3 is the button")
    assert lines[2:] == [
        "Seat 1: Ann (1000 in chips)",
        "Seat 2: Ben (900 in chips)",
        "Seat 3: Cy (800 in chips)",
        "Ben: posts the ante 30",
        "Ann: posts small blind 10",
        "Ben: posts big blind 20",
        "*** HOLE CARDS ***",
        "Cy: raises 40 to 60",
        "Ann: calls 50",
        "Ben: folds",
        "*** FLOP *** [3h 4h 5s]",
        "Ann: checks",
        "Cy: bets 740 and is all-in",
        "Ann: calls 740",
        "*** TURN *** [3h 4h 5s] [9h]",
        "*** RIVER *** [3h 4h 5s 9h] [Td]",
        "*** SHOW DOWN ***",
        "Ann: shows [Ah Kh] (a flush, Ace high)",
        "Cy: shows [2c 2d] (a pair of Twos)",
        "Ann collected 1650 from pot",
        "*** SUMMARY ***",
        "Total pot 1650 | Rake 0",
        "Board [3h 4h 5s 9h Td]",
        "Seat 1: Ann (small blind) showed [Ah Kh] and won (1650) with a flush, Ace high",
        "Seat 2: Ben (big blind) folded before Flop",
        "Seat 3: Cy (button) showed [2c 2d] and lost with a pair of Twos",
        "",
        "",
    ]


def test_nobody_collects_a_pot_without_a_chip() -> None:
    """The small blind is dead and everybody folds to the big blind, whose bet is returned: the pot is empty."""
    hand = Hand(BASE)
    opening = msgspec.structs.replace(start({2: 10, 4: 285, 5: 149}, level(11, 22), button=4), small_blind=None)
    events = [*done(hand.push(opening)), *told(hand, "4 fold", "5 fold")]
    lines = stars_text([from_events(events, where=Where("Friday", "7", 9))]).splitlines()
    folds = lines.index("*** HOLE CARDS ***") + 1
    assert lines[folds : folds + 5] == [
        "Player 4: folds",
        "Player 5: folds",
        "Uncalled bet (10) returned to Player 2",
        "*** SUMMARY ***",
        "Total pot 0 | Rake 0",
    ]


def test_a_board_card_that_nobody_read_has_no_form() -> None:
    (recorded,) = parse_phh(HAND.replace("'d db 9h'", "'d db ??'") + "_winners = [1]\n", "x.phh")
    with pytest.raises(HistoryError, match="hand 12: a board card was not read"):
        stars_text([play(recorded, BASE)])


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("AhKhQhJhTh2c3c", "a Royal Flush"),
        ("5h4h3h2hAhKcKd", "a straight flush, Ace to Five"),
        ("9h8c7d6s5hAcAd", "a straight, Five to Nine"),
        ("KhKcKdTsThAcQd", "a full house, Kings full of Tens"),
        ("KhKcKdKsThAcQd", "four of a kind, Kings"),
        ("6h6c6dKsThAcQd", "three of a kind, Sixes"),
        ("AhAc8d8sThKcQd", "two pair, Aces and Eights"),
        ("AhJh8h4h2hKcQd", "a flush, Ace high"),
        ("KhKc8d4s2h7cQd", "a pair of Kings"),
        ("AhKc8d4s2h7cQd", "high card Ace"),
    ],
)
def test_hands_are_named_in_the_words_that_trackers_match(cards: str, words: str) -> None:
    assert hand_words(describe(parse_cards(cards))) == words


def test_names_are_ones_that_a_line_can_hold() -> None:
    assert player_names(["Ann", "Ann", "", "Lee [x]: (y)\n", "Ann 2"]) == (
        "Ann",
        "Ann 2",
        "Player 3",
        "Lee x y",
        "Ann 2 2",
    )


@pytest.mark.parametrize(
    ("started", "header"),
    [
        ("2026-11-21T07:36:05Z", "2026/11/21 7:36:05 UTC [2026/11/21 2:36:05 ET]"),
        ("2026-03-08T06:59:59Z", "2026/03/08 6:59:59 UTC [2026/03/08 1:59:59 ET]"),
        ("2026-03-08T07:00:00Z", "2026/03/08 7:00:00 UTC [2026/03/08 3:00:00 ET]"),
        ("2026-11-01T05:59:59Z", "2026/11/01 5:59:59 UTC [2026/11/01 1:59:59 ET]"),
        ("2026-11-01T06:00:00Z", "2026/11/01 6:00:00 UTC [2026/11/01 1:00:00 ET]"),
    ],
)
def test_times_are_utc_and_those_of_the_east_coast(started: str, header: str) -> None:
    assert header_time(started) == header


def test_levels_are_counted_in_roman_numbers() -> None:
    assert [roman(level) for level in (1, 4, 9, 14, 40)] == ["I", "IV", "IX", "XIV", "XL"]
