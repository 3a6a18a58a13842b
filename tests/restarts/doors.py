"""The doors: what is sent to each of them, drawn from the types that it takes and the room as it is."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from display.actions import Touch
from feltwire.runtime.broker import topics
from feltwire.station.director import arguments as of_director
from feltwire.station.director.ruling_facts import RulingFactsWanted
from feltwire.station.queue.exception_queue import COMMANDS as QUEUE_COMMANDS
from feltwire.station.queue.exception_queue import ItemWanted
from feltwire.station.restored import COMMAND as RECORDS_COMPLETE
from feltwire.station.tournament.commands import _INSTEAD, FORMS
from feltwire.station.tournament.pages.sheets import SHEETS
from firmware_bridge.decks import CARDS
from table_core.messages import AnyTableCommand, Beat, ClockState, Key, TableLeaseholder
from table_core.rulebook import rulebook_ids
from table_core.rulebook_file import names_of
from table_core.rulings.all_incidents import INCIDENTS
from tests.mutated.bus_door import EVERY_COMMAND, HEALTH, KINDS
from tests.mutated.mutations import spoilt, strange_frame
from tests.mutated.room import TABLE, VENUE, Room
from tests.restarts import files
from tests.restarts.values import TEXTS, Chance, Values

OF_THE_DIRECTOR: Mapping[str, type] = {
    "pause": of_director.NoArguments,
    "resume": of_director.NoArguments,
    "next_level": of_director.NoArguments,
    "select_level": of_director.SelectLevel,
    "set_seats": of_director.SeatsWanted,
    "set_hand": of_director.HandWanted,
    "rule": of_director.RulingWanted,
    "take_back_ruling": of_director.TakeBackWanted,
    "preview_rewind": of_director.RewindWanted,
    "rewind": of_director.RewindWanted,
    "ask_count": of_director.CountWanted,
    "hand_over": of_director.HandOverWanted,
    "take_picture": of_director.PictureWanted,
    "open_clip": of_director.ClipWanted,
    "close_clip": of_director.ClipWanted,
    "ruling_facts": RulingFactsWanted,
    RECORDS_COMPLETE: of_director.NoArguments,
    **dict.fromkeys(QUEUE_COMMANDS, ItemWanted),
}
PRESSES: Mapping[str, type] = {**OF_THE_DIRECTOR, **FORMS}
_RARE = {"close_event": 0.1, "cancel_event": 0.1, "open": 0.3, "import_players": 2.0, "load_schedule": 2.0}
_ODDS = (0.0, 0.0, 0.0, 0.06, 0.06, 0.15, 0.4)
PAGES: Mapping[str, Sequence[str]] = {
    "table": (
        f"/table/{TABLE}",
        f"/sensed/{TABLE}",
        f"/api/table/{TABLE}",
        f"/api/ruling/{TABLE}",
        "/api/health/01",
    ),
    "station": (
        *("/station", "/clock", "/rules", "/announcements", "/table/01", "/station/table/01", "/people", "/audit"),
        *(
            f"/station/{one}"
            for one in ("players", "seats", "clock", "chips", "prizes", "penalties", "league", "log")
        ),
        *(
            "/station/start",
            "/slips",
            "/signatures",
            "/payouts",
            "/receipts",
            "/audit.csv",
            "/checkpoints?after=0",
        ),
        *(
            f"/api/{one}"
            for one in ("room", "queue", "rulings", "night", "book", "field", "stacks", "seats", "chips")
        ),
        *(f"/api/{one}" for one in ("prizes", "penalties", "league", "log", "commands", "announcements", "clock")),
        *(
            "/api/clock/now",
            "/api/table/01",
            "/api/names/01",
            "/api/history/01",
            "/api/presses/01",
            "/api/health/01",
        ),
        *(f"/api/tournament/{one}.{form}" for one in SHEETS for form in ("csv", "json")),
    ),
    "relay": (f"/air/{TABLE}", f"/api/overlay/{TABLE}"),
    "clock": ("/clock", "/api/clock", "/api/clock/now"),
}
_SETTINGS = names_of("tournament")
_LEVELS = (
    "level,small_blind,big_blind,ante,big_blind_ante,minutes,break,what,colour_up\n"
    "1,50,100,0,0,20,,,\n2,75,150,0,150,20,,,\n,0,0,0,0,10,break,Supper,25\n3,100,200,0,200,20,,,\n"
)


class Case(msgspec.Struct, frozen=True):
    """One thing that is sent: `at` is a process and its path, a topic, or a device; `what` names it."""

    door: str
    at: str
    what: str
    body: bytes = b""
    who: str = ""

    @property
    def name(self) -> str:
        return f"{self.door} {self.what}"


class Doors:
    """Draws cases for the room as it is."""

    WEIGHTS: ClassVar = {"press": 60, "touch": 8, "keys": 14, "bus": 9, "people": 4, "page": 5, "file": 3}

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self._world: Mapping[str, Sequence[Any]] = {}
        self._values = Values(chance, lambda: self._world)

    def draw(self, room: Room) -> Case:
        self._world = world_of(room, self._chance)
        door = self._chance.choices(list(self.WEIGHTS), list(self.WEIGHTS.values()))[0]
        return getattr(self, f"_{door}")(room)  # type: ignore[no-any-return]

    # ----------------------------------------------------------------------------------- the pages

    def _press(self, _: Room) -> Case:
        weights = [_RARE.get(name, 1.0) for name in PRESSES]
        command = self._chance.choices(list(PRESSES), weights)[0]
        odd = self._chance.choice(_ODDS)
        raw = self._values.json({"command": command, "arguments": self._arguments(command, odd)})
        if self._chance.random() < 0.03:
            raw = spoilt(self._chance, raw, raw)[1]
        return Case("press", "station /director", command, raw, self._chance.choice(("td",) * 19 + ("floor",)))

    def _arguments(self, command: str, odd: float) -> Any:
        made = self._values.of(PRESSES[command], odd)
        if command == "preview" and isinstance(made, dict):
            wanted = self._chance.choice(list(FORMS))
            made |= {"wanted": wanted, "arguments": {} if wanted == "preview" else self._arguments(wanted, odd)}
        if command == "replace" and isinstance(made, dict):
            instead = self._chance.choice(_INSTEAD)
            made["instead"] = [{"command": instead, "arguments": self._arguments(instead, odd)}]
        if command in ("import_players", "load_schedule") and isinstance(made, dict):
            made["text"] = self._sheet(files.LIST if command == "import_players" else _LEVELS, odd)
        return made

    def _sheet(self, text: str, odd: float) -> str:
        """A CSV file with cells that nobody means."""
        head, *lines = [line.split(",") for line in text.splitlines()]
        rows = [list(self._chance.choice(lines)) for _ in range(self._chance.choice((1, 2, 5, 40, 1_100)))]
        for row in rows[:50]:
            for at in range(len(row)):
                if self._chance.random() < odd:
                    row[at] = self._cell()
        return "\n".join(",".join(row) for row in [head, *rows]) + self._chance.choice(("", "\n", "\r\n\x00"))

    def _cell(self) -> str:
        chance = self._chance
        text = chance.choice(
            (*TEXTS, "1e9", "1200000", "99999999999999999", "1e400", "nan", "0.0001", "-3", "1_000")
        )
        return '"' + text[:5_000].replace('"', '""') + '"' if chance.random() < 0.7 else text[:300]

    def _file(self, _: Room) -> Case:
        kind = self._chance.choice(list(files.KINDS))
        return Case("file", kind, kind, files.spoilt(self._chance, files.KINDS[kind].sound))

    def _touch(self, _: Room) -> Case:
        odd = self._chance.choice(_ODDS)
        raw = self._values.json(self._values.of(Touch, odd))
        return Case("touch", f"table /table/{TABLE}/touch", "touch", raw, self._chance.choice(("dealer", "td")))

    def _people(self, _: Room) -> Case:
        chance = self._chance
        do = chance.choice(("add", "link", "remove", "forget_pin", "end", "pair", "rename", "nonsense"))
        made = {"do": do, "name": chance.choice(TEXTS), "role": chance.choice(("floor", "td", "display", "x"))}
        if chance.random() < 0.5:
            made |= {"person": chance.choice((*self._world["person"], "x")), "session": "x", "code": "1234"}
        if chance.random() < 0.3:
            made["table"] = chance.choice(("01", "99", "a\nb"))
        wanted = {"add": ("name", "role", "table"), "end": ("session",), "pair": ("code", "name", "role", "table")}
        made = {key: value for key, value in made.items() if key in ("do", *wanted.get(do, ("person",)))}
        process = chance.choice(("table", "station"))
        return Case("people", f"{process} /people", do, self._values.json(made), "td")

    def _page(self, _: Room) -> Case:
        process = self._chance.choice(list(PAGES))
        path = self._chance.choice(PAGES[process])
        if self._chance.random() < 0.5:
            asked = self._chance.choice(("?q=", "?player=", "?after=", "?rulebook=", "/", "?q=raise&book="))
            path += asked + self._chance.choice(
                ("%00", "%ff", "x" * 200, "-1", "%0a", "p1", "9" * 30, "ante%20" * 30)
            )
        return Case("page", f"{process} {path}", path.partition("?")[0], b"", "td")

    # ------------------------------------------------------------------------------------- a table

    def _keys(self, room: Room) -> Case:
        """What a dealer keys and deals, in no order; `what` names the device."""
        chance = self._chance
        if chance.random() < 0.15:
            return Case("keys", chance.choice(("keypad", "shoe")), "strange", strange_frame(chance, room._boot, 1))
        if chance.random() < 0.3:
            return Case("keys", "shoe", "cards", ",".join(chance.sample(CARDS, chance.choice((1, 2, 8)))).encode())
        often = (Key.NEW_HAND, Key.CHECK_CALL, Key.CHECK_CALL, Key.FOLD, Key.STREET, Key.AWARD, Key.BET_RAISE)
        keys = [chance.choice((*often, *often, *Key)) for _ in range(chance.choice((1, 3, 8, 20)))]
        return Case("keys", "keypad", "keys", bytes(keys))

    def _bus(self, _: Room) -> Case:
        chance, odd = self._chance, self._chance.choice(_ODDS)
        dice = chance.random()
        if dice < 0.5:
            raw = self._values.json(self._values.of(AnyTableCommand, odd))
            return Case("bus", topics.table(VENUE, TABLE, "command"), "command", raw)
        if dice < 0.6:
            raw = chance.choice((*EVERY_COMMAND, HEALTH))
            leaf = "health" if raw is HEALTH else "command"
            return Case("bus", topics.table(VENUE, TABLE, leaf), leaf, spoilt(chance, raw, EVERY_COMMAND[0])[1])
        kinds = {leaf: kind for leaf, kind in KINDS.items() if leaf not in ("command", "grant", "event", "birth")}
        topic_of: dict[str, tuple[str, Any]] = {
            leaf: (topics.table(VENUE, chance.choice((TABLE, "02")), leaf), kind[0])
            for leaf, kind in kinds.items()
        }
        topic_of |= {
            "clock": (topics.tournament(VENUE, "clock"), ClockState),
            "station's beat": (topics.tournament(VENUE, "beat"), Beat),
            "leaseholder": (topics.tournament(VENUE, f"leaseholder/{TABLE}"), TableLeaseholder),
        }
        what = chance.choice(list(topic_of))
        topic, kind = topic_of[what]
        return Case("bus", topic, what, self._values.json(self._values.of(kind, odd)))


def world_of(room: Room, chance: Chance) -> dict[str, Sequence[Any]]:
    """What there is, by the names of fields."""
    state = room.station.node.tournament.night.state
    players = [*state.field.entrants, *room.station.players.names(), *(f"p{no}" for no in range(1, 5))]
    tables = [TABLE, "02"]
    records = [*range(max(1, room.station.records.head.seq - 8), room.station.records.head.seq + 1)]
    pending = [str(one) for one in state.field.busts] or ["01-1"]
    queue = room.station.store.queue()
    items = [*re.findall(r'"id":"([^"]+)"', msgspec.json.encode(queue).decode() if queue else "")] or ["x"]
    who = dict.fromkeys(("player", "other", "one", "giver"), players)
    several = dict.fromkeys(("players", "standing", "last_places", "consent", "declined"), players)
    return {
        **who,
        **several,
        "table": tables,
        "tables": tables,
        "record": records or [1],
        "busts": pending,
        "bust": pending,
        "move": [*state.seats.moves] or ["m1"],
        "penalty": [str(one) for one in state.penalties.given] or ["1"],
        "dispute": [*state.disputes] or ["d1"],
        "rulebook": ["", "", *rulebook_ids()],
        "settings": _SETTINGS,
        "reason": [*state.book.reasons, "talking"] if hasattr(state.book, "reasons") else ["talking"],
        "incident": [*INCIDENTS],
        "option": ["", "call", "fold", "dismiss", "stands", "dead"],
        "item": items,
        "seat": [1, 2, 3, 4, 5, 9],
        "seq": [room.table.ledger.head.seq - chance.randrange(5)],
        "person": [one.id for one in room.station.signin.people()],
        "key": [*map(int, Key)],
        "if_seq": [None, room.table.ledger.head.seq],
        "if_epoch": [None, room.table.ledger.head.epoch],
        "street": ["preflop", "flop", "turn", "river"],
        "board": list(CARDS),
        "cards": list(CARDS),
    }


def id_of(case: Case, no: int) -> str:
    return hashlib.sha256(b"%d %s" % (no, case.body)).hexdigest()[:24]


def in_words(case: Case) -> str:
    body = case.body[:1_500]
    try:
        return f"{case.at} {case.who} {body.decode()}"
    except UnicodeDecodeError:
        return f"{case.at} {case.who} base64 {base64.b64encode(body).decode()}"


def fed(room: Room, case: Case) -> None:
    """A device says it."""
    if case.what == "cards":
        room.deal(*case.body.decode().split(","))
    elif case.what == "keys":
        room.slowly(*map(Key, case.body))
    else:
        room.feed(case.at, case.body)
