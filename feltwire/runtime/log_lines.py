"""Log lines of every process: one record is one line, whatever text a value brings."""

from __future__ import annotations

import logging
import re

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class OneLine(logging.Formatter):
    """Escapes control characters in the message; a traceback behind it keeps its lines.

    >>> OneLine("%(message)s").format(logging.makeLogRecord({"msg": "a\\nb"}))
    'a\\\\nb'
    """

    def formatMessage(self, record: logging.LogRecord) -> str:
        record.message = _CONTROL.sub(lambda found: repr(found[0])[1:-1], record.message)
        return super().formatMessage(record)


def log_to_stderr() -> None:
    """The log of this process, from level info on."""
    handler = logging.StreamHandler()
    handler.setFormatter(OneLine("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
