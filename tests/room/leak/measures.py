"""Sizes and times of what a table sends, beside the card that it is about: neither may depend on it.

A size is that of the message with its numbers and hashes made equally long; it must be the same for every card
that went to the same kind of place. A time is how long the table was busy with the card: from when it left the
shoe, or the card before it was heard of. Times of a loaded machine scatter, so they are compared as groups, by
rank and by suit, with what chance makes of the same times.
"""

from __future__ import annotations

import json
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tests.room.leak.capture import Captured
from tests.room.leak.truth import TrueHand, Truth

SHUFFLES = 200
FEWEST = 150  # cards: with fewer a difference says nothing
FAR = 8.0  # standard deviations: chance does not go so far in any number of rooms
# A device's boot stands in a cause as hexadecimal without leading zeros: `shoe/86c87b0/12`.
_VARIES = re.compile(rb"(?<=/)[0-9a-f]+(?=/)|[0-9a-f]{8,}|\d+")


class Dealt(NamedTuple):
    """A message about a card that lies face down: where the card went and which device said so, its size, and how
    long the table was busy with it."""

    card: str
    kind: str
    size: int
    after_ms: int


def dealt_cards(
    kept: Iterable[Captured], hand_of: Mapping[tuple[str, int, int], int], truth: Truth
) -> list[Dealt]:
    """Every `card_dealt` that was heard at the broker, the first time that it was."""
    found: dict[tuple[str, int, int], Dealt] = {}
    free_at: dict[str, int] = {}  # when each table was heard of the card before
    for captured in sorted(kept, key=lambda one: one.at):
        if not (captured.stream.startswith("mqtt") and captured.stream.endswith("/event")):
            continue
        said = json.loads(captured.data)
        data, where = said["data"], (said["table"], said["epoch"], said["seq"])
        if data["type"] != "card_dealt" or where in found or where not in hand_of:
            continue
        hands = truth.numbered(where[0], hand_of[where])
        began, free_at[where[0]] = free_at.get(where[0], 0), captured.at
        if len(hands) == 1 and (drawn := _drawn(hands[0], data["place"])) is not None:
            size = len(_VARIES.sub(b"0", captured.data))
            kind = f"{data['to'].rstrip('0123456789')} {said['cause'].partition('/')[0]}"
            found[where] = Dealt(drawn[0], kind, size, captured.at - max(drawn[1], began))
    return list(found.values())


def _drawn(hand: TrueHand, place: int) -> tuple[str, int] | None:
    """The card at a place, and when it left the shoe; None where cards were taken back or passed again."""
    if not 1 <= place <= len(hand.drawn) or len(set(hand.drawn)) != len(hand.drawn):
        return None
    return hand.drawn[place - 1], hand.drawn_at[place - 1]


def sizes(dealt: Iterable[Dealt]) -> dict[str, set[int]]:
    """The different sizes of each kind."""
    found: dict[str, set[int]] = defaultdict(set)
    for one in dealt:
        found[one.kind].add(one.size)
    return dict(found)


def suspicious_times(dealt: list[Dealt], seed: int = 1) -> tuple[dict[str, float], list[str]]:
    """How far, in standard deviations of what chance does, the times differ between ranks and between suits; and
    which of them are too far."""
    if len(dealt) < FEWEST:
        return {}, []
    chance = random.Random(seed)
    ranked = _ranks([one.after_ms for one in dealt])
    far = {name: _far([one.card[at] for one in dealt], ranked, chance) for name, at in (("rank", 0), ("suit", 1))}
    return far, [name for name, deviations in far.items() if deviations > FAR]


def _ranks(times: list[int]) -> list[float]:
    """Each time's place in the order of all, so that one long stop of the machine weighs no more than another."""
    order = sorted(range(len(times)), key=times.__getitem__)
    ranked = [0.0] * len(times)
    for place, at in enumerate(order):
        ranked[at] = float(place)
    return ranked


def _far(groups: list[str], times: list[float], chance: random.Random) -> float:
    shuffled = list(times)
    drawn = []
    for _ in range(SHUFFLES):
        chance.shuffle(shuffled)
        drawn.append(_between(groups, shuffled))
    middle = sum(drawn) / len(drawn)
    spread = (sum((one - middle) ** 2 for one in drawn) / len(drawn)) ** 0.5
    return round((_between(groups, times) - middle) / spread, 1) if spread else 0.0


def _between(groups: list[str], times: list[float]) -> float:
    """The variance between groups."""
    middle = sum(times) / len(times)
    sums: dict[str, list[float]] = defaultdict(list)
    for group, time in zip(groups, times, strict=True):
        sums[group].append(time)
    return sum(len(of) * (sum(of) / len(of) - middle) ** 2 for of in sums.values())
