"""The room of a tournament night: every process of the demo, with the dealers and the director in this one."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from feltwire.lab.demo.check import SETTLES_S, RoomFiles
from feltwire.lab.demo.headless import GLANCE_S, await_broker
from feltwire.lab.demo.night.dealer import NightDealer
from feltwire.lab.demo.night.director import Director, Evening
from feltwire.lab.demo.night.door import Door
from feltwire.lab.demo.room import HOST, RoomPlan, children, simroom_of
from feltwire.lab.simroom.dealer.pace import Pace
from feltwire.lab.simroom.devices import SimDevices
from feltwire.lab.simroom.play.names import player_name
from feltwire.ledger.table_ledger import LedgerError
from feltwire.runtime.children import Supervisor
from table_core.messages import Chips, Level

SEATS = 5  # at each table
STACK = 1_500
PLAYERS_LATE = 1
_BLINDS = (25, 50, 0, 100, 200, 300, 500, 1_000, 2_000, 4_000, 8_000)  # small ones; 0: a break


def levels_of(level_s: float, break_s: float) -> tuple[Level, ...]:
    """A short schedule: blinds that leave stacks to play with, a break before the smallest chips leave play."""
    numbers = iter(range(1, len(_BLINDS) + 1))
    return tuple(
        Level(next(numbers), Chips(small), Chips(2 * small), minutes=level_s / 60)
        if small
        else Level(0, Chips(0), Chips(0), minutes=break_s / 60, is_break=True)
        for small in _BLINDS
    )


def evening_of(plan: RoomPlan) -> Evening:
    """A full house, whose last player comes late; one place in three is paid."""
    players = SEATS * plan.tables
    return Evening(
        name="A night at the demo",
        rulebook=plan.rulebook,
        players=[(_short(number), player_name(number)) for number in range(players)],
        late=PLAYERS_LATE,
        seats=SEATS,
        house={
            "starting_stack": STACK,
            "seats_per_table": SEATS,
            "buy_in": 20,
            "rebuys": 1,
            "rebuy_before_level": 3,
            "rebuy_below": 0,
            "rebuy_chips": STACK,
            "payouts": [40, 25, 17, 11, 7],
        },
        levels=plan.levels,
        seed=plan.seed,
    )


def _short(number: int) -> str:
    """An id that tables and screens show; given names alone while they last."""
    given = player_name(number).split()[0]
    lap = sum(player_name(other).split()[0] == given for other in range(number))
    return f"{given}{lap + 1}" if lap else given


@dataclass
class NightRoom:
    """An open room; its director's `run` is the night."""

    plan: RoomPlan
    supervisor: Supervisor
    dealers: dict[str, NightDealer]
    director: Director

    @property
    def hands(self) -> int:
        return sum(dealer.dealt.hands for dealer in self.dealers.values())

    def settle(self) -> None:
        """Wait until the station has collected what the tables recorded; the report says where it never does."""
        files = RoomFiles(self.plan.folder / "data", self.plan.table_ids)
        until = time.monotonic() + SETTLES_S
        while time.monotonic() < until:
            with contextlib.suppress(LedgerError):
                if files.heads() == files.station_heads():
                    return
            time.sleep(GLANCE_S)


@contextlib.contextmanager
def open_night(
    plan: RoomPlan,
    evening: Evening,
    *,
    tell: Callable[[dict[str, Any], dict[str, Any]], None] = lambda _record, _night: None,
    on_level: Callable[[Level], None] = lambda _: None,
) -> Iterator[NightRoom]:
    """Every process of `plan` up, the dealers at their tables; all of it ends with the block."""
    stopping, paces = threading.Event(), []
    with contextlib.ExitStack() as stack:
        supervisor = stack.enter_context(Supervisor(children(plan, lambda _table, _line: None)))
        await_broker(plan)
        dealers, threads = {}, []
        for table in plan.table_ids:
            config, pace = simroom_of(plan, table), Pace(plan.speed)
            paces.append(pace)
            devices = stack.enter_context(SimDevices(config, pace))
            dealers[table] = NightDealer(config, devices.hands)
            threads.append(threading.Thread(target=dealers[table].work, name=f"dealer {table}", daemon=True))
        door = Door(HOST, plan.ports.station, plan.folder / "data" / "td-link")
        stack.callback(door.close)
        signs = {table: dealer.sign for table, dealer in dealers.items()}
        director = Director(evening, door, signs, tell=tell, on_level=on_level, stopping=stopping)
        for thread in threads:
            thread.start()
        try:
            yield NightRoom(plan, supervisor, dealers, director)
        finally:
            stopping.set()
            for pace in paces:
                pace.stop()
            for thread in threads:
                thread.join()
