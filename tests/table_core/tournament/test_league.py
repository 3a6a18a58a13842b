"""A season of rpl and who plays its final, from the book's sentences."""

from __future__ import annotations

from table_core.rulebook import load_rulebook
from table_core.tournament.money.league import (
    EventResult,
    Finisher,
    Season,
    counts,
    may_play_last_chance,
    qualified,
    standing,
)
from table_core.tournament.seats.standing import final_seats

RPL = load_rulebook("rpl")


def event(name: str, *players: str, entrants: int = 20) -> EventResult:
    return EventResult(name, entrants, tuple(Finisher(player, place) for place, player in enumerate(players, 1)))


def season(*events: EventResult, points: tuple[int, ...] = (100, 70, 50, 30, 20, 10, 5, 3, 0)) -> Season:
    return Season(events, points, RPL)


OTHERS = tuple(f"o{no}" for no in range(1, 9))


def ten_games(*winners: str) -> Season:
    return season(*(event(f"game {no}", winner, *OTHERS) for no, winner in enumerate(winners, 1)))


def test_ten_games_with_ten_winners_give_ten_seats_and_six() -> None:
    """rpl.toc.2 (variation.md 96)"""
    found = qualified(ten_games(*(f"w{no}" for no in range(10))))
    assert (len(found.automatic), found.provisional) == (10, OTHERS[:6])


def test_a_repeated_win_makes_the_list_of_the_others_longer() -> None:
    """rpl.toc.4 (variation.md 97)"""
    found = qualified(ten_games("w0", *(f"w{no}" for no in range(9))))
    assert (len(found.automatic), found.provisional) == (9, OTHERS[:7])


def test_a_tie_for_the_sixth_score_gives_both_a_seat() -> None:
    """rpl.toc.6 (variation.md 98): o6 and o7 have the same points"""
    games = [event("one", "w", *OTHERS), event("two", "v", *OTHERS[:5], OTHERS[6], OTHERS[5], OTHERS[7])]
    found = qualified(season(*games))
    assert found.provisional == OTHERS[:7]


def test_a_seat_that_is_declined_goes_to_the_next_score() -> None:
    """rpl.toc.3"""
    games = ten_games(*(f"w{no}" for no in range(10)))
    assert qualified(games, declined=("o2",)).provisional == ("o1", *OTHERS[2:7])
    winner_declines = qualified(games, declined=("w3",))
    assert len(winner_declines.automatic) == 9
    assert winner_declines.provisional == OTHERS[:7]


def test_one_event_is_too_few_for_a_seat_by_score() -> None:
    """rpl.toc.5 and rpl.toc.7"""
    games = season(event("one", "w", "once", *OTHERS), event("two", "v", *OTHERS))
    assert standing(games, without=("w", "v"))[0].player == "o1"
    assert "once" not in qualified(games).provisional
    assert not may_play_last_chance(games, "once")
    assert may_play_last_chance(games, "o8")


def test_six_players_give_no_points_and_no_seat() -> None:
    """rpl.league.9 (variation.md 95)"""
    small, large = event("small", "a", entrants=6), event("large", "b", entrants=7)
    assert (counts(small, RPL), counts(large, RPL)) == (False, True)
    found = season(small, large)
    assert [(score.player, score.points) for score in standing(found)] == [("b", 100), ("a", 0)]
    assert qualified(found).automatic == ("b",)


def test_the_seats_of_the_final_follow_the_standing() -> None:
    """rpl.toc.8 (variation.md 99); whoever is beyond the chart is drawn a seat by the director"""
    chart = [f"T{seat // 10}S{seat % 10}" for seat in (11, 21, 15, 25, 13, 23, 17, 27)]
    chart += [f"T{seat // 10}S{seat % 10}" for seat in (28, 18, 24, 14, 26, 16, 22, 12)]
    players = [f"p{no}" for no in range(1, 18)]
    assert final_seats(players, RPL) == (*zip(players, chart, strict=False), ("p17", ""))
