"""Nothing leaves the delay box before its time, whatever happens."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from feltwire.delay_box.line import LATE_MS, SETTLES_MS, DelayLine, wait_of
from table_core.messages import Millis


@dataclass
class InMemory:
    """A ring without a disk; `full` and `damaged` are faults."""

    kept: deque[tuple[Millis, int, bytes]] = field(default_factory=deque)
    run: int = 0
    full: bool = False
    damaged: bool = False

    def new_run(self) -> None:
        self.run += 1

    def put(self, arrived: Millis, data: bytes) -> bool:
        if self.full:
            self.run += 1
            return False
        self.kept.append((arrived, self.run, data))
        return True

    def oldest(self) -> Millis | None:
        return self.kept[0][0] if self.kept else None

    def drop(self) -> None:
        self.kept.popleft()

    def pop(self) -> tuple[int, bytes] | None:
        _, run, data = self.kept.popleft()
        return None if self.damaged else (run, data)


def line_of(wait: int | None, *arrivals: int) -> DelayLine:
    """A line behind its first half second, in which pieces arrived that say when."""
    line = DelayLine(InMemory())
    line.arrive(Millis(arrivals[0] - SETTLES_MS), b"dropped")
    line.set_wait(None if wait is None else Millis(wait))
    for at in arrivals:
        line.arrive(Millis(at), b"%d" % at)
    return line


def out(line: DelayLine, now: int) -> list[bytes]:
    return [piece.data for piece in line.due(Millis(now))]


def test_a_piece_goes_out_when_its_time_has_come() -> None:
    line = line_of(30_000, 1_000, 1_020)
    assert out(line, 30_999) == []
    assert out(line, 31_000) == [b"1000"]
    assert line.next_due() == 31_020
    assert out(line, 31_020) == [b"1020"]


def test_the_first_half_second_of_a_source_is_dropped() -> None:
    line = line_of(0, 1_000)
    line.new_run()
    line.arrive(Millis(2_000), b"out of the probe")
    line.arrive(Millis(2_000 + SETTLES_MS), b"on time")
    assert out(line, 1_000) == [b"1000"]
    assert out(line, 2_500) == [b"on time"]


def test_how_late_it_goes_out_is_known_for_a_minute() -> None:
    line = line_of(1_000, 1_000, 1_100)
    assert out(line, 2_030) == [b"1000"]
    assert out(line, 2_110) == [b"1100"]
    assert [line.slowest(Millis(now)) for now in (2_200, 61_000, 125_000)] == [30, 30, 0]


def test_without_a_delay_nothing_goes_out_and_nothing_is_lost() -> None:
    line = line_of(None, 1_000)
    assert out(line, 10**9) == []
    line.set_wait(Millis(10**9 - 1_000))
    assert out(line, 10**9) == [b"1000"]


def test_what_is_late_is_left_out() -> None:
    line = line_of(1_000, 1_000, 1_000 + LATE_MS)
    assert out(line, 2_000 + LATE_MS + 1) == [b"1500"]
    assert line.late == 1


def test_a_longer_delay_holds_and_a_shorter_one_leaves_out() -> None:
    line = line_of(1_000, *range(1_000, 11_000, 1_000))
    assert out(line, 2_000) == [b"1000"]
    line.set_wait(Millis(5_000))
    assert out(line, 6_999) == []
    assert out(line, 7_000) == [b"2000"]
    line.set_wait(Millis(2_000))
    assert out(line, 7_000) == [b"5000"]


def test_within_a_run_nothing_is_missing() -> None:
    store = InMemory()
    line = DelayLine(store)
    line.set_wait(Millis(0))
    line.arrive(Millis(0), b"probe")
    runs: list[int] = []
    for now in range(SETTLES_MS, 5_000, 100):
        store.full, store.damaged = now in (1_000, 1_100), now == 2_000
        line.arrive(Millis(now), b"piece")
        runs += [piece.run for piece in line.due(Millis(now))]
    assert sorted(set(runs)) == [1, 2, 3]
    assert runs == sorted(runs)


@given(
    st.lists(
        st.tuples(
            st.integers(0, 3_000),  # time passes
            st.sampled_from(["piece", "wait", "none", "new", "full", "damaged", "look"]),
            st.integers(0, 5_000),
        ),
        max_size=200,
    ),
    st.integers(0, 4_000),
)
def test_never_early(steps: list[tuple[int, str, int]], floor: int) -> None:
    store = InMemory()
    line, now = DelayLine(store), 0
    for passed, what, value in steps:
        now += passed
        match what:
            case "piece":
                line.arrive(Millis(now), b"%d" % now)
            case "wait":
                line.set_wait(wait_of(Millis(value), Millis(floor), value // 3))
            case "none":
                line.set_wait(None)
            case "new":
                line.new_run()
            case "full":
                store.full = not store.full
            case "damaged":
                store.damaged = not store.damaged
        for piece in line.due(Millis(now)):
            age = now - int(piece.data)
            assert line.wait is not None
            assert floor <= line.wait <= age <= line.wait + LATE_MS
