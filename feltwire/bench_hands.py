"""Hands a second: six players check to showdown, or act at random as far as it is legal; ours and peers'.

Each workload is a generator: it yields after every hand, so that whoever measures says when to stop. All deal
at random, with blinds of 50 and 100 and stacks of 10,000, anew for every hand. Ours keeps the full
log of events and the journal that takes steps back, and decides the pots from tabled cards.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from table_core.cards import DECK, card_text
from table_core.hand.button import first_positions
from table_core.hand.hand import Hand
from table_core.messages import (
    Act,
    Action,
    AnyEvent,
    AnyHandCommand,
    AwardPots,
    CardText,
    Chips,
    DealBoard,
    Level,
    Refusal,
    Seat,
    SeatStack,
    StartHand,
    TableHand,
)
from table_core.rulebook import load_rulebook

SEATS, STACK, SMALL_BLIND, BIG_BLIND = 6, 10_000, 50, 100
_SEED = 3

Workload = Iterator[None]
Choose = Callable[[Hand, random.Random], Act | None]  # None when nobody is to act


def check_down() -> Workload:
    return _play(_check_or_call)


def random_actions() -> Workload:
    return _play(_any_legal)


def played_hand(chance: random.Random) -> tuple[Hand, list[AnyEvent]]:
    """A hand that six players checked to the showdown, tabled and not yet awarded, and its log."""
    hand, log = _new_hand(), new_log()
    deck = _dealt(chance)
    _push(hand, _start(1), log)
    _bet(hand, deck, log, chance, _check_or_call)
    _table_all(hand, deck, log)
    return hand, log


def _play(choose: Choose) -> Workload:
    chance = random.Random(_SEED)
    hand = _new_hand()
    number = 0
    while True:
        number += 1
        log = new_log()
        deck = _dealt(chance)
        _push(hand, _start(number), log)
        _bet(hand, deck, log, chance, choose)
        _table_all(hand, deck, log)
        if not hand.ended:
            _push(hand, AwardPots(), log)
        yield


def new_log() -> list[AnyEvent]:
    """Where the events of one hand go."""
    return []


def _new_hand() -> Hand:
    return Hand(load_rulebook("base"))


def _start(number: int) -> StartHand:
    positions = first_positions(_NUMBERS[number % SEATS], _NUMBERS)
    return StartHand(number, positions.button, positions.small_blind, positions.big_blind, _LEVEL, _STACKS)


def _dealt(chance: random.Random) -> list[CardText]:
    """Two cards a seat, the first two for seat 1, and a board on top of them."""
    deck = _CARDS[:]
    for place in range(2 * SEATS + 5):
        drawn = place + int(chance.random() * (len(deck) - place))
        deck[place], deck[drawn] = deck[drawn], deck[place]
    return deck[: 2 * SEATS + 5]


def _bet(hand: Hand, deck: list[CardText], log: list[AnyEvent], chance: random.Random, choose: Choose) -> None:
    """All betting, and the board as it is due."""
    while True:
        act = choose(hand, chance)
        if act is not None:
            answer = hand.push(act)
            if not isinstance(answer, tuple):
                raise _illegal(answer)
            log += answer
        elif hand.awaiting_board:
            cards = 1 if hand.board else 3
            _push(hand, DealBoard(tuple([deck.pop() for _ in range(cards)])), log)
        else:
            return


def _table_all(hand: Hand, deck: list[CardText], log: list[AnyEvent]) -> None:
    if hand.ended:
        return
    for seat in hand.live_seats:
        _push(hand, TableHand(seat, (deck[2 * seat - 2], deck[2 * seat - 1])), log)


def _push(hand: Hand, command: AnyHandCommand, log: list[AnyEvent]) -> None:
    answer = hand.push(command)
    if not isinstance(answer, tuple):
        raise _illegal(answer)
    log += answer


def _illegal(refusal: Refusal) -> AssertionError:
    return AssertionError(f"the benchmark asked for what is not legal: {refusal.reason}")


def _check_or_call(hand: Hand, _: random.Random) -> Act | None:
    seat = hand.to_act
    return None if seat is None else _CALLS[seat]


def _any_legal(hand: Hand, chance: random.Random) -> Act | None:
    """Fold, call and raise are as likely where there is a bet to call; else check and bet. Any legal total."""
    legal = hand.legal()
    if legal is None:
        return None
    kinds = [Action.CHECK] if legal.can_check else [Action.CALL, Action.FOLD]
    if legal.min_to is not None:
        kinds.append(Action.RAISE)
    kind = chance.choice(kinds)
    if kind is Action.RAISE and legal.min_to is not None and legal.max_to is not None:
        return Act(legal.seat, kind, Chips(chance.randint(legal.min_to, legal.max_to)))
    return Act(legal.seat, kind)


_NUMBERS = tuple(Seat(number) for number in range(1, SEATS + 1))
_LEVEL = Level(1, Chips(SMALL_BLIND), Chips(BIG_BLIND))
_STACKS = tuple(SeatStack(seat, Chips(STACK)) for seat in _NUMBERS)
_CALLS = {seat: Act(seat, Action.CALL) for seat in _NUMBERS}
_CARDS = [card_text(card) for card in DECK]
