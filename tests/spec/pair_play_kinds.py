"""Errors of players, in the muck and at the showdown, as parts of pairs."""

from __future__ import annotations

from tests.spec.books import MIN_RAISE, min_raise_to
from tests.spec.cell import Expect, Later, Option, definite, ruled
from tests.spec.effects import (
    HandGoesOn,
    HandLives,
    KillsHand,
    PotTo,
    SplitsPot,
    TurnGoesTo,
)
from tests.spec.incidents import absent, amounts, chips, dead_hands, new_hand
from tests.spec.incidents import showdown as showdowns
from tests.spec.incidents.out_of_turn_rules import Offence, at_once, at_own_turn
from tests.spec.pair_base import Happened, nothing_to_settle
from tests.spec.pair_hand import Hand
from tests.spec.situation import (
    Acts,
    ActsOutOfTurn,
    ComesBack,
    DiscardsForward,
    DropsDeck,
    FloorIsTold,
    HandInMuck,
    IsAway,
    PushesPot,
    PutsChips,
    ShowsCard,
    Street,
    Tables,
)

# --- Acts out of turn -----------------------------------------------------------------------------


def out_of_turn_check(hand: Hand, street: Street) -> Happened:
    first, second, *_rest = hand.actors(street)
    offence = Offence(hand.book, second, "check", None, "said", 0, (first,))
    hand.add(ActsOutOfTurn(second, "check"), FloorIsTold("out of turn", second))
    since = (Acts(first, "check"),)
    now = at_once(offence)
    later = (Later((ruled(now), *since), at_own_turn(offence, since)),)
    return Happened(now, lambda: hand.check_round(street), later)


def out_of_turn_bet(hand: Hand, street: Street) -> Happened:
    first, second, *_rest = hand.actors(street)
    offence = Offence(hand.book, second, "bet", 300, "chips", 0, (first,))
    hand.add(ActsOutOfTurn(second, "bet", 300, "chips"), FloorIsTold("out of turn", second))
    since = (Acts(first, "bet", 200),)
    now = at_once(offence)
    later = (Later((ruled(now), *since), at_own_turn(offence, since)),)
    return Happened(now, lambda: _bet_and_calls(hand, street, 200), later)


def out_of_turn_fold(hand: Hand, street: Street) -> Happened:
    first, second, third, *_rest = hand.actors(street)
    hand.act(first, "bet", 200)
    offence = Offence(hand.book, third, "fold", None, "discard", 200, (second,))
    hand.add(ActsOutOfTurn(third, "fold", None, "discard"), FloorIsTold("out of turn", third))

    def settle() -> None:
        hand.live.remove(third)
        _calls(hand, street, 200, after=first)

    return Happened(at_once(offence), settle)


def _bet_and_calls(hand: Hand, street: Street, to: int) -> None:
    """The first seat bets, everybody else calls."""
    first = hand.actors(street)[0]
    hand.act(first, "bet", to)
    _calls(hand, street, to, after=first)


def _calls(hand: Hand, street: Street, to: int, after: int) -> None:
    """Every live seat behind `after`, and round to it, calls."""
    seats = hand.actors(street)
    if after in seats:
        at = seats.index(after)
        seats = seats[at + 1 :] + seats[:at]
    for seat in seats:
        if hand.paid.get(seat, 0) < to:
            hand.act(seat, "call", to)


# --- Chips and amounts ----------------------------------------------------------------------------


def string_bet(hand: Hand, street: Street) -> Happened:
    first, second, *_rest = hand.actors(street)
    hand.act(first, "bet", 200)
    hand.add(PutsChips(second, ((100, 100), (100, 100, 100, 100))), FloorIsTold("string bet", second))
    option = chips.counts("call", 200, 600, chips.STRING[hand.book], seat=second)
    expect = Expect((option,), ("string bets are 'not allowed'; what stands instead is not said",))

    def settle() -> None:
        hand.pay(second, 200)
        _calls(hand, street, 200, after=second)

    return Happened(expect, settle)


def low_raise(hand: Hand, street: Street) -> Happened:
    first, second, *_rest = hand.actors(street)
    hand.act(first, "bet", 200)
    hand.add(PutsChips(second, ((200, 25),), "raise", 225), FloorIsTold("below minimum", second))
    least = min_raise_to(hand.book, street, 200, 200, 50, 100)
    silent = hand.book in amounts.SILENT
    rules = (*MIN_RAISE[hand.book], *amounts.BROUGHT_UP[hand.book])
    option = amounts.counts(second, "raise", least, 225, rules, by_default=silent)

    def settle() -> None:
        hand.pay(second, least)
        _calls(hand, street, least, after=second)

    return Happened(Expect((option,), (amounts.NO_CORRECTION,) if silent else ()), settle)


def short_call(hand: Hand, street: Street) -> Happened:
    first, second, *_rest = hand.actors(street)
    hand.act(first, "bet", 500)
    hand.add(PutsChips(second, ((100,) * 4,), "call"), FloorIsTold("short call", second))
    silent = hand.book == "cpp"
    option = amounts.counts(second, "call", 500, 400, amounts.SHORT_CALL[hand.book], by_default=silent)

    def settle() -> None:
        hand.pay(second, 500)
        _calls(hand, street, 500, after=second)

    return Happened(Expect((option,), ("short calls are not named",) if silent else ()), settle)


# --- Hands and players ----------------------------------------------------------------------------


def holder_mucks(hand: Hand, street: Street) -> Happened:
    return _mucked(hand, street, by_dealer=False)


def dealer_mucks(hand: Hand, street: Street) -> Happened:
    return _mucked(hand, street, by_dealer=True)


def _mucked(hand: Hand, street: Street, *, by_dealer: bool) -> Happened:
    first, second, *_rest = hand.actors(street)
    hand.act(first, "bet", 200)
    hand.add(HandInMuck(second, "dealer" if by_dealer else "holder", identifiable=False))
    hand.add(FloorIsTold("hand in muck", second))
    rules = (dead_hands.NO_REDRESS if by_dealer else dead_hands.MUCKED_IS_DEAD)[hand.book]

    def settle() -> None:
        hand.live.remove(second)
        _calls(hand, street, 200, after=first)

    return Happened(definite(KillsHand(second), rules=rules), settle)


def shows_card(hand: Hand, street: Street) -> Happened:
    first, second, *_rest = hand.actors(street)
    hand.act(first, "bet", 200)
    hand.add(ShowsCard(second, "dropped"), FloorIsTold("shown card", second))
    rules = {
        "ccp": ("ccp.irregularities.14",),
        "home": ("home.irregularities.9",),
        "rpl": ("rpl.irregularities.14",),
    }.get(hand.book, ("wfp.irregularities.13",))
    silent = hand.book == "cpp"
    option = Option((HandLives(second),), rules, by_default=silent)
    expect = Expect((option,), ("a dropped card is not named",) if silent else ())
    return Happened(expect, lambda: _calls(hand, street, 200, after=first))


def discards(hand: Hand, street: Street) -> Happened:
    first, second, *rest = hand.actors(street)
    hand.add(DiscardsForward(first), Acts(second, "check"), FloorIsTold("dead hand", first))
    own = ("ccp.deadhands.2b",) if hand.book == "ccp" else ()

    def settle() -> None:
        hand.live.remove(first)
        for seat in rest:
            hand.act(seat, "check")

    rules = (*own, dead_hands.CAUSES_ACTION[hand.book])
    return Happened(definite(KillsHand(first), rules=rules), settle)


def leaves(hand: Hand, street: Street) -> Happened:
    """The first seat of the street goes away after the street before; its turn has come."""
    first, *rest = hand.actors(street)
    hand.add(IsAway(first), FloorIsTold("absent", first))
    dead = Option((KillsHand(first),), absent.LEAVING[hand.book], by_default=hand.book == "home")
    lives = Option((HandLives(first),), absent.LEAVING[hand.book], by_default=hand.book == "home")
    words = {
        "cpp": (),
        "rpl": ("at the table 'by the [time] action is to them': the first time or each time",),
        "home": (absent.HOME_SILENT,),
    }.get(hand.book, (absent.NO_RULE,))
    expect = Expect((dead,) if hand.book == "cpp" else (lives, dead), words)

    def settle() -> None:
        if hand.book == "cpp":
            hand.live.remove(first)
            for seat in rest:
                hand.act(seat, "check")
        else:
            hand.add(ComesBack(first))
            hand.check_round(street)

    return Happened(expect, settle)


def drops_deck(hand: Hand, street: Street) -> Happened:
    _bet_and_calls(hand, street, 200)
    last = hand.take_last_act()
    hand.add(DropsDeck(), FloorIsTold("new hand", last.seat))
    rules = new_hand.PLAYED_OUT[hand.book]
    option = Option((HandGoesOn(), TurnGoesTo(last.seat)), rules, by_default=hand.book != "wfp")
    words = () if hand.book == "wfp" else (new_hand.NOT_SAID,)

    def settle() -> None:
        hand.give_act(last)
        hand.shuffle()

    return Happened(Expect((option,), words), settle)


# --- Showdown -------------------------------------------------------------------------------------


def _two_left(hand: Hand) -> tuple[int, int, int]:
    """River: the first seat bets 200, the second calls, the others fold; the two seats and the pot."""
    first, second, *others = hand.actors("river")
    hand.act(first, "bet", 200)
    hand.act(second, "call", 200)
    for seat in others:
        hand.act(seat, "fold")
    hand.sweep()
    return first, second, hand.pot


def wrong_push(hand: Hand, _street: Street) -> Happened:
    first, second, pot = _two_left(hand)
    hand.add(Tables(first, 2), Tables(second, 1), PushesPot(first, pot), FloorIsTold("wrong push", second))
    default = hand.book in showdowns.NO_DEADLINE_BOOKS
    option = Option((PotTo(second, pot),), showdowns.IN_TIME[hand.book], by_default=default)
    return Happened(Expect((option,), (showdowns.NO_DEADLINE,) if default else ()), nothing_to_settle)


def tie_not_split(hand: Hand, _street: Street) -> Happened:
    first, second, pot = _two_left(hand)
    hand.add(Tables(first, 1), Tables(second, 1), PushesPot(first, pot), FloorIsTold("split", second))
    default = hand.book in showdowns.NO_DEADLINE_BOOKS
    shares = tuple(sorted(((first, pot // 2), (second, pot // 2))))
    rules = showdowns.SPLIT[hand.book] + showdowns.IN_TIME[hand.book]
    option = Option((SplitsPot(shares),), rules, by_default=default)
    return Happened(Expect((option,), (showdowns.NO_DEADLINE,) if default else ()), nothing_to_settle)


def winner_mucks(hand: Hand, _street: Street) -> Happened:
    first, second, pot = _two_left(hand)
    hand.add(
        Tables(first, 2), HandInMuck(second, "holder", identifiable=False), FloorIsTold("hand in muck", second)
    )
    rules = dead_hands.MUCKED_IS_DEAD[hand.book]
    return Happened(definite(KillsHand(second), PotTo(first, pot), rules=rules), nothing_to_settle)
