"""A press arrives in time or not at all, is carried out once, and its outcome can be asked for.

A page names each press with an id of its own and says until when it may be carried out, in the time of the server:

    press-id: 6f1d0c2ab94e7785b3d1
    press-until: 9c41aa07/81244310         which life of the server, and boot time in ms

The page knows that time from `now` events on its stream (and from `GET /now`), which say what the time was when
they were sent: what it reckons is behind the server's time, never ahead. So browser and server need no common
clock, and a press that lay in a socket while the server stood still is late when it is read. A press of an earlier
life of the server is refused: nobody knows what that one carried out.

`GET /press/<id>` answers whoever pressed it
`{"state": "waiting" | "answered" | "unknown", "server", "ms"}`, and with `answered` the
`status` and the `answer` of the press. A press that is `unknown` after its time will never be carried out.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from table_core.messages import Millis

SERVER = secrets.token_hex(4)  # this life of the process
LONGEST_MS = 60_000  # no page may wait longer for a press
ANSWER_WITHIN_S = 20.0  # a connection is not held longer; the outcome is asked for
KEPT_MS = 600_000  # outcomes, after the time of their press
MOST_KEPT = 2_000
MOST_WAITING = 100

TOO_LATE = "That press came too late and was not carried out: look again, then press again."
_ID = re.compile(r"[0-9A-Za-z_-]{16,64}")
_UNTIL = re.compile(r"([0-9a-f]{8})/(\d{1,15})")


class TimedPress(NamedTuple):
    """`until` is boot time of this machine in ms, as in `feltwire.runtime.boottime`."""

    id: str
    until: Millis


class PressRefused(Exception):
    """A refused request: HTTP status and text."""

    def __init__(self, status: int, text: str, *, about: str = "") -> None:
        super().__init__(text)
        self.status = status
        self.text = text
        self.about = about


def now_ms() -> int:
    """Boot time, which also counts while this process or the machine is suspended."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000


def server_time() -> dict[str, Any]:
    """The server's time as sent to a page."""
    return {"server": SERVER, "ms": now_ms()}


def in_time(request: Request) -> TimedPress:
    """The press of `request`; raise `PressRefused` for one that is late or carries no time."""
    id_, until = request.headers.get("press-id", ""), request.headers.get("press-until", "")
    named, timed = _ID.fullmatch(id_), _UNTIL.fullmatch(until)
    if named is None or timed is None:
        raise PressRefused(400, "a press says its id and until when it may be carried out; load this page again")
    if timed[1] != SERVER:
        raise PressRefused(409, "This was pressed before the process here started: look again, then press again.")
    press, now = TimedPress(id_, Millis(int(timed[2]))), now_ms()
    if press.until > now + LONGEST_MS:
        raise PressRefused(400, f"a press waits {LONGEST_MS // 1000} s at most; this one wants to wait longer")
    if press.until < now:
        raise PressRefused(409, TOO_LATE)
    return press


class _Known(NamedTuple):
    """A press that came: its answer, what was pressed, and the person who may read the answer."""

    press: TimedPress
    answer: asyncio.Task[JSONResponse]
    said: object
    whose: str

    def waits_for_pin(self) -> bool:
        return self.answer.done() and self.answer.result().status_code == 401


class PressLog:
    """The presses of one process; for one event loop."""

    def __init__(self) -> None:
        self._known: dict[str, _Known] = {}

    async def once(
        self,
        request: Request,
        said: object,
        do: Callable[[TimedPress], Awaitable[JSONResponse]],
        whose: str,
    ) -> JSONResponse:
        """Carry out the press that `request` brings, unless it is late or was here already: the same id again gets
        the same answer, if it is the same press. One that was answered 401 is carried out when it comes again: it
        waited for its PIN. `said`: who pressed what; the caller has checked both. `whose`: the person who may read
        what became of it.

        Raise `PressRefused`: 409 where the id is another press's, 503 where no answer came in time.
        """
        press, said = in_time(request), (request.url.path, said)
        known = self._known.get(press.id)
        if known is None or (known.said == said and known.waits_for_pin()):
            self._make_room()
            known = self._known[press.id] = _Known(press, asyncio.ensure_future(do(press)), said, whose)
        elif known.said != said:
            raise PressRefused(409, "That id belongs to another press; this one was not carried out. Press again.")
        try:
            return await asyncio.wait_for(asyncio.shield(known.answer), ANSWER_WITHIN_S)
        except TimeoutError as error:
            raise PressRefused(
                503, f"No answer yet. GET /press/{press.id} says whether it is carried out."
            ) from error

    def routes(self, who: Callable[[Request], str]) -> list[Route]:
        """The routes for the result of a press, and for the time. `who` is the person or screen of a request."""

        async def outcome(request: Request) -> JSONResponse:
            known = self._known.get(request.path_params["id"])
            if known is not None and known.whose != who(request):
                text = "Somebody else is signed in here now. What became of that press, its person can see."
                return JSONResponse({"error": text}, 403)
            return JSONResponse(self.outcome(request.path_params["id"]), headers={"cache-control": "no-store"})

        async def now(request: Request) -> JSONResponse:
            return JSONResponse(server_time(), headers={"cache-control": "no-store"})

        return [Route("/press/{id}", outcome), Route("/now", now)]

    def outcome(self, id_: str) -> dict[str, Any]:
        """The result of a press, as `GET /press/<id>` answers."""
        at = server_time()
        if id_ not in self._known:
            return at | {"state": "unknown"}
        answer = self._known[id_].answer
        if not answer.done():
            return at | {"state": "waiting"}
        said = answer.result()
        return at | {"state": "answered", "status": said.status_code, "answer": json.loads(bytes(said.body))}

    def _make_room(self) -> None:
        """Forget old results; never one whose press is still in time."""
        now = now_ms()
        for id_, known in list(self._known.items()):
            until = known.press.until
            old = until + KEPT_MS < now or (len(self._known) >= MOST_KEPT and until < now)
            if old and known.answer.done():
                del self._known[id_]
        waiting = sum(not known.answer.done() for known in self._known.values())
        if waiting >= MOST_WAITING or len(self._known) >= MOST_KEPT:
            raise PressRefused(503, "too many presses wait for an answer; try again in a moment")
