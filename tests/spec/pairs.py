"""Pairs of errors in one hand: the first is ruled on (first option) and settled, then the second happens.

`pair_cells()` yields, book by book, every ordered pair that can happen on different streets, then an error in
dealing a street followed by one in the betting on it; at the end the pairs on one street that
`pair_same_street` and `pair_premature` treat one by one.  `left_out()` names every ordered pair of kinds that
has no cell on different streets and says why.
"""

from __future__ import annotations

from collections.abc import Iterator

from tests.spec.cell import Cell, for_devices
from tests.spec.effects import Misdeal
from tests.spec.pair_base import POINTS, CannotMeet, Happened, Kind, Point
from tests.spec.pair_hand import Hand
from tests.spec.pair_kinds import DEALING, FACTS_OF, KINDS
from tests.spec.pair_premature import premature_and_wrong_cells
from tests.spec.pair_same_street import same_street_cells
from tests.spec.situation import BOOKS, POSTFLOP, Book, Street

INCIDENT = "pair"

NO_LATER_POINT = "the second error has its place before the first one, or at the same point of the hand"
VOID = "the first error voids the deal, so no second one can happen in that hand"


def placed(first: Kind, second: Kind) -> tuple[Point, Point] | None:
    """Where the two errors are put: the first as early as it can be, the second on the next street it can
    be on."""
    at = first.points[0]
    for point in second.points:
        if POINTS.index(point) > POINTS.index(at):
            return at, point
    return None


def pair_cells() -> Iterator[Cell]:
    """All pairs, in a fixed order."""
    for book in BOOKS:
        for first in KINDS:
            for second in KINDS:
                try:
                    cell = _pair(book, first, second)
                except CannotMeet:
                    continue
                yield from for_devices(cell, ("all",))
        for cell in _dealt_wrong_then_bet_wrong(book):
            yield from for_devices(cell, ("all",))
    for cell in (*same_street_cells(), *premature_and_wrong_cells()):
        yield from for_devices(cell, ("all",))


def left_out() -> dict[tuple[Book, str, str], str]:
    """Every ordered pair of kinds without a cell, by book, with the reason."""
    reasons: dict[tuple[Book, str, str], str] = {}
    for book in BOOKS:
        for first in KINDS:
            for second in KINDS:
                try:
                    _pair(book, first, second)
                except CannotMeet as why:
                    reasons[book, first.name, second.name] = str(why)
    return reasons


def _pair(book: Book, first: Kind, second: Kind) -> Cell:
    """One pair, or `CannotMeet`."""
    points = placed(first, second)
    if points is None:
        raise CannotMeet(NO_LATER_POINT)
    hand = Hand(book)
    happened = _walk(hand, {points[0]: first, points[1]: second})
    name = f"{INCIDENT}/{book}/{first.name} ({points[0]}), then {second.name} ({points[1]})"
    return Cell(
        name, INCIDENT, hand.table, tuple(hand.steps), happened.expect, happened.later, _facts(first, second)
    )


def _facts(first: Kind, second: Kind) -> tuple[str, ...]:
    """What the two rulings rest on, each fact once."""
    return tuple(dict.fromkeys((*FACTS_OF[first.name], *FACTS_OF[second.name])))


def _dealt_wrong_then_bet_wrong(book: Book) -> Iterator[Cell]:
    """A street dealt wrong and put right, then an error in the betting on the same street."""
    for first in KINDS:
        for second in KINDS:
            street = first.points[0]
            if first.name not in DEALING or second.name in DEALING or street not in second.points:
                continue
            hand = Hand(book)
            hand.limp_round()
            for earlier in POSTFLOP:
                if earlier == street:
                    happened = _happen(hand, first, earlier)
                    hand.keep_open = True
                    _settle(hand, happened)
                    happened = second.happen(hand, earlier)
                    name = f"{INCIDENT}/{book}/{first.name} ({street}), then {second.name} (same street)"
                    yield Cell(
                        name,
                        INCIDENT,
                        hand.table,
                        tuple(hand.steps),
                        happened.expect,
                        happened.later,
                        _facts(first, second),
                    )
                    break
                hand.sweep()
                hand.deal(earlier)
                hand.check_round(earlier)


def _walk(hand: Hand, errors: dict[Point, Kind]) -> Happened:
    """Plays the hand up to the second error; the first one is ruled on and settled on the way."""
    first_point, second_point = errors
    if first_point == "deal":
        _settle(hand, errors["deal"].happen(hand, "preflop"))
    hand.limp_round()
    for street in POSTFLOP:
        if street == "river" and second_point == "showdown":
            return _showdown(hand, errors)
        if street not in errors:
            hand.sweep()
            hand.deal(street)
            hand.check_round(street)
            continue
        happened = _happen(hand, errors[street], street)
        if street == second_point:
            return happened
        _settle(hand, happened)
    raise CannotMeet(NO_LATER_POINT)


def _happen(hand: Hand, kind: Kind, street: Street) -> Happened:
    """The error on its street; premature cards come while the street before is not complete."""
    if not kind.name.startswith("premature"):
        hand.sweep()
    if kind.name not in DEALING:
        hand.deal(street)
    return kind.happen(hand, street)


def _settle(hand: Hand, happened: Happened) -> None:
    """The first option is ruled, and the street is played to its end."""
    if isinstance(happened.expect.options[0].effects[0], Misdeal):
        raise CannotMeet(VOID)
    hand.rule(happened.expect)
    happened.settle()


def _showdown(hand: Hand, errors: dict[Point, Kind]) -> Happened:
    """The second error is at the showdown; the first one may be on the river, while it is dealt."""
    if "river" in errors:
        happened = _happen(hand, errors["river"], "river")
        hand.keep_open = True
        _settle(hand, happened)
    else:
        hand.sweep()
        hand.deal("river")
    return errors["showdown"].happen(hand, "river")
