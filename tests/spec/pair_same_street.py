"""Pairs of errors on one street, where the second ruling depends on the first or the text leaves it open."""

from __future__ import annotations

from collections.abc import Iterator

from tests.spec.cell import Cell, Expect, Option, ruled
from tests.spec.effects import (
    BoardIs,
    BurnIs,
    CardsReturn,
    CountsAs,
    KillsHand,
    LosesRightToAct,
    Misdeal,
    NextStreet,
    PotTo,
    ReplacesCard,
    ResultStands,
    ShownToAll,
    TurnGoesTo,
)
from tests.spec.incidents import amounts, burns, dead_hands, flop_cards, premature, showdown, single_deal_errors
from tests.spec.incidents.out_of_turn_rules import MAY_BIND, Offence, at_once
from tests.spec.incidents.two_out_of_turn import ACTIONS_BEHIND_TO_LOSE_TURN
from tests.spec.play import before_deal, up_to
from tests.spec.situation import (
    BOOKS,
    Acts,
    ActsOutOfTurn,
    Book,
    DealError,
    Deals,
    DealsHands,
    FloorIsTold,
    PushesPot,
    PutsChips,
    StartsNewHand,
    Table,
    TabledHandInMuck,
    Tables,
    TakesCardsBack,
)

INCIDENT = "pair"


def same_street_cells() -> Iterator[Cell]:
    """All of them for every book."""
    for book in BOOKS:
        yield _exposed_and_extra(book)
        yield _burns_then_out_of_turn_check(book)
        yield _no_burn_and_four_cards(book)
        yield _skipped_seat_and_premature_flop(book)
        yield _fold_out_of_turn_then_cards_back(book)
        yield _short_call_and_next_street(book)
        yield _tabled_winner_mucked_and_wrong_push(book)
        yield _wrong_push_and_new_hand(book)


def _name(book: Book, what: str) -> str:
    return f"{INCIDENT}/{book}/one street/{what}"


def _exposed_and_extra(book: Book) -> Cell:
    """Card 5 is exposed and seat 2 gets an extra card (place 1): both would be the first burn."""
    table = Table(book)
    deal = DealsHands((DealError("exposed", 5), DealError("extra", seat=2)))
    steps = (deal, FloorIsTold("exposed card", 1), FloorIsTold("wrong count", 2))
    name = _name(book, "one card exposed and one extra card")
    if book == "home":
        option = Option((Misdeal(),), ("home.misdeals.1a",))
        return Cell(
            name,
            INCIDENT,
            table,
            steps,
            Expect((option,)),
            (),
            (*single_deal_errors.SEEN, *single_deal_errors.COUNTED),
        )
    default = book == "cpp"
    replaced = ReplacesCard(1, "after the deal")
    rules = single_deal_errors.REPLACED[book] + single_deal_errors.ONE_EXTRA[book]
    exposed_burns = (replaced, BurnIs("flop", ("exposed",)), CardsReturn((1,), "top"))
    extra_burns = (replaced, BurnIs("flop", (1,)))
    options = (
        Option(exposed_burns, rules, "the exposed card is the burn, the extra one goes back on top", default),
        Option(extra_burns, rules, "the extra card is the burn", default),
    )
    words = ("both cards are 'used for the burncard'; which goes first is not said",)
    return Cell(
        name,
        INCIDENT,
        table,
        steps,
        Expect(options, words),
        (),
        (*single_deal_errors.SEEN, *single_deal_errors.COUNTED),
    )


def _burns_then_out_of_turn_check(book: Book) -> Cell:
    """Two burns on the turn; seat 3 checks out of turn; then the burns are noticed: has betting action started?"""
    table = Table(book)
    steps = (
        *before_deal(table, "turn"),
        Deals("turn", 2),
        ActsOutOfTurn(3, "check"),
        FloorIsTold("out of turn", 3),
        ruled(at_once(Offence(book, 3, "check", None, "said", 0, (2,)))),
        FloorIsTold("burns"),
    )
    default = book in burns.SILENT_BOOKS
    rules = burns.CORRECTED[book]
    fixed = Option(burns.corrected("turn", 2), rules, "an act out of turn starts no betting action", default)
    stands = Option(burns.uncorrected("turn", 2), rules, "an act out of turn is action", default)
    words = ("'before betting action has started': whether an act out of turn starts it",)
    name, facts = _name(book, "two burns, then a check out of turn"), (*burns.FACTS, "act out of turn was made")
    return Cell(name, INCIDENT, table, steps, Expect((fixed, stands), words), (), facts)


def _no_burn_and_four_cards(book: Book) -> Cell:
    """No burn and four cards turned: places 1 2 3 4.  With card 1 as the burn the other three are the flop."""
    table = Table(book)
    told = FloorIsTold("too many cards", facts=(("order of the flop cards", "known"), ("burns", "none")))
    steps = (*before_deal(table, "flop"), Deals("flop", 0, 4), told)
    name = _name(book, "no burn and a four-card flop")
    kept = (BurnIs("flop", (1,)), BoardIs(3, (2, 3, 4)))
    again = (CardsReturn((1, 2, 3, 4), "shuffled"), BoardIs(0, ()), NextStreet("flop", 0))
    match book:
        case "ccp" | "rpl":
            option = Option(again, (*flop_cards.REDEALT[book], *burns.CORRECTED[book][:1]))
            words = ("'the burncard remains on the table', but there is none",)
            return Cell(
                name, INCIDENT, table, steps, Expect((option,), words), (), (*burns.FACTS, *flop_cards.FACTS[1:])
            )
        case "wfp":
            first = Option(
                kept, ("wfp.irregularities.14a", "wfp.irregularities.14b"), "the burn is put right first"
            )
            shown = (BoardIs(3, (1, 2, 3)), ShownToAll((4,)), BurnIs("turn", (4,)))
            second = Option(shown, ("wfp.irregularities.19",), "the extra card is dealt with first")
            words = ("which of the two rules comes first is not said",)
            return Cell(
                name,
                INCIDENT,
                table,
                steps,
                Expect((first, second), words),
                (),
                (*burns.FACTS, *flop_cards.FACTS[1:]),
            )
        case _:
            first = Option(kept, (*burns.CORRECTED[book][:1],), by_default=True)
            second = Option((BoardIs(3), NextStreet("turn", 0)), ("tda.39",), by_default=True)
            words = ("neither a missing burn nor a fourth card is named",)
            return Cell(
                name,
                INCIDENT,
                table,
                steps,
                Expect((first, second), words),
                (),
                (*burns.FACTS, *flop_cards.FACTS[1:]),
            )


def _skipped_seat_and_premature_flop(book: Book) -> Cell:
    """Preflop seat 5 is passed over by 1, 2 and 3, and the flop is dealt: is betting complete?"""
    table = Table(book)
    steps = (
        Acts(4, "call", 100),
        ActsOutOfTurn(1, "call", 100, "chips"),
        ActsOutOfTurn(2, "call", 100, "chips"),
        ActsOutOfTurn(3, "check"),
        Deals("flop"),
        FloorIsTold("skipped", 5),
    )
    own = premature.barred(book, "flop", 5).options[0]
    back = Option((BoardIs(0, ()), TurnGoesTo(5)), own.rules, "the seat keeps its right to act", own.by_default)
    limit = ACTIONS_BEHIND_TO_LOSE_TURN[book]
    rules = {"wfp": ("wfp.betting.8",), "home": ("home.betting.11",), "rpl": ("rpl.betting.10",)}.get(
        book, ("wfp.betting.8",)
    )
    lost = Option((LosesRightToAct(5), BoardIs(3, (2, 3, 4))), rules, "its right to act is lost", limit is None)
    words = ("whether the right to act is lost, and betting then complete, is left to a ruling",)
    name = _name(book, "seat passed over, then a premature flop")
    facts = (*premature.FACTS, "acts and their order", "act out of turn was made")
    return Cell(name, INCIDENT, table, steps, Expect((back, lost), words), (), facts)


def _fold_out_of_turn_then_cards_back(book: Book) -> Cell:
    """Facing a bet, seat 4 discards out of turn; it is ruled dead; then the player takes the cards back."""
    table = Table(book)
    offence = Offence(book, 4, "fold", None, "discard", 200, (3,))
    steps = (
        *up_to(table, "flop"),
        Acts(2, "bet", 200),
        ActsOutOfTurn(4, "fold", None, "discard"),
        FloorIsTold("out of turn", 4),
        ruled(at_once(offence)),
        Acts(3, "call", 200),
        TakesCardsBack(4),
        FloorIsTold("dead hand", 4),
    )
    dead = Option((KillsHand(4),), dead_hands.FOLD_IS_DEAD[book])
    words = (MAY_BIND,) if len(at_once(offence).options) > 1 else ()
    return Cell(
        _name(book, "fold out of turn, then cards back"),
        INCIDENT,
        table,
        steps,
        Expect((dead,), words),
        (),
        ("acts and their order", "act out of turn was made", "holder was misinformed"),
    )


def _short_call_and_next_street(book: Book) -> Cell:
    """A call of 500 with 400 closes the flop; the turn is dealt; then the short call is noticed."""
    table = Table(book)
    steps = (
        *up_to(table, "flop"),
        Acts(2, "bet", 500),
        PutsChips(3, ((100,) * 4,), "call"),
        Acts(4, "fold"),
        Acts(5, "fold"),
        Acts(1, "fold"),
        Deals("turn"),
        FloorIsTold("short call", 3),
    )
    name = _name(book, "short call, then the next street")
    owed = (CountsAs(3, "call", 500, owes=100), BoardIs(4, (2, 3, 4, 6)))
    if book == "home":
        stands = (CountsAs(3, "call", 400), BoardIs(4, (2, 3, 4, 6)))
        barred = (CountsAs(3, "call", 500, owes=100), BoardIs(3, (2, 3, 4)))
        options = (
            Option(stands, ("home.betting.12",), "the round is completed"),
            Option(owed, ("home.betting.5",), "the word binds"),
            Option(barred, ("home.betting.12", "home.irregularities.10"), "a short call completes no round"),
        )
        words = ("'before the betting round has been completed': whether a short call completes it",)
        return Cell(name, INCIDENT, table, steps, Expect(options, words), (), amounts.FACTS)
    option = Option(owed, amounts.SHORT_CALL[book], by_default=book == "cpp")
    words = ("whether the round was complete, and the turn not premature, is not said",)
    return Cell(name, INCIDENT, table, steps, Expect((option,), words), (), amounts.FACTS)


def _tabled_winner_mucked_and_wrong_push(book: Book) -> Cell:
    """The dealer mucks the tabled better hand of seat 3 and pushes the pot to seat 2."""
    table = Table(book)
    steps = (
        *showdown.river_called(table),
        Tables(2, 2),
        Tables(3, 1),
        TabledHandInMuck(3),
        PushesPot(2, showdown.POT),
        FloorIsTold("wrong push", 3),
    )
    rules = showdown.CARDS_SPEAK[book] + showdown.IN_TIME[book]
    default = book in showdown.NO_DEADLINE_BOOKS
    speaks = Option((PotTo(3, showdown.POT),), rules, "the hand was read by the table", default)
    lost = Option((KillsHand(3), PotTo(2, showdown.POT)), rules, "nobody can say what was tabled", default)
    words = (showdown.HOLD_ON, *((showdown.NO_DEADLINE,) if default else ()))
    name = _name(book, "dealer mucks a tabled winner, then pot to the loser")
    return Cell(
        name, INCIDENT, table, steps, Expect((speaks, lost), words), (), ("hand was tabled before", "tabled hands")
    )


def _wrong_push_and_new_hand(book: Book) -> Cell:
    """The pot goes to the loser, the next deal is riffled, and only then somebody speaks up."""
    table = Table(book)
    steps = (
        *showdown.river_called(table),
        Tables(2, 2),
        Tables(3, 1),
        PushesPot(2, showdown.POT),
        StartsNewHand(),
        FloorIsTold("wrong push", 3),
    )
    default = book in showdown.NO_DEADLINE_BOOKS
    option = Option((ResultStands(),), showdown.IN_TIME[book], by_default=default)
    words = (showdown.NO_DEADLINE,) if default else ()
    name = _name(book, "pot to the loser, then a new hand")
    return Cell(
        name,
        INCIDENT,
        table,
        steps,
        Expect((option,), words),
        (),
        ("tabled hands", "acts and their order", "deal is over"),
    )
