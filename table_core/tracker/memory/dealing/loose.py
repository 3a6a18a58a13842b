"""Cards that left the shoe between hands: the stub, a shuffle, or a deal whose start nobody keyed."""

from __future__ import annotations

from collections import Counter

import msgspec

from table_core.messages import CardLeftShoe
from table_core.tracker import waits
from table_core.tracker.kept import Millis
from table_core.tracker.memory.slice import Slice


class LooseCard(msgspec.Struct, frozen=True):
    handle: int  # 0: not read
    deck: str
    at: Millis


class LastDeal(msgspec.Struct, frozen=True):
    """The cards of a deal that nobody keyed. `more`: cards that passed just before may be of it, too."""

    handles: tuple[int, ...]
    deck: str
    more: bool


NO_DEAL = LastDeal((), "", more=False)


class LooseCards(Slice):
    cards: tuple[LooseCard, ...] = ()
    newest_at: Millis | None = None  # when the newest of them passed, of whichever hand
    newest_deck: str = ""
    fresh_deck: bool = (
        False  # a deck was put into the shoe since the last hand began: its first card begins the next
    )

    @property
    def handles(self) -> tuple[int, ...]:
        return tuple([card.handle for card in self.cards])

    def passed(self, seen: CardLeftShoe) -> None:
        """The latest passage of a card counts."""
        others = [card for card in self.cards if not seen.handle or card.handle != seen.handle]
        self.cards = (*others, LooseCard(seen.handle, seen.deck, seen.at))
        self.newest_at, self.newest_deck = seen.at, seen.deck

    def continued_by(self, seen: CardLeftShoe) -> bool:
        """Whether the card may belong to one deal with the newest of these."""
        close = self.newest_at is not None and seen.at - self.newest_at <= waits.ONE_DEAL_MS
        return close and seen.deck == self.newest_deck

    def last_deal(self, cards: int) -> LastDeal:
        """The last deal, of so many cards of one deck; where fewer passed their deal is unknown (0)."""
        decks = Counter(card.deck for card in self.cards[-cards - waits.MOST_STRAYS :] if card.deck)
        dealt = decks.most_common(1)[0][0] if decks else ""
        own = [card for card in self.cards if card.deck in ("", dealt)]
        if len(own) < cards:
            return LastDeal((0,) * cards, dealt, more=False)
        more = len(own) > cards and own[-cards].at - own[-cards - 1].at <= waits.ONE_DEAL_MS
        return LastDeal(tuple([card.handle for card in own[-cards:]]), dealt, more)

    def deck_moved(self, *, seated: bool) -> None:
        """A deck was put into the shoe: whatever passed before is of no deal with it. Or it was taken out."""
        self.fresh_deck = seated
        if seated:
            self.cards, self.newest_at = (), None

    def deck_is_used(self) -> None:
        self.fresh_deck = False

    def take(self) -> tuple[int, ...]:
        """Give the handles away to another slice."""
        handles = self.handles
        self.cards = ()
        return handles

    def forget(self) -> None:
        self.cards = ()

    def end_hand(self) -> None:
        self.cards, self.fresh_deck = (), False
