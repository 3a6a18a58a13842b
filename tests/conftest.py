"""What holds for every test: Hypothesis draws the same examples in every run, and no example has a time limit."""

from __future__ import annotations

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
