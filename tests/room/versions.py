"""`python -m tests.room.versions`: a room of two builds, upgraded one machine at a time while a hand is played.

The earlier build is a commit of this repository, installed into a folder of its own; the later one is the program
as it lies here. A station, a table, a wall clock and a relay on a provisioned broker, a tournament in progress: a
story upgrades them in one of the 24 orders, goes back in the opposite one, upgrades again and confirms. At each
step the hand goes on and somebody registers; what the table recorded comes to the station, the field is complete,
the queue names the machines whose program differs, and every event is still there. The last step: an earlier
program refuses, in words, what was written after the confirmation.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import msgspec

from feltwire.ledger.chain import check_chain
from feltwire.private_files import python
from feltwire.relay.keys import RelayKeys
from feltwire.tools.shard import shard
from table_core.messages import EARLIEST_WRITTEN, MESSAGES_VERSION, Key, decode_envelope
from tests.feltwire.hall import Hall, Row, press_on, touch
from tests.feltwire.processes import Process, cell
from tests.feltwire.station_room import VENUE
from tests.ports import free_port

ROOT = Path(__file__).parents[2]
BEFORE = "7a7feecf"  # the last commit that says version 3 in all that it writes, and knows no other
MACHINES = ("station", "table", "clock", "relay")
STORIES = tuple(permutations(MACHINES))
_WORDS = ("", *["One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve"])
# A process of a build: its folder comes before all others.
_RUN = "import runpy, sys; sys.path.insert(0, sys.argv.pop(1)); runpy.run_module('feltwire', run_name='__main__')"
OF_BUILD = (sys.executable, "-I", "-c", _RUN)


class Report(msgspec.Struct):
    """What was done so far."""

    before: str
    stories: list[str] = []
    steps: int = 0
    events: int = 0
    seconds: float = 0.0
    findings: list[str] = []


def build_of(commit: str, folder: Path) -> Path:
    """The program as of a commit, installed into a folder. Raise `CalledProcessError`."""
    tree, into = folder / "tree", folder / "build"
    subprocess.run(["git", "-C", ROOT, "clone", "-q", "--shared", "--no-checkout", ROOT, tree], check=True)
    subprocess.run(["git", "-C", tree, "checkout", "-q", commit], check=True)
    pip = [sys.executable, "-I", "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    subprocess.run([*pip, "--no-deps", "--no-build-isolation", "--target", into, tree], check=True)
    return into


class Room(Hall):
    """A hall with a wall clock and a relay, each of whose processes may run the earlier build."""

    def __init__(self, folder: Path, earlier: Path) -> None:
        super().__init__(folder)
        self._earlier = earlier
        self.table = self.machine("table")
        broker, port = (self.venue / "clock" / "broker.toml").read_text(), free_port()
        self.clock = Process("clock", folder, port, f'venue = "{VENUE}"\n{broker}[web]\nport = {port}\n')
        RelayKeys.generate().save(folder / "cards.key")
        broker, port = (self.venue / "relay" / "broker.toml").read_text(), free_port()
        settings = (
            f'venue = "{VENUE}"\ndata = "{folder / "relay"}"\nkey = "{folder / "cards.key"}"\ntables = ["01"]\n'
            f'delay_s = "0"\n{broker}[web]\nport = {port}\n'
        )
        self.relay = Process("relay", folder, port, settings)
        self.machines += [self.clock, self.relay]
        self.processes = {name: getattr(self, name) for name in MACHINES}

    def runs(self, name: str, *, earlier: bool) -> None:
        """This machine is ended and started with this build."""
        process = self.processes[name]
        process.started_with = self.of_build if earlier else lambda argv: argv
        process.kill()
        process.screen = None
        self._browser = None
        process.start()
        process.connected()

    def of_build(self, argv: tuple[str, ...]) -> tuple[str, ...]:
        """The same call of the earlier build."""
        return *OF_BUILD, str(self._earlier), *argv[argv.index("feltwire") + 1 :]


class Story:
    """One order of upgrades. `done` counts its steps."""

    def __init__(self, room: Room, order: tuple[str, ...], say: Callable[[str], None]) -> None:
        self._room = room
        self._order = order
        self._say = say
        self._earlier = set(MACHINES)
        self._rows: list[Row] = []
        self._field: list[str] = []
        self.steps = 0

    @property
    def events(self) -> int:
        return len(self._rows)

    def play(self) -> None:
        room = self._room
        for name in MACHINES:
            room.runs(name, earlier=True)
        room.table.shows("table/01", lambda view: bool(view["seats"]))
        self._open_event()
        touch(room.table, Key.NEW_HAND)
        self._collected("a hand is in progress under the earlier build")
        for way in (self._order, self._order[::-1], self._order):
            for name in way:
                self._change(name)
        self._confirm()
        self._no_way_back()

    def _open_event(self) -> None:
        """Four players are seated, and the clock runs."""
        room = self._room
        room.director("open", name="Friday", house={"starting_stack": 5_000}, tables=[{"table": "01", "seats": 9}])
        for name in ("Ann", "Bo", "Cy", "Dana"):
            self._register(name)
        for number in range(1, 5):
            room.director("enter", player=f"p{number}")
        room.director("draw_seats", tables=["01"])
        room.director("start")
        room.table.shows("table/01", lambda view: len(view["seats"]) == 4 and not view["no_hand"])

    def _register(self, name: str) -> None:
        self._room.director("register_new", name=f"{name} Example", member=True, adult=True)
        self._field.append(f"{name} Example")

    def _change(self, name: str) -> None:
        """Upgrade this machine, or take it back; the hand goes on."""
        self.steps += 1
        self._earlier ^= {name}
        self._room.runs(name, earlier=name in self._earlier)
        self._register(f"Late {_WORDS[self.steps]}")
        press_on(self._room.table, self._rows[-1][1])
        what = "goes back" if name in self._earlier else "is upgraded"
        self._collected(f"the {name} {what}; earlier now: {', '.join(sorted(self._earlier)) or 'none'}")
        versions = {decode_envelope(raw).v for _, _, raw in self._rows}
        assert versions == {EARLIEST_WRITTEN}, f"written before the confirmation: {versions}"
        if "station" not in self._earlier:
            self._named()

    def _collected(self, what: str) -> None:
        """Everything that the table recorded is at the station, nothing of before is gone, and the chain holds."""
        room, before = self._room, self._rows
        room.table.shows("table/01", lambda view: view["as_of"] > (before[-1][1] if before else 0))
        self._rows = room.rows_of(room.table)
        last = self._rows[-1][1]
        room.station.shows("room", lambda shown: cell(shown, "01")["as_of"] == last)
        assert self._rows[: len(before)] == before, f"{what}: an event that was recorded is not as it was"
        assert room.collected() == self._rows, f"{what}: the station has not what the table has"
        assert check_chain(self._rows).ok, what
        room.station.shows("field", lambda field: [one["name"] for one in field["field"]] == self._field)
        room.clock.shows("clock", lambda clock: not clock["note"])
        room.relay.shows("overlay/01", lambda overlay: overlay["hand"] > 0)
        assert "later version" not in room.relay.log.read_text(), f"{what}: the relay follows nothing"
        self._say(f"{what}: {len(self._rows)} events")

    def _named(self) -> None:
        """The queue names those that have another program, each once, and nobody else."""
        names = {"table": "table 01", "clock": "the wall clock", "relay": "the broadcast relay"}
        wanted = {names[name] for name in self._earlier}

        def fits(queue: dict[str, list[dict[str, str]]]) -> bool:
            facts = [one["fact"] for one in queue["items"] if one["kind"] == "version"]
            named = {who for who in wanted for fact in facts if fact.startswith(f"Update {who}: ")}
            confirm = [fact for fact in facts if fact.startswith("Every machine that is heard has ")]
            return named == wanted and len(facts) == len(wanted) + len(confirm) and bool(confirm) != bool(wanted)

        self._room.station.shows("queue", fits)

    def _confirm(self) -> None:
        """From now on everybody writes the later version."""
        answer = self._room.director("confirm_upgrade")
        assert answer.startswith("The upgrade is confirmed."), answer
        deadline = time.monotonic() + 60
        while decode_envelope(self._rows[-1][2]).v != MESSAGES_VERSION:
            assert time.monotonic() < deadline, "the table does not write the later version"
            press_on(self._room.table, self._rows[-1][1])
            self._collected("the upgrade is confirmed")

    def _no_way_back(self) -> None:
        """The earlier table does not open the ledger, and leaves it as it is."""
        room = self._room
        room.table.kill()
        said = subprocess.run(
            room.of_build(python("feltwire", "table", "--config", str(room.table.config))),
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert said.returncode != 0, "an earlier program opened what it cannot read"
        assert "Update this program" in said.stderr, said.stderr[-400:]
        assert room.rows_of(room.table) == self._rows, "an earlier program changed what it could not read"
        self.steps += 1
        self._say("an earlier program refuses the ledger: " + said.stderr.strip().splitlines()[-1][-200:])


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.room.versions",
        description=f"{__doc__} Exit 0: it held, 1: findings, 2: called wrongly.",
        epilog="example: python -m tests.room.versions --limit 1 --report versions.json",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--before", default=BEFORE, metavar="COMMIT", help=f"of the earlier build ({BEFORE})")
    parser.add_argument("--shard", type=shard, default=(1, 1), metavar="I/N", help="every Nth order from the Ith")
    parser.add_argument("--limit", type=int, help="stop after so many orders of this call")
    parser.add_argument("--report", type=Path, metavar="FILE", help="written after every order")
    parser.add_argument("--resume", type=Path, metavar="FILE", help="go on with a report")
    return parser


def main() -> int:
    args = _parser().parse_args()
    report = Report(args.before)
    if args.resume is not None and args.resume.exists():
        report = msgspec.json.decode(args.resume.read_bytes(), type=Report)
        if report.before != args.before:
            print(f"{args.resume} is of another build; give --before {report.before}", file=sys.stderr)
            return 2
    with tempfile.TemporaryDirectory(prefix="feltwire-versions-") as folder:
        try:
            earlier = build_of(args.before, Path(folder))
        except subprocess.CalledProcessError as error:
            print(f"{args.before} cannot be built ({error}); fetch the whole history of git", file=sys.stderr)
            return 2
        first, every = args.shard
        wanted = [order for order in STORIES[first - 1 :: every] if ", ".join(order) not in report.stories]
        for number, order in enumerate(wanted[: args.limit]):
            _play(Path(folder) / f"room-{number}", earlier, order, report)
            if args.report is not None:
                args.report.write_bytes(msgspec.json.encode(report) + b"\n")
    print(json.dumps(msgspec.to_builtins(report), indent=1))
    return 1 if report.findings else 0


def _play(folder: Path, earlier: Path, order: tuple[str, ...], report: Report) -> None:
    began = time.monotonic()
    folder.mkdir()
    room = Room(folder, earlier)
    story = Story(room, order, lambda words: print(f"  {words}", file=sys.stderr))
    print(", ".join(order), file=sys.stderr)
    room.broker.start()
    try:
        story.play()
    except AssertionError as error:
        report.findings.append(f"{', '.join(order)}: {error}")
        print(f"  {error}", file=sys.stderr)
    finally:
        room.__exit__()
    report.stories.append(", ".join(order))
    report.steps += story.steps
    report.events += story.events
    report.seconds = round(report.seconds + time.monotonic() - began, 1)


if __name__ == "__main__":
    sys.exit(main())
