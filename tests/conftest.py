"""What holds for every test: Hypothesis draws the same examples in every run, and no example has a time limit. A
test that shows a rule passes a door of a process, or says that it does not (`tests/doors.py`)."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings


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


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Fail a test that cites a rule, passes no door and does not say so."""
    if item.get_closest_marker("rule") is None or item.get_closest_marker("function_only") is not None:
        return (yield)
    from tests.doors import watched  # the processes, which most tests do not need

    with watched() as passed:
        answer = yield
    if not passed:
        pytest.fail("cites a rule and passes no door of a process: mark it function_only(reason)", pytrace=False)
    return answer
