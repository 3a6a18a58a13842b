"""Cookies that somebody else's page has set for the whole domain; what forgetting a player leaves in the audit."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request

from display.actions import ActionRefused, DirectorCommand, RulingsWanted, Touch, commanded
from display.identity.access import Role
from display.identity.people import AuditEntry, Person
from display.identity.signin import Caller, SignIn, caller_of
from display.presses import TimedPress
from feltwire.runtime.pages.people_store import PeopleStore
from table_core.messages import Millis


def request(scheme: str, *cookies: str) -> Request:
    headers = [(b"cookie", cookie.encode("latin-1")) for cookie in cookies]
    scope = {"type": "http", "scheme": scheme, "path": "/", "headers": headers, "client": ("192.168.7.20", 40_000)}
    return Request(scope | {"method": "GET", "query_string": b"", "server": ("feltwire", 443)})


def test_over_tls_a_cookie_of_the_whole_domain_swaps_no_session() -> None:
    signin = SignIn()
    tess, eve = (signin.begin(signin.keep(Person(name, name, Role.TD))) for name in ("Tess", "Eve"))
    # A browser takes a cookie named `__Host-…` only from the host itself, for it alone, over TLS.
    own, planted = f"__Host-feltwire-station={tess}", f"feltwire-station={eve}"
    for cookies in ((own, planted), (f"{planted}; {own}",)):
        assert caller_of(request("https", *cookies), signin).name == "Tess"
    assert caller_of(request("https", planted), signin).role is Role.VIEWER


@pytest.mark.parametrize("space", ["\x85", "\xa0", "\x1f", "\x0b"])
def test_a_name_with_another_space_before_it_is_another_name(space: str) -> None:
    signin = SignIn()
    tess, eve = (signin.begin(signin.keep(Person(name, name, Role.TD))) for name in ("Tess", "Eve"))
    own, planted = f"__Host-feltwire-station={tess}", f"{space}__Host-feltwire-station={eve}"
    assert caller_of(request("https", planted), signin).role is Role.VIEWER
    assert caller_of(request("https", f"{planted}; {own}"), signin).name == "Tess"


def test_without_tls_two_cookies_of_one_name_are_nobodys() -> None:
    signin = SignIn()
    tess, eve = (signin.begin(signin.keep(Person(name, name, Role.TD))) for name in ("Tess", "Eve"))
    both = f"feltwire-station={eve}; feltwire-station={tess}"
    assert caller_of(request("http", both), signin).role is Role.VIEWER
    assert caller_of(request("http", f"feltwire-station={tess}"), signin).name == "Tess"


class Imports:
    """A station that is given a list with a wrong line."""

    async def touch(self, table: str, touch: Touch, press: TimedPress) -> str:
        raise NotImplementedError

    async def rulings(self, table: str, wanted: RulingsWanted, press: TimedPress) -> str:
        raise NotImplementedError

    async def mischief(self, table: str, kind: str, press: TimedPress) -> str:
        raise NotImplementedError

    async def director(self, command: str, arguments: dict[str, Any], press: TimedPress) -> str:
        said = "2 players are registered. Not registered:\nline 3: Ann Quixote: barred"
        if arguments.get("part"):
            return said
        raise ActionRefused(f"Nobody is registered: 1 of 3 lines are wrong.{said.partition('registered:')[2]}")


def test_a_name_that_nobody_registered_is_in_no_audit_for_it_has_no_id_to_be_forgotten_by() -> None:
    signin = SignIn()
    signin.begin(tess := signin.keep(Person("Tess", "Tess", Role.TD)))
    for part in (True, False):
        command = DirectorCommand("import_players", {"part": part})
        with suppress(ActionRefused):
            asyncio.run(commanded(signin, Caller(tess), command, Imports(), TimedPress("p", Millis(0))))
    texts = [entry.text for entry in signin.accounts.audit(2)]
    assert [text.partition(": ")[2] for text in texts] == [
        "Nobody is registered: 1 of 3 lines are wrong.",
        "2 players are registered. Not registered:",
    ]


def test_a_player_who_is_forgotten_is_in_the_audit_under_the_id_and_in_no_byte_of_its_file(tmp_path: Path) -> None:
    store = PeopleStore.open(tmp_path / "people.db")
    for text in ("register_new: Registered: Ann Quixote, member", "enter: Ann Quixote; Ann Quixotes 2 000"):
        store.record(AuditEntry(1.0, "Tess", "director", "192.168.7.20", "command", text))
    store.forget("Ann Quixote", "p7")
    texts = [entry.text for entry in store.audit(10)]
    assert texts == ["enter: p7; Ann Quixotes 2 000", "register_new: Registered: p7, member"]
    store.forget("Ann Quixotes", "p8")
    store.close()
    assert not [path for path in tmp_path.iterdir() if b"Quixote" in path.read_bytes()]
