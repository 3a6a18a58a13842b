"""Hands played at random by the engine, with everything that a table does to the people who write histories:
empty seats, dead buttons and small blinds, antes, all-ins, mucks, cards that nobody read."""

from __future__ import annotations

from random import Random

from table_core.cards import DECK, card_text
from table_core.hand.hand import Hand
from table_core.hand.seats import clockwise_from
from table_core.messages import (
    UNKNOWN_CARD,
    Act,
    Action,
    AnyEvent,
    AnyHandCommand,
    AwardPots,
    Chips,
    DealBoard,
    Level,
    MuckHand,
    Refusal,
    Seat,
    SeatStack,
    StartHand,
    TableHand,
)
from tests.table_core.table import BASE

NAMES = ("Ann", "Ben", "", "Cy [x]", "Dee: d", "Ann", "Zoë 'Z'", 'quote"d', "#7", "Lee (L)", "Max\t2")


def random_hand(seed: int, *, unread: bool = True) -> tuple[AnyEvent, ...]:
    """The events of one finished hand. `unread`: some shown and board cards are not read, the dealer awards."""
    random = Random(seed)
    hand = Hand(BASE)
    deck = [card_text(card) for card in DECK]
    random.shuffle(deck)
    command: AnyHandCommand = _start(random)
    events: list[AnyEvent] = []
    while True:
        answer = hand.push(command)
        if isinstance(answer, Refusal) and isinstance(command, AwardPots):
            command = AwardPots((random.choice(hand.live_seats),))
            continue
        if isinstance(answer, Refusal):  # mucking the last hand for a pot
            assert isinstance(command, MuckHand), answer
            command = TableHand(command.seat, (deck.pop(), deck.pop()))
            continue
        events += answer
        if hand.ended:
            return tuple(events)
        command = _next(hand, random, deck, 0.05 if unread else 0)


def _start(random: Random) -> StartHand:
    seats = sorted(random.sample(range(1, 12), random.randint(2, 11)))
    blind = random.randint(1, 40)
    level = Level(
        random.randint(1, 40),
        Chips(blind),
        Chips(2 * blind),
        Chips(random.choice([0, 0, 3])),
        Chips(random.choice([0, 0, 25])),
    )
    stacks = tuple(SeatStack(Seat(seat), Chips(random.randint(1, 900)), random.choice(NAMES)) for seat in seats)
    if len(seats) == 2:
        button = Seat(random.choice(seats))
        big = next(seat for seat in seats if seat != button)
        return StartHand(random.randint(1, 999), button, button, Seat(big), level, stacks)
    button = Seat(random.randint(1, 11))  # may be an empty seat
    order = clockwise_from(button, [Seat(seat) for seat in seats])
    if random.random() < 0.2:
        return StartHand(random.randint(1, 999), button, None, order[0], level, stacks)
    return StartHand(random.randint(1, 999), button, order[0], order[1], level, stacks)


def _next(hand: Hand, random: Random, deck: list[str], unread: float) -> AnyHandCommand:
    def card() -> str:
        dealt = deck.pop()
        return UNKNOWN_CARD if random.random() < unread else dealt

    now = hand.legal()
    if now is not None:
        action = random.choice([Action.CALL, Action.CALL, Action.RAISE, Action.FOLD])
        if action is Action.RAISE and now.min_to is not None and now.max_to is not None:
            return Act(now.seat, action, Chips(random.randint(now.min_to, now.max_to)))
        return Act(now.seat, Action.FOLD if action is Action.FOLD else Action.CALL)
    if hand.awaiting_board:
        return DealBoard(tuple(card() for _ in range(1 if hand.board else 3)))
    waiting = [seat for seat in hand.live_seats if seat not in hand.tabled]
    if waiting and hand.betting_over:
        if random.random() < 0.2:
            return MuckHand(waiting[0])
        return TableHand(waiting[0], (card(), card()))
    return AwardPots()
