"""Which facts the devices at a table can know, after `real-tables.md`.

A fact that no device reports has to be asked of a person before anybody can rule.
"""

from __future__ import annotations

from typing import Literal

DeviceSet = Literal["keys", "keys+shoe", "keys+camera", "all", "none"]
DEVICE_SETS: tuple[DeviceSet, ...] = ("keys", "keys+shoe", "keys+camera", "all", "none")
SOME_DEVICES: tuple[DeviceSet, ...] = ("keys", "all")

FROM_KEYS = frozenset({"acts and their order", "amount declared", "player away"})
FROM_SHOE = frozenset({"number of burns", "board cards in order", "cards per seat", "seat of each card"})
FROM_CAMERA = frozenset({"board cards", "tabled hands", "chips put in", "button seat"})

FACTS_KNOWN: dict[DeviceSet, frozenset[str]] = {
    "keys": FROM_KEYS,
    "keys+shoe": FROM_KEYS | FROM_SHOE | {"board cards"},
    "keys+camera": FROM_KEYS | FROM_CAMERA,
    "all": FROM_KEYS | FROM_SHOE | FROM_CAMERA,
    "none": frozenset(),
}

HUMAN_FACTS = frozenset(
    {
        "act was deliberate",
        "act out of turn was made",
        "forward discard",
        "cards touched the muck",
        "cards are identifiable",
        "holder was misinformed",
        "hand was protected",
        "hand was tabled before",
        "card was exposed",
        "who exposed the card",
        "player had looked",
        "card was boxed",
        "burn was shown",
        "which flop card was the extra one",
        "order of the flop cards",
        "number of motions",
        "words before the chips",
        "player knew the amount",
        "player knew of the raise",
        "board was declared",
        "cards thrown into a hand",
        "hand turned up by another",
        "chips hidden",
        "stub was fouled",
        "deal is over",
        "betting was complete",
        "smallest chip in play",
    }
)


def facts_to_ask(facts: tuple[str, ...], devices: DeviceSet) -> tuple[str, ...]:
    """Those of the facts that these devices do not report, in the given order.

    >>> facts_to_ask(("number of burns", "burn was shown"), "keys+shoe")
    ('burn was shown',)
    """
    return tuple(fact for fact in facts if fact not in FACTS_KNOWN[devices])
