"""Buttons at the header: presses out of edges that bounce, come late and get lost."""

from __future__ import annotations

from bisect import bisect_right

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.debounce import Change
from firmware_bridge.drivers.gpio.contacts import LOOK_MS, Contacts

SETTLE = 5
PIN = 17
LONGEST = 90
# A switch closes and opens in sparks, each shorter than the settling time: how long it is closed, how long open.
WORN = st.lists(st.tuples(st.integers(1, SETTLE - 1), st.integers(1, SETTLE - 1)), max_size=12)
GOOD = st.lists(st.tuples(st.just(1), st.just(1)), max_size=(SETTLE - 1) // 2)  # settled within the settling time
Press = tuple[list[tuple[int, int]], int, list[tuple[int, int]], int]
"""How it closes, how long it holds, how it opens, how long it rests."""


def presses_that_hold(
    least: int, chatter: st.SearchStrategy[list[tuple[int, int]]]
) -> st.SearchStrategy[list[Press]]:
    long = st.integers(least, LONGEST)
    return st.lists(st.tuples(chatter, long, chatter, long), max_size=4)


class Bounced:
    """One contact's life: the times at which it changed, and from when on each press held."""

    def __init__(self, presses: list[Press]) -> None:
        self.changes: list[tuple[int, bool]] = []
        self.holds: list[int] = []
        self.end = 100
        for closing, holds, opening, rests in presses:
            self._chatter(closing, closed=True)
            self.holds.append(self.end)
            self._until(holds, closed=True)
            self._chatter([(away, there) for there, away in opening], closed=False)
            self._until(rests, closed=False)

    def _until(self, ms: int, *, closed: bool) -> None:
        if not self.changes or self.changes[-1][1] is not closed:
            self.changes.append((self.end, closed))
        self.end += ms

    def _chatter(self, sparks: list[tuple[int, int]], *, closed: bool) -> None:
        for first, second in sparks:
            self._until(first, closed=closed)
            self._until(second, closed=not closed)

    def closed(self, at: int) -> bool:
        before = bisect_right(self.changes, (at, True))
        return bool(before) and self.changes[before - 1][1]


def presses(life: Bounced, lost: set[int], late: list[int], first_look: int) -> list[tuple[int, Change]]:
    """Each press with when it was told. `lost`: the numbers of edges that nobody tells; `late`: how late the
    others come."""
    edges: list[
        tuple[int, bool, int]
    ] = []  # when it is told, level, when it was; in order, as a kernel tells them
    for number, (at, level) in enumerate(life.changes):
        told_at = max(at + (late[number % len(late)] if late else 0), edges[-1][0] if edges else 0)
        edges += [] if number in lost else [(told_at, level, at)]
    contacts = Contacts(SETTLE)
    told: list[tuple[int, Change]] = []
    for now in range(first_look, life.end + 10 * LOOK_MS, LOOK_MS):
        come = [edge for edge in edges if edge[0] <= now]
        edges = [edge for edge in edges if edge[0] > now]
        changes = [change for _, level, at in come for change in contacts.edge(PIN, level, at)]
        changes += contacts.look({PIN: life.closed(now)}, now)
        told += [(now, change) for change in changes if change.level]
    return told


@settings(max_examples=150)
@given(presses_that_hold(SETTLE, WORN), st.integers(0, LOOK_MS - 1))
def test_every_press_is_told_once_and_in_time_however_its_contact_bounces(
    life: list[Press], first_look: int
) -> None:
    bounced = Bounced(life)
    told = presses(bounced, set(), [], first_look)
    assert [change.at_ms for _, change in told] == bounced.holds
    assert all(now - change.at_ms <= SETTLE + LOOK_MS for now, change in told)


@settings(max_examples=300)
@given(
    presses_that_hold(SETTLE + 2 * LOOK_MS, GOOD),
    st.sets(st.integers(0, 100)),
    st.lists(st.integers(0, 3), max_size=5),
    st.integers(0, LOOK_MS - 1),
)
def test_no_press_is_missed_and_none_doubled_where_edges_get_lost_or_come_late(
    life: list[Press],
    lost: set[int],
    late: list[int],
    first_look: int,
) -> None:
    bounced = Bounced(life)
    told = presses(bounced, lost, late, first_look)
    assert len(told) == len(bounced.holds)


@settings(max_examples=50)
@given(WORN, st.integers(0, LOOK_MS - 1))
def test_sparks_without_a_press_are_none(sparks: list[tuple[int, int]], first_look: int) -> None:
    bounced = Bounced([])
    bounced._chatter(sparks, closed=True)
    bounced._until(1, closed=False)
    assert presses(bounced, set(), [], first_look) == []


def test_a_spark_whose_end_got_lost_is_no_press() -> None:
    contacts = Contacts(SETTLE)
    contacts.look({PIN: False}, 100)
    assert contacts.edge(PIN, True, 101) == []
    assert contacts.look({PIN: False}, 110) == []
    assert contacts.look({PIN: False}, 200) == []
    assert contacts.bounces == 1


def test_a_button_that_is_down_from_the_start_is_no_press_until_it_is_pressed_again() -> None:
    contacts = Contacts(SETTLE, closed=[PIN])
    assert contacts.look({PIN: True}, 30_000) == []
    assert contacts.held(20_000, 30_000) == [PIN]
    assert [
        change.level for change in contacts.look({PIN: False}, 30_010) + contacts.look({PIN: False}, 30_020)
    ] == [0]
    assert contacts.held(20_000, 90_000) == []
    contacts.edge(PIN, True, 40_000)
    assert contacts.look({PIN: True}, 40_010) == [Change(PIN, 1, 40_000)]


def test_two_buttons_pressed_together_are_told_in_the_order_in_which_they_closed() -> None:
    contacts = Contacts(SETTLE)
    contacts.edge(4, True, 103)
    contacts.edge(PIN, True, 102)
    assert contacts.look({4: True, PIN: True}, 110) == [Change(PIN, 1, 102), Change(4, 1, 103)]
