"""`/healthz` and `/metrics` of a process: for this machine, and with a token for others (docs/operation.md)."""

from __future__ import annotations

import hmac
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NamedTuple

import msgspec
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from display.server.hosts import address_of
from feltwire.errors import UsageError
from feltwire.private_files import open_secret

SHORTEST_TOKEN = 24  # letters: nobody guesses it, however often
LONGEST_TOKEN = 1_000
MAKE = "make a new one as the process's user: umask 077; openssl rand -hex 24 > FILE"
WHO = "read this on the machine itself, or send the token of `metrics_token` ([web] of its configuration)\n"


class Health(NamedTuple):
    """Whether a process does its work. `why` says why not; a broker that is away is no reason."""

    why: tuple[str, ...]
    broker: bool
    version: str


def token_of(path: str) -> str:
    """What the file says; empty without a file. Raise `UsageError` for a short one and for others' files."""
    if not path:
        return ""
    try:
        with os.fdopen(open_secret(Path(path), os.O_RDONLY), encoding="ascii") as file:
            token = file.read(LONGEST_TOKEN).strip()
    except (OSError, UnicodeError) as error:
        raise UsageError(f"metrics_token: {path} cannot be read ({error}); {MAKE}") from error
    except UsageError as error:
        raise UsageError(f"metrics_token: {path}: others may have it, or put it there; {MAKE}") from error
    if len(token) < SHORTEST_TOKEN or not token.isprintable() or " " in token:
        raise UsageError(f"metrics_token: {path} has no {SHORTEST_TOKEN} letters in one word; {MAKE}")
    return token


def operation_routes(health: Callable[[], Health], figures: Callable[[], bytes], token: str) -> list[Route]:
    """Neither page needs a sign-in; `token` empty: for this machine alone."""

    async def healthz(_request: Request) -> Response:
        found = await run_in_threadpool(health)
        body = {"ok": not found.why, "why": found.why, "broker": found.broker, "version": found.version}
        return Response(msgspec.json.encode(body), 503 if found.why else 200, media_type="application/json")

    async def metrics(_request: Request) -> Response:
        return Response(await run_in_threadpool(figures), media_type=CONTENT_TYPE_LATEST)

    return [Route("/healthz", _for(healthz, token)), Route("/metrics", _for(metrics, token))]


def _for(page: Callable[[Request], Awaitable[Response]], token: str) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        return await page(request) if _may_read(request, token) else PlainTextResponse(WHO, 403)

    return answer


def _may_read(request: Request, token: str) -> bool:
    address = address_of(request.client.host) if request.client is not None else None
    if address is not None and address.is_loopback:
        return True
    given = request.headers.get("authorization", "").encode()
    return bool(token) and hmac.compare_digest(given, f"Bearer {token}".encode())
