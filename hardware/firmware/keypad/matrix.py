"""The keys: a matrix of rows that are driven and columns that are pulled down, a diode at each key from row to
column (or three keys held together show a fourth that is not)."""

import time

from machine import Pin

ROW_PINS = (2, 3, 4, 5, 6, 7, 8)
COLUMN_PINS = (9, 10, 11, 12, 13, 14, 15)
_RISE_US = 10  # a long wire takes a moment to follow

# Key codes (docs/wire.md) as the keys are wired, row by row.
KEYS = (
    (41, 42, 43, 44, 45, 46, 47),  # seats 1 to 7
    (48, 49, 50, 51, 24, 34, 33),  # seats 8 to 11, new hand, time, floor
    (7, 8, 9, 16, 26, 27, 32),  # 7 8 9, fold, tabled, muck, undo
    (4, 5, 6, 17, 28, 29, 35),  # 4 5 6, check or call, award, split, button here
    (1, 2, 3, 18, 13, 37, 36),  # 1 2 3, bet or raise, seat, count, away
    (0, 10, 11, 19, 38, 39, 12),  # 0 00 000, all-in, out of the hand, old level, clear
    (20, 25, None, None, None, None, None),  # street, pot pushed
)


class Matrix:
    def __init__(self):
        self._rows = [Pin(number, Pin.OUT, value=0) for number in ROW_PINS]
        self._columns = [Pin(number, Pin.IN, Pin.PULL_DOWN) for number in COLUMN_PINS]

    def scan(self):
        """`[(key code, level)]` of every key."""
        levels = []
        for row, codes in zip(self._rows, KEYS):  # noqa: B905  (MicroPython's zip knows no strict)
            row.value(1)
            time.sleep_us(_RISE_US)
            for column, code in zip(self._columns, codes):  # noqa: B905
                if code is not None:
                    levels.append((code, column.value()))
            row.value(0)
        return levels
