"""`feltwire demo --night`: a small tournament, sped up, from registration to payout."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from display.actions import Mischief
from feltwire.config import Web
from feltwire.lab.demo.landing import Numbers, serve_page
from feltwire.lab.demo.night.director import NightFailed
from feltwire.lab.demo.night.door import DoorClosed
from feltwire.lab.demo.night.report import NightReport, report_of
from feltwire.lab.demo.night.room import NightRoom, evening_of, levels_of, open_night
from feltwire.lab.demo.night.told import told, told_level
from feltwire.lab.demo.room import HOST, RoomPlan
from feltwire.runtime.boottime import boot_millis
from feltwire.runtime.pages.web import listen
from table_core.messages import Level, Millis

SPEED = 4.0  # a night in about three minutes
LEVEL_S, BREAK_S = 20.0, 8.0
FASTEST_LEVEL_S, FASTEST_BREAK_S = 8.0, 2.0


def night_plan(plan: RoomPlan, *, default_speed: bool) -> RoomPlan:
    """The room of a night. A rendered camera costs more than a whole table: one table has it, headless none."""
    speed = SPEED if default_speed else plan.speed
    level, pause = (
        (LEVEL_S * SPEED / speed, BREAK_S * SPEED / speed) if speed else (FASTEST_LEVEL_S, FASTEST_BREAK_S)
    )
    cameras = frozenset(plan.table_ids[:1]) if speed else frozenset[str]()
    return replace(plan, speed=speed, tournament=True, levels=levels_of(level, pause), cameras=cameras)


def run_night(plan: RoomPlan, *, headless: bool, report: str | None, as_json: bool) -> int:
    """Play the night and say how it went; the exit status. With pages it stays open until Ctrl-C."""
    began = time.monotonic()

    def say(sentence: str) -> None:
        if sentence and not as_json:
            seconds = round(time.monotonic() - began)
            print(f"{seconds // 60}:{seconds % 60:02}  {sentence}", flush=True)

    def tell(record: dict[str, Any], night: dict[str, Any]) -> None:
        say(told(record, night))

    def on_level(level: Level) -> None:
        say(told_level(level))

    listener = None if headless else listen(Web(HOST, plan.port))
    with open_night(plan, evening_of(plan), tell=tell, on_level=on_level) as room:
        if listener is None:
            done = played(room, began)
            write(done, report, as_json=as_json)
            return 0 if done.ok else 1
        director = threading.Thread(
            target=lambda: write(played(room, began), report, as_json=as_json), name="director"
        )
        director.daemon = True
        director.start()
        print(
            f"The tournament: {plan.station_url}/station (sign in on the first page)",
            flush=True,
        )

        def numbers() -> Numbers:
            done = room.director.done
            return Numbers(room.hands, {"Rebuys": done.rebuys, "Moves": done.moves, "Tables broken": done.breaks})

        def mischief(table: str, kind: Mischief, until: Millis) -> bool:
            if until >= boot_millis():
                room.dealers[table].fault.ask(kind)
            return True

        serve_page(plan, Web(HOST, plan.port), listener, room.supervisor, numbers, mischief)
    return 0


def played(room: NightRoom, began: float) -> NightReport:
    """Play the night to its end, whatever that is."""
    done = room.director.done
    try:
        room.director.run()
    except (NightFailed, DoorClosed) as error:
        done.wrong.append(f"{error}")
    room.settle()
    dealt = {table: dealer.dealt for table, dealer in room.dealers.items()}
    report = report_of(room.plan, room.director.night, done, dealt, time.monotonic() - began)
    restarts = sum(room.supervisor.starts(name) - 1 for name in room.supervisor.names)
    return msgspec.structs.replace(report, restarts=restarts)


def write(report: NightReport, path: str | None, *, as_json: bool) -> None:
    raw = msgspec.json.encode(report)
    if path is not None:
        Path(path).write_bytes(msgspec.json.format(raw, indent=2) + b"\n")
    if as_json:
        print(raw.decode(), flush=True)
        return
    print(
        f"{report.players} players, {report.hands} hands, {report.events} events, {report.records} records, "
        f"{report.rebuys} rebuys, {report.moves} moves, {report.breaks} tables broken, "
        f"{report.rounds} rounds hand for hand (seed {report.seed}, {report.seconds:.0f} s)"
    )
    restarts = (f"{report.restarts} processes started again",) if report.restarts else ()
    wrong = "\n".join((*report.wrong, *restarts))
    print(wrong or "Every chip, seat, place and prize is right.", flush=True)
