"""What holds for every test: Hypothesis draws the same examples in every run, and no example has a time limit."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "feltwire",
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
if settings.get_current_profile_name() in ("default", "ci"):  # `tests.mutation` has one of its own
    settings.load_profile("feltwire")
