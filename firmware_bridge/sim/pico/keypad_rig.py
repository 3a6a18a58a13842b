"""A keypad: a matrix of contacts wired to a Pico, and fingers."""

from firmware_bridge.sim.pico.board import Board
from firmware_bridge.sim.pico.timeline import Happening
from firmware_bridge.sim.pico.wires import Wire

# Where hardware/firmware/keypad has them; a test holds the two against each other.
ROW_PINS = (2, 3, 4, 5, 6, 7, 8)
COLUMN_PINS = (9, 10, 11, 12, 13, 14, 15)
LAMP_PIN, BUZZER_PIN = 18, 19


class _Row(Wire):
    def __init__(self) -> None:
        self.high = 0

    def driven(self, level: int) -> None:
        self.high = level


class _Column(Wire):
    """High where a key of it is closed whose row is high."""

    def __init__(self, rows: list[_Row]) -> None:
        self._rows = rows
        self.closed: list[int] = []  # rows

    def level(self) -> int:
        for row in self.closed:
            if self._rows[row].high:
                return 1
        return 0


class _Moves(Happening):
    def __init__(self, column: _Column, row: int, level: int) -> None:
        self._column = column
        self._row = row
        self._level = level

    def happen(self, now: int) -> None:
        closed = self._column.closed
        if self._level and self._row not in closed:
            closed.append(self._row)
        elif not self._level and self._row in closed:
            closed.remove(self._row)


class KeypadRig:
    """`keys`: the key codes row by row, as they are wired."""

    def __init__(self, board: Board, keys: tuple[tuple[int | None, ...], ...]) -> None:
        self.board = board
        self._places: dict[int, tuple[int, int]] = {}
        rows = [_Row() for _ in ROW_PINS]
        self._columns = [_Column(rows) for _ in COLUMN_PINS]
        for number, row in zip(ROW_PINS, rows):  # noqa: B905
            board.join(number, row)
        for number, column in zip(COLUMN_PINS, self._columns):  # noqa: B905
            board.join(number, column)
        for at, codes in enumerate(keys):
            for column_at, code in enumerate(codes):
                if code is not None:
                    self._places[code] = (at, column_at)

    def touch(self, code: int, edges: list[tuple[int, int]]) -> None:
        """Let the contact of a key change: [(time, level)]."""
        row, column = self._places[code]
        for at, level in edges:
            self.board.time.plan(at, _Moves(self._columns[column], row, level))
