"""Debouncing: what counts follows from the edges and their times alone."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.debounce import Change, Debouncer

SETTLE = 5
EDGES = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(0, 12)), max_size=40)


def test_a_clean_press_counts_from_its_edge_once_it_has_held() -> None:
    contact = Debouncer(SETTLE)
    assert contact.edge(4, 1, 100) == []
    assert contact.next_due() == 105
    assert contact.due(104) == []
    assert contact.due(105) == [Change(4, 1, 100)]
    assert contact.next_due() is None
    assert contact.due(1000) == []


def test_a_bouncing_press_and_release_are_one_press_and_one_release() -> None:
    contact = Debouncer(SETTLE)
    levels = [(at, 1 - at % 2) for at in range(101)]  # ends closed
    levels += [(500 + at, at % 2) for at in range(101)]  # ends open
    changes = [change for at, level in levels for change in contact.edge(1, level, at)]
    assert changes + contact.due(2000) == [Change(1, 1, 100), Change(1, 0, 600)]


def test_a_spark_shorter_than_the_settling_time_is_nothing() -> None:
    contact = Debouncer(SETTLE)
    assert contact.edge(1, 1, 0) + contact.edge(1, 0, 4) + contact.due(100) == []


def test_a_press_that_nobody_asked_about_in_time_still_counts() -> None:
    contact = Debouncer(SETTLE)
    contact.edge(1, 1, 0)
    assert contact.edge(1, 0, 50) == [Change(1, 1, 0)]


def test_contacts_do_not_disturb_each_other() -> None:
    contact = Debouncer(SETTLE)
    seen = contact.edge(1, 1, 0)
    for at in range(0, 8, 2):
        seen += contact.edge(2, 1, at) + contact.edge(2, 0, at + 1)
    assert seen + contact.due(20) == [Change(1, 1, 0)]


@given(EDGES, st.lists(st.integers(0, 500), max_size=20))
def test_asking_in_between_changes_nothing(steps: list[tuple[int, int, int]], asks: list[int]) -> None:
    asked, unasked = Debouncer(SETTLE), Debouncer(SETTLE)
    now = 0
    seen: list[Change] = []
    expected: list[Change] = []
    for pin, level, pause in steps:
        for ask in sorted(ask for ask in asks if now <= ask < now + pause):
            seen += asked.due(ask)
        now += pause
        seen += asked.edge(pin, level, now)
        expected += unasked.edge(pin, level, now)
    assert seen + asked.due(now + SETTLE) == expected + unasked.due(now + SETTLE)


@given(EDGES)
def test_each_contact_goes_up_and_down_in_turn_and_ends_where_its_edges_ended(
    steps: list[tuple[int, int, int]],
) -> None:
    contact = Debouncer(SETTLE)
    now = 0
    seen: list[Change] = []
    last = dict.fromkeys(range(3), 0)
    for pin, level, pause in steps:
        now += pause
        seen += contact.edge(pin, level, now)
        last[pin] = level
    seen += contact.due(now + SETTLE)
    for pin, end in last.items():
        levels = [change.level for change in seen if change.pin == pin]
        assert levels == [1 - at % 2 for at in range(len(levels))]
        assert [0, *levels][-1] == end
