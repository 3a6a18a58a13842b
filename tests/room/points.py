"""Points of a process's work at which it is killed: calls to its operating system, by name.

Each is `WHEN CALL WHERE` as `tests/powercuts/shim.c` has it. A process comes to each of them several times in a
hand, whatever the hand is.
"""

from __future__ import annotations

from collections.abc import Mapping

_COMMIT = {
    "commit begins": "before write {ledger}-wal",
    "half a page written": "half write {ledger}-wal",
    "written, not synced": "before sync {ledger}-wal",
    "committed": "after sync {ledger}-wal",
}
_SENDS = {
    "before it sends": "before send {port}",
    "half a message sent": "half send {port}",
    "sent": "after send {port}",
}

RANDOM = "any time"


def points_of(target: str, broker_port: int) -> Mapping[str, str]:
    """The points of a process, by name; `broker_port` is where it sends to."""
    return {name: call.format(port=broker_port) for name, call in POINTS.get(target, {}).items()}


def _of(ledger: str) -> dict[str, str]:
    return {name: call.replace("{ledger}", ledger) for name, call in {**_COMMIT, **_SENDS}.items()}


_ANY = {name: call.replace("{port}", "0") for name, call in _SENDS.items()}

POINTS: Mapping[str, Mapping[str, str]] = {
    "table": {
        **_of("table-01.ledger"),
        "before a device is acknowledged": "before device -",
        "a device is acknowledged": "after device -",
        "before the key of a hand is kept": "before write .key",
        "half the key of a hand is kept": "half write .key",
        "the key of a hand is kept": "after write .key",
        "before the key of a hand goes": "before unlink .key",
        "the key of a hand is gone": "after unlink .key",
    },
    "station": _of("station.ledger"),
    "relay": {
        **_of("relay.db"),
        "cards are logged": "before write releases.jsonl",
        "half the cards are logged": "half write releases.jsonl",
        "cards logged, not synced": "before sync releases.jsonl",
        "cards are on the disk, not shown": "after sync releases.jsonl",
    },
    "broker": _ANY,
    "mosquitto": _ANY,
}
ONCE_A_HAND = {
    target: {name for name, call in calls.items() if call.endswith((".key", "releases.jsonl"))}
    for target, calls in POINTS.items()
}
