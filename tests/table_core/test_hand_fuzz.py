"""Hands played at random with every kind of command, right and wrong, under every book; seeds are fixed.

What `test_hand_properties.py` states is checked here over more and wilder hands than Hypothesis has time for.
"""

import random

import pytest

from table_core.cards import DECK, card_text
from table_core.hand.hand import Hand
from table_core.hand.snapshot import HandSnapshot
from table_core.messages import (
    Act,
    Action,
    AnyEvent,
    AnyHandCommand,
    AnyProposal,
    AwardPots,
    CallMisdeal,
    Chips,
    ChopBlinds,
    CloseDeal,
    CorrectBet,
    CountStack,
    DealBoard,
    ExposeCard,
    KillHand,
    Level,
    MuckHand,
    ReadBoard,
    Refusal,
    Report,
    ResultOnly,
    ResumedPot,
    ResumedSeat,
    ResumeHand,
    RetrieveHand,
    Seat,
    SeatStack,
    SetAway,
    Share,
    Source,
    StartHand,
    Straddle,
    Street,
    TableHand,
)
from table_core.rulebook import load_rulebook, rulebook_ids
from tests.table_core.table import start
from tests.table_core.test_hand_properties import CARDS, HOUSES, chips_of, recorded_change

HANDS_A_BOOK = 150
BOARDS = {Street.FLOP: 3, Street.TURN: 4, Street.RIVER: 5, Street.SHOWDOWN: 5}


def any_command(chance: random.Random) -> AnyHandCommand:
    """One of every kind, mostly wrong; half of them are reported."""
    seat, stack = Seat(chance.randint(-1, 9)), Chips(chance.randint(-5, 300))
    source = chance.choice(list(Source))
    cards = tuple(chance.choice([*CARDS, "Xx", ""]) for _ in range(chance.choice([0, 1, 1, 2, 2, 3])))
    level = Level(1, Chips(1), Chips(2))
    seats = (SeatStack(seat, Chips(9)), SeatStack(Seat(3), stack))
    amount = chance.choice([None, Chips(chance.randint(-50, 500))])
    acts: list[AnyProposal] = [Act(seat, action, amount, source) for action in Action]
    others: list[AnyProposal] = [
        DealBoard(cards),
        ReadBoard(cards),
        TableHand(seat, cards),
        MuckHand(seat),
        AwardPots((seat,)),
        AwardPots((seat, Seat(3))),
        AwardPots(),
        StartHand(2, seat, seat, Seat(3), level, seats, away=(seat,), carried=stack),
        CountStack(seat, stack, source),
        SetAway(seat, chance.random() < 0.5),
        CloseDeal(),
        KillHand(seat, "ruled dead", source=source),
        RetrieveHand(seat, source),
        CorrectBet(seat),
        CallMisdeal(),
        Straddle(seat),
        ChopBlinds(),
        ExposeCard("stub", cards[0] if cards else ""),
        resumed(chance, stack),
        ResultOnly((seat,), (Share(Seat(1), stack),)),
    ]
    what = chance.choice([*acts, *others])
    return Report(what, chance.random() < 0.3) if chance.random() < 0.5 else what


def resumed(chance: random.Random, stack: int) -> ResumeHand:
    street = chance.choice(list(Street))
    seats = tuple(
        ResumedSeat(
            Seat(number),
            Chips(abs(stack) + number),
            Chips(abs(stack) // number * chance.randint(0, 1)),
            chance.random() < 0.9,
        )
        for number in (1, 2, 5)
    )
    board = tuple(CARDS[: BOARDS.get(street, 0)])
    pots = (ResumedPot(Chips(70), (Seat(1), Seat(2))), ResumedPot(Chips(30), (Seat(5), Seat(2))))
    turn = chance.choice([None, Seat(1), Seat(2), Seat(5)])
    level = Level(1, Chips(1), Chips(2))
    return ResumeHand(3, Seat(1), None, Seat(2), level, street, board, seats, chance.choice([(), pots]), turn)


def sensible(hand: Hand, deck: list[str], chance: random.Random) -> AnyHandCommand:
    """Something that moves the hand on."""
    now = hand.legal()
    if now is not None:
        action = chance.choice([Action.CALL, Action.CALL, Action.RAISE, Action.FOLD])
        to = chance.choice([now.min_to or now.max_to, now.max_to]) if action is Action.RAISE else None
        return Act(now.seat, action, to)
    if hand.awaiting_board:
        return DealBoard(tuple(deck.pop() for _ in range(1 if hand.board else 3)))
    waiting = [seat for seat in hand.live_seats if seat not in hand.tabled]
    if waiting:
        seat = waiting[0]
        return MuckHand(seat) if chance.random() < 0.2 else TableHand(seat, (deck.pop(), deck.pop()))
    return AwardPots()


def play_one(book: str, chance: random.Random) -> None:
    rulebook = load_rulebook(book).with_house(chance.choice(HOUSES))
    stacks = {seat: chance.randint(1, 400) for seat in chance.sample(range(1, 10), chance.randint(2, 9))}
    blind = chance.randint(1, 20)
    ante, table_ante = chance.choice([0, 0, 3]), chance.choice([0, 0, 25])
    command: AnyHandCommand = start(
        stacks, Level(1, Chips(blind), Chips(2 * blind), Chips(ante), Chips(table_ante))
    )
    hand = Hand(rulebook, smallest_chip=chance.choice([1, 5]))
    deck = [card_text(card) for card in chance.sample(DECK, 52)]
    wildness = chance.choice([0.1, 0.3, 0.6])
    events: list[AnyEvent] = []
    snapshots, chips = [hand.snapshot()], 0
    for _ in range(70):
        answer = hand.push(command)
        if isinstance(answer, Refusal):
            assert not isinstance(command, Report)
            assert hand.snapshot() == snapshots[-1]
        else:
            events += answer
            snapshots.append(hand.snapshot())
            for event in answer:
                chips += recorded_change(event, chips)
            assert chips_of(snapshots[-1]) == chips
        if hand.ended:
            break
        command = any_command(chance) if chance.random() < wildness else sensible(hand, deck, chance)
    taken_back(hand, snapshots)
    replayed = Hand(rulebook)
    for event in events:
        replayed.apply(event)
    taken_back(replayed, snapshots)


def taken_back(hand: Hand, snapshots: list[HandSnapshot]) -> None:
    """Step by step to before the riffle."""
    for snapshot in reversed(snapshots):
        assert hand.snapshot() == snapshot
        if snapshot is not snapshots[0]:
            hand.pop()


@pytest.mark.parametrize("book", rulebook_ids())
def test_nothing_raises_chips_are_conserved_and_every_step_can_be_taken_back_and_replayed(book: str) -> None:
    for number in range(HANDS_A_BOOK):
        play_one(book, random.Random(f"{book}/{number}"))
