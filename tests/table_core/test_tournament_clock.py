"""The blind clock, as a director reads it off the wall."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from table_core.messages import Chips, Level, Millis, Refusal
from table_core.tournament.clock import Restart, ScheduleError, TournamentClock, length_ms

MINUTE = 60_000


def level(no: int, minutes: float = 20, *, is_break: bool = False) -> Level:
    return Level(no=no, small_blind=Chips(50 * no), big_blind=Chips(100 * no), minutes=minutes, is_break=is_break)


SCHEDULE = (level(1, 20), level(2, 20), level(0, 10, is_break=True), level(3, 15))
TOTAL = sum(length_ms(entry) for entry in SCHEDULE)


def at(minutes: float) -> Millis:
    return Millis(round(minutes * MINUTE))


def started(levels: tuple[Level, ...] = SCHEDULE) -> TournamentClock:
    return TournamentClock.new(levels, boot="b1", now=at(0)).resume(at(0))


def test_a_new_clock_stands_at_the_beginning_of_the_first_level() -> None:
    clock = TournamentClock.new(SCHEDULE, boot="b1", now=at(5))
    reading = clock.read(at(60))
    assert (clock.level(at(60)).no, reading.left_ms, clock.changes_at(at(60))) == (1, 20 * MINUTE, None)


def test_the_next_level_begins_the_instant_the_one_before_runs_out() -> None:
    clock = started()
    assert clock.level(Millis(at(20) - 1)).no == 1
    assert (clock.level(at(20)).no, clock.read(at(20)).left_ms) == (2, 20 * MINUTE)
    assert clock.changes_at(at(5)) == at(20)


def test_a_break_counts_down_and_hands_in_it_are_played_at_the_level_before() -> None:
    clock = started()
    assert clock.level(at(41)).is_break
    assert (clock.read(at(41)).left_ms, clock.playing_level(at(41)).no) == (9 * MINUTE, 2)
    assert clock.playing_announcement(at(41)) == clock.playing_announcement(at(39)) == 2
    assert (clock.playing_level(at(50)).no, clock.playing_announcement(at(50))) == (3, 4)


def test_a_schedule_that_begins_with_a_break_plays_its_first_level() -> None:
    clock = started((level(0, 10, is_break=True), level(1)))
    assert (clock.level(at(1)).is_break, clock.playing_level(at(1)).no) == (True, 1)
    assert clock.playing_announcement(at(1)) == clock.playing_announcement(at(11)) == 2


def test_the_last_level_stays_at_zero() -> None:
    clock = started()
    assert (clock.level(at(500)).no, clock.read(at(500)).left_ms) == (3, 0)
    assert (clock.next_level(at(500)), clock.changes_at(at(500))) == (None, None)
    refused = clock.go_to_next(at(500))
    assert isinstance(refused, Refusal)
    assert "last level" in refused.reason


def test_reselecting_the_current_level_does_not_reset_it() -> None:
    clock = started()
    again = clock.go_to(1, at(12))
    assert again == clock


def test_setting_another_level_gives_it_its_whole_time_and_a_new_announcement() -> None:
    clock = started()
    back = clock.go_to(1, at(25))
    assert isinstance(back, TournamentClock)
    assert (back.level(at(25)).no, back.read(at(25)).left_ms) == (1, 20 * MINUTE)
    assert back.read(at(25)).announcement > clock.read(at(25)).announcement


def test_a_level_that_is_not_in_the_schedule_is_refused_with_those_that_are() -> None:
    refused = started().go_to(9, at(1))
    assert isinstance(refused, Refusal)
    assert refused.reason == "There is no level 9; levels: 1, 2, 3."
    assert refused.rule == "tda.23"


def test_the_next_level_by_the_directors_press_begins_at_once() -> None:
    clock = started().go_to_next(at(7))
    assert isinstance(clock, TournamentClock)
    assert (clock.level(at(7)).no, clock.read(at(7)).left_ms) == (2, 20 * MINUTE)


def test_a_pause_in_a_pause_and_a_resume_while_running_change_nothing() -> None:
    clock = started()
    paused = clock.pause(at(4))
    assert paused.pause(at(9)) == paused
    assert clock.resume(at(9)) == clock


def test_the_same_boot_runs_on_while_the_process_is_gone() -> None:
    clock = started()
    again, restart = TournamentClock.restored(SCHEDULE, clock.mark, boot="b1", now=at(25))
    assert restart is None
    assert (again.level(at(25)).no, again.read(at(25)).left_ms) == (2, 15 * MINUTE)


def test_a_reboot_goes_on_from_the_last_record_and_says_so() -> None:
    recorded = started().marked(at(8)).mark
    again, restart = TournamentClock.restored(SCHEDULE, recorded, boot="b2", now=Millis(900))
    assert restart == Restart(SCHEDULE[0], 12 * MINUTE, running=True)
    assert again.read(Millis(900)).left_ms == 12 * MINUTE
    assert again.read(Millis(900 + MINUTE)).left_ms == 11 * MINUTE


def test_a_changed_schedule_keeps_the_time_played_in_the_present_level() -> None:
    longer = (level(1, 30), *SCHEDULE[1:])
    clock = started().with_schedule(longer, at(12))
    assert clock.read(at(12)).left_ms == 18 * MINUTE
    assert clock.with_schedule(longer, at(13)) == clock


@pytest.mark.parametrize(
    ("levels", "says"),
    [
        ((), "no level to play"),
        ((level(0, is_break=True),), "no level to play"),
        ((level(1), level(2, 0)), "entry 2 lasts 0 minutes"),
        ((level(1), level(1)), "entry 2 is a second level 1"),
    ],
)
def test_a_schedule_that_cannot_be_run_says_which_entry(levels: tuple[Level, ...], says: str) -> None:
    with pytest.raises(ScheduleError, match=says):
        TournamentClock.new(levels, boot="b1", now=at(0))


steps = st.lists(
    st.tuples(st.sampled_from(["wait", "pause", "resume", "mark", "restart"]), st.integers(0, 12 * MINUTE)),
    max_size=30,
)


def left_in_all(clock: TournamentClock, now: Millis) -> int:
    reading = clock.read(now)
    return reading.left_ms + sum(length_ms(entry) for entry in clock.levels[reading.index + 1 :])


@given(steps)
def test_time_left_is_the_schedule_less_what_was_played_across_pauses_and_restarts(
    taken: list[tuple[str, int]],
) -> None:
    """A restart loses the time since the last record, which is what it says, and never a millisecond else."""
    boots, now = 1, Millis(0)
    clock = TournamentClock.new(SCHEDULE, boot="b1", now=now)
    running, played, played_at_record = False, 0, 0
    for what, ms in taken:
        now = Millis(now + ms)
        played += ms if running else 0
        if what == "pause":
            clock, running = clock.pause(now), False
        elif what == "resume":
            clock, running = clock.resume(now), True
        elif what == "mark":
            clock = clock.marked(now)
        elif what == "restart":
            boots, now, played = boots + 1, Millis(ms), played_at_record
            clock, _ = TournamentClock.restored(SCHEDULE, clock.mark, boot=f"b{boots}", now=now)
        if clock.mark.at == now:
            played_at_record = played
        assert left_in_all(clock, now) == max(0, TOTAL - played)


@given(steps, st.integers(0, TOTAL), st.integers(0, TOTAL))
def test_recording_the_clock_never_changes_what_it_shows(
    taken: list[tuple[str, int]], record_after: int, look_after: int
) -> None:
    now = Millis(0)
    clock = TournamentClock.new(SCHEDULE, boot="b1", now=now)
    for what, ms in taken:
        now = Millis(now + ms)
        clock = clock.pause(now) if what == "pause" else clock.resume(now) if what == "resume" else clock
    recorded = clock.marked(Millis(now + record_after))
    later = Millis(now + record_after + look_after)
    assert recorded.read(later) == clock.read(later)
    assert recorded.playing_announcement(later) == clock.playing_announcement(later)
