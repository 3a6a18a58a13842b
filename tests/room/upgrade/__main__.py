"""A machine of a venue on a bare Debian, under its own init and without a network: installed from the file of a
release, upgraded, rolled back, and cut from power in the middle.

    sudo .venv/bin/python -m tests.room.upgrade [--base DIR] [--cuts 8] [--releases DIR] [--report FILE]

`--base` is the root of a Debian with systemd, dbus, iproute2 and python3 alone (`debootstrap --variant=minbase
--include=systemd,systemd-sysv,dbus,iproute2,python3`); without it the machine begins with this one's disk. Prints
what was done and seen, with times; exit status 1 when something was not as it must be.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

from feltwire.cli import main as feltwire
from feltwire.ledger.table_ledger import Ledger
from tests.room.upgrade.releases import Releases
from tests.room.venue import documents
from tests.room.venue.machines import INSIDE, Machine, Room, inside, missing
from tests.waiting import until

NAME, TABLE = "hall", "table-01"
ROLES = ("station", "clock", TABLE)
STICK = "mnt"  # where files come from
PROGRAM = "/opt/feltwire/current/bin/feltwire"
PAGE = "docs/upgrade.md"
LAST = "var/lib/feltwire-upgrade/last.jsonl"
PATIENCE_S = 300.0
SEATS = """
[settings.table]
seats = [{seat = 1, stack = 20000}, {seat = 4, stack = 20000}, {seat = 7, stack = 20000}]
"""
OLD, NEW, LATER, DEAD, BLIND = "90.0.0", "90.1.0", "90.2.0", "90.3.0", "90.4.0"
BEGAN = time.monotonic()


class Proof:
    def __init__(self, folder: Path, base: Path, releases: Path, report: Path | None) -> None:
        self._report = report
        self._said: list[dict[str, object]] = []
        releases.mkdir(parents=True, exist_ok=True)
        made = Releases(releases)
        self.files = {version: made.made(version) for version in (OLD, NEW, LATER)}
        self.files[DEAD] = made.made(DEAD, "feltwire/wall_clock/process.py")
        self.files[BLIND] = made.made(BLIND, "feltwire/tools/doctor/command.py")
        self.key = made.key
        self.say("releases", bytes=self.files[OLD].stat().st_size)
        room = folder / "room"
        room.mkdir()
        self.machine: Machine = Room(room, [NAME], disks={NAME: base})[NAME]
        shutil.rmtree(
            self.machine.root / "opt/feltwire", ignore_errors=True
        )  # what the room's other machines have
        self._bundles(folder)

    def say(self, what: str, **figures: object) -> None:
        line: dict[str, object] = {"at_s": round(time.monotonic() - BEGAN, 1), "what": what, **figures}
        self._said.append(line)
        print(json.dumps(line), flush=True)
        if self._report is not None:
            self._report.write_text("".join(f"{json.dumps(one)}\n" for one in self._said))

    def _bundles(self, folder: Path) -> None:
        keys = folder / "keys"
        assert feltwire(["provision", "new", str(keys), "--tables", "1", "--at", "station=127.0.0.1"]) == 0
        description = keys / "venue.toml"
        trust = f'release_keys = ["{self.key.verify_key.encode().hex()}"]\n'
        description.write_text(f"{trust}{description.read_text()}{SEATS}")
        assert feltwire(["provision", "bundles", str(keys)]) == 0
        for name in ROLES:
            shutil.copy(keys / "bundles" / f"{name}.bundle", self.machine.root / "root")

    # ------------------------------------------------------------------------------------- looking

    def copy(self, version: str) -> str:
        """Where the file lies on the machine, as from a stick."""
        there = self.machine.root / STICK / self.files[version].name
        if not there.exists():
            shutil.copy(self.files[version], there)
        return f"/{STICK}/{there.name}"

    def version(self) -> str:
        return (self.machine.root / "opt/feltwire/current").readlink().name

    def rows(self) -> list[tuple[int, int, bytes]]:
        ledger = Ledger.open(self.machine.root / f"var/lib/feltwire/{TABLE}/{TABLE}.ledger", read_only=True)
        try:
            return list(ledger.raw_events())
        finally:
            ledger.close()

    def press(self, *keys: str) -> None:
        """Each key is one event of the ledger, or more."""
        link = (self.machine.root / f"var/lib/feltwire/{TABLE}/{TABLE}.kiosk-link").read_text().strip()
        inside_its_network = ["nsenter", f"--net=/run/netns/{NAME}"]
        before = len(self.rows())
        subprocess.run(
            [*inside_its_network, sys.executable, "-m", "tests.room.upgrade.screen", link, *keys], check=True
        )
        assert len(self.rows()) >= before + len(keys)

    def works(self, version: str) -> None:
        """Every role runs this version."""
        assert self.version() == version, (self.version(), version)
        until(self.machine.alive, "all services run", PATIENCE_S)
        for unit in self.machine.services():
            started = self.machine.run(f"tr '\\0' ' ' < /proc/{self.machine.main_process(unit)}/cmdline")
            assert started.startswith(f"/opt/feltwire/{version}/"), started

    def last(self) -> list[dict[str, object]]:
        path = self.machine.root / LAST
        lines = path.read_text().splitlines() if path.exists() else []
        return [json.loads(line) for line in lines if line.endswith("}")]

    def call(self, *words: str, status: int = 0) -> tuple[float, str]:
        """How long it took, and the last that it said."""
        began = time.monotonic()
        said = self.machine.run(" ".join([PROGRAM, *words]), status=status)
        return round(time.monotonic() - began, 1), said.strip().splitlines()[-1]

    # ------------------------------------------------------------------------------------- the course

    def install(self) -> None:
        began = time.monotonic()
        bundles = " ".join(f"{name}.bundle" for name in ROLES)
        said = self.machine.run(f"cd /root && python3 {self.copy(OLD)} install --bundle {bundles} || test $? = 1")
        self.works(OLD)
        assert "signs the director in" in said, said
        assert not [*(self.machine.root / "root").glob("*.bundle")], "bundles are wiped"
        self.say("installed from the file without a network", seconds=round(time.monotonic() - began, 1))

    def upgraded(self) -> None:
        self.press("NEW_HAND", "FOLD")
        before = self.rows()
        typed = documents.command(PAGE, f"{PROGRAM} upgrade feltwire").removeprefix(f"{PROGRAM} ")
        took, _ = self.call(typed.replace("feltwire-0.3.0.pyz", self.copy(NEW)))
        self.works(NEW)
        assert self.rows()[: len(before)] == before
        self.press("FOLD")
        self.say("upgraded in mid-hand, the hand goes on, no event lost", seconds=took, events=len(self.rows()))

    def refused(self) -> None:
        before, files = self.rows(), self.files
        forged = self.machine.root / STICK / "forged.pyz"
        whole = files[LATER].read_bytes()
        at = whole.index(b"wheels/feltwire-") + 2_000
        for name, content in {
            "cut": whole[: len(whole) // 2],
            "empty": b"",
            "one byte is another": whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :],
        }.items():
            forged.write_bytes(content)
            _, why = self.call("upgrade", f"/{STICK}/forged.pyz", status=2)
            self.works(NEW)
            self.say(f"refused: {name}", why=why)
        for version in (NEW, OLD):
            _, why = self.call("upgrade", self.copy(version), status=2)
            self.say("refused: a version that is not later", why=why)
        _, why = self.call("upgrade", self.copy(BLIND), status=2)
        self.works(NEW)
        self.say("refused: its doctor does not run", why=why)
        took, why = self.call("upgrade", self.copy(DEAD), status=1)
        self.works(NEW)
        self.say("back by itself: a process does not start", seconds=took, why=why)
        assert self.rows()[: len(before)] == before

    def rolled_back(self) -> None:
        before = self.rows()
        took, _ = self.call(documents.command(PAGE, f"{PROGRAM} rollback").removeprefix(f"{PROGRAM} "))
        self.works(OLD)
        self.press("NEW_HAND", "FOLD", "FOLD")
        assert self.rows()[: len(before)] == before
        self.say("rolled back, no event lost", seconds=took)

    def sent(self) -> None:
        """As the station does: the process's user puts a file into its folder, and nothing else."""
        folder = f"/var/lib/feltwire/{TABLE}/upgrade"
        as_user = "setpriv --reuid=feltwire --regid=feltwire --init-groups"
        self.machine.run(f"chmod 711 /root; {as_user} sh -c 'cat {self.copy(NEW)} > {folder}/part'")
        began = time.monotonic()
        (self.machine.root / LAST).unlink()
        self.machine.run(f"{as_user} mv {folder}/part {folder}/feltwire.pyz")
        until(lambda: any("done" in one for one in self.last()), "the helper is done", PATIENCE_S)
        self.works(NEW)
        self.say("upgraded by the file in a role's folder", seconds=round(time.monotonic() - began, 1))
        (self.machine.root / LAST).unlink()
        self.machine.run(f"{as_user} touch {folder}/back")
        until(lambda: any("done" in one for one in self.last()), "the helper is done", PATIENCE_S)
        self.works(OLD)
        self.machine.run(f"{as_user} sh -c 'echo hello > {folder}/part && mv {folder}/part {folder}/feltwire.pyz'")
        until(lambda: (self.last() or [{}])[-1].get("done") is False, "the helper refuses", PATIENCE_S)
        self._helper_failed()
        self.works(OLD)
        self.say("back by the file in a role's folder; a file that is no release is refused")
        self.machine.run(
            f"{as_user} sh -c 'cat {self.copy(NEW)} > {folder}/part && mv {folder}/part {folder}/feltwire.pyz'"
        )
        until(lambda: self.version() == NEW, "the switch", PATIENCE_S)
        self.machine.run(f"systemctl kill --signal=KILL feltwire-upgrade@{TABLE}")
        until(lambda: self.version() == OLD, "the helper was killed, and what ran before runs", PATIENCE_S)
        self._helper_failed()
        until(lambda: not (self.machine.root / "opt/feltwire/upgrade.json").exists(), "it is over", PATIENCE_S)
        self.works(OLD)
        self.say("the helper killed in the middle: the machine runs what ran before")

    def _helper_failed(self) -> None:
        """systemd says so, and is told that somebody has seen it."""
        helper = f"feltwire-upgrade@{TABLE}.service"
        until(lambda: self.machine.state(helper) == "failed", "the helper has failed", PATIENCE_S)
        self.machine.run(f"systemctl reset-failed {helper}")

    def cut(self, step: int) -> bool:
        """No power when the upgrade says its `step`-th word; False where it has no more steps."""
        self.press("NEW_HAND", "FOLD")
        before = self.rows()
        (self.machine.root / LAST).unlink(missing_ok=True)
        command = self.machine.enter(PROGRAM, "upgrade", self.copy(NEW))
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(
            lambda: (len(self.last()) >= step or process.poll() is not None) and self.last(), "a step", PATIENCE_S
        )
        said = self.last()[-1]
        self.machine.cut()
        process.wait()
        began = time.monotonic()
        self.machine.start()
        self.machine.wait_up()
        self.works(self.version())
        assert self.rows()[: len(before)] == before
        self.press("FOLD")
        figures = {"starts_s": round(time.monotonic() - began, 1), "runs": self.version(), "after": said}
        self.say(f"power cut at step {step}", **figures)
        if self.version() == NEW:
            self.call("rollback")
        self.works(OLD)  # what the cut left is cleared away by the next upgrade
        return "done" not in said


def proved(folder: Path, args: argparse.Namespace) -> None:
    proof = Proof(folder, args.base, args.releases or folder / "releases", args.report)
    proof.install()
    proof.upgraded()
    proof.refused()
    proof.rolled_back()
    proof.sent()
    step = 1
    while step <= args.cuts and proof.cut(step):
        step += 1
    proof.say("as it must be")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.room.upgrade", description=__doc__)
    parser.add_argument("--base", type=Path, default=Path("/"), metavar="DIR", help="default: of this machine")
    parser.add_argument("--cuts", type=int, default=20, metavar="N", help="power cuts, a step later each")
    parser.add_argument("--releases", type=Path, metavar="DIR", help="keeps the releases made for it")
    parser.add_argument("--report", type=Path, metavar="FILE", help="written as it goes")
    args = parser.parse_args()
    if os.geteuid() != 0 or missing():
        print(f"run it as root, with {', '.join(missing() or ['systemd-nspawn'])}", file=sys.stderr)
        return 2
    if INSIDE not in os.environ:
        with tempfile.TemporaryDirectory(prefix="feltwire-upgrade-") as folder:
            return inside("tests.room.upgrade", sys.argv[1:], folder)
    try:
        proved(Path(os.environ[INSIDE]), args)
    except Exception:  # noqa: BLE001  (whatever is not as it must be)
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
