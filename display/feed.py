"""`/feed` and `/hand`: what the relay gives to other people's programs, and a page for each released hand.

| address | answers |
|---|---|
| `/feed/hands.json?before=NO&limit=N&table=ID` | released hands, the newest first; `older` is the next page |
| `/feed/hands` | the same as server-sent events, each hand once; `Last-Event-ID` or `?after=NO` resumes |
| `/feed/hand/<table>/<name>.json` | a hand as the relay signed it; `.phh` and `.ohh` as hand histories |
| `/feed/table/<feed>.json` | a row for each seat of the table, as on air |
| `/feed/event.json`, `standings.json`, `payouts.json` | the tournament as on air, in rows |
| `/feed/schema.json` | the JSON schema of all of them |
| `/hand/<table>/<name>` | the hand's page: replay, histories, verification |

Everything is read with GET and is the same for everybody; a cookie changes nothing. Who may read it from a page of
another site: `display/server/security.py`.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Callable, Collection
from typing import Any, Protocol

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from display.language import environment
from display.push import ALIVE, ALIVE_S, RETRY_MS, Hub, Subscription

CHANNEL = "feed"  # of the hub: the number of the hand that was shown last
USUAL, MOST = 20, 100  # hands of a page
AT_ONCE = 50  # hands that a stream reads at a time
PAST = 500  # hands that a stream gives again at most
FEATURE = "feature"  # the producer's table
ROWS = ("event", "standings", "payouts")
HISTORIES = {"phh": "application/toml", "ohh": "application/json"}
LAST_NUMBER = 2**53
LONGEST_NUMBER = 16  # digits


class HandsFeed(Protocol):
    """Asked from any thread."""

    def newest(self) -> int: ...

    def listed(self, *, before: int | None, table: str, most: int) -> list[bytes]: ...

    def after(self, no: int, most: int) -> list[tuple[int, bytes]]: ...

    def line(self, table: str, name: str) -> bytes | None: ...

    def history(self, table: str, name: str, kind: str) -> str | None: ...

    def rows(self, name: str, feed: str = "") -> bytes: ...

    def schema(self) -> bytes: ...


Render = Callable[..., Response]
_templates = environment()


class FeedPages:
    """`tables` are those of the relay; `render` draws a template of the site."""

    def __init__(self, feed: HandsFeed, hub: Hub, tables: Collection[str], render: Render) -> None:
        self._feed, self._hub, self._tables, self._render = feed, hub, frozenset(tables), render

    def routes(self) -> list[BaseRoute]:
        return [
            Route("/feed/hands.json", self._hands),
            Route("/feed/hands", self._stream, methods=["GET"]),
            Route("/feed/hand/{table}/{name}.{kind}", self._hand),
            Route("/feed/table/{table}.json", self._seats),
            *(Route(f"/feed/{name}.json", self._rows(name)) for name in ROWS),
            Route("/feed/schema.json", self._schema),
            Route("/hand/{table}/{name}", self._page),
        ]

    # --------------------------------------------------------------------------------------- released hands

    async def _hands(self, request: Request) -> Response:
        asked = request.query_params
        before, limit = _number(asked.get("before", "")), _number(asked.get("limit", str(USUAL)))
        table = asked.get("table", "")
        if (before is None and asked.get("before")) or limit is None or not 1 <= limit <= MOST:
            return _refused(f"before is the number of a hand, limit a number from 1 to {MOST}")
        if table and table not in self._tables:
            return _refused(f"no table {table!r} here; there are: {', '.join(sorted(self._tables))}", 404)
        found = await run_in_threadpool(self._feed.listed, before=before, table=table, most=limit + 1)
        hands, more = found[:limit], len(found) > limit
        last = json.loads(hands[-1])["no"] if more else 0
        of_table = f"&table={table}" if table else ""
        older = f"/feed/hands.json?before={last}&limit={limit}{of_table}" if more else ""
        body = b'{"hands":[' + b",".join(hands) + b'],"older":' + json.dumps(older).encode() + b"}"
        return _unless_known(request, body)

    async def _stream(self, request: Request) -> Response:
        said = request.headers.get("last-event-id") or request.query_params.get("after", "")
        newest = await run_in_threadpool(self._feed.newest)
        after = newest if not said else _number(said)
        if after is None:
            return _refused("Last-Event-ID and after are the number of a hand")
        return _HandStream(self._feed, self._hub, max(min(after, newest), newest - PAST))

    async def _hand(self, request: Request) -> Response:
        table, name, kind = (request.path_params[part] for part in ("table", "name", "kind"))
        if kind in HISTORIES:
            told = await run_in_threadpool(self._feed.history, table, name, kind)
            if told == "":
                return _refused("no hand history can tell this hand; its page says why", 404)
            found = None if told is None else told.encode()
        elif kind == "json":
            found = await run_in_threadpool(self._feed.line, table, name)
        else:
            return _refused("a hand is there as .json, .phh and .ohh", 404)
        if found is None:
            return _no_hand(table, name)
        answer = _unless_known(request, found, HISTORIES.get(kind, "application/json"))
        if kind in HISTORIES:
            answer.headers["content-disposition"] = f'attachment; filename="table-{table}-hand-{name}.{kind}"'
        return answer

    async def _page(self, request: Request) -> Response:
        table, name = request.path_params["table"], request.path_params["name"]
        line = await run_in_threadpool(self._feed.line, table, name)
        if line is None:
            text = "No hand of this number is released at this table, or its end is not on air yet."
            return self._render(
                request, "shared/message.html", status=404, heading=f"No hand {name[:20]}", text=text
            )
        page = hand_page(line, root="/static/", home="/", files=f"/feed/hand/{table}/{name}")
        return _unless_known(request, page.encode(), "text/html")

    # --------------------------------------------------------------------------------------- as on air

    async def _seats(self, request: Request) -> Response:
        table = request.path_params["table"]
        if table not in self._tables | {FEATURE}:
            return _refused(f"no table {table!r} here; there are: {', '.join(sorted(self._tables))}", 404)
        return _unless_known(request, self._feed.rows("table", table))

    def _rows(self, name: str) -> Callable[[Request], Any]:
        async def answer(request: Request) -> Response:
            return _unless_known(request, self._feed.rows(name))

        return answer

    async def _schema(self, request: Request) -> Response:
        return _unless_known(request, self._feed.schema(), "application/schema+json")


def hand_page(line: bytes, *, root: str, home: str, files: str) -> str:
    """The page (HTML) of a hand's signed line. `root`: where the folders of scripts and styles are; `home`:
    where its link home leads, empty for none; `files`: its downloads, without their ending. The line goes into
    the page whole, so that it can be verified there."""
    hand = json.loads(line)["page"]["hand"]
    # Within a script element only "<" could end it; in a JSON text it may be written so.
    whole = json.dumps(line.decode()).replace("<", "\\u003c")
    return _templates.get_template("hand/hand.html").render(
        line=whole, hand=hand, table=hand["table"], name=hand["name"], root=root, home=home, files=files
    )


def _number(text: str) -> int | None:
    """A number that a hand can have."""
    plain = text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER
    return int(text) if plain and int(text) <= LAST_NUMBER else None


def _refused(why: str, status: int = 400) -> Response:
    return JSONResponse({"error": why}, status, headers={"cache-control": "no-store"})


def _no_hand(table: str, name: str) -> Response:
    return _refused(f"no hand {name[:20]!r} of table {table[:20]!r} is released", 404)


def _unless_known(request: Request, body: bytes, media_type: str = "application/json") -> Response:
    """The body with an ETag, or 304 where the caller has it."""
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {"etag": tag, "cache-control": "no-cache"}
    known = [one.strip().removeprefix("W/") for one in request.headers.get("if-none-match", "").split(",")]
    if tag in known or "*" in known:
        return PlainTextResponse("", 304, headers=headers)
    return Response(body, media_type=media_type, headers=headers)


class _HandStream(StreamingResponse):
    """`text/event-stream` of the hands behind the number `after`, each once, and a comment each second."""

    def __init__(self, feed: HandsFeed, hub: Hub, after: int) -> None:
        self._subscription = hub.subscribe(CHANNEL)
        super().__init__(
            _shown(feed, self._subscription, after),
            media_type="text/event-stream",
            headers={"cache-control": "no-store", "x-accel-buffering": "no"},
        )

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._subscription.close()


async def _shown(feed: HandsFeed, subscription: Subscription, after: int) -> AsyncIterator[bytes]:
    yield b"retry: %d\n\n" % RETRY_MS
    while True:
        while hands := await run_in_threadpool(feed.after, after, AT_ONCE):
            for after, hand in hands:
                yield b"id: %d\nevent: hand\ndata: %s\n\n" % (after, hand)
        while True:
            try:
                async with asyncio.timeout(ALIVE_S):
                    news = (await anext(subscription)).channel
            except TimeoutError:
                news = ALIVE
            except StopAsyncIteration:
                return
            if news != ALIVE:
                break
            yield b": alive\n\n"
