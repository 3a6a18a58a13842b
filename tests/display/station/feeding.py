"""What the station publishes, as JSON: rooms of any size in any state, and a queue with everything in it."""

from __future__ import annotations

import json
from typing import Any

from display.push import Hub
from tests.display import fixtures

KINDS = {
    "floor_call": ("now", "03", 7, "Table 03 calls the floor", "Go there, or open the ruling", "wfp.decisions.1"),
    "ruling": (
        "now",
        "02",
        3,
        "String bet: 4,000, then 12,000",
        "Rule within the hand",
        "wfp.procedures.19",
    ),
    "silent": (
        "stop",
        "05",
        None,
        "Table 05 has been silent for 1:12",
        "Look at its machine; play goes on",
        "",
    ),
    "chips": ("stop", "04", None, "500 chips more than the table should have", "Count the stacks", "tda.20"),
    "bust": (
        "soon",
        "01",
        5,
        "Chen Wei is out of chips, hand 118",
        "Confirm, or sell a rebuy",
        "wfp.decisions.8",
    ),
    "move": ("soon", "06", 2, "Priya moves to table 02 seat 8", "Confirm when seated", "wfp.decisions.9"),
    "device": ("know", "01", None, "The camera of table 01 is blocked", "Look what lies before it", ""),
}


def item(kind: str, **facts: object) -> dict[str, Any]:
    severity, table, seat, fact, do, rule = KINDS[kind]
    primary: dict[str, Any] | None = None
    if kind == "bust":
        primary = {"label": "Out", "command": "confirm_bust", "arguments": {"busts": ["b1"]}, "confirm": ""}
    if kind == "move":
        sure = "Priya gives up seat 2 at table 06 and sits down at table 02 seat 8."
        primary = {"label": "Move", "command": "confirm_move", "arguments": {"player": "p3"}, "confirm": sure}
    if kind == "silent":
        primary = {"label": "See the table", "open": "/station/table/05"}
    known: dict[str, Any] = {
        "id": f"{kind}-{table}",
        "kind": kind,
        "severity": severity,
        "table": table,
        "seat": seat,
        "player": "Chen Wei" if kind == "bust" else "",
        "fact": fact,
        "do": do,
        "rule": rule,
        "ms_ago": 72_000,
        "decides": "table" if kind == "ruling" else "director" if kind == "bust" else "",
        "taken_by": "",
        "taken_ms_ago": 0,
        "primary": primary,
        "can_be_done": kind in ("floor_call", "device"),
    }
    return known | facts


ORDER = ("silent", "chips", "floor_call", "ruling", "bust", "move", "device")
DECIDED = {
    "id": "ruling-09",
    "fact": "String bet at table 09, seat 2",
    "outcome": "A call only.",
    "by": "the dealer of table 09",
    "ms_ago": 14_000,
}


def queue(*kinds: str, decided: bool = True, **facts: object) -> bytes:
    items = [item(kind, **facts) for kind in kinds or ORDER]
    return json.dumps({"items": items, "decided": [DECIDED] if decided else []}).encode()


def cell(no: int, **facts: object) -> dict[str, Any]:
    streets = ("preflop", "flop", "turn", "river", "showdown")
    taken = [seat for seat in range(1, 10) if (seat * 7 + no) % 5]
    known: dict[str, Any] = {
        "table": f"{no:02}",
        "state": "playing",
        "link": "live",
        "heard_ms_ago": 300,
        "hand": 100 + no % 40,
        "street": streets[no % 5],
        "seats": taken,
        "button": taken[no % len(taken)],
        "to_act": taken[(no * 3) % len(taken)],
        "to_act_ms": no * 997 % 45_000,
        "level": 8,
        "chips_agree": True,
        "trouble": "",
        "taken_by": "",
    }
    return known | facts


TROUBLED: dict[int, dict[str, object]] = {
    1: {"trouble": "soon"},
    2: {"trouble": "now", "taken_by": "Fay"},
    3: {"trouble": "now"},
    4: {"trouble": "stop", "chips_agree": False},
    5: {"link": "silent", "heard_ms_ago": 72_000, "trouble": "stop"},
    6: {"link": "stale", "heard_ms_ago": 4_200},
    7: {"state": "held", "to_act": None},
    8: {"state": "between_hands", "to_act": None},
    9: {"state": "empty", "seats": [], "to_act": None, "button": None, "hand": 0, "chips_agree": None},
    10: {"state": "closed", "seats": [], "to_act": None, "button": None},
    11: {"chips_agree": None, "trouble": "know"},
}


def room(tables: int, **facts: object) -> bytes:
    cells = [cell(no, **TROUBLED.get(no, {})) for no in range(1, tables + 1)]
    known: dict[str, Any] = {"venue": fixtures.VENUE, "rulebook": "base", "clock": None, "cells": cells}
    return json.dumps(known | facts).encode()


def field() -> bytes:
    field = [("Priya Raman", 3), ("Chen Wei", 5)]
    shown = [{"name": name, "table": "02", "seat": seat, "status": "playing"} for name, seat in field]
    return json.dumps({"field": shown}).encode()


def one_table(hub: Hub) -> None:
    feed(hub, 1)


def two_dozen(hub: Hub) -> None:
    feed(hub, 24)


def hall(hub: Hub) -> None:
    feed(hub, 200)


def two_halls(hub: Hub) -> None:
    feed(hub, 500)


def feed(hub: Hub, tables: int, *kinds: str) -> None:
    hub.publish("room", room(tables))
    hub.publish("queue", queue(*kinds))
    hub.publish("field", field())
