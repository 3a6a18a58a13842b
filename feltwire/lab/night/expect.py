"""What must follow in a night's story: each kind of expectation is one function of the night and its words.

They read what the station shows: its view of the tournament, its clock, its pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from feltwire.lab.night.expect_clock import CLOCK
from feltwire.lab.night.expect_money import MONEY
from feltwire.lab.night.expect_players import PLAYERS
from feltwire.lab.night.expect_tables import TABLES
from feltwire.lab.night.found import Expectations
from feltwire.lab.night.pages import page_text
from table_core.messages import QueueView, decode

if TYPE_CHECKING:
    from feltwire.lab.night.play import Playing


def missing(playing: Playing, text: str) -> str:
    """What of an expectation does not hold; empty where it does. Raise `ValueError` for words that are none."""
    word, _, rest = text.partition(" ")
    if word == "no" and rest:
        word, _, rest = rest.partition(" ")
        if word not in _EXPECTATIONS:
            raise ValueError(_unknown(word))
        found = _EXPECTATIONS[word](playing, rest)
        return "" if found else f"there is: {text.removeprefix('no ')}"
    if word not in _EXPECTATIONS:
        raise ValueError(_unknown(word))
    return _EXPECTATIONS[word](playing, rest)


def _unknown(word: str) -> str:
    return f"no expectation {word!r}; there are: {', '.join(sorted(_EXPECTATIONS))}"


def _refused(playing: Playing, rest: str) -> str:
    if playing.refused is None:
        return "it was carried out"
    words = rest.strip('"')
    said = f"{playing.refused.rule} {playing.refused.text}"
    return "" if words in said else f"refused otherwise: {said}"


def _record(playing: Playing, rest: str) -> str:
    """`record docked rule ccp.late.4`: what the last press recorded."""
    tag, _, rule = rest.partition(" rule ")
    events = [one["event"] for one in reversed(playing.shown["log"]) if one["no"] > playing.since]
    tags = [event["type"] for event in events]
    rules = [event.get("rule", "") for event in events]
    held = any(one == tag and (not rule or other == rule) for one, other in zip(tags, rules, strict=True))
    return "" if held else f"recorded: {', '.join(f'{t} {r}'.strip() for t, r in zip(tags, rules, strict=True))}"


def _page(playing: Playing, rest: str) -> str:
    """`page /rules wfp.seating.1 says WORDS`; without an id the whole page."""
    place, _, words = rest.partition(" says ")
    if not words:
        raise ValueError("expected `page PATH [ID] says WORDS`")
    path, _, anchor = place.partition(" ")
    found = page_text(playing.room.station, path, anchor)
    return "" if words.lower() in found.lower() else f"it says: {found[:300]}"


def _warning(playing: Playing, rest: str) -> str:
    """`warning rpl.tournaments.34`: the last press was carried out with a warning of these words."""
    said = [one["event"].get("warning", "") for one in playing.shown["log"] if one["no"] > playing.since]
    return "" if any(rest in text and text for text in said) else f"warned: {[text for text in said if text]}"


def _said(playing: Playing, rest: str) -> str:
    """`said P9, by score`: the answer to the last press has these words."""
    return "" if rest in playing.said else f"said: {playing.said}"


def _queued(playing: Playing, rest: str) -> str:
    """`queued late 2`: something of that kind at table 2 waits for a person; `queued late 2 know`: so soon."""
    items = decode(playing.room.station.pages["queue"], QueueView).items
    found = [f"{one.kind.value} {one.table} {one.severity.value}" for one in items]
    return "" if any(f"{one} ".startswith(f"{rest} ") for one in found) else f"waiting: {found}"


_EXPECTATIONS: Expectations = {
    "queued": _queued,
    "refused": _refused,
    "record": _record,
    "page": _page,
    "warning": _warning,
    "said": _said,
    **PLAYERS,
    **TABLES,
    **CLOCK,
    **MONEY,
}
