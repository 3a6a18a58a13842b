"""Where things stand in a TOML text: `tomllib` reads values and forgets their lines."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"""'[^'\n]*'|"(?:\\.|[^"\\\n])*"|#[^\n]*|\]""")


class TomlLines:
    """Lines of the keys of one table of TOML, whose text begins in line `first`."""

    def __init__(self, text: str, first: int = 1) -> None:
        self._text = text
        self._first = first

    def of_key(self, key: str) -> int | None:
        """The line of `key = …`; None when the key is not there."""
        found = self._key(key)
        return None if found is None else self._line(found.start(1))

    def of_strings(self, key: str) -> list[int]:
        """The line of each string in the array `key = […]`, in order."""
        found = self._key(key)
        if found is None:
            return []
        lines, at, line = [], found.end(), self._line(found.end())
        for token in _TOKEN.finditer(self._text, found.end()):
            if token.group() == "]":
                break
            line += self._text.count("\n", at, token.start())
            at = token.start()
            if not token.group().startswith("#"):
                lines.append(line)
        return lines

    def _key(self, key: str) -> re.Match[str] | None:
        return re.search(rf"^[ \t]*({re.escape(key)})[ \t]*=", self._text, re.MULTILINE)

    def _line(self, position: int) -> int:
        return self._text.count("\n", 0, position) + self._first
