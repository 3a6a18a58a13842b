"""A page whose code raises: an answer with words, and no text of the exception in any log."""

from __future__ import annotations

import logging
from collections.abc import Callable

import httpx
import pytest

from display.app import create_app
from display.push import Hub
from feltwire.runtime.pages.faults import PageFaults
from feltwire.runtime.views import Views
from tests.display.conftest import Running

pytestmark = pytest.mark.plants_a_fault


@pytest.mark.parametrize(
    ("path", "form"), [("/announcements", "text/html"), ("/api/clock/now", "application/json")]
)
def test_a_page_that_raises_is_answered_and_logged_by_its_place(
    path: str, form: str, run_app: Callable[..., Running], caplog: pytest.LogCaptureFixture
) -> None:
    hub, views = Hub(), Views()
    for channel in ("announcements", "clock"):
        hub.publish(channel, b'{"cannot_show": ["AhKd"]}')  # no page can draw it
    app = create_app(hub=hub, pages={"clock", "announcements"}, venue="v", tables=(), faults=PageFaults(views))
    with caplog.at_level(logging.DEBUG):
        url = run_app(app).url
        answer = httpx.get(url + path)
    assert answer.status_code == 500
    assert answer.headers["content-type"].startswith(form)
    assert "content-security-policy" in answer.headers
    assert f"The page {path.removesuffix('/now')} cannot be shown (fault {views.newest})" in answer.text
    assert "AhKd" not in caplog.text + answer.text
    assert httpx.get(f"{url}/clock").status_code == 200


def test_what_is_asked_for_writes_no_words_of_its_own() -> None:
    views, error = Views(), ValueError("x")
    faults = PageFaults(views)
    assert faults.note("/slips/<script>", error).startswith("The page /slips cannot be shown")
    assert faults.note("/%0aERROR", error).startswith("The page / cannot be shown")
    faults.well("/slips/<b>")
    assert [fault.part.words for fault in views.faults] == ["The page /"]
