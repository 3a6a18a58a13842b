"""Pages that cost processor time and that anybody may ask for: one at a time in a process, and few wait.

The node's thread, which carries presses out, shares the interpreter with them: eight at once leave it a ninth.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import AsyncExitStack

from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response

from display.server.rates import who_is

MOST_WAITING = 16  # of those who are not signed in, together
MOST_OF_ONE = 4  # of an address, or of a session


class OneAtATime:
    """`session_of` names the session of a request; empty where nobody is signed in. Those who are signed in wait
    behind one stranger at most, and strangers take no place of theirs."""

    def __init__(self, session_of: Callable[[HTTPConnection], str] = lambda _: "") -> None:
        self._session_of = session_of
        self._turn, self._strangers = asyncio.Lock(), asyncio.Lock()
        self._waiting: Counter[str] = Counter()  # by session, or by address

    async def answer(self, draw: Callable[[Request], Response], request: Request) -> Response:
        """The answer of `draw`, in a thread, behind those that came before; 503 where too many wait."""
        session = self._session_of(request)
        who = f"session {session}" if session else who_is(request.client.host if request.client else "")
        strangers = sum(count for one, count in self._waiting.items() if not one.startswith("session "))
        if self._waiting[who] >= MOST_OF_ONE or (not session and strangers >= MOST_WAITING):
            return PlainTextResponse("many search at the moment; try again\n", 503, headers={"retry-after": "1"})
        self._waiting[who] += 1
        try:
            async with AsyncExitStack() as turns:
                if not session:
                    await turns.enter_async_context(self._strangers)
                await turns.enter_async_context(self._turn)
                return await run_in_threadpool(draw, request)
        finally:
            self._waiting[who] -= 1
            if not self._waiting[who]:
                del self._waiting[who]
