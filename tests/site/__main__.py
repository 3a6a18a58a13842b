"""Types every command of the documents, page by page, as a reader does.

    sudo .venv/bin/python -m tests.site [PAGE…] [--shard 1/2] [--limit 10]

Pages of a venue are typed on a machine that boots its own systemd, after the walk of docs/venue.md has made it a
station with broker, table, clock and relay. Pages of a home are typed in a clone. Prints a command a line; exit
status 1 where one did not do what its page says. What is typed where, what is not, and why: tests/site/pages.py.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from feltwire.tools.shard import shard
from tests.room.venue.machines import INSIDE, inside, missing
from tests.site.commands import ROOT
from tests.site.machine import Hall
from tests.site.pages import PAGES, Where
from tests.site.typed import PROGRAMS, lay_out, type_page, typed


def _here(name: str) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        lay_out(Path(folder))
        yield from type_page(name, Path(folder), PROGRAMS)


def _in_a_clone(name: str) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "feltwire"
        subprocess.run(("git", "clone", "--quiet", "--no-tags", "--depth=1", f"file://{ROOT}", clone), check=True)
        yield from type_page(name, clone, clone / ".venv/bin")


def _pages(wanted: list[str], part: tuple[int, int]) -> list[str]:
    """Those with something to type; of a venue last, on one machine in the order of the navigation."""
    found = [name for name in PAGES if typed(name) and (not wanted or name in wanted)]
    number, parts = part
    return sorted(found[number - 1 :: parts], key=lambda name: PAGES[name].where is Where.MACHINE)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", metavar="PAGE", help=f"of {', '.join(PAGES)}")
    parser.add_argument("--shard", type=shard, default=(1, 1), metavar="I/N", help="the I-th of N parts")
    parser.add_argument("--limit", type=int, help="at most so many pages")
    args = parser.parse_args()
    if unknown := set(args.pages) - PAGES.keys():
        parser.error(f"no page with commands: {', '.join(sorted(unknown))}")
    names = _pages(args.pages, args.shard)[: args.limit]
    if any(PAGES[name].where is Where.MACHINE for name in names):
        if os.geteuid() != 0 or missing():
            parser.error(f"pages of a venue want root, and {', '.join(missing()) or 'nothing else'} is missing")
        if INSIDE not in os.environ:
            with tempfile.TemporaryDirectory() as folder:
                return inside("tests.site", sys.argv[1:], folder)
    failed = 0
    hall: Hall | None = None
    for name in names:
        match PAGES[name].where:
            case Where.HERE:
                worked = _here(name)
            case Where.CLONE:
                worked = _in_a_clone(name)
            case Where.MACHINE:
                hall = hall or Hall(Path(os.environ[INSIDE]))
                worked = hall.type_page(name)
        failed += not _all_worked(name, worked)
    print(f"{len(names)} pages, {failed} failed")
    return 1 if failed else 0


def _all_worked(name: str, worked: Iterator[str]) -> bool:
    began = time.monotonic()
    try:
        for command in worked:
            print(f"{time.monotonic() - began:7.1f} s  {name}: {command}", flush=True)
            began = time.monotonic()
    except (AssertionError, subprocess.SubprocessError) as error:
        print(f"failed  {name}: {error}", flush=True)
        return False
    return True


if __name__ == "__main__":
    raise SystemExit(main())
