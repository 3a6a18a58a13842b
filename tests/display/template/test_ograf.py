"""The OGraf graphic: its manifest, and its calls as a renderer makes them in a page of its own."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import Route as Asked
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from display.app import create_app
from display.push import Hub
from display.template_pages import ograf_package
from table_core.messages import ProgrammeView, encode
from tests.display import fixtures
from tests.display.conftest import Running
from tests.display.template.ograf_schema import MANIFEST, checked_by, published
from tests.display.test_browser import context_of

pytestmark = pytest.mark.browser
RENDERER = "http://renderer.test"
# A renderer defines the element, puts it into the page, loads it, and takes it out behind `dispose`.
HOST = """<!doctype html><html><body><script type="module">
const { default: Graphic } = await import("/graphic/graphic.mjs");
customElements.define("ograf-graphic", Graphic);
window.graphic = document.body.appendChild(document.createElement("ograf-graphic"));
window.there = true;
</script></body></html>"""
TYPES = {"json": "application/json", "mjs": "text/javascript", "js": "text/javascript"}
MARKUP = "<img src=x onerror=window.harmed=1>"


def files() -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(ograf_package())) as package:
        return {name: package.read(name) for name in package.namelist()}


@pytest.fixture
def renderer(browser: Browser) -> Iterator[Page]:
    """A page of a renderer to which the package was uploaded."""
    uploaded = files()

    def answer(route: Asked) -> None:
        name = route.request.url.rpartition("/")[2]
        if name in uploaded:
            route.fulfill(body=uploaded[name], content_type=TYPES[name.rpartition(".")[2]])
        else:
            route.fulfill(body=HOST, content_type="text/html")

    with context_of(browser, 1920, 1080, reduced_motion="reduce") as context:
        page = context.new_page()
        page.route(f"{RENDERER}/**", answer)
        page.goto(f"{RENDERER}/")
        page.wait_for_function("window.there")
        yield page


def call(page: Page, name: str, **given: Any) -> Any:
    return page.evaluate("([name, given]) => graphic[name](given)", [name, given])


def loaded(page: Page, **data: Any) -> Page:
    given = {"data": data, "renderType": "realtime", "renderCharacteristics": {}}
    assert page.evaluate("(given) => graphic.load(given)", given)["statusCode"] == 200
    return page


def test_the_manifest_is_as_the_specification_wants_it() -> None:
    manifest = json.loads(files()["feltwire.ograf.json"])
    assert list(checked_by(MANIFEST, manifest)) == []
    assert manifest["main"] in files()
    Draft202012Validator.check_schema(manifest["schema"])


def test_a_manifest_with_a_field_too_many_or_too_few_is_found() -> None:
    manifest = json.loads(files()["feltwire.ograf.json"])
    for wrong in (manifest | {"colour": "red"}, {**manifest, "main": None}, {**manifest, "stepCount": -2}):
        assert list(checked_by(MANIFEST, wrong))
    del manifest["supportsRealTime"]
    assert list(checked_by(MANIFEST, manifest))


def test_the_command_of_the_document_reads_a_copy_of_the_published_schemas(tmp_path: Path) -> None:
    """docs/graphics-systems.md. The published ones name others at an address of another folder."""
    older = "https://superflytv.github.io/GraphicsDataDefinition/gdd-meta-schema/v1/lib/object.json"
    properties = {"schema": {"$ref": older}, "stepCount": {"minimum": -1}}
    for name, schema in {
        "graphics/schema.json": {"required": ["main"], "properties": properties},
        "gdd/object.json": {"required": ["type"]},
    }.items():
        file = tmp_path / name
        file.parent.mkdir()
        file.write_text(json.dumps(schema))
    schema, registry = published(tmp_path)
    manifest = json.loads(files()["feltwire.ograf.json"])
    assert list(checked_by(schema, manifest, registry)) == []
    assert list(checked_by(schema, {**manifest, "schema": {}}, registry))


def test_played_through(renderer: Page) -> None:
    third = loaded(renderer, title="Ana Lopes", line="Lisbon").locator(".third")
    expect(third).to_be_hidden()
    assert call(renderer, "playAction", skipAnimation=True) == {
        "statusCode": 200,
        "statusMessage": "OK",
        "currentStep": 0,
    }
    expect(third).to_have_text("Ana LopesLisbon")
    assert call(renderer, "updateAction", data={"title": "Bea"})["statusCode"] == 200
    expect(third).to_have_text("BeaLisbon")
    assert call(renderer, "stopAction", skipAnimation=True)["statusCode"] == 200
    expect(third).to_be_hidden()
    assert call(renderer, "dispose")["statusCode"] == 200
    assert renderer.evaluate("graphic.shadowRoot.childElementCount") == 0


def test_steps_go_on_back_and_behind_the_last_one_off(renderer: Page) -> None:
    loaded(renderer, title="Ana", ticker="one\ntwo", steps="lower-third | ticker")
    assert call(renderer, "playAction", delta=1)["currentStep"] == 0
    expect(renderer.locator(".third")).to_be_visible()
    expect(renderer.locator(".ticker")).to_have_count(0)
    assert call(renderer, "playAction", delta=1)["currentStep"] == 1
    expect(renderer.locator(".ticker")).to_be_visible()
    expect(renderer.locator(".third")).to_have_count(0)
    assert call(renderer, "playAction", goto=0)["currentStep"] == 0
    off = call(renderer, "playAction", goto=2)
    assert off["statusCode"] == 200
    assert off.get("currentStep") is None
    expect(renderer.locator(".own")).to_be_hidden()
    assert call(renderer, "playAction", goto=-1)["statusCode"] == 400
    assert call(renderer, "playAction", goto="two")["statusCode"] == 400


def test_loaded_twice_it_begins_anew(renderer: Page) -> None:
    loaded(renderer, title="Ana", ticker="one")
    call(renderer, "playAction")
    loaded(renderer, title="Bea")
    expect(renderer.locator(".third")).to_be_hidden()
    call(renderer, "playAction")
    expect(renderer.locator(".third")).to_have_text("Bea")
    expect(renderer.locator(".ticker")).to_have_count(0)


def test_calls_that_it_cannot_carry_out_say_so_and_change_nothing(renderer: Page) -> None:
    for name in ("playAction", "stopAction", "updateAction"):
        assert call(renderer, name, data={})["statusCode"] == 409
    assert call(renderer, "load", data="text", renderType="realtime")["statusCode"] == 400
    assert call(renderer, "load", data=[1], renderType="realtime")["statusCode"] == 400
    assert call(renderer, "load", data={}, renderType="non-realtime")["statusCode"] == 400
    assert call(renderer, "load", data={"feed": "javascript:1"}, renderType="realtime")["statusCode"] == 400
    loaded(renderer, title="Ana")
    call(renderer, "playAction")
    assert call(renderer, "updateAction", data=7)["statusCode"] == 400
    assert call(renderer, "updateAction")["statusCode"] == 400
    assert call(renderer, "customAction", id="dance", payload={})["statusCode"] == 404
    assert call(renderer, "goToTime", timestamp=5)["statusCode"] == 501
    assert call(renderer, "setActionsSchedule", schedule=[])["statusCode"] == 501
    expect(renderer.locator(".third")).to_have_text("Ana")


def test_data_is_text_and_never_markup(renderer: Page) -> None:
    loaded(renderer, title=MARKUP, line=MARKUP, ticker=MARKUP)
    call(renderer, "playAction")
    expect(renderer.locator(".third b")).to_have_text(MARKUP)
    assert renderer.locator("img").count() == 0
    assert renderer.evaluate("window.harmed") is None


def renderer_app() -> Starlette:
    """The page of a renderer on a server of its own, with the uploaded package."""
    uploaded = files()

    async def part(request: Request) -> Response:
        name = request.path_params["name"]
        return Response(uploaded[name], media_type=TYPES[name.rpartition(".")[2]])

    async def host(request: Request) -> Response:
        return HTMLResponse(HOST)

    app = Starlette(routes=[Route("/", host), Route("/graphic/{name}", part)])
    app.state.hub, app.state.signin, app.state.phones = Hub(), None, None
    return app


def test_with_a_feed_it_shows_the_page_on_air_of_a_relay_that_names_the_renderer(
    browser: Browser, run_app: Callable[..., Running]
) -> None:
    hub = Hub()
    hub.publish("overlay/01", encode(fixtures.overlay_view()))
    hub.publish("programme", encode(ProgrammeView(feature="01")))
    origin = run_app(renderer_app()).url
    app = create_app(
        hub=hub, pages={"air"}, venue="hall", tables=["01"], frames=("'self'",), feed_origins=(origin,)
    )
    feed = f"{run_app(app).url}/air/01"
    with context_of(browser, 1920, 1080, reduced_motion="reduce") as context:
        page = context.new_page()
        page.goto(origin)
        page.wait_for_function("window.there")
        loaded(page, feed=feed, title="Ana", steps="board,pot | level")
        frame = page.frame_locator("iframe")
        assert call(page, "playAction")["currentStep"] == 0
        expect(frame.locator("#board")).to_be_visible()
        expect(frame.locator("#lower-third")).to_contain_text("Ana")
        assert call(page, "playAction")["currentStep"] == 1
        expect(frame.locator("#level")).to_be_visible()
        expect(frame.locator("#board")).to_be_hidden()
        assert call(page, "stopAction")["statusCode"] == 200
        expect(frame.locator("#level")).to_be_hidden()
        assert call(page, "dispose")["statusCode"] == 200
        expect(page.locator("iframe")).to_have_count(0)
