"""A real process, attacked by whoever reaches its port: no token, a stolen cookie, another table's cookie."""

from __future__ import annotations

import json
import stat
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from feltwire.ledger.table_ledger import Ledger
from feltwire.runtime.pages.people_store import PeopleStore
from table_core.messages import Key, decode_envelope
from tests.feltwire.hall import post, touch
from tests.feltwire.processes import Process, signed_in, table_settings
from tests.ports import free_port

NO_BROKER = '[broker]\nurl = "mqtt://127.0.0.1:9"\n'
FLOOR = {"key": int(Key.FLOOR)}


def table_process(folder: Path) -> Process:
    folder.mkdir(exist_ok=True)
    port = free_port()
    return Process("table", folder, port, "show_sensed = true\n" + table_settings(folder, NO_BROKER, port))


def status_of(request: urllib.request.Request | str) -> int:
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def with_cookie(request: urllib.request.Request, cookie: str) -> urllib.request.Request:
    request.add_header("cookie", cookie)
    return request


def cookie_of(process: Process) -> str:
    """The cookie of the table's screen, as somebody who looks into its browser copies it."""
    assert process.screen is not None
    handler = next(one for one in process.screen.handlers if isinstance(one, urllib.request.HTTPCookieProcessor))
    return "; ".join(f"{cookie.name}={cookie.value}" for cookie in handler.cookiejar)


def calls_floor(view: dict[str, Any]) -> bool:
    return bool(view["floor"])


def test_a_link_names_an_address_that_its_reader_can_open(tmp_path: Path) -> None:
    """The process listens at every address of the machine."""
    port = free_port()
    settings = table_settings(tmp_path, NO_BROKER, port) + 'host = "0.0.0.0"\n'
    with Process("table", tmp_path, port, settings) as table:
        table.shows("table/01", lambda view: bool(view["seats"]))
        link = (tmp_path / "table-data" / "table-01.kiosk-link").read_text()
        assert "0.0.0.0" not in link + table.log.read_text()
        signed_in(tmp_path / "table-data" / "table-01.kiosk-link")


def test_a_program_on_the_same_machine_presses_no_key_without_a_token(tmp_path: Path) -> None:
    with table_process(tmp_path) as table:
        table.shows("table/01", lambda view: bool(view["seats"]))
        assert status_of(post(table, "/table/01/touch", FLOOR)) == 403
        forged = ["feltwire-table-01=td.99999999999.0123456789abcdef." + "0" * 64, "feltwire-table-01=kiosk"]
        for cookie in forged:
            assert status_of(with_cookie(post(table, "/table/01/touch", FLOOR), cookie)) == 403
        touch(table, Key.NEW_HAND)
        touch(table, Key.FLOOR)
        assert table.shows("table/01", calls_floor)["hand"] == 1  # the screen with the kiosk's link does


def test_a_stolen_cookie_ends_with_the_session_also_after_a_restart(tmp_path: Path) -> None:
    with table_process(tmp_path) as table:
        table.shows("table/01", lambda view: bool(view["seats"]))
        touch(table, Key.NEW_HAND)
        stolen = cookie_of(table)
        assert status_of(with_cookie(post(table, "/table/01/touch", FLOOR), stolen)) == 200
        table.kill()
        table.start()
        table.shows("table/01", lambda view: bool(view["seats"]))
        assert status_of(with_cookie(post(table, "/table/01/touch", FLOOR), stolen)) == 200  # sessions outlive it
        assert table.screen is not None
        table.screen.open(post(table, "/sign-out", {})).close()
        assert status_of(with_cookie(post(table, "/table/01/touch", FLOOR), stolen)) == 403
        table.kill()
        table.start()
        table.shows("table/01", lambda view: bool(view["seats"]))
        assert status_of(with_cookie(post(table, "/table/01/touch", FLOOR), stolen)) == 403


def test_the_screen_of_one_table_has_no_keys_at_another(tmp_path: Path) -> None:
    with table_process(tmp_path / "here") as here, table_process(tmp_path / "there") as there:
        for table in (here, there):
            table.shows("table/01", lambda view: bool(view["seats"]))
        touch(here, Key.NEW_HAND)
        assert status_of(with_cookie(post(there, "/table/01/touch", FLOOR), cookie_of(here))) == 403


def test_links_are_readable_by_the_process_user_only_and_cookies_are_nowhere_on_the_disk(tmp_path: Path) -> None:
    with table_process(tmp_path) as table:
        table.shows("table/01", lambda view: bool(view["seats"]))
        data = tmp_path / "table-data"
        links = [data / "table-01.kiosk-link", data / "table-01.td-link"]
        before = [link.read_text() for link in links]
        assert [stat.S_IMODE(link.stat().st_mode) for link in links] == [0o600, 0o600]
        touch(table, Key.NEW_HAND)
        assert links[0].read_text() != before[0]
        assert links[1].read_text() == before[1]
        secret = cookie_of(table).partition("=")[2]
        kept = [path.read_bytes() for path in data.rglob("*") if path.is_file()] + [table.log.read_bytes()]
        assert not any(secret.encode() in raw or b"token=" + secret.encode() in raw for raw in kept)
        assert b"token=" not in table.log.read_bytes()


def test_the_picture_and_what_is_sensed_are_for_the_director_only(tmp_path: Path) -> None:
    with table_process(tmp_path) as table:
        table.shows("table/01", lambda view: bool(view["seats"]))
        address = f"http://127.0.0.1:{table.port}"
        for path in ("/sensed/01", "/api/sensed/01", "/events?channel=sensed/01", "/api/ruling/01"):
            assert status_of(address + path) == 403
        touch(table, Key.NEW_HAND)
        assert table.screen is not None
        director = signed_in(tmp_path / "table-data" / "table-01.td-link")
        assert director.open(address + "/sensed/01").status == 200
        screen_sees = urllib.request.Request(address + "/sensed/01", headers={"cookie": cookie_of(table)})
        assert status_of(screen_sees) == 403  # a dealer is a player


def test_what_is_not_asked_for_is_not_served(tmp_path: Path) -> None:
    table = table_process(tmp_path)
    table.config.write_text(table.config.read_text().replace("show_sensed = true\n", ""))
    with table:
        table.shows("table/01", lambda view: bool(view["seats"]))
        director = signed_in(tmp_path / "table-data" / "table-01.td-link")
        for path in ("/sensed/01", "/picture/01"):
            with pytest.raises(urllib.error.HTTPError, match="404"):
                director.open(f"http://127.0.0.1:{table.port}{path}")


def test_every_sign_in_and_every_refused_one_is_in_the_audit(tmp_path: Path) -> None:
    with table_process(tmp_path) as table:
        table.shows("table/01", lambda view: bool(view["seats"]))
        touch(table, Key.NEW_HAND)
        assert status_of(f"http://127.0.0.1:{table.port}/sign-in?token=guessed") == 403
        table.kill()
        store = PeopleStore.open(tmp_path / "table-data" / "table-01.people")
        acts = [(act.what, act.who, act.address, act.refused) for act in store.audit(10)]
        store.close()
    assert acts == [
        ("sign-in refused", "", "127.0.0.1", True),
        ("signed in", "Screen of table 01", "127.0.0.1", False),
    ]
    assert "guessed" not in json.dumps(acts)


def test_the_ledger_says_which_screen_pressed(tmp_path: Path) -> None:
    with table_process(tmp_path) as table:
        table.shows("table/01", lambda view: bool(view["seats"]))
        touch(table, Key.NEW_HAND)
        table.shows("table/01", lambda view: view["hand"] == 1)
    ledger = Ledger.open(tmp_path / "table-data" / "table-01.ledger", read_only=True)
    try:
        pressed = [decode_envelope(raw) for _, _, raw in ledger.raw_events() if b'"screen/' in raw]
    finally:
        ledger.close()
    assert pressed
    assert {envelope.by for envelope in pressed} == {"Screen of table 01 (dealer)"}
