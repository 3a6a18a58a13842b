"""What rules leave to people at the table, on the pages that they look at there."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Any

import httpx
import pytest
from playwright.sync_api import BrowserContext, expect

from display.app import create_app
from display.identity.access import Role
from display.identity.signin import SignIn
from display.push import Hub
from feltwire.station.tournament.commands import NAMES
from table_core.messages import encode
from tests.display import fixtures
from tests.display.conftest import STAMPED, Recorded, Running, cookie_of
from tests.display.test_browser import context, hub, room
from tests.feltwire.night_room import NightRoom

__all__ = ["context", "hub", "room"]


def asked(
    path: str, channels: Mapping[str, bytes], *, role: Role = Role.VIEWER, command: str = "", table: str = ""
) -> httpx.Response:
    """An answer to somebody in this role: of a page, a channel, or a press of the director."""
    signin, hub = SignIn(), Hub()
    for channel, snapshot in channels.items():
        hub.publish(channel, snapshot)
    headers = {} if role is Role.VIEWER else {"cookie": cookie_of(signin, role, table)}
    app = create_app(
        hub=hub, pages={"station", "table"}, venue="hall", tables=("01", "02"), actions=Recorded(),
        signin=signin,
    )  # fmt: skip

    async def ask() -> httpx.Response:
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url="http://feltwire", headers=headers, event_hooks=STAMPED
        ) as client:
            if command:
                return await client.post(path, json={"command": command, "arguments": {}})
            return await client.get(path)

    return asyncio.run(ask())


def dealer_screen() -> str:
    answer = asked("/table/01", {}, role=Role.DEALER, table="01")
    assert answer.status_code == 200
    return answer.text


@pytest.mark.rule("ccp.actions.1")
def test_the_dealers_keys_for_actions_are_the_words_that_players_say() -> None:
    keys = re.findall(
        r'<button class="key act[^"]*" data-key="\d+" data-takes="\w+" data-words="[^"]+">([^<]+)</button>',
        dealer_screen(),
    )
    said = {word for key in keys for word in key.split(" / ")}
    assert said == {"Fold", "Check", "Call", "Bet", "Raise", "All-in", "Street"}, "a street is no player's action"


@pytest.mark.rule("wfp.procedures.29")
def test_the_dealer_has_no_key_to_chop_a_pot() -> None:
    keys = re.findall(r"data-key=[^>]*>([^<]+)</button>", dealer_screen())
    assert len(keys) > 15
    assert not [key for key in keys if "chop" in key.lower()]
    assert "chop" not in dealer_screen().lower()


@pytest.mark.rule("wfp.procedures.31", "home.procedures.7", "rpl.procedures.10")
@pytest.mark.parametrize("book", ["wfp", "home", "rpl"])
def test_everybody_reads_every_stack_on_the_tables_display(book: str) -> None:
    room = NightRoom()
    room.run_up(6, rulebook=book, starts=1_700_000_000_000)
    table = room.tables["01"]
    first, second, third, *_ = sorted(table.sits)
    room.begin_hand("01")
    room.finish("01", winner=first, loser=second)
    answer = asked("/api/table/01", {"table/01": encode(table.view)})
    stacks = {seat["seat"]: seat["stack"] for seat in answer.json()["seats"]}
    assert stacks[second] == 0
    assert stacks == {seat: stack for seat, (_, stack) in table.sits.items()}
    assert stacks[first] > stacks[third]


@pytest.mark.rule("wfp.procedures.16", "rpl.tournaments.20")
@pytest.mark.parametrize("book", ["wfp", "rpl"])
def test_the_seat_of_who_is_out_of_chips_shows_as_vacated_until_the_bust_is_confirmed(book: str) -> None:
    room = NightRoom()
    room.run_up(8, rulebook=book)
    winner, loser, *_ = sorted(room.tables["01"].sits)
    player = room.tables["01"].sits[loser][0]

    def seat_map() -> list[dict[str, Any]]:
        channels = {"seats": room.station.pages["seats"]}
        shown = asked("/api/seats", channels, role=Role.TD).json()
        seats: list[dict[str, Any]] = shown["tables"][0]["seats"]
        return seats

    room.all_in("01", winner=winner, loser=loser)
    (pending,) = room.shown["busts"]
    assert [one["player"] for one in seat_map() if one["vacated"]] == [player]
    room.do("confirm_bust", busts=[pending["bust"]])
    room.wait(1_100)
    assert player not in [one["player"] for one in seat_map()]
    assert not [one for one in seat_map() if one["vacated"]]
    assert loser in room.shown["tables"][0]["free"]


@pytest.mark.rule("rpl.procedures.14")
def test_the_seat_map_has_players_of_the_event_alone() -> None:
    room = NightRoom()
    room.run_up(8, rulebook="rpl")
    room.do("register", player="watcher", adult=True)
    gone = next(iter(room.tables["01"].sits.values()))[0]
    room.do("give_penalty", player=gone, reason="weapon", kind="out")
    room.wait(1_100)
    shown = asked("/api/seats", {"seats": room.station.pages["seats"]}, role=Role.TD).json()
    seated = {seat["player"] for table in shown["tables"] for seat in table["seats"]}
    assert seated == {f"p{no}" for no in range(1, 9)} - {gone}


@pytest.mark.rule("ccp.commissioner.1", "cpp.td.1", "home.procedures.1")
@pytest.mark.parametrize(
    "command",
    [
        *("draw_seats", "seat_player", "confirm_move", "break_table", "set_button"),
        *("edit_schedule", "select_level", "pause", "resume"),
    ],
)
def test_seats_tables_and_the_clock_are_the_directors(command: str) -> None:
    assert command in NAMES or command == "select_level"
    for role in (Role.VIEWER, Role.DISPLAY, Role.PRODUCER, Role.DEALER, Role.FLOOR):
        assert asked("/director", {}, role=role, command=command, table="01").status_code == 403, role
    assert asked("/director", {}, role=Role.TD, command=command).status_code == 200


@pytest.mark.browser
@pytest.mark.rule("ccp.actions.6")
def test_the_dealer_screen_shows_how_long_the_player_in_turn_has_thought(
    context: BrowserContext, room: Running, hub: Hub
) -> None:
    page = context.new_page()
    page.clock.install()
    page.goto(f"{room.url}/table/01")
    expect(page.locator("#next")).to_have_text(re.compile(r"Seat \d to act"))
    expect(page.locator("#thinking")).to_have_text(re.compile(r"\d:\d\d"))
    page.clock.fast_forward(120_000)
    expect(page.locator("#thinking")).to_have_text(re.compile(r"[2-9]:\d\d"))
    hub.publish("table/01", encode(fixtures.between_hands("01")))
    expect(page.locator("#thinking")).to_have_text("")
