"""`feltwire upgrade`: another release on this machine, from its file; back by itself where it does not work."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

from feltwire.errors import UsageError
from feltwire.install.for_the_room import for_the_room
from feltwire.install.places import PROGRAM, RELEASE_KEYS, UPGRADES
from feltwire.install.program_file import read_release
from feltwire.install.programs import target, version_in
from feltwire.install.release_keys import trusted_keys
from feltwire.install.services import Services
from feltwire.install.upgrade import Failed, Programs, Sent, opened, step_line
from feltwire.private_files import replace

HELP = """Upgrades this machine (as root) to the release in the file feltwire-VERSION.pyz: signature and version
are checked, the records of each role are backed up, the new program is put beside the old one and tried (`feltwire
doctor`), its services are started, and when one of them does not work the old program is started again. No network
is needed. Tables go on with the hand in progress.

--for-the-room FILE puts the release where the station finds it: the director sends it to one machine after the
other, on the page Machines. --sent-to and --resume are for the services of systemd: what the station has sent to a
role, and a power cut in the middle."""
EXAMPLE = "sudo /opt/feltwire/current/bin/feltwire upgrade feltwire-0.3.0.pyz"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("file", nargs="?", type=Path, metavar="FILE", help="of a release")
    what.add_argument("--sent-to", metavar="NAME", help="what lies in the folder of this role")
    what.add_argument(
        "--for-the-room", type=Path, metavar="FILE", help="at the station: for the director to send to machines"
    )
    what.add_argument("--resume", action="store_true", help="go back after a power cut within an upgrade")
    parser.add_argument("--older", action="store_true", help="take an older release, too")
    parser.add_argument("--json", action="store_true", help="a step a line")


def run(args: argparse.Namespace) -> int:
    """Raise `UsageError` for a release that this machine does not take."""
    if args.for_the_room:
        print(f"for the room: {for_the_room(args.for_the_room)}", flush=True)
        return 0
    if args.resume:
        return carried_out(Programs.resume, as_json=args.json)
    if args.sent_to:
        with Sent(args.sent_to).taken() as (file, back):
            if back:
                return carried_out(Programs.roll_back, as_json=args.json)
            if file is None:
                raise UsageError(f"{args.sent_to}: nothing was sent to it")
            return carried_out(lambda programs: programs.upgrade(file), as_json=args.json)
    read_release(args.file)  # what is none is said before anything is copied
    with opened(args.file) as handle:
        return carried_out(lambda programs: programs.upgrade(handle, older=args.older), as_json=args.json)


class _KeysOfMachine:
    def trusted(self) -> tuple[str, ...]:
        return trusted_keys()

    def replace(self, keys: tuple[str, ...]) -> None:
        replace(RELEASE_KEYS, "\n".join([*keys, ""]).encode())


def carried_out(do: Callable[[Programs], None], *, as_json: bool) -> int:
    """With its steps on standard output and in `UPGRADES`, where the roles of this machine read them."""
    if os.geteuid() != 0:
        raise UsageError("must be root: it changes the program of this machine; sudo feltwire …")
    os.umask(0o022)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # a shell that is closed ends nothing
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # it goes back first, as with Ctrl+C
    before = version_in(target(PROGRAM) or PROGRAM)
    UPGRADES.mkdir(parents=True, exist_ok=True)
    with (UPGRADES / "last.jsonl").open("w") as last:

        def tell(line: dict[str, object], words: str) -> None:
            last.write(f"{json.dumps(line)}\n")
            last.flush()
            with contextlib.suppress(OSError):  # of a terminal that is gone
                print(json.dumps(line) if as_json else words, flush=True)

        def end(why: str) -> None:
            now = version_in(target(PROGRAM) or PROGRAM)
            line: dict[str, object] = {"done": not why, "version": now, "before": before}
            tell({**line, "why": why} if why else line, why or f"this machine runs Feltwire {now or 'of a clone'}")

        programs = Programs(
            PROGRAM.parent, Services(), lambda words: tell(step_line(words), words), _KeysOfMachine()
        )
        try:
            do(programs)
        except Failed as failed:
            end(str(failed))
            return 1
        except UsageError as error:
            last.write(f"{json.dumps({'done': False, 'version': before, 'before': before, 'why': str(error)})}\n")
            raise
        end("")
    return 0
