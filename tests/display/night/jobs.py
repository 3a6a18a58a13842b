"""`python -m tests.display.night.jobs`: the jobs of a director without devices, each from a cold page.

The room is a real one: `feltwire home --tables 0 --embedded-broker`, in processes of its own. Each job is done
in a browser by mouse (1366x768), by keys alone, and by touch on a phone (390x844). A line has the steps
(`station/jobs/hands.py` says what a step is), the presses that the station refused, the seconds of a hand that
does not think, and whether it ended right. `*` marks more steps than the job may take. Exit status: 0 every job
ended right, 1 one did not."""

from __future__ import annotations

import contextlib
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from playwright.sync_api import Browser as Chromium
from playwright.sync_api import BrowserContext
from playwright.sync_api import Error as PageError

from tests.display.station.jobs.hands import HANDS, Hand, Keys, Phone, sizes
from tests.feltwire.home.open_home import Browser, OpenHome
from tests.job_runs import holds, run, steps_text

NAMES = (
    *("Ann Example", "Bo Larsen", "Cy Marsh", "Di Olsen", "Ed Pike", "Flo Quinn"),
    *("Gus Reed", "Hal Stone", "Ida Tell", "Jo Usher", "Kit Vale", "Lou West"),
)
HOUSE = {
    "starting_stack": 5_000,
    "buy_in": 20,
    "seats_per_table": 6,
    "rebuys_unlimited": True,
    "payouts": [60, 40],
}
MOST = 3

State = dict[str, Any]


class Job(NamedTuple):
    """`prepare` makes the room as it is before; `right` is not so before, unless it `only_looks`."""

    prepare: Callable[[Browser], None]
    do: Callable[[Hand], None]
    right: Callable[[Browser], bool]
    most: int = MOST
    only_looks: bool = False


def _channel(director: Browser, name: str) -> State:
    return director.shows(name, lambda _: True)


def _player(director: Browser, player: str = "p1") -> State:
    """A player with what differs from an entrant who plays."""
    shown = _channel(director, "field")
    return dict(shown["blank"]) | next(one for one in shown["field"] if one["player"] == player)


# ------------------------------------------------------------------------------------- the room before


def _nothing(director: Browser) -> None:
    """No event is open."""


def _opened(director: Browser) -> None:
    director.director("open", name="Friday", house=HOUSE)


def _entered(director: Browser) -> None:
    _opened(director)
    for no, name in enumerate(NAMES, 1):
        director.director("register_new", name=name, adult=True)
        director.director("enter", player=f"p{no}")


def _seated(director: Browser) -> None:
    _entered(director)
    director.director("draw_seats")


def _running(director: Browser) -> None:
    _seated(director)
    director.director("start")
    director.shows("night", lambda night: bool(night.get("started")))


def _one_out(director: Browser) -> None:
    _running(director)
    director.director("put_out", player="p1")


def _to_break(director: Browser) -> None:
    """Half of them are left, at two tables of six."""
    _running(director)
    for no in range(1, 7):
        director.director("put_out", player=f"p{no}")


def _won(director: Browser) -> None:
    _running(director)
    for no in range(1, 12):
        director.director("put_out", player=f"p{no}")


def _paid(director: Browser) -> None:
    _won(director)
    for player in ("p12", "p11"):
        director.director("pay_prize", player=player)


def _closed(director: Browser) -> None:
    _paid(director)
    director.director("close_event")


# ------------------------------------------------------------------------------------- the jobs


def _open(hand: Hand) -> None:
    if isinstance(hand, Keys):
        hand.find("open an event")
    else:
        hand.press("Open the event in five steps")
    hand.fill({"Kind of event": "rebuys and add-on"})
    hand.press("Open the event")


def _register(hand: Hand) -> None:
    hand.page_of("Register" if isinstance(hand, Keys) else "Players")
    hand.press("Paid")
    if isinstance(hand, Keys):
        hand.key("Shift+Tab")
    for name in NAMES:
        hand.fill({"Register: a name": name})
        if isinstance(hand, Keys):
            hand.key("Enter")
        else:
            hand.press("Register")


def _draw(hand: Hand) -> None:
    hand.page_of("Draw" if isinstance(hand, Keys) else "Seats")
    hand.press("Draw seats")


def _start(hand: Hand) -> None:
    if isinstance(hand, Keys):
        hand.find("Cards in the air")
    else:
        hand.press("Cards in the air")
    hand.press("Cards in the air")


def _edit(hand: Hand) -> None:
    """Level 3 lasts half an hour."""
    hand.page_of("Levels and breaks" if isinstance(hand, Keys) else "Clock")
    hand.fill({"Minutes, Level 3": "30"})
    if isinstance(hand, Keys):
        hand.key("Enter")
    else:
        hand.press("Save the schedule")


def _bust(hand: Hand) -> None:
    if isinstance(hand, Keys):
        hand.find("out ann")
    else:
        _name_on_its_tile(hand, "Ann Example")
    hand.press("Out")


def _name_on_its_tile(hand: Hand, name: str) -> None:
    if isinstance(hand, Phone):
        hand.press("Tables")
    hand.press_on(hand.page.locator("#tables .names button", has_text=name))


def _rebuy(hand: Hand) -> None:
    if isinstance(hand, Keys):
        hand.find("rebuy ann")
        hand.sees("5,000 chips more")
        hand.key("y")
        return
    hand.page_of("Players")
    hand.press("Rebuy: Ann Example")
    hand.sees("5,000 chips more")
    hand.press("Rebuy")


def _undo(hand: Hand) -> None:
    if isinstance(hand, Keys):
        hand.key("u")
        hand.sees("Taken back")
        hand.key("y")
        return
    if isinstance(hand, Phone):
        hand.press("More")
        hand.press("Undo the last")
    else:
        hand.page_of("Log")
        hand.press("Undo")
    hand.sees("Taken back")
    hand.press("Undo")


def _break(hand: Hand) -> None:
    """As the queue proposes it; the question says who goes where."""
    if isinstance(hand, Keys):
        hand.first_item()
        hand.key("Enter")
        hand.sees("Cancel")
        hand.key("y")
        return
    hand.press("Break")
    hand.press("Break")


def _pay(hand: Hand) -> None:
    hand.page_of("Pay" if isinstance(hand, Keys) else "Prizes")
    hand.press("Pay")


def _print(hand: Hand) -> None:
    if isinstance(hand, Keys):
        hand.find("payout sheet")
    else:
        hand.page_of("Prizes")
        hand.press("Print the payout sheet")
    hand.sees("Lou West")


def _close(hand: Hand) -> None:
    if isinstance(hand, Keys):
        hand.find("close the event")
        hand.sees("Its records are kept")
        hand.key("y")
        return
    hand.page_of("Start")
    hand.press("Close the event")
    hand.sees("Its records are kept")
    hand.press("Close the event")


def _as_last_time(hand: Hand) -> None:
    if isinstance(hand, Keys):
        hand.find("open an event")
    else:
        hand.press("Open the event in five steps")
    hand.press("As last time")


def _is_open(director: Browser) -> bool:
    return bool(_channel(director, "night").get("open"))


def _rebuys_by_hand(director: Browser) -> bool:
    night = _channel(director, "night")
    return bool(night.get("open") and night["by_hand"])


JOBS: dict[str, Job] = {
    "open an event with rebuys": Job(_nothing, _open, _rebuys_by_hand),
    "register twelve": Job(
        _opened,
        _register,
        lambda room: sum("status" not in one for one in _channel(room, "field")["field"]) == len(NAMES),
        most=0,
    ),
    "draw": Job(_entered, _draw, lambda room: bool(_player(room)["table"])),
    "start": Job(_seated, _start, lambda room: bool(_channel(room, "night")["started"])),
    "edit a level": Job(
        _running, _edit, lambda room: any(one["minutes"] == 30 for one in _channel(room, "clock")["levels"])
    ),
    "bust": Job(_running, _bust, lambda room: _player(room)["place"] == len(NAMES)),
    "rebuy": Job(_one_out, _rebuy, lambda room: bool(_player(room)["bought"].get("rebuy"))),
    "undo it": Job(_one_out, _undo, lambda room: _player(room)["status"] == "playing"),
    "break the table": Job(
        _to_break, _break, lambda room: sum(one["open"] for one in _channel(room, "seats")["tables"]) == 1
    ),
    "pay": Job(_won, _pay, lambda room: bool(_channel(room, "prizes")["money"]["paid"])),
    "print": Job(_paid, _print, lambda _: True, only_looks=True),
    "close": Job(_paid, _close, lambda room: not _is_open(room)),
    "next as last time": Job(_closed, _as_last_time, _rebuys_by_hand),
}


def main(argv: Sequence[str] | None = None) -> int:
    heading = f"{'job':30}{'way':10}{'steps':>6}{'wrong':>7}{'seconds':>9}  ended right"
    return run(argv, "python -m tests.display.night.jobs", heading, JOBS, [*HANDS], done, steps_text)


@contextlib.contextmanager
def _room() -> Iterator[tuple[Browser, str]]:
    """A room without tables, its director's own line to it, and its address."""
    with (
        tempfile.TemporaryDirectory() as folder,
        OpenHome(Path(folder) / "room", "--tables", "0", "--embedded-broker") as home,
    ):
        yield home.director, f"http://127.0.0.1:{urlsplit(home.addresses['station']['link']).port}"


def _signed_in(context: BrowserContext, director: Browser) -> None:
    """The one-time link is used up: the browser has the director's cookie."""
    context.add_cookies(
        [
            {"name": one.name, "value": one.value or "", "domain": "127.0.0.1", "path": "/"}
            for one in director.cookies
        ]
    )


def done(browser: Chromium, job: Job, way: str) -> dict[str, Any]:
    """One job in a room of its own, from a cold page."""
    with _room() as (director, url):
        job.prepare(director)
        fresh = job.only_looks or holds(lambda: not job.right(director))
        context = browser.new_context(**sizes(way))
        _signed_in(context, director)
        page = context.new_page()
        page.goto(f"{url}/station")
        page.locator("#left").filter(has_text=":").wait_for()
        hand, began, why = HANDS[way](page), time.monotonic(), ""
        try:
            job.do(hand)
        except (AssertionError, PageError) as error:
            why = str(error).partition("\n")[0]
        right = fresh and not why and holds(lambda: job.right(director))
        seconds = time.monotonic() - began
        context.close()
    name = next(name for name, one in JOBS.items() if one is job)
    few = not job.most or hand.steps <= job.most
    line = {"job": name, "way": way, "steps": hand.steps, "few": few, "wrong": hand.refused}
    return line | {"seconds": round(seconds, 1), "right": right, "why": why}


if __name__ == "__main__":
    sys.exit(main())
