"""Lists of other programs: their columns, whatever separates them."""

from __future__ import annotations

import pytest

from table_core.tournament.players_text import read_players
from table_core.tournament.schedule_text import read_schedule, to_csv
from table_core.tournament.sheet_text import BEYOND, read_csv, separator_of
from tests.table_core.tournament.simulated import LEVELS

HEAD, ROWS = ("name", "buy-in", "note"), (("Ruiz, Ana", "1,50", "a|b"), ("Bär; Udo", "2", ""))


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_a_separator_is_told_by_rows_of_one_length(separator: str) -> None:
    def cell(text: str) -> str:
        return f'"{text}"' if separator in text else text

    text = "".join(separator.join(map(cell, row)) + "\n" for row in (HEAD, *ROWS))
    assert [(line, *row.values()) for line, row in read_csv(text)] == [(2, *ROWS[0]), (3, *ROWS[1])]


@pytest.mark.parametrize("said", ["sep=;", "SEP=;", '"sep=;"'])
def test_a_line_that_says_the_separator_is_no_row(said: str) -> None:
    text = f"{said}\nname,member;online\nAnn;yes\n"
    assert separator_of(text) == (";", 1)
    assert list(read_csv(text)) == [(3, {"name,member": "Ann", "online": "yes"})]


def test_a_list_of_one_column_has_whole_lines() -> None:
    assert [row["name"] for _, row in read_csv("name\nRuiz, Ana\nBär; Udo\n")] == ["Ruiz, Ana", "Bär; Udo"]


def test_what_no_column_has_is_not_lost() -> None:
    text = "name,member\nAnn,yes\nRuiz, Ana,yes\nCy,no,,\n"
    assert [row.get(BEYOND) for _, row in read_csv(text)] == [None, "yes", None]
    listed, wrong = read_players(text)
    assert [one.name for one in listed] == ["Ann", "Cy"]
    assert str(wrong[0]).startswith("line 3: 'yes' has no column")


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_schedule_is_the_same_with_each_separator(separator: str) -> None:
    text = to_csv(LEVELS).replace(",", separator)
    assert read_schedule(text) == LEVELS
    assert read_schedule(f"\n{text}\n\n") == LEVELS


def test_half_minutes_have_a_comma_where_cells_have_semicolons() -> None:
    (level,) = read_schedule("level;small_blind;big_blind;minutes\n1;25;50;12,5\n")
    assert level.minutes == 12.5
