"""A venue's floor plan is data in the station's settings; what is wrong in it is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from feltwire.config import ConfigError, StationConfig, load

STATION = """venue = "hall"
data = "unused"
tables = ["01", "02"]
levels = [{no = 1, small_blind = 25, big_blind = 50, minutes = 20}]
plan = {%s}
"""


def loaded(folder: Path, plan: str) -> StationConfig:
    file = folder / "station.toml"
    file.write_text(STATION % plan)
    return load(file, StationConfig)


def test_each_table_has_a_row_and_a_column_of_the_room(tmp_path: Path) -> None:
    assert loaded(tmp_path, '"01" = [1, 1], "02" = [1, 3]').plan == {"01": (1, 1), "02": (1, 3)}


@pytest.mark.parametrize(
    ("plan", "says"),
    [
        ('"03" = [1, 1]', "there is no table 03"),
        ('"01" = [1, 1], "02" = [1, 1]', "two tables stand in the same place"),
        ('"01" = [0, 1]', ">= 1"),
    ],
)
def test_a_wrong_plan_is_said(tmp_path: Path, plan: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        loaded(tmp_path, plan)
