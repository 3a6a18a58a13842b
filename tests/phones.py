"""`python -m tests.phones --phones 300 --tables 40`: every player's phone at one station, behind one address.

A station process and a mosquitto; tables that play by themselves (`tests.room.many_tables`); an event with a
player for each phone. Phones are sockets in a process of their own, all from 127.0.0.2, and some real browsers
beside them; the director is signed in from the same address. A line for each part, JSON:

    play     the director pauses and goes on: from the press to each phone, and to the paint of the browsers; the
             station's processor, its memory, bytes a phone and minute
    storm    all phones lose their line at one moment and come back as the page does: until when, how often refused
    asleep   a phone that was away for a while: what it is told first is how things are now
    flood    strangers behind the same address: connections that say nothing, heads without end, answers that
             nobody reads, streams as fast as they go; the director's presses and page loads meanwhile, and how
             many phones keep their stream

Exit status: 0; 1 where a press of the director was not carried out, or a phone did not come back or hear of it.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import http.client
import json
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Page, sync_playwright

from tests import chromium
from tests.feltwire.mosquitto import Mosquitto
from tests.feltwire.processes import Process, signed_in, stamp, station_settings
from tests.ports import free_port
from tests.room.many_tables import Hall, processor_s, resident_mb

HALL = "127.0.0.2"  # the address of everybody: 127.0.0.1 is the station's own screen
SEATS = 8
PATIENCE_S = 120.0
PRESSES = 6
APART_S = 2.0
FLOOD_AT_ONCE = 150  # strangers of each kind
FLOOD_S = 600  # new connections of theirs a second, together
SLOW = "/static/phone/phone.css"
WATCH = """() => {
    window.paints = [];
    const listen = EventSource.prototype.addEventListener;
    EventSource.prototype.addEventListener = function (name, act) {
        return listen.call(this, name, (event) => {
            act(event);
            if (name !== 'clock') return;
            const running = JSON.parse(event.data).running;
            requestAnimationFrame(() => { const port = new MessageChannel();
                port.port1.onmessage = () => window.paints.push([Date.now() / 1000, running]);
                port.port2.postMessage(0); });
        });
    };
}"""


# ------------------------------------------------------------------------------------------------ phones


class Phone:
    """One phone's stream, opened again as the page does."""

    def __init__(self, player: str) -> None:
        self.player = player
        self.bytes = self.refused = self.opened = 0
        self.first: dict[str, Any] = {}  # of the newest stream
        self.clocks: list[tuple[float, bool]] = []
        self.back: float | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def live(self, port: int) -> None:
        wait = 1.0
        while True:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, ValueError):
                if await self._follow(port):
                    wait = 1.0
            await asyncio.sleep(wait * (0.5 + random.random()))
            wait = min(45.0, wait * 2)

    async def _follow(self, port: int) -> bool:
        """One stream until it ends; whether it was served."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(HALL, 0), limit=1 << 20)
        self._writer = writer
        try:
            writer.write(f"GET /me/events?player={self.player} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".encode())
            status = (await reader.readline()).split(b" ")[1:2]
            if status != [b"200"]:
                self.refused += 1
                return False
            self.opened, self.back, self.first = self.opened + 1, time.time(), {}
            name = b""
            while line := await reader.readline():
                self.bytes += len(line)
                if line.startswith(b"event: "):
                    name = line[7:].strip()
                elif line.startswith(b"data: "):
                    self._hear(name.decode(), line[6:])
            return True
        finally:
            writer.transport.abort()
            self._writer = None

    def _hear(self, name: str, data: bytes) -> None:
        self.first.setdefault(name, data.decode().strip())
        if name == "clock":
            self.clocks.append((time.time(), json.loads(data)["running"]))

    @property
    def is_open(self) -> bool:
        return self._writer is not None and bool(self.first)

    def drop(self) -> None:
        self.back = None
        if self._writer is not None:
            self._writer.transport.abort()


async def crowd(port: int, players: Sequence[str]) -> None:
    """All phones in this process; what it is told on stdin: `drop`, `look`, `end`."""
    phones = [Phone(player) for player in players]
    living = [asyncio.create_task(phone.live(port)) for phone in phones]
    loop = asyncio.get_running_loop()
    while True:
        match (await loop.run_in_executor(None, sys.stdin.readline)).strip():
            case "drop":
                for phone in phones:
                    phone.drop()
            case "look":
                print(json.dumps([_said(phone) for phone in phones]), flush=True)
                for phone in phones:
                    phone.clocks.clear()
                    phone.bytes = phone.refused = 0
            case _:
                break
    for one in living:
        one.cancel()
    await asyncio.gather(*living, return_exceptions=True)


def _said(phone: Phone) -> dict[str, Any]:
    return {
        "open": phone.is_open,
        "bytes": phone.bytes,
        "refused": phone.refused,
        "back": phone.back,
        "clocks": phone.clocks,
        "has": sorted(phone.first),
        "runs": json.loads(phone.first.get("clock", "{}")).get("running"),
    }


class Crowd:
    """The process of the phones, from outside."""

    def __init__(self, port: int, players: Sequence[str]) -> None:
        argv = [sys.executable, "-m", "tests.phones", "--crowd", json.dumps([port, [*players]])]
        self._process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def tell(self, word: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{word}\n")
        self._process.stdin.flush()

    def look(self) -> list[dict[str, Any]]:
        """What each phone has heard since the last look."""
        assert self._process.stdout is not None
        self.tell("look")
        found: list[dict[str, Any]] = json.loads(self._process.stdout.readline())
        return found

    def all_open(self) -> bool:
        """Wait until each phone has its stream; False where that does not come."""
        deadline = time.monotonic() + PATIENCE_S
        while not all(one["open"] for one in self.look()):
            if time.monotonic() > deadline:
                return False
            time.sleep(0.25)
        return True

    def __enter__(self) -> Crowd:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):  # it ended before
            self.tell("end")
        self._process.communicate(timeout=PATIENCE_S)


# ---------------------------------------------------------------------------------------------- director


class Director:
    """The director's browser, behind the same address as the phones: a connection a press."""

    def __init__(self, station: Process, folder: Path) -> None:
        self.port = station.port
        browser = signed_in(folder / "station-data" / "td-link")
        jar = next(
            one for one in browser.handlers if isinstance(one, urllib.request.HTTPCookieProcessor)
        ).cookiejar
        self._cookie = "; ".join(f"{one.name}={one.value}" for one in jar)
        self.failed: list[str] = []
        self.source = HALL

    def ask(
        self, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None
    ) -> tuple[int, bytes]:
        wire = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30, source_address=(self.source, 0))
        try:
            wire.request(method, path, body or None, {"cookie": self._cookie} | (headers or {}))
            answer = wire.getresponse()
            return answer.status, answer.read()
        except OSError as error:
            return 0, str(error).encode()
        finally:
            wire.close()

    def press(self, command: str, **arguments: Any) -> float:
        """How long it took, in ms; a refusal is noted."""
        headers = stamp(self.port) | {"content-type": "application/json"}
        body = json.dumps({"command": command, "arguments": arguments}).encode()
        began = time.monotonic()
        status, said = self.ask("POST", "/director", body, headers)
        if status != 200:
            self.failed.append(f"{command}: {status} {said[:200].decode(errors='replace')}")
        return (time.monotonic() - began) * 1_000

    def opens(self, players: Sequence[str], tables: Sequence[str]) -> None:
        """An event with everybody at the tables, cards in the air; at the station's own screen, in no line."""
        self.source = "127.0.0.1"
        self.press("open", house={"starting_stack": 10_000}, rulebook="base")
        lines = "".join(f"{player},Player {player},yes,yes\n" for player in players)
        self.press("import_players", text=f"id,name,member,adult\n{lines}")
        for player in players:
            self.press("enter", player=player)
        self.press("draw_seats", tables=[*tables])
        for table in tables:
            self.press("set_button", table=table)
        self.press("start")
        self.source = HALL
        if self.failed:
            raise SystemExit(f"the event could not be opened: {self.failed[:3]}")


# ----------------------------------------------------------------------------------------------- strangers


class Flood:
    """Strangers behind the hall's address, of every kind at once, in a process of their own."""

    def __init__(self, port: int) -> None:
        self._process = subprocess.Popen([sys.executable, "-m", "tests.phones", "--flood-at", str(port)])

    def __enter__(self) -> Flood:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()


async def strangers(port: int) -> None:
    """For ever; each of them begins anew when it is closed, all together so often as a network may bring them."""
    wanted = (b"", b"GET /me HTTP/1.1\r\nx: ", f"GET {SLOW} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".encode() * 200)
    ask = b"GET /me/events?player=p HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"

    turns = asyncio.Semaphore(0)

    async def pace() -> None:
        while True:
            for _ in range(FLOOD_S // 20):
                turns.release()
            await asyncio.sleep(1 / 20)

    async def one(saying: bytes, *, reads: bool) -> None:
        while True:
            await turns.acquire()
            with contextlib.suppress(OSError, asyncio.TimeoutError):
                wire = socket.socket()
                wire.setblocking(False)
                wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
                wire.bind((HALL, 0))
                loop = asyncio.get_running_loop()
                with contextlib.closing(wire):
                    await loop.sock_connect(wire, ("127.0.0.1", port))
                    await loop.sock_sendall(wire, saying)
                    while reads and await loop.sock_recv(wire, 65_536):
                        pass
                    for _ in range(0 if reads else 60):
                        await loop.sock_sendall(wire, b"x")
                        await asyncio.sleep(0.5)

    kinds = [(saying, False) for saying in wanted] + [(ask, True)]
    await asyncio.gather(
        pace(), *(one(saying, reads=reads) for saying, reads in kinds for _ in range(FLOOD_AT_ONCE))
    )


# ------------------------------------------------------------------------------------------------ measures


class Room(NamedTuple):
    station: Process
    director: Director
    crowd: Crowd
    pages: list[Page]
    seconds: float


def play(room: Room) -> dict[str, Any]:
    """From the director's press to the phones, and what the room costs."""
    room.crowd.look()
    for page in room.pages:
        page.evaluate("window.paints.length = 0")
    spent, began = processor_s(room.station.pid), time.monotonic()
    asked, took = [], []
    for no in range(PRESSES):
        asked.append((time.time(), no % 2 == 1))
        took.append(room.director.press("resume" if no % 2 else "pause"))
        for page in room.pages:
            page.wait_for_timeout(APART_S * 1_000 / len(room.pages))
        if not room.pages:
            time.sleep(APART_S)
    time.sleep(max(0.0, room.seconds - (time.monotonic() - began)))
    passed = time.monotonic() - began
    spent = processor_s(room.station.pid) - spent
    heard = room.crowd.look()
    lags = [lag for one in heard for lag in _lags(asked, one["clocks"])]
    painted = [lag for page in room.pages for lag in _lags(asked, page.evaluate("window.paints"))]
    minute = sorted(one["bytes"] * 60 / passed for one in heard)
    return {
        "presses": len(asked),
        "heard": len(lags),
        "not heard": len(asked) * len(heard) - len(lags),
        "press to answer ms": _spread(took),
        "press to phone ms": _spread(lags),
        "press to paint ms": _spread(painted),
        "station processor ms/s": round(spent / passed * 1_000),
        "station MB": round(resident_mb(room.station.pid), 1),
        "bytes a phone and minute": _spread(minute),
        "load": round(os.getloadavg()[0], 1),
    }


def storm(room: Room) -> dict[str, Any]:
    """Everybody's line is cut at one moment."""
    room.crowd.look()
    at = time.time()
    room.crowd.tell("drop")
    time.sleep(0.5)
    refused, is_back = 0, False
    deadline = time.monotonic() + PATIENCE_S
    while not is_back and time.monotonic() < deadline:
        time.sleep(0.25)
        seen = room.crowd.look()
        refused += sum(one["refused"] for one in seen)
        is_back = all(one["open"] and one["back"] for one in seen)
    waits = [one["back"] - at for one in seen if one["back"]]
    return {"phones back": len(waits), "of": len(seen), "seconds": _spread(waits), "refused tries": refused}


def asleep(room: Room) -> dict[str, Any]:
    """A phone that was away while things changed is told how they are, with the first words."""
    room.director.press("pause")
    room.crowd.tell("drop")
    time.sleep(0.5)
    room.crowd.all_open()
    time.sleep(1.0)
    seen = room.crowd.look()
    stale = sum(one["runs"] is not False for one in seen)
    room.director.press("resume")
    whole = sum({"clock", "schedule", "shared", "me"} <= {*one["has"]} for one in seen)
    return {"phones": len(seen), "told all at once": whole, "told an old clock": stale}


def flood(room: Room) -> dict[str, Any]:
    """The director goes on working in a flood from the same address."""
    before = len(room.director.failed)
    presses, loads, refused = [], [], 0
    spent, began = processor_s(room.station.pid), time.monotonic()
    with Flood(room.station.port):
        time.sleep(3)
        no = 0
        while time.monotonic() - began < room.seconds:
            presses.append(room.director.press("resume" if no % 2 else "pause"))
            at = time.monotonic()
            status, _ = room.director.ask("GET", "/station")
            loads.append((time.monotonic() - at) * 1_000)
            refused += status != 200
            no += 1
            time.sleep(0.5)
        passed = time.monotonic() - began
        spent = processor_s(room.station.pid) - spent
        kept = sum(one["open"] for one in room.crowd.look())
    if no % 2:
        room.director.press("resume")
    return {
        "presses": no,
        "presses that failed": len(room.director.failed) - before,
        "press to answer ms": _spread(presses),
        "pages that failed": refused,
        "page ms": _spread(loads),
        "phones with a stream": kept,
        "station processor ms/s": round(spent / passed * 1_000),
        "load": round(os.getloadavg()[0], 1),
    }


def _lags(asked: Sequence[tuple[float, bool]], heard: Sequence[tuple[float, bool]]) -> Iterator[float]:
    """From each press to the first word of it, in ms."""
    for at, running in asked:
        first = next((when for when, said in heard if when >= at and said == running), None)
        if first is not None and first - at < APART_S:
            yield (first - at) * 1_000


def _spread(values: Sequence[float]) -> dict[str, float] | None:
    if not values:
        return None
    found = sorted(values)
    at = {"p50": len(found) // 2, "p99": int(len(found) * 0.99), "most": len(found) - 1}
    return {name: round(found[place], 1) for name, place in at.items()}


PARTS = {"play": play, "storm": storm, "asleep": asleep, "flood": flood}


def measure(
    phones: int, tables: int, seconds: float, browsers: int, parts: Sequence[str], pace: float
) -> dict[str, Any]:
    """All parts in one room, each printed as it ends."""
    names = [f"{no:02}" for no in range(1, tables + 1)]
    players = [f"p{no}" for no in range(1, min(phones, tables * SEATS) + 1)]
    found: dict[str, Any] = {}
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="feltwire-phones-")))
        broker = stack.enter_context(Mosquitto(folder))
        port = free_port()
        settings = station_settings(folder, broker.url, port, minutes=600).replace(
            '["01", "02"]', json.dumps(names)
        )
        station = stack.enter_context(Process("station", folder, port, settings))
        station.connected()
        director = Director(station, folder)
        director.opens(players, names)
        stack.enter_context(Hall(broker.url, tables, pace))
        crowded = stack.enter_context(Crowd(port, [players[no % len(players)] for no in range(phones)]))
        assert crowded.all_open(), station.state
        pages = [*_browsers(stack, browsers, port, players)]
        room = Room(station, director, crowded, pages, seconds)
        for part in parts:
            found[part] = PARTS[part](room)
            print(json.dumps({"part": part, "phones": phones, "tables": tables} | found[part]), flush=True)
    return found


def _browsers(stack: contextlib.ExitStack, count: int, port: int, players: Sequence[str]) -> Iterator[Page]:
    if not count:
        return
    playwright = stack.enter_context(sync_playwright())
    browser = playwright.chromium.launch(executable_path=chromium.PROGRAM, args=chromium.QUIET)
    stack.callback(browser.close)
    for no in range(count):
        page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
        page.add_init_script(f"({WATCH})()")
        page.add_init_script(f"localStorage.setItem('feltwire-player', '{players[no % len(players)]}')")
        page.goto(f"http://127.0.0.1:{port}/me")
        page.locator("#seat", has_text=re.compile(r"\d")).wait_for()
        yield page


def wrong(found: dict[str, Any], phones: int) -> list[str]:
    """What does not hold, in words."""
    said = []
    if found.get("play", {}).get("not heard"):
        said.append(f"{found['play']['not heard']} presses were not heard by a phone")
    if "storm" in found and found["storm"]["phones back"] < phones:
        said.append(f"{phones - found['storm']['phones back']} phones did not come back")
    if "asleep" in found and (
        found["asleep"]["told all at once"] < phones or found["asleep"]["told an old clock"]
    ):
        said.append("a phone that slept was told old facts")
    if "flood" in found and (found["flood"]["presses that failed"] or found["flood"]["pages that failed"]):
        said.append("the director was kept out by a flood")
    return said


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.phones", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--phones", type=int, default=300)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=30.0, help="of a part (30)")
    parser.add_argument("--browsers", type=int, default=2, help="real ones beside the phones (2)")
    parser.add_argument("--pace", type=float, default=1.0, help="of the tables, times live (1)")
    parser.add_argument("--parts", nargs="+", choices=[*PARTS], default=[*PARTS])
    parser.add_argument("--crowd", help=argparse.SUPPRESS)
    parser.add_argument("--flood-at", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args(argv)
    if args.crowd is not None:
        asyncio.run(crowd(*json.loads(args.crowd)))
        return 0
    if args.flood_at is not None:
        asyncio.run(strangers(args.flood_at))
        return 0
    found = measure(args.phones, args.tables, args.seconds, args.browsers, args.parts, args.pace)
    said = wrong(found, args.phones)
    for words in said:
        print(words, file=sys.stderr)
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())
