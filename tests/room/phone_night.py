"""`python -m tests.room.phone_night`: a whole tournament whose director has nothing but a phone.

27 entrants at three tables that deal to themselves, in real processes with a real mosquitto. The director is
Chromium at 390x844 and touches: registration, draw, start, busts, rebuys, moves, tables that break, hand for hand,
penalties, absences, colour-ups, prizes, the cash box, standings. No command goes past the page. Printed: steps for
each command, presses that sent something else than was meant, commands for which the page had nothing to press,
refusals, and what `tests.room.nights` checks of chips, seats, places and prizes.
Exit status: 0 all of it holds, 1 something does not.
"""

from __future__ import annotations

import argparse
import logging
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from feltwire.lab.demo.night.command import night_plan, played
from feltwire.lab.demo.night.director import Director, Evening
from feltwire.lab.demo.night.door import Door
from feltwire.lab.demo.night.report import NightReport
from feltwire.lab.demo.night.room import NightRoom, evening_of, levels_of, open_night
from feltwire.lab.demo.night.told import told, told_level
from feltwire.lab.demo.room import HOST, RoomPlan, lay_out
from feltwire.lab.simroom.play.names import player_name
from feltwire.table.recovery import destroy_keys
from tests import chromium
from tests.display.station.jobs.hands import sizes
from tests.feltwire.mosquitto import Mosquitto
from tests.feltwire.processes import PATIENCE_S
from tests.ports import free_base
from tests.room.phone_door import PhoneDoor

BOOK = "rpl"  # it has rebuys without the house saying so
SEATS = 9
STACK = 1_500
SPEED = 8.0  # of the dealers; at full speed they would deal fifty hands while one person confirms four busts
LEVEL_S, BREAK_S = 40.0, 15.0
PAYOUTS = [18, 14, 11, 9, 8, 7, 6, 5, 5, 4, 4, 3, 2, 2, 2]  # so that two tables play when the money is near
LATE = 1


def evening(plan: RoomPlan) -> Evening:
    names = [player_name(number) for number in range(SEATS * plan.tables)]
    house = {"starting_stack": STACK, "seats_per_table": SEATS, "buy_in": 20, "payouts": PAYOUTS}
    people = [(name, name) for name in names]
    return replace(evening_of(plan), players=people, late=LATE, seats=SEATS, house=house)


def play(folder: Path, seed: int, tables: int) -> tuple[NightReport, PhoneDoor]:
    """A night in a room of its own, which lies in `folder` afterwards."""
    began = time.monotonic()
    with Mosquitto(folder) as broker, sync_playwright() as playwright:
        plan = RoomPlan(
            folder=folder / "room",
            tables=tables,
            seed=seed,
            speed=SPEED,
            port=free_base(),
            broker=broker.url,
            rulebook=BOOK,
        )
        levels = levels_of(LEVEL_S, BREAK_S)
        plan = replace(night_plan(plan, default_speed=False), levels=levels, cameras=frozenset())
        lay_out(plan)
        browser = playwright.chromium.launch(executable_path=chromium.PROGRAM, args=chromium.QUIET)
        page = browser.new_context(**sizes("phone")).new_page()
        try:
            with open_night(plan, evening(plan)) as opened:
                door, room = with_phone(opened, page, began)
                report = played(room, began)
                standings(door, room)
                return report, door
        finally:
            browser.close()
            destroy_keys(plan.folder / "data")


def say(began: float, sentence: str) -> None:
    if sentence:
        print(f"{time.monotonic() - began:5.0f} s  {sentence}", flush=True)


def with_phone(room: NightRoom, page: Page, began: float) -> tuple[PhoneDoor, NightRoom]:
    """The room with a director who presses with the phone."""
    link = room.plan.folder / "data" / "td-link"
    first = Door(HOST, room.plan.ports.station, link)
    first.night()  # the station is up
    first.close()
    page.goto(link.read_text().strip())
    page.goto(f"{room.plan.station_url}/station#queue")
    page.locator("#left").wait_for(timeout=PATIENCE_S * 1000)
    wanted = evening(room.plan)
    door = PhoneDoor(HOST, room.plan.ports.station, page, dict(wanted.players), lambda words: say(began, words))
    director = Director(
        wanted,
        door,
        {table: dealer.sign for table, dealer in room.dealers.items()},
        tell=lambda one, night: say(began, told(one, night)),
        on_level=lambda level: say(began, told_level(level)),
        stopping=threading.Event(),
    )
    return door, replace(room, director=director)


def standings(door: PhoneDoor, room: NightRoom) -> None:
    winner = next((one for one in room.director.night["field"] if one["place"] == 1), None)
    if winner is not None:
        door.page_of("League")
        door.hand.sees(str(winner["name"]))


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.room.phone_night", description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--tables", type=int, default=3, metavar="N", help="of nine players each (3)")
    args = parser.parse_args(argv)
    logging.basicConfig(level=logging.ERROR)
    folder = Path(tempfile.mkdtemp(prefix="feltwire-phone-"))
    report, door = play(folder, args.seed, args.tables)
    touches = door.touches
    print(f"{'command':20}{'times':>6}{'steps':>7}")
    for command, (times, steps) in sorted(touches.by_command.items()):
        print(f"{command:20}{times:>6}{steps:>7}")
    print(
        f"{report.players} players, {report.hands} hands, {report.rebuys} rebuys, {report.moves} moves, "
        f"{report.breaks} tables broken, {report.rounds} rounds hand for hand, {report.coloured} colour-ups, "
        f"{report.seconds / 60:.1f} minutes"
    )
    print(
        f"{door.hand.steps} steps, {len(touches.wrong)} wrong presses, {len(touches.missing)} commands with "
        f"nothing to press, {len(touches.refused)} refusals"
    )
    wrong = [*report.wrong, *touches.wrong, *touches.missing]
    for line in [*(f"refused: {one}" for one in touches.refused), *(f"WRONG: {one}" for one in wrong)]:
        print(line)
    if wrong:
        print(f"The room is kept in {folder}")
        return 1
    shutil.rmtree(folder, ignore_errors=True)
    print("Every chip, seat, place and prize is right.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
