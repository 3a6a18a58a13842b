"""What `feltwire deck` tells: lines for a person, or one JSON object a line."""

from __future__ import annotations

import json
from typing import Any


class Told:
    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json

    def say(self, line: str, **more: Any) -> None:
        """A line for whoever holds the deck."""
        print(json.dumps({"says": line, **more}) if self._as_json else line, flush=True)

    def result(self, lines: list[str], **fields: Any) -> None:
        """What came of it."""
        if self._as_json:
            print(json.dumps(fields), flush=True)
        else:
            for line in lines:
                print(line, flush=True)
