"""From a room at home to a venue: what `--export` writes is what `feltwire provision` and the station take."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec
import pytest

from feltwire.cli import main
from feltwire.config import StationConfig, TableConfig, load
from feltwire.install.bundle import read_bundle
from feltwire.ledger.season_file import SeasonFile
from feltwire.station.players_store import names_in
from table_core.toml_text import read_toml
from table_core.tournament.money.league import EventResult, Finisher
from tests.feltwire.home.open_home import OpenHome
from tests.ports import free_base

C = TypeVar("C")
RESULT = EventResult("Friday", 2, (Finisher("p1", 1), Finisher("p2", 2)))


def test_the_bundles_of_the_venue_say_what_the_room_at_home_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home, to, keys = tmp_path / "home", tmp_path / "to", tmp_path / "keys"
    with OpenHome(home, "--tables", "2", "--book", "wfp", "--port", str(free_base()), "--embedded-broker") as room:
        director = room.director
        tables = [{"table": "01", "seats": 9}]
        house = {"starting_stack": 5_000, "clock_seconds": 45}
        director.director("open", name="Friday", house=house, tables=tables)
        director.director("register_new", name="Ann Example", member=True, adult=True)
        SeasonFile(home / "records" / "season.jsonl").keep([RESULT])
        assert main(["home", "--data", str(home), "--export", str(to)]) == 0, "also while the room is open"
        assert room.end() == 0
    said = capsys.readouterr().out
    assert "1 players and the season" in said
    assert "give it again when one is opened: starting_stack\n" in said
    assert "Does not go along: the tables' ledgers" in said

    assert main(["provision", "check", str(to / "hall.toml")]) == 0
    assert main(["provision", "bundles", str(to / "hall.toml"), str(keys)]) == 0
    station = _settings(keys / "bundles" / "station.bundle", StationConfig)
    here = load(home / "settings" / "station.toml", StationConfig)
    same = ("tables", "levels", "rulebook", "time_zone", "admission", "autostart")
    assert [getattr(station, name) for name in same] == [getattr(here, name) for name in same]
    assert (station.title, station.house) == ("Friday", {"clock_seconds": 45})
    for table in ("01", "02"):
        there = _settings(keys / "bundles" / f"table-{table}.bundle", TableConfig)
        was = load(home / "settings" / f"table-{table}.toml", TableConfig)
        same = ("table", "levels", "rulebook", "smallest_chip", "admission", "keypad", "shoe", "camera")
        assert [getattr(there, name) for name in same] == [getattr(was, name) for name in same]
    assert names_in(to / "station") == {"p1": "Ann Example"}
    assert SeasonFile(to / "station" / "season.jsonl").results == (RESULT,)
    assert not [path for path in to.rglob("*") if path.stat().st_mode & 0o077]
    passwords = [read_toml(file.read_text())["broker"]["password"] for file in (home / "settings").iterdir()]
    written = b"".join(path.read_bytes() for path in to.rglob("*") if path.is_file())
    assert not any(password.encode() in written for password in passwords)


def test_a_room_that_never_was_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["home", "--data", str(tmp_path / "home"), "--export", str(tmp_path / "to")]) == 2
    assert "no room was opened from here yet" in capsys.readouterr().err
    assert not (tmp_path / "to").exists()


def _settings(bundle: Path, kind: type[C]) -> C:
    files = read_bundle(bundle).files
    name = next(name for name in files if name in ("station.toml", "table.toml"))
    return msgspec.convert(read_toml(files[name].decode()), kind)
