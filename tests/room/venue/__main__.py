"""A venue set up from its documents by a stranger, with browsers; a device is revoked while it plays.

    sudo .venv/bin/python -m tests.room.venue [--install]

Eight machines, each with a disk and a network address of its own: the venue's keys, broker, station with clock and
relay, two tables, and the browsers of the director, the floor and a tablet. What is typed on them are the commands
of docs/venue.md and feltwire/deploy/mosquitto; what is written is the description that docs/venue.md has. Prints
what was done and seen; exit status 1 when something was not as the documents say. `--install` also installs the
program as they say, which takes minutes and the network.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
import traceback
from pathlib import Path

from playwright.sync_api import Page, Playwright, expect, sync_playwright

from feltwire.ledger.room_ledger import CollectedLedger
from feltwire.ledger.table_ledger import Ledger
from table_core.messages import Key
from tests.room.venue import documents
from tests.room.venue.browsers import page_on, press, status
from tests.room.venue.documents import BROKER, VENUE
from tests.room.venue.machines import CLONE, INSIDE, Machine, Room, inside, missing
from tests.waiting import PATIENCE_S, until

DEVICES = {
    "station": "station",
    "table-01": "table",
    "table-02": "table",
    "clock": "clock",
    "relay": "relay",
}
ALSO = {"clock": "station", "relay": "station"}  # three roles on one machine
BROWSERS = ("desk", "phone", "tablet")
A_MINUTE = 60.0
PRIVATE = "/etc/feltwire /etc/mosquitto/feltwire /var/lib/feltwire /run/feltwire hall"
# Nobody opens an event here: the clock runs, and the tables begin with these players.
PLAYERS = """
[settings.station]
autostart = true
[settings.table]
seats = [{seat = 1, stack = 20000}, {seat = 4, stack = 20000}, {seat = 7, stack = 20000}]
"""
STATION, TABLE_01, TABLE_02 = (
    "https://station.hall.lan:8081",
    "https://table-01.hall.lan:8080",
    "https://table-02.hall.lan:8080",
)


def say(words: str) -> None:
    print(f"{time.monotonic() - BEGAN:6.1f} s  {words}", flush=True)


BEGAN = time.monotonic()


# --- the room, from the documents


def keys_and_broker(room: Room) -> None:
    keys, broker = room["keys"], room["broker"]
    (keys.root / CLONE.lstrip("/") / "hall.toml").write_text(f"{documents.description()}{PLAYERS}")
    keys.run(documents.command(VENUE, "feltwire provision bundles"))
    say("keys: `feltwire provision bundles`, as the document has it")
    copy(room, "broker")
    broker.run(documents.command(VENUE, "apt-get install -y mosquitto"))
    until(lambda: listening(broker), "the broker listens")
    say("broker: mosquitto runs with the provisioned configuration")


def copy(room: Room, name: str) -> None:
    """Its bundle, as on a stick."""
    bundle = f"{CLONE.lstrip('/')}/hall/bundles/{name}.bundle"
    shutil.copy(room["keys"].root / bundle, room[name].root / CLONE.lstrip("/"))


def listening(machine: Machine) -> bool:
    return ":22B3 " in machine.run("cat /proc/net/tcp /proc/net/tcp6")  # 8883


def device(room: Room, name: str, kind: str) -> None:
    machine = room[name]
    copy(room, name)
    machine.run(documents.command(VENUE, f"feltwire install {kind}").replace("table-01", name))
    bundle = machine.root / CLONE.lstrip("/") / f"{name}.bundle"
    assert not bundle.exists(), "the bundle is wiped"
    assert not machine.down(), machine.down()  # systemd heard that it is ready
    say(f"{name}: runs as a service")


def examined(room: Room) -> None:
    """`feltwire doctor` on each machine, as its process's user, with the process stopped and the station running:
    nothing is red; at a table everything is green but for what the machine itself lacks."""
    for name, kind in DEVICES.items():
        machine, user = room[name], "feltwire-relay" if kind == "relay" else "feltwire"
        machine.stop(f"feltwire-{kind}@{name}.service")
        typed = documents.command(VENUE, "sudo -u feltwire").replace("sudo -u feltwire", f"runuser -u {user} --")
        found = machine.run(typed.replace("table-01/table.toml", f"{name}/{kind}.toml"))
        wrong = [line for line in found.splitlines() if not line.startswith("green")]
        assert all("machine: " in line or kind == "station" for line in wrong[:-1]), found
        machine.run(f"systemctl restart feltwire-{kind}@{name}")
        until(machine.alive, f"{name} runs again")
    say("`feltwire doctor` finds nothing red on any machine")


def says(room: Room, name: str, words: str) -> bool:
    return words in room[name].says(f"feltwire-*@{name}.service")


def trust(room: Room, name: str) -> None:
    """A browser's machine believes the venue's authority."""
    shutil.copy(room["keys"].root / CLONE.lstrip("/") / "hall" / "ca.crt", room[name].root / CLONE.lstrip("/"))
    room[name].run("\n".join(documents.commands(VENUE, "CACertificates")))


def secret(machine: Machine, file: str) -> str:
    """What root reads on it; nobody else does."""
    machine.run(f"runuser -u nobody -- cat /var/lib/feltwire/{machine.name}/{file}", status=1)
    return machine.run(f"cat /var/lib/feltwire/{machine.name}/{file}").strip()


# --- people


def everybody_in(room: Room, playwright: Playwright) -> dict[str, Page]:
    """The director by the link, the floor let in by the director, a tablet paired with table 01."""
    for name in (*BROWSERS, "table-02"):
        trust(room, name)
    pages = {name: page_on(playwright, room[name]) for name in (*BROWSERS, "table-02")}
    ann, fay, tablet, kiosk = (pages[name] for name in ("desk", "phone", "tablet", "table-02"))
    ann.goto(secret(room["station"], "td-link"))
    assert ann.url.startswith(STATION), ann.url
    ann.goto(f"{STATION}/people")
    ann.get_by_label("Name", exact=True).fill("Fay")
    ann.get_by_label("Role").select_option("floor")
    ann.get_by_role("button", name="Let in").click()
    expect(ann.get_by_label("The link")).to_be_visible()
    fay.goto(ann.get_by_label("The link").input_value())
    expect(fay.get_by_role("link", name="Fay")).to_be_visible()
    say("desk: the director is signed in; phone: the floor is, with a link of the director's")

    tablet.goto(f"{TABLE_01}/table/01")
    assert tablet.get_by_role("button", name="New hand").count() == 0, "a tablet that nobody paired has no keys"
    tablet.goto(f"{TABLE_01}/pair")
    expect(tablet.locator("#code")).not_to_have_text("······")
    code = tablet.locator("#code").inner_text()
    ann.goto(secret(room["table-01"], "table-01.td-link"))
    ann.goto(f"{TABLE_01}/people")
    ann.get_by_label("Name", exact=True).fill("Tablet")
    ann.get_by_label("Role").select_option("dealer")
    ann.get_by_label("Code on their screen").fill(code)
    ann.get_by_role("button", name="Let in").click()
    tablet.wait_for_url("**/table/01")
    expect(tablet.get_by_role("button", name="New hand")).to_be_visible()
    kiosk.goto(secret(room["table-02"], "table-02.kiosk-link"))
    expect(kiosk.get_by_role("button", name="New hand")).to_be_visible()
    say("tablet: paired with table 01 by its code; table-02: its own screen is signed in")
    ann.goto(f"{STATION}/station")
    return pages


def what_they_may(pages: dict[str, Page]) -> None:
    ann, fay, tablet, kiosk = (pages[name] for name in ("desk", "phone", "tablet", "table-02"))
    ann.get_by_role("button", name="Pause").click()
    expect(ann.get_by_role("button", name="Resume")).to_be_visible()
    ann.get_by_role("button", name="Resume").click()
    expect(ann.get_by_role("button", name="Pause")).to_be_visible()
    fay.goto(f"{STATION}/station/table/01")
    expect(fay.get_by_role("button", name="Ruling", exact=True)).to_be_visible()
    fay.goto(f"{STATION}/station")
    assert fay.get_by_role("button", name="Pause").count() == 0
    refused = {
        "the floor pauses the clock": press(fay, "/director", command="pause", arguments={}),
        "the floor lets somebody in": press(fay, "/people", do="add", name="Eve", role="td"),
        "a tablet of table 01 presses at table 02": press(tablet, "/table/02/touch", key=int(Key.FLOOR)),
        "a tablet lets somebody in": press(tablet, "/people", do="add", name="Eve", role="td", table="01"),
        "a table's screen directs": press(kiosk, "/director", command="pause", arguments={}),
    }
    for what, answer in refused.items():
        assert answer.startswith("refused"), f"{what}: {answer}"
    for page, path in [(fay, "/people"), (fay, "/audit"), (tablet, "/people"), (kiosk, "/audit")]:
        assert status(page, path) in (403, 404), path
    assert status(fay, "/api/rulings") == 200
    fay.goto(f"{TABLE_01}/table/01")
    assert press(fay, "/table/01/touch", key=int(Key.FLOOR)).startswith("refused"), (
        "she is known at the station only"
    )
    fay.goto(f"{STATION}/station")
    say(f"each presses what it may; {len(refused) + 1} presses that it may not are refused")


# --- hands


def play(page: Page) -> None:
    """Three players: two fold, the big blind gets the pot."""
    before = page.locator("#hand").inner_text()
    key(page, "New hand")
    until(lambda: page.locator("#hand").inner_text() != before, "a new hand begins")
    for _ in range(2):
        who = page.locator("#next").inner_text()
        key(page, "Fold")
        until(lambda who=who: page.locator("#next").inner_text() != who, "the action goes on")
    key(page, "Pot pushed")


def key(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def rows(room: Room, table: str) -> list[tuple[int, int, bytes]]:
    path = room[f"table-{table}"].root / f"var/lib/feltwire/table-{table}/table-{table}.ledger"
    ledger = Ledger.open(path, read_only=True)
    try:
        return list(ledger.raw_events())
    finally:
        ledger.close()


def collected(room: Room, table: str) -> list[tuple[int, int, bytes]]:
    ledger = CollectedLedger.open(room["station"].root / "var/lib/feltwire/station/station.ledger", read_only=True)
    try:
        return list(ledger.raw_events(table))
    finally:
        ledger.close()


def delivered(room: Room, *tables: str) -> None:
    """All that these tables have recorded is at the station, to the byte."""
    for table in tables:
        until(
            lambda table=table: rows(room, table) == collected(room, table) != [], f"table {table} at the station"
        )


# --- a table is stolen


def stolen(room: Room, pages: dict[str, Page]) -> None:
    tablet, kiosk = pages["tablet"], pages["table-02"]
    key(tablet, "New hand")
    key(kiosk, "New hand")
    delivered(room, "01", "02")
    lines = documents.commands(BROKER, "feltwire provision revoke")
    revoke, to_broker, to_station, renew, bundles = lines[:5]
    began = time.monotonic()
    for line in (revoke, to_broker, to_station):
        room["keys"].run(line)
    new = room["broker"].root / "etc/mosquitto/feltwire/ca.crl.new"
    until(lambda: not new.exists(), "the list is taken")
    before = len(collected(room, "02"))
    until(lambda: offline(pages["desk"], "02"), "table 02 is out", A_MINUTE)
    out = time.monotonic() - began
    until(lambda: says(room, "table-02", "certificate revoked"), "table 02 says why")
    key(kiosk, "Fold")
    key(tablet, "Fold")
    key(tablet, "Fold")
    until(lambda: not offline(pages["desk"], "01"), "table 01 is back", A_MINUTE)
    back = time.monotonic() - began
    key(tablet, "Pot pushed")
    delivered(room, "01")
    for name in ("station", "table-01", "clock", "relay"):
        assert not room[name].down(), room[name].down()
        until(lambda name=name: says(room, name, "revocation list 2 is in force"), f"{name} knows the list")
    assert len(collected(room, "02")) == before, "nothing of a revoked table is taken"
    assert rows(room, "02")[:before] == collected(room, "02")
    say(f"table-02 is revoked: out after {out:.1f} s; table 01 is back and collected after {back:.1f} s")
    assert "table-02" in room["keys"].run("feltwire provision list hall")
    room["keys"].run(renew.split(",")[0])
    room["keys"].run(bundles)
    began = time.monotonic()
    device(room, "table-02", "table")
    delivered(room, "02")
    key(kiosk, "Fold")
    key(kiosk, "Pot pushed")
    until(lambda: not offline(pages["desk"], "02"), "table 02 is back")
    delivered(room, "01", "02")
    say(f"table-02 is renewed: back after {time.monotonic() - began:.1f} s, its hand went on, nothing is lost")


def offline(page: Page, table: str) -> bool:
    room = page.evaluate("async () => (await fetch('/api/room')).json()")
    return bool(next(cell for cell in room["cells"] if cell["table"] == table)["link"] == "silent")


def judged(room: Room) -> None:
    for name in ("table-01", "table-02", "station"):
        said = room[name].run(f"feltwire verify /var/lib/feltwire/{name}/{name}.ledger")
        say(f"{name}: feltwire verify: {' '.join(said.split())[:150]}")
    for machine in room.machines.values():
        assert not machine.down(), machine.down()
        public = " ".join(f"! -name '*.{ending}'" for ending in ("crt", "crl", "pub", "toml", "conf", "nft"))
        wide = machine.run(f"find {PRIVATE} -type f -perm /077 {public} 2>/dev/null || true")
        assert not wide.strip(), f"{machine.name}: others may read\n{wide}"
    say("no private file on any machine is open to another user")


def follow(folder: Path, install: bool) -> None:
    typed = documents.commands(VENUE, "pip install --require-hashes") if install else []
    names = ["keys", "broker", *(name for name in DEVICES if name not in ALSO), *BROWSERS]
    room = Room(folder, names, typed, ALSO)
    if install:
        say("the program is installed from its lock, as the document has it")
    keys_and_broker(room)
    for name, kind in DEVICES.items():
        device(room, name, kind)
    examined(room)
    with sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE_S * 1000)
        pages = everybody_in(room, playwright)
        try:
            what_they_may(pages)
            for name in ("tablet", "table-02"):
                play(pages[name])
            delivered(room, "01", "02")
            say("a hand was played at each table, with keys on the screen, and is at the station")
            stolen(room, pages)
            judged(room)
        except BaseException:
            for name, page in pages.items():
                print(f"--- {name}: {page.url}\n{page.locator('body').inner_text()[:700]}", file=sys.stderr)
            for machine in room.machines.values():
                print(f"--- {machine.name}\n{machine.says('feltwire-*', 'mosquitto*')[-3_000:]}", file=sys.stderr)
            raise


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--install", action="store_true", help="install the program as the documents say")
    args = parser.parse_args()
    needs = ("mosquitto", "chromium", "openssl")
    lacks = [name for name in needs if shutil.which(name, path="/usr/sbin:/usr/bin:/sbin:/bin") is None]
    lacks += missing()
    if os.geteuid() != 0 or lacks:
        print(f"run it as root, with {', '.join(lacks or needs)}", file=sys.stderr)
        return 2
    if INSIDE not in os.environ:
        with tempfile.TemporaryDirectory(prefix="feltwire-venue-") as folder:
            return inside("tests.room.venue", sys.argv[1:], folder)
    try:
        follow(Path(os.environ[INSIDE]), args.install)
    except Exception:  # noqa: BLE001  (whatever is not as the documents say)
        traceback.print_exc()
        return 1
    say("the room is as its documents say")
    return 0


if __name__ == "__main__":
    sys.exit(main())
