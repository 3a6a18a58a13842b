"""Snapshots reach browsers: the latest first, then each newer one, never a queue."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import httpx
from starlette.applications import Starlette

from display.app import create_app
from display.push import EventStream, Hub, Snapshot, as_event
from table_core.messages import encode
from tests.display.conftest import PATIENCE_S, Running
from tests.display.fixtures import TABLES, VENUE, table_view

Run = Callable[..., Running]


def app_of(hub: Hub) -> Starlette:
    return create_app(hub=hub, pages={"table"}, venue=VENUE, tables=TABLES)


def frozen() -> Hub:
    """A hub in whose time nothing gets old, however long the machine takes."""
    return Hub(now=lambda: 100.0)


def listening(url: str, channels: str, **headers: str) -> AbstractContextManager[httpx.Response]:
    """A stream of `channels` (`a&channel=b`)."""
    return httpx.stream("GET", f"{url}/events?channel={channels}", headers=headers, timeout=PATIENCE_S)


def frames(response: httpx.Response) -> Iterator[dict[str, str]]:
    """Server-sent events as dictionaries of their fields, without retry lines, beats and the server's time."""
    frame: dict[str, str] = {}
    for line in response.iter_lines():
        if line and not line.startswith((":", "retry")):
            name, _, value = line.partition(": ")
            frame[name] = value
        elif not line and frame:
            if frame["event"] not in ("now", "alive"):
                yield frame
            frame = {}


def test_a_new_stream_begins_with_the_latest_snapshot_and_follows_with_news(run_app: Run) -> None:
    hub = frozen()
    hub.publish("table/01", b'{"n":1}', event_id="1")
    hub.publish("table/01", b'{"n":2}', event_id="2")
    url = run_app(app_of(hub)).url
    with listening(url, "table/01") as response:
        seen = frames(response)
        assert next(seen) == {"id": "2", "event": "table/01", "data": '{"n":2}'}
        hub.publish("table/01", b'{"n":3}', event_id="3")
        assert next(seen) == {"id": "3", "event": "table/01", "data": '{"n":3}'}


def test_a_browser_that_comes_back_gets_the_state_of_now(run_app: Run) -> None:
    hub = frozen()
    hub.publish("table/01", b'{"n":1}', event_id="1")
    url = run_app(app_of(hub)).url
    with listening(url, "table/01") as response:
        next(frames(response))
    hub.publish("table/01", b'{"n":2}', event_id="2")
    hub.publish("table/01", b'{"n":3}', event_id="3")
    with listening(url, "table/01", **{"last-event-id": "1"}) as response:
        assert next(frames(response))["data"] == '{"n":3}'


def test_one_stream_carries_several_channels_each_under_its_name(run_app: Run) -> None:
    hub = frozen()
    hub.publish("table/01", b"{}")
    hub.publish("clock", b"{}")
    url = run_app(app_of(hub)).url
    with listening(url, "table/01&channel=clock&channel=beat") as response:
        seen = frames(response)
        assert {next(seen)["event"], next(seen)["event"]} == {"table/01", "clock"}


def test_a_closed_stream_leaves_no_subscription_behind(run_app: Run) -> None:
    hub = Hub()
    hub.publish("clock", b"{}")
    server = run_app(app_of(hub))
    with listening(server.url, "clock") as response:
        seen = frames(response)  # kept: the stream is closed when it is forgotten
        next(seen)
        assert hub.subscribers == 1
    server.stop()
    assert hub.subscribers == 0


def test_stopping_the_server_ends_open_streams(run_app: Run) -> None:
    hub = Hub()
    server = run_app(app_of(hub))
    with listening(server.url, "clock") as response:
        stopping = threading.Thread(target=server.stop)
        stopping.start()
        assert list(frames(response)) == []
        stopping.join()


def test_an_unknown_channel_is_refused_by_name() -> None:
    async def ask() -> None:
        transport = httpx.ASGITransport(app_of(Hub()))
        async with httpx.AsyncClient(transport=transport, base_url="http://feltwire") as client:
            for path in ("/events?channel=table/99", "/events", "/api/table/99", "/api/sealed/01"):
                answer = await client.get(path)
                assert answer.status_code == 404
                assert "table/01" in answer.json()["error"]

    asyncio.run(ask())


def test_the_latest_snapshot_can_be_read_once_it_exists() -> None:
    async def ask() -> None:
        hub = Hub()
        transport = httpx.ASGITransport(app_of(hub))
        async with httpx.AsyncClient(transport=transport, base_url="http://feltwire") as client:
            assert (await client.get("/api/table/01")).status_code == 404, "no request is a fault of the server's"
            view = encode(table_view())
            hub.publish("table/01", view, event_id="1234")
            answer = await client.get("/api/table/01")
            assert (answer.content, answer.headers["x-event-id"]) == (view, "1234")

    asyncio.run(ask())


def test_a_slow_reader_skips_to_the_newest_and_holds_nothing() -> None:
    async def read_late() -> None:
        hub = Hub()
        news = hub.subscribe("table/01")
        for n in range(10_000):
            hub.publish("table/01", b"%d" % n)
        assert (await anext(news)).data == b"9999"
        hub.publish("table/01", b"10000")
        assert (await anext(news)).data == b"10000"

    asyncio.run(read_late())


def test_ten_thousand_publications_put_one_wake_up_in_the_loop() -> None:
    async def count() -> int:
        hub = Hub()
        hub.subscribe("table/01")
        loop = asyncio.get_running_loop()
        wake_ups = 0
        schedule = loop.call_soon_threadsafe

        def counted(*arguments: object) -> object:
            nonlocal wake_ups
            wake_ups += 1
            return schedule(*arguments)

        loop.call_soon_threadsafe = counted  # type: ignore[assignment, method-assign]
        for n in range(10_000):
            hub.publish("table/01", b"%d" % n)
        return wake_ups

    assert asyncio.run(count()) == 1


def test_a_busy_channel_does_not_starve_a_quiet_one() -> None:
    async def read() -> list[str]:
        hub = Hub()
        news = hub.subscribe("busy", "quiet")
        hub.publish("busy", b"1")
        hub.publish("quiet", b"1")
        seen = []
        for n in range(2):
            seen.append((await anext(news)).channel)
            hub.publish("busy", b"%d" % n)
        return seen

    assert asyncio.run(read()) == ["busy", "quiet"]


def test_publishing_from_another_thread_wakes_the_reader() -> None:
    async def read() -> Snapshot:
        hub = Hub()
        async with hub.subscribe("clock") as news:
            waiting = asyncio.create_task(anext(news))
            await asyncio.sleep(0)  # let it begin to wait
            await asyncio.to_thread(hub.publish, "clock", b"{}")
            return await waiting

    assert asyncio.run(read()).channel == "clock"


def test_publishing_after_a_readers_loop_has_ended_forgets_the_reader() -> None:
    hub = Hub()

    async def leave() -> None:
        hub.subscribe("clock")

    asyncio.run(leave())
    hub.publish("clock", b"{}")
    assert hub.subscribers == 0


def test_an_event_without_a_seq_has_no_id() -> None:
    assert as_event(Snapshot("beat", b"{}", "", 1, 0.0)) == b"event: beat\ndata: {}\n\n"


def test_news_that_is_not_fresh_comes_with_its_age(run_app: Run) -> None:
    now = 100.0
    hub = Hub(now=lambda: now)
    hub.publish("clock", b"{}")
    now += 48
    url = run_app(app_of(hub)).url
    with listening(url, "clock") as response:
        seen = frames(response)
        assert next(seen) == {"event": "age", "data": '{"ms":48000}'}
        assert next(seen)["event"] == "clock"


# ------------------------------------------------------------------------------------------------- beats


def told(hub: Hub, count: int, between: Callable[[], None]) -> list[bytes]:
    """The first `count` parts of a stream of `table/01`; `between` is called behind each."""

    async def follow() -> list[bytes]:
        parts = []
        async for part in EventStream(hub, "table/01").body_iterator:
            parts.append(bytes(part))
            if len(parts) == count:
                break
            between()
        return parts

    return asyncio.run(asyncio.wait_for(follow(), PATIENCE_S))


def test_a_stream_beats_with_its_process_and_says_nothing_of_a_beat_that_is_old() -> None:
    now = [100.0]
    hub = Hub(now=lambda: now[0])
    hub.beat()
    first, beat = told(hub, 2, lambda: None)
    assert b"alive" not in first
    assert b"event: alive" in beat
    now[0] += 2.0  # the process hangs; the web server in it goes on
    first, snapshot = told(hub, 2, lambda: hub.publish("table/01", b"{}"))
    assert b"alive" not in first
    assert b"event: table/01" in snapshot


def test_a_stream_beats_by_itself_where_nobody_else_does() -> None:
    hub = Hub()
    assert all(b"event: alive" in part for part in told(hub, 3, lambda: None))
    hub.beat()
    hub.beats_by_itself()  # what is shown says why nothing goes on
    assert b"event: alive" in told(hub, 1, lambda: None)[0]
