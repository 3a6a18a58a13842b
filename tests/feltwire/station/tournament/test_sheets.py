"""The tournament as CSV and JSON, and players in from a list."""

from __future__ import annotations

import asyncio
import csv
import io
from datetime import UTC, datetime
from typing import Any

import httpx
import msgspec
import pytest

from display.app import create_app
from display.identity.access import Role
from display.identity.signin import SignIn
from display.push import Hub
from display.sheets import NAMES
from feltwire.lab.station.memory import of
from feltwire.runtime.node_io import Reply
from feltwire.station.station_io import Directed, SheetMade, SheetWanted
from feltwire.station.tournament.pages.sheets import SHEETS
from feltwire.station.tournament.season import LEAGUE_SHEETS
from table_core.tournament.events import Registered
from table_core.tournament.players_text import read_players
from table_core.tournament.schedule_text import read_schedule
from table_core.tournament.sheet_text import Sheet, read_csv, to_csv
from tests.display.conftest import cookie_of
from tests.feltwire.night_room import NightRoom
from tests.feltwire.station_room import LEVELS, MINUTE, Station, config

EVIL = ("=1+1", "+49 170", "-5", "@SUM(A1)", "\tx", "'quoted", "'=1", 'Ann, "the\nAce"')


def opened(**house: Any) -> Station:
    station = Station(config(("01",), rulebook="rpl")).up()
    press(station, "open", house={"starting_stack": 2_000, "buy_in": 20, "payouts": [60, 40], **house})
    return station


def press(station: Station, command: str, **arguments: Any) -> Reply:
    """A press that may be refused."""
    id_ = f"{command}-{len(station.effects)}"
    (reply,) = of(station.give(Directed(id_, command, arguments, by="Tess")), Reply)
    return reply


def sheet(station: Station, name: str) -> list[dict[str, Any]]:
    (made,) = of(station.give(SheetWanted("1", name)), SheetMade)
    found = msgspec.json.decode(made.sheet, type=Sheet)
    return [dict(zip(found.columns, row, strict=True)) for row in found.rows]


# ------------------------------------------------------------------------------------------ out


def test_a_nights_sheets_agree_with_what_happened() -> None:
    room = NightRoom()
    room.run_up(6)
    winner, loser = sorted(room.tables["01"].sits)[:2]
    out, by = (room.tables["01"].sits[seat][0] for seat in (loser, winner))
    room.all_in("01", winner=winner, loser=loser)
    room.do("confirm_bust", busts=["01-1"])
    room.do("give_penalty", player=by, kind="warning", reason="a phone")
    station = room.station
    players = {row["player"]: row for row in sheet(station, "players")}
    assert (players[out]["status"], players[out]["place"], players[by]["place"]) == ("out", 6, None)
    assert {(row["table"], row["player"]) for row in sheet(station, "seats")} == {
        (name, who) for name, table in room.tables.items() for who, _ in table.sits.values()
    }
    stacks = {row["player"]: row["stack"] for row in sheet(station, "chips") if row["stack"] is not None}
    assert stacks[by] == room.tables["01"].sits[winner][1]
    assert sum(stacks.values()) == room.chips()
    (bust,) = sheet(station, "busts")
    assert (bust["player"], bust["by"], bust["start_stack"], bust["place"]) == (out, by, 2_000, 6)
    assert [(row["place"], row["name"]) for row in sheet(station, "results")] == [(6, out)]
    (penalty,) = sheet(station, "penalties")
    assert (penalty["player"], penalty["kind"], penalty["reason"]) == (by, "warning", "a phone")
    assert [row["no"] for row in sheet(station, "log")] == [record.no for record in station.records]


def test_the_schedule_goes_out_and_comes_in_again() -> None:
    station = opened()
    (made,) = of(station.give(SheetWanted("1", "schedule")), SheetMade)
    assert [level.big_blind for level in read_schedule(to_csv(msgspec.json.decode(made.sheet, type=Sheet)))] == [
        level.big_blind for level in LEVELS
    ]


def test_prizes_and_payments_are_in_dollars() -> None:
    station = opened()
    for player in ("p1", "p2"):
        press(station, "register", player=player)
        press(station, "enter", player=player)
    assert [(row["place"], row["prize"]) for row in sheet(station, "prizes")] == [(1, 24.0), (2, 16.0)]
    assert {row["paid"] for row in sheet(station, "players")} == {20.0}


def test_the_page_links_every_sheet() -> None:
    assert set(NAMES) == {*SHEETS, *LEAGUE_SHEETS}


def test_every_sheet_is_there_before_anything_has_happened() -> None:
    station = Station(config(("01",))).up()
    assert {name: sheet(station, name) for name in SHEETS} == {name: [] for name in SHEETS}
    (made,) = of(station.give(SheetWanted("1", "secrets")), SheetMade)
    assert made.sheet == b""


@pytest.mark.parametrize("text", EVIL)
def test_no_cell_is_a_formula_and_every_cell_comes_back(text: str) -> None:
    written = to_csv(Sheet(("name",), ((text,), ("Ann",))))
    (cell,) = next(iter(list(csv.reader(io.StringIO(written)))[1:]))
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r"))
    assert [row["name"] for _, row in read_csv(written)] == [text, "Ann"]


def reading(path: str, role: Role | None) -> httpx.Response:
    station = opened()
    press(station, "register_new", name="=Ann")

    async def sheets(name: str) -> bytes:
        (made,) = of(station.give(SheetWanted("1", name)), SheetMade)
        return made.sheet

    async def ask() -> httpx.Response:
        signin = SignIn()
        headers = {"cookie": cookie_of(signin, role)} if role is not None else {}
        app = create_app(hub=Hub(), pages={"station"}, venue="hall", tables=(), signin=signin, sheets=sheets)
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://feltwire", headers=headers) as client:
            return await client.get(path)

    return asyncio.run(ask())


def test_sheets_are_read_over_http_by_the_director_and_the_floor_alone() -> None:
    for role in (Role.TD, Role.FLOOR):
        answer = reading("/api/tournament/players.csv", role)
        assert answer.headers["content-type"].startswith("text/csv")
        assert "\np1,'=Ann,registered," in answer.text
    for nobody in (None, Role.DEALER, Role.DISPLAY, Role.PRODUCER):
        assert reading("/api/tournament/players.csv", nobody).status_code == 403
        assert reading("/api/tournament/log.json", nobody).status_code == 403


def test_json_is_a_list_of_objects_and_an_unknown_sheet_is_not_there() -> None:
    (row,) = reading("/api/tournament/players.json", Role.TD).json()
    assert (row["player"], row["name"], row["member"]) == ("p1", "=Ann", False)
    for path in ("/api/tournament/secrets.csv", "/api/tournament/players.xls"):
        assert reading(path, Role.TD).status_code == 404


# ------------------------------------------------------------------------------------------ in

LIST = "name;member;adult\nAnn Arbor;yes;yes\nBen;no;x\n\n Cy ;;1\n"


def test_a_list_is_registered_in_one_press_and_undone_in_one() -> None:
    station = opened()
    reply = press(station, "import_players", text=LIST)
    assert (reply.refused, reply.text) == (False, "3 players are registered.")
    assert [(row["name"], row["member"], row["adult"]) for row in sheet(station, "players")] == [
        ("Ann Arbor", True, True), ("Ben", False, True), ("Cy", False, True),
    ]  # fmt: skip
    press(station, "undo", record=station.records[-1].no)
    assert sheet(station, "players") == []


@pytest.mark.rule("ccp.membership.2", "ccp.membership.6")
def test_sign_ups_from_outside_are_taken_in_as_a_list_until_they_close() -> None:
    station = Station(config(("01",), rulebook="ccp")).up()
    starts = station.wall(station.now) + 3 * 3_600_000
    press(station, "open", house={"starting_stack": 2_000}, starts=starts)
    reply = press(station, "import_players", text="name,member,adult,online\nAnn,yes,yes,yes\nBen,yes,yes,no\n")
    assert reply.text == "2 players are registered."
    station.wait(3_600_001)
    reply = press(station, "import_players", text="name,member,adult,online\nCy,yes,yes,yes\nDot,yes,yes,no\n")
    assert reply.text.splitlines()[1:] == [
        "line 2: Cy: Signing up ended 120 minutes before the start. (ccp.membership.6)"
    ]


def test_a_wrong_line_is_told_and_nobody_is_registered() -> None:
    station = opened()
    before = len(station.records)
    text = "name,member\nAnn,yes\nBen,perhaps\n,yes\nann,no\n"
    reply = press(station, "import_players", text=text)
    assert reply.refused
    assert reply.text.splitlines() == [
        "Nobody is registered: 3 of 4 lines are wrong.",
        "line 3: member is 'perhaps'; write yes or no",
        "line 4: no name; the columns are 'name', 'member', one of them has to be 'name'",
        "line 5: ann stands in line 2 already",
    ]
    assert len(station.records) == before
    assert sheet(station, "players") == []
    assert station.names == {}


def test_with_part_the_sound_lines_are_registered_and_the_others_told() -> None:
    station = opened()
    reply = press(station, "import_players", text="name,member\nAnn,yes\nBen,perhaps\n", part=True)
    assert not reply.refused
    assert reply.text.splitlines() == [
        "1 player is registered. Not registered:",
        "line 3: member is 'perhaps'; write yes or no",
    ]
    assert [row["name"] for row in sheet(station, "players")] == ["Ann"]


def test_a_list_is_checked_before_it_is_registered_and_a_second_time_adds_nobody() -> None:
    station = opened()
    text = 'name;member\nAnn;yes\n"Ben;yes\nCy;no\n'
    reply = press(station, "import_players", text=text, check=True)
    assert not reply.refused
    assert reply.text.splitlines() == [
        "2 can be registered. 1 of 3 lines are wrong.",
        "line 3: a quotation mark is left open",
    ]
    assert sheet(station, "players") == []
    press(station, "import_players", text=text, part=True)
    assert [row["name"] for row in sheet(station, "players")] == ["Ann", "Cy"]
    before = len(station.records)
    reply = press(station, "import_players", text="name;member\nAnn;yes\nCy;no\n")
    assert (reply.refused, reply.text) == (False, "Nobody is registered. 2 are on the list already.")
    assert len(station.records) == before


def test_what_the_book_forbids_is_told_by_line_with_its_rule() -> None:
    station = opened(max_entrants=2, overbooked="refuse", min_age=21)
    reply = press(station, "import_players", text="name,adult\nAnn,yes\nDee,yes\nBen,yes\nCy,no\n")
    assert reply.text.splitlines()[1:] == [
        "line 4: Ben: The event is full: 2 players. (house.max_entrants)",
        "line 5: Cy: Entrants must be 21 or older: check an identity card and say so. (house.min_age)",
    ]
    assert sheet(station, "players") == []


def test_players_of_earlier_nights_keep_their_ids() -> None:
    station = opened()
    press(station, "add_player", name="Ann", id="m7")
    press(station, "add_player", name="Ben", id="m8")
    press(station, "add_player", name="Ben", id="m9", another=["m8"])
    reply = press(station, "import_players", text="id,name\n,ann\n,Ben\nm8,Bert\n,Zoe\n", part=True)
    assert reply.text.splitlines()[1:] == [
        "line 3: the register has Ben as m8 and m9: write which as id",
        "line 4: m8 is Ben in the register, not Bert",
    ]
    assert [row["player"] for row in sheet(station, "players")] == ["m7", "p1"]


def test_a_full_disk_registers_nobody() -> None:
    station = opened()
    station.disk_full = True
    reply = press(station, "import_players", text=LIST)
    assert reply.refused
    station.disk_full = False
    assert sheet(station, "players") == []


@pytest.mark.rule("ccp.membership.2", "ccp.membership.6")
def test_who_signed_up_online_is_on_the_list_from_there_by_the_time_of_the_sign_up() -> None:
    station = Station(config(("01",), rulebook="ccp")).up()
    starts = datetime(2026, 11, 23, 19, tzinfo=UTC)
    press(station, "open", starts=round(starts.timestamp() * 1_000))
    text = "name,member,adult,signed_up\nAnn,yes,yes,2026-11-23T16:59Z\nBen,yes,yes,2026-11-23T17:01+00:00\n"
    reply = press(station, "import_players", text=text, part=True)
    assert reply.text.splitlines() == [
        "1 player is registered. Not registered:",
        "line 3: Ben: Signing up ended 120 minutes before the start. (ccp.membership.6)",
    ]
    (registered,) = [one.event for one in station.records if isinstance(one.event, Registered)]
    assert registered.online
    assert registered.signed_up == round(starts.timestamp() * 1_000) - 121 * MINUTE
    assert (
        "write 2026-11-23T17:30+01:00" in press(station, "import_players", text="name,signed_up\nCy,noon\n").text
    )


@pytest.mark.parametrize("wall", [-(2**53) + 1, -1, 4_102_444_800_001, 253_402_300_800_000, 2**53 - 1])
def test_a_time_that_no_calendar_has_is_refused(wall: int) -> None:
    station = Station(config(("01",), rulebook="rpl")).up()
    for more in ({}, {"day": "Monday"}):
        assert "$.starts" in press(station, "open", starts=wall, **more).text
    press(station, "open")
    press(station, "register_new", name="Ann")
    assert "$.signed_up" in press(station, "register", player="p2", signed_up=wall).text
    assert len(sheet(station, "players")) == 1


@pytest.mark.parametrize(
    "said", ["0001-01-01T00:00+14:00", "1969-12-31T23:59Z", "2100-01-02T00:00Z", "9999-12-31T23:59-14:00"]
)
def test_a_sign_up_outside_of_the_calendar_is_a_wrong_line(said: str) -> None:
    station = opened()
    reply = press(station, "import_players", text=f"name,member,adult,signed_up\nAnn,yes,yes,{said}\n", part=True)
    assert "write a time from 1970 to 2099" in reply.text
    assert sheet(station, "players") == []


def test_our_own_sheet_of_players_can_be_taken_in_again() -> None:
    station = opened()
    press(station, "import_players", text=LIST)
    (made,) = of(station.give(SheetWanted("1", "players")), SheetMade)
    listed, wrong = read_players(to_csv(msgspec.json.decode(made.sheet, type=Sheet)))
    assert wrong == ()
    assert [(one.id, one.name, one.member) for one in listed] == [
        ("p1", "Ann Arbor", True), ("p2", "Ben", False), ("p3", "Cy", False),
    ]  # fmt: skip
