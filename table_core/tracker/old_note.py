"""Reads tracker notes of versions up to November 2026: every field in one struct, timers under names.

A machine that was stopped in a hand and restarted with a later version goes on from its note.
"""

from __future__ import annotations

from typing import Any

import msgspec

from table_core.tracker.memory.notices import Doubt
from table_core.tracker.memory.timers import Check

# Slice by slice: the field, and what it was called where that is another word.
_FIELDS: dict[str, dict[str, str]] = {
    "keypad": {"typed": "", "seat": "typed_seat", "last": "last_key"},
    "presses": {
        "waiting": "",
        "proposed": "",
        "undid": "",
        "since_asked": "pressed",
        "closing_asked": "",
        "street_at": "street_key_at",
        "settled_at": "",
    },
    "key_queue": {"presses": "heap", "after": "heap_after", "refused": "heap_refused"},
    "showdown": {"tabled_keys": "", "splitting": "", "result_for": ""},
    "rulings": {"open": ""},
    "thinking": {"decision": "turn", "since": "turn_since", "clock": ""},
    "deal": {
        "handles": "",
        "left_at": "",
        "first_out": "",
        "flop_counted": "",
        "burns_counted": "",
        "more_before": "loose_more",
        "passed_since": "",
    },
    "decks": {"deck": "", "before": "deck_before", "alternating": "", "strays": "", "foreign": ""},
    "board": {"seen": "board", "barred": "", "burns": "", "burned_before": "", "camera_away": ""},
    "seat_cards": {
        "readings": "seats",
        "had_cards": "",
        "gone_since": "gone",
        "swept": "",
        "dealt_to": "dealt_backs",
        "began_hand": "began_unkeyed",
    },
    "folds": {
        "seen": "folds_seen",
        "seen_at": "fold_seen_at",
        "late_key_at": "late_fold_at",
        "held": "",
        "keyed": "folds_keyed",
        "known": "folds_known",
        "unkeyed": "folds_unkeyed",
    },
    "bets": {"readings": "bets", "motions": "", "stale": "", "came": "", "street": "", "street_since": ""},
    "arrivals": {"seats": "arrived", "known_to": "arrived_after", "acted_at": ""},
    "disc": {"seat": "disc", "hand": "disc_hand"},
    "devices": {"keypad_out_at": "", "keypad_back_at": "", "lost": ""},
}
_CHECKS = {
    "missed": Check.MISSING_KEYS,
    "board": Check.UNREAD_STREET,
    "street-said": Check.STREET_SAID,
    "heap": Check.KEYS_END,
    "gone": Check.EMPTY_SEAT,
    "dealt": Check.DEAL_ENDS,
    "deal-check": Check.DEAL_COUNT,
    "blinds": Check.BLINDS,
    "disc": Check.DISC,
    "clock-warning": Check.CLOCK_WARNING,
    "clock-up": Check.CLOCK_UP,
}
_CHECKS_OF_SEAT = {"chips": Check.BET, "tabled": Check.TABLED, "exposed": Check.EXPOSED}


def upgraded(raw: bytes) -> bytes:
    """The note in the present form. Raise `msgspec.DecodeError` when it is no JSON object."""
    raw = raw.replace(b'"matter":', b'"incident":')  # until November 2026 an incident was a `matter`
    note = msgspec.json.decode(raw, type=dict[str, Any])
    if "due" not in note:
        return raw
    slices: dict[str, Any] = {}
    for name, fields in _FIELDS.items():
        old = {field: was or field for field, was in fields.items()}
        slices[name] = {field: note[was] for field, was in old.items() if was in note}
    slices["counts"] = {"counted": [{"seat": seat, "before": chips} for seat, chips in note.get("counted", ())]}
    slices["loose"] = _loose(note)
    slices["timers"] = {"running": [_timer(name, due) for name, due in note["due"].items()]}
    slices["notices"] = {"said": [_said(key) for key in note.get("said", ())]}
    return msgspec.json.encode(slices)


def _loose(note: dict[str, Any]) -> dict[str, Any]:
    columns = (note.get("loose", ()), note.get("loose_decks", ()), note.get("loose_at", ()))
    cards = [{"handle": handle, "deck": deck, "at": at} for handle, deck, at in zip(*columns, strict=False)]
    last = note.get("loose_last")
    return {"cards": cards} | ({} if last is None else {"newest_at": last[0], "newest_deck": last[1]})


def _timer(name: str, due: int) -> dict[str, Any]:
    if name in _CHECKS:
        return {"check": _CHECKS[name], "due": due}
    kind, _, of = name.partition("-")
    if kind == "lost":
        return {"check": Check.DEVICE_LOST, "due": due, "device": of}
    return {"check": _CHECKS_OF_SEAT[kind], "due": due, "seat": int(of)}


def _said(key: str) -> dict[str, Any]:
    """Parse `kind`, `kind-seat`, `kind-seat-detail` or `matter-kind-seat-cause`; after `ruled-`: settled."""
    kind, *of = key.removeprefix("ruled-").split("-", 3)
    said: dict[str, Any] = {"kind": kind, "settled": key.startswith("ruled-")}
    if kind == "matter":
        incident, seat, cause = of
        said |= {"kind": "incident", "detail": f"{incident} {cause}", "of_deal": incident == "flop_overdeal"}
        of = [seat]
    elif len(of) > 1:
        said["detail"] = of[1]
    if of and of[0] != "None":
        said["seat"] = int(of[0])
    if kind.startswith(("board_overfull", "board_order")):
        said["of_deal"] = True
    return said | {"doubt": next((doubt for doubt in Doubt if kind.startswith(doubt)), None)}
