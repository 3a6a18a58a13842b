"""The disk of a process as it could stand after a power cut at any of its operations.

What was synced is there. What was not may be there, wholly, in part or not at all: writes reach the disk in any
order, each in sectors of 512 bytes. A file's size is as of its last sync, or as any later write or cut leaves it.
Names (made, renamed, unlinked) reach the disk in their order, as journals of file systems keep it, and are certain
once their folder was synced.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.powercuts.recording import Operation

SECTOR = 512
SHARED_MEMORY = "-shm"  # SQLite makes it anew after a boot

Choose = Callable[[Sequence["Write"]], list["Write"]]


@dataclass(frozen=True, slots=True)
class Write:
    """A part of a file that was written; without `data`, its size was set to `at`."""

    at: int
    data: bytes | None

    def on(self, content: bytearray) -> None:
        if self.data is None:
            del content[self.at :]
            content.extend(bytes(self.at - len(content)))
            return
        content.extend(bytes(max(0, self.at - len(content))))
        content[self.at : self.at + len(self.data)] = self.data

    def sectors(self) -> Iterator[Write]:
        """The same in pieces that reach the disk by themselves."""
        if self.data is None:
            yield self
            return
        place = 0
        while place < len(self.data):
            end = min(len(self.data), place + SECTOR - (self.at + place) % SECTOR)
            yield Write(self.at + place, self.data[place:end])
            place = end


@dataclass(slots=True)
class _File:
    """`durable` is what was synced, `pending` what was written since."""

    durable: bytearray = field(default_factory=bytearray)
    pending: list[Write] = field(default_factory=list)

    def sync(self) -> None:
        for write in self.pending:
            write.on(self.durable)
        self.pending = []


@dataclass(frozen=True, slots=True)
class _Named:
    """A change of a folder: the file at `path` is `file` now; None: there is none."""

    path: str
    file: _File | None


class Disk:
    """Take the operations one by one with `do`; `image` is the disk after a cut behind the last one."""

    def __init__(self) -> None:
        self._files: dict[int, _File] = {}  # by inode
        self._names: dict[str, _File] = {}  # as the process sees them
        self._durable: dict[str, _File] = {}
        self._changes: list[_Named] = []  # of names, since their folders were synced

    def do(self, operation: Operation) -> None:
        match operation.kind:
            case "O" if operation.at or operation.inode not in self._files:
                file = self._files[operation.inode] = _File()
                self._name(_Named(operation.path, file))
            case "W":
                self._files[operation.inode].pending.append(Write(operation.at, operation.data))
            case "T":
                self._files[operation.inode].pending.append(Write(operation.at, None))
            case "S":
                self._files[operation.inode].sync()
            case "R":
                file = self._names[operation.path]
                self._name(_Named(operation.to, file))
                self._name(_Named(operation.path, None))
            case "U":
                self._name(_Named(operation.path, None))
            case "D":
                self._sync_folder(operation.path)

    def _name(self, change: _Named) -> None:
        self._changes.append(change)
        _apply(self._names, change)

    def _sync_folder(self, folder: str) -> None:
        later = []
        for change in self._changes:
            if str(Path(change.path).parent) == folder:
                _apply(self._durable, change)
            else:
                later.append(change)
        self._changes = later

    def image(self, names: int, choose: Choose) -> dict[str, bytes]:
        """Files by path: the first `names` changes of names that are not certain, and of each file's writes that
        are not, those that `choose` takes."""
        found = dict(self._durable)
        for change in self._changes[:names]:
            _apply(found, change)
        return {path: _content(file, choose) for path, file in found.items() if not path.endswith(SHARED_MEMORY)}

    @property
    def uncertain_names(self) -> int:
        return len(self._changes)

    @property
    def is_certain(self) -> bool:
        """Whether a cut leaves one disk only."""
        return not self._changes and not any(file.pending for file in self._names.values())


def _apply(names: dict[str, _File], change: _Named) -> None:
    if change.file is None:
        names.pop(change.path, None)
    else:
        names[change.path] = change.file


def _content(file: _File, choose: Choose) -> bytes:
    content = bytearray(file.durable)
    for write in choose(file.pending):
        write.on(content)
    return bytes(content)


# ------------------------------------------------------------------------------------ kinds of cuts


def nothing(disk: Disk, rng: random.Random) -> dict[str, bytes]:
    """Only what was synced."""
    return disk.image(0, lambda writes: [])


def everything(disk: Disk, rng: random.Random) -> dict[str, bytes]:
    """All that was written."""
    return disk.image(disk.uncertain_names, list)


def a_subset(disk: Disk, rng: random.Random) -> dict[str, bytes]:
    """Some of the writes, in any order that the disk liked."""
    return disk.image(
        rng.randint(0, disk.uncertain_names), lambda writes: [one for one in writes if rng.random() < 0.5]
    )


def torn(disk: Disk, rng: random.Random) -> dict[str, bytes]:
    """Some sectors of the writes."""

    def choose(writes: Sequence[Write]) -> list[Write]:
        share = rng.random()
        return [sector for write in writes for sector in write.sectors() if rng.random() < share]

    return disk.image(rng.randint(0, disk.uncertain_names), choose)


KINDS: dict[str, Callable[[Disk, random.Random], dict[str, bytes]]] = {
    "nothing": nothing,
    "everything": everything,
    "subset": a_subset,
    "torn": torn,
}
