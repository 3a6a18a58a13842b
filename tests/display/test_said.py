"""What a table says in English is said in the page's language: by its sentences, with its values."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from playwright.sync_api import Browser

from display.language import TRANSLATED, catalogue, words_in
from display.push import Hub
from display.said import PLACE
from tests.display.conftest import Running
from tests.display.dealing_states import STATES
from tests.display.test_browser import app_of, context_of, hub, pytestmark, room
from tests.said_at_tables import left_in_english

__all__ = ["app_of", "hub", "pytestmark", "room"]

AREAS = ("dealer", "said")


def numbered(sentence: str) -> str:
    """Each value is a number that tells which one it is."""
    return PLACE.sub(lambda place: str(3 + int(place.group()[1:-1])), sentence)


def test_a_text_is_said_by_its_sentences_with_its_values() -> None:
    german = words_in("de", AREAS)
    assert german.said("Seat 6 to act: 16,400 to call") == "Platz 6 ist dran: 16.400 zu callen"
    assert german.said("Betting closed, pot 29,900. Wrong? UNDO") == (
        "Keine Bets mehr, Pot 29.900. Falsch? ZURÜCK"
    )
    assert german.said("Turn not read. Is it out? STREET = yes") == (
        "Turn nicht gelesen. Liegt es da? STREET = ja"
    )


def test_what_no_catalogue_has_stays_as_it_is() -> None:
    text = "Ann Archer has left for the bar"
    assert words_in("es", AREAS).said(text) == text


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize(
    "text",
    [
        "Assumed: seats 4, 5 and 6 call 16,400, seat 2 calls 12,400. Betting closed, pot 82,600",
        "Who wins? Seat number, AWARD. Main 9,300: 3, 5, 6 · side 6,000: 3, 6",
        "seats 3 and 6 win 29,150 each with pair of nines",
        "Seat 3: only the first motion counts, bet 1,000 → call 600",
        "Two cards came as the turn: both barred; the next card is the turn, the river comes without a burn",
    ],
)
def test_nothing_of_a_usual_text_stays_in_english(language: str, text: str) -> None:
    _, left = left_in_english(Counter([text]), language)
    assert left == {}


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_sentence_is_taken_for_another(language: str) -> None:
    said, texts = words_in(language, AREAS).said, catalogue("said", language)
    wrong = {}
    for key, words in texts.items():
        assert isinstance(words, str)
        filled, expected = numbered(key), numbered(words)
        if re.search("[A-Za-z]", PLACE.sub("", key)) and said(filled) != expected:
            wrong[key] = said(filled)
    assert wrong == {}


def test_a_page_says_it_as_the_server_does(browser: Browser, room: Running, hub: Hub) -> None:
    texts = sorted(
        {text for view in STATES.values() for text in (view.last, view.next_step, view.waiting) if text}
    )
    with context_of(browser, 1024, 600) as context:
        page = context.new_page()
        page.goto(f"{room.url}/table/01?lang=de")
        in_page = page.evaluate(
            "async (texts) => texts.map((await import('/static/shared/language.js')).said)",
            texts,
        )
    assert in_page == [words_in("de", AREAS).said(text) for text in texts]
