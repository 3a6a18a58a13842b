"""The search for rules, in the words that people use at a table.

A query is read as phrases: the words for a topic (`table_core/rules/topic_words.toml`), and single words for the
rest. A rule is found when it has every phrase, as its topic or in its text, or simply all the words; where no rule
has all phrases, those that have the most are found.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib import resources
from string import ascii_lowercase

from table_core.catalogue import RuleRow, catalogue

LONGEST_PHRASE = 5  # words
SHORTEST_MISSPELT, LONGEST_MISSPELT = 5, 20  # letters
MOST_WORDS = 12  # of a query; each is looked for in every rule
SKIPPED = frozenset(("a", "about", "an", "and", "at", "by", "can", "do", "does", "for", "i", "if", "in", "is",
    "it", "my", "of", "on", "or", "rule", "rules", "the", "to", "what", "when", "with"))  # fmt: skip
ENDINGS = {"ings": 3, "ing": 3, "ies": 3, "ed": 3, "es": 3, "s": 3, "y": 4, "e": 4}  # and the letters before them
TOPIC, STATEMENT, ELSEWHERE = 3, 2, 1  # what a phrase is worth where it is found
BROAD = frozenset(("conduct", "house-policy", "dealer-duties", "registration"))  # topics of many matters


class _Phrase:
    """One part of a query: the topics that it names, and its words as they may stand in a text."""

    def __init__(self, words: Sequence[str], topics: frozenset[str]) -> None:
        self.topics = topics
        self._stems = {stem(word) for word in words}
        self._telling = len(self._stems) == len(words)  # `hand for hand` is not every rule with a hand

    def worths(self, rows: Sequence[RuleRow]) -> list[int]:
        """For each rule; 0: it does not have the phrase. Broad topics count only where no rule of any book has the
        words: a book without a line on smoking is silent on it, whatever it says of conduct."""
        stems = [_stems_of(row) for row in rows]
        said = [self._telling and self._stems <= statement for statement, _ in stems]
        somewhere = self._telling and any(self._stems <= _stems_of(row)[0] for row in catalogue())
        topics = self.topics - BROAD if somewhere else self.topics
        return [
            TOPIC + says
            if row.topic in topics
            else STATEMENT
            if says
            else ELSEWHERE * (self._telling and self._stems <= everything)
            for row, says, (_, everything) in zip(rows, said, stems, strict=True)
        ]


def search(text: str, rows: Iterable[RuleRow]) -> tuple[RuleRow, ...]:
    """The rules that `text` asks for, the best first; all of them where it asks for nothing."""
    rows = tuple(rows)
    asked = text.lower().strip()
    if not asked:
        return rows
    by_id = tuple(row for row in rows if row.id.lower().startswith(asked)) if "." in asked else ()
    if by_id:
        return tuple(sorted(by_id, key=lambda row: row.id.lower() != asked))
    words = [stem(_spelled(word)) for word in said_words(asked)[:MOST_WORDS]]
    phrases, stems = _phrases(asked), set(words)
    worths = list(zip(*(phrase.worths(rows) for phrase in phrases), strict=True))
    most = max((sum(map(bool, worth)) for worth in worths), default=0)
    if most == 0 or 2 * most < len(phrases):
        return ()
    literal = [len(stems) == len(words) and stems <= _stems_of(row)[1] for row in rows]
    best = [
        (row, sum(worth))
        for row, worth, says in zip(rows, worths, literal, strict=True)
        if says or sum(map(bool, worth)) == most
    ]
    return tuple(row for row, _ in sorted(best, key=lambda one: -one[1]))


def _phrases(asked: str) -> list[_Phrase]:
    """The longest phrases of a query that name topics, and each word that is left."""
    words = [_spelled(word) for word in said_words(asked)[:MOST_WORDS]]
    phrases: list[_Phrase] = []
    while words:
        for length in range(min(LONGEST_PHRASE, len(words)), 0, -1):
            topics = _topics_by_phrase().get(tuple(words[:length]))
            if topics is not None:
                phrases.append(_Phrase(words[:length], topics))
                break
        else:
            length = 1
            phrases.append(_Phrase(words[:1], frozenset()))
        words = words[length:]
    return phrases


def said_words(text: str) -> list[str]:
    """Without the words that say nothing, unless there is nothing else."""
    words = re.findall(r"[a-z0-9]+", text)
    return [word for word in words if word not in SKIPPED] or words


@lru_cache(4096)
def _spelled(word: str) -> str:
    return nearest(word, _vocabulary())


def nearest(word: str, known: frozenset[str]) -> str:
    """A word that is known, where one letter is wrong, missing, too many, or two are swapped."""
    if not SHORTEST_MISSPELT <= len(word) <= LONGEST_MISSPELT or word in known or stem(word) in known:
        return word
    halves = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    swapped = (one + two[1] + two[0] + two[2:] for one, two in halves if len(two) > 1)
    missing = (one + letter + two for one, two in halves for letter in ascii_lowercase)
    wrong = (one + letter + two[1:] for one, two in halves if two for letter in ascii_lowercase)
    too_many = (one + two[1:] for one, two in halves if two)
    near = (*swapped, *missing, *wrong, *too_many)
    return next((one for one in near if one in known), next((one for one in near if stem(one) in known), word))


@cache
def _vocabulary() -> frozenset[str]:
    """Every word of the topics and of the rules, and the stems."""
    said = {word for phrase in _topics_by_phrase() for word in phrase}
    said |= {word for row in catalogue() for word in said_words(row.statement.lower())}
    return frozenset(said | set(map(stem, said)))


def stem(word: str) -> str:
    """`exposing`, `exposed` and `expose` are one word, and so are `bet`, `bets` and `betting`."""
    for ending, least in ENDINGS.items():
        if word.endswith(ending) and len(word) - len(ending) >= least:
            stem = word.removesuffix(ending)
            doubled = (
                ending in ("ing", "ed") and len(stem) > least and stem[-1] == stem[-2] and stem[-1] not in "ls"
            )
            return stem[:-1] if doubled else stem
    return word


@cache
def _topics_by_phrase() -> Mapping[tuple[str, ...], frozenset[str]]:
    text = resources.files("table_core").joinpath("rules", "topic_words.toml").read_text("utf-8")
    named: dict[tuple[str, ...], set[str]] = {}
    for topic, phrases in tomllib.loads(text).items():
        for phrase in (*phrases, topic.replace("-", " ")):
            named.setdefault(tuple(said_words(phrase)), set()).add(topic)
    return {phrase: frozenset(topics) for phrase, topics in named.items()}


@cache
def _stems_of(row: RuleRow) -> tuple[frozenset[str], frozenset[str]]:
    """The words of the statement, and of all that a rule says."""
    others = (row.source, row.topic, row.profile, row.handling, row.expected, *row.inputs)
    statement, rest = (
        frozenset(map(stem, said_words(text.lower()))) for text in (row.statement, " ".join(others))
    )
    return statement, statement | rest
