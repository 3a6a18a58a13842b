"""What is on air while the attacker looks: the delays of cards and pictures change, the relay is killed, its wall
clock jumps, and a producer who is signed in presses everything.

The relay of such a room holds cards back for some seconds only, so that hands go out while others are dealt.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import random
import signal
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from display.app import ELEMENTS
from display.identity.access import Role
from feltwire.config import Broker, RelayConfig, load
from feltwire.relay.on_air.air_delay import AIR_DELAY, parse_delay
from feltwire.runtime.boottime import boot_id, boot_millis
from feltwire.runtime.broker import topics
from feltwire.runtime.broker.bus import Bus
from feltwire.runtime.children import Supervisor
from table_core.messages import Chips, FollowClock, Level, Mark, SetSchedule, SetSeats, encode
from tests.room.leak.staff import Browser

# The least delay, and those that the relay is restarted with. A table says a box again after 2 s, then 4.
FLOOR_S, DELAYS = 6.0, ("6", "8")
NONSENSE = ("-1", "1e9", "NaN", "inf", "٣", "0", "1.5.2", "later", "", " ", "2", "86401", "0x10", "1_000", "5 ")
WANTED = ("6", "8", "15.5", "30", "75")
PRESS_S = 0.4
BREAK_S, BREAK_EVERY = 14.0, 20  # a break ends so late that its hand stands; hands between two
REVISION = 1_000  # of the schedule with a break in it: later than any of the station
MOST_NUMBERS = 40  # hand pages that are asked for of each table
NEVER_DEALT = (900, 901)
TEXTS = ("<script>alert(1)</script>", "</style><img src=x onerror=alert(1)>", "‮evil", "x" * 2_000, "\n\r\t")

# The relay's wall clock, set forward and back by hours while it runs: releases follow boot time.
JUMPING_CLOCK = """
import itertools, threading, time
real, real_ns, hours = time.time, time.time_ns, itertools.cycle((0, 2, -2, 1, -1))
by = [0]
def jump():
    by[0] = next(hours) * 3600
    again = threading.Timer(7.0, jump)
    again.daemon = True
    again.start()
time.time = lambda: real() + by[0]
time.time_ns = lambda: real_ns() + by[0] * 10**9
jump()
"""


@dataclass(frozen=True)
class OnAir:
    """`folded`: folded hands are released too. `air_s`: the first air delay. `jumps`: the wall clock does.
    `styles`: a browser has a page on air with a thief's styles in it. `to_the_end`: breaks come, and at the end
    the tables close, so that the last hand goes out."""

    folded: bool = False
    air_s: str = ""
    jumps: bool = True
    styles: bool = False
    to_the_end: bool = False

    @property
    def delay_s(self) -> str:
        return DELAYS[0]


@dataclass
class Trouble:
    """What was done to the relay, by what."""

    done: dict[str, int] = field(default_factory=dict)

    def note(self, what: str) -> None:
        self.done[what] = self.done.get(what, 0) + 1


def lay_out_relay(path: Path, on_air: OnAir, *, delay_s: str = "") -> None:
    """Write what this room's relay has beyond a demo's."""
    config = load(path, RelayConfig)
    changed = msgspec.structs.replace(
        config,
        delay_s=delay_s or on_air.delay_s,
        release_folded=on_air.folded,
        air_delay_s=on_air.air_s,
        air_floor_s=f"{FLOOR_S:g}",
    )
    path.write_bytes(msgspec.toml.encode(changed))


def last_hands_out(data: Path, last: Mapping[str, int]) -> set[str]:
    """The tables of which this hand was released."""
    path = data / "releases.jsonl"
    lines = path.read_text().splitlines() if path.exists() else []
    cards = [json.loads(line)["release"].get("card") for line in lines]
    return {one["table"] for one in cards if one and last.get(one["table"]) == one["hand"]}


def disturb(
    trouble: Trouble, supervisor: Supervisor, folder: Path, on_air: OnAir, number: int, rng: random.Random
) -> None:
    """Behind hand `number` of the room: another air delay, a kill, another delay of the cards."""
    if number % 12 == 11:
        lay_out_relay(folder / "relay.toml", on_air, delay_s=DELAYS[number // 12 % 2])
        trouble.note("card delay")
        supervisor.kill("relay", sig=signal.SIGKILL)
    elif number % 6 == 3:
        if supervisor.kill("relay", sig=(signal.SIGKILL, signal.SIGABRT)[number // 6 % 2]):
            trouble.note("relay killed")
    else:
        text = rng.choice(NONSENSE if rng.random() < 0.3 else WANTED)
        (folder / "data" / AIR_DELAY).write_text(text)
        trouble.note("air delay, a number" if parse_delay(text) is not None else "air delay, none")


# --------------------------------------------------------------------------------- breaks, and the last hand


class Floor:
    """Speaks to the tables as the station does: breaks, and the end of the event."""

    def __init__(self, venue: str, tables: Sequence[str], broker: Broker, levels: Sequence[Level]) -> None:
        self._tables = tables
        self._venue = venue
        self._levels = (*levels, Level(0, Chips(0), Chips(0), minutes=20, is_break=True))
        self._commands = itertools.count(1)
        self._break_until: float | None = None
        self._bus = Bus(
            broker,
            client_id=f"{venue}-floor",
            subscriptions=(),
            on_message=lambda _topic, _payload: None,
            on_up=lambda: None,
            on_down=lambda _reason: None,
        )

    def __enter__(self) -> Floor:
        self._bus.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bus.stop()

    def begin_break(self) -> None:
        """No hand begins for a while; the one before stands (decision 89)."""
        for table in self._tables:
            self._say(table, SetSchedule(self._id(), REVISION, self._levels))
        self._clock(len(self._levels) - 1)
        self._break_until = time.monotonic() + BREAK_S

    def look(self) -> None:
        """End the break once it is over."""
        if self._break_until is not None and time.monotonic() > self._break_until:
            self._break_until = None
            self._clock(0)

    def close(self) -> None:
        """Nobody sits at a table any more."""
        for table in self._tables:
            self._say(table, SetSeats(self._id(), ()))

    def _clock(self, index: int) -> None:
        mark = Mark(boot_id(), boot_millis(), index, 20 * 60_000, running=True)
        for table in self._tables:
            self._say(table, FollowClock(self._id(), REVISION, mark, break_rule="base.break"))

    def _id(self) -> str:
        return f"floor-{next(self._commands)}"

    def _say(self, table: str, command: SetSchedule | FollowClock | SetSeats) -> None:
        self._bus.publish(topics.table(self._venue, table, "command"), encode(command))


# ------------------------------------------------------------------------------------------- what is read


def channels(tables: Sequence[str]) -> list[str]:
    """Channels of the relay, those of producers among them."""
    feeds = (*tables, "feature")
    return [
        *(f"{kind}/{feed}" for kind in ("overlay", "preview") for feed in feeds),
        *("event", "preview", "programme", "staged", "desk", "gauge", "coverage"),
    ]


def paths(tables: Sequence[str]) -> list[str]:
    """Addresses of what is on air, as a viewer asks for them, and as one does who wants more."""
    feeds = (*tables, "feature")
    first = tables[0]
    queries = (
        "?show=seats,board,equity,outs,hand&layout=nine&bg=green&lang=de&fps=60&stack=bb&skin=house",
        "?show=%2e%2e/preview&layout=../../x&skin=../../../etc/passwd",
        "?source=preview",
        "?source=preview&show=seats",
        "?play=wait",
    )
    return [
        *(f"/air/{feed}{query}" for feed in feeds for query in ("", *queries)),
        *(f"/air/{feed}/{element}" for feed in feeds for element in ELEMENTS),
        *(
            "/template/feltwire.html?feed=feature&play=now",
            "/template/feltwire-ograf.zip",
            "/template/obs-scenes.json",
        ),
        *(f"/air/{name}" for name in ("preview", "staged", "..%2fpreview%2f01", "01%2f..%2f02", "%30%31", "٠١")),
        *(
            f"/api/{name}"
            for name in (f"preview%2f{first}", f"OVERLAY/{first}", f"overlay/{first}/", "overlay", "event")
        ),
        *("/feed/hands.json", "/feed/hands.json?since=0", f"/feed/hands.json?table={first}", "/feed", "/feed/"),
        *(
            f"/feed/{name}.json"
            for name in ("seats", "stacks", "event", "standings", "payouts", "players", "chips")
        ),
        *(f"/feed/{first}.json", f"/feed/{first}/seats.json", f"/feed/{first}/hand.json", "/feed/schema.json"),
        *(
            "/coverage",
            "/coverage.json",
            "/coverage.rss",
            "/coverage?lang=de",
            "/coverage/held",
            "/coverage.json?held=1",
        ),
        *("/template/feltwire.html", "/template/feltwire.ograf.json", "/template/obs-scenes.json?feed=feature"),
        *(
            "/broadcast",
            "/broadcast/",
            "/broadcast/audit",
            "/audit",
            "/people",
            "/metrics",
            "/hand",
            f"/hand/{first}",
        ),
        *(f"/hand/{first}/{odd}" for odd in ("-1", "0", "1e3", "٣", "3.0", "..%2f02%2f1", "1?cards=1", "x")),
    ]


def hand_pages(tables: Sequence[str]) -> list[str]:
    """Each hand's page, guessed by its number; some that there will never be."""
    return [f"/hand/{table}/{number}" for number in (*range(1, MOST_NUMBERS), *NEVER_DEALT) for table in tables]


HEADERS: tuple[Mapping[str, str], ...] = (
    {"origin": "https://elsewhere.example"},
    {"origin": "null"},
    {"if-none-match": "*"},
    {"if-modified-since": "Sat, 01 Jan 2000 00:00:00 GMT"},
    {"range": "bytes=0-1000000"},
    {"last-event-id": "0"},
    {"x-forwarded-for": "127.0.0.1", "x-forwarded-host": "127.0.0.1"},
    {"accept-encoding": "gzip, br", "cookie": "session=feltwire; role=producer"},
)


# ------------------------------------------------------------------------------------ what a producer presses


def presses(tables: Sequence[str], rng: random.Random) -> Iterator[dict[str, Any]]:
    """Everything on `/broadcast`, again and again, with values that it may not take."""
    names = (*tables, "feature", "preview", "../02", "", "99", "٠١", "x" * 300)
    for round_ in itertools.count():
        yield {"do": "look", "feature": rng.choice(names), "staged": rng.random() < 0.5}
        for element in rng.sample((*ELEMENTS, "cards", "__proto__", "", "x" * 300), 3):
            yield {"do": "element", "element": element, "on": rng.random() < 0.7}
        yield {
            "do": "look",
            "layout": rng.choice(("nine", "six", "heads-up", "../x")),
            "skin": rng.choice(("", "../x")),
        }
        yield {
            "do": "lower_third",
            "title": rng.choice(TEXTS),
            "line": rng.choice(TEXTS),
            "for_s": rng.choice((0, 1, 10**9)),
        }
        yield {"do": "ticker_lines", "lines": [rng.choice(TEXTS) for _ in range(rng.choice((1, 3, 500)))]}
        yield {"do": "ticker", "on": True}
        yield {"do": "take"}
        for seconds in rng.sample((*NONSENSE, *WANTED), 3):
            yield {"do": "air_delay", "seconds": seconds}
        for odd in (-1, 1e9, 3, None, True, [3], {"s": 3}, "1" * 10_000):
            if rng.random() < 0.2:
                yield {"do": "air_delay", "seconds": odd}
        yield {"do": rng.choice(("preview", "release_cards", "card_delay", "floor", "audit")), "seconds": "0"}
        if round_ % 4 == 3:
            yield {"do": "cut"}
            yield {"do": "release"}


class HostileProducer:
    """Presses with the session of `browser`, as long as the room is open."""

    def __init__(self, browser: Browser, tables: Sequence[str], seed: int, trouble: Trouble) -> None:
        self._browser = browser
        self._presses = presses(tables, random.Random(seed))
        self._trouble = trouble
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()

    def _work(self) -> None:
        while not self._stopping.wait(PRESS_S):
            if self._browser.signed_in.is_set():
                with contextlib.suppress(OSError, ValueError):  # it was killed, or starts
                    press = next(self._presses)
                    self._browser.press("/broadcast", press)
                    self._trouble.note(f"pressed {press['do']}")


ROLES = (Role.TD, Role.PRODUCER)
