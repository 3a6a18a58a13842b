"""Hands per second: six players check to showdown, or act at random within the rules; ours and peers'."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, Protocol

import numpy as np

from table_core.cards import DECK, card_text
from table_core.hand.button import first_positions
from table_core.hand.hand import Answer, Hand
from table_core.messages import (
    Act,
    Action,
    AnyEvent,
    AnyHandCommand,
    AwardPots,
    CardText,
    Chips,
    DealBoard,
    Legal,
    Level,
    Seat,
    SeatStack,
    StartHand,
    TableHand,
)
from table_core.rulebook import load_rulebook

SEATS, STACK, SMALL_BLIND, BIG_BLIND = 6, 10_000, 50, 100
_SEED = 3

Workload = Iterator[None]


class Dealt(Protocol):
    """What a workload plays: a `Hand`, or a table that has one."""

    @property
    def to_act(self) -> Seat | None: ...
    @property
    def awaiting_board(self) -> bool: ...
    @property
    def ended(self) -> bool: ...
    @property
    def live_seats(self) -> tuple[Seat, ...]: ...
    def legal(self) -> Legal | None: ...
    def push(self, command: AnyHandCommand) -> Answer: ...


BetStreet = Callable[[Dealt, list[AnyEvent], random.Random], None]


def check_down(hand: Dealt | None = None) -> Workload:
    """By a hand engine alone, or by `hand`."""
    return _play(hand or _new_hand(), _check_or_call)


def random_actions() -> Workload:
    return _play(_new_hand(), _any_legal)


def played_hand(chance: random.Random) -> tuple[Hand, list[AnyEvent]]:
    """A hand that six players checked to the showdown, tabled and not yet awarded, and its log."""
    hand, log = _new_hand(), new_log()
    _play_to_showdown(hand, 1, chance.sample(_CARDS, _DEALT), log, chance, _check_or_call)
    return hand, log


def _play(hand: Dealt, bet_street: BetStreet) -> Workload:
    chance = random.Random(_SEED)
    push: Any = hand.push
    for number, deck in zip(count(1), _decks(), strict=False):
        log = new_log()
        _play_to_showdown(hand, number, deck, log, chance, bet_street)
        if not hand.ended:
            log += push(AwardPots())
        yield


def new_log() -> list[AnyEvent]:
    """Where the events of one hand go."""
    return []


def _new_hand() -> Hand:
    return Hand(load_rulebook("base"))


def _decks() -> Iterator[list[CardText]]:
    """Two cards a seat, the first two for seat 1, and a board behind them; shuffled a hundred decks at a time."""
    chance, cards = np.random.default_rng(_SEED), np.array(_CARDS, object)
    while True:
        places = chance.permuted(np.tile(np.arange(len(_CARDS)), (100, 1)), axis=1)[:, :_DEALT]
        yield from cards[places].tolist()


def _play_to_showdown(
    hand: Dealt,
    number: int,
    deck: list[CardText],
    log: list[AnyEvent],
    chance: random.Random,
    bet_street: BetStreet,
) -> None:
    push: Any = hand.push
    log += push(StartHand(number, *_POSITIONS[number % SEATS], LEVEL, STACKS))
    bet_street(hand, log, chance)
    for first, last in _STREETS:
        if not hand.awaiting_board:
            break
        log += push(DealBoard(tuple(deck[first:last])))
        bet_street(hand, log, chance)
    if not hand.ended:
        for seat in hand.live_seats:
            log += push(TableHand(seat, (deck[2 * seat - 2], deck[2 * seat - 1])))


def _check_or_call(hand: Dealt, log: list[AnyEvent], _: random.Random) -> None:
    push: Any = hand.push
    while True:
        seat = hand.to_act
        if seat is None:
            return
        log += push(_CALLS[seat])


def _any_legal(hand: Dealt, log: list[AnyEvent], chance: random.Random) -> None:
    """Fold, call and raise are as likely where there is a bet to call; else check and bet. Any legal total."""
    push: Any = hand.push
    draw = chance.random  # quicker than `choice` and `randint`, and as good for this; peers draw alike
    while True:
        legal: Any = hand.legal()
        if legal is None:
            return
        kinds: tuple[Action, ...] = _PASSIVE if legal.can_check else _FACING_A_BET
        if legal.min_to is None:
            kinds = kinds[:-1]
        kind = kinds[int(draw() * len(kinds))]
        if kind is _RAISE:
            to = legal.min_to + int(draw() * (legal.max_to - legal.min_to + 1))
            log += push(Act(legal.seat, kind, to))
        else:
            log += push(Act(legal.seat, kind))


_RAISE = Action.RAISE
_PASSIVE, _FACING_A_BET = (Action.CHECK, _RAISE), (Action.CALL, Action.FOLD, _RAISE)
_NUMBERS = tuple(Seat(number) for number in range(1, SEATS + 1))
_POSITIONS = [
    (positions.button, positions.small_blind, positions.big_blind)
    for positions in (first_positions(button, _NUMBERS) for button in _NUMBERS)
]
LEVEL = Level(1, Chips(SMALL_BLIND), Chips(BIG_BLIND))
STACKS = tuple(SeatStack(seat, Chips(STACK)) for seat in _NUMBERS)
_CALLS = {seat: Act(seat, Action.CALL) for seat in _NUMBERS}
_CARDS = [card_text(card) for card in DECK]
_DEALT = 2 * SEATS + 5
_STREETS = tuple((_DEALT - left, _DEALT - after) for left, after in ((5, 2), (2, 1), (1, 0)))
