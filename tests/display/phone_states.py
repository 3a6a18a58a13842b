"""States of a player's phone, as the station tells them: for pictures and for the browser's tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from display.actions import ActionRefused
from display.identity.signin import SignIn
from display.phone_page import FACTS, RESULTS, PlayersPhones
from display.player_codes import PlayerCodes
from display.presses import now_ms
from display.push import Hub
from table_core.messages import ClockState, Level, Millis, encode

EVENT = "Friday, the 27th"
LONGEST = "Wolfeschlegelsteinhausenberg-Do"
LEVELS = (
    Level(1, 100, 200, big_blind_ante=200),
    Level(2, 150, 300, big_blind_ante=300),
    Level(0, 0, 0, minutes=10, is_break=True),
    Level(3, 200, 400, big_blind_ante=400),
    Level(4, 25_000, 50_000, big_blind_ante=50_000),
)
CODES = PlayerCodes(b"k" * 32, lambda: "event-1")
SHARED: Mapping[str, Any] = {
    "open": True,
    "event": EVENT,
    "started": True,
    "finished": False,
    "cancelled": False,
    "left": 23,
    "entrants": 41,
    "chips": 820_000,
    "average": 35_652,
    "tables": 3,
    "payouts": [98_000, 61_000, 41_500, 30_000, 22_500],
    "entry_open": False,
    "deal": False,
}
WARNED = {"penalty": "1", "kind": "warning", "reason": "phone at the table", "rule": "wfp.infractions.2"}


class Desk:
    """A station that writes down what phones ask; `refuses`: what it answers instead."""

    phones: PlayersPhones

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, str, str]] = []
        self.called: list[str] = []
        self.refuses = ""

    async def ask(self, request: str, name: str, digits: str, before: str) -> str:
        self._refuse()
        self.asked.append((request, name, digits, before))
        return "The desk has your request."

    async def call(self, player: str) -> str:
        self._refuse()
        self.called.append(player)
        return "The floor is called."

    def _refuse(self) -> None:
        if self.refuses:
            raise ActionRefused(self.refuses)


def phones_of(hub: Hub, signin: SignIn, desk: Desk, **more: Any) -> PlayersPhones:
    return PlayersPhones(hub, CODES, desk, signin, reach=lambda: "http://192.0.2.7:8080", **more)


def row(name: str = "Ann Lee", **more: Any) -> dict[str, Any]:
    """A player at table 2, seat 4, four minutes after the hand began."""
    at = max(0, now_ms() - 4 * 60_000)
    return {"name": name, "table": "02", "seat": 4, "stack": 41_250, "at": at, "rank": 7} | more


@dataclass(frozen=True)
class PhoneState:
    """What all phones are told, and what of the player `p7` everybody (`me`) and only the player (`own`) may know.

    `proven`: the phone has the code; `known`: it knows who its player is."""

    shared: dict[str, Any] = field(default_factory=dict)
    me: dict[str, Any] | None = None
    own: dict[str, Any] | None = None
    proven: bool = False
    known: bool = True
    running: bool = True
    entry: int = 0
    left_ms: int = 754_000
    results: dict[str, Any] = field(default_factory=dict)

    def publish(self, hub: Hub) -> None:
        players = {"p7": self.me} if self.me is not None else {}
        others = {"p8": row("Ann Leeds", table="01", seat=2), "p9": row("B. C.", table="03", seat=9)}
        facts = {
            "shared": dict(SHARED) | self.shared,
            "players": others | players,
            "own": {"p7": self.own} if self.own is not None else {},
            "list": [
                [player, one["name"], one.get("table", ""), one.get("seat")]
                for player, one in (others | players).items()
            ],
        }
        hub.publish(FACTS, msgspec.json.encode(facts))
        hub.publish(RESULTS, msgspec.json.encode({"results": [], "season": []} | self.results))
        level, coming = LEVELS[self.entry], LEVELS[self.entry + 1]
        clock = ClockState(
            *("boot", Millis(now_ms()), 1, self.running, level, self.left_ms, coming, 23, 41, 35_652),
            levels=LEVELS,
            entry=self.entry,
        )
        hub.publish("clock", encode(clock))


RESULT = {
    "results": [[1, "Ann Lee", 98_000], [2, "Bo Ek", 61_000], [3, LONGEST, 41_500], [4, "Cy Dee", 0]],
    "season": [[1, "Ann Lee", 120, 4, 2], [2, LONGEST, 94, 5, 0]],
}
MOVE = {"id": "m1", "table": "11", "seat": 10, "stage": "confirmed"}
STATES: Mapping[str, Callable[[], PhoneState]] = {
    "no-event": lambda: PhoneState({"open": False}, known=False),
    "who": lambda: PhoneState(known=False, me=row()),
    "sign-up": lambda: PhoneState({"started": False, "entry_open": True}, known=False, running=False),
    "named": lambda: PhoneState(me=row()),
    "proven": lambda: PhoneState(me=row(), own={"penalties": [WARNED]}, proven=True),
    "called": lambda: PhoneState(me=row(), own={"penalties": [], "call": {"coming": True}}, proven=True),
    "moves": lambda: PhoneState(me=row(move=MOVE), own={"penalties": []}, proven=True),
    "time-out": lambda: PhoneState(
        me=row(),
        own={"penalties": [WARNED], "serving": [{"penalty": "1", "ends": now_ms() + 400_000}]},
        proven=True,
    ),
    "last-minute": lambda: PhoneState(me=row(), left_ms=42_000),
    "break": lambda: PhoneState(me=row(), entry=2, left_ms=301_000),
    "paused": lambda: PhoneState(me=row(), running=False),
    "by-hand": lambda: PhoneState(me={"name": "Ann Lee", "table": "02", "seat": 4}),
    "waiting-list": lambda: PhoneState(
        own={"penalties": [], "waiting": 3, "listed": "waiting", "name": "Ann Lee"}, proven=True
    ),
    "out": lambda: PhoneState(me={"name": "Ann Lee", "out": True, "place": 12, "prize": 0}),
    "paid": lambda: PhoneState(me={"name": "Ann Lee", "out": True, "place": 3, "prize": 41_500}, results=RESULT),
    "won": lambda: PhoneState(
        {"finished": True, "left": 1}, me={"name": "Ann Lee", "place": 1, "prize": 98_000}, results=RESULT
    ),
    "longest": lambda: PhoneState(
        {
            "event": f"{LONGEST} memorial charity championship",
            "entrants": 1_999,
            "left": 1_213,
            "chips": 99_950_000,
        },
        me=row(LONGEST, stack=123_456_789, rank=1_213, move=MOVE, table="Table of the North"),
        own={"penalties": [WARNED, WARNED | {"reason": LONGEST}]},
        proven=True,
        entry=3,
    ),
}
