"""A registry as the text of its file; decks of two files together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import tomli_w

from firmware_bridge.decks import wear
from firmware_bridge.decks.registry import CARDS, Deck, DeckError, DeckRegistry

_HEAD = "# Which tag is which card: as secret as the cards (docs/hidden-cards.md). Made by `feltwire deck`.\n"


def text_of(registry: DeckRegistry) -> str:
    """What `DeckRegistry.parse` reads."""
    document: dict[str, Any] = {}
    if registry.in_use != registry.deck_names:
        document["in_use"] = list(registry.in_use)
    document["deck"] = [_entry(deck) for deck in registry.decks.values()]
    return _HEAD + tomli_w.dumps(document)


def _entry(deck: Deck) -> dict[str, Any]:
    cards = {card: deck.cards[card].reveal().hex() for card in CARDS}
    entry: dict[str, Any] = {"name": deck.name, "back": deck.back or deck.name, "cards": cards}
    return entry | ({"worn": wear.written(deck.worn)} if deck.worn else {})


def with_deck(registry: DeckRegistry, deck: Deck) -> DeckRegistry:
    """With one deck more, or another of that name. Raise `DeckError` where a tag is in another deck, too."""
    others = [one for one in registry.decks.values() if one.name != deck.name]
    for other in others:
        common = {*other.cards.values()} & {*deck.cards.values()}
        if common:
            raise DeckError(
                f"decks {deck.name!r} and {other.name!r} have {len(common)} cards in common: they are the same "
                "cards under two names, or were mixed; check both"
            )
    in_use = registry.in_use if registry.in_use != registry.deck_names else ()
    return DeckRegistry([*others, deck] if deck.name not in registry.decks else _in_place(registry, deck), in_use)


def merged(registry: DeckRegistry, more: Iterable[Deck]) -> DeckRegistry:
    """The decks of both. Of a deck that both have, what each table has dealt with it counts once. Raise
    `DeckError` where two decks have one name, or one tag."""
    for deck in more:
        known = registry.decks.get(deck.name)
        if known is not None and known.cards != deck.cards:
            raise DeckError(
                f"deck {deck.name!r} is another one in each file; enrol one of them under a name of its own"
            )
        worn = wear.merged(known.worn if known is not None else {}, deck.worn)
        registry = with_deck(registry, Deck(deck.name, deck.cards, deck.back, worn))
    return registry


def using(registry: DeckRegistry, names: Iterable[str]) -> DeckRegistry:
    """With these decks in use. Raise `DeckError` for one that there is not."""
    chosen = tuple(names)
    for name in chosen:
        if name not in registry.decks:
            raise DeckError(f"there is no deck {name!r}; there are {', '.join(registry.decks)}")
    return DeckRegistry(registry.decks.values(), chosen)


def _in_place(registry: DeckRegistry, deck: Deck) -> list[Deck]:
    return [deck if one.name == deck.name else one for one in registry.decks.values()]
