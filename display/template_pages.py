"""Files for programs that play graphics: one template for OBS, vMix, SPX and CasparCG, an OGraf graphic, and
scenes that OBS imports.

They hold no secret and read nothing but the public pages on air. The template is one file, so that it also plays
from a disk: its script is put into the page here, from the modules that the OGraf graphic loads.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import zipfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from display.feed import FEATURE
from display.obs_scenes import scene_collection

HERE = Path(__file__).parent / "template"
OGRAF = ("feltwire.ograf.json", "graphic.mjs", "fields.js")  # the graphic: its manifest and what that names
OLDEST_OF_A_ZIP = (1980, 1, 1, 0, 0, 0)
TYPES = {".json": "application/json", ".mjs": "text/javascript", ".js": "text/javascript"}


def template_routes(feeds: Sequence[str]) -> list[BaseRoute]:
    """`feeds`: what `/air/FEED` shows here."""

    async def template(request: Request) -> Response:
        html, policy = template_page(_address(request))
        headers = {"content-security-policy": policy}
        if "download" in request.query_params:
            headers["content-disposition"] = 'attachment; filename="feltwire.html"'
        return Response(html, media_type="text/html", headers=headers)

    async def part(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in OGRAF:
            return JSONResponse({"error": f"no {name} here; there are: {', '.join(OGRAF)}"}, 404)
        return Response((HERE / name).read_bytes(), media_type=TYPES[Path(name).suffix])

    async def package(request: Request) -> Response:
        return _attached(ograf_package(), "application/zip", "feltwire-ograf.zip")

    async def scenes(request: Request) -> Response:
        feed = request.query_params.get("feed", FEATURE)
        if feed not in feeds:
            return JSONResponse({"error": f"no feed {feed!r}; there are: {', '.join(feeds)}"}, 404)
        collection = scene_collection(_address(request), feed)
        return _attached(json.dumps(collection, indent=1).encode(), "application/json", "feltwire-obs.json")

    return [
        Route("/template/feltwire.html", template),
        Route("/template/feltwire-ograf.zip", package),
        Route("/template/obs-scenes.json", scenes),
        Route("/template/{name}", part),
    ]


def template_page(address: str) -> tuple[str, str]:
    """The template as one page that proposes the feed of the server at `address`, and its policy: the scripts that
    it holds and no other, frames of this server."""
    proposed = json.dumps(definition(f"{address}/air/{FEATURE}"), indent=1).replace("<", "\\u003c")
    scripts = {"definition": f"window.SPXGCTemplateDefinition = {proposed};", "script": _script()}
    page = (HERE / "feltwire.html").read_text("utf-8")
    for name, script in scripts.items():
        page = page.replace(f"{{{{ {name} }}}}", script)
    hashes = " ".join(f"'sha256-{_hash(script)}'" for script in scripts.values())
    policy = (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; frame-src 'self'; "
        "form-action 'none'; base-uri 'none'"
    )
    return page, policy


def definition(feed: str) -> dict[str, object]:
    """What SPX reads in a template: where it plays and which fields a person fills in."""

    def field(name: str, kind: str, title: str, value: str = "") -> dict[str, str]:
        return {"field": name, "ftype": kind, "title": title, "value": value}

    return {
        "description": "Feltwire: a poker table on air, lower third, ticker",
        "playserver": "OVERLAY",
        "playchannel": "1",
        "playlayer": "10",
        "webplayout": "10",
        "steps": "1",
        "out": "manual",
        "dataformat": "json",
        "uicolor": "2",
        "DataFields": [
            field("f0", "textfield", "Lower third"),
            field("f1", "textfield", "Second line"),
            field("f2", "textarea", "Ticker, a text a line"),
            field("f3", "textfield", "Feed: a page on air; empty: lower third and ticker alone", feed),
            field("f4", "textfield", "Steps: seats,board,pot | leaderboard"),
        ],
    }


def ograf_package() -> bytes:
    """The OGraf graphic as a zip, the same bytes each time."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in OGRAF:
            archive.writestr(zipfile.ZipInfo(name, OLDEST_OF_A_ZIP), (HERE / name).read_bytes())
    return packed.getvalue()


@cache
def _script() -> str:
    """The modules as one script: a page from a disk can load none."""
    fields, graphic, calls = (
        (HERE / name).read_text("utf-8") for name in ("fields.js", "graphic.mjs", "calls.js")
    )
    graphic = graphic.replace('import { newsOf } from "./fields.js";\n', "").replace("export default ", "")
    return "\n".join(("(() => {", fields.replace("export ", ""), graphic, calls, "})();"))


def _hash(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _address(request: Request) -> str:
    return str(request.base_url).rstrip("/")


def _attached(content: bytes, kind: str, name: str) -> Response:
    return Response(content, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})
