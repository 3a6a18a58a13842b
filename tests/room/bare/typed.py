"""What a person types to set up a venue, from docs/venue.md: each command on the machine where it is typed."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path

from tests.room.venue import documents
from tests.room.venue.documents import VENUE
from tests.room.venue.machines import Machine, Room

KEYS = "keys"
MOST_TYPED = 12
_FILE = re.compile(r"feltwire-[0-9][0-9.]*\.pyz")


class Typist:
    """Types at the laptop that keeps the venue's keys; `scp` and `ssh` of its lines reach the other machines.
    `addresses`: those of the document, with the machine that has it here. `count`: commands so far."""

    def __init__(self, room: Room, program: Path) -> None:
        self.count = 0
        self._room, self._program = room, program
        self._addresses: dict[str, Machine] = {}
        shutil.copy(program, room[KEYS].root / "root" / program.name)

    def walk(self) -> list[tuple[str, str]]:
        """The lines of *A venue in an hour*, and what each printed."""
        lines = documents.commands(VENUE, "provision new hall") + documents.commands(VENUE, "scp feltwire-")
        names = dict(re.findall(r"--at (\S+)=(\S+)", lines[0]))
        self._addresses = {address: self._room[name] for name, address in names.items()}
        return [(line, self.type(line)) for line in lines]

    def type(self, line: str, *, status: int = 0) -> str:
        """One command; every `&&`, `;` and `|` in it is another."""
        self.count += 1 + len(re.findall(r"&&|;|\|", line))
        here = self._here(_FILE.sub(self._program.name, line))
        words = shlex.split(here)
        if words[0] == "scp":
            to, _, place = words[-1].partition(":")
            for file in words[1:-1]:
                self._copy(file, self._there(to), place)
            return ""
        if words[0] == "ssh":
            return self._there(words[1]).run(" ".join(words[2:]), status=status)
        return self._room[KEYS].run(here, status=status)

    def _here(self, line: str) -> str:
        """With the addresses that machines have here."""
        for address, machine in self._addresses.items():
            line = re.sub(rf"(?<!\d){re.escape(address)}(?!\d)", machine.address, line)
        return line

    def _there(self, at: str) -> Machine:
        address = at.partition("@")[2] or at
        found = (machine for machine in self._room.machines.values() if address in (machine.address, machine.name))
        return next(found)

    def _copy(self, file: str, machine: Machine, place: str) -> None:
        there = Path(place) if place.startswith("/") else Path("/root") / place
        shutil.copy(self._room[KEYS].root / "root" / file, machine.root / there.relative_to("/"))


def other_addresses(names: Mapping[str, str]) -> str:
    """For Chromium, which has no router that gives names."""
    return ",".join(f"MAP {name} {address}" for name, address in names.items())
