"""Commands of the director that tables have not answered yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from table_core.messages import AnyTableCommand, Millis


class Outgoing:
    """The oldest first, each with its table; `kept` are those from before a restart."""

    def __init__(self, kept: Sequence[tuple[str, AnyTableCommand]], boot: str) -> None:
        self._waiting = list(kept)
        self._boot = boot

    def add(self, table: str, command: AnyTableCommand) -> None:
        self._waiting.append((table, command))

    def to(self, table: str) -> list[AnyTableCommand]:
        return [command for name, command in self._waiting if name == table]

    def answered(self, command_id: str) -> bool:
        """The table answered it; whether it was the director's."""
        before = len(self._waiting)
        self._waiting = [(table, command) for table, command in self._waiting if command.id != command_id]
        return len(self._waiting) < before

    def expired(self, now: Millis) -> Iterator[tuple[str, AnyTableCommand]]:
        """Commands that no table answered in time, with their tables; they are not sent again."""
        for table, command in list(self._waiting):
            expires = getattr(command, "expires", None)
            if expires is not None and (expires.boot != self._boot or now >= expires.at):
                self._waiting.remove((table, command))
                yield table, command

    def next_expiry(self) -> Millis | None:
        """When the first command expires."""
        times = [getattr(command, "expires", None) for _, command in self._waiting]
        return min((expires.at for expires in times if expires is not None), default=None)
