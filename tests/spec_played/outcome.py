"""What a seat may do at its turn, found by trying each key on a copy of the table."""

from __future__ import annotations

from typing import NamedTuple

from table_core.hand.deal import to_seat
from table_core.messages import UNKNOWN_CARD, Acted, Action, Key, Refused, Seat, Street
from table_core.record.deal import Deal
from tests.spec.effects import (
    Binds,
    BoardIs,
    BurnIs,
    CardsReturn,
    CompletesHand,
    CountsAs,
    Effect,
    HandGoesOn,
    HandLives,
    KillsHand,
    LosesRightToAct,
    MayNotRaise,
    Misdeal,
    MustCall,
    MustCheck,
    NextStreet,
    NoMisdeal,
    PenaltyFor,
    PotTo,
    ReplacesCard,
    ResultStands,
    SplitsPot,
    TablesNow,
    TakesChipsBack,
    TurnGoesTo,
    Unbinds,
    Waits,
)
from tests.spec_played.table import SpecTable

_BEFORE = {Street.TURN: Street.FLOP, Street.RIVER: Street.TURN}


class Outcome(NamedTuple):
    """`did`: how the seat's turn was carried out without a key, empty where it was not. The others are what the
    table takes at its turn; `to` is what a call comes to."""

    seat: int
    live: bool
    at_turn: bool
    to_act: int | None
    did: str = ""
    did_to: int | None = None
    may_fold: bool = False
    may_check: bool = False
    may_call: bool = False
    may_raise: bool = False
    to: int = 0
    covered: bool = False  # a call takes all its chips: there is nothing to raise with

    def __str__(self) -> str:
        if not self.live:
            return "its hand is dead"
        if self.did:
            return f"it did {self.did}{f' to {self.did_to}' if self.did_to else ''} by itself"
        if not self.at_turn:
            return f"it waits, seat {self.to_act} is to act"
        may = [
            word
            for word, is_so in (
                ("fold", self.may_fold),
                ("check", self.may_check),
                (f"call {self.to}", self.may_call),
                ("raise", self.may_raise),
            )
            if is_so
        ]
        return f"it may {', '.join(may) or 'do nothing'}"


def outcome(table: SpecTable, seat: int | None, since: int) -> Outcome:
    """What holds for the seat now. `since`: events before this number do not count as its act."""
    if seat is None:
        return Outcome(0, live=True, at_turn=False, to_act=table.to_act)
    acts = [event for event in table.table.events[since:] if isinstance(event, Acted) and event.seat == seat]
    live, to_act = seat in table.live, table.to_act
    if acts and to_act != seat:  # else it is its turn once more
        did = str(acts[-1].action)
        return Outcome(seat, live, to_act == seat, to_act, did, acts[-1].to)
    if to_act != seat:
        return Outcome(seat, live, at_turn=False, to_act=to_act)
    hand = table.table.node.table.hand
    assert hand is not None
    high = max(hand.bets.values(), default=0)
    passive = _takes(table, seat, Key.CHECK_CALL)
    raised = str(max(2 * high, high + hand.level.big_blind) if high else hand.level.big_blind)
    return Outcome(
        seat,
        live,
        at_turn=True,
        to_act=to_act,
        may_fold=_takes(table, seat, Key.FOLD),
        may_check=passive and high == hand.bets[Seat(seat)],
        may_call=passive and high > hand.bets[Seat(seat)],
        may_raise=any(
            _done_by(table, seat, *keys) in (Action.BET, Action.RAISE)
            for keys in ((raised, Key.BET_RAISE), (Key.ALL_IN,))  # all-in may be a call
        ),
        to=high,
        covered=high >= hand.bets[Seat(seat)] + hand.stacks[Seat(seat)],
    )


def _takes(table: SpecTable, seat: int, *keys: Key | str) -> bool:
    return _done_by(table, seat, *keys) is not None


def _done_by(table: SpecTable, seat: int, *keys: Key | str) -> Action | None:
    """What the seat does by these keys; None where the table does not take them."""
    tried = table.copy()
    before = len(tried.table.events)
    tried.press(*keys)
    events = tried.table.events[before:]
    acted = (event.action for event in events if isinstance(event, Acted) and event.seat == seat)
    return None if any(isinstance(event, Refused) for event in events) else next(acted, None)


def holds(effect: Effect, of: Outcome, table: SpecTable) -> bool | None:
    """Whether the effect is so; None where this cannot be seen here."""
    if isinstance(effect, PenaltyFor):
        return None
    match effect:
        case TurnGoesTo():
            return table.to_act == effect.seat
        case Misdeal():
            return table.is_void
        case NoMisdeal():
            return not table.is_void
        case BoardIs():
            return _board_is(table, effect)
        case ReplacesCard(seat=seat):
            return None if table.deal is None else _is_replaced(table.deal, to_seat(Seat(seat)))
        case CompletesHand(seat=seat):
            return None if table.deal is None else table.deal.rest[:1] == (to_seat(Seat(seat)),)
        case BurnIs() | CardsReturn() | NextStreet():
            return None if table.deal is None else _deal_is(table.deal, table.hole_cards, effect)
        case KillsHand():
            return effect.seat not in table.live
        case HandLives():
            return effect.seat in table.live and not table.is_void
        case HandGoesOn():
            return table.table.node.table.in_hand
        case CountsAs():
            return _counts_as(table, effect)
        case TakesChipsBack():
            return table.has_no_act(effect.seat)
        case PotTo():
            return _pot_to(table, effect)
        case SplitsPot():
            return _splits(table, effect)
        case ResultStands():
            return table.stacks() == table.stacks_told
        case TablesNow():
            shows = set(table.table.shown.shows)
            return set(effect.seats) <= shows if table.table.node.table.in_hand else None
    if getattr(effect, "seat", of.seat) != of.seat:
        return None
    match effect:
        case Waits():
            return of.live and not of.did and not of.at_turn
        case Binds(act=act):
            return _is_bound(of, act, effect.to)
        case Unbinds():
            return of.live and not of.did and (of.may_raise or of.covered) and (of.may_fold or of.may_check)
        case MayNotRaise():
            return of.live and not of.did and not of.may_raise and (of.may_call or of.may_check) and of.may_fold
        case MustCall():
            by_itself = of.did == "call" and of.did_to == effect.to
            return by_itself or (of.may_call and not of.may_fold and not of.may_raise and of.to == effect.to)
        case MustCheck():
            return of.did == "check" or (of.may_check and not of.may_raise)
        case LosesRightToAct():
            return not of.at_turn
    return None


def _is_bound(of: Outcome, act: str, to: int | None) -> bool:
    if act == "check":
        return of.did == "check" or (of.may_check and not of.may_raise and not of.may_fold)
    if act == "call":
        return of.did == "call" or (of.may_call and not of.may_raise and not of.may_fold)
    if act == "all-in":
        return of.did in ("bet", "raise", "call", "all_in", "all-in")
    return of.did in ("bet", "raise") and to in (None, of.did_to)


def _board_is(table: SpecTable, effect: BoardIs) -> bool:
    """By what lies there; what nobody reads, by the record of the deal where the cards of the stub are known."""
    board = table.table.view.board
    if len(board) != effect.n_cards:
        return False
    if all(card != UNKNOWN_CARD for card in board):
        return effect.stub is None or set(board) == {table.stub[place - 1] for place in effect.stub}
    if table.deal is None or effect.stub is None:
        return True
    places = [place for place, to in enumerate(table.deal.order, 1) if to == "board"]
    return places[: effect.n_cards] == [table.hole_cards + place for place in effect.stub]


def _is_replaced(deal: Deal, seat: str) -> bool:
    """A card that was dealt to the seat lies elsewhere, and the seat has two still."""
    planned = zip(deal.planned, deal.lying, strict=False)
    return deal.order.count(seat) == deal.planned.count(seat) and any(to == seat != lies for to, lies in planned)


def _deal_is(deal: Deal, hole_cards: int, effect: BurnIs | CardsReturn | NextStreet) -> bool:
    """By the record of the deal. A burn that goes back on the top is the next one: it is burned once more."""
    match effect:
        case BurnIs():
            places = [hole_cards + card for card in effect.cards if isinstance(card, int)]
            return all(deal.to(place) == "burn" for place in places)
        case CardsReturn():
            shuffled = effect.how == "shuffled"
            to = ("stub", "barred", "aside") if shuffled else ("stub", "burn", "next burn")
            return (
                all(deal.to(hole_cards + card) in to for card in effect.stub) and bool(deal.shuffles) >= shuffled
            )
    street = Street(effect.street)
    first, before = (
        deal.street(street)[0],
        hole_cards if street is Street.FLOP else deal.street(_BEFORE[street])[-1],
    )
    burns = [place for place in range(before + 1, first) if deal.to(place) == "burn"]
    to_come = sum(place > deal.out for place in burns) + deal.lying.count("next burn")
    if effect.burns not in (to_come, len(burns)):
        return False
    places = [hole_cards + card + len(deal.never_passed) for card in effect.stub or ()]
    again = any(place <= deal.out for place in places)  # it went back and takes another place
    return not places or (first == deal.out + 1 + to_come if again else deal.street(street) == places)


def _counts_as(table: SpecTable, effect: CountsAs) -> bool:
    found = table.counted_as(effect.seat)
    if found is None:
        return False
    act, to = found
    all_in = effect.act == "all-in" and act in ("bet", "raise", "call")
    return to == effect.to and (act == effect.act or all_in)


def _pot_to(table: SpecTable, effect: PotTo) -> bool:
    pushed = table
    if table.table.node.table.in_hand:
        pushed = table.copy()
        pushed.press(str(effect.seat), Key.AWARD)
    return not pushed.table.node.table.in_hand and pushed.won(effect.seat) == effect.amount


def _splits(table: SpecTable, effect: SplitsPot) -> bool:
    pushed = table
    if table.table.node.table.in_hand:
        pushed = table.copy()
        for seat, _ in effect.shares:
            pushed.press(str(seat), Key.SPLIT)
        pushed.press(Key.POT_PUSHED)
    carried = pushed.table.node.table.carried
    shares = {seat: pushed.won(seat) for seat, _ in effect.shares}
    return not pushed.table.node.table.in_hand and shares == dict(effect.shares) and carried == effect.carried
