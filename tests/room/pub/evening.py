"""The evening: the director's presses, and what is counted and checked of it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from feltwire.lab.demo.check import SETTLES_S, RoomFiles
from feltwire.lab.demo.night.dealer import Dealt
from feltwire.lab.demo.night.director import Director, Evening, NightFailed
from feltwire.lab.demo.night.door import Door, DoorClosed
from feltwire.lab.demo.night.report import recorded, wrong_at_the_end, wrong_hands
from feltwire.lab.demo.night.room import levels_of
from feltwire.lab.demo.night.told import told, told_level
from feltwire.lab.demo.room import HOST
from feltwire.lab.simroom.config import SimroomConfig
from feltwire.lab.simroom.dealer.pace import Pace
from feltwire.lab.simroom.dealer.screen import HttpScreen
from feltwire.lab.simroom.play.names import player_name
from feltwire.ledger.table_ledger import LedgerError
from feltwire.private_files import python
from table_core.messages import Chips, Envelope, Frozen, HandEnded, HandStarted
from table_core.rulebook import BASE
from table_core.tournament.night import Night
from tests.feltwire.home.open_home import OpenHome
from tests.feltwire.processes import PATIENCE_S
from tests.ports import free_base
from tests.room.pub.dealing import PhoneDealer
from tests.room.pub.phones import ChromiumPhone, Phone, PhoneHands, PlainPhone

TABLES, SEATS, PLAYERS, LATE = 3, 7, 20, 3
STACK = 1_500
LEVEL_S, BREAK_S = 45.0, 10.0
LID_S = 60.0  # how long the laptop is closed
ABSENT_FROM, ABSENT_HANDS = 4, 6  # hands of all tables: when somebody leaves, and how many are dealt meanwhile
LID_FROM = 8
POINTS = [10, 8, 6, 5, 4, 3, 2, 1]
LOOK_S = 0.2
Say = Callable[[str], None]


class PubReport(Frozen, frozen=True):
    """What `--report` writes. `wrong` is empty where everything holds."""

    seed: int
    players: int
    hands: int
    with_absent: int
    taps: int  # on the phones that are keypads
    refused_taps: int
    presses: int  # of the director
    questions: Mapping[str, int]  # items of the director's queue, by kind
    rebuys: int
    moves: int
    breaks: int
    undone: int
    coloured: int
    penalties: int
    lid_s: float
    points: int
    seconds: float
    wrong: tuple[str, ...]


@dataclass
class AskedDoor:
    """What waited for the director, by id; looked at beside the evening."""

    kinds: dict[str, str] = field(default_factory=dict)
    facts: dict[str, str] = field(default_factory=dict)

    def note(self, items: Sequence[Mapping[str, Any]]) -> None:
        for item in items:
            self.kinds.setdefault(item["id"], item["kind"])
            self.facts.setdefault(item["id"], item["fact"])

    @property
    def by_kind(self) -> Counter[str]:
        return Counter(self.kinds.values())


class PubDoor(Door):
    """Every look at the tournament is one at the queue too."""

    def __init__(self, port: int, link: Path) -> None:
        super().__init__(HOST, port, link)
        self.asked = AskedDoor()

    def night(self) -> dict[str, Any]:
        self.items()
        return super().night()

    def items(self) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = self._json("/api/queue")["items"]
        self.asked.note(items)
        return items


class PubDirector(Director):
    """One of the players, who also has the laptop."""

    def __init__(self, *args: Any, lid: Callable[[], None], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._lid = lid
        self._closed = False
        self._absent = ""
        self._back_at = 0

    def _do(self, command: str, **arguments: Any) -> None:
        if command == "open":
            arguments["levels"] = msgspec.to_builtins(self._evening.levels)
        super()._do(command, **arguments)

    def _hands(self) -> int:
        return sum((table["facts"] or {}).get("hand", 0) for table in self.night["tables"])

    def _incident(self) -> bool:
        """Somebody is away for some hands; the laptop is closed; then what else happens in a night."""
        if self._by_hand or self._in_break:
            return False
        hands = self._hands()
        if self._absent and hands >= self._back_at:
            self._may("return", player=self._absent)  # refused where the player is out by now
            self._absent, self._away = "", True
            return True
        if not self._away and not self._absent and hands >= ABSENT_FROM:
            self._hold()  # nobody goes in the middle of a hand: it would wait for the player
            self._until("no table is in a hand", self._no_hands)
            playing = [one for one in self.night["field"] if one["status"] == "playing" and one["stack"]]
            who = self._rng.choice(playing)["player"]
            if not self._may("leave", player=who, notified=True).refused:
                self._until("the player's table has the player away", lambda: self._away_at_table(who))
                self._absent, self._back_at = who, hands + ABSENT_HANDS
            self._go_on()
            return True
        if not self._closed and hands >= LID_FROM:
            self._closed = True
            self._lid()
            return True
        if not self._away:  # the other incidents take somebody away too
            return False
        return super()._incident()


def evening(seed: int, players: int = PLAYERS) -> Evening:
    names = ["Pat Landlord, who directs", *(player_name(number) for number in range(1, players))]
    return Evening(
        name="Friday",
        rulebook=BASE,
        players=[(f"guest{number:02}", name) for number, name in enumerate(names)],
        late=LATE,
        seats=SEATS,
        house={
            "starting_stack": STACK, "seats_per_table": SEATS, "buy_in": 20, "rebuys": 1,
            "rebuy_before_level": 3, "rebuy_below": 0, "rebuy_chips": STACK,
            "payouts": [40, 25, 17, 11, 7], "points_by_place": POINTS,
        },
        levels=levels_of(LEVEL_S, BREAK_S),
        seed=seed,
    )  # fmt: skip


class Pub:
    """A room of `feltwire home` with a phone at each table, let in by the director. A context manager."""

    def __init__(
        self, folder: Path, seed: int, say: Say, *, tables: int = TABLES, chromium: int = 1, speed: float = 0
    ) -> None:
        self.records = folder / "room" / "records"
        self.tables = tuple(f"{number:02}" for number in range(1, tables + 1))
        self._port = free_base()
        self.room = OpenHome(folder / "room", "--tables", str(tables), "--book", BASE, "--port", str(self._port))
        self.dealers: dict[str, PhoneDealer] = {}
        self.hands: dict[str, PhoneHands] = {}
        self.phones: dict[str, Phone] = {}
        self.files = RoomFiles(self.records, self.tables)
        self._seed, self._say, self._chromium, self._speed = seed, say, chromium, speed
        self._paces: list[Pace] = []
        self._threads: list[threading.Thread] = []
        self._stack = contextlib.ExitStack()
        self.door: PubDoor

    def __enter__(self) -> Pub:
        self._stack.enter_context(self.room)
        try:
            station = self.room.addresses["station"]["link"]
            self.door = PubDoor(int(station.split(":")[2].split("/")[0]), self.records / "td-link")
            self._stack.callback(self.door.close)
            for number, table in enumerate(self.tables):
                self._take_phone(table, in_chromium=number < self._chromium)
        except BaseException:
            self._stack.close()
            raise
        return self

    def _take_phone(self, table: str, *, in_chromium: bool) -> None:
        url = self.room.addresses[f"table {table}"]["url"]
        phone: Phone = ChromiumPhone(url) if in_chromium else PlainPhone(url, table)
        self._stack.callback(phone.close)
        digits = phone.ask()
        self._let_in(digits)
        phone.is_in()
        self._say(f"table {table}: a phone{' in Chromium' if in_chromium else ''} is let in as its keypad")
        origin = url.split("/table/")[0]
        screen = HttpScreen(f"{origin}/api/table/{table}", timeout_s=PATIENCE_S)
        self._stack.callback(screen.close)
        pace = Pace(self._speed)
        config = SimroomConfig(
            table=table, seats=(), levels=(), keypad="", shoe="", camera="", decks="", screen="",
            smallest_chip=Chips(25), seed=self._seed * 100 + int(table), speed=self._speed,
        )  # fmt: skip
        self.phones[table], self.hands[table] = phone, PhoneHands(phone, screen, pace)
        self.dealers[table] = PhoneDealer(config, self.hands[table])
        self._paces.append(pace)

    def _let_in(self, digits: str) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            for item in self.door.items():
                press = item["primary"] if digits in item["fact"] + item["do"] + str(item["primary"]) else None
                if press and not self.door.press(press["command"], **press["arguments"]).refused:
                    return
            time.sleep(LOOK_S)
        raise AssertionError(f"the director's page never showed the digits {digits}: {self.door.queue()}")

    @property
    def processes(self) -> dict[str, int]:
        """Name -> process, of all that the room consists of."""
        named = {"home": self.room.pid}
        for pid, command in self.room.children.items():
            settings = re.search(r"/settings/(.+?)\.toml", command)
            named[settings.group(1) if settings else "broker"] = pid
        return named

    def deal(self) -> None:
        """The players at each table are ready."""
        for table, dealer in self.dealers.items():
            thread = threading.Thread(target=dealer.work, name=f"dealer {table}", daemon=True)
            thread.start()
            self._threads.append(thread)

    def close_lid(self, seconds: float) -> None:
        """Every process of the room stands still for so long."""
        assert self.room.pid
        everybody = [self.room.pid, *self.room.children]
        self._say(f"the laptop is closed: {len(everybody)} processes stand still for {seconds:.0f} s")
        for pid in everybody:
            os.kill(pid, signal.SIGSTOP)
        time.sleep(seconds)
        for pid in everybody:
            os.kill(pid, signal.SIGCONT)
        self._say("the laptop is open again")

    def settle(self) -> None:
        """Wait until the station has collected what the tables recorded."""
        until = time.monotonic() + SETTLES_S
        while time.monotonic() < until:
            with contextlib.suppress(LedgerError):
                if self.files.heads() == self.files.station_heads():
                    return
            time.sleep(LOOK_S)

    def __exit__(self, *_: object) -> None:
        for pace in self._paces:
            pace.stop()
        for thread in self._threads:
            thread.join()
        self._stack.close()


def play(
    folder: Path, seed: int, say: Say, *, lid_s: float = LID_S, tables: int = TABLES, players: int = PLAYERS
) -> PubReport:
    """The whole evening, in a room that lies in `folder` afterwards."""
    began = time.monotonic()
    with Pub(folder, seed, say, tables=tables) as pub:
        plan = evening(seed, players)
        stopping = threading.Event()
        pids = set(pub.room.children)

        def tell(record: dict[str, Any], night: dict[str, Any]) -> None:
            say(told(record, night))

        director = PubDirector(
            plan,
            pub.door,
            {table: dealer.sign for table, dealer in pub.dealers.items()},
            tell=tell,
            on_level=lambda level: say(told_level(level)),
            stopping=stopping,
            lid=lambda: pub.close_lid(lid_s),
        )
        pub.deal()
        done = director.done
        points = 0
        try:
            director.run()
            points = _points(director, pub)
        except (NightFailed, DoorClosed) as error:
            done.wrong.append(str(error))
        pub.settle()
        if gone := pids - set(pub.room.children):
            done.wrong.append(f"{len(gone)} processes of the room were started again: {pub.room.errors}")
        dealt = {table: dealer.dealt for table, dealer in pub.dealers.items()}
        wrong = [*done.wrong, *_wrong(pub, director.night, dealt)]
        if not wrong and done.breaks < tables - 1:
            wrong.append(f"{done.breaks} tables broke, of {tables}")
        return PubReport(
            seed=seed,
            players=len(director.night.get("field", ())),
            hands=sum(one.hands for one in dealt.values()),
            with_absent=sum(one.with_absent for one in pub.dealers.values()),
            taps=sum(hands.taps for hands in pub.hands.values()),
            refused_taps=sum(len(phone.refused) for phone in pub.phones.values()),
            presses=done.presses,
            questions=dict(sorted(pub.door.asked.by_kind.items())),
            rebuys=done.rebuys,
            moves=done.moves,
            breaks=done.breaks,
            undone=done.undone,
            coloured=done.coloured,
            penalties=done.penalties,
            lid_s=lid_s,
            points=points,
            seconds=round(time.monotonic() - began, 1),
            wrong=tuple(wrong),
        )


def _points(director: PubDirector, pub: Pub) -> int:
    """The result goes into the season; the points that its standing then has, all players together. Raise
    `NightFailed` where they are not those of the places."""
    answer = pub.door.press("add_result")
    if answer.refused:
        raise NightFailed(f"add_result: {answer.text}")
    season = [str(pub.records / "season.jsonl"), "--points", *map(str, POINTS), "--form", "json"]
    said = subprocess.run(python("feltwire", "season", *season), capture_output=True, text=True, check=True)
    points = sum(int(row["points"]) for row in json.loads(said.stdout))
    places = [
        one["place"] for one in director.night["field"] if one["place"]
    ]  # who came when all was full has none
    due = sum(POINTS[min(place, len(POINTS)) - 1] for place in places)
    if len(set(places)) == len(places) and points != due:
        raise NightFailed(f"the season has {points} points, the places {sorted(places)} make {due}")
    return points


def _wrong(pub: Pub, shown: dict[str, Any], dealt: Mapping[str, Dealt]) -> Iterator[str]:
    records = recorded(pub.records)
    if "tables" in shown:
        night = Night.replayed(records)
        yield from wrong_at_the_end(night, shown)
    heads, collected = pub.files.heads(), pub.files.station_heads()
    for table in pub.tables:
        yield from (what for what in dealt[table].wrong)
        if heads[table] != collected.get(table):
            yield f"table {table}: its ledger ends at {heads[table]}, the station's copy at {collected.get(table)}"
        log = [envelope for envelope, _ in pub.files.envelopes(table)]
        yield from wrong_hands(table, log, dealt[table])
        yield from chips_made(table, log)


def chips_made(table: str, log: Sequence[Envelope]) -> Iterator[str]:
    """Hands at whose end other chips lie on the table than at their start."""
    began: dict[int, int] = {}
    for envelope in log:
        match envelope.data:
            case HandStarted(hand=hand, seats=seats):
                began[hand] = sum(one.stack for one in seats)
            case HandEnded(hand=hand, stacks=stacks):
                there = {share.seat: share.amount for share in stacks}
                if hand in began and sum(there.values()) != began[hand]:
                    yield f"table {table}, hand {hand}: {began[hand]} chips at its start, {there} at its end"
