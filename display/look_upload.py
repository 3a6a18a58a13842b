"""`POST /station/wall/logo` and `…/sponsor`: a picture for the venue's screens, as the bytes of its file.

It is a press like any other (`display/presses.py`): from our own page, once, in time, by the tournament director.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from hashlib import sha256

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from display.actions import ActionRefused, answering
from display.identity.access import WHO, commanders, may_command
from display.identity.signin import SignIn, caller_of, presses, whose_press
from display.presses import PressLog, PressRefused, TimedPress

COMMAND = "set_look"  # whose right it is
SLOTS = ("logo", "sponsor")
MOST_BYTES = 2 * 1024 * 1024
KINDS = ("image/png", "image/jpeg", "image/webp")

# Codes the picture anew and has the screens show it; raises `ActionRefused`.
TakePicture = Callable[[str, bytes, TimedPress], Awaitable[str]]


def upload_routes(take: TakePicture, signin: SignIn, seen: PressLog) -> list[Route]:
    def route(slot: str) -> Route:
        async def picture(request: Request) -> JSONResponse:
            caller = caller_of(request, signin)
            if not may_command(caller.role, COMMAND):
                signin.tried(caller, request.url.path)
                raise PressRefused(
                    403, f"only {WHO[commanders(COMMAND)]} may do this; sign in with a link of yours"
                )
            raw = await _body(request)

            async def do(press: TimedPress) -> JSONResponse:
                presses(caller)
                try:
                    text = await take(slot, raw, press)
                except ActionRefused as refused:
                    signin.record(caller, "command", f"set_picture ({slot}): {refused}", refused=True)
                    return JSONResponse({"error": str(refused), "about": slot}, 409)
                signin.record(caller, "command", f"set_picture ({slot}): {text}")
                return JSONResponse({"ok": True, "text": text})

            said = caller.by, slot, sha256(raw).hexdigest()
            return await seen.once(request, said, do, whose_press(caller))

        return Route(f"/station/wall/{slot}", answering(picture), methods=["POST"])

    return [route(slot) for slot in SLOTS]


async def _body(request: Request) -> bytes:
    """Raise `PressRefused` for what is no picture's file."""
    # A form of another site cannot send these content types without asking first.
    if request.headers.get("content-type", "").partition(";")[0].strip() not in KINDS:
        raise PressRefused(400, "send a PNG, JPEG or WebP file with its content type", about="picture")
    raw = bytearray()
    try:
        async for chunk in request.stream():
            raw += chunk
            if len(raw) > MOST_BYTES:
                raise PressRefused(400, "That file has more than 2 MB: save it smaller.", about="picture")
    except ClientDisconnect as error:
        raise PressRefused(400, "the connection ended before the picture did") from error
    return bytes(raw)
