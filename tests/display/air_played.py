"""A final table as it goes on air: hands of random play, a picture an act. It proves nothing of the rules: amounts
are plausible, no more."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from table_core.messages import Action, CardText, Chips, OverlayView, Seat, Street
from tests.display.air_states import STACKS, seats_of, table_of

DECK = tuple(CardText(rank + suit) for rank in "23456789TJQKA" for suit in "shdc")
BOARDS = ((Street.PREFLOP, 0), (Street.FLOP, 3), (Street.TURN, 4), (Street.RIVER, 5))
SMALL, BIG = 4_000, 8_000


@dataclass(slots=True)
class _Hand:
    """What changes within a hand, by seat."""

    live: list[int]
    cards: dict[int, tuple[CardText, ...]]
    stack: dict[int, int]
    bet: dict[int, int] = field(default_factory=dict)
    pot: int = 0
    acts: dict[int, tuple[Action, int]] = field(default_factory=dict)


def played(hands: int, seed: int) -> Iterator[OverlayView]:
    """What is on air during this many hands."""
    chance = random.Random(seed)
    stacks = dict(enumerate(STACKS[:9], 1))
    for number in range(1, hands + 1):
        yield from _one(number, stacks, chance)
        if sum(stack > 0 for stack in stacks.values()) < 2:
            stacks = dict(enumerate(STACKS[:9], 1))


def _one(number: int, stacks: dict[int, int], chance: random.Random) -> Iterator[OverlayView]:
    deck = chance.sample(DECK, 25)
    seated = [seat for seat, stack in stacks.items() if stack]
    hand = _Hand([*seated], {seat: tuple(deck[2 * i : 2 * i + 2]) for i, seat in enumerate(seated)}, stacks)
    board = tuple(deck[20:])
    for seat, blind in zip(seated[1:3] if len(seated) > 2 else seated, (SMALL, BIG), strict=False):
        _pay(hand, seat, blind)
    for street, count in BOARDS:
        high = max(hand.bet.values(), default=0)
        for seat in [*hand.live]:
            if len(hand.live) < 2 or not hand.stack[seat]:
                continue
            yield _picture(number, hand, street, board[:count], seat)
            high = _act(hand, seat, high, chance)
        hand.pot += sum(hand.bet.values())
        hand.bet.clear()
        hand.acts.clear()
        yield _picture(number, hand, street, board[:count], None)
        if len(hand.live) < 2:
            break
    winner, won = chance.choice(hand.live), hand.pot
    hand.stack[winner] += won
    yield _picture(number, hand, Street.DONE, board[:count], None, won={winner: Chips(won)})


def _act(hand: _Hand, seat: int, high: int, chance: random.Random) -> int:
    """The bet to call behind this act."""
    owes = high - hand.bet.get(seat, 0)
    kind = chance.random()
    if owes and kind < 0.5:
        hand.live.remove(seat)
        hand.acts[seat] = (Action.FOLD, 0)
    elif kind < 0.8:
        _pay(hand, seat, owes)
        hand.acts[seat] = (Action.CALL, high) if owes else (Action.CHECK, 0)
    else:
        _pay(hand, seat, owes + chance.choice((BIG, 3 * BIG, hand.pot + BIG, hand.stack[seat])))
        hand.acts[seat] = (Action.RAISE if high else Action.BET, hand.bet[seat])
    return max(high, hand.bet.get(seat, 0))


def _pay(hand: _Hand, seat: int, amount: int) -> None:
    paid = min(amount, hand.stack[seat])
    hand.stack[seat] -= paid
    hand.bet[seat] = hand.bet.get(seat, 0) + paid


def _picture(
    number: int, hand: _Hand, street: Street, board: tuple[CardText, ...], actor: int | None, **more: Any
) -> OverlayView:
    live, all_in = set(hand.live), {seat: True for seat in hand.live if not hand.stack[seat]}
    share = 1_000 // len(live)
    seats = seats_of(
        9,
        stack=hand.stack,
        cards={seat: hand.cards.get(seat, ()) if seat in live else () for seat in range(1, 10)},
        folded={seat: seat in hand.cards and seat not in live for seat in range(1, 10)},
        in_hand={seat: seat in live for seat in range(1, 10)},
        busted={seat: seat not in live and not hand.stack[seat] for seat in range(1, 10)},
        bet={seat: Chips(bet) for seat, bet in hand.bet.items()},
        action={seat: act for seat, (act, _) in hand.acts.items()},
        amount={seat: Chips(amount) for seat, (_, amount) in hand.acts.items()},
        all_in=all_in,
        share=dict.fromkeys(live, share),
        **more,
    )
    view = table_of(seats, street, board=board, pot=Chips(hand.pot + sum(hand.bet.values())))
    return replace(view, hand=number, to_act=None if actor is None else Seat(actor))
