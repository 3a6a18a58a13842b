"""What holds for every test: Hypothesis draws the same examples in every run, and no example has a time limit. A
test that shows a rule passes a door of a process, or says that it does not (`tests/doors.py`). No view raises
behind its guard unless a fault is planted. The report names the slow tests, each with the reason that it gives."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Generator, Iterator

import pytest
from hypothesis import HealthCheck, settings

from table_core.messages import MESSAGES_VERSION, write_as


def pytest_configure(config: pytest.Config) -> None:
    """`--hypothesis-seed` draws other examples. `tests.mutation` has a profile of its own."""
    if settings.get_current_profile_name() not in ("default", "ci"):
        return
    settings.register_profile(
        "feltwire",
        derandomize=config.getoption("--hypothesis-seed", default=None) is None,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("feltwire")


SLOW_S = 20.0


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The reason of `slow(reason)` goes into the test's reports, which is how it leaves the worker that ran it."""
    for item in items:
        if (slow := item.get_closest_marker("slow")) is not None:
            item.user_properties.append(("slow", slow.args[0]))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name what took `SLOW_S` or longer, the longest first, with its reason or with the demand for one."""
    reports = [one for several in terminalreporter.stats.values() for one in several]
    slow = [one for one in reports if isinstance(one, pytest.TestReport) and one.duration >= SLOW_S]
    for one in sorted(slow, key=lambda one: -one.duration):
        reason = dict(one.user_properties).get("slow", "no reason is given: mark it slow(reason)")
        terminalreporter.write_line(f"{one.duration:.0f} s {one.when} {one.nodeid}: {reason}")


@pytest.fixture(autouse=True)
def writes_the_newest_version() -> None:
    """Processes of the test before may have followed a room that writes an earlier one."""
    write_as(MESSAGES_VERSION)


@pytest.fixture(autouse=True)
def begins_with_the_usual_umask() -> Iterator[None]:
    """Commands narrow that of their process, and the shell that starts the tests may have done so."""
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, None, None]:
    """The worker's browser leaves its event loop set between calls; a test without a browser starts its own."""
    loop = asyncio._get_running_loop()
    if loop is None or "browser" in getattr(item, "fixturenames", ()):
        return (yield)
    asyncio._set_running_loop(None)
    try:
        return (yield)
    finally:
        asyncio._set_running_loop(loop)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Fail a test that cites a rule, passes no door and does not say so. The hand engine is a door for tests of
    `table_core` alone."""
    if item.get_closest_marker("rule") is None or item.get_closest_marker("function_only") is not None:
        return (yield)
    from tests.doors import OF_THE_ENGINE, watched  # the processes, which most tests do not need

    with watched() as passed:
        answer = yield
    if "table_core" not in item.path.parts:
        passed -= OF_THE_ENGINE
    if not passed:
        pytest.fail("cites a rule and passes no door of a process: mark it function_only(reason)", pytrace=False)
    return answer


class _Caught(logging.Handler):
    """What was logged of views that raised."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())


@pytest.fixture(autouse=True)
def _every_view_is_shown(request: pytest.FixtureRequest) -> Generator[None, None, None]:
    """A guard hides no fault from a test."""
    caught, log = _Caught(), logging.getLogger("feltwire.runtime.views")
    log.addHandler(caught)
    yield
    log.removeHandler(caught)
    if caught.said and request.node.get_closest_marker("plants_a_fault") is None:
        pytest.fail(f"a view raised: {caught.said[0]}", pytrace=False)
