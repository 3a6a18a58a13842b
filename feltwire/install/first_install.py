"""What the file of a release does when Python runs it: it installs the program beside others, and calls it.

    python3 feltwire-0.2.0.pyz install --bundle table-01.bundle

As root the program goes into /opt/feltwire/0.2.0, else into the user's own folder. Only Python's own library is
used here. Whoever runs the file trusts it: its signature is checked by a program that is installed already.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from feltwire.errors import UsageError
from feltwire.install.places import PROGRAM
from feltwire.install.program_file import read_release
from feltwire.install.programs import install_program, is_whole, target, version_in

_OLDEST = (3, 11)


def main(argv: Sequence[str]) -> int:
    """`argv` begins with the file. It does not come back where the program takes over."""
    try:
        if sys.version_info < _OLDEST:
            raise UsageError(
                f"Python {sys.version_info[0]}.{sys.version_info[1]} is too old; install Debian 12 or newer"
            )
        return _called(Path(argv[0]).resolve(), list(argv[1:]))
    except UsageError as error:
        print(f"{argv[0]}: {error}", file=sys.stderr)
    except OSError as error:
        print(f"{argv[0]}: {error.filename}: {error.strerror}; look at that file", file=sys.stderr)
    return 2


def _called(path: Path, arguments: list[str]) -> int:
    release = read_release(path)
    if not arguments or arguments[0] in ("-h", "--help"):
        print(
            f"Feltwire {release.version} with its libraries, for Python {', '.join(release.pythons)} on "
            f"{', '.join(release.machines)}.\n\n"
            f"    python3 {path.name} install --bundle FILE…    this machine becomes what they are of\n"
            f"    python3 {path.name} COMMAND …                 any command of feltwire, as --version\n\n"
            f"A machine that has Feltwire already: feltwire upgrade {path.name}"
        )
        return 0
    os.umask(0o022)
    root = os.geteuid() == 0
    programs = PROGRAM.parent if root else _of_user()
    there = target(PROGRAM)
    if arguments[0] == "install" and root and "--root" not in arguments and there is not None:
        here = version_in(there)
        if here and here != release.version:
            raise UsageError(f"this machine has Feltwire {here}; {PROGRAM}/bin/feltwire upgrade {path}")
    if not is_whole(programs / release.version, release):
        print(f"Feltwire {release.version} is installed into {programs / release.version}", file=sys.stderr)
    folder = install_program(path, release, programs)
    program = folder / "bin" / "feltwire"
    return os.execv(program, [str(program), *arguments])


def _of_user() -> Path:
    data = os.environ.get("XDG_DATA_HOME", "")
    return (Path(data) if os.path.isabs(data) else Path.home() / ".local" / "share") / "feltwire" / "programs"
