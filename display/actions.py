"""Where presses on a page go: the process behind the pages supplies an `Actions`, the pages send JSON to it.

    POST /table/<id>/touch   {"key": 16, "seat": 4, "amount": null, "question": null}
    POST /director           {"command": "pause", "arguments": {}}         needs the TD role
    POST /mischief           {"table": "01", "kind": "pull_shoe"}          demo only

Answers: 200 `{"ok": true, "text": …}`, or `{"error": …}` with 400 (cannot be understood), 403 (not allowed),
404 (no such table) or 409 (understood, not possible now; `rule` and the field that it is `about` where known).
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Protocol, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from display.security import role_of, same_origin
from display.signin import Role, SignIn
from table_core.messages import Chips, Frozen, Key, Seat

_MOST_BYTES = 4096  # no press is longer


class Mischief(StrEnum):
    """What the demo's mischief panel can do to a table."""

    SKIP_BURN = "skip_burn"
    EXPOSE_CARD = "expose_card"
    FORGET_KEY = "forget_key"
    WRONG_SEAT = "wrong_seat"
    BLOCK_CAMERA = "block_camera"
    PULL_SHOE = "pull_shoe"
    KILL_BROKER = "kill_broker"


class ActionRefused(Exception):
    """An `Actions` raises this for a press that is not possible now; the page shows the text, with the `rule` that
    says so, beside the field that it is `about`."""

    def __init__(self, text: str, *, rule: str = "", about: str = "") -> None:
        super().__init__(text)
        self.rule = rule
        self.about = about


class Actions(Protocol):
    """What the process does with a press. Runs in the web server's event loop: enqueue, do not block."""

    async def touch(
        self, table: str, key: Key, seat: Seat | None, amount: Chips | None, question: int | None, reason: str = ""
    ) -> None:
        """A touch on the dealer screen: what the key means, with its number already in it; `reason` goes with a
        ruling."""

    async def director(self, command: str, arguments: dict[str, Any]) -> str:
        """`pause`, `resume`, `next_level`, `select_level` {"level": no} or {"entry": place in the schedule
        from 0}, `set_seats` {"table", "seats", "button", "hand", "level"},
        `set_hand` {"table", "hand", "if_epoch", "if_seq"},
        `rule` {"table", "matter", "way", "seat", "amount", "ruler", "reason", "note", "if_epoch", "if_seq"},
        `take_back_ruling` {"table", "ruler", "if_epoch", "if_seq"}, `hand_over` {"table", "ledger"}; the answer is
        words for the TD."""

    async def mischief(self, table: str, kind: str) -> str:
        """`kind` is one of `Mischief`; what was done, in words."""


class Touch(Frozen, frozen=True):
    key: Key
    seat: Seat | None = None
    amount: Chips | None = None
    question: int | None = None
    reason: str = ""


class DirectorCommand(Frozen, frozen=True):
    command: str
    arguments: dict[str, Any] = msgspec.field(default_factory=dict)


class MischiefDone(Frozen, frozen=True):
    table: str
    kind: Mischief


B = TypeVar("B", Touch, DirectorCommand, MischiefDone)


class Refused(Exception):
    """A request that is not carried out: HTTP status and words."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.text = text


def action_routes(actions: Actions, signin: SignIn | None, pages: set[str], tables: Sequence[str]) -> list[Route]:
    """The POST routes that the pages switched on need."""

    def known(table: str) -> str:
        if table not in tables:
            raise Refused(404, f"no table {table!r} here; there are: {', '.join(tables)}")
        return table

    async def touch(request: Request) -> JSONResponse:
        if not _at_this_machine(request):  # a touch can open a street: it belongs to the table's own screen
            raise Refused(403, "keys work on the table's own screen only; this page just shows the table")
        press = await _body(request, Touch)
        table = known(request.path_params["table"])
        await actions.touch(table, press.key, press.seat, press.amount, press.question, press.reason)
        return _done("")

    async def director(request: Request) -> JSONResponse:
        if role_of(request, signin) is not Role.TD:
            raise Refused(403, "only the tournament director may do this; sign in with the TD link")
        wanted = await _body(request, DirectorCommand)
        return _done(await actions.director(wanted.command, wanted.arguments))

    async def mischief(request: Request) -> JSONResponse:
        done = await _body(request, MischiefDone)
        return _done(await actions.mischief(known(done.table), done.kind))

    routes = {"table": ("/table/{table}/touch", touch), "station": ("/director", director)}
    routes["landing"] = ("/mischief", mischief)
    return [Route(path, _answering(do), methods=["POST"]) for page, (path, do) in routes.items() if page in pages]


def _at_this_machine(request: Request) -> bool:
    """Whether the browser runs on the machine that serves the page (the table's kiosk)."""
    peer = request.client
    try:
        return peer is not None and ipaddress.ip_address(peer.host).is_loopback
    except ValueError:  # not an IP socket
        return False


def _answering(endpoint: Any) -> Any:
    async def answered(request: Request) -> JSONResponse:
        try:
            if not same_origin(request):
                raise Refused(403, "this press came from a page of another site and was not carried out")
            answer: JSONResponse = await endpoint(request)
        except Refused as refused:
            return JSONResponse({"error": refused.text}, refused.status)
        except ActionRefused as refused:
            said = {"error": str(refused), "rule": refused.rule, "about": refused.about}
            return JSONResponse({name: words for name, words in said.items() if words}, 409)
        return answer

    return answered


async def _body(request: Request, kind: type[B]) -> B:
    # A form of another site cannot send this content type without asking first.
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise Refused(400, "send JSON with content-type application/json")
    raw = b""
    async for chunk in request.stream():
        raw += chunk
        if len(raw) > _MOST_BYTES:
            raise Refused(400, f"more than {_MOST_BYTES} bytes; no press is that long")
    try:
        return msgspec.json.decode(raw, type=kind)
    except msgspec.DecodeError as error:
        raise Refused(400, str(error)) from error


def _done(text: str) -> JSONResponse:
    return JSONResponse({"ok": True, "text": text})
