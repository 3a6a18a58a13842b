"""What holds for every hand, however it is played: chips are conserved, replay is live, undo is exact, and no
command raises or changes anything when it is refused."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

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
    Counted,
    CountStack,
    DealBoard,
    ExposeCard,
    HandEnded,
    HandResumed,
    HandStarted,
    KillHand,
    Level,
    MuckHand,
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
    Share,
    Source,
    StartHand,
    Straddle,
    Street,
    TableHand,
)
from table_core.rulebook import Rulebook, load_rulebook, rulebook_ids
from tests.table_core.table import BASE, start

CARDS = [*map(card_text, DECK), "??"]

levels = st.builds(
    lambda blind, ante, table_ante: Level(1, Chips(blind), Chips(2 * blind), Chips(ante), Chips(table_ante)),
    st.integers(0, 20).map(lambda half: half + 1),
    st.sampled_from([0, 0, 3]),
    st.sampled_from([0, 0, 25]),
)
tables = st.dictionaries(st.integers(1, 11), st.integers(1, 400), min_size=2, max_size=9)
HOUSES = ({}, {}, {"straddle": True, "blind_chop": True}, {"button": "moving", "extra_small_blind_live": True})


def likely(hand: Hand, draw: st.DrawFn, deck: list[str]) -> AnyHandCommand:
    """Something that moves the hand on, so that hands reach their end."""
    now = hand.legal()
    if now is not None:
        action = draw(st.sampled_from([Action.CALL, Action.CALL, Action.RAISE, Action.FOLD]))
        low, high = (now.min_to or now.max_to, now.max_to)
        to = draw(st.sampled_from([low, high])) if action is Action.RAISE else None
        return Act(now.seat, action, to)
    if hand.awaiting_board:
        count = 1 if hand.board else 3
        return DealBoard(tuple(deck.pop() for _ in range(count)))
    waiting = [seat for seat in hand.live_seats if seat not in hand.tabled]
    if waiting:
        seat = waiting[0]
        if draw(st.integers(0, 5)) == 0:
            return MuckHand(seat)
        return TableHand(seat, (deck.pop(), deck.pop()))
    return AwardPots()


@st.composite
def wild(draw: st.DrawFn) -> AnyHandCommand:
    """Any command at all, mostly wrong, one in three as a report of what the table did."""
    proposal = draw(proposals())
    return Report(proposal, draw(st.booleans())) if draw(st.integers(0, 2)) == 0 else proposal


@st.composite
def proposals(draw: st.DrawFn) -> AnyProposal:
    seat = Seat(draw(st.integers(-1, 12)))
    cards = tuple(draw(st.lists(st.sampled_from([*CARDS, "Xx", ""]), max_size=5)))
    amount = draw(st.none() | st.integers(-50, 500).map(Chips))
    stack = Chips(draw(st.integers(-5, 300)))
    source = draw(st.sampled_from(Source))
    seats = (SeatStack(seat, Chips(9)), SeatStack(Seat(3), stack))
    resumed = tuple(ResumedSeat(Seat(number), stack, Chips(abs(stack) // number)) for number in (1, 2, 5))
    level = Level(1, Chips(1), Chips(2), Chips(0), Chips(0))
    street = draw(st.sampled_from(Street))
    board = tuple(CARDS[: draw(st.sampled_from([0, 0, 3, 4, 5]))])
    pots = (ResumedPot(Chips(70), (Seat(1), Seat(2))), ResumedPot(Chips(30), (seat, Seat(2))))
    commands: list[AnyProposal] = [
        Act(seat, draw(st.sampled_from(Action)), amount, source),
        DealBoard(cards),
        ReadBoard(cards),
        TableHand(seat, cards),
        MuckHand(seat),
        AwardPots((seat,)),
        AwardPots((seat, Seat(3))),
        AwardPots(),
        StartHand(2, seat, None, seat, level, seats),
        StartHand(2, seat, seat, Seat(3), level, seats, away=(seat,), carried=stack),
        CountStack(seat, stack, source),
        SetAway(seat, draw(st.booleans())),
        CloseDeal(),
        KillHand(seat, "ruled dead", source=source),
        RetrieveHand(seat, source),
        CorrectBet(seat),
        CallMisdeal(),
        Straddle(seat),
        ChopBlinds(),
        ExposeCard("stub", cards[0] if cards else ""),
        ResumeHand(
            3, seat, None, Seat(2), level, street, board, resumed, pots, draw(st.sampled_from([None, seat]))
        ),
        ResultOnly((seat,), (Share(Seat(1), stack),)),
    ]
    return draw(st.sampled_from(commands))


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


@st.composite
def played(draw: st.DrawFn) -> tuple[Rulebook, list[AnyEvent], list[HandSnapshot]]:
    """A hand played to its end with wrong commands in between; its events, and a snapshot after each push."""
    rulebook = load_rulebook(draw(st.sampled_from(rulebook_ids()))).with_house(draw(st.sampled_from(HOUSES)))
    stacks = draw(tables)
    hand = Hand(rulebook, smallest_chip=draw(st.sampled_from([1, 5])))
    deck = [card_text(card) for card in draw(st.permutations(DECK))]
    wildness = draw(st.sampled_from([2, 4, 12]))
    events: list[AnyEvent] = []
    snapshots = [hand.snapshot()]
    chips = 0
    command: AnyHandCommand = start(stacks, draw(levels))
    for _ in range(80):
        foreseen = hand.decide(command)
        assert hand.snapshot() == snapshots[-1]
        answer = hand.push(command)
        assert answer == foreseen
        if isinstance(answer, Refusal):
            assert hand.snapshot() == snapshots[-1]
            assert answer.reason
            assert answer.rule
            assert not isinstance(command, Report)
        else:
            events += answer
            snapshots.append(hand.snapshot())
            for event in answer:
                chips += recorded_change(event, chips)
            assert chips_of(snapshots[-1]) == chips
        if hand.ended:
            break
        command = draw(wild()) if draw(st.integers(0, wildness)) == 0 else likely(hand, draw, deck)
    for snapshot in reversed(snapshots):
        assert hand.snapshot() == snapshot
        if snapshot is not snapshots[0]:
            hand.pop()
    return rulebook, events, snapshots


bounded = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@given(played())
@bounded
def test_any_play_conserves_chips_and_can_be_taken_back_and_replayed(
    hand_played: tuple[Rulebook, list[AnyEvent], list[HandSnapshot]],
) -> None:
    rulebook, events, snapshots = hand_played
    replayed = Hand(rulebook)
    for event in events:
        replayed.apply(event)
    for snapshot in reversed(snapshots):
        assert replayed.snapshot() == snapshot
        if snapshot is not snapshots[0]:
            replayed.pop()


STARTING = StartHand | ResumeHand


@given(st.lists(proposals().filter(lambda proposal: not isinstance(proposal, STARTING)), max_size=15))
@bounded
def test_no_command_before_the_first_hand_raises_or_changes_anything(commands: list[AnyHandCommand]) -> None:
    hand = Hand(BASE)
    empty = hand.snapshot()
    for command in commands:
        assert isinstance(hand.push(command), Refusal)
        assert hand.snapshot() == empty


@given(tables, levels, st.sampled_from(rulebook_ids()), st.data())
@bounded
def test_whatever_is_called_legal_is_accepted_and_what_is_not_is_refused(
    stacks: dict[int, int], at: Level, book: str, data: st.DataObject
) -> None:
    hand = Hand(load_rulebook(book))
    hand.push(start(stacks, at))
    for _ in range(12):
        now = hand.legal()
        if now is None:
            break
        assert isinstance(hand.decide(Act(now.seat, Action.CHECK)), tuple) is now.can_check
        assert isinstance(hand.decide(Act(now.seat, Action.CALL)), tuple)
        if now.min_to is not None and now.max_to is not None:
            assert isinstance(hand.decide(Act(now.seat, Action.RAISE, now.min_to)), tuple)
            assert isinstance(hand.decide(Act(now.seat, Action.RAISE, now.max_to)), tuple)
            if now.min_to < now.max_to:
                below = Act(now.seat, Action.RAISE, Chips(now.min_to - 1))
                assert isinstance(hand.decide(below), Refusal)
        action = data.draw(st.sampled_from([Action.CALL, Action.RAISE]))
        to = now.min_to if action is Action.RAISE else None
        hand.push(Act(now.seat, action if to else Action.CALL, to, Source.KEY))
