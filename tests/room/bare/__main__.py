"""A venue from nothing: bare Debians that boot their own init, typed as docs/venue.md has it, counted.

    sudo .venv/bin/python -m tests.room.bare [--cache DIR] [--disk DIR] [--arm64] [--limit N] [--report FILE]

Six machines have a Debian with an init and Python, and no network but each other: the laptop that keeps the keys,
broker and station, wall clock, relay, two tables; and a spare. The twelve commands of *A venue in an hour* are
typed with the file of a release that is made here; doctor finds nothing red before a first start. Ten hands are
played on the tables' screens (Chromium, in the table's network). Then: the hub is pulled, a table and the station
lose their power in mid-hand, a table's process hangs until systemd ends it, a table's disk is lost and a spare
takes over, the lost device is revoked, the station's disk is lost and restored from its backup. At the end every
ledger is verified, and the station has each event of each table.

`--arm64`: table 02 is an arm64 Debian, its processor emulated (qemu-user-static, binfmt_misc). `--disk`: a bare
Debian that lies there; else debootstrap makes one in `--cache`. The report (JSON, a line a fact) grows as it goes.
Exit status: 0 all of it holds, 1 something does not, 2 called wrongly.
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
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Error as PageError
from playwright.sync_api import Page, Playwright, sync_playwright

from feltwire.ledger.room_ledger import CollectedLedger
from feltwire.ledger.table_ledger import Ledger
from tests.room.bare.disks import bare_disk, with_packages
from tests.room.bare.typed import KEYS, MOST_TYPED, Typist, other_addresses
from tests.room.venue import documents
from tests.room.venue.browsers import QUIET, press
from tests.room.venue.documents import BROKER
from tests.room.venue.machines import INSIDE, ROOT, Machine, Room, inside, missing
from tests.waiting import PATIENCE_S

SPARE = "spare"
TABLES = ("01", "02")
NAMES = (KEYS, "station", "clock", "relay", "table-01", "table-02", SPARE)
HANDS = 10
PLAYERS = ("Ann", "Ben", "Cy", "Dee", "Eli", "Fay")
SLOW_S = 600.0  # an emulated processor, a watchdog of a minute
LOOK_S = 0.3  # pages refuse whoever reads more than thirty times a second
STATION = "https://station.hall.lan:8081"
PORTS = {"01": 8080, "02": 8080}
BEGAN = time.monotonic()


class Proof:
    """The venue, and what was seen of it. `say` prints a fact and adds it to the report."""

    def __init__(self, folder: Path, program: Path, disks: dict[str, Path], report: Path) -> None:
        self._report = report
        self._lines: list[str] = []
        place = folder / "room"
        place.mkdir()
        self.room = Room(place, NAMES, disks=disks, bare=True)
        self.typist = Typist(self.room, program)
        self.pages: dict[str, Page] = {}
        self.at: dict[str, Machine] = {table: self.room[f"table-{table}"] for table in TABLES}
        self.say("booted", machines=len(NAMES))

    def say(self, what: str, **figures: object) -> None:
        line = json.dumps({"at_s": round(time.monotonic() - BEGAN, 1), "what": what, **figures})
        self._lines.append(line)
        self._report.write_text("".join(f"{one}\n" for one in self._lines))
        print(line, flush=True)

    # ------------------------------------------------------------------------------------- setting up

    def set_up(self) -> None:
        red = list[str]()
        for line, said in self.typist.walk():
            print(f"$ {line}\n{said}", file=sys.stderr, flush=True)
            red += [one for one in said.splitlines() if one.startswith("red")]
        assert not red, red
        assert self.typist.count <= MOST_TYPED, f"{self.typist.count} commands were typed"
        for name in NAMES:
            if name not in (KEYS, SPARE):
                awaited(lambda name=name: not self.room[name].down(), f"{name} runs")
        self.say("a venue stands, doctor found nothing red before the first start", commands=self.typist.count)

    def open_pages(self, playwright: Playwright) -> None:
        """The director at the laptop; the screen of each table in the table's own network."""
        addresses = self.room.addresses
        rules = other_addresses({f"{name}.hall.lan": addresses[name] for name in NAMES})
        for name, machine in (("director", self.room[KEYS]), *((table, self.at[table]) for table in TABLES)):
            self.pages[name] = _chromium(playwright, machine, rules)
        director = self.pages["director"]
        director.goto(self._secret(self.room["station"], "station/td-link"))
        director.goto(f"{STATION}/station")
        for table in TABLES:
            self._open_screen(table)

    def _open_screen(self, table: str) -> None:
        name = f"table-{table}"
        link = self._secret(self.at[table], f"{name}/{name}.kiosk-link")
        self.pages[table].goto(link.replace(f"//{name}.hall.lan", f"//{self.at[table].address}"))
        self.pages[table].get_by_role("button", name="New hand").wait_for()

    def _secret(self, machine: Machine, file: str) -> str:
        return machine.run(f"cat /var/lib/feltwire/{file}").strip()

    def direct(self, command: str, **arguments: object) -> str:
        answer = press(self.pages["director"], "/director", command=command, arguments=arguments)
        assert answer.startswith("done"), f"{command} {arguments}: {answer}"
        return answer

    def open_event(self) -> None:
        house = {"starting_stack": 5_000}
        self.direct("open", name="Friday", house=house, tables=[{"table": table, "seats": 9} for table in TABLES])
        for name in PLAYERS:
            self.direct("register_new", name=f"{name} Example", member=True, adult=True)
        for number in range(1, len(PLAYERS) + 1):
            self.direct("enter", player=f"p{number}")
        self.direct("draw_seats", tables=list(TABLES))
        self.direct("start")
        for table in TABLES:
            awaited(
                lambda table=table: len(self.view(table)["seats"]) == len(PLAYERS) / 2,
                f"{table} is seated",
            )
        self.say("an event is open, cards in the air", players=len(PLAYERS))

    # ------------------------------------------------------------------------------------- playing

    def view(self, table: str) -> dict[str, Any]:
        page = self.pages[table]
        return dict(page.evaluate(f"async () => (await fetch('/api/table/{table}')).json()"))

    def key(self, table: str, name: str) -> None:
        """A key of the table's own screen; back when the table has answered."""
        page = self.pages[table]
        with page.expect_response("**/touch"):
            page.get_by_role("button", name=name, exact=True).click()

    def begin_hand(self, table: str) -> None:
        awaited(lambda: not self.view(table)["no_hand"], f"table {table} may deal")
        self.key(table, "New hand")

    def end_hand(self, table: str) -> None:
        """Everybody folds to the big blind."""
        played = self.view(table)["hands_played"]

        def over() -> bool:
            if self.view(table)["hands_played"] == played:
                self.key(table, "Fold")
            return bool(self.view(table)["hands_played"] > played)

        awaited(over, f"the hand at table {table} is over")

    def hands(self, count: int) -> None:
        for number in range(count):
            table = TABLES[number % len(TABLES)]
            self.begin_hand(table)
            self.end_hand(table)

    def rows(self, table: str) -> list[tuple[int, int, bytes]]:
        ledger = Ledger.open(self._file(self.at[table], f"table-{table}/table-{table}.ledger"), read_only=True)
        try:
            return list(ledger.raw_events())
        finally:
            ledger.close()

    def collected(self, table: str) -> list[tuple[int, int, bytes]]:
        ledger = CollectedLedger.open(self._file(self.room["station"], "station/station.ledger"), read_only=True)
        try:
            return list(ledger.raw_events(table))
        finally:
            ledger.close()

    def _file(self, machine: Machine, name: str) -> Path:
        return machine.root / "var/lib/feltwire" / name

    def delivered(self) -> int:
        """Events of all tables, once the station has each of them."""
        for table in TABLES:
            awaited(lambda table=table: self.rows(table) == self.collected(table), f"{table} is collected")
        return sum(len(self.rows(table)) for table in TABLES)

    # ------------------------------------------------------------------------------------- trouble

    def hub_pulled(self) -> None:
        self.room.switch_off()
        for table in TABLES:
            self.begin_hand(table)
            self.end_hand(table)
        behind = len(self.rows("01")) - len(self.collected("01"))
        assert behind > 0, "the station heard a table through a hub without power"
        self.room.switch_on()
        began = time.monotonic()
        self.delivered()
        self.say("the hub was off, a hand was played at each table", back_s=round(time.monotonic() - began, 1))

    def power_cut(self, name: str) -> None:
        """In mid-hand; nothing that was recorded is lost, and the hand goes on."""
        machine = self.room[name]
        for table in TABLES:
            self.begin_hand(table)
        before = {table: self.rows(table) for table in TABLES}
        machine.cut()
        began = time.monotonic()
        machine.start()
        machine.wait_up()
        awaited(lambda: not machine.down(), f"{name} runs again")
        took = round(time.monotonic() - began, 1)
        for table in TABLES:
            if self.at[table] is machine:
                awaited(lambda table=table: self._answers(table), f"the screen of {table} is back")
            self.end_hand(table)
            assert self.rows(table)[: len(before[table])] == before[table], f"{table}: events were lost"
        self.delivered()
        self.say(f"{name} was cut from power in mid-hand", up_s=took)

    def _answers(self, table: str) -> bool:
        """The screen is of a table that runs: a page whose server was away is loaded again by a person."""
        try:
            self.view(table)
        except PageError:
            return False
        self.pages[table].reload()
        self.pages[table].get_by_role("button", name="New hand").wait_for()
        return True

    def hung(self, table: str) -> None:
        """Its process stands still; nobody but systemd notices."""
        machine, service = self.at[table], f"feltwire-table@table-{table}.service"
        self.begin_hand(table)
        process = machine.main_process(service)
        machine.run(f"kill -STOP {process}")
        began = time.monotonic()
        awaited(lambda: machine.main_process(service) not in (0, process), "systemd ends what hangs")
        took = round(time.monotonic() - began, 1)
        awaited(lambda: not machine.down(), f"table {table} runs again")
        assert "the node's thread hangs" in machine.says(service)
        awaited(lambda: self._answers(table), f"the screen of {table} is back")
        self.end_hand(table)
        self.delivered()
        self.say("a table's process hung in mid-hand and was started again", after_s=took)

    def spare_takes_over(self, table: str) -> None:
        """The table's machine is gone for good: it is revoked, a spare gets a bundle, one press admits it."""
        name = f"table-{table}"
        self.at[table].cut()
        before, typed, began = self.collected(table), self.typist.count, time.monotonic()
        spare, host = self.room[SPARE], self.room["station"]
        for line in documents.commands(BROKER, "feltwire provision revoke")[:5]:
            line = line.split(",")[0].strip().replace("table-02", name).replace("broker:", "station:")
            line = line.replace("feltwire provision", f"python3 {self.typist_program.name} provision")
            line = line.replace("bundles hall.toml hall", "bundles hall")
            self.typist.type(line)
        awaited(lambda: not (host.root / "etc/mosquitto/feltwire/ca.crl.new").exists(), "the list is taken")
        self.typist.type(f"scp {self.typist_program.name} hall/bundles/{name}.bundle {SPARE}:")
        self.typist.type(f"ssh {SPARE} python3 {self.typist_program.name} install --bundle {name}.bundle")
        self.at[table] = spare
        awaited(lambda: self._claims(table), "the spare claims the table")
        handed = time.monotonic()
        awaited(lambda: self._hand_over(table), "the director hands the table over")
        awaited(lambda: len(self.rows(table)) > len(before), "the spare goes on")
        assert self.rows(table)[: len(before)] == before
        self.pages[table].context.clear_cookies()
        self._open_screen(table)
        self.begin_hand(table)
        self.end_hand(table)
        self.delivered()
        self.say(
            "a spare took over a table whose disk is gone; the lost device is revoked",
            commands=self.typist.count - typed,
            minutes=round((time.monotonic() - began) / 60, 1),
            from_the_press_s=round(time.monotonic() - handed, 1),
        )

    @property
    def typist_program(self) -> Path:
        return next((self.room[KEYS].root / "root").glob("feltwire-*.pyz"))

    def _claims(self, table: str) -> dict[str, object] | None:
        page = self.pages["director"]
        queue = page.evaluate("async () => (await fetch('/api/queue')).json()")
        claims = (one for one in queue["items"] if one["kind"] == "claim" and one["table"] == table)
        return next(claims, None)

    def _hand_over(self, table: str) -> bool:
        claim = self._claims(table)
        primary = claim["primary"] if claim else None
        if not isinstance(primary, dict):
            return False
        body = {"command": primary["command"], "arguments": primary["arguments"]}
        return press(self.pages["director"], "/director", **body).startswith("done")

    def restored(self) -> None:
        """The station's records are gone; its backup of this minute is not."""
        host, service = self.room["station"], "feltwire-station@station.service"
        awaited(lambda: self._backups(host), "a backup is made")
        host.run("systemctl start feltwire-backup@station.service")
        newest = self._backups(host)[-1]
        events = self.delivered()
        host.run(f"systemctl stop {service} feltwire-backup@station.timer && rm -rf /var/lib/feltwire/station/*")
        host.run(
            "runuser -u feltwire -- /opt/feltwire/current/bin/feltwire restore"
            f" {newest} --to /var/lib/feltwire/station --unauthenticated"
            f" && systemctl start {service} feltwire-backup@station.timer"
        )
        awaited(lambda: not host.down(), "the station runs again")
        assert self.delivered() == events
        director = self.pages["director"]
        director.goto(self._secret(host, "station/td-link"))
        director.goto(f"{STATION}/station")
        queue = director.evaluate("async () => (await fetch('/api/queue')).json()")
        assert any("restored" in one["fact"] for one in queue["items"]), queue
        self.say("the station's records were lost and restored", events=events)

    def _backups(self, host: Machine) -> list[str]:
        made = sorted((host.root / "var/backups/feltwire/station").glob("feltwire-*Z"))
        return [f"/{path.relative_to(host.root)}" for path in made]

    def verified(self) -> None:
        for table in TABLES:
            ledger = f"/var/lib/feltwire/table-{table}/table-{table}.ledger"
            said = self.at[table].run(f"/opt/feltwire/current/bin/feltwire verify {ledger}")
            self.say(f"table {table}: feltwire verify", said=" ".join(said.split())[:120])
        for name in NAMES:
            if name != KEYS and self.room[name].powered:
                assert not self.room[name].down(), self.room[name].down()
        self.say("every service of every machine runs", events=self.delivered())


def awaited(see: Callable[[], object], what: str) -> None:
    """Look until it is seen; an error when it does not come."""
    ends = time.monotonic() + SLOW_S
    while not see():
        assert time.monotonic() < ends, f"not seen within {SLOW_S:.0f} s: {what}"
        time.sleep(LOOK_S)


def _chromium(playwright: Playwright, machine: Machine, rules: str) -> Page:
    """This machine's Chromium in the network of `machine`. `tests.room.venue` is about its trust in a venue."""
    start = machine.room.folder / f"chromium-in-{machine.name}"
    options = f"--host-resolver-rules='{rules}' --ignore-certificate-errors"
    start.write_text(f'#!/bin/sh\nexec nsenter --net=/run/netns/{machine.name} /usr/bin/chromium {options} "$@"\n')
    start.chmod(0o755)
    browser = playwright.chromium.launch(executable_path=str(start), args=QUIET, timeout=PATIENCE_S * 1000)
    context = browser.new_context(viewport={"width": 1280, "height": 800}, ignore_https_errors=True)
    context.set_default_timeout(PATIENCE_S * 1000)
    return context.new_page()


def made_program(folder: Path, machines: tuple[str, ...]) -> Path:
    """The file of a release out of this clone, signed with a key of its own."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    feltwire = [sys.executable, "-m", "feltwire", "program"]
    wheels = folder / "wheel"
    pip = [sys.executable, "-I", "-m", "pip", "--disable-pip-version-check", "-q", "wheel", "--no-deps"]
    subprocess.run([*pip, "--no-build-isolation", "-w", str(wheels), str(ROOT)], cwd=ROOT, check=True)
    subprocess.run(
        [*feltwire, "key", str(folder / "release.key")], cwd=ROOT, check=True, stdout=subprocess.DEVNULL
    )
    (wheel,) = wheels.iterdir()
    made = ["--wheel", str(wheel), "--key", str(folder / "release.key"), "--out", str(folder), "--python", python]
    named = [word for machine in machines for word in ("--machine", machine)]
    subprocess.run([*feltwire, "make", *made, *named], cwd=ROOT, check=True)
    return next(folder.glob("feltwire-*.pyz"))


def follow(folder: Path, disk: Path, arm64: Path | None, report: Path, limit: int | None) -> None:
    disks = dict.fromkeys(NAMES, disk) | {"station": with_packages(disk, folder)}
    if arm64 is not None:
        disks["table-02"] = arm64
    machines = ("x86_64", "aarch64") if arm64 is not None else ("x86_64",)
    proof = Proof(folder, made_program(folder, machines), disks, report)
    steps: list[Callable[[], None]] = [
        proof.set_up,
        proof.open_event,
        lambda: proof.hands(HANDS),
        lambda: proof.say("ten hands are at the station", events=proof.delivered()),
        proof.hub_pulled,
        lambda: proof.power_cut("table-01"),
        lambda: proof.power_cut("station"),
        lambda: proof.hung("02"),
        lambda: proof.spare_takes_over("01"),
        proof.restored,
        proof.verified,
    ]
    with sync_playwright() as playwright:
        steps.insert(1, lambda: proof.open_pages(playwright))
        try:
            for step in steps[:limit]:
                step()
        except BaseException:
            for name, machine in proof.room.machines.items():
                if machine.powered:
                    print(f"--- {name}\n{machine.says('feltwire-*', 'mosquitto*')[-2_500:]}", file=sys.stderr)
            for name, page in proof.pages.items():
                print(f"--- {name}: {page.url}\n{page.locator('body').inner_text()[:800]}", file=sys.stderr)
            raise


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.room.bare", description=__doc__.splitlines()[0])
    parser.add_argument("--cache", type=Path, default=Path("/var/cache/feltwire-tests"), metavar="DIR")
    parser.add_argument("--disk", type=Path, metavar="DIR", help="a bare Debian 12; else debootstrap makes one")
    parser.add_argument("--arm64", nargs="?", type=Path, const=Path(), metavar="DIR", help="table 02 is one")
    parser.add_argument("--limit", type=int, metavar="N", help="at most so many steps")
    parser.add_argument("--report", type=Path, default=Path("bare.jsonl"), metavar="FILE")
    args = parser.parse_args()
    needs = ("chromium", *(() if args.disk else ("debootstrap",)))
    lacks = [*(name for name in needs if shutil.which(name) is None), *missing()]
    if os.geteuid() != 0 or lacks:
        print(f"run it as root, with {', '.join(lacks or needs)}", file=sys.stderr)
        return 2
    if INSIDE not in os.environ:
        with tempfile.TemporaryDirectory(prefix="feltwire-bare-") as folder:
            return inside("tests.room.bare", sys.argv[1:], folder)
    args.cache.mkdir(parents=True, exist_ok=True)
    disk = args.disk or bare_disk(args.cache)
    arm64 = None
    if args.arm64 is not None:
        arm64 = args.arm64 if args.arm64 != Path() else bare_disk(args.cache, "arm64")
    try:
        follow(Path(os.environ[INSIDE]), disk, arm64, args.report, args.limit)
    except Exception:  # noqa: BLE001  (whatever is not as it must be)
        traceback.print_exc()
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
