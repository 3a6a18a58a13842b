"""Evenings by their number, each played twice: once more with other cards where nobody has seen any until some
moment. What goes out before that moment is the same, byte for byte and at the same time."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from table_core.messages import CardText
from tests.on_air.dealt import DECK, Place
from tests.on_air.evening import HANDS, Evening

MOST_FINDINGS = 200


@dataclass
class Report:
    """`done`: the evenings that were played. `findings`: the evening, and what."""

    seed: int
    count: int
    shard: str
    done: list[int] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    findings: list[str] = field(default_factory=list)
    seconds: float = 0.0
    finished: bool = False


def evenings(report: Report) -> range:
    """The evenings of this shard; `count` is in hands."""
    shard, _, shards = report.shard.partition("/")
    return range(int(shard) - 1, -(-report.count // HANDS), int(shards))


def play(report: Report, number: int, folder: Path) -> None:
    """Play an evening and its twin, and note what was found."""
    seed = f"{report.seed}/{number}"
    first = _played(folder, seed, {})
    counts = Counter(report.counts) + first.counts
    counts["hands"] += len(first.table.hands)
    finds = list(first.finds)
    until, swapped = _others(first, random.Random(f"{seed} twin"))
    if swapped:
        twin = _played(folder, seed, swapped)
        counts["cards exchanged"] += len(swapped)
        compared = [[out for out in one.outs if out.now < until] for one in (first, twin)]
        counts["compared"] += len(compared[0])
        if compared[0] != compared[1]:
            pair = next((pair for pair in zip(*compared, strict=False) if pair[0] != pair[1]), None)
            finds.append(f"what goes out depends on hidden cards: {pair or 'one says more'}"[:600])
    report.counts = dict(counts)
    report.findings += [f"evening {number}: {find}" for find in finds][: MOST_FINDINGS - len(report.findings)]
    report.done.append(number)


def _played(folder: Path, seed: str, others: dict[Place, CardText]) -> Evening:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    evening = Evening(folder, seed, others.get)
    evening.play()
    return evening


def _others(first: Evening, chance: random.Random) -> tuple[int, dict[Place, CardText]]:
    """A moment, and for every card that nobody had seen by then another one of the same deal that nobody saw."""
    times = sorted({out.now for out in first.outs})
    until = chance.choice([*times, times[-1] + 1])
    face_up = first.face_up()
    swapped: dict[Place, CardText] = {}
    for hand in first.table.hands:
        for attempt in {at for at, _ in hand.cards}:
            dealt = {place: card for (at, place), card in hand.cards.items() if at == attempt}
            hidden = [
                place
                for place, card in dealt.items()
                if card not in face_up[hand.index]
                and first.first_out.get((hand.index, attempt, place), until) >= until
            ]
            taken = {card for place, card in dealt.items() if place not in hidden} | face_up[hand.index]
            free = [card for card in DECK if card not in taken]
            chance.shuffle(free)
            swapped |= {(hand.index, attempt, place): card for place, card in zip(hidden, free, strict=False)}
    return until, swapped
