"""`python -m tests.room.scale --tables 200 500 --pace 10`: how many tables a station takes, and what limits it.

A station process and a mosquitto, or a NATS cluster (`--nats`). Every table is an MQTT client of its own, in a few
processes: an event with the table's new state every three seconds of room time at each table, written and signed
before, and an answer to each beat. Hands of nine end before the flop. Lag is from the publication of an event to
the station's acknowledgement, which says that it is on the disk.

A line for each size: lag, memory, processor time of station, broker and tables (1,000 ms/s is one core), how long
the station stood in line for a processor, and what it computes for an event and for a table. It keeps up where
every event is acknowledged within two seconds of the last. Exit status: 0 kept up with each size, 1 not.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from feltwire.config import Broker
from feltwire.ledger.chain import LedgerHead
from feltwire.runtime.broker import topics
from feltwire.runtime.broker.bus import Bus
from feltwire.runtime.broker.bus_port import Will
from table_core.messages import Ack, Beat, Resend, Status, TableBeat, decode, decode_command, encode
from tests.feltwire.mosquitto import Mosquitto
from tests.feltwire.nats import NatsCluster
from tests.feltwire.processes import Process, station_settings
from tests.feltwire.station_room import VENUE, FakeTable
from tests.ports import free_port
from tests.room.many_tables import EVENT_S, hands, processor_s, resident_mb

SPEAKERS = 4  # processes that share out the tables
SETTLE_S = 2.0


class Order(NamedTuple):
    """What a process of tables is told."""

    broker: Broker
    tables: tuple[str, ...]
    pace: float
    seconds: float


class Said(NamedTuple):
    raw: bytes
    state: bytes
    head: LedgerHead


class Client(FakeTable):
    """A table with a client of its own. `lags` are the milliseconds of each acknowledged event."""

    def __init__(self, table: str, broker: Broker, events: int) -> None:
        super().__init__(table)
        self.lags: list[float] = []
        self.up = threading.Event()
        self._plan = self._written(events)
        self._waiting: deque[tuple[int, float]] = deque()  # events that are not acknowledged, with when they went
        self._lock = threading.Lock()
        self.bus = Bus(
            broker,
            client_id=f"table-{table}",
            subscriptions=[*map(self.topic, ("ack", "command", "grant")), topics.tournament(VENUE, "beat")],
            on_message=self._message,
            on_up=self._up,
            on_down=lambda reason: None,
            will=Will(self.topic("status"), encode(Status(online=False))),
        )

    def _written(self, events: int) -> deque[Said]:
        plan, play = deque[Said](), hands(self.table)
        for _ in range(events):
            (raw,) = self.write(next(play))
            plan.append(Said(raw, self.state(self.head.seq).payload, self.head))
        self.head, self.rows = LedgerHead(), []
        return plan

    @property
    def behind(self) -> int:
        return len(self._waiting)

    def go_on(self) -> None:
        """The next event happens."""
        with self._lock:
            said = self._plan.popleft()
            self.head = said.head
            self.rows.append(said.raw)
            self._waiting.append((said.head.seq, time.monotonic()))
        self.bus.publish(self.topic("event"), said.raw)
        self.bus.publish(self.topic("state"), said.state, retain=True)

    def say_again(self) -> None:
        """As a table does until it is granted its lease: the broker drops what a busy station has not read."""
        self.bus.publish(self.topic("birth"), self.birth().payload)
        with self._lock:
            rows = list(self.rows)
        for raw in rows:
            self.bus.publish(self.topic("event"), raw)

    def _up(self) -> None:
        self.bus.publish(self.topic("status"), encode(Status(online=True)), retain=True)
        self.bus.publish(self.topic("birth"), self.birth().payload)
        self.up.set()

    def _message(self, topic: str, payload: bytes) -> None:
        if topic == self.topic("ack"):
            self._acknowledged(decode(payload, Ack).seq)
        elif topic == topics.tournament(VENUE, "beat"):
            beat = decode(payload, Beat)
            self.bus.publish(self.topic("beat"), encode(TableBeat(self.head.epoch, beat.boot, beat.at)), qos=0)
        else:
            command = decode_command(payload)
            if isinstance(command, Resend):
                self._again(command)

    def _acknowledged(self, seq: int) -> None:
        now = time.monotonic()
        with self._lock:
            while self._waiting and self._waiting[0][0] <= seq:
                self.lags.append((now - self._waiting.popleft()[1]) * 1_000)

    def _again(self, wanted: Resend) -> None:
        if wanted.birth:
            self.bus.publish(self.topic("birth"), self.birth().payload)
        with self._lock:
            rows = self.rows[wanted.from_seq - 1 :][:500]
        for raw in rows:
            self.bus.publish(self.topic("event"), raw)


def speak(order: Order) -> None:
    """One of the processes: says when its tables are there, plays when told to, and reports."""
    events = round(order.seconds * order.pace / EVENT_S) + 2
    clients = [Client(table, order.broker, events) for table in order.tables]
    for client in clients:
        client.bus.start()
    for client in clients:
        client.up.wait()
        client.go_on()
    while unknown := [client for client in clients if client.behind]:
        for client in unknown:  # the station has not said yet that this machine is the table
            client.say_again()
        time.sleep(SETTLE_S)
    print("there", flush=True)
    sys.stdin.readline()
    for client in clients:
        client.lags.clear()
    every = EVENT_S / order.pace / len(clients)
    began = due = time.monotonic()
    sent, late = 0, 0.0
    while due < began + order.seconds:
        clients[sent % len(clients)].go_on()
        sent += 1
        due = began + sent * every
        late = max(late, time.monotonic() - due)
        time.sleep(max(0.0, due - time.monotonic()))
    deadline = time.monotonic() + SETTLE_S
    while any(client.behind for client in clients) and time.monotonic() < deadline:
        time.sleep(0.05)
    lags = [round(lag, 1) for client in clients for lag in client.lags]
    print(json.dumps({"sent": sent, "late": late, "lags": lags, "behind": sum(one.behind for one in clients)}))
    for client in clients:
        client.bus.stop()


def measure(tables: int, pace: float, seconds: float, *, nats: bool) -> dict[str, object]:
    names = [f"{no:02}" for no in range(1, tables + 1)]
    with tempfile.TemporaryDirectory(prefix="feltwire-scale-") as name:
        folder, port = Path(name), free_port()
        with NatsCluster(folder) if nats else Mosquitto(folder) as running:
            broker = running.broker if isinstance(running, NatsCluster) else Broker(url=running.url)
            pids = running.pids if isinstance(running, NatsCluster) else [running.pid]
            section = "[broker]\n" + msgspec.toml.encode(broker).decode()
            settings = station_settings(folder, section, port, minutes=600)
            with Process("station", folder, port, settings.replace('["01", "02"]', json.dumps(names))) as station:
                station.connected()
                shares = [tuple(names[first::SPEAKERS]) for first in range(min(SPEAKERS, tables))]
                speakers = [_speaker(Order(broker, share, pace, seconds)) for share in shares]
                return _watched(speakers, station.pid, pids, tables, seconds)


def waited_s(pid: int) -> float:
    """How long the threads of a process stood in line for a processor, the longest of them."""
    return max(int(one.read_text().split()[1]) for one in Path(f"/proc/{pid}/task").glob("*/schedstat")) / 1e9


def _speaker(order: Order) -> subprocess.Popen[str]:
    argv = [sys.executable, "-m", "tests.room.scale", "--order", msgspec.json.encode(order).decode()]
    return subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def _watched(
    speakers: Sequence[subprocess.Popen[str]], station: int, brokers: Sequence[int], tables: int, seconds: float
) -> dict[str, object]:
    assert all(one.stdin is not None and one.stdout is not None for one in speakers)
    for one in speakers:
        one.stdout.readline()  # type: ignore[union-attr]
    watched = {"station": [station], "broker": brokers, "tables": [one.pid for one in speakers]}
    stood = waited_s(station)
    before, began = {name: sum(map(processor_s, pids)) for name, pids in watched.items()}, time.monotonic()
    for one in speakers:
        one.stdin.write("go\n")  # type: ignore[union-attr]
        one.stdin.flush()  # type: ignore[union-attr]
    time.sleep(seconds)
    took = time.monotonic() - began
    spent = {name: sum(map(processor_s, pids)) - before[name] for name, pids in watched.items()}
    memory, stood = resident_mb(station), waited_s(station) - stood
    lines = [one.stdout.readline() for one in speakers]  # type: ignore[union-attr]
    reports = [json.loads(line) for line in lines]
    for one in speakers:
        one.communicate()
    lags = sorted(lag for report in reports for lag in report["lags"])
    sent = sum(report["sent"] for report in reports)
    return {
        "tables": tables,
        "events/s": round(sent / seconds),
        "lag p50 ms": lags[len(lags) // 2] if lags else None,
        "lag p99 ms": lags[int(len(lags) * 0.99)] if lags else None,
        "not acknowledged": sum(report["behind"] for report in reports),
        "tables late by ms": round(max(report["late"] for report in reports) * 1_000),
        **{f"{name} ms/s": round(used / took * 1_000) for name, used in spent.items()},
        "station waits for a processor ms/s": round(stood / took * 1_000),
        "station ms an event": round(spent["station"] / sent * 1_000, 3),
        "station us/s a table": round(spent["station"] / took / tables * 1e6),
        "station MB": round(memory, 1),
        "load": round(os.getloadavg()[0], 1),
    }


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.room.scale",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--tables", type=int, nargs="+", default=[1, 24, 200, 500], metavar="N")
    parser.add_argument("--pace", type=float, default=10.0, help="times live (10)")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--nats", action="store_true", help="a NATS cluster in place of mosquitto")
    parser.add_argument("--order", help=argparse.SUPPRESS)
    args = parser.parse_args(argv)
    if args.order is not None:
        speak(msgspec.json.decode(args.order, type=Order))
        return 0
    behind = 0
    for tables in args.tables:
        line = measure(tables, args.pace, args.seconds, nats=args.nats)
        behind += bool(line["not acknowledged"])
        print(json.dumps(line), flush=True)
    return 1 if behind else 0


if __name__ == "__main__":
    sys.exit(main())
