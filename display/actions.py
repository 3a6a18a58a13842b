"""Where presses on a page go: the process behind the pages supplies an `Actions`, the pages send JSON to it.

    POST /table/<id>/touch   {"key": 16, "seat": 4, "amount": null, "question": null}
    POST /table/<id>/rulings {"seat": 4, "words": "string bet"}            what may be ruled on
    POST /director           {"command": "pause", "arguments": {}}
    POST /mischief           {"table": "01", "kind": "pull_shoe"}          demo only

Who may press what: `display/identity/access.py`.
Each press has an id and a time (`display/presses.py`): it is carried out once, and not when it is late.

Answers: 200 `{"ok": true, "text": …}`, or `{"error": …}` with 400 (cannot be understood), 403 (not allowed),
404 (no such table) or 409 (understood, not possible now; `rule` and the field that it is `about` where known, and
`choices` where it is a question: what may be pressed instead).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from enum import StrEnum
from typing import Any, Protocol, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from display.identity.access import WHO, Role, commanders, may_command, may_press
from display.identity.people import NotKept
from display.identity.pins import Pins
from display.identity.signin import Caller, SignIn, caller_of, presses, whose_press
from display.presses import PressLog, PressRefused, TimedPress
from display.server.security import same_origin
from table_core.messages import (
    Amount,
    Frozen,
    Key,
    Malformed,
    Name,
    Number,
    Seat,
    decode,
)

_MOST_BYTES = 4096  # no press is longer, but a director's with a schedule
_MOST_COMMAND_BYTES = 65_536
# Of a command's arguments.
_AUDITED = ("table", "incident", "option", "seat", "amount", "ruler", "level", "entry", "seq")
_AUDITED_CHARS = 200


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
    """Raised by an `Actions` for a press that is not possible now. The page shows the text beside the field
    `about`, with the `rule` behind it. Where the text is a question, `choices` are its answers: the `words` of a
    button with the `command` and the `arguments` that it presses."""

    def __init__(
        self, text: str, *, rule: str = "", about: str = "", choices: Sequence[dict[str, Any]] = ()
    ) -> None:
        super().__init__(text)
        self.rule = rule
        self.about = about
        self.choices = choices


class PinWanted(Exception):
    """Raised by an `Actions` for a press that needs a PIN for its `effect`; nothing was done. The text says what
    it would do."""

    def __init__(self, text: str, effect: str) -> None:
        super().__init__(text)
        self.effect = effect


class Actions(Protocol):
    """The process behind the pages: it carries a press out once, not after `press.until`, and answers with a text.

    Runs in the web server's event loop: enqueue, do not block.
    """

    async def touch(self, table: str, touch: Touch, press: TimedPress) -> str:
        """A touch on the dealer screen: a key with its number; `reason` goes with a ruling."""

    async def rulings(self, table: str, wanted: RulingsWanted, press: TimedPress) -> str:
        """A `RulingChoices` in JSON: what a person may have ruled on now. Nothing is carried out."""

    async def director(self, command: str, arguments: dict[str, Any], press: TimedPress) -> str:
        """`pause`, `resume`, `next_level`, `select_level` {"level": no} or {"entry": place in the schedule
        from 0}, `set_seats` {"table", "seats", "button", "hand", "level"},
        `set_hand` {"table", "hand", "if_epoch", "if_seq"},
        `rule` {"table", "incident", "option", "seat", "amount", "ruler", "reason", "note", "if_epoch", "if_seq"},
        `take_back_ruling` {"table", "ruler", "if_epoch", "if_seq"}, `ask_count` {"table", "seat"},
        `take_picture` {"table"}, `open_clip` and `close_clip` {"table"},
        `ruling_facts` {"table", "seat"},
        `preview_rewind` and `rewind` {"table", "seq", "instead", "if_epoch", "if_seq"},
        `hand_over` {"table", "ledger", "key"}; the answer is words for the TD."""

    async def mischief(self, table: str, kind: str, press: TimedPress) -> str:
        """`kind` is one of `Mischief`; the answer says what was done."""


class Touch(Frozen, frozen=True):
    """What is pressed may be recorded: nothing that is longer or larger gets in."""

    key: Key
    seat: Seat | None = None
    amount: Amount | None = None
    question: Number | None = None
    reason: Name = ""


class RulingsWanted(Frozen, frozen=True):
    """What is likely, about the seat that was touched, or what the words name; without both, about the table."""

    seat: Seat | None = None
    words: Name = ""


class DirectorCommand(Frozen, frozen=True):
    command: Name
    arguments: dict[str, Any] = msgspec.field(default_factory=dict)


class MischiefDone(Frozen, frozen=True):
    table: str
    kind: Mischief


B = TypeVar("B", bound=Frozen)


def action_routes(
    actions: Actions,
    signin: SignIn | None,
    pages: set[str],
    tables: Sequence[str],
    seen: PressLog,
    pins: Pins | None = None,
) -> list[Route]:
    """The POST routes that the pages switched on need."""

    def known(table: str) -> str:
        if table not in tables:
            raise PressRefused(404, f"no table {table!r} here; there are: {', '.join(tables)}")
        return table

    async def touch(request: Request) -> JSONResponse:
        caller = caller_of(request, signin)
        table = request.path_params["table"]
        if not may_press(caller.role, caller.table, table):  # a touch can open a street
            tried(caller, request.url.path)
            raise PressRefused(403, _no_keys(caller.role, caller.table, table))
        presses(caller)
        touched = await body_of(request, Touch)
        known(table)
        return await once(
            request, (caller.by, touched), lambda press: actions.touch(table, touched, press), caller
        )

    async def rulings(request: Request) -> JSONResponse:
        caller = caller_of(request, signin)
        table = request.path_params["table"]
        if not may_press(caller.role, caller.table, table):  # it names players whom nobody has ruled against
            tried(caller, request.url.path)
            raise PressRefused(403, _no_keys(caller.role, caller.table, table))
        wanted = await body_of(request, RulingsWanted)
        known(table)
        return await once(
            request, (caller.by, wanted), lambda press: actions.rulings(table, wanted, press), caller
        )

    async def director(request: Request) -> JSONResponse:
        caller = caller_of(request, signin)
        if caller.role is Role.VIEWER:
            raise PressRefused(403, f"only {WHO[commanders('')]} may do this; sign in with a link of yours")
        wanted = await body_of(request, DirectorCommand, _MOST_COMMAND_BYTES)
        if not may_command(caller.role, wanted.command):
            tried(caller, f"{request.url.path}: {wanted.command[:_AUDITED_CHARS]}")
            raise PressRefused(
                403, f"only {WHO[commanders(wanted.command)]} may do this; you are signed in as {caller.by}"
            )
        signed = signin
        assert signed is not None  # else everyone is a viewer

        said = caller.by, wanted

        async def proven(press: TimedPress) -> str:
            presses(caller, pins.effect_proven(caller, press.id, said) if pins is not None else None)
            try:
                return await commanded(signed, caller, wanted, actions, press)
            except PinWanted as pin:
                must = pins.ask(caller, press.id, said, pin.effect) if pins is not None else ""
                raise PressRefused(401, f"{pin} {must}", about="pin") from pin

        return await once(request, said, proven, caller)

    async def mischief(request: Request) -> JSONResponse:
        done = await body_of(request, MischiefDone)
        table = known(done.table)
        return await once(request, done, lambda press: actions.mischief(table, done.kind, press))

    async def once(
        request: Request, said: object, do: Callable[[TimedPress], Awaitable[str]], caller: Caller | None = None
    ) -> JSONResponse:
        return await seen.once(request, said, lambda press: answer_of(done_by(do(press))), whose_press(caller))

    def tried(caller: Caller, what: str) -> None:
        if signin is not None:
            signin.tried(caller, what)

    routes = (
        ("table", "/table/{table}/touch", touch),
        ("table", "/table/{table}/rulings", rulings),
        ("station", "/director", director),
        ("landing", "/mischief", mischief),
    )
    return [Route(path, answering(do), methods=["POST"]) for page, path, do in routes if page in pages]


async def commanded(
    signin: SignIn, caller: Caller, wanted: DirectorCommand, actions: Actions, press: TimedPress
) -> str:
    """The answer to a command; the audit records both, of an answer the first line. Behind it are lines of a list
    with names that nobody registered: they have no id to be forgotten by."""
    about = ", ".join(f"{name} {wanted.arguments[name]}" for name in _AUDITED if wanted.arguments.get(name))
    said = f"{wanted.command}{f' ({about[:_AUDITED_CHARS]})' if about else ''}"
    try:
        answer = await actions.director(wanted.command, wanted.arguments, press)
    except ActionRefused as refused:
        # A hand that is set names cards: what is wrong with it is for its page only.
        why = refused.rule or "refused" if wanted.command == "set_hand" else _first_line(str(refused))
        signin.record(caller, "command", f"{said}: {why}", refused=True)
        raise
    signin.record(caller, "command", f"{said}: {_first_line(answer)}")
    return answer


def _first_line(text: str) -> str:
    return text.partition("\n")[0]


def _no_keys(role: Role, own_table: str, table: str) -> str:
    if role is Role.DEALER:
        return (
            f"this screen belongs to table {own_table}; the keys of table {table} are on that table's own screen"
        )
    return "keys work on a screen that is paired with this table; this page just shows it"


def answering(endpoint: Any) -> Any:
    async def answered(request: Request) -> JSONResponse:
        if not same_origin(request):
            text = "this press came from a page of another site and was not carried out"
            return JSONResponse({"error": text}, 403)
        return await answer_of(endpoint(request))

    return answered


async def answer_of(asked: Awaitable[JSONResponse]) -> JSONResponse:
    """The answer, or the reason why there is none."""
    try:
        return await asked
    except PressRefused as refused:
        about = {"about": refused.about} if refused.about else {}
        return JSONResponse({"error": refused.text} | about, refused.status)
    except ActionRefused as refused:
        said = {
            "error": str(refused),
            "rule": refused.rule,
            "about": refused.about,
            "choices": [*refused.choices],
        }
        return JSONResponse({name: words for name, words in said.items() if words}, 409)
    except NotKept as error:
        return JSONResponse({"error": f"Not done, for it cannot be recorded: {error}"}, 409)


async def done_by(done: Awaitable[str]) -> JSONResponse:
    return _done(await done)


async def body_of(request: Request, kind: type[B], most: int = _MOST_BYTES) -> B:
    """The JSON body of a request, checked against `kind`. Raise `PressRefused` (400) for any other body."""
    # A form of another site cannot send this content type without asking first.
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise PressRefused(400, "send JSON with content-type application/json")
    raw = b""
    try:
        async for chunk in request.stream():
            raw += chunk
            if len(raw) > most:
                raise PressRefused(400, f"more than {most} bytes; no press is that long")
    except ClientDisconnect as error:
        raise PressRefused(400, "the connection ended before the press did") from error
    try:
        return decode(raw, kind)
    except Malformed as error:
        raise PressRefused(400, f"not such JSON as belongs here: {error}") from error


def _done(text: str) -> JSONResponse:
    return JSONResponse({"ok": True, "text": text})
