"""`python -m tests.tournaments.cost`: what an action at the station costs, by entrants, and its memory.

A station in memory opens an event for 11, 200 and 2,000 entrants; everybody registers and enters at its door,
seats are drawn, cards are in the air. Then the director presses: away and back, busts at a table until it has too
few. Printed for each size: milliseconds of processor time a press (median / 99th percentile; entries at the
beginning and at the end apart, so that growth shows), a beat of a table, of proposing moves and a table to break,
and the most memory that the process has had so far.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

from feltwire.lab.station.memory import MemoryStation, of
from feltwire.runtime.broker import topics
from feltwire.runtime.node_io import Arrived, Reply
from feltwire.station.station_io import Directed
from table_core.messages import Chips, Leaseholder, Status, TableBeat, encode
from table_core.tournament.events import Out
from table_core.tournament.seats.balance import balance, table_to_break
from tests.feltwire.station_room import config

SEATS = 10
SIZES = (11, 200, 2_000)
SAMPLES = 100
KEY = b"a table's public key".ljust(32)
BUSTS = 5  # at one table, which then gets players from the others


class Presses:
    """Presses at the door of one station, each with the processor time that it took."""

    def __init__(self, entrants: int) -> None:
        tables = [f"{no:03}" for no in range(1, -(-entrants // SEATS) + 2)]
        holders = {table: Leaseholder(f"table-{table}", 1, KEY) for table in tables}
        self.station = MemoryStation(config(tables, rulebook="base"), leaseholders=holders).up()
        self.times: dict[str, list[float]] = {}
        self._hear("status", encode(Status(online=True)))
        self._no = 0
        plans = [{"table": table, "seats": SEATS} for table in tables]
        self.do(
            "open", house={"starting_stack": 5_000, "max_entrants": 5_000, "seats_per_table": SEATS}, tables=plans
        )

    def do(self, command: str, **arguments: Any) -> None:
        self._no += 1
        given = Directed(f"press-{self._no}", command, arguments, by="TD")
        began = time.process_time()
        done = self.station.give(given)
        self.times.setdefault(command, []).append(1_000 * (time.process_time() - began))
        (reply,) = of(done, Reply)
        if reply.refused:
            raise SystemExit(f"{command} {arguments}: {reply.text}")
        self.station.effects.clear()

    def beat(self) -> None:
        """Every table answers the station's beat, as each does every second."""
        self._hear("beat", encode(TableBeat(1, self.station.boot, self.station.now)))

    def _hear(self, leaf: str, payload: bytes) -> None:
        """The same from every table."""
        for table in self.station.config.tables:
            given = Arrived(topics.table(self.station.config.venue, table, leaf), payload)
            began = time.process_time()
            self.station.give(given)
            self.times.setdefault(leaf, []).append(1_000 * (time.process_time() - began))


def said(times: Sequence[float]) -> str:
    ordered = sorted(times)
    return f"{statistics.median(ordered):.2f} / {ordered[-(-99 * (len(ordered) - 1) // 100)]:.2f} ms"


def timed(what: Callable[[], object]) -> list[float]:
    times = []
    for _ in range(SAMPLES):
        began = time.process_time()
        what()
        times.append(1_000 * (time.process_time() - began))
    return times


def measured(entrants: int) -> None:
    presses = Presses(entrants)
    players = [f"p{no}" for no in range(1, entrants + 1)]
    for player in players:
        presses.do("register", player=player, member=True, adult=True)
        presses.do("enter", player=player)
    presses.do("draw_seats")
    tables = presses.station.node.tournament.night.state.seats.open_tables()
    for table in tables:
        presses.do("set_button", table=table.plan.table)
    presses.do("start")
    for player in players[:SAMPLES]:
        presses.do("leave", player=player)
        presses.do("return", player=player)
    presses.beat()
    _busts(presses, BUSTS)
    state, facts = (
        presses.station.node.tournament.night.state,
        presses.station.node.tournament.facts(presses.station.now),
    )
    part = max(1, entrants // 10)
    entered = presses.times["enter"]
    print(f"{entrants} entrants, {len(tables)} tables, {len(presses.station.records)} records")
    print(f"  enter, the first {part}: {said(entered[:part])}; the last {part}: {said(entered[-part:])}")
    for command in ("draw_seats", "leave", "return", "report_bust", "confirm_bust", "beat"):
        print(f"  {command}: {said(presses.times[command])}")
    print(f"  moves proposed ({len(balance(state, facts))}): {said(timed(lambda: balance(state, facts)))}")
    print(f"  table to break proposed: {said(timed(lambda: table_to_break(state, facts)))}")


def _busts(presses: Presses, count: int) -> None:
    """So many go out at the first table, which then has too few."""
    table = presses.station.node.tournament.night.state.seats.open_tables()[0]
    for hand, player in enumerate(list(table.players.values())[:count], 1):
        out = Out(player, Chips(5_000), (list(table.players.values())[-1],))
        plain = {"player": out.player, "start_stack": out.start_stack, "by": list(out.by)}
        presses.do("report_bust", table=table.plan.table, hand=hand, out=[plain])
        presses.do("confirm_bust", busts=[f"{table.plan.table}-{hand}"])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.tournaments.cost", description=__doc__)
    parser.add_argument("entrants", nargs="*", type=int, default=SIZES, help="11 200 2000")
    for entrants in parser.parse_args().entrants:
        measured(entrants)
        print(f"  memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main()
