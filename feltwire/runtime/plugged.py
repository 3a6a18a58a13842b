"""What is plugged into a machine that is a whole room, and which table has it: two files between `feltwire home`,
which looks, and its station, where the director decides. Each file has one writer."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from feltwire.private_files import replace
from table_core.messages import Few, Frozen, Malformed, Name, Text, decode, encode

HERE, GIVEN = "plugged.json", "given.json"
MOST = 60  # devices that are shown

F = TypeVar("F", bound=Frozen)


class PluggedKind(StrEnum):
    """What a device is; `UNKNOWN` is a serial line that nobody has asked."""

    KEYPAD = "keypad"
    SHOE = "shoe"
    READER = "reader"
    CAMERA = "camera"
    UNKNOWN = "unknown"

    @property
    def place(self) -> str:
        """The section of a table's settings: a table has one of each."""
        return "shoe" if self is PluggedKind.READER else self.value


class Plugged(Frozen, frozen=True):
    """A device. `id` is its serial number, or else where it is plugged in; `port` what a table opens; `trouble`
    why no table can have it, and what to do."""

    id: Name
    kind: PluggedKind
    words: Text
    port: Text
    trouble: Text = ""


class PluggedHere(Frozen, frozen=True):
    devices: Few[Plugged] = ()


class TakenDevice(Frozen, frozen=True):
    """A device that a table has, also when it is not plugged in."""

    id: Name
    kind: PluggedKind
    words: Text
    port: Text
    table: Name


class GivenDevices(Frozen, frozen=True):
    """What the director has decided. `ask`: serial lines that may be asked who they are."""

    taken: Few[TakenDevice] = ()
    ask: Few[Name] = ()


def write_here(folder: Path, here: PluggedHere) -> None:
    """Raise `OSError`."""
    replace(folder / HERE, encode(here), mode=0o600)


def read_here(folder: Path) -> PluggedHere:
    """Nothing where nobody has looked yet, or what stands there cannot be read: it is written anew."""
    return _read(folder / HERE, PluggedHere)


def write_given(folder: Path, given: GivenDevices) -> None:
    """Raise `OSError`."""
    replace(folder / GIVEN, encode(given), mode=0o600)


def read_given(folder: Path) -> GivenDevices:
    """Nothing where nothing was decided, or what stands there cannot be read: devices are offered again."""
    return _read(folder / GIVEN, GivenDevices)


def changed_at(folder: Path) -> int:
    """When the director's decisions changed last, in ns; 0: there are none."""
    try:
        return os.stat(folder / GIVEN).st_mtime_ns
    except OSError:
        return 0


def _read(path: Path, kind: type[F]) -> F:
    try:
        return decode(path.read_bytes(), kind)
    except (OSError, Malformed):
        return kind()
