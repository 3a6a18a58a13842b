"""Two seats act out of turn one after the other, and skipped seats that stop the action with "time".

After the flop with button 1: seat 2 is skipped by seats 3 and 4; or seat 2 has bet and seat 3 is skipped by 4
and 5.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tests.spec.books import OUT_OF_TURN_IS_IMPROPER, SKIPPED_MAY_ACT
from tests.spec.cell import Cell, Expect, Later, Option, for_devices, ruled
from tests.spec.effects import Binds, LosesRightToAct, MustCall, MustCheck, PenaltyFor, TurnGoesTo, Unbinds, Waits
from tests.spec.incidents.out_of_turn import FACTS, words
from tests.spec.incidents.out_of_turn_rules import Offence, at_own_turn, changes_action
from tests.spec.play import up_to
from tests.spec.situation import (
    BOOKS,
    POSTFLOP,
    Act,
    Acts,
    ActsOutOfTurn,
    Book,
    CallsTime,
    FloorIsTold,
    IsRuled,
    Street,
    Table,
)

INCIDENT = "two-out-of-turn"

Offer = tuple[Act, int | None]
UNOPENED: tuple[tuple[Offer, Offer], ...] = (
    (("check", None), ("check", None)),
    (("check", None), ("bet", 300)),
    (("bet", 300), ("call", 300)),
    (("bet", 300), ("raise", 900)),
)
OPENED: tuple[tuple[Offer, Offer], ...] = (
    (("call", 200), ("call", 200)),
    (("raise", 600), ("call", 600)),
)

ACTIONS_BEHIND_TO_LOSE_TURN: dict[Book, int | None] = {"ccp": None, "cpp": None, "wfp": 3, "home": 2, "rpl": 3}


def cells() -> Iterator[Cell]:
    """Two offences in a row, then seats skipped by one, two and three acts."""
    for book in BOOKS:
        for street in POSTFLOP:
            for lead, skipped, pairs in (((), 2, UNOPENED), ((Acts(2, "bet", 200),), 3, OPENED)):
                for first, second in pairs:
                    for cell in _two(book, street, lead, skipped, first, second):
                        yield from for_devices(cell, ("keys", "all"))
        for behind in (1, 2, 3):
            yield from for_devices(_skipped(book, behind))


def _two(
    book: Book, street: Street, lead: tuple[Acts, ...], skipped: int, first: Offer, second: Offer
) -> Iterator[Cell]:
    table = Table(book)
    one, two = table.left_of(skipped), table.left_of(skipped, 2)
    facing = 200 if lead else 0
    steps = (
        *up_to(table, street),
        *lead,
        ActsOutOfTurn(one, *first),
        ActsOutOfTurn(two, *second),
        FloorIsTold("out of turn", one),
    )
    offence = Offence(book, one, first[0], first[1], "said", facing, (skipped,))
    name = f"{INCIDENT}/{book}/{street}/{one} {first[0]} and {two} {second[0]}"
    for since in _since(skipped, bool(lead)):
        expect = turn_of_skipped(book, skipped, acts_behind=2, offenders=(one, two))
        later = (
            Later((ruled(expect), *since), at_own_turn(offence, since)),
            _second(ruled(expect), book, (one, two), first, second, since, facing),
        )
        yield Cell(f"{name}/{words(since)}", INCIDENT, table, steps, expect, later, FACTS)


def _since(skipped: int, facing: bool) -> tuple[tuple[Acts, ...], ...]:
    if facing:
        return ((Acts(skipped, "fold"),), (Acts(skipped, "call", 200),), (Acts(skipped, "raise", 700),))
    return ((Acts(skipped, "check"),), (Acts(skipped, "fold"),), (Acts(skipped, "bet", 200),))


def _second(
    turn_given_back: IsRuled,
    book: Book,
    seats: tuple[int, int],
    first: Offer,
    second: Offer,
    since: tuple[Acts, ...],
    facing: int,
) -> Later:
    """What holds for the second offender, once the first one has folded in turn.

    The first offender is ruled on first, under the first option of its own ruling.  If that binds it, its act is
    repeated in turn; otherwise it folds, or checks where it can.
    """
    one, two = seats
    offence = Offence(book, one, first[0], first[1], "said", facing, (since[0].seat,))
    own = at_own_turn(offence, since)
    bound = _act_in_turn(own, one, first, since)
    between = (*since, bound)
    facing_now = max([facing, first[1] or 0])
    other = Offence(book, two, second[0], second[1], "said", facing_now, (since[0].seat, one))
    judged = at_own_turn(other, between)
    stands = bound == Acts(one, *first)
    if stands and bound.act in ("bet", "call", "raise"):
        judged = _open_because_bound(other, since, bound)
    elif not stands and first[0] == "bet" and second[0] in ("call", "raise") and not changes_action(between):
        judged = _rests_on_nothing(two)
    return Later((turn_given_back, *since, ruled(own), bound), judged)


def _act_in_turn(own: Expect, seat: int, first: Offer, since: tuple[Acts, ...]) -> Acts:
    """The act of the first offender in turn under the first option of its ruling."""
    facing = max([act.to or 0 for act in since], default=0)
    match own.options[0].effects[0]:
        case Binds():
            return Acts(seat, *first)
        case MustCall(to=to):
            return Acts(seat, "call", to)
        case MustCheck():
            return Acts(seat, "check")
    if not facing and first[0] in ("check", "bet"):
        return Acts(seat, "check")
    return Acts(seat, "fold")


def _open_because_bound(other: Offence, since: tuple[Acts, ...], bound: Acts) -> Expect:
    """The first offender's act now counts as made in turn, but it was made before the second offence."""
    unchanged = at_own_turn(other, (*since, Acts(bound.seat, "fold")))
    changed = at_own_turn(other, (*since, bound))
    more = tuple(option for option in changed.options if option not in unchanged.options)
    word = "'acting after the infraction': the bound act was made before it"
    return replace(unchanged, options=unchanged.options + more, open_words=(*unchanged.open_words, word))


def _rests_on_nothing(seat: int) -> Expect:
    """The home book turned the first bet into a check, so the second offender's call or raise has nothing
    to answer."""
    options = (
        Option((MustCheck(seat),), ("home.betting.10",), "read as: the player directly before it checks"),
        Option((Unbinds(seat),), ("home.betting.9b",), "the bet that it answered does not stand"),
    )
    return Expect(options, ("no word on a call or raise of a bet that becomes a check",))


def turn_of_skipped(book: Book, skipped: int, acts_behind: int, offenders: tuple[int, ...]) -> Expect:
    """Whether a seat that was passed over by so many acts still has its turn."""
    keeps = Option((TurnGoesTo(skipped), *map(Waits, offenders)), SKIPPED_MAY_ACT[book], by_default=book == "cpp")
    may = tuple(PenaltyFor(seat) for seat in offenders) if OUT_OF_TURN_IS_IMPROPER[book] else ()
    limit = ACTIONS_BEHIND_TO_LOSE_TURN[book]
    if limit is None:
        default = Option((LosesRightToAct(skipped),), ("wfp.betting.8",), by_default=True)
        silence = "no rule on a seat that is passed over"
        return Expect((keeps, default) if acts_behind >= 3 else (keeps,), (silence,), may)
    if acts_behind < limit:
        return Expect((keeps,), (), may)
    lost = Option((LosesRightToAct(skipped),), SKIPPED_MAY_ACT[book])
    what = "'to retain the right to act'" if book == "home" else "'may cause you to lose the right to act'"
    return Expect((keeps, lost), (what, "what becomes of that hand is not said"), may)


def _skipped(book: Book, behind: int) -> Cell:
    """Seat 2 is first to act on the flop; so many seats check behind it before it calls time."""
    table = Table(book)
    offenders = tuple(table.left_of(2, place) for place in range(1, behind + 1))
    steps = (
        *up_to(table, "flop"),
        *(ActsOutOfTurn(seat, "check") for seat in offenders),
        CallsTime(2),
        FloorIsTold("skipped", 2),
    )
    expect = turn_of_skipped(book, 2, behind, offenders)
    return Cell(f"skipped/{book}/flop/{behind} checks behind", "skipped", table, steps, expect, (), FACTS)
