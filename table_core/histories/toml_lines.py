"""Where things stand in a TOML file: `tomllib` reads values and forgets their lines."""

from __future__ import annotations

import re

_HEADER = re.compile(r"^[ \t]*\[[ \t]*([^\[\]\n]+?)[ \t]*\]", re.MULTILINE)
_TOKEN = re.compile(r"""'[^'\n]*'|"(?:\\.|[^"\\\n])*"|#[^\n]*|\]""")


class TomlLines:
    """Lines of the keys of one table of a TOML text: the whole text, or the table named `section`."""

    def __init__(self, text: str, section: str | None = None) -> None:
        self._text = text
        self._start, self._end = 0, len(text)
        if section is not None:
            self._find(section)

    def of_key(self, key: str) -> int | None:
        """The line of `key = …`, from 1; None when the key is not there."""
        found = self._key(key)
        return None if found is None else self._line(found.start(1))

    def of_strings(self, key: str) -> list[int]:
        """The line of each string in the array `key = […]`, in order."""
        found = self._key(key)
        if found is None:
            return []
        lines = []
        for token in _TOKEN.finditer(self._text, found.end(), self._end):
            if token.group() == "]":
                break
            if not token.group().startswith("#"):
                lines.append(self._line(token.start()))
        return lines

    def _find(self, section: str) -> None:
        headers = list(_HEADER.finditer(self._text))
        for number, header in enumerate(headers):
            if header.group(1).strip("\"'") == section:
                self._start = header.end()
                self._end = headers[number + 1].start() if number + 1 < len(headers) else len(self._text)
                return

    def _key(self, key: str) -> re.Match[str] | None:
        pattern = re.compile(rf"^[ \t]*({re.escape(key)})[ \t]*=", re.MULTILINE)
        return pattern.search(self._text, self._start, self._end)

    def _line(self, position: int) -> int:
        return self._text.count("\n", 0, position) + 1
