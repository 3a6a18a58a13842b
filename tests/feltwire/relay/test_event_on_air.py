"""The tournament on air: its clock as it was an air delay ago."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from feltwire.relay.on_air.event_on_air import CHANNEL, EventOnAir, event_view
from feltwire.relay.on_air.event_timeline import EventTimeline
from feltwire.relay.on_air.players import Players
from feltwire.runtime.node_io import Show
from feltwire.runtime.views import Views
from table_core.messages import (
    Beat,
    Chips,
    ClockState,
    EventView,
    FieldOut,
    FieldPlayer,
    Millis,
    Seat,
    TournamentField,
)
from table_core.projections.clock import run_on
from tests.display import fixtures

AIR = Millis(60_000)

NOW = Millis(9_000_000)
APART = 5_000_000  # this machine's boot time less the station's
MINUTE = 60_000


def clock(at: int = NOW, **changes: object) -> ClockState:
    """What the station says at `at` of this machine's time: a running level with ten minutes left."""
    state = fixtures.clock_state(at=at - APART, left_ms=10 * MINUTE, running=True)
    return replace(state, **changes)


class Air:
    def __init__(self, air_ms: Millis | None = AIR) -> None:
        self.node = EventOnAir(Views())
        self.air_ms = air_ms
        self.shown: list[tuple[int, EventView]] = []
        self.now = NOW

    def hear(self, state: ClockState) -> None:
        self.node.timeline.beat(Beat(state.boot, Millis(self.now - APART)), self.now)
        self.node.timeline.show(state, self.now)
        self.look()

    def look(self) -> None:
        for effect in self.node.show(self.now, self.air_ms):
            assert isinstance(effect, Show)
            assert effect.channel == CHANNEL
            self.shown.append((self.now, msgspec.json.decode(effect.snapshot, type=EventView)))

    def until(self, end: int) -> None:
        while True:
            due = min(self.node.wake_at(self.now, self.air_ms), default=Millis(end + 1))
            if due > end:
                break
            self.now = due
            self.look()
        self.now = Millis(end)
        self.look()


def test_nothing_is_on_air_before_the_air_delay_is_over() -> None:
    air = Air()
    air.hear(clock())
    air.until(NOW + AIR - 1)
    assert air.shown == []
    air.until(NOW + AIR)
    [(at, view)] = air.shown
    assert at == NOW + AIR
    assert (view.left_ms, view.running, view.air_s) == (10 * MINUTE, True, 60)


def test_the_clock_that_only_runs_is_not_said_again_and_the_next_level_is() -> None:
    air = Air()
    first = clock()
    air.hear(first)
    for seconds in (10, 20, 30):
        air.until(NOW + seconds * 1_000)
        air.hear(run_on(first, Millis(first.at + seconds * 1_000)))
    air.until(NOW + AIR + 11 * MINUTE)
    assert [(at - NOW - AIR, view.level) for at, view in air.shown] == [
        (0, first.level),
        (10 * MINUTE, first.next_level),
    ]


def test_a_retained_clock_runs_by_the_beats_of_the_station() -> None:
    """It came three minutes after it was sent."""
    air = Air()
    air.hear(clock(at=NOW - 3 * MINUTE))
    air.until(NOW + AIR)
    assert air.shown[-1][1].left_ms == 7 * MINUTE


def test_who_goes_out_is_told_an_air_delay_later() -> None:
    air = Air()
    before = clock(players_left=10, payouts=(500_00, 300_00, 200_00))
    air.hear(before)
    air.until(NOW + MINUTE)
    air.hear(replace(run_on(before, Millis(before.at + MINUTE)), players_left=9))
    told = [(at - NOW, view.players_left) for at, view in air.shown]
    assert told == [(AIR, 10)]
    air.until(NOW + 3 * MINUTE)
    assert [(at - NOW, view.players_left) for at, view in air.shown] == [(AIR, 10), (MINUTE + AIR, 9)]


def test_a_malformed_air_delay_takes_it_off() -> None:
    air = Air()
    air.hear(clock())
    air.until(NOW + AIR)
    air.air_ms = None
    air.until(NOW + AIR + 1)
    assert air.shown[-1][1] == EventView(None)
    assert air.node.wake_at(air.now, None) == []


@pytest.mark.parametrize(
    ("left", "next_out", "jump", "to_the_money"),
    [(9, 0, 0, 6), (4, 0, 200_00, 1), (3, 200_00, 100_00, 0), (2, 300_00, 200_00, 0), (1, 500_00, None, 0)],
)
def test_the_pay_jump_is_what_everybody_else_wins_when_one_goes(
    left: int, next_out: int, jump: int | None, to_the_money: int
) -> None:
    timeline = EventTimeline()
    timeline.show(clock(players_left=left, payouts=(500_00, 300_00, 200_00)), NOW)
    view = event_view(timeline.moments[0], NOW, 0, Players())
    assert (view.next_out, view.pay_jump, view.to_the_money) == (next_out, jump, to_the_money)


# -------------------------------------------------------------------------------------------------- the field


def field(*stacks: int, **changes: Any) -> TournamentField:
    players = [
        FieldPlayer(f"p{no}", f"Player {no}", "07", Seat(no), Chips(stack)) for no, stack in enumerate(stacks, 1)
    ]
    given = {"left": len(stacks), "entrants": 20, "payouts": (500_00, 300_00, 200_00)}
    return TournamentField("Friday", players=tuple(players), **given | changes)


def shown_of(said: TournamentField) -> EventView:
    timeline = EventTimeline()
    timeline.show_field(said, NOW)
    return event_view(timeline.moments[0], NOW, 0, Players())


def test_standings_have_places_and_equal_stacks_share_one() -> None:
    view = shown_of(field(900, 500, 500, 100))
    assert [(one.place, one.player, one.stack) for one in view.standings] == [
        (1, "Player 1", 900),
        (2, "Player 2", 500),
        (2, "Player 3", 500),
        (4, "Player 4", 100),
    ]


def test_a_final_table_has_its_stacks_in_prize_money() -> None:
    view = shown_of(field(5_000, 3_000, 1_500, 500))
    # pailiku.com's example in tests/table_core/tournament/test_prizes.py
    assert [one.icm for one in view.standings] == [377_78, 312_89, 225_60, 83_73]
    assert sum(one.icm or 0 for one in view.standings) == 1_000_00


@pytest.mark.parametrize(
    "changes",
    [{"deal": True}, {"entry_open": True}, {"payouts": ()}, {"left": 5}],
    ids=lambda one: next(iter(one)),
)
def test_no_stack_has_a_worth_where_it_cannot_be_said(changes: dict[str, Any]) -> None:
    assert {one.icm for one in shown_of(field(5_000, 3_000, 1_500, 500, **changes)).standings} == {None}
    assert {one.icm for one in shown_of(field(*[100] * 11)).standings} == {None}


def test_who_is_out_has_a_place_and_a_prize_once_it_is_decided() -> None:
    out = (FieldOut("p7", "Ann", None), FieldOut("p8", "Bo", 5, 150_00, "07"))
    assert [(one.place, one.player, one.prize) for one in shown_of(field(100, 50, out=out)).out] == [
        (5, "Bo", 150_00)
    ]


def test_a_bust_out_is_not_told_by_the_leaderboard_before_the_picture_shows_it() -> None:
    air = Air()
    air.hear(clock())
    air.node.timeline.show_field(field(900, 500, 100), air.now)
    air.until(NOW + MINUTE)
    air.node.timeline.show_field(field(1_000, 500, out=(FieldOut("p3", "Player 3", 3),)), air.now)
    air.until(NOW + MINUTE + AIR - 1)
    assert {len(view.standings) for _, view in air.shown} == {3}
    assert {view.out for _, view in air.shown} == {()}
    air.until(NOW + MINUTE + AIR)
    assert [one.player for one in air.shown[-1][1].out] == ["Player 3"]


def test_players_who_stand_as_before_are_kept_once() -> None:
    timeline = EventTimeline()
    timeline.show_field(field(900, 500), NOW)
    timeline.show_field(field(950, 500), Millis(NOW + 1))
    first, second = (moment.field for moment in timeline.moments)
    assert first is not None
    assert second is not None
    assert first.players[1] is second.players[1]
    assert first.players[0] is not second.players[0]
