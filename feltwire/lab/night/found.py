"""What expectations share: the player they name, the newest events, and how they say what they found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from feltwire.lab.night.play import Playing

Expectations = Mapping[str, Callable[["Playing", str], str]]  # by their first word; empty where one holds


def same(found: object, expected: object) -> str:
    return "" if found == expected else f"is {found}"


def entrant_of(playing: Playing, name: str) -> dict[str, Any]:
    field: list[dict[str, Any]] = playing.shown["field"]
    found = next((one for one in field if one["player"] == name), None)
    if found is None:
        raise ValueError(f"{name} is not registered")
    return found


def short(at: Mapping[str, Any]) -> str:
    return f"{at['table']}/{at['seat']}"


def money(amounts: Sequence[int]) -> str:
    return " ".join(f"{amount / 100:g}" for amount in amounts)


def events(playing: Playing) -> list[dict[str, Any]]:
    """The newest events, as the station shows them."""
    return [one["event"] for one in playing.shown["log"]]
