"""Undo and rewind on the page of a table: what it does is said before it can be done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from display.actions import ActionRefused
from display.presses import TimedPress
from display.push import Hub
from table_core.messages import Action, Chips, FactKind, FactView, Seat, TableHistory, encode
from tests.display import fixtures
from tests.display.conftest import Recorded
from tests.display.station.conftest import Heart
from tests.display.station.feeding import feed
from tests.display.test_browser import hub, pytestmark

__all__ = ["hub", "pytestmark"]

WALL = "2026-11-20T21:40:12+00:00"
KEYED = "keypad, declared"
CALLED = FactView(
    1230,
    FactKind.ACTION,
    "Seat 5: call 1,200",
    KEYED,
    118,
    WALL,
    can_go_back=True,
    seat=Seat(5),
    action=Action.CALL,
)
RAISED = FactView(
    1232,
    *(FactKind.ACTION, "Seat 6: raise to 4,000", KEYED, 118, WALL),
    can_go_back=True,
    seat=Seat(6),
    action=Action.RAISE,
    amount=Chips(4_000),
)
DOES = "Seat 3: call, instead of: Seat 5: call 1,200.\nCannot be kept: Seat 6: raise to 4,000. Seat 5 acts."
FIRST = {"table": "01", "seq": 1232, "if_epoch": 3, "if_seq": 1234}


class Asked(Recorded):
    """A station that says what going back would do, and refuses a check."""

    async def director(self, command: str, arguments: dict[str, Any], press: TimedPress) -> str:
        said = await super().director(command, arguments, press)
        if (arguments.get("instead") or {}).get("action") == "check":
            raise ActionRefused("Seat 3 cannot check: 1,200 to call.", rule="base.action")
        return DOES if command == "preview_rewind" else said


@pytest.fixture
def actions() -> Asked:
    return Asked()


def test_a_call_gets_another_seat_after_the_page_has_said_what_that_does(
    td: Callable[..., Page], hub: Hub, actions: Asked, heart: Heart
) -> None:
    feed(hub, 3)
    hub.publish("history/01", encode(TableHistory("01", (CALLED, RAISED))))
    page = td("/station/table/01")
    page.get_by_role("button", name="Undo", exact=True).click()
    dialog = page.get_by_role("dialog", name="Table 01: take back or replace?")
    expect(dialog.locator("#rewind-fact")).to_contain_text("Seat 6: raise to 4,000")
    expect(dialog.get_by_label("What it does").get_by_role("listitem")).to_have_count(2)
    assert actions.calls == [("preview_rewind", FIRST)], "asked, and nothing done"
    dialog.get_by_role("button", name="Cancel").click()

    page.get_by_role("button", name="Take back Seat 5: call 1,200").click()
    dialog.get_by_label("Put something else in its place").check()
    dialog.locator("[name=action]").select_option("check")
    expect(dialog.locator("#rewind-fault")).to_have_text("Seat 3 cannot check: 1,200 to call. · base.action")
    expect(dialog.locator("#rewind-do")).to_be_disabled()
    dialog.locator("[name=action]").select_option("call")
    dialog.locator("[name=seat]").select_option("3")
    expect(dialog.locator("#rewind-fault")).to_have_text("")
    dialog.get_by_role("button", name="Replace", exact=True).click()
    expect(dialog).to_be_hidden()
    instead = {"type": "act", "seat": 3, "action": "call", "to": None}
    assert actions.calls[-1] == ("rewind", FIRST | {"seq": 1230, "instead": instead})


def test_the_dialog_says_when_the_table_has_gone_on_and_looks_again(
    td: Callable[..., Page], hub: Hub, actions: Asked, heart: Heart
) -> None:
    feed(hub, 3)
    hub.publish("history/01", encode(TableHistory("01", (CALLED, RAISED))))
    page = td("/station/table/01")
    page.get_by_role("button", name="Undo", exact=True).click()
    later = fixtures.table_view(as_of=1236, pot=Chips(46_300), last="Seat 6 calls 16,400", legal=None)
    hub.publish("table/01", encode(later))
    expect(page.locator("#rewind-now")).to_have_text("The table has gone on meanwhile: Seat 6 calls 16,400")
    page.get_by_role("button", name="Look again").click()
    expect(page.locator("#rewind-moved")).to_be_hidden()
    expect(page.locator("#rewind-do")).to_be_enabled()
    assert actions.calls[-1] == ("preview_rewind", FIRST | {"if_seq": 1236})
