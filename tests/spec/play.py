"""Error-free play that leads a table to the point where an error happens."""

from __future__ import annotations

from tests.spec.situation import POSTFLOP, STREETS, Acts, Deals, Step, Street, Table


def order(table: Table, street: Street) -> tuple[int, ...]:
    """All seats in their order of action on a street.

    >>> order(Table("wfp"), "preflop"), order(Table("wfp"), "flop")
    ((4, 5, 1, 2, 3), (2, 3, 4, 5, 1))
    """
    first = table.left_of(table.big_blind_seat if street == "preflop" else table.button)
    return tuple(table.left_of(first, place) for place in range(len(table.stacks)))


def limps(table: Table, seats: tuple[int, ...] | None = None) -> tuple[Acts, ...]:
    """Preflop everybody in `seats` (all by default) calls, the big blind checks, the others fold."""
    playing = table.seats if seats is None else seats
    return tuple(_limp(table, seat, seat in playing) for seat in order(table, "preflop"))


def _limp(table: Table, seat: int, plays: bool) -> Acts:
    if not plays:
        return Acts(seat, "fold")
    return Acts(seat, "check") if seat == table.big_blind_seat else Acts(seat, "call", table.big_blind)


def checks(table: Table, street: Street, seats: tuple[int, ...] | None = None) -> tuple[Acts, ...]:
    """On a street after the flop everybody in `seats` (all by default) checks."""
    playing = table.seats if seats is None else seats
    return tuple(Acts(seat, "check") for seat in order(table, street) if seat in playing)


def round_without_raise(table: Table, street: Street, seats: tuple[int, ...] | None = None) -> tuple[Acts, ...]:
    """A complete betting round of calls and checks."""
    return limps(table, seats) if street == "preflop" else checks(table, street, seats)


def up_to(table: Table, street: Street, seats: tuple[int, ...] | None = None) -> tuple[Step, ...]:
    """All steps until the street is dealt and its first seat is to act; nobody bets, `seats` stay in."""
    return before_deal(table, street, seats) + ((Deals(street),) if street != "preflop" else ())


def before_deal(table: Table, street: Street, seats: tuple[int, ...] | None = None) -> tuple[Step, ...]:
    """All steps until betting before the street is complete and the street is about to be dealt."""
    steps: list[Step] = []
    for earlier in STREETS[: STREETS.index(street)]:
        if earlier != "preflop":
            steps.append(Deals(earlier))
        steps.extend(round_without_raise(table, earlier, seats))
    return tuple(steps)


def previous(street: Street) -> Street:
    """The street before one after the flop, or before the flop."""
    return STREETS[STREETS.index(street) - 1]


def normal_burn(street: Street) -> int:
    """Place in the stub of the burn of a street dealt without any error."""
    return {"flop": 1, "turn": 5, "river": 7}[street]


def normal_cards(street: Street) -> tuple[int, ...]:
    """Places in the stub of the board cards that a street brings without any error."""
    return {"flop": (2, 3, 4), "turn": (6,), "river": (8,)}[street]


def board_after(street: Street) -> tuple[int, ...]:
    """Places in the stub of the whole board after a street, without any error."""
    if street == "preflop":
        return ()
    upto = POSTFLOP.index(street) + 1
    return tuple(card for name in POSTFLOP[:upto] for card in normal_cards(name))
