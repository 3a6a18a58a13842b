"""Burns: none, two, or one that was shown."""

from __future__ import annotations

from collections.abc import Iterator

from table_core.messages import BoardDealt, ExposeCard, Noticed, Source, Street
from table_core.record.deal import BOARD_BEFORE, BOARD_SIZE, MOST_BURNED, NEW_CARDS, NEXT_BURN, STREETS, Deal
from table_core.rulings.board import flop_overdeal, take_back_street
from table_core.rulings.case import Case, Correct, Option, Push, Record, Step
from table_core.rulings.register import Group, incident

_RESHUFFLED = ("fix_or_reshuffle", "fix_or_redeal")  # once its cards are seen; a redealt flop has no burn
_PUSHED = "The pot was pushed before it was said"


def _street(case: Case, *, least: int) -> Street:
    """The street that the error is about: as it was said or `cause` says, else the one dealt last, or the next one
    where at least so many cards left the deck behind it and nobody is to act."""
    said = _said(case)
    if said is not None:
        return said
    if case.cause in set(STREETS):
        return Street(case.cause)
    size = len(case.hand.board)
    dealt = [street for street in STREETS if BOARD_BEFORE[street] < size]
    if not dealt or (dealt[-1] is not Street.RIVER and not case.betting_open and case.deal.since(size) >= least):
        return STREETS[len(dealt)]
    return dealt[-1]


def _said(case: Case) -> Street | None:
    """The street that a person named by its last card: 3 the flop, 4 the turn, 5 the river."""
    street = next((street for street in STREETS if BOARD_SIZE[street] == case.amount), None)
    return street if street is not None and len(case.hand.board) > BOARD_BEFORE[street] else None


def _which_street(case: Case) -> str:
    """What must be asked where the error can still be put right on several streets, and no device saw on which."""
    out = [street for street in STREETS if case.street_dealt(street) is not None and _in_time(case, street)[0]]
    if case.cause or case.deal.out or _said(case) is not None or len(out) < 2:
        return ""
    numbers = ", ".join(f"{BOARD_SIZE[street]} {street}" for street in out)
    return f"On which street? {numbers}: number, COUNT"


def _last_out(case: Case, street: Street) -> bool:
    """No street behind this one has been dealt."""
    return len(case.hand.board) <= BOARD_SIZE[street]


def _as_it_lies(case: Case, street: Street, sign: int) -> Deal | None:
    """The deal with this street as it lies there, behind burns more (`sign` 1) or less (-1) than are due; None
    while not all of it is out. Where the count allows it, and no shoe was believed on the street, it is the cards
    that left the deck last."""
    deal, size, dealt = case.deal, BOARD_BEFORE[street], case.street_dealt(street)
    burned = deal.since(size) - NEW_CARDS[street]
    off = burned - deal.due(street)
    by_count = off * sign > 0 and 0 <= burned <= MOST_BURNED
    if dealt is not None or len(case.seen_board) > size:
        on_record = (
            dealt is not None and isinstance(dealt.event, BoardDealt) and Source.SHOE in dealt.event.sources
        )
        if deal.is_out(street) and (on_record or not by_count or (deal.off(street) or 0) * sign > 0):
            return deal
        by_count = by_count and dealt is not None
    elif case.betting_open:
        return None
    return deal.burned(street, off) if by_count else None


def _wrongly_burned(case: Case, sign: int) -> Street | None:
    """The first street whose cards came too late by the shoe's count (`sign` 1), or too early (-1), and that can
    still be put right; else the last: the errors before it were to be made up for since."""
    wrong = [street for street in STREETS if (_lying(case, street, sign).off(street) or 0) * sign > 0]
    return next((street for street in wrong if _in_time(case, street)[0]), wrong[-1] if wrong else None)


def _lying(case: Case, street: Street, sign: int) -> Deal:
    """The deal, with the newest street as it lies there."""
    newest = case.street_dealt(street) is not None and _last_out(case, street)
    return (_as_it_lies(case, street, sign) if newest else None) or case.deal


def _made_up(case: Case, street: Street, sign: int) -> Iterator[Option]:
    """The burns before the street make up for a wrong burn before an earlier one that stood."""
    earlier = [one for one in STREETS[: STREETS.index(street)] if case.street_dealt(one) is not None]
    if _lying(case, street, sign).off(street) == 0 and any(case.deal.off(one) for one in earlier):
        text = f"The {street} stands: with the wrong burn before it, it is what would have come"
        yield Option("stands", text, case.cite("burn_later_cards"))


def _acted_behind(case: Case) -> str:
    """Why the cards of a hand that is over stand: somebody could bet, so no burn is put right behind the award."""
    if case.in_hand or any(_in_time(case, street)[0] for street in STREETS if case.street_dealt(street)):
        return ""
    return "the pot is awarded and the cards stand"


def _no_end(case: Case, *, last: bool) -> bool:
    """Action stands behind the street, and the book sets no end to putting a burn right: a person may do it."""
    return case.in_hand and last and not case.own("burn_in_time") and not case.hand.betting_over


def _in_time(case: Case, street: Street) -> tuple[bool, str]:
    """Whether a burn error on the street can still be put right, and the rule (before action; all-in: before the
    pot is awarded, which the cards may have done before its chips were pushed)."""
    dealt = case.street_dealt(street)
    if not case.in_hand:
        return dealt is not None and not case.acted_since(dealt), case.cite("burn_all_in")
    if dealt is None and case.in_hand and case.hand.betting_over:
        return True, case.cite("burn_all_in")
    if dealt is None:
        return True, case.cite("burn_before_flop") if street is Street.FLOP else case.cite("burn_in_time")
    acted = case.acted_since(dealt)
    if case.in_hand and case.hand.betting_over and not acted:
        return True, case.cite("burn_all_in")
    return case.in_hand and not acted, case.cite("burn_in_time")


@incident("burn_missing", 31, "No card was burned", Group.BOARD, after_hand=True, unfit=_acted_behind)
def burn_missing(case: Case) -> Iterator[Option]:
    """In time the first card of the street is its burn; later it stands, and the card that would have been there
    comes off the deck unseen."""
    which = _which_street(case)
    if which:
        text, rule = "The first card of the street is its burn; one more is dealt", case.cite("burn_all_in")
        yield Option("corrected", text, rule, asks=which)
        return
    street = _said(case) or _wrongly_burned(case, -1) or _street(case, least=1)
    if made_up := tuple(_made_up(case, street, -1)):
        yield from made_up
        return
    lying, last = _as_it_lies(case, street, -1), _last_out(case, street)
    in_time, rule = _in_time(case, street)
    dealt = case.street_dealt(street)
    words, as_it_is = f"{'Acted upon' if case.in_hand else _PUSHED}: the {street} stands", lying
    if dealt is not None and last and street is not Street.RIVER:
        by = _wrong_by(lying, street, -1)
        words += f"; {('one card more comes', 'two cards more come')[-by - 1]} off unseen before the next burn"
        as_it_is = None if lying is None else lying.burned(_behind(street), -by)
    said = () if as_it_is in (None, case.deal) or not last else (Correct(as_it_is),)
    stands = Option("stands", words, case.cite("burn_later_cards"), said)
    late = not in_time and _no_end(case, last=last)
    if not in_time:
        yield stands
    lies_there = lying is not None or (dealt is not None and not case.deal.out)
    if (in_time or late) and lies_there:
        policy = case.policy("burn_error_before_flop") if street is Street.FLOP and last else ""
        anew = _flop_anew(case, lying, burned=policy == "fix_or_reshuffle")
        if policy in _RESHUFFLED:
            yield anew
        else:
            by = -_wrong_by(lying, street, -1)
            right = _laid_anew(case) if lying is None else Correct(lying.burned(street, by))
            text = f"The first card of the {street} is the burn; "
            more = "one more is dealt" if by == 1 else "another burn and one more are dealt"
            text += more if last else f"every card behind it counts one later, and {more}"
            steps = (*take_back_street(case, street), right)
            yield Option("corrected", text + _back(case, late), rule, steps)
            yield from (anew,) if policy is None and _silent_on_flop(case, lying) else ()
    if in_time and (case.hand.betting_over or not lies_there):  # all-in: only where the stub still tells the card
        yield stands


def _laid_anew(case: Case) -> Correct:
    """No shoe counts: one card of the street goes, one comes, and those between stay where they lie."""
    return Correct(case.deal, some_stay=True)


def _behind(street: Street) -> Street:
    return STREETS[STREETS.index(street) + 1]


def _silent_on_flop(case: Case, lying: Deal | None) -> bool:
    """Whether the book is silent about burns before a flop that lies there, and a person may have a new one dealt
    before its betting."""
    dealt, out = case.street_dealt(Street.FLOP), lying is not None or not case.deal.out
    acted = dealt is not None and case.acted_since(dealt)
    before = case.in_hand and not case.hand.betting_over and not acted
    return case.policy("burn_error_before_flop") is None and out and before


def _flop_anew(case: Case, lying: Deal | None, *, burned: bool = False) -> Option:
    """The flop goes back, and comes again out of the reshuffled stub. A book that is silent about burns before the
    flop has it as another book has it."""
    deal = case.deal if lying is None else lying
    anew = deal.again(Street.FLOP, () if lying is None else deal.street(Street.FLOP), burns=int(burned))
    steps = (*take_back_street(case, Street.FLOP), Correct(anew))
    silent = case.policy("burn_error_before_flop") is None
    rule = case.cite("burn_flop_by_another_book" if silent else "burn_flop_reshuffled")
    text = f"Flop back, reshuffle, {'burn and a new flop' if burned else 'a new flop without a burn'}"
    return Option("reshuffled", text, rule, steps)


def _back(case: Case, late: bool) -> str:
    """What goes back with the street, in words."""
    if late:
        return "; what was done behind it is taken back"
    return "" if case.in_hand else "; the pot was not pushed yet: its award is taken back"


@incident("burn_double", 32, "Two cards were burned", Group.BOARD, after_hand=True, unfit=_acted_behind)
def burn_double(case: Case) -> Iterator[Option]:
    """Of two burns one goes back as the next burn; in time, the board is what it would have been."""
    if case.two_before_four:
        yield from flop_overdeal(case)  # four cards lie behind the two burns: one remedy for both
        return
    which = _which_street(case)
    if which:
        text, rule = "The second burn belongs to the street", case.cite("burn_all_in")
        yield Option("corrected", text, rule, asks=which)
        return
    street = _said(case) or _wrongly_burned(case, 1) or _street(case, least=2)
    if made_up := tuple(_made_up(case, street, 1)):
        yield from made_up
        return
    lying, newest = _as_it_lies(case, street, 1), _last_out(case, street)
    in_time, rule = _in_time(case, street)
    if lying is None and case.street_dealt(street) is None:
        seen = (case.deal.out,) if case.deal.out > case.deal.hole_cards else ()
        one_back = Correct(case.deal.again(street, seen))
        yield Option("corrected", "One of the two burns goes back on the deck", rule, (one_back,))
        return
    later = _second_burn_stays(case, street, lying if newest else None)
    late = not in_time and _no_end(case, last=newest)
    if not in_time:
        yield later
    policy = case.policy("burn_error_before_flop") if street is Street.FLOP and newest else ""
    if in_time or late:
        if policy in _RESHUFFLED:
            yield _flop_anew(case, lying)
        elif lying is not None or not case.deal.out:  # no shoe: the street is laid out anew
            by = _wrong_by(lying, street, 1)
            behind = f"the last card {_next_burn(street)}" if newest else "every card behind it counts one earlier"
            right = _laid_anew(case) if lying is None else Correct(_right_way(lying, street, by))
            steps = (*take_back_street(case, street), right)
            text = f"The {_burn_too_many(lying, street)} belongs to the {street}; {behind}"
            if by > 1 and newest:
                text = (
                    f"The first burn belongs to the {street}; the other {_next_burn(street)}, the rest goes back"
                )
            yield Option("corrected", text + _back(case, late), rule, steps)
        if policy is None and _silent_on_flop(case, lying):
            yield _flop_anew(case, lying)
    by_example = street is not Street.RIVER and policy not in _RESHUFFLED  # of two burns one goes back
    if in_time and (case.hand.betting_over or by_example):
        yield later


def _second_burn_stays(case: Case, street: Street, lying: Deal | None) -> Option:
    """The street stands, and the burn too many is the one that comes next."""
    text = f"The {street} stands; the {_burn_too_many(lying, street)} {_next_burn(street)}"
    steps: tuple[Step, ...] = ()
    if lying is not None:
        first = lying.street(street)[0]
        deal = lying.lies(NEXT_BURN, first - 1)
        if _wrong_by(lying, street, 1) > 1:
            deal = deal.lies("aside", first - 2)
        steps = (Correct(deal if street is Street.RIVER else deal.burned(_behind(street), -1)),)
    return Option(
        "stands",
        text if case.in_hand else f"{_PUSHED}: the {street} stands",
        case.cite("burn_later_cards"),
        steps,
    )


def _right_way(lying: Deal, street: Street, by: int) -> Deal:
    """The street as it would have come; of two cards too many the last goes back on the deck."""
    deal = lying.burned(street, -by)
    last = lying.street(street)[-1]
    return deal if by == 1 else deal.lies(NEXT_BURN, last - 1).lies("stub", last)


def _wrong_by(lying: Deal | None, street: Street, sign: int) -> int:
    """How many burns too many (`sign` 1) or too few (-1) came up to the street: one, where nobody counted."""
    off = 0 if lying is None else lying.off(street) or 0
    return off if off * sign > 0 else sign


def _burn_too_many(lying: Deal | None, street: Street) -> str:
    """None was due behind a reshuffle: then it is the only one."""
    second = 0 if lying is None else lying.street(street)[0] - 1
    alone = lying is not None and second > 1 and lying.to(second - 1) != "burn"
    return "burn" if alone else "second burn"


def _next_burn(street: Street) -> str:
    return "goes back on the deck" if street is Street.RIVER else "is the next burn"


@incident("burn_exposed", 33, "A burn was exposed", Group.BOARD)
def burn_exposed(case: Case) -> Iterator[Option]:
    exposed: tuple[Step, ...] = (Push(ExposeCard("burn", case.card, (Source.CAMERA,))),) if case.card else ()
    kind = case.policy("exposed_burn")
    deal = case.deal
    burned = deal.places("burn")
    if kind == "burn_again" and (burned or not deal.out):
        size = len(case.hand.board)
        due = next(street for street in reversed(STREETS) if size >= BOARD_BEFORE[street])
        rule, text = case.cite("burn_exposed_again"), "Shown to all and set aside; another card is burned"
        if due is not Street.RIVER:
            text += "; behind the turn it is shuffled in, the river has no burn"
        if due is Street.TURN:
            rule = case.cite("burn_exposed_river")
        unburned = deal.lies("aside", *burned[-1:]).burned(Street.RIVER, -1).shuffled()
        yield Option("burn_again", text, rule, (*exposed, Correct(unburned.comes("burn"))))
        if due is Street.RIVER:
            text, rule = "Shown to all and shuffled in; the river has no burn", case.cite("burn_exposed_river")
            yield Option("shuffled_in", text, rule, (*exposed, Correct(unburned)))
        return
    shown = Record(
        Noticed("burn_shown", "An exposed burn may be seen by everyone", rule=case.cite("burn_exposed_shown"))
    )
    yield Option("shown", "Everyone may see it; it stays the burn", case.rule("exposed_burn"), (*exposed, shown))
