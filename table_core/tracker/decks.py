"""Which of two alternating decks a card is of: the one that is dealt, or the idle one, shuffled beside the reader.

None of that is an irregularity (real-tables.md, 7). Where the registry does not say which deck a card is of, the
vault's note does, which takes the first card of a hand for its deck.
"""

from __future__ import annotations

from collections import Counter

from table_core.messages import CardLeftShoe
from table_core.tracker import waits
from table_core.tracker.state import TrackerState


def to_place(state: TrackerState, seen: CardLeftShoe) -> list[int]:
    """The handles of the cards that take their places now: none for a card of the idle deck, several when it turns
    out that the deck of the hand before is dealt again."""
    if not seen.deck:
        idle = seen.note == "other_deck"
        state.foreign += idle
        return [] if idle else [seen.handle]
    if state.deck:
        state.foreign += seen.deck != state.deck
        return [seen.handle] if seen.deck == state.deck else []
    if state.alternating and seen.deck == state.deck_before:
        state.strays = [*state.strays, seen.handle]
        if len(state.strays) <= waits.MOST_IDLE_CARDS:
            state.foreign += 1
            return []
        state.foreign -= waits.MOST_IDLE_CARDS
    first = state.strays if seen.deck == state.deck_before and state.strays else [seen.handle]
    state.deck, state.strays = seen.deck, []
    return first


def passed_outside(state: TrackerState, seen: CardLeftShoe) -> None:
    """A card passed while no hand was in progress: the stub, a shuffle, or a deal whose start nobody keyed."""
    if seen.handle and seen.handle in state.loose:  # its latest passage counts
        at = state.loose.index(seen.handle)
        state.loose, state.loose_decks = _without(state.loose, at), _without(state.loose_decks, at)
        state.loose_at = _without(state.loose_at, at)
    state.loose = [*state.loose, seen.handle]
    state.loose_at = [*state.loose_at, seen.at]
    state.loose_decks = [*state.loose_decks, seen.deck]


def last_deal(state: TrackerState, cards: int) -> tuple[list[int], str, bool]:
    """The handles of the deal that has just ended, `cards` of one deck, that deck, and whether more of it passed
    just before, which may be of this deal too; where fewer passed nobody knows whose they were (0)."""
    passed = [*zip(state.loose, state.loose_decks, state.loose_at, strict=False)]
    decks = Counter(deck for _, deck, _ in passed[-cards - waits.MOST_STRAYS :] if deck)
    dealt = decks.most_common(1)[0][0] if decks else ""
    own = [(handle, at) for handle, deck, at in passed if deck in ("", dealt)]
    if len(own) < cards:
        return [0] * cards, dealt, False
    more = len(own) > cards and own[-cards][1] - own[-cards - 1][1] <= waits.ONE_DEAL_MS
    return [handle for handle, _ in own[-cards:]], dealt, more


def _without(values: list, at: int) -> list:  # type: ignore[type-arg]
    return [*values[:at], *values[at + 1 :]]
