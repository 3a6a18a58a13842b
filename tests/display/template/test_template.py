"""The template as CasparCG, SPX and OBS play it: from a disk and from the relay, in Chromium."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from display.app import create_app
from display.push import Hub
from display.template_pages import template_page
from table_core.messages import encode
from tests.display import fixtures
from tests.display.conftest import Running
from tests.display.test_browser import context_of

pytestmark = pytest.mark.browser
Run = Callable[..., Running]
RELAY = "http://relay.test:8083"
MARKUP = '<img src=x onerror="document.title=1"><script>document.title=1</script>'
GRAPHIC = "feltwire-graphic"


@pytest.fixture
def server(run_app: Run) -> Running:
    hub = Hub()
    hub.publish("overlay/01", encode(fixtures.overlay_view()))
    return run_app(create_app(hub=hub, pages={"air"}, venue="hall", tables=["01"]))


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with context_of(browser, 1920, 1080, reduced_motion="reduce") as context:
        yield context.new_page()


@pytest.fixture
def on_disk(tmp_path: Path) -> str:
    """The address of a downloaded template in a program's folder of templates."""
    file = tmp_path / "feltwire.html"
    file.write_text(template_page(RELAY)[0], "utf-8")
    return file.as_uri()


def call(page: Page, name: str, *arguments: str) -> None:
    """As a program does: a statement that it runs in the page."""
    page.evaluate(f"{name}({', '.join(map(json.dumps, arguments))})")


def caspar_call(page: Page, data: str) -> None:
    """As CasparCG's server makes `CG UPDATE` a statement : it escapes quotes and nothing else."""
    quoted = data.strip(' "').replace('"', '\\"')
    page.evaluate(f'update("{quoted}")')


def caspar_xml(**fields: str) -> str:
    """The data as CasparCG's client writes it."""
    parts = [
        f'<componentData id="{name}"><data id="text" value="{escape(value)}"/></componentData>'
        for name, value in fields.items()
    ]
    return f"<templateData>{''.join(parts)}</templateData>"


def test_nothing_is_painted_before_play_nor_after_stop(page: Page, on_disk: str) -> None:
    page.goto(on_disk)
    call(page, "update", json.dumps({"f0": "Ana Lopes", "f1": "Lisbon · 2.4 million"}))
    third = page.locator(".third")
    expect(third).to_be_attached()
    expect(third).to_be_hidden()
    call(page, "play")
    expect(third).to_be_visible()
    expect(third).to_have_text("Ana LopesLisbon · 2.4 million")
    call(page, "stop")
    expect(third).to_be_hidden()
    call(page, "play")
    expect(third).to_be_visible()


def test_the_xml_of_casparcg_says_the_same_as_json(page: Page, on_disk: str) -> None:
    page.goto(on_disk)
    call(page, "play")
    caspar_call(page, caspar_xml(f0='Ana & "Bea"', f1="it's 2 < 3", f2="one|two"))
    expect(page.locator(".third")).to_have_text('Ana & "Bea"it\'s 2 < 3')
    expect(page.locator(".ticker")).to_have_text("one  ·  two")
    caspar_call(page, json.dumps({"title": "Carla", "line": "a\nb", "ticker": "one|two"}))
    expect(page.locator(".third")).to_have_text("Carlaa b")
    expect(page.locator(".ticker")).to_have_text("one  ·  two")
    call(page, "update", json.dumps({"title": "Carla", "line": "", "ticker": ""}))
    expect(page.locator(".third")).to_have_text("Carla")
    expect(page.locator(".ticker")).to_have_count(0)


BROKEN = (
    "{",
    "[1, 2]",
    "null",
    '"text"',
    "<templateData>",
    "<html/>",
    "<templateData><componentData id='f0'/></templateData",
    "x" * 30_000,
    '{"f0": {"a": 1}}',
    '{"f0": null}',
    '{"__proto__": {"title": "x"}, "constructor": "on"}',
    '<!DOCTYPE t [<!ENTITY e SYSTEM "file:///etc/passwd">]><templateData><componentData id="f0"/></templateData>',
)


@pytest.mark.parametrize("data", BROKEN)
def test_malformed_data_changes_nothing_and_is_said_to_the_console(page: Page, on_disk: str, data: str) -> None:
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    page.goto(on_disk)
    call(page, "update", json.dumps({"f0": "Ana Lopes"}))
    call(page, "play")
    call(page, "update", data)
    call(page, "update", json.dumps({"f1": "behind it"}))
    expect(page.locator(".third")).to_have_text("Ana Lopesbehind it")
    if "__proto__" not in data and "DOCTYPE" not in data:
        assert any(line.startswith("feltwire: ") for line in said)


@pytest.mark.parametrize("form", ["json", "xml"])
def test_data_is_text_and_never_markup(page: Page, on_disk: str, form: str) -> None:
    page.goto(on_disk)
    fields = dict.fromkeys(("f0", "f1", "f2", "f4"), MARKUP)
    call(page, "update", json.dumps(fields) if form == "json" else caspar_xml(**fields))
    call(page, "play")
    expect(page.locator(".third b")).to_have_text(MARKUP)
    expect(page.locator(".ticker span")).to_have_text(MARKUP)
    assert page.locator("img").count() == 0
    assert page.title() == "Feltwire"


@pytest.mark.parametrize(
    "feed",
    ["javascript:document.title=1", "data:text/html,x", "file:///etc/passwd", "http://x/station", "//x", MARKUP],
)
def test_a_feed_that_is_no_page_on_air_is_refused(page: Page, on_disk: str, feed: str) -> None:
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(on_disk)
    call(page, "update", json.dumps({"f0": "Ana", "f3": feed}))
    call(page, "update", json.dumps({"f0": "Bea"}))
    call(page, "play")
    expect(page.locator(".third")).to_have_text("Bea")
    assert page.locator("iframe").count() == 0
    assert any("no address of a page on air" in line for line in said)


def test_what_spx_reads_names_every_field_that_the_template_takes() -> None:
    html, _ = template_page(RELAY)
    found = re.search(r"<script>window\.SPXGCTemplateDefinition = (\{.*?\});</script>", html, re.DOTALL)
    assert found is not None
    definition = json.loads(found[1])
    wanted = (
        "description",
        "playserver",
        "playchannel",
        "playlayer",
        "webplayout",
        "out",
        "dataformat",
        "uicolor",
    )
    assert all(isinstance(definition[name], str) for name in wanted)
    fields = {field["field"]: field for field in definition["DataFields"]}
    assert list(fields) == ["f0", "f1", "f2", "f3", "f4"]
    assert fields["f3"]["value"] == f"{RELAY}/air/feature"


def test_the_template_runs_under_the_relays_policy_and_no_other_script_does(page: Page, server: Running) -> None:
    faults: list[str] = []
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    page.goto(f"{server.url}/template/feltwire.html?title=Ana&line=Lisbon&play=now")
    expect(page.locator(".third")).to_have_text("AnaLisbon")
    assert faults == []
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"document.title=1\">')")
    expect(page.locator("img")).to_be_attached()
    assert page.title() == "Feltwire"


def test_the_template_and_what_belongs_to_it_can_be_downloaded(server: Running) -> None:
    with httpx.Client(base_url=server.url) as http:
        plain, taken = http.get("/template/feltwire.html"), http.get("/template/feltwire.html?download")
        assert "content-disposition" not in plain.headers
        assert 'filename="feltwire.html"' in taken.headers["content-disposition"]
        assert taken.text == plain.text
        assert f'"{server.url}/air/feature"' in plain.text
        assert http.get("/template/feltwire-ograf.zip").headers["content-type"] == "application/zip"
        for name in ("feltwire.ograf.json", "graphic.mjs", "fields.js"):
            assert http.get(f"/template/{name}").status_code == 200
        for path in ("/template/calls.js", "/template/..%2fapp.py", "/template/obs-scenes.json?feed=99"):
            assert http.get(path).status_code == 404
