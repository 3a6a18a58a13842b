"""Errors of the board: a flop of four, streets before their time or of two cards, with their redeals."""

from __future__ import annotations

from collections.abc import Iterator

from table_core.messages import UNKNOWN_CARD, Noticed, Street
from table_core.record.deal import BOARD_BEFORE, NEW_CARDS, STREETS, Deal
from table_core.rulings.case import Case, Correct, Option, Record, Step, TakeBack
from table_core.rulings.register import Group, incident

_WHOLE, _FOUR = 5, 4  # cards: of the board, of a flop with one too many
_BURN_AND_TURN = 2
_COUNTED = {1: "first", 2: "second", 3: "third", 4: "fourth"}


def take_back_street(case: Case, street: Street) -> tuple[Step, ...]:
    dealt = case.street_dealt(street)
    return () if dealt is None else (TakeBack(dealt.seq),)


def _no_flop(case: Case) -> str:
    return "" if _flop_of_four(case)[1] or _flop_may_lie(case) else "no flop is due yet"


@incident("flop_overdeal", 34, "The flop has four cards", Group.BOARD, unfit=_no_flop)
def flop_overdeal(case: Case) -> Iterator[Option]:
    """The fourth card is the next burn (wfp.irregularities.19), one that is drawn (tda.39), or all are dealt again
    (ccp.irregularities.17). What was done on a flop of which three stay stands; streets that ran out behind it
    are those that would have come."""
    deal, four = _flop_of_four(case)
    flop, rule = case.street_dealt(Street.FLOP), case.rule("flop_overdeal")
    if len(case.hand.board) > NEW_CARDS[Street.FLOP] and flop is not None and case.acted_since(flop):
        yield Option("stands", "The turn is out: the hand is played on", case.cite("in_time"))
    if case.policy("flop_overdeal") == "redeal":
        yield _all_back(case, deal, four, rule)
        return
    drawn = not case.own("flop_overdeal") or rule.startswith("tda.")
    if four:  # by the shoe, which knows which came last
        yield from _one_is_a_burn(case, deal, four, rule, drawn=drawn)
        return
    text = "One of the four is drawn and is the next burn; three stay"
    if not drawn:
        text = "The fourth card is shown and is the next burn"
    yield Option("burn_4", text, rule, _behind_four(case, 4))
    if not drawn:
        yield _all_back(case, deal, four, case.cite("redeal_flop"), "Nobody knows which came last: all")


def _one_is_a_burn(case: Case, deal: Deal, four: list[int], rule: str, *, drawn: bool) -> Iterator[Option]:
    """Three of the four stay: the first is the burn that was forgotten, or another is the next one."""
    if _none_burned(case, deal):
        text = "No card was burned: the first of the four is the burn, the others stay"
        yield Option("corrected", text, case.cite("burn_in_time"), _behind_four(case, 4))
    for number in (4, 3, 2, 1) if drawn else (4,):
        which = _COUNTED[number]
        text = f"The four are scrambled: the {which} was drawn and is the next burn"
        if not drawn:
            text = f"The {which} card is shown and is the next burn"
        steps = (*_behind_four(case, number), Correct(deal.is_burn(four[number - 1])))
        yield Option(f"burn_{number}", text, rule, steps, drawn=drawn)


def _all_back(case: Case, deal: Deal, four: list[int], rule: str, which: str = "All") -> Option:
    first = four[0] - case.two_before_four if four else deal.out + 1
    again = Correct(deal.again(Street.FLOP, range(first, deal.out + 1)))
    burn = "none was burned" if _none_burned(case, deal) else "the burn stays"
    text = f"{which} four go back, {burn}, shuffle, a new flop without a burn"
    return Option("redeal", text, rule, (*take_back_street(case, Street.FLOP), again))


def _behind_four(case: Case, number: int) -> tuple[Step, ...]:
    """What is taken back where the fourth, or another, of a flop of four is the next burn: the turn, and the flop
    where that card was dealt as one of it."""
    unread = set(case.hand.board[: NEW_CARDS[Street.FLOP]]) == {UNKNOWN_CARD}
    return take_back_street(case, Street.TURN if number == _FOUR or unread else Street.FLOP)


def _flop_of_four(case: Case) -> tuple[Deal, list[int]]:
    """The deal as it lies, and the places of the four cards, the one that came after the flop the last; no places
    where the shoe does not know them. Where four are all that came, none was burned."""
    deal = case.deal.burned(Street.FLOP, 1) if case.two_before_four else case.deal
    if deal.out == deal.street(Street.FLOP)[-1]:
        deal = deal.burned(Street.FLOP, -1)
    flop = deal.street(Street.FLOP)
    return deal, [*flop, flop[-1] + 1] if deal.out > flop[-1] else []


def _none_burned(case: Case, deal: Deal) -> bool:
    return deal.street(Street.FLOP) < case.deal.street(Street.FLOP)


def _flop_may_lie(case: Case) -> bool:
    """Four cards can lie there although no shoe spoke of them: the flop is due or dealt, or the camera sees it."""
    size = NEW_CARDS[Street.FLOP]
    return case.street_dealt(Street.FLOP) is not None or case.hand.awaiting_board or len(case.seen_board) >= size


def _too_early(case: Case) -> tuple[Street, list[int]]:
    """The street that came before its betting, and where its cards are: the newest ones, with a burn or without.
    Where the betting is over and more lies there than the street that is due, it is the one behind that."""
    size, deal = len(case.hand.board), case.deal
    street, *later = [street for street in STREETS if BOARD_BEFORE[street] >= size] or [Street.RIVER]
    due_is_out = not deal.out or deal.street(street)[-1] < deal.out
    if later and due_is_out and case.hand.awaiting_board and not case.hand.betting_over:
        street, size = later[0], size + NEW_CARDS[street]
    new, out = NEW_CARDS[street], deal.since(size)
    if street is Street.FLOP and _FOUR in (len(case.seen_board), out - 1):
        new = _FOUR  # a flop of four goes back as one
    if size < _WHOLE and out in (new, new + 1):
        return street, [*range(deal.out - new + 1, deal.out + 1)]
    return street, [place for place in deal.street(street) if place <= deal.out]


@incident("board_premature", 35, "The board came too early", Group.BOARD)
def board_premature(case: Case) -> Iterator[Option]:
    """Cards turned before the betting is over cannot be used; betting is finished, then the error is fixed. Of two
    cards that came as one street the books say nothing: both are barred like an early one, or the first is known
    and stays."""
    two = _came_as_two(case)
    if len(case.hand.board) == _WHOLE:
        yield from _two_as_river(case) if two is Street.RIVER else ()
        return
    street, early = _too_early(case)
    deal = case.deal
    if not early and (deal.out or not case.in_hand or case.street_dealt(street)):
        return
    key = {Street.FLOP: "redeal_flop", Street.TURN: "redeal_turn", Street.RIVER: "redeal_river"}[street]
    both = street is Street.TURN and _river_lies_there(case)
    if both:
        key = "redeal_river"
        river = next((place for place in deal.street(Street.RIVER) if place <= deal.out), deal.out)
        anew = deal.again(street, (*early, river), to="barred")
    elif street is Street.FLOP:
        anew = deal.again(street, early, to="barred")
    else:  # what was to follow it comes, and one card more
        anew = deal.lies("barred", *early).goes_on(*deal.behind(street)).shuffled()
    text = {
        Street.FLOP: "Flop barred; after the betting it goes back, the burn stays, a new flop without a burn",
        Street.TURN: "Turn barred; the river card is the turn, the river comes from the reshuffled stub",
        Street.RIVER: "River barred; it is shuffled in, a new river without a burn",
    }[street]
    if both:
        text = "Turn and river barred; after the betting both are shuffled in, a new turn without a burn"
    rule, redeal = case.cite("board_premature"), case.cite(key)
    if redeal.partition(".")[0] != rule.partition(".")[0]:  # a book that bars the cards and says no more
        barred, _, practice = text.partition("; ")
        text = (
            f"{barred}: it does not play. Your book does not say how it is dealt again; usual practice: {practice}"
        )
    notice = Record(Noticed("redeal", text, rule=redeal))
    yield Option("barred", text, rule, (Correct(anew), notice))
    if two is Street.TURN:
        yield _two_as_turn(case)


def _river_lies_there(case: Case) -> bool:
    """Behind an early turn: as the camera sees, else by the count."""
    if case.seen_board:
        return len(case.seen_board) == _WHOLE
    return case.deal.since(NEW_CARDS[Street.FLOP]) > _BURN_AND_TURN


def _came_as_two(case: Case) -> Street | None:
    """The turn or river as which two cards lie there, by the count or as a person says; nobody has acted on it."""
    deal = case.deal
    for street in (Street.RIVER, Street.TURN):
        dealt, due = case.street_dealt(street), len(case.hand.board) == BOARD_BEFORE[street]
        if dealt is not None or (due and street is Street.TURN and case.hand.awaiting_board):
            counted = not deal.out or deal.out == deal.street(street)[-1] + 1
            return street if case.in_hand and counted and not (dealt and case.acted_since(dealt)) else None
    return None


def _two_as_turn(case: Case) -> Option:
    deal, turn = case.deal, case.deal.street(Street.TURN)[0] if case.deal.out else 0
    anew = deal.lies("barred", turn).lies("burn", turn + 1).shuffled()
    text = "Two cards came as the turn: both barred; the next card is the turn, the river comes without a burn"
    steps = (*take_back_street(case, Street.TURN), Correct(anew))
    return Option("both_barred", text, case.cite("redeal_turn"), steps)


def _two_as_river(case: Case) -> Iterator[Option]:
    deal, river = case.deal, case.deal.street(Street.RIVER)[0] if case.deal.out else 0
    anew = deal.lies("barred", river, river + 1).goes_on().shuffled()
    text = "Two cards came as the river: both barred and shuffled in, a new river without a burn"
    steps = (*take_back_street(case, Street.RIVER), Correct(anew))
    yield Option("both_barred", text, case.cite("redeal_river"), steps)
    first = Correct(deal.lies("stub", river + 1))
    yield Option(
        "first", "The first card is known and is the river; the second goes back", case.cite("fairness"), (first,)
    )
