"""What the station cannot show of a page: the page says it, and the rest of it is drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from display.identity.signin import SignIn
from display.push import Hub
from feltwire.runtime.views import Views
from feltwire.station.tournament.pages import view
from tests.display.conftest import Running
from tests.display.station.conftest import Heart
from tests.display.station.nights import Station, running
from tests.display.test_accessible import violations
from tests.display.test_browser import app_of, context, errors_of, hub
from tests.display.test_browser import pytestmark as in_a_browser
from tests.feltwire.night_room import NightRoom

__all__ = ["context", "hub"]
pytestmark = [in_a_browser, pytest.mark.plants_a_fault]

Open = Callable[..., tuple[Page, Station]]


def planted(*_: object) -> Any:
    raise ValueError("AhKd")


def break_piece(monkeypatch: pytest.MonkeyPatch, channel: str, words: str) -> None:
    """The part of a channel with these words cannot be made."""
    pieces = view.PIECES[channel]
    assert any(piece.part.words == words for piece in pieces)
    broken = tuple(piece._replace(make=planted) if piece.part.words == words else piece for piece in pieces)
    monkeypatch.setitem(view.PIECES, channel, broken)


@pytest.fixture
def broken(context: object, run_app: Callable[..., Running], hub: Hub, heart: Heart) -> Open:
    """`broken(path)` opens a page of a station that guards its views."""

    def open_page(path: str) -> tuple[Page, Station]:
        room: NightRoom = running(14)
        node = room.station.node
        node.views.__class__ = Views  # as in a venue: nothing raises
        node.views.__init__()  # type: ignore[misc]
        room.do("leave", player="p14")  # everything is made anew
        signin = SignIn()
        heart.room = room
        station = Station(hub, room)
        hub.publish("queue", room.station.pages["queue"])
        hub.publish("room", room.station.pages["room"])
        url = run_app(app_of(hub, station, signin, sheets=station.sheet)).url
        page: Page = context.new_page()  # type: ignore[attr-defined]
        page.goto(url + signin.new_link())
        page.goto(url + path)
        return page, station

    return open_page


def test_the_prizes_without_the_best_hand(broken: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    break_piece(monkeypatch, "prizes", "The best hand of the night")
    page, _ = broken("/station/prizes")
    errors = errors_of(page)
    expect(page.locator("#not-shown")).to_contain_text("The best hand of the night cannot be shown (fault ")
    expect(page.locator("#sums")).to_contain_text("Taken in")
    expect(page.locator("#places li").first).to_contain_text("1.")
    assert not errors
    assert not violations(page)


def test_the_players_without_the_money(broken: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list is the page; what was taken is a line of it."""
    break_piece(monkeypatch, "prizes", "The money")
    page, _ = broken("/station/players")
    errors = errors_of(page)
    expect(page.locator("#not-shown")).to_contain_text("The money cannot be shown (fault ")
    expect(page.locator("#shown")).to_have_text("14 players")
    expect(page.locator("#players")).to_contain_text("Bo Larsen")
    assert not errors


def test_it_is_gone_once_it_is_mended(broken: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        break_piece(patch, "seats", "Proposals of moves and breaks")
        page, station = broken("/station/seats")
        expect(page.locator("#not-shown")).to_contain_text("Proposals of moves and breaks cannot be shown")
        expect(page.locator("main")).to_contain_text("Bo Larsen")
    with station.elsewhere() as room:
        room.do("return", player="p14")
    expect(page.locator("#not-shown")).to_be_empty()
    expect(page.locator("#not-shown")).to_be_hidden()


def test_the_queue_says_what_is_missing_and_where_to_look(broken: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    break_piece(monkeypatch, "prizes", "The money")
    page, _ = broken("/station")
    item = page.locator(".item", has_text="The money cannot be shown (fault ")
    expect(item).to_contain_text("Not shown")
    expect(item).to_contain_text("is missing in this queue: look there yourself")
    expect(item.get_by_role("link", name="Look there")).to_have_attribute("href", "/station/log")
