"""The library that records what a process does to its disk and makes it fail: built, and put under a process."""

from __future__ import annotations

import hashlib
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from feltwire.runtime.children import ChildSpec

SOURCE = Path(__file__).with_name("shim.c")
_TEXTS = (SOURCE, SOURCE.with_name("death.h"))


def library() -> Path:
    """The compiled library; made once for each text of its source."""
    digest = hashlib.sha256(b"".join(text.read_bytes() for text in _TEXTS)).hexdigest()
    name = f"feltwire-shim-{os.getuid()}-{digest[:16]}.so"
    path = Path(tempfile.gettempdir()) / name
    if not path.exists():
        fresh = path.with_suffix(f".{os.getpid()}")
        subprocess.run(["gcc", "-O1", "-shared", "-fPIC", "-o", fresh, SOURCE], check=True)
        fresh.replace(path)
    return path


class Death:
    """One process that kills itself (SIGKILL) at a named call. `file` holds the order; nobody else writes it. Its
    own files lie in `folder`."""

    def __init__(self, folder: Path, file: Path) -> None:
        self._folder = folder
        self._file = file

    def under(self, child: ChildSpec) -> ChildSpec:
        """`child`, which takes such orders."""
        settings = (f"FELTWIRE_DISK={self._folder}", f"FELTWIRE_DEATH={self._file}")
        return replace(child, argv=("env", f"LD_PRELOAD={library()}", *settings, *child.argv))

    def order(self, call: str, count: int) -> None:
        """Die at the `count`-th call from now on that is `call`: `WHEN CALL WHERE`, as shim.c has them."""
        fresh = self._file.with_suffix(".new")
        fresh.write_text(f"{call} {count}")
        fresh.replace(self._file)

    @property
    def ordered(self) -> bool:
        """An order was given and is not carried out yet."""
        return self._file.exists()

    def withdraw(self) -> bool:
        """Take the order back; False where it was carried out."""
        try:
            self._file.unlink()
        except FileNotFoundError:
            return False
        return True


class Disk:
    """The disk of one process: `folder` is watched; the log of a run is `log` and the process's number."""

    def __init__(self, folder: Path, log: Path | None = None) -> None:
        self.folder = folder.resolve()
        self.log = log
        self._fault = folder.parent / f"fault-{id(self)}"

    def under(self, child: ChildSpec) -> ChildSpec:
        """`child`, with this disk."""
        return replace(child, argv=(*self.command, *child.argv))

    @property
    def command(self) -> tuple[str, ...]:
        """What starts a process with this disk, before its own command."""
        environment = {
            "LD_PRELOAD": str(library()),
            "FELTWIRE_DISK": str(self.folder),
            "FELTWIRE_DISK_FAULT": str(self._fault),
            **({"FELTWIRE_DISK_LOG": str(self.log)} if self.log is not None else {}),
        }
        return ("env", *(f"{name}={value}" for name, value in environment.items()))

    def logs(self) -> list[Path]:
        """The log of each run, the first one first."""
        assert self.log is not None
        return sorted(self.log.parent.glob(f"{self.log.name}.*"), key=lambda path: path.stat().st_ctime_ns)

    @contextmanager
    def failing(self, *faults: str) -> Iterator[None]:
        """While the block lasts: `sync ERRNO`, `write ERRNO`, `slow MILLISECONDS`."""
        fresh = self._fault.with_suffix(".new")
        fresh.write_text("\n".join(faults))
        fresh.replace(self._fault)
        try:
            yield
        finally:
            self._fault.unlink()
