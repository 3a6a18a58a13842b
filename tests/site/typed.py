"""Types the commands of a page, in its order, in a shell as a reader has it."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.feltwire.processes import PATIENCE_S
from tests.ports import free_base
from tests.site.commands import ROOT, commands
from tests.site.pages import PAGES, Page

HOURS_S = 3 * 3_600.0  # a proof that is cut may take minutes; one that hangs ends
PROGRAMS = ROOT / ".venv/bin"


def which(table: Mapping[str, str], command: str) -> str | None:
    """The longest beginning in the table that the command has."""
    found = [key for key in table if command.startswith(key)]
    return max(found, key=len) if found else None


def typed(name: str) -> list[str]:
    """The commands of a page that are typed where it says, with what a reader replaces in them."""
    page = PAGES[name]
    found = []
    for command in commands(name):
        if which(page.elsewhere, command) is None and which(page.not_typed, command) is None:
            for old, new in page.instead.items():
                command = command.replace(old, new)
            found.append(command)
    return found


def lay_out(folder: Path) -> None:
    """The repository, as links: what a command writes stays in `folder`."""
    for path in ROOT.iterdir():
        if path.name not in ("var", "dist", "build", ".git"):
            (folder / path.name).symlink_to(path)


def shell(command: str, folder: Path, path: Path = PROGRAMS, *, alone: bool = False) -> str:
    """What it says. AssertionError where it does not end with 0."""
    done = subprocess.run(
        _words(command, alone),
        cwd=folder,
        env=_environment(folder, path),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=HOURS_S,
    )
    assert done.returncode == 0, f"{command}\nends with {done.returncode}:\n{done.stdout[-4_000:]}"
    return done.stdout


def _words(command: str, alone: bool) -> tuple[str, ...]:
    if alone and os.geteuid() == 0:
        apart = ("unshare", "--net", "--pid", "--fork", "--kill-child", "--mount-proc")
        return (*apart, "bash", "-ec", f"ip link set lo up\n{command}")
    return ("bash", "-ec", command)


def _environment(folder: Path, path: Path) -> dict[str, str]:
    """`BROWSER`: what opens pages opens none."""
    own = {
        "PATH": f"{path}:{os.environ['PATH']}",
        "HOME": str(folder),
        "BROWSER": "true",
        "PORT": str(free_base()),
    }
    return {**os.environ, **own, "MAKEFLAGS": "", "MAKELEVEL": ""}


def serve(command: str, says: str, folder: Path, path: Path = PROGRAMS, *, alone: bool = False) -> str:
    """Wait until a command that goes on says that it works, and press Ctrl-C. What it said."""
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(
            _words(command, alone),
            cwd=folder,
            env=_environment(folder, path),
            stdout=log,
            stderr=log,
            start_new_session=True,
        )

        def said() -> str:
            return os.pread(log.fileno(), 1_000_000, 0).decode(errors="replace")

        pause = threading.Event()
        waited = 0.0
        while says not in said() and process.poll() is None and waited < PATIENCE_S:
            pause.wait(0.2)
            waited += 0.2
        works = says in said()
        os.killpg(process.pid, signal.SIGINT)
        status = process.wait(PATIENCE_S)
        assert works, f"{command}\nsays no {says!r}:\n{said()[-4_000:]}"
        assert status in (0, 2, 130, -signal.SIGINT), f"{command}\nends with {status}:\n{said()[-4_000:]}"
        return said()


def type_page(name: str, folder: Path, path: Path = PROGRAMS) -> Iterator[str]:
    """Each command as it has worked."""
    page: Page = PAGES[name]
    if page.before:
        shell(page.before, folder, path)
    for command in typed(name):
        served = which(page.serves, command)
        if served is None:
            shell(command, folder, path, alone=page.alone)
        else:
            serve(command, page.serves[served], folder, path, alone=page.alone)
        yield command
