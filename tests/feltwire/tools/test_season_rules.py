"""A league's season and who plays its final, by `feltwire season`: each rule of rpl, and points under wfp."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from feltwire.cli import main
from feltwire.ledger.tournament_ledger import TournamentLedger
from table_core.messages import encode
from table_core.tournament.events import Payment
from table_core.tournament.field.registration import CheckOff, SignIn
from table_core.tournament.money.league import EventResult, Finisher
from table_core.tournament.money.prizes import MakeDeal
from tests.table_core.tournament.test_prizes import Played

OTHERS = tuple(f"o{no}" for no in range(1, 10))
POINTS = ("--points", "100", "70", "50", "30", "20", "10", "5", "3", "2", "1", "0")


def event(name: str, *players: str, entrants: int = 20, to_final: int = 0) -> EventResult:
    finishers = tuple(Finisher(player, place) for place, player in enumerate(players, 1))
    return EventResult(name, entrants, finishers, to_final)


def games(*winners: str) -> tuple[EventResult, ...]:
    return tuple(event(f"game {no}", winner, *OTHERS) for no, winner in enumerate(winners, 1))


class League:
    """A season's file and what the command says of it."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str], book: str = "rpl") -> None:
        self.folder, self.capsys, self.book = folder, capsys, book
        self.file = folder / "season.jsonl"

    def of(self, *events: EventResult) -> League:
        self.file.write_bytes(b"".join(encode(one) + b"\n" for one in events))
        return self

    def add(self, played: Played, name: str, *options: str) -> int:
        ledger = TournamentLedger.open(self.folder / f"{name}.ledger")
        ledger.append(played.night.records)
        ledger.close()
        path = str(self.folder / f"{name}.ledger")
        return self._main("--add", path, "--event", name, *options)

    def _main(self, *options: str) -> int:
        return main(["season", str(self.file), "--rulebook", self.book, *options])

    def said(self, *options: str) -> list[str]:
        self.capsys.readouterr()
        assert self._main(*POINTS, *options) == 0
        return self.capsys.readouterr().out.splitlines()

    def points(self) -> dict[str, int]:
        scores = (line.split() for line in self.said() if " points, " in line)
        return {words[1].rstrip(":"): int(words[2]) for words in scores}

    def seats(self, *options: str) -> dict[str, str]:
        """Who plays the final, and how they came to it."""
        lines = self.said(*options)
        found = lines[lines.index("Final:") + 1 : -1]
        return {line.split(",")[0].split()[-1]: line.split(", ")[1] for line in found}


@pytest.fixture
def league(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> League:
    return League(tmp_path, capsys)


def by(how: str, seats: dict[str, str]) -> list[str]:
    return [player for player, came in seats.items() if came == how]


@pytest.mark.rule("rpl.league.2", "rpl.toc.1", "rpl.toc.2")
def test_ten_games_with_ten_winners_give_ten_seats_and_six_to_the_best_of_the_others(league: League) -> None:
    winners = [f"w{no}" for no in range(10)]
    seats = league.of(*games(*winners)).seats()
    assert sorted(by("a winner", seats)) == winners
    assert by("by score", seats) == list(OTHERS[:6])


@pytest.mark.rule("rpl.toc.4")
def test_a_player_who_wins_two_of_ten_games_makes_it_nine_and_seven(league: League) -> None:
    seats = league.of(*games("w0", *(f"w{no}" for no in range(9)))).seats()
    assert (len(by("a winner", seats)), by("by score", seats)) == (9, list(OTHERS[:7]))


@pytest.mark.rule("rpl.toc.3")
def test_a_seat_that_is_declined_is_offered_to_the_next_score(league: League) -> None:
    league.of(*games(*(f"w{no}" for no in range(10))))
    assert by("by score", league.seats("--declined", "o2")) == ["o1", *OTHERS[2:7]]
    winner = league.seats("--declined", "w3")
    assert "w3" not in winner
    assert by("by score", winner) == list(OTHERS[:7])
    assert by("by score", league.seats("--declined", "w3", "o1")) == list(OTHERS[1:8])


@pytest.mark.rule("rpl.toc.5")
def test_the_highest_score_with_one_event_played_is_skipped(league: League) -> None:
    league.of(event("one", "w", "once", *OTHERS), event("two", "v", "x", "y", "z", "u", *OTHERS))
    points = league.points()
    assert points["once"] > max(points[other] for other in OTHERS)
    assert by("by score", league.seats()) == list(OTHERS[:6]), "each of them has played two"


@pytest.mark.rule("rpl.toc.6")
def test_a_tie_of_the_sixth_and_the_seventh_score_gives_both_a_seat(league: League) -> None:
    swapped = (*OTHERS[:5], OTHERS[6], OTHERS[5], *OTHERS[7:])
    seats = league.of(event("one", "w", *OTHERS), event("two", "v", *swapped)).seats()
    assert by("by score", seats) == list(OTHERS[:7])


@pytest.mark.rule("rpl.league.9")
def test_six_entrants_give_neither_points_nor_a_seat_and_seven_give_both(league: League) -> None:
    league.of(event("small", "a", "x", entrants=6), event("large", "b", "y", entrants=7))
    assert league.points() == {"b": 100, "y": 70, "a": 0, "x": 0}
    assert by("a winner", league.seats()) == ["b"]


@pytest.mark.rule("rpl.toc.8")
def test_the_sixteen_sit_by_their_standing(league: League) -> None:
    winners = [f"w{no}" for no in range(10)]
    level_with_nobody = ("--points", *map(str, range(190, 0, -10)))
    behind = {winner: [*OTHERS, *(one for one in winners if one != winner)] for winner in winners}
    lines = league.of(*(event(f"game of {one}", one, *behind[one]) for one in winners)).said(*level_with_nobody)
    chart = "T1S1 T2S1 T1S5 T2S5 T1S3 T2S3 T1S7 T2S7 T2S8 T1S8 T2S4 T1S4 T2S6 T1S6 T2S2 T1S2"
    final = lines[lines.index("Final:") + 1 :][:16]
    assert " ".join(line.split()[0] for line in final) == chart
    standing = [line.split()[1].rstrip(":") for line in lines if " points, " in line]
    players = [line.split()[1].rstrip(",") for line in final]
    assert players == [name for name in standing if name in players]


def last_chance(*players: str, member: bool = True) -> Played:
    """An event at $20, the first of `players` winning it."""
    played = Played("rpl", 0, buy_in=20, payouts=[100])
    for player in players:
        played.enter(player, member=member)
    played.start()
    for hand, player in enumerate(players[:0:-1], 1):
        played.out(player, players[0], hand=hand)
    return played


@pytest.mark.rule("rpl.toc.7")
def test_the_last_chance_gives_a_seventeenth_seat_and_its_money_goes_to_the_final(league: League) -> None:
    league.of(*games(*(f"w{no}" for no in range(10))), event("more", "w0", *OTHERS, to_final=6_000))
    assert league.add(last_chance("o8", "o9"), "last chance", "--last-chance") == 0
    lines = league.said()
    assert lines[-1] == "seat to be drawn o8, entrant 17: the last chance"
    assert "For the final: 100.00" in lines
    assert league.points()["o8"] < league.points()["o7"], "no points for it"


@pytest.mark.rule("rpl.toc.7")
@pytest.mark.parametrize(
    ("players", "member"), [(("o8", "once"), True), (("o8", "stranger"), True), (("o8", "o9"), False)]
)
def test_the_last_chance_is_for_members_who_played_in_two_events(
    league: League, players: tuple[str, ...], member: bool
) -> None:
    league.of(event("one", "w", "once", *OTHERS), event("two", "v", *OTHERS))
    assert league.add(last_chance(*players, member=member), "last chance", "--last-chance") == 2
    assert "for members" in league.capsys.readouterr().err


@pytest.mark.rule("rpl.league.1")
def test_points_and_the_winner_come_from_play_also_after_a_deal(league: League) -> None:
    played = Played("rpl", 8, buy_in=25, payouts=[60, 40])
    played.start()
    for hand, no in enumerate(range(8, 2, -1), 1):
        played.out(f"p{no}", "p1", hand=hand)
    played.do(MakeDeal((Payment("p1", 15_000), Payment("p2", 4_000)), ("p1", "p2")))
    played.out("p1", "p2", hand=9)
    assert league.add(played, "game") == 0
    assert list(league.points().items())[:2] == [("p2", 100), ("p1", 70)]


@pytest.mark.rule("wfp.seating.2c")
@pytest.mark.parametrize(("forgot", "points"), [("nothing", 100), ("to sign in", 0), ("to check off", 0)])
def test_wfp_who_forgets_to_sign_in_or_to_check_off_gets_no_points(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], forgot: str, points: int
) -> None:
    played = Played("wfp", 4)
    for no in range(1, 5):
        signed: list[Any] = [SignIn(f"p{no}"), CheckOff(f"p{no}")]
        if no == 1 and forgot != "nothing":
            signed.pop(0 if forgot == "to sign in" else 1)
        for command in signed:
            played.do(command)
    played.start()
    for hand, no in enumerate((4, 3, 2), 1):
        played.out(f"p{no}", "p1", hand=hand)
    league = League(tmp_path, capsys, "wfp")
    assert league.add(played, "friday") == 0
    assert league.points() == {"p1": points, "p2": 70, "p3": 50, "p4": 30}


@pytest.mark.rule("ccp.payout.1")
def test_ccp_a_fifth_of_the_money_of_every_event_is_for_the_championship(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    league = League(tmp_path, capsys, "ccp")
    for name in ("one", "two"):
        played = Played("ccp", 2)
        played.start()
        played.out("p2", "p1", hand=1)
        assert league.add(played, name) == 0
    assert "For the final: 20.00" in league.said()
