"""A page of another site whose name was made to mean this machine (DNS rebinding), in a real Chromium."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser

from display.app import PAGES, create_app
from display.identity.signin import SignIn
from display.push import Hub
from table_core.messages import Key
from tests import chromium
from tests.display import fixtures
from tests.display.conftest import PATIENCE_S, Recorded, Running, pressed
from tests.display.preview import publish_all
from tests.ports import free_port

pytestmark = pytest.mark.browser
Run = Callable[..., Running]

# What the page of the other site does once its name means this machine.
ATTACK = """async ({ key, stamp }) => {
    const press = await fetch("/table/01/touch", { method: "POST", body: JSON.stringify({ key }),
        headers: { "content-type": "application/json", ...stamp } });
    const room = await fetch("/api/demo");
    return { pressed: press.status, read: await room.text() };
}"""


@contextmanager
def attacker(port: int) -> Iterator[None]:
    """The other site's own server, which shows its page once and is gone."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(b"<title>You have won</title>")

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", port), Page) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield
        server.shutdown()
        thread.join()


@pytest.fixture
def rebound(browser: Browser) -> Iterator[Browser]:
    """For this browser evil.test is this machine, as after the attacker's second answer to its question."""
    started = browser.browser_type.launch(
        executable_path=chromium.PROGRAM,
        args=[*chromium.QUIET, "--host-resolver-rules=MAP evil.test 127.0.0.1"],
        timeout=PATIENCE_S * 1000,
    )
    yield started
    started.close()


def test_a_rebound_page_presses_nothing_and_reads_nothing(
    rebound: Browser, run_app: Run, actions: Recorded
) -> None:
    page, port = rebound.new_page(), free_port()
    with attacker(port):
        page.goto(f"http://evil.test:{port}/")
    hub = Hub()
    publish_all(hub, td_link="/sign-in?token=secret")
    signin = SignIn()
    app = create_app(
        hub=hub, pages=PAGES, venue=fixtures.VENUE, tables=fixtures.TABLES, actions=actions, signin=signin
    )
    room = run_app(app, port)
    got = page.evaluate(ATTACK, {"key": Key.FLOOR.value, "stamp": pressed()})
    assert got["pressed"] == 421
    assert "secret" not in got["read"]
    assert actions.calls == []
    page.goto(room.url + signin.new_link())
    got = page.evaluate(ATTACK, {"key": Key.FLOOR.value, "stamp": pressed()})
    assert got["pressed"] == 200, "the same from our own page"
    assert "secret" in got["read"]
