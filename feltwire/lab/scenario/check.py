"""Lines of a scenario that can never hold, or never fail: unknown tags, fields, seats, impossible streets.

Each is refused with file and line before anything is played.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import get_args

import msgspec

from firmware_bridge.decks import CARDS
from table_core.messages import AnyEvent

HIGHEST_SEAT = 11
NO_WORDS = frozenset(("question", "incident", "seen", "predicted", "option", "notice", "change", "events"))
_STREETS = {"flop": 3, "turn": 1, "river": 1}


def _fields_by_tag() -> dict[str, frozenset[str]]:
    kinds = [kind for union in get_args(AnyEvent) for kind in (get_args(union) or (union,))]
    return {
        str(kind.__struct_config__.tag): frozenset(field.encode_name for field in msgspec.structs.fields(kind))
        for kind in kinds
    }


TAGS = _fields_by_tag()


def wrong_in(verb: str, words: Sequence[str], expectations: Sequence[str], seats: Collection[int]) -> str:
    """What was expected in a step that can never hold or never fail; empty where nothing is wrong with it.

    `seats` are those that the table has at any time.
    """
    if verb in _STREETS:
        return _wrong_street(verb, words)
    if verb == "expect":
        return _wrong_expectation(words, expectations) or _no_such_seat(words, seats)
    return next(_wrong_seats(words), "") if verb in ("raise", "director") else ""


def _wrong_street(street: str, words: Sequence[str]) -> str:
    size = _STREETS[street]
    named = [word for word in words if word in CARDS]
    if len(words) == size and len(set(named)) == len(named):
        return ""
    return f"a {street} of {size} different card{'s' if size > 1 else ''}"


def _wrong_expectation(words: Sequence[str], expectations: Sequence[str]) -> str:
    kind, rest = (words[0], words[1:]) if words else ("", ())
    if kind not in expectations:
        return f"one of {', '.join(expectations)} after `expect`"
    if kind == "refused" and not rest:
        return "words of the reason, or its rule, as in `expect refused rule=wfp.nolimit.2a at least 200`"
    if kind == "event" or (kind == "no" and (not rest or rest[0] not in NO_WORDS)):
        return _wrong_event(rest, NO_WORDS if kind == "no" else ())
    return ""


def _no_such_seat(words: Sequence[str], seats: Collection[int]) -> str:
    kind, rest = words[0], words[1:]
    named = list(rest) if kind in ("turn", "live", "shows") else []
    if kind == "stack":
        named = [word.partition("=")[0] for word in rest]
    if kind == "button" and "blinds" in rest:  # the button may lie where nobody sits
        named = list(rest[rest.index("blinds") + 1 :])
    if kind in ("dealt", "next", "rest"):
        named = [word.removeprefix("seat-") for word in rest]
    if kind != "refused":
        named += [word.removeprefix("seat=") for word in rest if word.startswith("seat=")]
    if all(int(word) in seats for word in named if word.isdecimal()):
        return ""
    there = " ".join(map(str, sorted(seats)))
    return f"seats of the header ({there}); a chair without chips is written `9=0` there"


def _wrong_event(words: Sequence[str], others: Sequence[str] | frozenset[str]) -> str:
    tag = words[0] if words else ""
    if tag not in TAGS:
        return f"the tag of an event after it: {', '.join(sorted((*TAGS, *others)))}"
    names = [word.partition("=")[0] for word in words[1:] if word.partition("=")[0].isidentifier() and "=" in word]
    unknown = [name for name in names if name not in TAGS[tag]]
    return f"fields of {tag}: {', '.join(sorted(TAGS[tag]))}" if unknown else ""


def _wrong_seats(words: Sequence[str]) -> Iterator[str]:
    for before, word in pairwise(words):
        if before == "seat" and word.isdecimal() and not 1 <= int(word) <= HIGHEST_SEAT:
            yield f"a seat from 1 to {HIGHEST_SEAT}"
