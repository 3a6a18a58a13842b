"""Rooms at the moments at which the campaign enters them: no event, one that is open, hands of it, its prizes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from table_core.messages import Key
from tests.mutated.room import Room
from tests.restarts.doors import Case

Give = Callable[[Room, Case], object]
_PLAYERS = [f"p{no}" for no in range(1, 9)]


def press(command: str, **arguments: Any) -> Case:
    body = json.dumps({"command": command, "arguments": arguments}).encode()
    return Case("press", "station /director", command, body, "td")


def keys(*pressed: Key) -> Case:
    return Case("keys", "keypad", "keys", bytes(pressed))


def _folded() -> list[Case]:
    """A hand in which everybody folds to the big blind."""
    return [keys(Key.NEW_HAND), *[keys(Key.FOLD)] * 3, keys(Key.POT_PUSHED)]


def moments(book: str) -> Iterator[tuple[str, list[Case]]]:
    """What is done from one moment to the next, under a rulebook of the program."""
    yield "no event", [keys(Key.NEW_HAND, Key.CHECK_CALL), Case("keys", "shoe", "cards", b"As,Kd,2c,3d")]
    yield (
        "open",
        [
            press("open", rulebook=book, house={"starting_stack": 5_000, "buy_in": 40}),
            *(press("register_new", name=f"Name {no}", member=True, adult=True) for no in range(1, 9)),
        ],
    )
    yield (
        "seated",
        [
            *(press(command, player=player) for player in _PLAYERS for command in ("sign_in", "enter")),
            press("draw_seats"),
            *(press("set_button", table=table) for table in ("01", "02")),
            press("resume"),
        ],
    )
    yield "played", [*_folded(), *_folded(), keys(Key.NEW_HAND, Key.CHECK_CALL)]
    yield (
        "late",
        [
            *(press("give_penalty", player=player, reason="talking", kind="warning") for player in _PLAYERS[:2]),
            press("report_bust", table="02", hand=3, out=[{"player": _PLAYERS[7], "stack": 5_000, "seat": 1}]),
            press("buy", player=_PLAYERS[0], kind="rebuy", stack=0),
            press("count_stack", player=_PLAYERS[1], stack=4_000),
            press("set_payouts", payouts=[50, 30, 20], why="as announced"),
            press("count_cash", amount=1_000),
            press("next_level"),
            press("open_dispute", table="01", why="chips"),
        ],
    )
