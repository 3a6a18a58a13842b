"""What anybody may ask for keeps no press waiting: searches run one at a time, and few wait."""

from __future__ import annotations

import asyncio
import threading

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from display.server.heavy import MOST_WAITING, one_at_a_time
from table_core import rule_search
from table_core.catalogue import catalogue
from table_core.rule_search import MOST_WORDS, search


def test_heavy_pages_are_drawn_one_after_another_and_those_beyond_the_line_are_told_so() -> None:
    running, most, gate = 0, 0, threading.Event()

    def draw(request: Request) -> Response:
        nonlocal running, most
        running += 1
        most = max(most, running)
        gate.wait()
        running -= 1
        return PlainTextResponse("found")

    async def flood() -> list[int]:
        asked = Request({"type": "http", "headers": []})
        answers = [asyncio.ensure_future(one_at_a_time(draw, asked)) for _ in range(MOST_WAITING + 5)]
        refused, _ = await asyncio.wait(answers, return_when=asyncio.FIRST_COMPLETED)
        assert refused
        gate.set()
        return [(await answer).status_code for answer in answers]

    answers = asyncio.run(flood())
    assert (answers.count(200), answers.count(503), most) == (MOST_WAITING, 5, 1)


def test_a_query_is_looked_up_for_so_many_words_and_no_more() -> None:
    words = ["odd", "chip", *(f"nonsense{no}" for no in range(100))]
    assert len(rule_search._phrases(" ".join(words))) <= MOST_WORDS
    assert search(" ".join(words), catalogue()) == search(" ".join(words[:MOST_WORDS]), catalogue())
