"""The public page of the coverage, its feeds, and its desk."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from email.utils import parsedate_to_datetime
from html import unescape
from typing import Any
from xml.etree import ElementTree

import feedparser
import pytest
from playwright.sync_api import Browser, Page, expect

from display.coverage_page import KEPT_S, ON_A_PAGE, WORDS
from display.identity.access import Role
from tests.display.conftest import Running, cookie_of
from tests.display.coverage.covered import Client, Pages
from tests.display.test_accessible import violations
from tests.display.test_browser import context_of
from tests.feltwire.relay.coverage.test_coverage import LEFT, all_in, clock, take_back
from tests.feltwire.relay.coverage.told import LEVEL, CoverageRig, field

NASTY = ("<script>alert(1)</script>", "]]><b>", "Zoë & Co", "שלום", "a'\"b", "%s{w}")


@pytest.fixture
def pages() -> Pages:
    rig = CoverageRig()
    rig.field(field(LEFT, payouts=(60_000, 30_000)))
    rig.clock(clock(LEVEL))
    rig.hear(*all_in(stacks={1: ("ann", 9_000), 2: ("bo", 6_000)}))
    return Pages(rig)


@pytest.fixture
def client(pages: Pages) -> Client:
    return Client(pages)


def feed_of(client: Client, path: str = "/coverage.rss?lang=en") -> Any:
    answer = client.get(path)
    assert answer.headers["content-type"].startswith("application/rss+xml")
    found = feedparser.parse(answer.content)
    assert not found.bozo, found.get("bozo_exception")
    return found


def test_the_feed_is_valid_and_says_what_the_page_says(client: Client, pages: Pages) -> None:
    found = feed_of(client)
    assert found.version == "rss20"
    assert found.feed.title == "Friday: Live coverage"
    said = [line.text["en"] for line in pages.view.lines]
    assert [entry.description for entry in found.entries] == [
        unescape(words).replace("&", "&amp;") for words in said
    ]
    assert all(entry.id.startswith("urn:feltwire:coverage:") for entry in found.entries)
    assert len({entry.id for entry in found.entries}) == len(said)
    root = ElementTree.fromstring(client.get("/coverage.rss").content)
    assert [parsedate_to_datetime(one.text or "").tzinfo for one in root.iter("pubDate")]


def test_json_feed(client: Client, pages: Pages) -> None:
    answer = client.get("/coverage.json?lang=de")
    assert answer.headers["content-type"] == "application/feed+json"
    told = answer.json()
    assert told["version"] == "https://jsonfeed.org/version/1.1"
    assert told["language"] == "de"
    for item in told["items"]:
        assert item["id"]
        assert item["content_text"]
        assert item["date_published"].endswith("Z")
    (out,) = (item for item in told["items"] if item["tags"] == ["out"])
    assert out["external_url"].endswith("/hand/01/7")
    assert out["_feltwire"]["hand"] == 7


@pytest.mark.parametrize("name", NASTY)
def test_whatever_a_player_is_called_it_is_text(name: str) -> None:
    rig = CoverageRig()
    rig.hear(*all_in(stacks={1: (name, 9_000), 2: ("bo", 6_000)}))
    rig.seats({1: (name, 15_000)})
    client = Client(Pages(rig))
    page = client.get("/coverage?lang=en").text
    assert "<script>alert" not in page
    assert "<b>" not in page
    assert name in unescape(page)
    (entry,) = feed_of(client).entries
    assert "<script" not in entry.description
    (item,) = client.get("/coverage.json").json()["items"]
    assert name in item["content_text"]


@pytest.mark.parametrize("path", ["/coverage", "/coverage.json", "/coverage.rss"])
def test_who_has_the_answer_already_gets_none(path: str, client: Client, pages: Pages) -> None:
    first = client.get(path)
    assert first.headers["cache-control"] == f"public, max-age={KEPT_S}"
    tag = first.headers["etag"]
    again = client.get(path, headers={"if-none-match": tag})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get(path, headers={"if-none-match": f'W/{tag}, "x"'}).status_code == 304
    assert client.get(f"{path}?lang=de").headers["etag"] != client.get(f"{path}?lang=en").headers["etag"]
    pages.rig.press("write", en="News.")
    assert client.get(path, headers={"if-none-match": tag}).status_code == 200


def test_nobodys_session_changes_what_may_be_cached(client: Client, pages: Pages) -> None:
    cookie = cookie_of(pages.signin, Role.PRODUCER)
    assert client.get("/coverage").content == client.get("/coverage", headers={"cookie": cookie}).content


def test_the_language_is_asked_for_or_the_readers(client: Client) -> None:
    german = client.get("/coverage", headers={"accept-language": "de-AT,de;q=0.9"}).text
    assert '<html lang="de">' in german
    assert "Level 3 beginnt" in german
    assert '<html lang="en">' in client.get("/coverage?lang=en", headers={"accept-language": "de"}).text
    assert '<html lang="en">' in client.get("/coverage?lang=xx").text
    assert WORDS["en"].keys() == WORDS["de"].keys()


def test_older_lines_are_a_page_further(client: Client, pages: Pages) -> None:
    for number in range(ON_A_PAGE + 5):
        pages.rig.press("write", en=f"Line {number}.")
    first = client.get("/coverage.json").json()
    second = client.get(first["next_url"].removeprefix("http://127.0.0.1")).json()
    texts = [item["content_text"] for item in (*first["items"], *second["items"])]
    assert len(texts) == len(set(texts)) == len(pages.view.lines)
    assert "next_url" not in second
    assert client.get("/coverage?before=abc").status_code == 200


def test_what_is_not_so_any_more_stays_readable_as_such(client: Client, pages: Pages) -> None:
    said = pages.rig.table.envelopes
    take_back(pages.rig, said[-2:])
    page = client.get("/coverage?lang=en").text
    assert "Withdrawn at" in page
    assert "<s>" in page
    assert any(entry.description.startswith("Withdrawn at") for entry in feed_of(client).entries)
    pages.rig.press("write", en="A wrong word.")
    pages.rig.press("remove", pages.view.lines[0].id)
    assert "A wrong word." not in client.get("/coverage").text + client.get("/coverage.json").text


def test_the_desk_is_for_producers(client: Client, pages: Pages) -> None:
    assert client.get("/coverage/desk").status_code == 403
    assert client.get("/api/coverage_desk").status_code == 403
    cookie = {"cookie": cookie_of(pages.signin, Role.PRODUCER)}
    assert client.get("/coverage/desk", headers=cookie).status_code == 200
    refused = client.post("/coverage/desk", json={"do": "write", "text": {"en": "x"}})
    assert refused.status_code == 403


# ---------------------------------------------------------------------------------------- in a browser


@pytest.fixture
def served(pages: Pages, run_app: Callable[..., Running]) -> Iterator[tuple[Pages, str]]:
    return pages, run_app(pages.app).url


@pytest.fixture
def phone(served: tuple[Pages, str], browser: Browser) -> Iterator[Page]:
    with context_of(browser, 360, 740) as context:
        page = context.new_page()
        page.goto(f"{served[1]}/coverage?lang=en")
        expect(page.locator(".line")).to_have_count(len(served[0].view.lines))
        yield page


@pytest.mark.browser
def test_the_page_follows_without_a_reload(served: tuple[Pages, str], phone: Page) -> None:
    pages, _ = served
    page = phone
    expect(page.locator("#link")).to_be_hidden()
    page.evaluate("window.here = true")
    pages.rig.press("write", en="Shuffle up and deal.")
    pages.show()
    expect(page.locator(".line").first).to_contain_text("Shuffle up and deal.")
    assert page.evaluate("window.here"), "the page was not loaded again"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is wider than a phone"
    assert violations(page) == []


@pytest.mark.browser
def test_at_the_desk_a_line_is_held_worded_and_let_out(served: tuple[Pages, str], browser: Browser) -> None:
    pages, url = served
    with context_of(browser, 1280, 900) as context:
        name, _, value = cookie_of(pages.signin, Role.PRODUCER).partition("=")
        context.add_cookies([{"name": name, "value": value, "url": url}])
        page = context.new_page()
        page.goto(f"{url}/coverage/desk")
        page.get_by_role("button", name="Only by a press").click()
        expect(page.locator('[data-mode="hold"]')).to_have_attribute("aria-pressed", "true")
        pages.rig.hear(*all_in(stacks={1: ("ann", 15_000), 4: ("di", 4_000)}, loser=4, number=8))
        pages.show()
        entry = page.locator("#waiting .entry")
        expect(entry).to_have_count(1)
        entry.get_by_role("button", name="Edit").click()
        entry.get_by_label("English").fill("Di is gone.")
        entry.get_by_role("button", name="Say it so").click()
        expect(entry.locator(".words").first).to_have_text("Di is gone.")
        entry.get_by_role("button", name="Let it out").click()
        expect(page.locator("#out .entry .words").first).to_have_text("Di is gone.")
        page.get_by_label(re.compile("^English")).first.fill("Dinner is served.")
        page.get_by_role("button", name="Send it out now").click()
        expect(page.locator("#out .entry .words").first).to_have_text("Dinner is served.")
        assert violations(page) == []
    assert [line.text["en"] for line in pages.view.lines][:2] == ["Dinner is served.", "Di is gone."]
