"""Pages that cost processor time and that anybody may ask for: one at a time in a process, and few wait.

The node's thread, which carries presses out, shares the interpreter with them: eight at once leave it a ninth.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from weakref import WeakKeyDictionary

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

MOST_WAITING = 16


class _Turn:
    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.waiting = 0


_turns: WeakKeyDictionary[asyncio.AbstractEventLoop, _Turn] = WeakKeyDictionary()  # a process serves from one loop


async def one_at_a_time(draw: Callable[[Request], Response], request: Request) -> Response:
    """The answer of `draw`, in a thread, behind those that came before; 503 where too many wait."""
    turn = _turns.setdefault(asyncio.get_running_loop(), _Turn())
    if turn.waiting >= MOST_WAITING:
        return PlainTextResponse("many search at the moment; try again\n", 503, headers={"retry-after": "1"})
    turn.waiting += 1
    try:
        async with turn.lock:
            return await run_in_threadpool(draw, request)
    finally:
        turn.waiting -= 1
