"""Pictures of tables' cameras that a director asked for: no other is shown, and only the newest few are kept."""

from __future__ import annotations

from collections.abc import Iterator

from feltwire.runtime.node_io import Show
from table_core.messages import CameraPicture, encode

KEPT = 8  # of 160 KiB each
GONE = encode(CameraPicture(0, ""))


class Pictures:
    """What was asked for and what came; a picture that nobody asked for is not shown."""

    def __init__(self) -> None:
        self._asked: dict[str, str] = {}  # the id of the newest question, by table
        self._shown: list[str] = []  # tables, the newest last

    def asked(self, table: str, id_: str) -> None:
        self._asked[table] = id_

    def came(self, table: str, picture: CameraPicture) -> Iterator[Show]:
        """Show the answer to the newest question; the oldest picture goes where there are too many."""
        if self._asked.get(table) != picture.answers:
            return
        del self._asked[table]
        if table in self._shown:
            self._shown.remove(table)
        self._shown.append(table)
        yield Show(f"picture/{table}", encode(picture))
        if len(self._shown) > KEPT:
            yield Show(f"picture/{self._shown.pop(0)}", GONE)
