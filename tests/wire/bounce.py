"""Contacts that bounce, through the keypad's debouncing as its main loop scans them: each press once, none missed,
in bounded time.

A contact chatters when it closes and when it opens: for at most 4 ms no level lasts 5 ms. It is closed for 20 ms
at least and open for 20 ms at least. The loop looks at it every 0.4 to 2 ms.
"""

from __future__ import annotations

import random
from collections import Counter

from firmware_bridge.debounce import Debouncer
from tests.wire.proof import Counts, Finding, Proof

CASES = 100_000
SETTLE_MS = 5
SLOWEST_SCAN_US = 2_000
BOUND_US = (
    SETTLE_MS * 1_000 + 2 * SLOWEST_SCAN_US + 1_000
)  # from when it held; the clock counts whole milliseconds


def run(case: int, seed: int) -> Counts:
    chance = random.Random(f"bounce {seed} {case}")
    edges, held = _presses(chance)
    contacts, level, at, place = Debouncer(SETTLE_MS), 0, 0, 0
    heard: list[int] = []
    while at < edges[-1][0] + 20_000:
        at += chance.randrange(400, SLOWEST_SCAN_US)
        while place < len(edges) and edges[place][0] <= at:
            level = edges[place][1]
            place += 1
        heard += [at for change in contacts.edge(1, level, at // 1_000) if change.level]
    if len(heard) != len(held):
        raise Finding(f"{len(held)} presses made, {len(heard)} heard")
    latest = max(came - since for came, since in zip(heard, held, strict=True))
    if latest > BOUND_US:
        raise Finding(f"a press heard {latest} us after its contact held")
    return Counter({"traces": 1, "presses": len(held), f"at most {(latest + 999) // 1_000} ms": 1})


def _presses(chance: random.Random) -> tuple[list[tuple[int, int]], list[int]]:
    """The edges of a contact in microseconds, and when it began to hold closed."""
    edges, held, at = [], [], 10_000
    for _ in range(chance.randrange(1, 6)):
        for level in (1, 0):
            end = at + chance.randrange(4_000)
            while at < end and chance.random() < 0.9:
                edges += [(at, level), (at + chance.randrange(20, 700), 1 - level)]
                at = edges[-1][0] + chance.randrange(20, 700)
            edges.append((at, level))
            held += [at] if level else []
            at += chance.randrange(20_000, 90_000)
    return edges, held


def figures(counts: Counts) -> list[str]:
    slow = max((name for name in counts if name.startswith("at most")), key=lambda name: int(name.split()[2]))
    return [
        f"{counts['presses']} presses in {counts['traces']} traces: 0 missed, 0 doubled",
        f"heard {slow} after the contact held; the bound is {BOUND_US / 1_000:.0f} ms",
    ]


PROOF = Proof("contacts that bounce", lambda: CASES, run, figures)
