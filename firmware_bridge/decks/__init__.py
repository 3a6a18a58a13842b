"""Decks of tagged cards: which tag is which card, how a deck is enrolled, what is wrong with one, how worn it
is."""

from firmware_bridge.decks.registry import CARDS, Deck, DeckError, DeckRegistry, generate

__all__ = ["CARDS", "Deck", "DeckError", "DeckRegistry", "generate"]
