"""A fold is on record of a player who did not fold: what it did instead, with everything that came behind it."""

from __future__ import annotations

from collections.abc import Iterator

from table_core.hand.hand import Hand
from table_core.messages import (
    Act,
    Acted,
    ActedOutOfTurn,
    Action,
    AnyEvent,
    AnyHandCommand,
    AwaySet,
    BetReturned,
    BettingClosed,
    BoardDealt,
    BoardRead,
    BoardsAgreed,
    CardExposed,
    Chips,
    CloseDeal,
    DealBoard,
    DealClosed,
    DealCorrected,
    DutiesSet,
    HandEnded,
    HandKilled,
    HandMucked,
    HandsBeaten,
    HandTabled,
    MuckHand,
    ReadBoard,
    Refusal,
    Reported,
    Ruled,
    Seat,
    SetAway,
    SetDuties,
    Source,
    TableHand,
)
from table_core.projections.table_state import Logged, TableState
from table_core.projections.words import acted
from table_core.rulings.acts_again import in_its_place
from table_core.rulings.case import Case, Option, Push, Record, Step, TakeBack
from table_core.rulings.register import Group, incident

FOLLOWS = (BettingClosed, BetReturned, HandsBeaten, HandKilled, HandEnded)  # from the rest, without a press
AS_IT_WAS = (ActedOutOfTurn, BoardsAgreed, CardExposed, DealCorrected, Reported, Ruled)  # no act of its own


def follows(event: AnyEvent) -> bool:
    """Whether it comes of what was done before, without a press of its own."""
    return isinstance(event, FOLLOWS) or (isinstance(event, Acted) and event.source is Source.ENGINE)


def once_more(event: AnyEvent) -> AnyHandCommand | None:
    """The command that does again what was recorded; None where it has to be said again."""
    match event:
        case Acted():
            to = event.to if event.action in (Action.BET, Action.RAISE) else None
            return Act(event.seat, event.action, to, event.source)
        case BoardDealt():
            return DealBoard(event.cards, event.sources)
        case BoardRead():
            return ReadBoard(event.cards, event.sources)
        case HandTabled():
            return TableHand(event.seat, event.cards, event.sources)
        case HandMucked():
            return MuckHand(event.seat, event.source)
        case AwaySet():
            return SetAway(event.seat, event.away, event.source, event.no_cards)
        case DealClosed():
            return CloseDeal()
        case DutiesSet():
            return SetDuties(event.seat, event.duties)
    return None


def fold_on_record(table: TableState, seat: Seat | None) -> Logged | None:
    """The fold of a seat in the hand in progress, None where it has none."""
    if table.hand is None or not table.in_hand or seat not in table.hand.folded:
        return None
    acts = (one for one in reversed(table.hand_log) if isinstance(one.event, Acted) and one.event.seat == seat)
    last = next(acts, None)
    return (
        last if last is not None and isinstance(last.event, Acted) and last.event.action is Action.FOLD else None
    )


def _no_fold(case: Case) -> str:
    fold = fold_on_record(case.table, case.seat)
    if fold is None:
        return f"seat {case.seat} is not keyed as folded"
    if _did_not_fold(case, fold) is None:
        return f"seat {case.seat} is keyed as folded, and what came since does not fit behind a call: UNDO"
    return ""


@incident("keyed_as_folded", 59, "Did not fold", Group.HANDS, needs_seat=True, unfit=_no_fold)
def keyed_as_folded(case: Case) -> Iterator[Option]:
    """The player has its cards: it called what it is keyed to have folded to. `cause` and `amount` are the key
    that was pressed for it."""
    fold, rule = fold_on_record(case.table, case.seat), case.cite("fairness")
    found = None if fold is None else _did_not_fold(case, fold)
    if found is not None:
        steps, did = found
        text = f"Seat {case.seat} did not fold: {'; '.join(acted(act) for act in did)}"
        yield Option("called", text, rule, steps)
    yield Option("folded", f"Seat {case.seat} has folded", rule)


def _did_not_fold(case: Case, fold: Logged) -> tuple[tuple[Step, ...], list[Acted]] | None:
    """The steps, and what the seat does by them; None where what came since does not fit behind that."""
    hand = case.as_of(fold.seq - 1)
    since = [one.event for one in case.table.hand_log if one.seq > fold.seq]
    raised = any(isinstance(event, Acted) and event.action in (Action.BET, Action.RAISE) for event in since)
    if raised or any(isinstance(event, BoardDealt) for event in since):
        return _replayed(case, fold, hand, since)
    act = _keyed(case, hand) or _called(case, hand)
    answer = case.as_of(fold.seq - 1).push(act)
    if isinstance(answer, Refusal):
        return None
    return in_its_place(case, fold, act), [one for one in answer if isinstance(one, Acted)]


def _replayed(
    case: Case, fold: Logged, hand: Hand, since: list[AnyEvent]
) -> tuple[tuple[Step, ...], list[Acted]] | None:
    """It called instead of the fold, and all that came since is done again; the key that was pressed is its next
    turn."""
    steps, did, turns = list[Step]([TakeBack(fold.seq)]), list[Acted](), [_called, _keyed]

    def pushed(command: AnyHandCommand | None) -> bool:
        answer = None if command is None else hand.push(command)
        if command is None or answer is None or isinstance(answer, Refusal):
            return False
        steps.append(Push(command))
        did.extend([one for one in answer if isinstance(one, Acted) and one.seat == case.seat])
        return True

    def seat_acted() -> bool:
        while turns and (legal := hand.legal()) is not None and legal.seat == case.seat:
            if len(turns) == 1 and hand.street is not case.hand.street:
                return False  # what it did there nobody has said
            act = turns.pop(0)(case, hand)
            if act is not None and not pushed(act):
                return False
        return True

    for event in since:
        if isinstance(event, AS_IT_WAS):
            hand.apply(event)
            steps.append(Record(event))
        elif follows(event) and not ruled_dead(event):
            continue
        elif not (seat_acted() and pushed(once_more(event))):
            return None
    return (tuple(steps), did) if seat_acted() else None


def ruled_dead(event: AnyEvent | None) -> bool:
    """Whether a person has ruled the hand dead."""
    return isinstance(event, HandKilled) and event.source is not Source.ENGINE


def _called(case: Case, hand: Hand) -> Act:
    legal = hand.legal()
    action = Action.CHECK if legal is not None and legal.can_check else Action.CALL
    return Act(case.the_seat, action, source=Source.DIRECTOR)


def _keyed(case: Case, hand: Hand) -> Act | None:
    """The key that was pressed for the seat, as an action in this hand."""
    if case.cause in ("call", "check"):
        return _called(case, hand)
    if case.cause != "bet":
        return None
    action = Action.RAISE if any(hand.bets.values()) else Action.BET
    return Act(case.the_seat, action, None if case.amount is None else Chips(case.amount), Source.DIRECTOR)
