"""Which of two alternating decks a card belongs to: the one that is dealt, or the idle one, shuffled beside the
reader.

Neither is an irregularity (real-tables.md, 7). Where the registry does not name a card's deck, the vault's note
does, which takes the deck of the hand's first card. A shoe that sees its cards leave is not deceived by the idle
deck: a card of another deck that left it was dealt.
"""

from __future__ import annotations

from table_core.messages import CardLeftShoe
from table_core.tracker import waits
from table_core.tracker.memory.slice import Slice


class Decks(Slice):
    deck: str = ""  # of this hand
    before: str = ""  # of the hand before
    alternating: bool = False  # the last two hands were dealt with different decks
    strays: tuple[int, ...] = ()  # first cards of this hand, of the deck that should be idle
    foreign: int = 0  # cards of another deck that passed in this hand
    mixed: int = 0  # cards of another deck that were dealt in this hand

    def to_place(self, seen: CardLeftShoe) -> tuple[int, ...]:
        """The handles of the cards that take their places now: none for a card of the idle deck, several when the
        deck of the last hand turns out to be dealt again."""
        if seen.counted:
            return self._dealt(seen)
        if not seen.deck:
            idle = seen.note == "other_deck"
            self.foreign += idle
            return () if idle else (seen.handle,)
        if self.deck:
            self.foreign += seen.deck != self.deck
            return (seen.handle,) if seen.deck == self.deck else ()
        if self.alternating and seen.deck == self.before:
            self.strays = (*self.strays, seen.handle)
            if len(self.strays) <= waits.MOST_IDLE_CARDS:
                self.foreign += 1
                return ()
            self.foreign -= waits.MOST_IDLE_CARDS
        first = self.strays if seen.deck == self.before and self.strays else (seen.handle,)
        self.deck, self.strays = seen.deck, ()
        return first

    def _dealt(self, seen: CardLeftShoe) -> tuple[int, ...]:
        self.deck = self.deck or seen.deck
        self.mixed += seen.note == "other_deck" or bool(seen.deck and seen.deck != self.deck)
        return (seen.handle,)

    def is_idle(self, deck: str, cards: int) -> bool:
        """Whether so many cards are of a deck that is not dealt in this hand."""
        idle = bool(deck and self.deck) and deck != self.deck
        self.foreign += cards if idle else 0
        return idle

    def begin_with(self, deck: str) -> None:
        """The hand is dealt with `deck`; empty for unknown."""
        self.deck = deck

    def end_hand(self) -> None:
        self.alternating = bool(self.deck and self.before and self.deck != self.before)
        self.before, self.deck = self.deck or self.before, ""
        self.strays, self.foreign, self.mixed = (), 0, 0
