"""`feltwire home`: a real room on this machine, without a device, root or a file to edit.

Broker, station, tables and a wall clock run under one supervisor, with the settings, names and rights that they
have in a venue. What they record stays in one folder, and the next evening goes on from it.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from platformdirs import user_data_path

from display.server.hosts import AT_HOME
from feltwire.config import Language
from feltwire.errors import UsageError
from feltwire.home.addresses import addresses_of, as_json, as_text
from feltwire.home.browser import open_browser, there_is_one
from feltwire.home.export import export
from feltwire.home.files import lay_out
from feltwire.home.finder import Finder
from feltwire.home.phone_camera import add_phone
from feltwire.home.plan import HomePlan, asked_for, plan_of
from feltwire.home.processes import children, mosquitto, watched
from feltwire.private_files import data_folder, keep_files_private
from feltwire.runtime.broker.embedded import check_installed
from feltwire.runtime.children import Supervisor
from feltwire.runtime.lan_names import PAGES, Announced
from feltwire.runtime.pages.lan import lan_address

HELP = "A real room on this machine: station, tables and wall clock for phones and tablets in the same network."
EXAMPLE = "feltwire home --tables 2"

STARTS_S = 120.0  # on a busy machine too; what is not up by then is named
GLANCE_S = 0.05


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--tables", type=int, metavar="N", help="number of tables; 0: played by hand (as last time; 2)"
    )
    parser.add_argument("--book", metavar="ID", help="rulebook: an id or a file of your own (as last time; base)")
    parser.add_argument("--lang", choices=get_args(Language), help="language of the pages (as last time; en)")
    parser.add_argument(
        "--public", type=Path, metavar="FOLDER", help="write the public page there; none: no more (as last time)"
    )
    parser.add_argument(
        "--port", type=int, metavar="P", help="the station's page; the others follow (as last time; 8080)"
    )
    parser.add_argument("--data", type=Path, metavar="DIR", help="where everything is kept (your data folder)")
    parser.add_argument("--no-browser", action="store_true", help="do not open the director's browser")
    parser.add_argument(
        "--embedded-broker", action="store_true", help="Feltwire's own broker, also where mosquitto is installed"
    )
    parser.add_argument(
        "--export", type=Path, metavar="TO", help="write into a folder what a venue begins with, and open nothing"
    )
    parser.add_argument(
        "--phone-camera",
        metavar="TABLE",
        help="a phone's camera watches this table: asks for its address first",
    )
    parser.add_argument(
        "--devices",
        type=Path,
        default=Path("/"),
        metavar="ROOT",
        help="where `sys` and `dev` are looked at for devices, to try it without any (/)",
    )
    parser.add_argument("--json", action="store_true", help="print the addresses as JSON, one a line")


def run(args: argparse.Namespace) -> int:
    """Open the room and keep it open until it is told to end. Raise `UsageError` for what a person must mend."""
    if sys.platform != "linux":  # the clock and the memory of a table's process are Linux's
        raise UsageError(
            f"a room needs Linux, and this is {sys.platform}: open it on another machine of the network"
        )
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    keep_files_private()
    ends = _told_to_end()
    folder = (args.data or user_data_path("feltwire", appauthor=False) / "home").absolute()
    data_folder(folder)
    if args.export is not None:
        for line in export(folder, args.export):
            print(line)
        return 0
    with _only_one(folder):
        wanted = asked_for(
            folder,
            tables=args.tables,
            book=args.book,
            port=args.port,
            language=args.lang,
            public=args.public,
        )
        program = "" if args.embedded_broker else mosquitto()
        if not program:
            check_installed()
        plan = plan_of(folder, wanted, program)
        if args.phone_camera is not None:
            add_phone(plan, args.phone_camera)
        lay_out(plan)
        if plan.station_port != wanted.port:
            _say(f"Port {wanted.port} is in use: the station's page is at port {plan.station_port}.")
        with Supervisor(children(plan)) as supervisor, Finder(plan, supervisor, args.devices):
            _await_ready(supervisor, list(watched(plan)), ends)
            if ends.is_set():
                return 0
            addresses = list(addresses_of(plan))
            codes = sys.stdout.isatty()
            with _named(plan) as name:
                text = as_json(addresses) if args.json else as_text(plan, addresses, codes=codes, name=name)
                print(text, flush=True)
                if not args.no_browser and there_is_one() and addresses[0].link:
                    open_browser(addresses[0].link)
                ends.wait()
    return 0


def _told_to_end() -> threading.Event:
    """Set at Ctrl-C, at SIGTERM, and when the terminal is closed (not under nohup)."""
    ends = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda *_: ends.set())
    return ends


@contextlib.contextmanager
def _only_one(folder: Path) -> Iterator[None]:
    """Raise `UsageError` where a room is open from this folder already."""
    import fcntl  # here, for elsewhere than on Linux there may be none, and that is said first

    with os.fdopen(os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600), "r+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(
                f"{folder}: a room is open from here already (process {file.read().strip() or 'unknown'}); "
                "close it there, or name another folder: --data DIR"
            ) from None
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


@contextlib.contextmanager
def _named(plan: HomePlan) -> Iterator[str]:
    """The name that this room has in its network as long as it is open; empty where it has none."""
    with contextlib.ExitStack() as open_:
        name = AT_HOME
        try:
            open_.enter_context(Announced(PAGES, "Feltwire", plan.station_port, lan_address(), host=AT_HOME))
        except (OSError, ValueError):  # no network, one that takes no such messages, or another room has the name
            name = ""
        yield name


def _await_ready(supervisor: Supervisor, names: list[str], ends: threading.Event) -> None:
    deadline = time.monotonic() + STARTS_S
    while not ends.wait(GLANCE_S):
        late = [name for name in names if not supervisor.ready(name)]
        if late and time.monotonic() > deadline:
            _say(f"Not up yet: {', '.join(late)}. The room goes on trying.")
        if not late or time.monotonic() > deadline:
            return


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)
