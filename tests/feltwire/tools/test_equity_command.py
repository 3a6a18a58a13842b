"""`feltwire equity`."""

import json
from fractions import Fraction

import pytest

from feltwire.cli import main


def test_equities_wins_and_ties_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["equity", "AhKh", "QsQd", "--json"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert line["boards"] == 1_712_304
    assert line["equities"] == pytest.approx([0.462144572, 0.537855427])
    assert line["win"] == pytest.approx([787_966 / 1_712_304, 917_606 / 1_712_304])
    assert line["tie"] == pytest.approx([6_732 / 1_712_304] * 2)
    assert sum(map(Fraction, line["shares"])) == 1
    assert line["ms"] > 0
    assert "outs" not in line


def test_outs_come_with_flop_and_turn(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["equity", "AhKd", "AsQd", "--board", "Ac 9c", "5d9h", "--json"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert line["outs"] == [{"win": [], "tie": []}, {"win": ["Qc", "Qh", "Qs"], "tie": ["9d", "9s", "Ad"]}]


def test_dead_cards_are_out_of_the_deck(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["equity", "AhKd", "AsQd", "--board", "Ac9c5d9h", "--dead", "Qc,Qh", "9d", "--json"]) == 0
    line = json.loads(capsys.readouterr().out)
    assert line["outs"][1] == {"win": ["Qs"], "tie": ["9s", "Ad"]}
    assert line["boards"] == 41


def test_a_table_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["equity", "ahkd", "As Qd", "--board", "ac9c5d9h"]) == 0
    text = capsys.readouterr().out
    assert "AhKd" in text
    assert "ahead" in text
    assert "3 outs Qc Qh Qs; 3 to tie 9d 9s Ad" in text
    assert "44 boards, exact" in text


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["AhKd"], "1 hand given; equity is between 2 and 11 hands"),
        (["AhKd", "AhQs"], "Ah is given twice: in hand 1 and in hand 2"),
        (["AhKd", "QsQh", "--board", "2cKd"], "Kd is given twice: in hand 1 and on the board"),
        (["AhKd", "QsQh", "--dead", "Qs"], "Qs is given twice: in hand 2 and among the dead cards"),
        (["AhKd", "QsXh"], "hand 2: 'Xh' is not a card; expected rank"),
        (["AhKd", "QsQ"], "hand 2: 'QsQ' has a card of one letter"),
        (["AhKd", "QsQhQd"], "hand 2 has 3 cards; a hand is 2 cards"),
    ],
)
def test_cards_that_cannot_be_are_named(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["equity", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"feltwire equity: {says}")
    assert captured.err.count("\n") == 1
