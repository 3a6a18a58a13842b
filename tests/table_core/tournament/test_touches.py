"""What events touch: each kind is classified, and an undo touches what it takes back."""

from __future__ import annotations

from table_core.tournament import events
from table_core.tournament.events import (
    Entered,
    Instant,
    PayoutsSet,
    PrizePaid,
    Redone,
    Started,
    TournamentEvent,
    Undone,
)
from table_core.tournament.night import REDUCERS, Recorded
from table_core.tournament.touches import TOUCHES, Touch, Touched, touching

NOW = Instant("b1", 0, 0)


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
    assert [*touching([Undone((1,))], records)] == [Touched(Touch.MONEY, paid, back=True)]
    assert [*touching([Undone((2,))], records)] == []


def test_what_is_done_again_touches_what_it_brings_back() -> None:
    payouts = PayoutsSet((100.0,))
    assert [*touching([Redone(2), payouts], recorded(payouts, Undone((1,))))] == [Touched(Touch.PRIZES, payouts)]


def test_an_entry_that_costs_nothing_moves_no_money() -> None:
    free, paid = Entered("p1", 0, 0, 2_000), Entered("p1", 2_000, 2_000, 2_000)
    assert [*touching([free], [])] == []
    assert [*touching([paid], [])] == [Touched(Touch.MONEY, paid)]
