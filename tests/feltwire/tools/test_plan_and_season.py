"""`feltwire plan` and `feltwire season`."""

from __future__ import annotations

from pathlib import Path

import pytest

from feltwire.cli import main
from feltwire.ledger.tournament_ledger import TournamentLedger
from tests.table_core.tournament.simulated import Simulated


def test_a_suggested_schedule_is_one_that_holds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "--rulebook", "ccp", "--players", "27", "--hours", "4"]) == 0
    levels = tmp_path / "levels.csv"
    levels.write_text(capsys.readouterr().out)
    assert main(["plan", "--check", str(levels)]) == 0
    assert capsys.readouterr().out == "12 levels, 270 minutes with breaks\n"
    levels.write_text(levels.read_text().replace(",20,", ",soon,", 1))
    assert main(["plan", "--check", str(levels)]) == 2
    assert "line 2: minutes 'soon'" in capsys.readouterr().err


def test_a_schedule_is_the_same_in_both_forms(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wanted = ["plan", "--rulebook", "home", "--template", "standard", "--levels", "10", "--colour-up", "5", "25"]
    assert main(wanted) == 0
    as_csv = capsys.readouterr().out
    assert main([*wanted, "--toml"]) == 0
    toml = tmp_path / "levels.toml"
    toml.write_text(capsys.readouterr().out)
    assert main(["plan", "--convert", str(toml)]) == 0
    assert capsys.readouterr().out == as_csv
    assert ",0,0,0,0,60,break,meal," in as_csv
    toml.write_text(toml.read_text().replace("small_blind = 5", 'small_blind = "five"', 1))
    assert main(["plan", "--check", str(toml)]) == 2
    assert "levels[0].small_blind" in capsys.readouterr().err


def test_blinds_and_ante_double_every_two_hours_of_play(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "--rulebook", "home", "--doubling", "5/10/1", "--levels", "2", "--starts", "19:00"]) == 0
    rows = [line.split(",") for line in capsys.readouterr().out.splitlines()[1:]]
    assert [row[1:4] for row in rows if not row[6]] == [["5", "10", "1"]] * 2 + [["10", "20", "2"]] * 3
    assert [row[5] for row in rows if not row[6]] == ["60", "60", "60", "60", "30"], "to midnight or so"
    assert [row[5] for row in rows if row[6]] == ["10"] * 4, "a break after each hour"
    assert main(["plan", "--rulebook", "ccp", "--doubling", "5/10/1"]) == 2


def test_a_suggestion_says_what_it_comes_to(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "--players", "20", "--hours", "4", "--stack", "5000"]) == 0
    assert capsys.readouterr().err.startswith("12 levels, 4:10 with breaks; 100,000 chips are ")


def test_a_file_that_is_not_there_is_told_with_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["plan", "--check", str(tmp_path / "none.csv")]) == 2
    assert "No such file or directory; name an existing file" in capsys.readouterr().err
    assert main(["season", str(tmp_path / "none.jsonl"), "--points", "3"]) == 2
    assert "there is no season yet; write its first event: --add LEDGER" in capsys.readouterr().err


def test_how_many_players_a_chip_set_is_for(capsys: pytest.CaptureFixture[str]) -> None:
    chips = ["5=100", "10=100", "25=50", "50=50", "100=20"]
    assert main(["plan", "--rulebook", "home", "--chips", *chips]) == 0
    assert capsys.readouterr().out == "6 players\n"
    assert main(["plan", "--rulebook", "ccp", "--chips", *chips]) == 2
    assert "--in-stack" in capsys.readouterr().err


def test_what_a_stack_is_made_of_and_what_is_short(capsys: pytest.CaptureFixture[str]) -> None:
    chips = ["25=200", "100=200", "500=60"]
    assert main(["plan", "--chips", *chips, "--players", "12", "--stack", "5000", "--rebuys", "4"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "A stack is 24 chips: 8 of 25, 8 of 100, 8 of 500.",
        "Short for 16 stacks: 68 of 500. The chips are enough for 7.",
        "     25:   8 a stack,   128 needed,    72 left",
        "    100:   8 a stack,   128 needed,    72 left",
        "    500:   8 a stack,   128 needed,   -68 left",
    ]


def played(folder: Path, seed: int) -> Path:
    """The ledger of a whole night of rpl with nine players."""
    night = Simulated("rpl", 9, seed)
    night.play()
    path = folder / f"night-{seed}.ledger"
    ledger = TournamentLedger.open(path)
    ledger.append(night.night.records)
    ledger.close()
    return path


def test_nights_become_a_season_with_its_final(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    season = tmp_path / "season.jsonl"
    for seed in (1, 2):
        added = ["season", str(season), "--rulebook", "rpl", "--add", str(played(tmp_path, seed))]
        assert main([*added, "--event", f"night {seed}"]) == 0
    assert main([*added, "--event", "night 2"]) == 2
    assert "already" in capsys.readouterr().err
    assert (
        main(["season", str(season), "--rulebook", "rpl", "--points", "9", "8", "7", "6", "5", "4", "3", "2"]) == 0
    )
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "night 1: 9 entrants"
    assert lines[2].startswith("  1 ")
    final = lines.index("Final:")
    winners = [line for line in lines[final:] if line.endswith("a winner")]
    assert len(winners) in (1, 2)
    assert lines[final + 1].startswith("T1S1 ")


def test_a_line_that_is_no_result_is_told_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    season = tmp_path / "season.jsonl"
    season.write_text("{}\n")
    assert main(["season", str(season), "--rulebook", "rpl", "--points", "1"]) == 2
    assert "season.jsonl: line 1 cannot be read" in capsys.readouterr().err
