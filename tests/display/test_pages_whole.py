"""Nothing on any page overlaps, is cut or scrolls sideways, in any language: a share of `pages_whole.py`."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser

from display.identity.signin import SignIn
from display.push import Hub
from tests.display.conftest import Recorded, Running
from tests.display.pages_whole import look_at
from tests.display.station.feeding import feed
from tests.display.test_browser import app_of, context_of, hub, pytestmark

__all__ = ["hub", "pytestmark"]


@pytest.mark.slow("thirty pages are loaded")
def test_every_page_at_eight_hundred_by_four_hundred_and_eighty(
    browser: Browser, run_app: Callable[..., Running], hub: Hub, actions: Recorded
) -> None:
    feed(hub, 24)
    signin = SignIn()
    url = run_app(app_of(hub, actions, signin)).url
    with context_of(browser, 800, 480) as context:
        page = context.new_page()
        page.goto(url + signin.new_link())
        assert look_at(page, url) == {}
