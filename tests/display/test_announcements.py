"""The announcements page: what the organiser says before the start, from a station's event to the page."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import httpx
import msgspec
import pytest

from display.app import create_app
from display.push import Hub
from table_core.messages import Chips as C
from table_core.messages import Level
from tests.feltwire.night_room import NightRoom

HOME = (
    *(Level(no, C(small), C(2 * small), minutes=15) for no, small in ((1, 5), (2, 10), (3, 15), (4, 20))),
    Level(0, C(0), C(0), minutes=10, is_break=True),
    Level(5, C(25), C(50), minutes=30),
    Level(0, C(0), C(0), minutes=60, is_break=True, what="lunch"),
    Level(6, C(50), C(100), minutes=30),
)


def levels(schedule: tuple[Level, ...]) -> list[dict[str, Any]]:
    return [msgspec.to_builtins(level) for level in schedule]


def page_of(room: NightRoom) -> str:
    """The page over HTTP, of what the station's node publishes."""
    hub = Hub()
    room.wait(1_100)

    async def ask() -> str:
        app = create_app(hub=hub, pages={"announcements"}, venue="hall", tables=())
        hub.publish("announcements", room.station.pages["announcements"])
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://feltwire") as client:
            answer = await client.get("/announcements")
            assert answer.status_code == 200, answer.text
            return answer.text

    return asyncio.run(ask())


def topics(text: str) -> list[tuple[str, str, str]]:
    """Id, rule and sentences of every topic, in order."""
    body = text.partition('<ol class="topics">')[2].partition("</ol>")[0]
    found = []
    for part in re.split(r'<li id="', body)[1:]:
        name, _, rest = part.partition('"')
        heading, _, lines = rest.partition("</h2>")
        rule = re.findall(r">([\w.]+)</a>", heading)
        found.append((name, rule[0] if rule else "", " ".join(re.sub(r"<[^>]+>", " ", lines).split())))
    return found


def told(book: str, *, house: dict[str, Any] | None = None, schedule: tuple[Level, ...] = HOME) -> dict[str, str]:
    """Each topic's sentences under a book."""
    room = NightRoom()
    room.do("open", rulebook=book, levels=levels(schedule), house=house or {}, starts=0)
    return {name: lines for name, _, lines in topics(page_of(room))}


@pytest.mark.rule("home.suggest.g")
def test_the_page_has_the_organisers_list_of_fifteen_in_its_order_each_with_its_rule() -> None:
    room = NightRoom()
    room.do("open", rulebook="home", levels=levels(HOME))
    found = topics(page_of(room))
    assert [rule for _, rule, _ in found] == [f"home.suggest.{no}" for no in range(1, 16)]
    said = [lines for *_, lines in found]
    for no, words in enumerate(
        (
            *(
                "best five",
                "say that you bet or raise before",
                "No string bets",
                "Do not splash",
                "check and raise",
            ),
            *("blinds begin at 5/10", "out of turn", "no further card", "Break of 10 minutes", "two players left"),
            *("no rebuys", "Any number of raises", "cannot pay a blind is all-in", "raised last shows first"),
            "smallest bet before the flop and on the flop is the small blind, 5 at the start",
        )
    ):
        assert words in said[no], (no + 1, said[no])


@pytest.mark.rule("home.suggest.6")
def test_chip_values_and_the_levels_of_the_event_are_listed() -> None:
    said = told("home")["chips_and_blinds"]
    assert "16 of 5, 12 of 10, 8 of 25, 6 of 50, 3 of 100" in said
    assert "begin with 1,000" in said
    assert "The blinds begin at 5/10." in said
    assert "After 15 minutes they are 10/20." in said
    assert "After 30 minutes they are 50/100." in said
    other = told(
        "home", schedule=(Level(1, C(100), C(200), minutes=12), Level(2, C(200), C(400), C(50), minutes=12))
    )
    assert "The blinds begin at 100/200." in other["chips_and_blinds"]
    assert "After 12 minutes they are 200/400 with an ante of 50." in other["chips_and_blinds"]
    assert "begin with 4,000" in told("home", house={"starting_stack": 4_000})["chips_and_blinds"]


@pytest.mark.rule("home.suggest.6", "home.suggest.9")
def test_levels_of_less_than_a_minute_are_said_in_seconds() -> None:
    said = told("home", schedule=tuple(msgspec.structs.replace(level, minutes=1 / 3) for level in HOME[:6]))
    assert "After 20 seconds they are 10/20." in said["chips_and_blinds"]
    assert "Break of 20 seconds, 1.3 minutes after the start." in said["breaks"]


@pytest.mark.rule("home.suggest.15")
def test_one_smallest_bet_for_all_streets_is_said_in_one_sentence() -> None:
    assert "The smallest bet on every street is the big blind, 10 at the start." in told("wfp")["smallest_bets"]


@pytest.mark.rule("home.suggest.7", "home.betting.9a", "home.betting.9b", "home.betting.10")
def test_what_happens_out_of_turn_is_said_as_the_book_has_it() -> None:
    home = told("home")["out_of_turn"]
    assert "check out of turn: you must call a bet made in turn, and may neither raise nor fold" in home
    assert "A bet or raise out of turn is a check when the player before you then checks" in home
    assert all(rule in home for rule in ("home.betting.9a", "home.betting.9b", "home.betting.10"))
    wfp = told("wfp")["out_of_turn"]
    assert "you may not bet or raise at your turn" in wfp
    assert "A call out of turn never becomes a raise" in wfp
    assert all(rule in wfp for rule in ("wfp.betting.7a", "wfp.betting.7b", "wfp.betting.7c"))


@pytest.mark.rule("home.suggest.9")
def test_breaks_and_meals_of_the_schedule_are_listed_with_their_time() -> None:
    said = told("home")["breaks"]
    assert "Break of 10 minutes, 60 minutes after the start." in said
    assert "Lunch of 60 minutes, 100 minutes after the start." in said
    assert re.findall(r"\b\d\d:\d\d\b", said) == ["01:00", "01:40"], "the start is at midnight UTC"
    assert told("home", schedule=HOME[:3])["breaks"] == "There are no breaks."


@pytest.mark.rule("home.suggest.10", "home.headsup.1")
def test_the_procedure_of_two_players_is_said() -> None:
    said = told("home")["heads_up"]
    assert "the button has the small blind" in said
    assert "home.headsup.1" in said
    assert "has the big blind" in told("home", house={"heads_up_button": "big_blind"})["heads_up"]


@pytest.mark.parametrize(
    ("topic", "book", "house", "words"),
    [
        ("check_raise", "home", {"check_raise": False}, "may not raise"),
        ("rebuys", "ccp", {}, "1 for each player, before the first hand of level 4"),
        ("raises", "wfp", {"raise_cap": 3}, "At most 3 bets and raises"),
        ("smallest_bets", "rpl", {}, "on every street is the big blind, 10 at the start"),
        ("showdown", "ccp", {"showdown_order": "left_of_button"}, "first player left of the button shows first"),
        ("words_bind", "cpp", {}, "a raise to their total"),
    ],
)
def test_every_sentence_follows_the_book_and_the_settings_of_the_event(
    topic: str, book: str, house: dict[str, Any], words: str
) -> None:
    assert words in told(book, house=house)[topic]


@pytest.mark.rule("rpl.league.11", "rpl.league.12")
def test_the_event_links_to_the_structure_and_the_payouts_that_are_published() -> None:
    room = NightRoom()
    room.do("open", rulebook="rpl", levels=levels(HOME), house={"payouts": [50, 30, 20]})
    published = room.shown["published"]
    assert published["blind structure"] == {"href": "/announcements#levels", "rule": "rpl.league.11"}
    assert published["payouts"] == {"href": "/announcements#prizes", "rule": "rpl.league.12"}
    text = page_of(room)
    structure = text.partition('id="levels"')[2].partition("</section>")[0]
    assert re.findall(r"<td>(\d+/\d+)</td>", structure) == ["5/10", "10/20", "15/30", "20/40", "25/50", "50/100"]
    assert "<li>Place 1: 50 per cent</li>" in text.partition('id="prizes"')[2]
    moved = NightRoom()
    moved.do("open", rulebook="rpl", house={"published_payouts": "https://league.example/payouts"})
    assert moved.shown["published"]["payouts"]["href"] == "https://league.example/payouts"


def test_a_station_without_an_event_announces_by_its_configuration_and_one_that_is_silent_says_so() -> None:
    room = NightRoom()
    assert "Level" in page_of(room)
    assert len(topics(page_of(room))) == 15

    async def ask() -> str:
        app = create_app(hub=Hub(), pages={"announcements"}, venue="hall", tables=())
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://feltwire") as client:
            return (await client.get("/announcements")).text

    assert "published nothing yet" in asyncio.run(ask())
