"""What engine, tracker, rulings and desk say, in another language.

They say it in English, and a room sends each text once to screens in several languages. So the catalogue `said`
has their sentences as the sources have them, with places for values (`tests/words.py` reads the f-strings), and a
text is matched when it is shown: as a whole, else by its sentences, else by its clauses. Values are said in the
same way; what no catalogue has stays as it is. Scripts do the same (`display/shared/language.js`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

SENTENCES = re.compile(r"(?<=[.?!]) (?=\S)")  # also the places at which the catalogue's keys are divided
CLAUSES = re.compile(r"(; | · |: |, | \(|\)| = )")
PLACE = re.compile(r"\{\d\}")
FEW_LETTERS = 12  # a sentence of fewer says little by itself
_WORD = re.compile(r"(?<!\w)[a-z]")
_GROUPED = re.compile(r"\d{1,3}(,\d{3})+")
_FULL_STOP = re.compile(r"[^.]\.$")


class Pattern(NamedTuple):
    key: str
    places: list[str]
    letters: int
    test: re.Pattern[str]


def pattern_of(key: str) -> Pattern:
    parts = PLACE.split(key)
    source = "(.+?)".join(map(re.escape, parts))
    return Pattern(key, PLACE.findall(key), sum(map(len, parts)), re.compile(source, re.DOTALL))


class Said:
    """The sentences of `texts`; `point` is what stands between groups of three digits."""

    def __init__(self, texts: Mapping[str, str], point: str) -> None:
        self._texts, self._point = texts, point
        patterns = map(pattern_of, filter(PLACE.search, texts))
        self._patterns = sorted(patterns, key=lambda one: -one.letters)

    def __call__(self, text: str) -> str:
        if not text or not self._texts:
            return text
        whole = self._sentence(text)
        if whole is not None:
            return whole
        sentences = SENTENCES.split(text)
        if len(sentences) > 1:
            return " ".join(map(self, sentences))
        clauses = CLAUSES.split(text)
        if len(clauses) == 1:
            return self.unknown(text)
        return "".join(one if at % 2 else self._value(one) for at, one in enumerate(clauses))

    def unknown(self, text: str) -> str:
        """A clause that no catalogue has: a name, cards, or words without a translation."""
        return text

    def _sentence(self, text: str) -> str | None:
        """One sentence, with or without its full stop and its capital letter; None where there is none."""
        end = "." if _FULL_STOP.search(text) else ""
        bare = text.removesuffix(end)
        found = self.known(bare)
        if found is None:
            found = self._turned(bare)
        return None if found is None else found + end

    def _turned(self, text: str) -> str | None:
        first = text[0]
        found = None if first.swapcase() == first else self.known(first.swapcase() + text[1:])
        return found and (found[0].upper() if first.isupper() else found[0]) + found[1:]

    def known(self, text: str) -> str | None:
        """The words of one sentence without its full stop."""
        if text in self._texts:
            return self._texts[text]
        for key, places, letters, test in self._patterns:
            found = test.fullmatch(text)
            if found is None or any(map(SENTENCES.search, found.groups())):
                continue
            if letters < FEW_LETTERS and not all(map(self._is_known, found.groups())):
                continue  # `{0} to {1}` is in many a sentence that the catalogue has not
            return _put(self._texts[key], dict(zip(places, map(self._value, found.groups()), strict=True)))
        return None

    def _is_known(self, value: str) -> bool:
        return not _WORD.search(value) or self._sentence(value) is not None or self(value) != value

    def _value(self, text: str) -> str:
        return text.replace(",", self._point) if _GROUPED.fullmatch(text) else self(text)


def _put(sentence: str, values: Mapping[str, str]) -> str:
    return PLACE.sub(lambda place: values[place.group()], sentence)
