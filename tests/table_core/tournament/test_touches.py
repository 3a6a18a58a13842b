"""What events touch: each kind is classified, and an undo touches what it takes back."""

from __future__ import annotations

import pytest

from table_core.rulebook import BASE, load_rulebook
from table_core.tournament import events
from table_core.tournament.events import (
    Entered,
    Instant,
    PayoutsSet,
    PrizePaid,
    Redone,
    StackSold,
    Started,
    TournamentEvent,
    Undone,
)
from table_core.tournament.night import REDUCERS, Recorded
from table_core.tournament.state import State
from table_core.tournament.touches import TOUCHES, Touch, Touched, touching

NOW = Instant("b1", 0, 0)
BOOK = load_rulebook(BASE)
OPEN = State(BOOK)


def recorded(*given: TournamentEvent) -> list[Recorded]:
    return [Recorded(no, NOW, "press", "Tess", event) for no, event in enumerate(given, 1)]


def test_every_kind_of_event_is_classified() -> None:
    kinds = {
        kind for kind in vars(events).values() if isinstance(kind, type) and issubclass(kind, TournamentEvent)
    }
    kinds -= {TournamentEvent}
    assert TOUCHES.keys() == kinds
    assert kinds - REDUCERS.keys() == {Undone}  # it has no reducer: the state is computed anew


def test_an_undo_touches_what_it_takes_back_and_nothing_else() -> None:
    paid, started = PrizePaid("p1", 5_000), Started()
    records = recorded(paid, started)
    assert [*touching([Undone((1,))], records, OPEN)] == [Touched(Touch.MONEY, paid, back=True)]
    assert [*touching([Undone((2,))], records, OPEN)] == []


def test_what_is_done_again_touches_what_it_brings_back() -> None:
    payouts = PayoutsSet((100.0,))
    assert [*touching([Redone(2), payouts], recorded(payouts, Undone((1,))), OPEN)] == [
        Touched(Touch.PRIZES, payouts)
    ]


@pytest.mark.parametrize("stack", [Entered("p1", 0, 0, 2_000), StackSold("stack-1", "p1", 0, 0, "")])
def test_a_stack_for_nothing_touches_nothing_only_where_the_book_says_that_it_costs_nothing(
    stack: TournamentEvent,
) -> None:
    free = BOOK.with_house({"buy_in": 0}, event=True)
    assert [*touching([stack], [], State(free))] == []
    for book in (BOOK, BOOK.with_house({"buy_in": 20}, event=True)):
        assert [*touching([stack], [], State(book))] == [Touched(Touch.PRIZES, stack)]


def test_an_entry_that_is_paid_moves_money() -> None:
    paid = Entered("p1", 2_000, 2_000, 2_000)
    assert [*touching([paid], [], OPEN)] == [Touched(Touch.MONEY, paid)]
