"""The live coverage for everybody, and the desk where people decide what goes out of it.

| path | is |
|---|---|
| `/coverage` | the page; `?lang=de`, `?before=120` for older lines; it follows the channel `coverage` |
| `/coverage.json` | JSON Feed 1.1, with `_feltwire`: kind, table, hand, chip counts; `?lang=`, `?before=` |
| `/coverage.rss` | RSS 2.0; `?lang=` |
| `/coverage/desk` | for the producer and the tournament director: what waits, what is out |

    POST /coverage/desk   {"do": "edit", "line", "text": {"en", "de"}}       empty: the words of its facts again
                          {"do": "hold" | "out" | "pin" | "unpin" | "remove", "line"}
                          {"do": "write", "text": {"en", "de"}}
                          {"do": "mode", "line": "auto" | "hold"}

Answers have an ETag, and may be kept ten seconds by whoever stands in between.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from email.utils import format_datetime
from hashlib import sha256
from html import escape
from typing import Any, NamedTuple, Protocol
from urllib.parse import quote
from xml.etree import ElementTree

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from display.actions import answer_of, answering, body_of, done_by
from display.identity.access import PRODUCERS, WHO
from display.identity.signin import SignIn, caller_of, whose_press
from display.language import environment
from display.presses import PressLog, PressRefused, TimedPress
from table_core.coverage import CoverageLine, CoverageView, LineState
from table_core.messages import Frozen, Name, Text

LANGUAGES = ("en", "de")
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_templates = environment()
ON_A_PAGE = 60
KEPT_S = 10
COUNTS_ON_A_PAGE = 400
WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "title": "Live coverage",
        "counts": "Chip counts",
        "level": "Level",
        "left": "players left",
        "of": "of",
        "nothing": "Nothing has happened yet.",
        "corrected": "Corrected at",
        "before": "It said before:",
        "withdrawn": "Withdrawn at",
        "withdrawn_why": "the record of the table says otherwise now",
        "removed": "A line was removed here.",
        "hand": "Hand",
        "table": "table",
        "seat": "seat",
        "older": "Older lines",
        "newest": "The newest lines",
        "pinned": "On top",
        "feeds": "RSS feed",
        "other": "Deutsch",
        "big_blinds": "BB",
        "as_of": "as of",
        "player": "Player",
        "chips": "Chips",
        "old": "The line to the room is lost: what is here may be old.",
        "utc": "Times are UTC.",
    },
    "de": {
        "title": "Live-Berichterstattung",
        "counts": "Chipstände",
        "level": "Level",
        "left": "Spieler übrig",
        "of": "von",
        "nothing": "Noch ist nichts geschehen.",
        "corrected": "Berichtigt um",
        "before": "Zuvor stand hier:",
        "withdrawn": "Zurückgezogen um",
        "withdrawn_why": "die Aufzeichnung des Tisches sagt es nicht mehr",
        "removed": "Hier wurde eine Meldung entfernt.",
        "hand": "Hand",
        "table": "Tisch",
        "seat": "Platz",
        "older": "Ältere Meldungen",
        "newest": "Die neuesten Meldungen",
        "pinned": "Oben",
        "feeds": "RSS-Feed",
        "other": "English",
        "big_blinds": "BB",
        "as_of": "Stand",
        "player": "Spieler",
        "chips": "Chips",
        "old": "Die Verbindung zum Raum ist unterbrochen: Was hier steht, kann alt sein.",
        "utc": "Zeiten in UTC.",
    },
}


class DeskPress(Frozen, frozen=True):
    """One press at the desk; which fields it needs: the table above."""

    do: Name
    line: Name = ""
    text: dict[Name, Text] = msgspec.field(default_factory=dict)


class Covered(Protocol):
    """The process behind the pages. `view` may be read from any thread; `press` answers with words, or raises
    `ActionRefused`."""

    @property
    def view(self) -> CoverageView: ...

    async def press(self, press: DeskPress, by: str, timed: TimedPress) -> str: ...


class Places(NamedTuple):
    """Where a coverage is read. `base`: the address that feeds name, without a slash at its end; the others are
    behind it. `lines`: the page as links to a line name it; `other`: the page in the other language; `hand`: the
    page of a line's hand, empty where there is none."""

    base: str
    page: str
    json: str
    rss: str
    lines: str
    other: str
    hand: Callable[[CoverageLine], str]


class Part(NamedTuple):
    """The lines of one page or feed."""

    language: str
    lines: Sequence[CoverageLine]
    pinned: Sequence[CoverageLine]
    older: int | None  # the number of a line before which there are older ones


def coverage_routes(
    covered: Covered, signin: SignIn | None, seen: PressLog, render: Callable[..., HTMLResponse]
) -> list[Route]:
    """`render(request, template, **values)` draws a page."""

    def page(request: Request) -> Response:
        view = covered.view
        part = _part(view, request)

        def drawn() -> Response:
            values = _values(view, part, _places(request, part))
            return render(request, "coverage/coverage.html", page="coverage", root="/", live=True, **values)

        return _cached(request, view, part, drawn)

    def json_feed(request: Request) -> Response:
        view = covered.view
        part = _part(view, request)

        def made() -> Response:
            content = json_feed_of(view, part, _places(request, part))
            return Response(content, media_type="application/feed+json")

        return _cached(request, view, part, made)

    def rss(request: Request) -> Response:
        view = covered.view
        part = _part(view, request)

        def made() -> Response:
            return Response(rss_of(view, part, _places(request, part)), media_type="application/rss+xml")

        return _cached(request, view, part, made)

    def desk(request: Request) -> Response:
        caller = caller_of(request, signin)
        if caller.role not in PRODUCERS:
            if signin is not None:
                signin.tried(caller, request.url.path)
            text = f"Only {WHO[PRODUCERS]} may see this page. Open a link of yours."
            return render(request, "shared/message.html", status=403, heading="Not for viewers", text=text)
        return render(request, "coverage/desk.html", page="coverage")

    async def pressed(request: Request) -> JSONResponse:
        caller = caller_of(request, signin)
        if caller.role not in PRODUCERS:
            if signin is not None:
                signin.tried(caller, request.url.path)
            raise PressRefused(403, f"only {WHO[PRODUCERS]} may do this; sign in with a link of yours")
        press = await body_of(request, DeskPress)
        return await seen.once(
            request,
            (caller.by, press),
            lambda timed: answer_of(done_by(covered.press(press, caller.by, timed))),
            whose_press(caller),
        )

    return [
        Route("/coverage", page),
        Route("/coverage.json", json_feed),
        Route("/coverage.rss", rss),
        Route("/coverage/desk", desk),
        Route("/coverage/desk", answering(pressed), methods=["POST"]),
    ]


def page_of(view: CoverageView, part: Part, places: Places) -> str:
    """The page as a file (HTML), which follows nothing: its styles are in `static` beside it."""
    values = _values(view, part, places)
    template = _templates.get_template("coverage/coverage.html")
    return template.render(venue="", title="", root="", live=False, **values)


def _values(view: CoverageView, part: Part, places: Places) -> dict[str, Any]:
    """What the template of the page says."""
    return {
        "view": view,
        "part": part,
        "places": places,
        "counts": view.counts[:COUNTS_ON_A_PAGE],
        "say": WORDS[part.language],
        "other": LANGUAGES[1 - LANGUAGES.index(part.language)],
        "text_of": lambda line: _text(line.text, part.language),
        "earlier_of": lambda one: _text(one.text, part.language),
        "iso": _iso,
        "chips": lambda chips: _thousands(chips, part.language),
        "in_blinds": lambda stack: _in_blinds(stack, view),
        "gone": LineState.REMOVED,
        "withdrawn": LineState.WITHDRAWN,
    }


# ------------------------------------------------------------------------------------------ what is asked for


def _places(request: Request, part: Part) -> Places:
    """Those of this server."""
    query = f"?lang={part.language}"
    return Places(
        base=str(request.base_url).rstrip("/"),
        page=f"coverage{query}",
        json=f"coverage.json{query}",
        rss=f"coverage.rss{query}",
        lines="coverage",
        other=f"?lang={LANGUAGES[1 - LANGUAGES.index(part.language)]}",
        hand=lambda line: hand_path(line) if has_hand(line) else "",
    )


def _part(view: CoverageView, request: Request) -> Part:
    """The newest lines, or those before `?before=`."""
    asked = request.query_params
    language = asked.get("lang", "")
    if language not in LANGUAGES:
        language = "de" if request.headers.get("accept-language", "").lower().startswith("de") else "en"
    before = asked.get("before", "")
    until = int(before) if before.isascii() and before.isdecimal() and len(before) < 16 else None
    return part_of(view, language, before=until)


def part_of(view: CoverageView, language: str, *, before: int | None = None, most: int = ON_A_PAGE) -> Part:
    """The newest lines, `most` of them, or those before the line of number `before`; without pinned ones, which
    stand on top of the newest."""
    first = before is None
    pinned = [line for line in view.lines if line.pinned and line.state is LineState.OUT] if first else []
    rest = [line for line in view.lines if line not in pinned and (before is None or line.no < before)]
    lines = rest[:most]
    return Part(language, lines, pinned, lines[-1].no if len(rest) > len(lines) else None)


def _cached(request: Request, view: CoverageView, part: Part, make: Callable[[], Response]) -> Response:
    """The answer with its ETag, or 304 where the caller has it already."""
    asked = f"{request.url.path}?{request.url.query}|{request.headers.get('host', '')}|{part.language}"
    shown = msgspec.json.encode(
        [view.version, view.name, part.lines, part.pinned, view.counted, view.players_left]
    )
    tag = f'"{sha256(asked.encode() + shown).hexdigest()[:32]}"'
    headers = {
        "etag": tag,
        "cache-control": f"public, max-age={KEPT_S}",
        "vary": "accept-language, accept-encoding",
    }
    if any(one.strip().removeprefix("W/") == tag for one in request.headers.get("if-none-match", "").split(",")):
        return Response(status_code=304, headers=headers)
    answer = make()
    for name, value in headers.items():
        answer.headers[name] = value
    return answer


def _text(text: Mapping[str, str], language: str) -> str:
    return text.get(language) or next(iter(text.values()), "")


def _iso(wall: int) -> str:
    return datetime.fromtimestamp(wall / 1_000, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _thousands(number: int, language: str) -> str:
    return f"{number:,}".replace(",", "." if language == "de" else ",")


def _in_blinds(stack: int, view: CoverageView) -> int:
    return stack // view.level.big_blind if view.level is not None and view.level.big_blind else 0


# ------------------------------------------------------------------------------------------------- feeds


def _title(view: CoverageView, part: Part) -> str:
    name = _xml_text(view.name)
    return f"{name}: {WORDS[part.language]['title']}" if name else WORDS[part.language]["title"]


def _words_of(line: CoverageLine, language: str) -> str:
    """What a feed says of a line: of one that was taken back, that it was."""
    say = WORDS[language]
    if line.state is LineState.REMOVED:
        return say["removed"]
    text = _text(line.text, language)
    if line.state is LineState.WITHDRAWN:
        return f"{say['withdrawn']} {_iso(line.changed or line.at)} ({say['withdrawn_why']}): {text}"
    if line.before:
        return f"{text} ({say['corrected']} {_iso(line.changed or line.at)})"
    return text


def _link(places: Places, line: CoverageLine) -> str:
    """The line on the page."""
    return f"{places.base}/{places.lines}#line-{line.no}"


def _urn(line: CoverageLine) -> str:
    """The same for everybody, under whatever address they read it."""
    return f"urn:feltwire:coverage:{quote(line.id, safe='/')}"


def has_hand(line: CoverageLine) -> bool:
    return bool(line.table) and line.hand is not None


def hand_path(line: CoverageLine) -> str:
    """Of the page of a line's hand, behind the address of a server or of a folder of pages."""
    return f"hand/{quote(line.table, safe='')}/{line.hand}"


def json_feed_of(view: CoverageView, part: Part, places: Places) -> str:
    """JSON Feed 1.1."""
    base = places.base
    feed: dict[str, Any] = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": _title(view, part),
        "home_page_url": f"{base}/{places.page}",
        "feed_url": f"{base}/{places.json}",
        "language": part.language,
        "items": [_json_item(line, part.language, places) for line in (*part.pinned, *part.lines)],
        "_feltwire": {
            "about": f"{base}/{places.lines}",
            "version": view.version,
            "players_left": view.players_left,
            "entrants": view.entrants,
            "counted": None if view.counted is None else _iso(view.counted),
            "counts": msgspec.to_builtins(view.counts),
        },
    }
    if part.older is not None:
        feed["next_url"] = f"{base}/{places.json}&before={part.older}"
    return json.dumps(feed, ensure_ascii=False)


def _json_item(line: CoverageLine, language: str, places: Places) -> dict[str, Any]:
    item: dict[str, Any] = {
        "id": _urn(line),
        "url": _link(places, line),
        "content_text": _words_of(line, language),
        "date_published": _iso(line.at),
        "tags": [line.kind],
        "_feltwire": {
            "kind": line.kind,
            "state": line.state.value,
            "happened": _iso(line.happened),
            "pinned": line.pinned,
        },
    }
    if line.changed is not None:
        item["date_modified"] = _iso(line.changed)
    if has_hand(line):
        item["_feltwire"] |= {"table": line.table, "hand": line.hand}
    if page := places.hand(line):
        item["external_url"] = f"{places.base}/{page}"
    return item


def rss_of(view: CoverageView, part: Part, places: Places) -> bytes:
    """RSS 2.0."""
    base = places.base
    root = ElementTree.Element("rss", {"version": "2.0", "xmlns:atom": "http://www.w3.org/2005/Atom"})
    channel = ElementTree.SubElement(root, "channel")
    _child(channel, "title", _title(view, part))
    _child(channel, "link", f"{base}/{places.page}")
    _child(channel, "description", _title(view, part))
    _child(channel, "language", part.language)
    _child(channel, "ttl", "1")
    feed = {"href": f"{base}/{places.rss}", "rel": "self", "type": "application/rss+xml"}
    ElementTree.SubElement(channel, "atom:link", feed)
    for line in (*part.pinned, *part.lines):
        item = ElementTree.SubElement(channel, "item")
        # Readers take a description as HTML; without a title they show it whole.
        _child(item, "description", escape(_words_of(line, part.language), quote=False))
        _child(item, "link", _link(places, line))
        _child(item, "guid", _urn(line)).set("isPermaLink", "false")
        _child(item, "pubDate", format_datetime(datetime.fromtimestamp(line.at / 1_000, UTC), usegmt=True))
        _child(item, "category", line.kind)
    raw: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return raw


def _child(parent: ElementTree.Element, name: str, text: str) -> ElementTree.Element:
    child = ElementTree.SubElement(parent, name)
    child.text = _xml_text(text)
    return child


def _xml_text(text: str) -> str:
    """Without what XML has no letter for."""
    return _NO_XML.sub("", text)
