"""Log lines: whatever a value brings, one record is one line."""

from __future__ import annotations

import logging

from feltwire.runtime.log_lines import OneLine


def test_control_characters_in_a_value_begin_no_line_and_move_no_cursor() -> None:
    record = logging.makeLogRecord({"msg": "refused: %s", "args": ("Ann\nINFO root: done\x1b[2J\u2028x",)})
    assert OneLine("%(message)s").format(record) == r"refused: Ann\nINFO root: done\x1b[2J\u2028x"
