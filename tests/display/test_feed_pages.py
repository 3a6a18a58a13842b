"""`/feed` and `/hand` over HTTP and in a real browser: pages, streams, which other sites read them, checks."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import product
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import msgspec
import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect

from display.app import create_app
from feltwire.cli import main
from feltwire.ledger.releases import SignedRelease
from feltwire.relay.feed.feed import checked_origins
from feltwire.relay.feed.store import SignedPage, hand_in
from feltwire.relay.relay_io import HandKey
from feltwire.tools.hands import checks
from table_core.messages import encode
from tests.display import fixtures
from tests.display.conftest import PATIENCE_S, Running
from tests.feltwire.relay.feed_rig import FeedRig
from tests.feltwire.relay.test_feed import flipped, released
from tests.feltwire.relay.test_relay import KEYS
from tests.ports import free_port

pytestmark = pytest.mark.browser
Run = Callable[..., Running]
NAMED, HOSTILE = "https://stats.example", "https://evil.example"
KEY = KEYS.verify_hex


@pytest.fixture
def rig(tmp_path: Path) -> FeedRig:
    rig = released(FeedRig(tmp_path, release_folded=True))
    rig.hub.publish("overlay/01", encode(fixtures.overlay_view()))
    return rig


@pytest.fixture
def relay(rig: FeedRig, run_app: Run) -> Running:
    return serve(rig, run_app, NAMED)


def serve(rig: FeedRig, run_app: Run, *origins: str) -> Running:
    app = create_app(
        hub=rig.hub,
        pages={"air"},
        venue="hall",
        tables=["01"],
        frames=("'self'",),
        feed=rig.feed,
        feed_origins=origins,
    )
    return run_app(app)


def show_copies(rig: FeedRig, count: int) -> None:
    """As many more hands, of later events."""
    store = rig.feed._kept
    for no in range(count):
        key = HandKey("01", f"event {no}", 1, 1)
        store.keep(key, replace(hand_in(rig.line()), name=store.name_of(key)))
        store.show(key, KEYS.signing)
        rig.hub.publish("feed", b"%d" % store.newest())


# ------------------------------------------------------------------------------------------- what it answers


def test_hands_come_newest_first_a_page_at_a_time_and_are_not_sent_twice(rig: FeedRig, relay: Running) -> None:
    show_copies(rig, 4)
    first = httpx.get(f"{relay.url}/feed/hands.json?limit=2")
    assert [hand["no"] for hand in first.json()["hands"]] == [5, 4]
    second = httpx.get(relay.url + first.json()["older"])
    assert [hand["no"] for hand in second.json()["hands"]] == [3, 2]
    third = httpx.get(relay.url + second.json()["older"]).json()
    assert [hand["no"] for hand in third["hands"]] == [1]
    assert third["older"] == ""
    again = httpx.get(f"{relay.url}/feed/hands.json?limit=2", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "query",
    ["limit=0", "limit=101", "limit=x", "before=x", "before=-1", "limit=1e2", "before=" + "0" * 20 + "9" * 30],
)
def test_a_page_that_is_none_is_refused(relay: Running, query: str) -> None:
    answer = httpx.get(f"{relay.url}/feed/hands.json?{query}")
    assert answer.status_code == 400
    assert "limit a number from 1 to 100" in answer.json()["error"]


def test_a_stream_gives_each_hand_once_and_goes_on_where_it_was(rig: FeedRig, relay: Running) -> None:
    with httpx.stream("GET", f"{relay.url}/feed/hands", headers={"last-event-id": "0"}, timeout=PATIENCE_S) as one:
        lines = one.iter_lines()
        assert read(lines, 1) == [1]
        show_copies(rig, 3)
        assert read(lines, 3) == [2, 3, 4]
    with httpx.stream("GET", f"{relay.url}/feed/hands", headers={"last-event-id": "3"}, timeout=PATIENCE_S) as two:
        assert read(two.iter_lines(), 1) == [4]


def test_a_stream_without_news_says_that_it_is_there_with_each_beat_of_the_process(relay: Running) -> None:
    over = threading.Event()

    def beats() -> None:  # sooner, one after the other, than a stream waits for one
        while not over.wait(0.2):
            relay.hub.beat()

    thread = threading.Thread(target=beats)
    thread.start()
    try:
        headers = {"last-event-id": "99"}
        with httpx.stream("GET", f"{relay.url}/feed/hands", headers=headers, timeout=PATIENCE_S) as one:
            assert ": alive" in one.iter_lines()
    finally:
        over.set()
        thread.join()


def read(lines: Iterator[str], count: int) -> list[int]:
    found: list[int] = []
    for line in lines:
        if line.startswith("id: "):
            found.append(int(line[4:]))
        if len(found) == count:
            break
    return found


def test_every_answer_is_as_the_schema_says(relay: Running) -> None:
    schema = httpx.get(f"{relay.url}/feed/schema.json").json()
    for address, rule in schema["answers"].items():
        if address == "/feed/hands":
            found = httpx.get(f"{relay.url}/feed/hands.json").json()["hands"][0]
        else:
            path = address.replace("FEED", "01").replace("TABLE", "01").replace("NAME", "1")
            found = httpx.get(relay.url + path).json()
        jsonschema.Draft202012Validator({"$defs": schema["$defs"], **rule}).validate(found)


def test_a_table_as_rows_has_no_prompt_of_its_dealer(relay: Running) -> None:
    rows = httpx.get(f"{relay.url}/feed/table/01.json").json()
    assert [row["seat"] for row in rows] == [*range(1, 11)]
    assert all(not isinstance(value, dict | list) for row in rows for value in row.values())
    assert fixtures.overlay_view().last not in msgspec.json.encode(rows).decode()
    assert httpx.get(f"{relay.url}/feed/table/99.json").status_code == 404


def test_a_hand_that_waits_is_as_if_there_were_none(tmp_path: Path, run_app: Run) -> None:
    """Same answers, headers and sizes, whether a released hand waits for the stream or no hand was played."""
    said = []
    for name, plays in (("waits", True), ("none", False)):
        (tmp_path / name).mkdir()
        rig = FeedRig(tmp_path / name, "30", "3600")
        if plays:
            released(rig)
            assert rig.cards
        relay = serve(rig, run_app)
        answers = [httpx.get(relay.url + path) for path in WAITING]
        for answer in answers:
            answer.headers.pop("date", None)
        said.append([(one.status_code, one.content, [*one.headers.items()]) for one in answers])
    assert said[0] == said[1]


WAITING = (
    *("/feed/hands.json", "/feed/hands.json?before=5", "/feed/hands.json?table=01", "/feed/hand/01/1.json"),
    *("/feed/hand/01/1.phh", "/feed/hand/01/1.ohh", "/feed/hand/01/2.json", "/hand/01/1", "/hand/01/1.2"),
    *("/feed/table/01.json", "/feed/event.json", "/feed/standings.json", "/feed/payouts.json"),
)


# -------------------------------------------------------------------------------------- pages of other sites

FEEDS = ("/feed/hands.json", "/feed/hand/01/1.json", "/feed/table/01.json", "/feed/schema.json")
OPEN = (*FEEDS, "/air/01", "/air/01/pot")
CLOSED = (
    "/",
    "/api/overlay/01",
    "/hand/01/1",
    "/static/hand/hand.js",
    "/api/commands",
    "/feed",
    "/airy",
    "/sign-in",
)
NEARLY = ("null", f"{NAMED}.evil.example", NAMED.upper(), f"{NAMED}:8443", "http://stats.example")
METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE")
ORIGINS = (NAMED, HOSTILE, *NEARLY, "")


@pytest.mark.parametrize("origin", ORIGINS)
def test_only_a_named_origin_may_read_and_only_what_is_open(relay: Running, origin: str) -> None:
    with httpx.Client(base_url=relay.url) as client:
        for method, cookie, path in product(METHODS, ("", "feltwire-session=x"), OPEN + CLOSED):
            said = {name: value for name, value in {"origin": origin, "cookie": cookie}.items() if value}
            answer = client.request(method, path, headers=said)
            case, headers, named = (method, cookie, path), answer.headers, origin == NAMED and path in OPEN
            assert "access-control-allow-credentials" not in headers, case
            assert headers.get("access-control-allow-origin") == (NAMED if named else None), case
            assert headers["cross-origin-resource-policy"] == ("cross-origin" if named else "same-origin"), case
            assert ("Origin" in headers.get("vary", "")) == (path in OPEN), case
            if path in FEEDS:
                assert answer.status_code == status_of(method, origin), case


def status_of(method: str, origin: str) -> int:
    """Of an address of the feed."""
    if method == "OPTIONS":
        return 204 if origin == NAMED else 403
    if method not in ("GET", "HEAD"):
        return 405
    return 200 if origin in (NAMED, "") else 403


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_what_the_browser_says_of_another_site_counts_without_an_origin_too(relay: Running, site: str) -> None:
    embedded = {"sec-fetch-site": site, "sec-fetch-mode": "no-cors", "sec-fetch-dest": "script"}
    link = {"sec-fetch-site": site, "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    assert httpx.get(f"{relay.url}/feed/hands.json", headers=embedded).status_code == 403
    assert httpx.get(f"{relay.url}/feed/hands.json", headers=link).status_code == 200
    assert httpx.get(f"{relay.url}/feed/hands.json", headers=embedded | {"origin": NAMED}).status_code == 200


def test_a_named_origin_may_frame_what_is_on_air_and_nothing_else(relay: Running) -> None:
    framed = []
    for path in ("/air/01", "/air/01/pot", "/hand/01/1", "/", "/feed/hands.json"):
        policy = httpx.get(relay.url + path).headers["content-security-policy"]
        framed += [path] if NAMED in policy.rpartition("frame-ancestors")[2].split() else []
        assert policy.count(NAMED) <= 1
    assert framed == ["/air/01", "/air/01/pot"]


def test_a_page_on_a_disk_frames_where_the_settings_say_so_and_reads_nothing(rig: FeedRig, run_app: Run) -> None:
    relay = serve(rig, run_app, *checked_origins(["file:", NAMED]))
    assert httpx.get(f"{relay.url}/air/01").headers["content-security-policy"].endswith(f"file: {NAMED}")
    for origin in ("null", "file:", "file://"):
        answer = httpx.get(f"{relay.url}/feed/hands.json", headers={"origin": origin})
        assert (answer.status_code, answer.headers.get("access-control-allow-origin")) == (403, None)


READS = """async (addresses) => {
    const found = {};
    for (const [name, url, how] of addresses) {
        try {
            const answer = await fetch(url, how);
            found[name] = (await answer.text()).length;
        } catch { found[name] = "refused"; }
    }
    return found;
}"""


STREAMS = """(url) => new Promise((done) => {
    const stream = new EventSource(url);
    stream.addEventListener("hand", (event) => { stream.close(); done(event.lastEventId); });
    stream.onerror = () => { stream.close(); done("refused"); };
})"""


@contextmanager
def other_site(port: int, body: str = "<title>Another site</title>") -> Iterator[str]:
    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", port), Site) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{port}"
        server.shutdown()
        thread.join()


def test_in_a_real_browser_a_named_page_reads_and_a_hostile_one_does_not(
    rig: FeedRig, run_app: Run, browser: Browser
) -> None:
    ports = free_port(), free_port()
    with other_site(ports[0]) as named, other_site(ports[1]) as hostile:
        relay = serve(rig, run_app, named)
        wanted: list[list[Any]] = [
            ["hands", f"{relay.url}/feed/hands.json", {}],
            ["known", f"{relay.url}/feed/hands.json", {"headers": {"if-none-match": "x"}}],  # with a preflight
            ["air", f"{relay.url}/air/01", {}],
            ["cookies", f"{relay.url}/feed/hands.json", {"credentials": "include"}],
            ["page", f"{relay.url}/hand/01/1", {}],
            ["api", f"{relay.url}/api/overlay/01", {}],
        ]
        with browser.new_context() as context:
            page = context.new_page()
            page.goto(named)
            read_here = page.evaluate(READS, wanted)
            assert [name for name, size in read_here.items() if size == "refused"] == ["cookies", "page", "api"]
            assert read_here["hands"] > 100
            assert page.evaluate(STREAMS, f"{relay.url}/feed/hands?after=0") == "1"
            page.goto(hostile)
            assert set(page.evaluate(READS, wanted).values()) == {"refused"}
            assert page.evaluate(STREAMS, f"{relay.url}/feed/hands?after=0") == "refused"
            framed = """(url) => new Promise((done) => { const frame = document.createElement("iframe");
                frame.src = url; frame.onload = () => done(); document.body.append(frame); })"""
            page.evaluate(framed, f"{relay.url}/air/01")
            assert page.frames[1].url.startswith("chrome-error:")
            page.goto(named)
            page.evaluate(framed, f"{relay.url}/air/01")
            assert page.frames[1].url == f"{relay.url}/air/01"


# ------------------------------------------------------------------------------------------- the page of a hand


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with browser.new_context(viewport={"width": 390, "height": 844}) as context:
        page = context.new_page()
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        yield page
        assert faults == []


def test_keys_and_buttons_go_through_the_hand_step_by_step(page: Page, relay: Running) -> None:
    page.goto(f"{relay.url}/hand/01/1")
    expect(page.locator("#text")).to_contain_text("Hand 1, level 3")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#text")).to_have_text("Ann (seat 1): fold")
    page.keyboard.press("End")
    expect(page.locator("#text")).to_contain_text("Main pot 3,400: Bo </script> (seat 2) wins 3,400")
    expect(page.locator(".seat.won .did")).to_have_text("+3,400")
    expect(page.locator("#board .card:not(.slot)")).to_have_count(5)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Home")
    expect(page.locator("#count")).to_have_text("1 / 16")
    page.locator("#speed").select_option("4")
    page.locator("h1").click()
    page.keyboard.press(" ")
    expect(page.locator("#count")).to_have_text("16 / 16", timeout=PATIENCE_S * 1000)
    expect(page.locator("#play")).to_have_text("Play")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_name_that_looks_like_a_script_is_a_name(page: Page, relay: Running) -> None:
    page.goto(f"{relay.url}/hand/01/1")
    expect(page.locator(".seat .name b").nth(1)).to_have_text("Bo </script>")


GIVEN = [KEY, f'box = "{"0" * 64}"\nsign = "{KEY}"', f"  {KEY.upper()}\n"]


@pytest.mark.parametrize("given", GIVEN, ids=["the key", "relay.pub", "capital letters"])
def test_over_plain_http_the_hand_is_verified_with_the_key_that_the_viewer_has(
    page: Page, relay: Running, given: str
) -> None:
    page.goto(f"{relay.url}/hand/01/1")
    page.locator("#key").fill(given)
    page.locator("#check").click()
    expect(page.locator("#verdict")).to_contain_text("Verified: 58 checks hold, 11 cards")
    page.locator("#key").fill("0" * 64)
    page.locator("#check").click()
    expect(page.locator("#verdict")).to_contain_text("Not verified")
    page.locator("#key").fill("the key")
    page.locator("#check").click()
    expect(page.locator("#verdict")).to_contain_text("That is no key")


def test_a_link_may_bring_the_key_in_its_fragment(page: Page, relay: Running) -> None:
    page.goto(f"{relay.url}/hand/01/1#key={KEY}")
    expect(page.locator("#verdict")).to_contain_text("Verified")
    assert page.locator("#link").input_value() == f"{relay.url}/hand/01/1"


def test_the_page_finds_each_field_that_is_changed(page: Page, rig: FeedRig, relay: Running) -> None:
    page.goto(f"{relay.url}/hand/01/1")
    changed = {where: msgspec.json.encode(one).decode() for where, one in flipped(msgspec.json.decode(rig.line()))}
    verifies = "([lines, key]) => lines.map((line) => feltwireHands.verifyHand(line, key).ok)"
    verdicts = page.evaluate(verifies, [[*changed.values()], KEY])
    assert [where for where, ok in zip(changed, verdicts, strict=True) if ok] == []
    assert len(changed) > 50
    assert page.evaluate("([line, key]) => feltwireHands.verifyHand(line, key).ok", [rig.line().decode(), KEY])


def test_not_even_the_relay_can_show_another_card_than_the_table_promised(
    page: Page, rig: FeedRig, relay: Running
) -> None:
    """With the relay's own key: the whole hand signed again, with another card for seat 3."""
    signed = msgspec.json.decode(rig.line(), type=SignedPage)
    hand, before, cards = signed.page.hand, "", []
    for one in signed.page.hand.cards:
        release = msgspec.json.decode(one.line, type=SignedRelease).release
        prev = hashlib.sha256(before.encode()).hexdigest() if before else ""
        new = "As" if one.to == "seat-3" else one.card
        release = replace(release, prev=prev, card=replace(release.card, card=new))
        before = encode(SignedRelease(release, KEY, sign(encode(release)))).decode()
        cards.append(replace(one, card=new, line=before))
    seats = tuple(replace(seat, cards=("As", "As")) if seat.seat == 3 else seat for seat in hand.seats)
    forged = replace(signed.page, hand=replace(hand, seats=seats, cards=tuple(cards)))
    line = msgspec.json.encode(SignedPage(forged, KEY, sign(msgspec.json.encode(forged))))
    wrong = {what for what, holds in checks(line, KEY) if not holds}
    assert wrong == {"As, seat-3: salt and card give the promised hash"}
    page.goto(f"{relay.url}/hand/01/1")
    found = page.evaluate("([line, key]) => feltwireHands.verifyHand(line, key).checks", [line.decode(), KEY])
    assert {one["what"] for one in found if not one["ok"]} == {"As, seat 3: salt and card give the promised hash"}


def sign(raw: bytes) -> str:
    return KEYS.signing.sign(raw).signature.hex()


def test_a_folder_of_pages_needs_no_relay(
    page: Page, rig: FeedRig, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "pages"
    assert main(["hands", "export", str(rig.folder), "--to", str(folder)]) == 0
    page.goto((folder / "index.html").as_uri())
    page.get_by_text("Table 01, hand 1").click()
    expect(page.locator("#text")).to_contain_text("Hand 1")
    page.keyboard.press("End")
    expect(page.locator("#text")).to_contain_text("(seat 2) wins")
    page.locator("#key").fill(KEY)
    page.locator("#check").click()
    expect(page.locator("#verdict")).to_contain_text("Verified")
    signed = folder / "hand" / "01" / "1.json"
    assert main(["hands", "verify", str(signed), "--key", KEY]) == 0
    signed.write_text(signed.read_text().replace("Cleo", "Clea", 1))
    assert main(["hands", "verify", str(signed), "--key", KEY]) == 1
    assert (folder / "hand" / "01" / "1.phh").read_text().startswith("variant = 'NT'")


def test_the_library_is_the_one_that_the_decision_names() -> None:
    folder = Path(__file__).parents[2]
    digest = hashlib.sha256((folder / "display/hand/noble.js").read_bytes()).hexdigest()
    assert digest in (folder / "docs/decisions/0094-released-hands-for-others.md").read_text()
