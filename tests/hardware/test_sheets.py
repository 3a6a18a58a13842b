"""Print sheets: their size on paper, and what is on them, measured in the files themselves."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from hardware.drawings import sheets
from hardware.drawings.bodies.keypad import keypad
from table_core.messages import Key

PAD = keypad()
KEYS, LAMPS, SCREWS, SOUND = 44, 12, 6, 5


def sheet(name: str) -> str:
    return (sheets.SHEETS / name).read_text("utf-8")


def numbers(text: str, pattern: str) -> list[tuple[float, ...]]:
    return [tuple(float(number) for number in found) for found in re.findall(pattern, text)]


@pytest.mark.parametrize("name", ["keypad-plate.svg", "keypad-plate.dxf", "keypad-legends.svg"])
def test_sheets_are_those_of_the_data(name: str) -> None:
    assert sheet(name) == sheets.files(PAD)[name], "python -m hardware.drawings sheets"


@pytest.mark.parametrize("name", ["keypad-plate.svg", "keypad-legends.svg"])
def test_a_sheet_is_a4_at_full_size_with_a_ruler_to_check_it(name: str) -> None:
    text = sheet(name)
    assert "width='210mm' height='297mm' viewBox='0 0 210 297'" in text
    assert "A4, print at 100 percent" in text
    rulers = numbers(text, r"<path d='M([\d.]+),([\d.]+) L([\d.]+),([\d.]+)'")
    assert any(x1 - x0 == 100 and y0 == y1 for x0, y0, x1, y1 in rulers)
    boxes = numbers(text, r"<rect x='([\d.]+)' y='([\d.]+)' width='([\d.]+)' height='([\d.]+)'")
    assert all(x + wide <= 210 and y + high <= 297 for x, y, wide, high in boxes)


def test_the_plates_key_cut_outs_are_14_mm_wide_and_19_05_mm_apart() -> None:
    cut = re.compile(r"<rect x='([\d.]+)' y='([\d.]+)' width='14' height='14'")
    squares = sorted((float(y), float(x)) for x, y in cut.findall(sheet("keypad-plate.svg")))
    assert len(squares) == KEYS
    last_row_but_one = [x for y, x in squares if y == squares[-3][0]]
    assert [b - a for a, b in pairwise(last_row_but_one)] == [pytest.approx(19.05, abs=0.011)] * 6


def test_the_cutters_file_has_the_outline_and_every_hole() -> None:
    lines = sheet("keypad-plate.dxf").splitlines()
    pairs = list(zip(lines[::2], lines[1::2], strict=True))
    kinds = [value for code, value in pairs if code == "0"]
    assert (kinds.count("CIRCLE"), kinds.count("ARC")) == (LAMPS + SCREWS + SOUND, 4)
    assert kinds.count("LINE") == 4 * KEYS + 4
    xs = [float(value) for code, value in pairs if code in ("10", "11")]
    assert (min(xs), max(xs)) == (0.0, pytest.approx(PAD.wide))
    radii = [float(value) for code, value in pairs if code == "40"]
    assert radii.count(PAD.bought.screw.clear / 2) == SCREWS


def test_every_key_of_the_keypad_has_its_legend() -> None:
    text = sheet("keypad-legends.svg")
    assert len(re.findall(r"width='14' height='14'", text)) == KEYS
    words = re.findall(r">([^<>]+)</text>", text)
    for code in PAD.keys:
        assert set(sheets.legend(code)) <= set(words)
    assert sheets.legend(Key.SEAT_11) == ["SEAT", "11"]
    assert sheets.legend(Key.D00) == ["00"]
    assert sheets.legend(Key.CHECK_CALL) == ["CHECK", "CALL"]
