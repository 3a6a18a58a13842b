"""Hands played at random with every kind of command, right and wrong, and what must hold after each.

Whatever chooses is a `random.Random`: one with a fixed seed, or one of Hypothesis, which makes a failure small.
"""

import random
from typing import Any, NamedTuple

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
    ChangeLevel,
    Chips,
    ChopBlinds,
    CloseDeal,
    CorrectBet,
    Counted,
    DealBoard,
    Duty,
    ExposeCard,
    HandEnded,
    HandResumed,
    HandStarted,
    KillHand,
    Level,
    MuckHand,
    Owes,
    ReadBoard,
    Refusal,
    Report,
    ResultEntered,
    ResultOnly,
    ResumedPot,
    ResumedSeat,
    ResumeHand,
    RetrieveHand,
    Seat,
    SeatStack,
    SetAway,
    SetDuties,
    Share,
    Source,
    StartHand,
    Street,
    TableHand,
)
from table_core.rulebook import Rulebook, load_rulebook
from tests.table_core.table import start

CARDS = [*map(card_text, DECK), "??"]
HOUSES: tuple[dict[str, Any], ...] = (
    {},
    {},
    {"blind_chop": True},
    {"button": "moving", "extra_small_blind_live": True},
)
BOARDS = {Street.FLOP: 3, Street.TURN: 4, Street.RIVER: 5, Street.SHOWDOWN: 5}
STEPS = 70


class Played(NamedTuple):
    """A hand that was played: its events, and a snapshot before the first step and after each."""

    rulebook: Rulebook
    hand: Hand
    events: list[AnyEvent]
    snapshots: list[HandSnapshot]


def play_any(book: str, chance: random.Random) -> Played:
    """Play a hand to its end, or for so many steps, with wrong commands in between; check what holds for each."""
    rulebook = load_rulebook(book).with_house(chance.choice(HOUSES))
    hand = Hand(rulebook, smallest_chip=chance.choice([1, 5]))
    played = Played(rulebook, hand, [], [hand.snapshot()])
    command: AnyHandCommand = any_start(chance)
    deck = any_deck(chance)
    wildness = chance.choice([0.1, 0.3, 0.6])
    chips = 0
    for _ in range(STEPS):
        chips = push_checked(played, command, chips)
        if hand.ended:
            break
        command = any_command(chance) if chance.random() < wildness else likely(hand, deck, chance)
    return played


def push_checked(played: Played, command: AnyHandCommand, chips: int) -> int:
    """Push a command at a table with so many `chips`: how many there are afterwards."""
    hand, snapshots = played.hand, played.snapshots
    foreseen = hand.decide(command)
    assert hand.snapshot() == snapshots[-1]
    answer = hand.push(command)
    assert answer == foreseen
    if isinstance(answer, Refusal):
        assert answer.reason
        assert answer.rule
        assert not isinstance(command, Report)
        assert hand.snapshot() == snapshots[-1]
        return chips
    played.events.extend(answer)
    snapshots.append(hand.snapshot())
    for event in answer:
        chips += recorded_change(event, chips)
    assert chips_of(snapshots[-1]) == chips
    return chips


def take_back_all(hand: Hand, snapshots: list[HandSnapshot]) -> None:
    """Step by step to before the riffle: each step leaves what was true before it."""
    for snapshot in reversed(snapshots):
        assert hand.snapshot() == snapshot
        if snapshot is not snapshots[0]:
            hand.pop()


def any_start(chance: random.Random) -> StartHand:
    stacks = {seat: chance.randint(1, 400) for seat in chance.sample(range(1, 12), chance.randint(2, 9))}
    blind = chance.randint(1, 20)
    ante, table_ante = chance.choice([0, 0, 3]), chance.choice([0, 0, 25])
    return start(stacks, Level(1, Chips(blind), Chips(2 * blind), Chips(ante), Chips(table_ante)))


def any_deck(chance: random.Random) -> list[str]:
    return [card_text(card) for card in chance.sample(DECK, len(DECK))]


def likely(hand: Hand, deck: list[str], chance: random.Random) -> AnyHandCommand:
    """Something that moves the hand on, so that hands reach their end."""
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


def any_command(chance: random.Random) -> AnyHandCommand:
    """Any command at all, mostly wrong; half of them as a report of what the table did."""
    what = any_proposal(chance)
    return Report(what, chance.random() < 0.3) if chance.random() < 0.5 else what


def any_proposal(chance: random.Random) -> AnyProposal:
    """One of every kind; actions come as often as all else."""
    seat, stack = Seat(chance.randint(-1, 12)), Chips(chance.randint(-5, 300))
    source = chance.choice(list(Source))
    if chance.random() < 0.5:
        amount = chance.choice([None, Chips(chance.randint(-50, 500))])
        return Act(seat, chance.choice(list(Action)), amount, source)
    cards = tuple(chance.choice([*CARDS, "Xx", ""]) for _ in range(chance.choice([0, 1, 1, 2, 2, 3, 5])))
    level = Level(1, Chips(1), Chips(2))
    seats = (SeatStack(seat, Chips(9)), SeatStack(Seat(3), stack))
    others: list[AnyProposal] = [
        DealBoard(cards),
        ReadBoard(cards),
        TableHand(seat, cards),
        MuckHand(seat),
        AwardPots((seat,)),
        AwardPots((seat, Seat(3))),
        AwardPots(),
        StartHand(2, seat, None, seat, level, seats),
        StartHand(2, seat, seat, Seat(3), level, seats, away=(seat,), carried=stack),
        SetAway(seat, chance.random() < 0.5),
        SetDuties(seat, any_duties(chance, stack)),
        CloseDeal(),
        KillHand(seat, "ruled dead", source=source),
        RetrieveHand(seat, source),
        CorrectBet(seat),
        CorrectBet(seat, short=stack),
        CallMisdeal(),
        ChopBlinds(),
        ChangeLevel(level),
        ExposeCard("stub", cards[0] if cards else ""),
        any_resumption(chance, stack),
        ResultOnly((seat,), (Share(Seat(1), stack),)),
    ]
    return chance.choice(others)


def any_duties(chance: random.Random, stack: Chips) -> tuple[Duty, ...]:
    """None, or some that hardly go together."""
    kinds = [chance.choice(list(Owes)) for _ in range(chance.randint(0, 3))]
    flags = [(chance.random() < 0.5, chance.random() < 0.3) for _ in kinds]
    return tuple(Duty(owes, "base.ruling", stack, *held) for owes, held in zip(kinds, flags, strict=True))


def any_resumption(chance: random.Random, stack: int) -> ResumeHand:
    """*Resume from here*, seldom quite right."""
    street = chance.choice(list(Street))
    seats = tuple(
        ResumedSeat(
            Seat(number),
            Chips(chance.choice([abs(stack), stack]) + number),
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


def chips_of(snapshot: HandSnapshot) -> int:
    behind = sum(seat.stack + seat.bet for seat in snapshot.seats)
    return behind + sum(pot.amount for pot in snapshot.pots)


def recorded_change(event: AnyEvent, before: int) -> int:
    """Chips that an event says came into the hand or left it; `before` is what was there."""
    match event:
        case HandStarted():
            return sum(seat.stack for seat in event.seats) + event.carried - before
        case HandResumed():
            seats = sum(seat.stack + seat.bet for seat in event.seats)
            return seats + sum(pot.amount for pot in event.pots) - before
        case Counted():
            return event.stack - event.was
        case ResultEntered():
            return event.change
        case HandEnded():
            return -event.carried
    return 0
