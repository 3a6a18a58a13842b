"""Errors of the board: burns, streets before their time, a flop of four, with their redeals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from table_core.messages import UNKNOWN_CARD, ExposeCard, Moved, Noticed, Source, Street
from table_core.rulings.case import Case, Correct, Option, Push, Record, Step, TakeBack
from table_core.rulings.register import Group, incident

STREETS = (Street.FLOP, Street.TURN, Street.RIVER)
_BOARD_BEFORE = {Street.FLOP: 0, Street.TURN: 3, Street.RIVER: 4}
_NEW = {Street.FLOP: 3, Street.TURN: 1, Street.RIVER: 1}
_RESHUFFLED = ("fix_or_reshuffle", "fix_or_redeal")  # once its cards are seen; a redealt flop has no burn
_WHOLE, _FOUR = 5, 4  # cards: of the board, of a flop with one too many
_COUNTED = {1: "first", 2: "second", 3: "third", 4: "fourth"}
_PUSHED = "The pot was pushed before it was said"
_AFTER = {  # what follows a street when nothing goes wrong
    Street.FLOP: ("burn", "board", "burn", "board"),
    Street.TURN: ("burn", "board"),
    Street.RIVER: (),
}


def _street(case: Case, *, least: int) -> Street:
    """The street that the error is about: as it was said or `cause` says, else the one dealt last, or the next one
    where at least so many cards left the deck behind it and nobody is to act."""
    said = _said(case)
    if said is not None:
        return said
    if case.cause in set(STREETS):
        return Street(case.cause)
    size = len(case.hand.board)
    dealt = [street for street in STREETS if _BOARD_BEFORE[street] < size]
    if not dealt or (dealt[-1] is not Street.RIVER and not case.betting_open and _since(case, size) >= least):
        return STREETS[len(dealt)]
    return dealt[-1]


def _said(case: Case) -> Street | None:
    """The street that a person named by its last card: 3 the flop, 4 the turn, 5 the river."""
    named = {_BOARD_BEFORE[street] + _NEW[street]: street for street in STREETS}
    street = named.get(case.amount or 0)
    return street if street is not None and len(case.hand.board) > _BOARD_BEFORE[street] else None


def _which_street(case: Case) -> str:
    """What must be asked where the error can still be put right on several streets, and no device saw on which."""
    out = [street for street in STREETS if case.street_dealt(street) is not None and _in_time(case, street)[0]]
    if case.cause or case.dealt or _said(case) is not None or len(out) < 2:
        return ""
    numbers = ", ".join(f"{_BOARD_BEFORE[street] + _NEW[street]} {street}" for street in out)
    return f"On which street? {numbers}: number, COUNT"


def _shifted(case: Case, first: int, pattern: Sequence[str]) -> tuple[tuple[Moved, ...], tuple[str, ...]]:
    """Where the cards from place `first` on belong when `pattern` comes from there, and what the deck gives then;
    a card too many goes back to the stub."""
    places = range(first, case.dealt + 1)
    where = (*pattern, *("stub",) * len(places))
    moved = tuple([Moved(place, to) for place, to in zip(places, where, strict=False)])
    return moved, tuple(pattern[len(places) :])


def _last_out(case: Case, street: Street) -> bool:
    """No street behind this one has been dealt."""
    return len(case.hand.board) <= _BOARD_BEFORE[street] + _NEW[street]


def _since(case: Case, size: int) -> int:
    """How many cards have left the deck since a board of `size` was out."""
    board = case.places_to("board")
    out = case.hole_cards if not size else board[size - 1] if len(board) >= size else case.dealt
    return max(case.dealt - out, 0)


def _places_of(case: Case, street: Street) -> list[int]:
    """Places of the board cards of a street that have left the deck."""
    first = _BOARD_BEFORE[street]
    return case.places_to("board")[first : first + _NEW[street]]


def _turned_up(case: Case, street: Street, *, burns: int) -> list[int]:
    """The places where the cards of a street lie, none while not all of them are out. Where only the shoe speaks
    of them they are the last that left the deck, behind so many `burns`."""
    known = case.street_dealt(street) is not None or len(case.seen_board) > _BOARD_BEFORE[street]
    if known:
        places = _places_of(case, street)
        if len(places) == _NEW[street]:
            return places
    out = _since(case, _BOARD_BEFORE[street]) == burns + _NEW[street]
    by_count = case.street_dealt(street) is not None if known else not case.betting_open
    return [*range(case.dealt - _NEW[street] + 1, case.dealt + 1)] if out and by_count else []


def _take_back_street(case: Case, street: Street) -> tuple[Step, ...]:
    dealt = case.street_dealt(street)
    return () if dealt is None else (TakeBack(dealt.seq),)


def _wrongly_burned(case: Case, off: int) -> Street | None:
    """The first street whose cards came `off` places too late by the shoe's count, or too early: one that can be
    put right before one that cannot, for that one's error was to be made up for since."""
    wrong = [street for street in STREETS if _off(case, street) == off]
    return next((street for street in wrong if _in_time(case, street)[0]), wrong[0] if wrong else None)


def _off(case: Case, street: Street) -> int | None:
    """How many cards more than due were burned up to a street, by the shoe's count: 0 where its cards are those
    that would have come, also behind a wrong burn that was made up for. None where none of it is out. A card that
    never passed came in the place of its burn. Behind a reshuffle each street counts by itself."""
    places, due = _places_of(case, street), STREETS.index(street) + 1
    if not places:
        return None
    before = case.order[: places[0] - 1]
    if any(one.reshuffled for one in case.table.corrections()):
        return next((no for no, to in enumerate(reversed(before)) if to != "burn"), len(before)) - 1
    never = sum(place <= places[-1] for place in case.never_passed if case.order[place - 1] == "board")
    return before.count("burn") + before.count("next burn") - never - due


def _made_up(case: Case, street: Street) -> Iterator[Option]:
    """The burns before the street make up for a wrong burn before an earlier one that stood."""
    earlier = [one for one in STREETS[: STREETS.index(street)] if case.street_dealt(one) is not None]
    if _off(case, street) == 0 and any(_off(case, one) for one in earlier):
        text = f"The {street} stands: with the wrong burn before it, it is what would have come"
        yield Option("stands", text, case.cite("burn_later_cards"))


def _acted_behind(case: Case) -> str:
    """Why the cards of a hand that is over stand: somebody could bet, so no burn is put right behind the award."""
    if case.in_hand or any(_in_time(case, street)[0] for street in STREETS if case.street_dealt(street)):
        return ""
    return "the pot is awarded and the cards stand"


def _no_end(case: Case, *, last: bool) -> bool:
    """Action stands behind the street, and the book sets no end to putting a burn right: a person may do it."""
    own = case.cite("burn_in_time").partition(".")[0] == case.book.id
    return case.in_hand and last and not own and not case.hand.betting_over


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
    if made_up := tuple(_made_up(case, street)):
        yield from made_up
        return
    up, last = _turned_up(case, street, burns=0), _last_out(case, street)
    in_time, rule = _in_time(case, street)
    dealt = case.street_dealt(street)
    comes_off = dealt is not None and last and street is not Street.RIVER
    moved = tuple([Moved(place, "board") for place in up if case.order[place - 1] != "board"])
    off = (Correct(("burn", *_AFTER[street]), moved),) if comes_off and up else ()
    words = "; one card more comes off unseen before the next burn" if comes_off else ""
    why = "Acted upon" if case.in_hand else _PUSHED
    stands = Option("stands", f"{why}: the {street} stands{words}", case.cite("burn_later_cards"), off)
    late = not in_time and _no_end(case, last=last)
    if not in_time:
        yield stands
    if not (in_time or late) or not (up or (dealt is not None and not case.dealt)):
        if in_time:
            yield stands
        return
    reshuffled = street is Street.FLOP and last
    policy = case.policy("burn_error_before_flop")
    anew = _flop_anew(case, up, burned=policy == "fix_or_reshuffle")
    if reshuffled and policy in _RESHUFFLED:
        yield anew
    else:
        moved = (*[Moved(place, "burn") for place in up[:1]], *[Moved(place, "board") for place in up[1:]])
        rest: tuple[str, ...] = ("board", *_AFTER[street])
        text = f"The first card of the {street} is the burn; "
        if up and not last:
            moved, rest = _shifted(case, up[0], ("burn", *("board",) * _NEW[street], *_AFTER[street]))
        steps = (*_take_back_street(case, street), Correct(rest, moved, reshuffled=not up))  # unseen: barred
        text += "one more is dealt" if last else "every card behind it counts one later, and one more is dealt"
        yield Option("corrected", text + _back(case, late), rule, steps)
        yield from (anew,) if reshuffled and _silent_on_flop(case, up) else ()
    if in_time:
        yield stands


def _silent_on_flop(case: Case, up: Sequence[int]) -> bool:
    """Whether the book is silent about burns before a flop that lies there, and a person may have a new one dealt
    before its betting."""
    dealt, out = case.street_dealt(Street.FLOP), bool(up) or not case.dealt
    acted = dealt is not None and case.acted_since(dealt)
    before = case.in_hand and not case.hand.betting_over and not acted
    return case.policy("burn_error_before_flop") is None and out and before


def _flop_anew(case: Case, up: Sequence[int], *, burned: bool = False) -> Option:
    """The flop at these places goes back, and comes again out of the reshuffled stub. A book that is silent about
    burns before the flop has it as another book has it."""
    moved = tuple([Moved(place, "stub") for place in up])
    rest = (*("burn",) * burned, *("board",) * 3, *_AFTER[Street.FLOP])
    steps = (*_take_back_street(case, Street.FLOP), Correct(rest, moved, reshuffled=True))
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
    if _second_burn(case):
        yield from flop_overdeal(case)  # four cards lie behind the two burns: one remedy for both
        return
    which = _which_street(case)
    if which:
        text, rule = "The second burn belongs to the street", case.cite("burn_all_in")
        yield Option("corrected", text, rule, asks=which)
        return
    street = _said(case) or _wrongly_burned(case, 1) or _street(case, least=2)
    if made_up := tuple(_made_up(case, street)):
        yield from made_up
        return
    up, newest = _turned_up(case, street, burns=2), _last_out(case, street)
    second = up[0] - 1 if up else case.dealt
    alone = bool(up) and second > 1 and case.order[second - 2] != "burn"  # none was due behind a reshuffle
    burn = "burn" if alone else "second burn"
    in_time, rule = _in_time(case, street)
    if not up and case.street_dealt(street) is None:
        rest = (*("board",) * _NEW[street], *_AFTER[street])
        moved: tuple[Moved, ...] = (Moved(second, "stub"),) if second > case.hole_cards else ()  # else unseen
        steps: tuple[Step, ...] = (Correct(rest, moved, reshuffled=True),)
        yield Option("corrected", "One of the two burns goes back on the deck", rule, steps)
        return
    rest = _AFTER[street][1:]
    last, where = ("burn", "is the next burn") if rest else ("stub", "goes back on the deck")
    stay = tuple([Moved(place, "board") for place in up]) if case.street_dealt(street) is None else ()
    later = Option(
        "stands",
        f"The {street} stands; the {burn} {where}" if case.in_hand else f"{_PUSHED}: the {street} stands",
        case.cite("burn_later_cards"),
        (Correct(rest, (Moved(second, "next burn"), *stay)),) if up and newest else (),
    )
    late = not in_time and _no_end(case, last=newest)
    if not in_time:
        yield later
    if not in_time and not late:
        return
    if street is Street.FLOP and newest and case.policy("burn_error_before_flop") in _RESHUFFLED:
        yield _flop_anew(case, up)
    elif up:
        moved = (Moved(second, "board"), *stay, Moved(up[-1], last))
        text = f"The {burn} belongs to the {street}; the last card {where}"
        if not newest:
            moved, rest = _shifted(case, second, (*("board",) * _NEW[street], *_AFTER[street]))
            text = f"The {burn} belongs to the {street}; every card behind it counts one earlier"
        steps = (*_take_back_street(case, street), Correct(rest, moved))
        yield Option("corrected", text + _back(case, late), rule, steps)
    elif not case.dealt:  # no shoe: the street is laid out anew
        steps = (*_take_back_street(case, street), Correct(rest, reshuffled=True))
        text = f"The {burn} belongs to the {street}; the last card {where}"
        yield Option("corrected", text + _back(case, late), rule, steps)
    if street is Street.FLOP and newest and _silent_on_flop(case, up):
        yield _flop_anew(case, up)
    if in_time:
        yield later


@incident("burn_exposed", 33, "A burn was exposed", Group.BOARD)
def burn_exposed(case: Case) -> Iterator[Option]:
    exposed: tuple[Step, ...] = (Push(ExposeCard("burn", case.card, (Source.CAMERA,))),) if case.card else ()
    kind = case.policy("exposed_burn")
    burned = case.places_to("burn")
    if kind == "burn_again" and (burned or not case.dealt):
        moved = tuple([Moved(place, "aside") for place in burned[-1:] if case.dealt])
        size = len(case.hand.board)
        due = next(street for street in reversed(STREETS) if size >= _BOARD_BEFORE[street])
        unburned = _river_unburned(case.rest if case.dealt else (*("board",) * _NEW[due], *_AFTER[due]))
        rule, text = case.cite("burn_exposed_again"), "Shown to all and set aside; another card is burned"
        if due is not Street.RIVER:
            text += "; behind the turn it is shuffled in, the river has no burn"
        if due is Street.TURN:
            rule = case.cite("burn_exposed_river")
        again = Correct(("burn", *unburned), moved, reshuffled=True)
        yield Option("burn_again", text, rule, (*exposed, again))
        if due is Street.RIVER:
            text, rule = "Shown to all and shuffled in; the river has no burn", case.cite("burn_exposed_river")
            yield Option("shuffled_in", text, rule, (*exposed, Correct(unburned, moved, reshuffled=True)))
        return
    shown = Record(
        Noticed("burn_shown", "An exposed burn may be seen by everyone", rule=case.cite("burn_exposed_shown"))
    )
    yield Option("shown", "Everyone may see it; it stays the burn", case.rule("exposed_burn"), (*exposed, shown))


def _river_unburned(rest: Sequence[str]) -> tuple[str, ...]:
    """What comes when a burn that was shown is shuffled in behind the turn: the river has no burn."""
    before, burn, river = rest[:-2], rest[-2:-1], rest[-1:]
    return (*before, *[to for to in burn if to != "burn"], *river)


def _no_flop(case: Case) -> str:
    return "" if _four_places(case) or _flop_may_lie(case) else "no flop is due yet"


@incident("flop_overdeal", 34, "The flop has four cards", Group.BOARD, unfit=_no_flop)
def flop_overdeal(case: Case) -> Iterator[Option]:
    """The fourth card is the next burn (wfp.irregularities.19), one that is drawn (tda.39), or all are dealt again
    (ccp.irregularities.17). What was done on a flop of which three stay stands; streets that ran out behind it
    are those that would have come."""
    four, second, flop = _four_places(case), _second_burn(case), case.street_dealt(Street.FLOP)
    rule = case.rule("flop_overdeal")
    if len(case.hand.board) > _NEW[Street.FLOP] and flop is not None and case.acted_since(flop):
        yield Option("stands", "The turn is out: the hand is played on", case.cite("in_time"))
    if case.policy("flop_overdeal") == "redeal":
        first = min((*second, *four), default=case.dealt + 1)
        moved = tuple([Moved(place, "stub") for place in range(first, case.dealt + 1)])
        again = Correct(("board",) * 3 + _AFTER[Street.FLOP], moved, reshuffled=True)
        text = "All four go back, the burn stays, shuffle, a new flop without a burn"
        yield Option("redeal", text, rule, (*_take_back_street(case, Street.FLOP), again))
        return
    drawn = not case.own("flop_overdeal") or rule.startswith("tda.")
    if not four:
        fourth = "The fourth card is shown and is the next burn"
        text = "One of the four is drawn and is the next burn; three stay" if drawn else fourth
        yield Option("burn_4", text, rule, _behind_four(case, 4))
        return
    behind, rest = _shifted(case, four[-1] + 1, _AFTER[Street.FLOP][1:])
    for number in (4, 3, 2, 1) if drawn else (4,):
        stays = [Moved(place, "burn") for place in second]
        lie = [Moved(place, "board") for place in four]
        moved = (*stays, *lie, Moved(four[number - 1], "burn"), *behind)
        which = _COUNTED[number]
        text = f"The four are scrambled: the {which} was drawn and is the next burn"
        if not drawn:
            text = f"The {which} card is shown and is the next burn"
        steps = (*_behind_four(case, number), Correct(rest, moved))
        yield Option(f"burn_{number}", text, rule, steps, drawn=drawn)


def _behind_four(case: Case, number: int) -> tuple[Step, ...]:
    """What is taken back where the fourth, or another, of a flop of four is the next burn: the turn, and the flop
    where that card was dealt as one of it."""
    unread = set(case.hand.board[: _NEW[Street.FLOP]]) == {UNKNOWN_CARD}
    return _take_back_street(case, Street.TURN if number == _FOUR or unread else Street.FLOP)


def _four_places(case: Case) -> list[int]:
    """Places of the four cards, the one that came after the flop the last; none where the shoe does not know
    them."""
    if case.two_before_four:
        return list(range(case.dealt - _NEW[Street.FLOP], case.dealt + 1))
    flop = case.places_to("board")[: _NEW[Street.FLOP]]
    return [*flop, flop[-1] + 1] if len(flop) == _NEW[Street.FLOP] and case.dealt > flop[-1] else []


def _second_burn(case: Case) -> list[int]:
    """The place of a second burn before a flop of four that lies there."""
    return [case.dealt - _NEW[Street.FLOP] - 1] if case.two_before_four else []


def _flop_may_lie(case: Case) -> bool:
    """Four cards can lie there although no shoe spoke of them: the flop is due or dealt, or the camera sees it."""
    size = _NEW[Street.FLOP]
    return case.street_dealt(Street.FLOP) is not None or case.hand.awaiting_board or len(case.seen_board) >= size


def _too_early(case: Case) -> tuple[Street, list[int]]:
    """The street that came before its betting, and where its cards are: the newest ones, with a burn or without.
    Where the betting is over and more lies there than the street that is due, it is the one behind that."""
    size = len(case.hand.board)
    street, *later = [street for street in STREETS if _BOARD_BEFORE[street] >= size] or [Street.RIVER]
    if later and case.hand.awaiting_board and not case.hand.betting_over:
        due = _places_of(case, street)
        if not case.dealt or (len(due) == _NEW[street] and case.dealt > due[-1]):
            street, size = later[0], size + _NEW[street]
    new, out = _NEW[street], _since(case, size)
    if street is Street.FLOP and _FOUR in (len(case.seen_board), out - 1):
        new = _FOUR  # a flop of four goes back as one
    if size < _WHOLE and out in (new, new + 1):
        return street, [*range(case.dealt - new + 1, case.dealt + 1)]
    return street, _places_of(case, street)


@incident("board_premature", 35, "The board came too early", Group.BOARD)
def board_premature(case: Case) -> Iterator[Option]:
    """Cards turned before the betting is over cannot be used; betting is finished, then the error is fixed."""
    street, early = _too_early(case)
    if not early and (case.dealt or not case.in_hand or case.street_dealt(street)):
        return
    moved = tuple([Moved(place, "barred") for place in early])
    rest, reshuffled, key = {
        Street.FLOP: (("board",) * 3 + _AFTER[Street.FLOP], True, "redeal_flop"),
        Street.TURN: (("burn", "board", "board"), True, "redeal_turn"),
        Street.RIVER: (("board",), True, "redeal_river"),
    }[street]
    text = {
        Street.FLOP: "Flop barred; after the betting it goes back, the burn stays, a new flop without a burn",
        Street.TURN: "Turn barred; the river card is the turn, the river comes from the reshuffled stub",
        Street.RIVER: "River barred; it is shuffled in, a new river without a burn",
    }[street]
    rule, redeal = case.cite("board_premature"), case.cite(key)
    if redeal.partition(".")[0] != rule.partition(".")[0]:  # a book that bars the cards and says no more
        barred, _, practice = text.partition("; ")
        text = (
            f"{barred}: it does not play. Your book does not say how it is dealt again; usual practice: {practice}"
        )
    notice = Record(Noticed("redeal", text, rule=redeal))
    yield Option("barred", text, rule, (Correct(rest, moved, reshuffled), notice))
