"""Payout sheet and receipts over HTTP, from a station's event; what the clock posts of the money."""

from __future__ import annotations

import asyncio
import re

import httpx
import pytest

from display.app import create_app
from display.identity.access import Role
from display.identity.signin import SignIn
from display.push import Hub
from tests.display.conftest import cookie_of
from tests.feltwire.night_room import NightRoom, publish_night


class Sheets:
    """An event of ccp with ten players, of whom two have bought in again."""

    def __init__(self) -> None:
        self.room = NightRoom()
        self.room.do("open", name="Friday", rulebook="ccp")
        for no in range(1, 11):
            self.room.do("register_new", name=f"Name {no}", member=True, adult=True)
            self.room.do("enter", player=f"p{no}")

    def page(self, path: str, status: int = 200) -> str:
        """The words of a page, as the director's browser gets it."""
        _ = self.room.shown
        signin = SignIn()

        async def ask() -> str:
            hub = Hub()
            publish_night(hub, self.room)
            app = create_app(hub=hub, pages={"station"}, venue="hall", tables=(), signin=signin)
            transport, cookie = httpx.ASGITransport(app), {"cookie": cookie_of(signin, Role.TD)}
            async with httpx.AsyncClient(
                transport=transport, base_url="http://feltwire", headers=cookie
            ) as client:
                answer = await client.get(path)
                assert answer.status_code == status, answer.text
                return answer.text

        return " ".join(re.sub(r"<[^>]+>", " ", asyncio.run(ask()).partition("<main")[2]).split())


@pytest.mark.rule("ccp.payout.1", "ccp.payout.3", "ccp.payout.4")
def test_the_payout_sheet_has_the_purse_its_places_and_the_cash_box() -> None:
    sheets = Sheets()
    for no in (1, 2):
        sheets.room.do("buy", player=f"p{no}", kind="rebuy", stack=0, anyway="agreed")
    sheets.room.do("count_cash", amount=29_900)
    text = sheets.page("/payouts")
    assert "Taken in 300.00" in text
    assert "Purse of this event 240.00 For the championship 60.00" in text
    assert "1 96.00 2 60.00 3 48.00 4 24.00 5 12.00" in text
    assert "5 to go until the money" in text
    assert "by the records 300.00 Counted 299.00 Difference -1.00" in text
    assert "rounded" in text


def test_a_receipt_says_what_a_player_paid_and_got() -> None:
    sheets = Sheets()
    sheets.room.do("name_targets", standing=["p1"], last_places=["p2"])
    sheets.room.do("enter_bounty", player="p3", game="A")
    sheets.room.do("draw_seats", tables=["01", "02"])
    sheets.room.do("start")
    sheets.room.do("buy", player="p3", kind="rebuy", anyway="agreed")
    sheets.room.do("report_bust", table="01", hand=1, out=[{"player": "p1", "start_stack": 900, "by": ["p3"]}])
    sheets.room.do("confirm_bust", busts=["01-1"])
    text = sheets.page("/receipts?player=p3")
    assert "Name 3 1 entry, 1 rebuy 50.00 Bounty games entered: 1 2.00 Bounties, paid out 2.00" in text
    assert "Name 4" not in text
    assert sheets.page("/receipts").count("Received") == 10
    assert "has paid nothing" in sheets.page("/receipts?player=p99", 404)


@pytest.mark.rule("rpl.league.8")
def test_the_sheet_says_that_an_entry_elsewhere_was_paid_to_its_organiser() -> None:
    sheets = Sheets.__new__(Sheets)
    sheets.room = NightRoom(("01",))
    house = {"starting_stack": 5_000, "buy_in": 100, "payouts": [80, 20], "seat_prizes": [[1, "WSOP"]]}
    sheets.room.do("open", name="Friday", rulebook="rpl", house=house)
    for player in ("Ann", "Bo"):
        sheets.room.do("register", player=player)
        sheets.room.do("enter", player=player)
    sheets.room.do("draw_seats", tables=["01"])
    sheets.room.do("start")
    sheets.room.do("report_bust", table="01", hand=1, out=[{"player": "Bo", "start_stack": 900, "by": ["Ann"]}])
    sheets.room.do("confirm_bust", busts=["01-1"])
    sheets.room.do("pay_prize", player="Ann")
    sheets.room.do("pay_prize", player="Bo")
    assert "1 160.00 Ann 160.00 160.00 to WSOP 2 40.00 Bo 40.00 40.00 In" in sheets.page("/payouts")
    assert "Paid to WSOP" in sheets.page("/receipts?player=Ann")
    assert "Paid to" not in sheets.page("/receipts?player=Bo")


@pytest.mark.rule("ccp.buyin.1", "ccp.payout.2")
def test_the_clock_posts_the_buy_in_and_what_each_place_pays() -> None:
    sheets = Sheets()
    clock = sheets.room.station.clock
    assert clock.buy_in == 2_500
    assert clock.payouts == (8_000, 5_000, 4_000, 2_000, 1_000)


def test_a_house_may_post_nothing_on_the_clock() -> None:
    room = NightRoom(("01",))
    room.do("open", rulebook="ccp", house={"money_posted": False})
    room.do("register", player="Ann", member=True, adult=True)
    room.do("enter", player="Ann")
    assert (room.station.clock.buy_in, room.station.clock.payouts) == (0, ())


def test_without_an_event_there_is_no_sheet() -> None:
    sheets = Sheets.__new__(Sheets)
    sheets.room = NightRoom(("01",))
    assert "no event" in sheets.page("/payouts", 404)
