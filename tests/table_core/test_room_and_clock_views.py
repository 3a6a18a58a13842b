"""The director's page and the wall clock: the field over all tables, and a clock that runs on alone."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from table_core.messages import Cell, CellState, Chips, Level, Liveness, Millis, Seat, SeatView, Street, TableView
from table_core.projections.clock import clock_state, run_on
from table_core.projections.room import Field, field_of, room_view
from table_core.tournament.clock import TournamentClock


def seat(no: int, stack: int, *, in_hand: bool = False) -> SeatView:
    return SeatView(Seat(no), f"P{no}", Chips(stack), in_hand=in_hand)


def table(*seats: SeatView, pot: int = 0, street: Street = Street.DONE) -> TableView:
    return TableView(
        venue="hall",
        table="01",
        epoch=1,
        as_of=1,
        head="",
        rulebook="base",
        hand=1,
        street=street,
        level=None,
        next_hand_level=None,
        button=None,
        small_blind=None,
        big_blind=None,
        seats=seats,
        board=(),
        pots=(),
        pot=Chips(pot),
        legal=None,
        question=None,
        last="",
        notices=(),
        devices={},
    )


def test_an_all_in_player_is_left_until_the_hand_is_over() -> None:
    playing = table(seat(1, 0, in_hand=True), seat(2, 50, in_hand=True), pot=150, street=Street.FLOP)
    over = table(seat(1, 0, in_hand=True), seat(2, 200))
    assert field_of([playing]) == Field(players=2, chips=200, entrants=2)
    assert field_of([over], entrants=2) == Field(players=1, chips=200, entrants=2)


def test_chips_in_the_middle_count_for_the_average() -> None:
    tables = [table(seat(1, 70), seat(2, 20), pot=10, street=Street.TURN), table(seat(1, 101))]
    assert field_of(tables).average_stack == 67


def test_nobody_left_has_no_average() -> None:
    assert Field().average_stack == 0


def test_cells_stand_in_the_order_of_their_tables_and_alerts_once() -> None:
    cells = [Cell(name, CellState.EMPTY, Liveness.LIVE) for name in ("03", "01", "02")]
    room = room_view(venue="hall", rulebook="base", cells=cells, clock=None)
    assert [cell.table for cell in room.cells] == ["01", "02", "03"]


minutes = st.floats(0.01, 60).map(lambda value: round(value, 2))
schedules = st.lists(st.tuples(minutes, st.booleans()), max_size=6).map(
    lambda entries: (
        Level(no=1, small_blind=Chips(1), big_blind=Chips(2), minutes=1),
        *(
            Level(
                no=0 if is_break else no,
                small_blind=Chips(0 if is_break else no),
                big_blind=Chips(0 if is_break else 2 * no),
                minutes=length,
                is_break=is_break,
            )
            for no, (length, is_break) in enumerate(entries, 2)
        ),
    )
)


@given(schedules, st.integers(0, 10**7), st.integers(0, 10**7))
def test_a_screen_that_goes_on_alone_shows_what_the_station_would(
    levels: tuple[Level, ...], told_at: int, looked_after: int
) -> None:
    clock = TournamentClock.new(levels, boot="s", now=Millis(0)).resume(Millis(0))
    told = clock_state(clock, Millis(told_at), Field())
    later = Millis(told_at + looked_after)
    expected = clock_state(clock, later, Field())
    assert run_on(told, later) == expected


def test_a_state_without_its_schedule_counts_its_level_down_and_stops() -> None:
    level = Level(no=4, small_blind=Chips(1), big_blind=Chips(2), minutes=1)
    clock = TournamentClock.new((level,), boot="s", now=Millis(0)).resume(Millis(0))
    bare = clock_state(clock, Millis(0), Field())
    assert run_on(bare, Millis(45_000)).left_ms == 15_000
    assert run_on(bare, Millis(90_000)).left_ms == 0


def test_a_screen_alone_knows_which_half_of_an_interrupted_level_is_on() -> None:
    half = Level(1, Chips(5), Chips(10), minutes=60)
    rest = Level(0, Chips(0), Chips(0), minutes=10, is_break=True)
    clock = TournamentClock.new((half, rest, half, rest, Level(2, Chips(10), Chips(20))), boot="b", now=Millis(0))
    running = clock.resume(Millis(0))
    for minutes in (30, 90):
        told = clock_state(running, Millis(minutes * 60_000), Field(8, 8_000, 8))
        for later in (61, 80, 145, 160):
            if later > minutes:
                at = Millis(later * 60_000)
                assert run_on(told, at).level == running.level(at)
                assert run_on(told, at).left_ms == running.read(at).left_ms
