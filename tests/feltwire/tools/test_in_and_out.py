"""Players from other programs, sheets out of a ledger, a season as CSV: commands of a shell."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from feltwire.cli import main
from feltwire.ledger.tournament_ledger import TournamentLedger
from feltwire.station.players_store import PlayersStore
from table_core.tournament.sheet_text import read_csv
from table_core.tournament.tdt import TdtError, read_tdt
from tests.table_core.tournament.simulated import Simulated


def player(uuid: str, nick: str, first: str, last: str, *outs: int | None) -> str:
    """As The Tournament Director 3 writes one: a buy-in each, with when its chips were gone."""
    bought = ", ".join(
        "new GameBuyin({Time: 1, Round: 1, Amount: 200, Rake: new PerPlayerRake([0]), Chips: 10000"
        + (f', BustOut: new GameBustOut({{Time: {out}, Round: 2, HitmanUUID: ["u1"]}})' if out is not None else "")
        + "})"
        for out in outs
    )
    name = f'new PlayerName({{UUID: "{uuid}", Nickname: "{nick}", Firstname: "{first}", Lastname: "{last}"}})'
    return f'["{uuid}", new GamePlayer({{UUID: "{uuid}", Name: {name}, Buyins: [{bought}], AddOns: []}})]'


PLAYERS = ", ".join(
    [
        player("u1", "The Ace", "Ann", "Arbor", None),
        player("u2", 'Ben \\"B\\" Å', "", "", 300),
        player("u3", "Cy", "", "", 100, 200),
        player("u4", "never came", "", ""),
    ]
)
PRIZE = 'new GamePrize({Recipient: 1, Amount: 50, CalculatedAmount: 400, AwardedToPlayers: ["u1"]})'
TDT = (
    '{ V: "3.7.2", T: new Tournament({UUID: "t", Title: "Friday", Notes: null, Financials: new FinancialConfig({'
    'Rake: new PerPlayerRake([0.5]), Text: "IF (r > 1, {x}, [y])"}), '
    f"Players: new GamePlayers({{Players: Map.from([{PLAYERS}])}}), "
    f"Prizes: new GamePrizes({{Prizes: [{PRIZE}]}}), ClockRunning: false, Left: -1}}) }}"
)


@pytest.fixture
def tdt(tmp_path: Path) -> Path:
    path = tmp_path / "friday.tdt"
    path.write_text(TDT, "utf-8")
    return path


def test_players_of_the_tournament_director_become_a_list(tdt: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["players", str(tdt)]) == 0
    out, err = capsys.readouterr()
    assert [row["name"] for _, row in read_csv(out)] == ["Ann Arbor", 'Ben "B" Å', "Cy", "never came"]
    assert "4 players, 0 lines left out" in err
    assert "friday.tdt: not taken over: Financials, Left\n" in err


def test_what_of_a_tournament_is_lost_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "friday.tdt"
    path.write_text(TDT.replace("AddOns: []", 'AddOns: [1], Notes: "pays by card"'), "utf-8")
    assert main(["players", str(path)]) == 0
    assert "not taken over: Financials, Left; of players: AddOns, Notes\n" in capsys.readouterr().err
    assert main(["season", str(tmp_path / "season.jsonl"), "--rulebook", "wfp", "--add", str(path)]) == 0
    assert "not taken over: entries and prizes, which a season does not keep; Fin" in capsys.readouterr().err


def test_its_places_are_by_when_the_last_chips_were_gone(tdt: Path) -> None:
    file = read_tdt(tdt.read_text())
    result = file.result()
    assert (result.event, result.entrants) == ("Friday", 3)
    assert [(one.place, one.player) for one in result.finishers] == [(1, "Ann Arbor"), (2, 'Ben "B" Å'), (3, "Cy")]
    assert [(one.entries, one.prize) for one in file.players] == [(1, 400.0), (1, 0.0), (2, 0.0), (0, 0.0)]


def test_its_result_counts_in_a_season(tdt: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    season = str(tmp_path / "season.jsonl")
    assert main(["season", season, "--rulebook", "wfp", "--add", str(tdt)]) == 0
    capsys.readouterr()
    assert main(["season", season, "--rulebook", "wfp", "--points", "10", "5", "1", "--form", "csv"]) == 0
    rows = [row for _, row in read_csv(capsys.readouterr().out)]
    assert [(row["rank"], row["player"], row["points"]) for row in rows] == [
        ("1", "Ann Arbor", "10"), ("2", 'Ben "B" Å', "5"), ("3", "Cy", "1"),
    ]  # fmt: skip


def test_a_player_of_the_tournament_director_is_who_has_that_name_in_the_season_and_perhaps_is_asked(
    tdt: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    season, saturday = str(tmp_path / "season.jsonl"), tmp_path / "saturday.tdt"
    assert main(["season", season, "--rulebook", "wfp", "--add", str(tdt)]) == 0
    saturday.write_text(
        TDT.replace('"Friday"', '"Saturday"').replace('"Ann"', '"ann "').replace("Å", "A"), "utf-8"
    )
    assert main(["season", season, "--rulebook", "wfp", "--add", str(saturday)]) == 2
    said = capsys.readouterr().err
    assert 'Ben "B" A is perhaps Ben "B" Å (Ben "B" Å) of the season' in said
    sure = ["--same", 'Ben "B" A', 'Ben "B" Å']
    assert main(["season", season, "--rulebook", "wfp", "--add", str(saturday), *sure]) == 0
    capsys.readouterr()
    assert main(["season", season, "--rulebook", "wfp", "--points", "10", "5", "1", "--form", "csv"]) == 0
    rows = [row for _, row in read_csv(capsys.readouterr().out)]
    assert [(row["player"], row["points"]) for row in rows] == [
        ("Ann Arbor", "20"), ('Ben "B" Å', "10"), ("Cy", "2"),
    ]  # fmt: skip


def test_a_name_of_the_tournament_director_that_is_none_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "odd.tdt"
    path.write_text(TDT.replace('"Ann"', '"Ann\u202e"').replace('"Cy"', '"ben b å"'), "utf-8")
    assert main(["players", str(path)]) == 1
    out, err = capsys.readouterr()
    assert [row["name"] for _, row in read_csv(out)] == ['Ben "B" Å', "never came"]
    assert "line 1: the name of player u1: A name turns no other text around" in err
    assert "line 3: ben b å stands in line 2 already" in err
    with pytest.raises(TdtError, match="direction mark U"):
        read_tdt(path.read_text("utf-8")).result()


def test_a_tournament_that_is_not_over_has_no_result(tmp_path: Path) -> None:
    path = tmp_path / "now.tdt"
    path.write_text(TDT.replace("Time: 300", 'Time: "?"'))
    with pytest.raises(TdtError, match="not over: 2 players are in"):
        read_tdt(path.read_text()).result()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "expected a value"),
        ("{ V: 1 }", "no tournament in it"),
        ('{ T: new Tournament({Title: "x" ', "expected"),
        ("{ T: new }", "a name after `new`"),
        ("[" * 5_000, "values at most 100 deep"),
        ("{} {}", "the end of the file"),
        ("{ T: 1e400 }", "line 1, near .*a number of 30 signs"),
        ("{\n T: " + "9" * 5_000, "line 2, near .*a number of 30 signs"),
        ("{ T: alert(1) + 2 }", "expected"),
    ],
)
def test_what_is_no_such_file_is_told_with_its_place(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(TdtError, match=why):
        read_tdt(text)


def test_a_list_with_wrong_lines_is_told_and_the_others_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "list.csv"
    path.write_text("First name,Last name,Phone\nAnn,Arbor,555\n,,555\n")
    assert main(["players", str(path)]) == 1
    out, err = capsys.readouterr()
    assert [row["name"] for _, row in read_csv(out)] == ["Ann Arbor"]
    assert "line 3: no name" in err


def test_what_was_assumed_about_a_list_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "list.csv"
    path.write_bytes("name;member\r\nJosé Peña;yes\r\n".encode("cp1252"))
    assert main(["players", str(path)]) == 0
    out, err = capsys.readouterr()
    assert [row["name"] for _, row in read_csv(out)] == ["José Peña"]
    assert "read as Windows-1252 (Western European), 'José' for one" in err
    assert "cells are separated by semicolons" in err


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a station after a night of nine players."""
    night = Simulated("rpl", 9, 3)
    night.play()
    path = tmp_path_factory.mktemp("station")
    ledger = TournamentLedger.open(path / "tournament.ledger")
    ledger.append(night.night.records)
    ledger.close()
    names = PlayersStore.open(path)
    for player_ in night.night.state.field.entrants:
        names.save(player_, f"Name of {player_}")
    names.close()
    return path


def test_a_recorded_night_is_written_without_the_station(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sheets", str(folder)]) == 0
    assert "results: 9 lines" in capsys.readouterr().out
    assert main(["sheets", str(folder), "results"]) == 0
    rows = [row for _, row in read_csv(capsys.readouterr().out)]
    assert [row["place"] for row in rows][:2] == ["1", "2"]
    assert all(row["name"].startswith("Name of ") for row in rows)
    assert main(["sheets", str(folder), "players", "--json"]) == 0
    players = json.loads(capsys.readouterr().out)
    assert {row["status"] for row in players} <= {"out", "playing", "cancelled"}


def test_a_season_has_names_where_they_are_kept(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    season = str(tmp_path / "season.jsonl")
    ledger = str(folder / "tournament.ledger")
    assert main(["season", season, "--rulebook", "rpl", "--add", ledger]) == 0
    capsys.readouterr()
    points = ["--points", "9", "5", "1"]
    assert main(["season", season, "--rulebook", "rpl", *points, "--names", str(folder)]) == 0
    assert "  1 Name of p" in capsys.readouterr().out
    assert main(["season", season, "--rulebook", "rpl", *points, "--form", "json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["points"] == 9


def test_a_folder_without_a_tournament_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sheets", str(tmp_path), "results"]) == 2
    assert "tournament.ledger" in capsys.readouterr().err
