"""The order in which the cards of a new deck lie, from the top of the pack that is held face down.

An order is text: runs of cards such as `As-Ks`, separated by blanks.
"""

from __future__ import annotations

from firmware_bridge.decks.registry import CARDS, RANKS, DeckError
from table_core.messages import CardText

# The United States Playing Card Company's (Bicycle, Bee); jokers and advertising cards are taken out.
NEW_DECK = "As-Ks Ad-Kd Kc-Ac Kh-Ah"
_UP = "A23456789TJQK"


def cards_of(order: str) -> tuple[CardText, ...]:
    """52 cards. Raise `DeckError` for text that is no order of a whole deck."""
    cards = [card for run in order.split() for card in _run(run)]
    missing = [card for card in CARDS if card not in cards]
    twice = sorted({card for card in cards if cards.count(card) > 1})
    if missing or twice:
        named = f"lacks {', '.join(missing[:3])}" if missing else f"has {', '.join(twice[:3])} twice"
        raise DeckError(f"order {order!r} {named}; write runs that make a whole deck, as in {NEW_DECK!r}")
    return tuple(cards)


def _run(text: str) -> list[CardText]:
    first, _, last = text.partition("-")
    ends = [first, last or first]
    if any(len(end) != 2 or end[0] not in RANKS or end not in CARDS for end in ends) or ends[0][1] != ends[1][1]:
        raise DeckError(f"{text!r} is no run of one suit; write it as in As-Ks, or one card as in As")
    start, stop = (_UP.index(end[0]) for end in ends)
    step = 1 if stop >= start else -1
    return [rank + first[1] for rank in _UP[start : stop + step if stop + step >= 0 else None : step]]
