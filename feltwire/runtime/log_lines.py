"""Log lines of every process: one record is one line, whatever text a value brings."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime

import msgspec

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class OneLine(logging.Formatter):
    """Escapes control characters in the message; a traceback behind it keeps its lines.

    >>> OneLine("%(message)s").format(logging.makeLogRecord({"msg": "a\\nb"}))
    'a\\\\nb'
    """

    def formatMessage(self, record: logging.LogRecord) -> str:
        record.message = _CONTROL.sub(lambda found: repr(found[0])[1:-1], record.message)
        return super().formatMessage(record)


class JsonLine(logging.Formatter):
    """One JSON object a line: `at` (UTC), `level`, `part`, `text`, and `trace` where an exception led there.

    >>> record = logging.makeLogRecord({"name": "bus", "levelname": "INFO", "msg": "a\\nb", "created": 0})
    >>> JsonLine().format(record)
    '{"at":"1970-01-01T00:00:00.000Z","level":"INFO","part":"bus","text":"a\\\\nb"}'
    """

    def format(self, record: logging.LogRecord) -> str:
        wall = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        at = wall.removesuffix("+00:00") + "Z"
        line = {"at": at, "level": record.levelname, "part": record.name, "text": record.getMessage()}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line).decode()


LOGS: Mapping[str, Callable[[], logging.Formatter]] = {
    "text": lambda: OneLine("%(levelname)s %(name)s: %(message)s"),
    "json": JsonLine,
}


def log_to_stderr(kind: str = "text") -> None:
    """The log of this process, from level info on, as one of `LOGS`."""
    handler = logging.StreamHandler()
    handler.setFormatter(LOGS[kind]())
    logging.basicConfig(level=logging.INFO, handlers=[handler])
