"""Faults for the processes that are recorded: what the campaign must find."""

from __future__ import annotations

_RUN = "import sys; from feltwire.cli import main; sys.exit(main(sys.argv[1:]))"

PLANTED = {
    # A transaction that returned is in the cache of the operating system.
    "unsynced": """
from feltwire.ledger import store
real = store.Store._prepare
def prepare(self, schema, read_only):
    real(self, schema, read_only)
    self.connection.execute("PRAGMA synchronous=NORMAL")
store.Store._prepare = prepare
""",
    # A frame is acknowledged, an event sent, before the commit that holds it.
    "too-soon": """
from feltwire.table import work
real = work.TableWork.finish
def finish(self, unit, now, **options):
    effects = real(self, unit, now, **options)
    return [*effects[1:], effects[0]]
work.TableWork.finish = finish
""",
    # A file is made or renamed into its place, and nobody syncs the folder.
    "unsynced-folder": """
from feltwire import private_files
private_files.sync_folder = lambda path: None
""",
    # Released cards are shown, and the log of releases is in the cache.
    "unsynced-releases": """
import os
from feltwire.ledger import releases
releases.os = type("Unsynced", (), {"fsync": staticmethod(lambda handle: None)})
""",
}


def planted(argv: tuple[str, ...], code: str) -> tuple[str, ...]:
    """The command of a process (`python -I -m feltwire …`) that runs `code` before it begins."""
    if not code:
        return argv
    program, isolated, _, _, *arguments = argv
    return (program, isolated, "-c", f"{code}\n{_RUN}", *arguments)
