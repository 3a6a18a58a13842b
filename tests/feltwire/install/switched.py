"""A switch between two programs that is killed before each of its operations on files, in turn.

`python -m tests.feltwire.install.switched FOLDER` makes a folder for each operation in FOLDER, and prints what
each holds: after the kill, after `resume`, and after the switch that is then made to its end.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from feltwire.install.programs import point, target, version_in
from feltwire.install.upgrade import Programs
from tests.feltwire.install.releases import program

TOUCHES = ("open", "os.rename", "os.remove", "os.symlink", "os.rmdir")


class Healthy:
    """Roles that work with every program."""

    def back_up(self, name: str) -> list[str]:
        return [name]

    def newly_red(self, program: Path, before: Path) -> str:
        return ""

    def settle(self, program: Path) -> None: ...

    def restart(self) -> None: ...

    def restart_running(self) -> None: ...

    def fault(self, version: str) -> str:
        return ""


class Keys:
    """A machine that trusts these release keys."""

    def __init__(self, *keys: str) -> None:
        self.known = keys

    def trusted(self) -> tuple[str, ...]:
        return self.known

    def replace(self, keys: tuple[str, ...]) -> None:
        self.known = keys


def of(folder: Path) -> Programs:
    return Programs(folder, Healthy(), lambda words: None, Keys())


def two_programs(folder: Path) -> Programs:
    """2.0.0 runs, and 1.0.0 ran before."""
    point(folder / "previous", program(folder, "1.0.0"))
    point(folder / "current", program(folder, "2.0.0"))
    return of(folder)


def state(folder: Path) -> list[str]:
    """The versions to which the links lead."""
    return [version_in(target(folder / name) or folder) for name in ("current", "previous")]


def killed(folder: Path, at: int) -> bool:
    """Whether the switch was killed before its `at`-th operation; it has fewer otherwise."""
    programs, left = two_programs(folder), [at]
    child = os.fork()
    if child == 0:

        def count(event: str, arguments: tuple[object, ...]) -> None:
            if event in TOUCHES and str(folder) in str(arguments[0]):
                left[0] -= 1
                if left[0] < 0:
                    os._exit(9)

        sys.addaudithook(count)
        programs.roll_back()
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


def main(place: Path) -> None:
    for at in range(10_000):
        folder = place / str(at)
        folder.mkdir()
        died = killed(folder, at)
        line: dict[str, object] = {"killed": died, "after": state(folder)}
        of(folder).resume()
        line["resumed"] = state(folder)
        if died and version_in(of(folder).running()) == "2.0.0" and state(folder)[1] == "1.0.0":
            of(folder).roll_back()
        line["again"] = state(folder)
        line["left"] = sorted(path.name for path in folder.iterdir())
        print(json.dumps(line))
        if not died:
            return


if __name__ == "__main__":
    main(Path(sys.argv[1]))
