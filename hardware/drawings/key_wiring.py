"""The keypad's plate from below: how keys, diodes and lamps are wired by hand."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from hardware.drawings import PICTURES, svg
from hardware.drawings.bodies.keypad import KEYS, Keypad, keypad
from hardware.drawings.sheets import legend

PICTURE = PICTURES / "keypad-wiring.svg"
_LEFT, _TOP = 12.0, 18.0
_ROW, _COLUMN, _DATA = "#0050d0", "#f08000", "#109020"
# Pins of an MX key from the middle, seen from above with them on the far side, and where a column's wire runs.
FIRST_PIN, SECOND_PIN = (-3.81, 2.54), (2.54, 5.08)
_COLUMN_X, _ROW_Y = 6.6, 7.6


def write() -> None:
    PICTURES.mkdir(exist_ok=True)
    PICTURE.write_text(picture(keypad()), "utf-8")


def picture(pad: Keypad) -> str:
    shapes = [
        svg.text(_LEFT, 8, "Keypad from below (left and right are changed)", size=4.2, weight="bold"),
        svg.text(
            _LEFT, 14, "blue: rows, orange: columns, green: the lamps' data. Each diode's ring to its key.", size=3
        ),
        svg.rectangle(_LEFT, _TOP, pad.wide, pad.deep, fill="#fbf7ec", round_by=pad.corner),
    ]
    for row in range(len(KEYS)):
        shapes += _row(pad, row)
    for column in range(len(KEYS[0])):
        shapes += _column(pad, column)
    shapes += _lamps(pad)
    return svg.document(pad.wide + 2 * _LEFT, pad.deep + _TOP + 12, shapes)


def _at(pad: Keypad, x: float, y: float) -> tuple[float, float]:
    return _LEFT + pad.wide - x, _TOP + pad.deep - y


def _row(pad: Keypad, row: int) -> Iterator[str]:
    codes = [code for code in KEYS[row] if code is not None]
    places = [pad.keys[code] for code in codes]
    wire = [_at(pad, x + FIRST_PIN[0], y + _ROW_Y) for x, y in places]
    end = (_LEFT + pad.wide - 1.5, wire[0][1])
    yield svg.path([end, wire[-1]], line=_ROW, width=0.5)
    yield svg.text(end[0] + 2.5, end[1] + 1, f"row {row + 1}", size=2.6, colour=_ROW)
    for code, (x, y) in zip(codes, places, strict=True):
        yield from _key(pad, code, x, y)


def _key(pad: Keypad, code: int, x: float, y: float) -> Iterator[str]:
    half = pad.bought.key.cut_out / 2
    left, top = _at(pad, x + half, y + half)
    yield svg.rectangle(left, top, 2 * half, 2 * half, fill="#4a4a55")
    middle, words = _at(pad, x, y), " ".join(legend(code))
    yield svg.circle(*middle, 2.0, fill="#6a6a75")
    yield svg.text(
        middle[0], middle[1] + 5.6, words, size=min(1.9, 20 / len(words)), anchor="middle", colour="#fff"
    )
    first = _at(pad, x + FIRST_PIN[0], y + FIRST_PIN[1])
    joint = _at(pad, x + FIRST_PIN[0], y + _ROW_Y)
    yield svg.path([joint, first], line="#222", width=0.35)
    yield svg.rectangle(joint[0] - 0.8, joint[1] + 1.1, 1.6, 2.8, fill="#d98a4a", width=0.15)
    yield svg.rectangle(joint[0] - 0.8, joint[1] + 3.1, 1.6, 0.5, fill="#111", line="none")
    yield svg.circle(*joint, 0.6, fill=_ROW)
    second = _at(pad, x + SECOND_PIN[0], y + SECOND_PIN[1])
    turn = _at(pad, x + _COLUMN_X, y + SECOND_PIN[1])
    yield svg.path([second, turn], line=_COLUMN, width=0.5)
    for pin in (first, second):
        yield svg.circle(*pin, 0.7, fill="#d8d8d8", line="#222", width=0.15)


def _column(pad: Keypad, column: int) -> Iterator[str]:
    codes = [codes[column] for codes in KEYS if codes[column] is not None]
    places = [pad.keys[code] for code in codes if code is not None]
    wire = [_at(pad, x + _COLUMN_X, y + SECOND_PIN[1]) for x, y in places]
    end = (wire[0][0], _TOP + pad.deep - 1.5)
    yield svg.path([wire[0], end], line=_COLUMN, width=0.5)
    yield svg.text(end[0], end[1] + 5, f"column {column + 1}", size=2.6, anchor="middle", colour=_COLUMN)


def _lamps(pad: Keypad) -> Iterator[str]:
    (long, _), half = pad.bought.lamp.piece, 4.0
    places = [_at(pad, x, y) for x, y in pad.lamps]
    for before, after in itertools.pairwise(places):
        yield svg.path([before, after], line=_DATA, width=0.4, dashes="1.4 0.8")
    for number, (x, y) in enumerate(places):
        yield svg.rectangle(x - long / 2, y - half, long, 2 * half, fill="#eef3ee", line="#555")
        yield svg.rectangle(x - 2.5, y - 2.5, 5, 5, fill="#fff", line="#999")
        yield svg.text(x, y + 0.9, "own" if number == 0 else str(number), size=2.4, anchor="middle")
