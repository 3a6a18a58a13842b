"""The presses of the producer's desk, `/broadcast`.

POST /broadcast   {"do": "cut"} | {"do": "release"}                                everything off; on again
                  {"do": "look", "feature", "layout", "skin", "stack"}             what is not named stays
                  {"do": "element", "element", "on"}
                  {"do": "lower_third", "on", "title", "line", "for_s"}
                  {"do": "ticker", "on"}
                  {"do": "take"}                                                   what is staged goes on air
                  {"do": "prepare" | "forget", "title", "line", "for_s"}           lower thirds for later
                  {"do": "ticker_lines", "lines"}
                  {"do": "air_delay", "seconds"}

With `staged` a press changes only what is staged. Who may press: the producer and the tournament director.
"""

from __future__ import annotations

from typing import Protocol

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from display.actions import answer_of, answering, body_of, done_by
from display.identity.access import PRODUCERS, WHO
from display.identity.signin import SignIn, caller_of, whose_press
from display.presses import PressLog, PressRefused, TimedPress
from table_core.messages import Few, Frozen, Name, Number, Shown, Slug

_MOST_BYTES = 16_384


class BroadcastPress(Frozen, frozen=True):
    """One press; which fields it needs: the table above."""

    do: Name
    staged: bool = False
    feature: Name | None = None
    layout: Slug | None = None
    skin: Slug | None = None
    stack: Slug | None = None
    element: Slug = ""
    on: bool = True
    title: Shown = ""
    line: Shown = ""
    for_s: Number = 0
    lines: Few[Shown] = ()
    seconds: Name = ""


class Desk(Protocol):
    """The process behind the desk. `press` changes what is on air and does not wait for a disk; `keep` does, and
    answers with words for the person who pressed."""

    def press(self, by: str, press: BroadcastPress) -> str: ...

    def keep(self, by: str, press: BroadcastPress, text: str) -> str: ...


def broadcast_routes(desk: Desk, signin: SignIn | None, seen: PressLog) -> list[Route]:
    async def pressed(request: Request) -> JSONResponse:
        caller = caller_of(request, signin)
        if caller.role not in PRODUCERS:
            if signin is not None:
                signin.tried(caller, request.url.path)
            raise PressRefused(403, f"only {WHO[PRODUCERS]} may do this; sign in with a link of yours")
        press = await body_of(request, BroadcastPress, _MOST_BYTES)

        async def done(_: TimedPress) -> str:
            text = desk.press(caller.by, press)
            return await run_in_threadpool(desk.keep, caller.by, press, text)

        return await seen.once(
            request, (caller.by, press), lambda timed: answer_of(done_by(done(timed))), whose_press(caller)
        )

    return [Route("/broadcast", answering(pressed), methods=["POST"])]
