"""Errors in the deal and on the board, as parts of pairs."""

from __future__ import annotations

from tests.spec.cell import Expect, Later, Option, definite, ruled
from tests.spec.effects import (
    BoardIs,
    BurnIs,
    CardsReturn,
    CompletesHand,
    Effect,
    NextStreet,
    ShownToAll,
    TurnGoesTo,
)
from tests.spec.incidents import burns, flop_cards, misdeal_rules, premature
from tests.spec.incidents import single_deal_errors as deals
from tests.spec.pair_base import CannotMeet, Happened, nothing_to_settle
from tests.spec.pair_hand import Hand
from tests.spec.play import normal_cards
from tests.spec.situation import (
    Burns,
    DealError,
    Deals,
    DealsHands,
    FloorIsTold,
    Street,
)

# --- Deal -----------------------------------------------------------------------------------------


def deal_exposed(hand: Hand, _street: Street) -> Happened:
    hand.add(DealsHands((DealError("exposed", 5),)), FloorIsTold("exposed card", 1))
    expect, _later = deals.ruling_on_exposed(hand.table, 5)
    hand.burn_lies.add("flop")
    hand.next_card = 2
    return Happened(expect, nothing_to_settle)


def deal_extra(hand: Hand, _street: Street) -> Happened:
    hand.add(DealsHands((DealError("extra", seat=2),)), FloorIsTold("wrong count", 2))
    hand.burn_lies.add("flop")
    hand.next_card = 2
    return Happened(deals.ruling_on_extra(hand.table, 2, 0), nothing_to_settle)


def deal_short(hand: Hand, _street: Street) -> Happened:
    hand.add(DealsHands((DealError("short", seat=1),)), FloorIsTold("wrong count", 1))
    default = hand.book == "cpp"
    option = Option((CompletesHand(1),), deals.WRONG_COUNT[hand.book], by_default=default)
    return Happened(Expect((option,), (deals.CPP_COUNT,) if default else ()), nothing_to_settle)


def deal_two_exposed(hand: Hand, _street: Street) -> Happened:
    hand.add(DealsHands((DealError("exposed", 4), DealError("exposed", 7))), FloorIsTold("exposed card"))
    rules = {"cpp": ("cpp.misdeals.1",), "home": ("home.misdeals.1a",)}.get(
        hand.book, (f"{hand.book}.misdeals.1b",)
    )
    return Happened(misdeal_rules.misdeal_or_not(hand.book, rules, 0), nothing_to_settle)


# --- Board ----------------------------------------------------------------------------------------


def _place(hand: Hand, street: Street, count: int) -> tuple[int, ...] | None:
    """Places of the cards that the dealer turned for the street after so many burns."""
    if hand.next_card is None or hand.stub_is_shuffled_before(street):
        return None
    first = hand.next_card + count
    return tuple(range(first, first + len(normal_cards(street))))


def _known_board(hand: Hand, cards: tuple[int, ...] | None) -> tuple[int, ...] | None:
    return None if cards is None or hand.board is None else (*hand.board, *cards)


def _wrong_burns(hand: Hand, street: Street, extra: int) -> Happened:
    """One burn too few or too many (`extra` -1 or 1), told before anybody acts on the street."""
    due = hand.burns_due(street)
    count = due + extra
    if count < 0:
        raise CannotMeet("no burn is due from the stub: one lies there, or the stub was shuffled")
    n_before = {"flop": 0, "turn": 3, "river": 4}[street]
    right, turned = _place(hand, street, due), _place(hand, street, count)
    board, n_board = _known_board(hand, right), n_before + len(normal_cards(street))
    burn = () if right is None or hand.next_card is None else (hand.next_card,)
    burned: tuple[Effect, ...] = (BurnIs(street, burn),) if due else ()
    back = (CardsReturn(() if turned is None else turned[-1:], "top"),) if extra > 0 else ()
    corrected = (*burned, BoardIs(n_board, board), *back)
    hand.add(Deals(street, count), FloorIsTold("burns"))
    default = hand.book in burns.SILENT_BOOKS
    fixed = Option(corrected, burns.CORRECTED[hand.book], by_default=default)
    words = (burns.SILENT,) if default else ()
    if due == 0:
        words = (*words, "'burns more than one card': here one was too many")
    example: tuple[Option, ...] = ()
    if extra > 0 and street != "river":
        second_burn = () if turned is None or hand.next_card is None else (hand.next_card + due,)
        kept = (BoardIs(n_board, _known_board(hand, turned)), CardsReturn(second_burn, "top"))
        example = (Option(kept, burns.CORRECTED[hand.book], burns.EXAMPLE_ALONE, default),)
        words = (*words, burns.TWO_BURNS_EXAMPLE)
    expect = Expect((fixed, *example), words)
    redealt = False
    if street == "flop" and hand.book != "wfp":
        own = burns.ruling_before_action(hand.book, "flop", 1 + extra)
        again = tuple(
            Option(
                (CardsReturn(turned or (), "shuffled"), *option.effects[1:]), option.rules, option.when, default
            )
            for option in own.options
            if isinstance(option.effects[0], CardsReturn)
        )
        redealt = hand.book in ("ccp", "rpl")
        expect = Expect(
            again if redealt else (fixed, *again, *example), tuple(dict.fromkeys((*own.open_words, *words)))
        )

    def settle() -> None:
        if redealt:
            hand.shuffle()
            hand.deal(street, 0)
        else:
            hand.turn_up(street, due)
        hand.check_round(street)

    return Happened(expect, settle)


def no_burn(hand: Hand, street: Street) -> Happened:
    return _wrong_burns(hand, street, -1)


def two_burns(hand: Hand, street: Street) -> Happened:
    return _wrong_burns(hand, street, 1)


def four_cards(hand: Hand, _street: Street) -> Happened:
    fact = (("which flop card was the extra one", "the last one dealt"),)
    hand.add(Deals("flop", hand.burns_due("flop"), cards=4), FloorIsTold("too many cards", facts=fact))
    expect = flop_cards.ruling(hand.book, acted=False, known=True)

    def settle() -> None:
        if hand.book in ("ccp", "rpl"):
            hand.shuffle()
            hand.deal("flop", 0)
        else:
            hand.turn_up("flop", hand.burns_due("flop"))
            hand.next_card = 6
            hand.board = hand.board if hand.book == "wfp" else None
            hand.burn_lies.add("turn")
        hand.check_round("flop")

    if "flop" in hand.burn_lies:
        options = tuple(
            Option(tuple(e for e in o.effects if e != BurnIs("flop", (1,))), o.rules, o.when, o.by_default)
            for o in expect.options
        )
        expect = Expect(options, expect.open_words)
    return Happened(expect, settle)


def dealt_too_soon(hand: Hand, street: Street) -> Happened:
    """The last seat of the round before has not acted."""
    last = hand.take_last_act()
    due = hand.burns_due(street)
    cards = _place(hand, street, due)
    hand.add(Deals(street, due), FloorIsTold("premature"))
    n_before = {"flop": 0, "turn": 3, "river": 4}[street]
    board = hand.board
    own = premature.barred(hand.book, street, last.seat)
    option = own.options[0]
    expect = Expect(
        (Option((BoardIs(n_before, board), TurnGoesTo(last.seat)), option.rules, by_default=option.by_default),),
        own.open_words,
    )
    rules = premature.DEALT_AGAIN[hand.book][street]
    effects: tuple[Effect, ...]
    if street == "turn":
        would_be = None if cards is None else (cards[0] + 2,)
        effects = (NextStreet("turn", 1, would_be),)
    else:
        effects = (CardsReturn(cards or (), "shuffled"), NextStreet(street, 0))
    again = Option(effects, rules, by_default=hand.book in premature.NO_PROCEDURE)
    later = (Later((ruled(expect), last), Expect((again,), premature.words_of(hand.book))),)

    def settle() -> None:
        hand.give_act(last)
        hand.sweep()
        if street == "turn":
            if hand.next_card is not None:
                hand.next_card += due + 1
            hand.river_unburned = True
            hand.deal("turn", 1)
        else:
            hand.shuffle()
            hand.deal(street, 0)
        hand.check_round(street)

    return Happened(expect, settle, later)


def burn_shown(hand: Hand, street: Street) -> Happened:
    if hand.burns_due(street) == 0:
        raise CannotMeet("no burn comes from the stub for that street")
    burn = () if hand.next_card is None else (hand.next_card,)
    cards = _place(hand, street, 1)
    hand.add(Burns(street, 1, shown=True), FloorIsTold("burn shown"))
    stays = (ShownToAll(burn), BurnIs(street, burn), NextStreet(street, 0, cards))
    match hand.book:
        case "home":
            second = () if hand.next_card is None else (hand.next_card + 1,)
            effects = (ShownToAll(burn), BurnIs(street, second), NextStreet(street, 0, _place(hand, street, 2)))
            words = (burns.HOME_SHOWN_BEFORE_FLOP,) if street == "flop" else ()
            expect = Expect((Option(effects, ("home.irregularities.11a",)),), words)
        case "rpl":
            expect = definite(*stays, rules=("rpl.deal.6",))
        case _:
            rules = ("ccp.announcements.4",) if hand.book == "ccp" else ("rpl.deal.6",)
            option = Option(stays, rules, by_default=hand.book != "ccp")
            expect = Expect((option,), ("no rule on a burn that was shown",))

    def settle() -> None:
        count = 2 if hand.book == "home" else 1
        if hand.next_card is not None:
            hand.next_card += count
        hand.deal(street, 0)
        hand.river_unburned = hand.river_unburned or hand.book == "home"
        hand.check_round(street)

    return Happened(expect, settle)
