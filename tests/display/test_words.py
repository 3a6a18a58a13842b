"""The catalogues of words: every sentence that a page says has its words in German and Spanish, with the same
values in it, and nothing is there that no page says."""

from __future__ import annotations

import re

import httpx
import pytest

from display.app import create_app
from display.language import TRANSLATED, Words, longer, words_in
from display.push import Hub
from tests.display.test_app import asking
from tests.words import AREAS, path_of, read, said_in, written

VALUE = re.compile(r"\{\w*\}")
BOTH = [(area, language) for area in AREAS for language in TRANSLATED]


@pytest.mark.parametrize(("area", "language"), BOTH)
def test_the_catalogue_is_as_the_sources_have_it(area: str, language: str) -> None:
    path = path_of(area, language)
    have = path.read_text("utf-8") if path.exists() else ""
    assert have == written(area, language), f"python -m tests.words {area}"


@pytest.mark.parametrize(("area", "language"), BOTH)
def test_every_sentence_has_its_words_with_the_same_values(area: str, language: str) -> None:
    wrong, catalogue = [], read(area, language)
    for sentence in said_in(area):
        english = (sentence,) if isinstance(sentence, str) else sentence
        entry = catalogue.get(english[0])
        said = (
            (entry.string if entry is not None else "",) if isinstance(sentence, str) else entry and entry.string
        )
        for own, words in zip(english, said or ("", ""), strict=True):
            if not words or sorted(VALUE.findall(words)) != sorted(VALUE.findall(own)):
                wrong.append((own, words))
    assert wrong == []


def test_a_page_speaks_the_venues_language_until_this_browser_chose_another() -> None:
    app = create_app(hub=Hub(), pages={"clock"}, venue="v", tables=(), language="de")

    async def talk(client: httpx.AsyncClient) -> None:
        async def speaks(query: str = "", accept: str = "") -> str:
            page = (await client.get(f"/clock{query}", headers={"accept-language": accept})).text
            return page.partition('<html lang="')[2].partition('"')[0]

        assert await speaks() == "de"
        assert await speaks(accept="es") == "de"
        assert await speaks("?lang=es") == "es"
        assert await speaks() == "es"
        assert await speaks("?lang=xx") == "es"
        assert await speaks("?lang=x-long") == "en-x-long"

    asking(app, talk)


def test_numbers_in_a_sentence_are_written_as_the_language_writes_them() -> None:
    assert Words("en")("{n} chips", n=12_000) == "12,000 chips"
    assert Words("de")("{n} chips", n=12_000) == "12.000 chips"
    assert Words("en").plural("{n} hand", "{n} hands", 1) == "1 hand"
    assert Words("en").plural("{n} hand", "{n} hands", 2) == "2 hands"
    assert Words("es").amount(123_450) == "1.234,50"


def test_a_page_without_an_area_speaks_english() -> None:
    assert words_in("de").tag == "en"


def test_words_that_are_longer_keep_their_values() -> None:
    assert longer("Level {no} of {name}") == "Léévéél {no} óóf {name}"
