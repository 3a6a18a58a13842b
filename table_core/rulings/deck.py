"""The deck itself: foreign, equal, missing cards, jokers, the stub."""

from __future__ import annotations

from collections.abc import Iterator

from table_core.hand.deal import to_seat
from table_core.messages import CallMisdeal, HandStarted, KillHand, Misdealt, Noticed, Report, Source
from table_core.rulings.case import Case, Correct, Option, Push, Record
from table_core.rulings.deal import about_whom, place_of, scrap_of_board
from table_core.rulings.register import Group, incident
from table_core.rulings.showdown import result_taken_back

DECK = 52


@incident("joker", 21, "A joker was dealt", Group.DEAL, unfit=about_whom)
def joker(case: Case) -> Iterator[Option]:
    """Scrap paper before its holder acts; whoever acts with one has a dead hand. Where the book is silent it
    is dead only if somebody rules so; so is the hand of a blind that was all-in and never acted, whose cards
    nobody had looked at."""
    if case.seat is None:
        yield scrap_of_board(case, case.cite("joker_replaced"))
        return
    if case.has_acted(case.the_seat):
        kills = case.policy("acted_with_joker_kills")
        rule = case.rule("acted_with_joker_kills") if kills else case.cite("joker_acted")
        kill = Push(KillHand(case.the_seat, "acted with a joker", rule))
        dead = Option("dead", f"Seat {case.seat} acted with a joker: dead hand", rule, (kill,))
        yield from (dead,) if kills else (_joker_replaced(case), dead)
        return
    yield _joker_replaced(case)
    if case.hand.board:
        rule, why = case.cite("joker_unlooked"), "played on with a joker"
        kill = Push(KillHand(case.the_seat, why, rule))
        yield Option("dead", f"Seat {case.seat} played without looking at its cards: dead hand", rule, (kill,))


def _joker_replaced(case: Case) -> Option:
    text = f"Seat {case.seat}: scrap paper, replaced; no misdeal"
    anew = case.deal.lies("scrap", *place_of(case)).comes(to_seat(case.the_seat))
    return Option("replaced", text, case.cite("joker_replaced"), (Correct(anew),))


@incident("foreign_card", 22, "A card of another deck", Group.DEAL, after_hand=True)
def foreign_card(case: Case) -> Iterator[Option]:
    """In a hand it voids everything, until the next first riffle; in the stub it changes nothing."""
    void = _void(case, "a card of another deck", case.cite("foreign_in_hand"))
    notice = Record(
        Noticed("deck_flagged", "A card of another deck was in the stub", rule=case.cite("foreign_in_stub"))
    )
    stub = Option("stub", "It was in the stub: the hand stands", case.cite("foreign_in_stub"), (notice,))
    if not void:
        yield stub
    else:
        yield from (*void, stub) if case.in_hand and case.cause != "stub" else (stub, *void)


@incident("duplicate", 23, "Two equal cards", Group.DEAL, after_hand=True)
def duplicate(case: Case) -> Iterator[Option]:
    """A fouled deck voids the deal whenever it is found (tda.37), until the next first riffle."""
    yield from _void(case, "two equal cards", case.cite("duplicate"))
    notice = Record(Noticed("deck_check", "Check both decks card by card", rule=case.cite("duplicate")))
    yield Option("check", "Check the decks", case.cite("duplicate"), (notice,))


def _void(case: Case, why: str, rule: str) -> tuple[Option, ...]:
    """One way, or none where the deal is void already or its beginning was not seen: nobody knows what to give
    back."""
    log = [logged.event for logged in case.table.hand_log]
    if not any(isinstance(event, HandStarted) for event in log) or any(isinstance(e, Misdealt) for e in log):
        return ()
    steps = (
        *(() if case.in_hand else result_taken_back(case)),
        Push(Report(CallMisdeal(why, Source.DIRECTOR))),
        Record(Noticed("deck_check", f"Check the deck: {why}", rule=rule)),
    )
    return (Option("void", f"The hand is void, chips go back: {why}", rule, steps),)


@incident("short_deck", 24, "A card is missing", Group.DEAL, after_hand=True)
def short_deck(case: Case) -> Iterator[Option]:
    """A short deck does not undo a result."""
    rule = case.cite("short_deck")
    notice = Record(Noticed("deck_flagged", "A card is missing from this deck", rule=rule))
    yield Option("stands", "The result stands; the deck is taken out", rule, (notice,))


def _not_passed(case: Case) -> str:
    return "" if case.loose else "pass the cards of the deck over the reader first"


@incident("deck_check", 25, "Check a deck", Group.DEAL, before_hand=True, after_hand=True, unfit=_not_passed)
def deck_check(case: Case) -> Iterator[Option]:
    """Before play every card of a deck is passed over the reader (home.suggest.d)."""
    rule = case.cite("deck_checked")
    if case.loose == DECK:
        yield Option("whole", "The deck is whole: 52 different cards", rule)
    else:
        notice = Record(Noticed("deck_flagged", f"{case.loose} different cards passed, not {DECK}", rule=rule))
        yield Option("not_whole", f"{case.loose} different cards, not {DECK}: the deck is out", rule, (notice,))


@incident("reshuffle", 27, "Reshuffle asked for", Group.DEAL)
def reshuffle(case: Case) -> Iterator[Option]:
    """Anyone may ask for it before the first card (cpp.dealing.2)."""
    if case.policy("reshuffle_on_request") and not case.deal.out:
        notice = Record(
            Noticed("reshuffle", "The deck is shuffled again before the deal", rule=case.cite("reshuffle"))
        )
        yield Option("again", "The deck is shuffled again", case.cite("reshuffle"), (notice,))
    elif case.policy("reshuffle_on_request"):
        yield Option("too_late", "Cards are out: the deal goes on", case.cite("reshuffle"))


@incident("stub_fouled", 28, "The stub was fouled", Group.BOARD)
def stub_fouled(case: Case) -> Iterator[Option]:
    """The hand is played out with a deck rebuilt as fairly as possible (wfp.irregularities.16): the street that is
    due comes from it without a burn, as one that is dealt again, and what follows it as always."""
    rest = [*case.deal.rest]
    while rest[:1] == ["burn"]:
        rest.pop(0)
    rebuilt = Correct(case.deal.goes_on(*rest).shuffled())
    text = "Unseen cards are shuffled; the missing board cards come from them, the first without a burn"
    yield Option("rebuilt", text, case.cite("stub_fouled"), (rebuilt,))
