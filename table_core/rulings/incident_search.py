"""The search for an incident in the words that dealers use: `"string bet"`, `"out of turn"`, `"short"`, or its
number."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import NamedTuple

from table_core.rule_search import nearest, said_words, stem
from table_core.rulings.all_incidents import INCIDENTS
from table_core.rulings.register import Incident


class _Phrase(NamedTuple):
    words: tuple[str, ...]
    stems: tuple[str, ...]


WHOLE, WORDS, BEGUN = 4, 2, 1  # what a phrase is worth that was said whole, said among others, or begun


def incidents_for(text: str) -> tuple[Incident, ...]:
    """The incidents that `text` names, the best first, by number where they are equal; none where nothing fits.

    A number is the incident's own, or the beginning of it. Found is what has most of the words in one of its
    phrases, and at least half of them; the last may be begun only, as it is being typed, and one wrong letter in
    a longer word is forgiven.
    `incidents_for("strng bet")[0].key == "string_bet"`.
    """
    asked = text.strip().lower()
    if asked.isdigit():
        found = [one for one in INCIDENTS.values() if str(one.no).startswith(asked)]
        return tuple(sorted(found, key=lambda one: one.no))
    typed = said_words(asked) if asked else []
    words = [stem(nearest(word, _vocabulary())) for word in typed]
    begun = typed[-1] if typed else ""
    worths = {key: max(_worth(words, begun, phrase) for phrase in phrases) for key, phrases in _phrases().items()}
    most = max(said for said, _ in worths.values())
    if 2 * most < max(len(words), 1):
        return ()
    found = [INCIDENTS[key] for key, (said, _) in worths.items() if said == most]
    return tuple(sorted(found, key=lambda one: (-worths[one.key][1], one.no)))


def _worth(words: list[str], begun: str, phrase: _Phrase) -> tuple[int, int]:
    """How many of the words the phrase has, and how well it fits."""
    said = [word in phrase.stems for word in words]
    is_begun = bool(begun) and not said[-1] and any(word.startswith(begun) for word in phrase.words)
    fits = BEGUN if is_begun else WHOLE if all(said) and len(phrase.stems) == len(words) else WORDS
    return sum(said) + is_begun, fits


@cache
def _phrases() -> Mapping[str, tuple[_Phrase, ...]]:
    """The phrases of each incident: its title, and what dealers say."""
    text = resources.files("table_core").joinpath("rulings", "incident_words.toml").read_text("utf-8")
    said: dict[str, list[str]] = tomllib.loads(text)
    return {
        key: tuple(_phrase(phrase) for phrase in (incident.title, *said[key]))
        for key, incident in INCIDENTS.items()
    }


def _phrase(text: str) -> _Phrase:
    words = tuple(said_words(text.lower()))
    return _Phrase(words, tuple(map(stem, words)))


@cache
def _vocabulary() -> frozenset[str]:
    return frozenset(word for phrases in _phrases().values() for phrase in phrases for word in phrase.stems)
