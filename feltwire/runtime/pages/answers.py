"""Hands presses from the pages' event loop to the node's thread, and each answer back to its press."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from concurrent.futures import Future
from dataclasses import asdict
from threading import Lock
from typing import Any

from display.actions import ActionRefused, PinWanted
from feltwire.runtime.node_io import Reply


class Answers:
    """`put` enqueues an input of the node (False: too many wait), whose `Reply` comes back through `give`."""

    def __init__(self, put: Callable[[Any], bool]) -> None:
        self._put = put
        self._lock = Lock()
        self._waiting: dict[str, Future[Reply]] = {}

    async def to(self, press_id: str, given: Any) -> str:
        """The text that answers `given`, however long that takes; raise `ActionRefused` for a refusal, `PinWanted`
        where a PIN is needed first."""
        answer: Future[Reply] = Future()
        with self._lock:
            self._waiting[press_id] = answer
        if not self._put(given):
            with self._lock:
                del self._waiting[press_id]
            raise ActionRefused("too many presses wait; this one was refused")
        reply = await asyncio.wrap_future(answer)
        if reply.unproven:
            raise PinWanted(reply.text, reply.unproven)
        if reply.refused:
            choices = [asdict(one) for one in reply.choices]
            raise ActionRefused(reply.text, rule=reply.rule, about=reply.about, choices=choices)
        return reply.text

    def give(self, reply: Reply) -> None:
        """Delivers an answer; called by the node's thread."""
        with self._lock:
            waiting = self._waiting.pop(reply.id, None)
        if waiting is not None and waiting.set_running_or_notify_cancel():
            waiting.set_result(reply)

    def refuse_others(self, kept: Collection[str], text: str) -> None:
        """Answer every press that waits, but for those of these ids."""
        with self._lock:
            lost = [press_id for press_id in self._waiting if press_id not in kept]
        for press_id in lost:
            self.give(Reply(press_id, text, refused=True))
