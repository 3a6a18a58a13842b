"""What anybody may ask for keeps no press waiting: searches run one at a time, and few wait."""

from __future__ import annotations

import asyncio
import threading

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from display.server.heavy import MOST_OF_ONE, MOST_WAITING, OneAtATime
from table_core import rule_search
from table_core.catalogue import catalogue
from table_core.rule_search import MOST_WORDS, search


def asked(address: str, session: str = "") -> Request:
    return Request({"type": "http", "headers": [], "client": (address, 40_000), "session": session})


class Drawn:
    """Pages that are drawn once the gate is open, in their order; `most` at once."""

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.order: list[str] = []
        self.most = self._now = 0

    def __call__(self, request: Request) -> Response:
        self._now += 1
        self.most = max(self.most, self._now)
        self.gate.wait()
        self.order.append(request.scope["session"])
        self._now -= 1
        return PlainTextResponse("found")


async def answers(drawn: Drawn, requests: list[Request]) -> list[int]:
    """What they are answered, where the first is drawn when the others come."""
    turns = OneAtATime(lambda request: request.scope["session"])
    tasks = [asyncio.ensure_future(turns.answer(drawn, request)) for request in requests]
    await asyncio.sleep(0)  # each is in the line, or refused
    drawn.gate.set()
    return [(await task).status_code for task in tasks]


def test_heavy_pages_are_drawn_one_after_another_and_those_beyond_the_line_are_told_so() -> None:
    drawn = Drawn()
    crowd = [asked(f"192.168.7.{no}") for no in range(MOST_WAITING + 5)]
    found = asyncio.run(answers(drawn, crowd))
    assert (found.count(200), found.count(503), drawn.most) == (MOST_WAITING, 5, 1)


def test_one_address_takes_no_place_of_another() -> None:
    requests = [asked("192.168.7.20") for _ in range(MOST_WAITING)] + [asked("192.168.7.21")]
    found = asyncio.run(answers(Drawn(), requests))
    assert (found.count(200), found[-1]) == (MOST_OF_ONE + 1, 200)


def test_who_is_signed_in_waits_behind_one_stranger_and_is_never_told_to_come_again() -> None:
    drawn = Drawn()
    crowd = [asked(f"192.168.7.{no}") for no in range(MOST_WAITING + 5)]
    found = asyncio.run(answers(drawn, [*crowd, asked("192.168.7.1", "tess")]))
    assert found[-1] == 200
    assert drawn.order.index("tess") == 1
    assert drawn.most == 1


def test_a_query_is_looked_up_for_so_many_words_and_no_more() -> None:
    words = ["odd", "chip", *(f"nonsense{no}" for no in range(100))]
    assert len(rule_search._phrases(" ".join(words))) <= MOST_WORDS
    assert search(" ".join(words), catalogue()) == search(" ".join(words[:MOST_WORDS]), catalogue())
