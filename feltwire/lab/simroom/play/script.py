"""The script of one hand: everything that will happen, written beforehand."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence

from table_core.messages import Action, CardText, Chips, Frozen, Level, Seat, SeatStack, Share, Street

RANKS = "23456789TJQKA"
SUITS = "cdhs"
FULL_DECK: tuple[CardText, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
BOARD_CARDS = {Street.FLOP: 3, Street.TURN: 1, Street.RIVER: 1}


class ScriptedAct(Frozen, frozen=True):
    """A player acts: `to` is the total in front of the seat after a bet or raise, None otherwise."""

    seat: Seat
    action: Action
    to: Chips | None = None


class HandScript(Frozen, frozen=True):
    """One hand: who has what, the order of the deck, what the players do, who shows.

    `deck` is all 52 cards in the order in which they leave the shoe. `tables` lists the seats that table their
    hands at the showdown, in order; `mucks` those that throw them away unseen. `finishing` is what a perfect
    observer counts afterwards. Its `repr` names no card.
    """

    hand: int
    level: Level
    button: Seat
    small_blind: Seat | None
    big_blind: Seat
    seats: tuple[SeatStack, ...]
    deck: tuple[CardText, ...]
    acts: tuple[ScriptedAct, ...]
    tables: tuple[Seat, ...] = ()
    mucks: tuple[Seat, ...] = ()
    finishing: tuple[Share, ...] = ()

    def __repr__(self) -> str:
        return f"HandScript(hand={self.hand}, {len(self.seats)} seats, {len(self.acts)} acts)"

    @property
    def dealt(self) -> tuple[Seat, ...]:
        """The seats that are dealt in, in the order in which they get their first card."""
        return deal_order([entry.seat for entry in self.seats if entry.stack > 0], self.button)

    def hole(self, seat: Seat) -> tuple[CardText, CardText]:
        """The two cards that this deck deals to `seat`."""
        order = self.dealt
        first = order.index(seat)
        return self.deck[first], self.deck[first + len(order)]

    def street_cards(self, street: Street) -> tuple[CardText, tuple[CardText, ...]]:
        """The burn before `street` and its board cards."""
        at = 2 * len(self.dealt)
        for dealt, count in BOARD_CARDS.items():
            if dealt is street:
                return self.deck[at], self.deck[at + 1 : at + 1 + count]
            at += 1 + count
        raise ValueError(f"no board card is dealt on the {street}")

    def board(self) -> tuple[CardText, ...]:
        return tuple(card for street in BOARD_CARDS for card in self.street_cards(street)[1])


def deal_order(seats: Sequence[Seat], button: Seat) -> tuple[Seat, ...]:
    """`seats` from the first one left of the button on round to the button.

    >>> deal_order([Seat(1), Seat(4), Seat(7)], Seat(4))
    (7, 1, 4)
    """
    ring = sorted(seats)
    return tuple([s for s in ring if s > button] + [s for s in ring if s <= button])


def stack_deck(
    rng: random.Random,
    order: Sequence[Seat],
    holes: Mapping[Seat, Sequence[CardText]],
    board: Sequence[CardText],
) -> tuple[CardText, ...]:
    """A deck that deals `holes` to the seats in `order` and then `board`; every other card is drawn from `rng`.

    `holes` may lack a seat and `board` may end early. A card named twice is a `ValueError`.
    """
    named = [card for cards in holes.values() for card in cards] + list(board)
    if len(set(named)) != len(named):
        raise ValueError("a card is named twice in one hand")
    spare = [card for card in FULL_DECK if card not in set(named)]
    rng.shuffle(spare)
    rest = iter(spare)
    dealt = {seat: [*holes.get(seat, ()), *rest_of(rest, 2 - len(holes.get(seat, ())))] for seat in order}
    deck = [dealt[seat][turn] for turn in (0, 1) for seat in order]
    streets = iter(board)
    for count in BOARD_CARDS.values():
        deck.append(next(rest))  # the burn
        deck += [next(streets, None) or next(rest) for _ in range(count)]
    return (*deck, *rest)


def rest_of(cards: Iterable[CardText], count: int) -> list[CardText]:
    """The next `count` cards."""
    return [card for _, card in zip(range(count), cards, strict=False)]
