"""Events of a tournament in words, for answers and the log of the director's page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from feltwire.station.tournament.names import Names
from table_core.rulebook import Rulebook
from table_core.tournament.events import CENTS, OutByHand, SeatAt, TournamentEvent, Undone
from table_core.tournament.night import Night, Recorded

MOST_SAID = 3  # of what one undo took back

_SAID = (
    *(
        "player",
        "players",
        "out",
        "places",
        "name",
        "rulebook",
        "one",
        "other",
        "what",
        "table",
        "seat",
        "at",
        "start",
        "to",
    ),
    *("kind", "reason", "minutes", "hands", "chips", "stack", "by", "expected", "rack", "amount", "paid"),
    *("hand", "records", "game", "shares", "over", "payouts", "giver", "why", "changes", "times"),
)
_CALLED = {
    "clock_changed": "clock",
    "out_by_hand": "out",
    "played_by_hand": "played by hand",
    "expected": "by the records",
    "places": "place",
    "giver": "from",
}
_BARE = frozenset({"rulebook", "what", "why", "times", "name", "reason", "amount", "shares"})  # no label in front
_CENTS = frozenset({"amount", "paid", "over"})
_NOTHING = frozenset({"minutes", "hands", "hand", "chips", "paid", "over", "rack"})  # not said where it is 0


def words(event: TournamentEvent, names: Mapping[str, str]) -> str:
    """`"Entered: Ann, chips 2000"`. Players by their names where one is kept."""
    tag = str(event.__struct_config__.tag)
    kind = _CALLED.get(tag, tag).replace("_", " ")
    plain = msgspec.to_builtins(event)
    none = {field: plain.get(field) in (None, "", (), []) for field in _SAID}
    none |= {field: not plain.get(field) for field in _NOTHING}
    if isinstance(event, OutByHand):
        none["stack"] = not event.stack
    said = [_part(field, plain[field], names) for field in _SAID if not none[field]]
    return kind[:1].upper() + kind[1:] + (f": {', '.join(said)}" if said else "")


def _part(field: str, value: Any, names: Mapping[str, str]) -> str:
    if field == "giver":
        return f"from {named(value, names)}"
    if field == "shares":
        return " and ".join(f"{named(one['player'], names)} {one['amount'] / CENTS:,.2f}" for one in value)
    if field == "hands" and not isinstance(value, int):
        return " and ".join(_hand_of(one) for one in value)
    if field in ("player", "one", "other", "out") and isinstance(value, str):
        return named(value, names)
    if field == "by" and not isinstance(value, int):
        return f"won by {' and '.join(named(one, names) for one in value)}"
    if field == "players":
        return " and ".join(named(one, names) for one in value)
    if field == "out" and not isinstance(value, str):
        return " and ".join(named(one["player"], names) for one in value)
    if field == "changes":
        return " and ".join(f"{named(one['player'], names)} {one['chips']:+,}" for one in value)
    if field == "records":
        return f"record{'s' if len(value) > 1 else ''} {_ranges(value)}"
    if isinstance(value, dict):
        value = f"table {value['table']} seat {value['seat']}" if {"table", "seat"} <= value.keys() else value
        return f"{'' if field == 'at' else f'{field} '}{value}"
    if isinstance(value, list | tuple):
        value = " and ".join(f"{one:g}" if isinstance(one, float) else str(one) for one in value)
    if field == "by" and isinstance(value, int):
        return f"{value:+,}"
    if field == "kind" or (field == "why" and "_" in str(value)):  # why seats are drawn
        return str(value).replace("_", " ")
    if isinstance(value, int):
        value = f"{value / CENTS:,.2f}" if field in _CENTS else f"{value:,}"
    return str(value) if field in _BARE else f"{_CALLED.get(field, field)} {value}"


def _ranges(numbers: Sequence[int]) -> str:
    """`58 to 76`, `7 and 9`"""
    first = [no for no in numbers if no - 1 not in numbers]
    last = [no for no in numbers if no + 1 not in numbers]
    return " and ".join(f"{a}" if a == b else f"{a} to {b}" for a, b in zip(first, last, strict=True))


def _hand_of(one: Mapping[str, Any]) -> str:
    """`table 01 to hand 10` of a round; a tabled hand by its player's table and number."""
    return f"table {one['table']} {'' if 'player' in one else 'to '}hand {one['hand']}"


def move_asked(player: str, to: SeatAt, names: Mapping[str, str]) -> str:
    """The question about a move that is proposed."""
    return f"{named(player, names)} moves to {to}?"


def named(player: str, names: Mapping[str, str]) -> str:
    """`Ann Example`; `Ann Example (p7)` where another player has that name; the id where no name is kept."""
    if player not in names:
        return player
    return f"{names[player]} ({player})" if isinstance(names, Names) and names.several(player) else names[player]


def with_names(text: str, names: Mapping[str, str]) -> str:
    """`text` with the players' names for their ids."""
    return re.sub(r"(?<![\w(-])[\w-]+(?![\w)-])", lambda word: named(word[0], names), text) if names else text


def in_words(record: Recorded, night: Night, names: Mapping[str, str]) -> str:
    """A record for the answer to its press. What was undone is said itself, not by the numbers of its records."""
    event = record.event
    if isinstance(event, OutByHand):
        entrant = night.state.field.entrants.get(event.player)
        place = f", place {entrant.place}" if entrant is not None and entrant.place else ""
        won = f", won by {' and '.join(named(one, names) for one in event.by)}" if event.by else ""
        return f"Out: {named(event.player, names)}{place}{won}"
    if not isinstance(event, Undone):
        return words(event, names)
    undone = [words(one.event, names) for one in night.records if one.no in event.records]
    more = f"; and {len(undone) - MOST_SAID} more" if len(undone) > MOST_SAID else ""
    return f"Undone: {'; '.join(undone[:MOST_SAID])}{more}"


def with_practice(text: str, rules: Iterable[str], book: Rulebook) -> str:
    """`text`, and for each of the rules that is not the book's own that it is silent there."""
    said = dict.fromkeys(book.standing_in_words(rule) for rule in rules)
    return " ".join([text, *filter(None, said)])
